import { type ConfigFile, type Frame, asksForOlder } from '../config';
import type { Directive, Section } from '../syntax';
import { guardOf } from './guards';
import { classifyHostWord } from './hostword';
import { plus, withOne } from './lists';
import { ALL_METHODS, type MethodMask, isRegistered } from './methods';
import type { OwnPolicyBuilder } from './own';
import type { Authorizer } from './policy';
import type { ReadCondition } from './reading';
import { parseRequire } from './requires';
import type { Scope } from './scope';
import { noteConditional } from './undecided';

/** Where a line stands inside its scope. */
export interface LineSpot {
  readonly file: ConfigFile;
  readonly inner: readonly Frame[];
  readonly mask: MethodMask;
  readonly nestedLimit: boolean;
  readonly condition: ReadCondition;
  /** Conditionals between scope and line that cannot be decided. */
  readonly undecided: readonly Section[];
  /** Undecided conditionals around the scope itself. */
  readonly outer: readonly Section[];
  readonly container: Section | undefined;
}

const AUTHORITATIVE: Readonly<Record<string, Authorizer>> = {
  authzgroupfileauthoritative: 'groupfile',
  authzdbmauthoritative: 'dbm',
  authzldapauthoritative: 'ldap',
  authzuserauthoritative: 'user',
  authzownerauthoritative: 'owner',
};

const CONFIGURES: Readonly<Record<string, Authorizer>> = {
  authgroupfile: 'groupfile',
  authdbmgroupfile: 'dbm',
  authldapurl: 'ldap',
};

/** Files one line under its scope: what it sets for 2.2, and whether it is a line to rewrite. */
export function addLine(
  scope: Scope,
  own: OwnPolicyBuilder,
  node: Directive | Section,
  spot: LineSpot,
): void {
  const { before, after } = spot.condition;
  if (node.kind === 'directive' && after !== false) {
    const line = { node, inner: spot.inner, file: spot.file };
    if (node.key === 'require') scope.lines24 = plus(scope.lines24, line);
    else if (node.key === 'authmerging') scope.merging = plus(scope.merging, line);
    else if (node.key === 'authtype') scope.authTypes24 = plus(scope.authTypes24, line);
  }
  if (before === false) {
    if (after === false) noteDead(scope, node, spot);
    if (after !== false) scope.only24++;
    if (node.kind === 'directive' && isOld(node.key) && after !== false)
      problem(scope, node, `${node.name} stands in a block that only 2.4 reads`);
    return;
  }
  if (scope.reading === 'compat') {
    addCompatLine(scope, own, node, spot);
    return;
  }
  if (node.kind === 'section' || spot.container !== undefined || node.key === 'authmerging') {
    if (after !== false) noteModern(scope, node, spot);
    return;
  }
  const live = after !== false;
  if (!addPolicy(scope, own, node, spot)) {
    if (live) noteModern(scope, node, spot);
    return;
  }
  if (!setsState(node.key)) return;
  noteConditional(scope, node, spot);
  if (!live) {
    scope.only22++;
    return;
  }
  if (spot.nestedLimit) problem(scope, node, '2.2 refuses a Limit inside a Limit');
  const line = { node, inner: spot.inner, file: spot.file };
  if (node.key === 'authtype') scope.authType = line;
  else if (node.key === 'require') scope.requires = plus(scope.requires, line);
  else scope.old = plus(scope.old, line);
  if (isOld(node.key)) scope.underOld = withOne(scope.underOld, spot.undecided);
}

/** Keeps in mind a line in a block that asks for a module of 2.0, or for the lack of one that both versions have. */
function noteDead(scope: Scope, node: Directive | Section, spot: LineSpot): void {
  if (scope.dead !== undefined || node.kind !== 'directive' || !setsState(node.key)) return;
  const frame = [...spot.inner, ...scope.place.chain].find(
    ({ section }) => guardOf(section)?.negated === true || asksForOlder(section),
  );
  if (frame !== undefined) scope.dead = { node, file: spot.file, section: frame.section };
}

function noteModern(scope: Scope, node: Directive | Section, spot: LineSpot): void {
  scope.modern ??= node;
  scope.underModern = withOne(scope.underModern, spot.undecided);
}

/** The same as a 2.4 with mod_access_compat reads it: lines of both kinds, each by its own rules. */
function addCompatLine(scope: Scope, own: OwnPolicyBuilder, node: Directive | Section, spot: LineSpot): void {
  // A container is told by what stands in it.
  if (node.kind === 'section') return;
  const line = { node, inner: spot.inner, file: spot.file };
  const modern = node.key === 'require' || node.key === 'authmerging';
  if (modern) own.lines24 = plus(own.lines24, line);
  else addPolicy(scope, own, node, spot);
  if (!modern && !setsState(node.key)) return;
  if (spot.condition.after === false) {
    scope.only22++;
    return;
  }
  if (node.key in AUTHORITATIVE) problem(scope, node, `2.4 has no ${node.name}`);
  if (node.key === 'authmerging')
    problem(scope, node, 'AuthMerging is not followed where lines of 2.2 and of 2.4 are mixed');
  if (modern && node.logical.text.includes('${'))
    problem(scope, node, `${node.name} takes its value from a variable`);
  if (spot.nestedLimit && !modern) problem(scope, node, 'a Limit stands inside a Limit');
  noteConditional(scope, node, spot);
  if (node.key === 'authtype') scope.authType = line;
  else if (modern) scope.requires = plus(scope.requires, line);
  else scope.old = plus(scope.old, line);
}

/** True for a directive that 2.4 knows with mod_access_compat alone. */
export function isOld(key: string): boolean {
  return key === 'order' || key === 'allow' || key === 'deny' || key === 'satisfy';
}

/** True for a directive that is a part of the access state by itself. */
export function setsState(key: string): boolean {
  return isOld(key) || key === 'require' || key === 'authtype' || key in AUTHORITATIVE;
}

function problem(scope: Scope, node: Directive | Section, message: string): void {
  scope.problems = plus(scope.problems, { node, message });
}

/** Reads a line into the policy. False where it is written in 2.4's words. */
function addPolicy(scope: Scope, own: OwnPolicyBuilder, node: Directive, spot: LineSpot): boolean {
  const { key } = node;
  const { mask } = spot;
  const values = node.args.map((arg) => arg.value);
  if (node.logical.text.includes('${') && (isOld(key) || key === 'require'))
    problem(scope, node, `${node.name} takes its value from a variable`);
  if (scope.kind === 'htaccess' || scope.parent?.kind === 'htaccess') checkMethods(scope, node, mask);
  switch (key) {
    case 'order': {
      const value = values[0]?.toLowerCase();
      if (
        values.length === 1 &&
        (value === 'allow,deny' || value === 'deny,allow' || value === 'mutual-failure')
      )
        own.orders = plus(own.orders, {
          order: value === 'deny,allow' ? value : 'allow,deny',
          mask,
          origin: node,
        });
      else problem(scope, node, '2.2 itself refuses this Order line');
      return true;
    }
    case 'allow':
    case 'deny':
      addHosts(scope, own, node, mask, values);
      return true;
    case 'satisfy': {
      const value = values[0]?.toLowerCase();
      if (values.length === 1 && (value === 'any' || value === 'all'))
        own.satisfy = plus(own.satisfy, { value, mask, origin: node });
      else problem(scope, node, '2.2 itself refuses this Satisfy line');
      return true;
    }
    case 'require': {
      const parsed = parseRequire(node, mask);
      if (parsed.kind === 'modern') return false;
      if (parsed.kind === 'line') own.requires = plus(own.requires, parsed.line);
      else {
        own.requires = plus(own.requires, parsed.line);
        scope.unanswered = plus(scope.unanswered, { node, keyword: parsed.keyword });
      }
      return true;
    }
    case 'authtype':
      own.authType(values[0]?.toLowerCase() !== 'none', node);
      return true;
    case 'allowoverride':
      scope.allowOverride = {
        words: values.map((value) => value.toLowerCase()),
        line: { node, inner: spot.inner, file: spot.file },
        certain: spot.undecided.length + spot.outer.length === 0,
      };
      return true;
  }
  const authoritative = AUTHORITATIVE[key];
  if (authoritative !== undefined)
    own.configure(authoritative, { authoritative: values[0]?.toLowerCase() !== 'off' }, node);
  const configures = CONFIGURES[key];
  if (configures !== undefined) own.configure(configures, { configured: true }, node);
  return true;
}

function checkMethods(scope: Scope, node: Directive, mask: MethodMask): void {
  const unknown = [...mask.names].find((name) => !isRegistered(name));
  if (unknown !== undefined && mask !== ALL_METHODS)
    problem(scope, node, `2.4 answers 500 to a .htaccess that limits the unregistered method ${unknown}`);
}

function addHosts(
  scope: Scope,
  own: OwnPolicyBuilder,
  node: Directive,
  mask: MethodMask,
  values: readonly string[],
): void {
  if (values.length < 2 || values[0]?.toLowerCase() !== 'from') {
    problem(scope, node, `2.2 itself refuses this ${node.name} line: it wants "from" and a host`);
    return;
  }
  const words = values.slice(1).map(classifyHostWord);
  const hash = values.findIndex((value) => value.startsWith('#'));
  for (const word of words) {
    if (word.kind === 'invalid') problem(scope, node, `2.2 itself refuses the address "${word.text}"`);
    else if (word.kind === 'never' && !(hash > 0 && word.text.startsWith('#')))
      scope.notes = plus(scope.notes, {
        node,
        message: `"${word.text}" never matched a client: ${word.why}`,
      });
  }
  if (hash > 0 && scope.reading === 'compat') problem(scope, node, '2.4 refuses a word with # in it');
  else if (hash > 0) {
    const opens = values.slice(hash).some((value) => value.toLowerCase() === 'all');
    scope.notes = plus(scope.notes, {
      node,
      message: `httpd has no comments at the end of a line: the words after # are ${opens ? 'hosts too, and "all" among them means everybody' : 'host names'}`,
    });
  }
  own.lines = plus(own.lines, { allow: node.key === 'allow', words, mask, origin: node });
}
