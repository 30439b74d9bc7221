import { type ConfigFile, type Frame, asksForOlder } from '../../config';
import type { Directive, Section } from '../../syntax';
import { type Authorizer, type ReadCondition, type Scope, type ScopeLine, guardOf } from '../policy';
import { ALL_METHODS, type MethodMask, isRegistered, plus, withOne } from '../primitives';
import type { OwnPolicyBuilder } from './own';
import type { Hosts, Saying } from './saying';
import { noteConditional } from './undecided';

/** Where a line stands inside its scope. */
export interface LineSpot {
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

type DirectiveLine = ScopeLine & { readonly node: Directive };

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
  node: Directive,
  spot: LineSpot,
  file: ConfigFile,
  saying: Saying,
): void {
  const { before, after } = spot.condition;
  const { key } = saying;
  const line = { node, inner: spot.inner, file };
  if (after !== false) {
    if (key === 'require') scope.lines24 = plus(scope.lines24, line);
    else if (key === 'authmerging') scope.merging = plus(scope.merging, line);
    else if (key === 'authtype') scope.authTypes24 = plus(scope.authTypes24, line);
  }
  if (before === false) {
    if (after === false) {
      noteDead(scope, line);
      return;
    }
    scope.only24++;
    if (isOld(key)) {
      scope.old24 ??= line;
      problem(scope, node, `${node.name} stands in a block that only 2.4 reads`);
    }
    return;
  }
  if (scope.reading === 'compat') {
    addCompatLine(scope, own, line, spot, saying);
    return;
  }
  const live = after !== false;
  const modern = spot.container !== undefined || key === 'authmerging';
  if (modern || !addPolicy(scope, own, line, spot, saying)) {
    if (live) noteModern(scope, node, spot);
    return;
  }
  if (!setsState(key)) return;
  noteConditional(scope, own, node, spot);
  if (!live) {
    scope.only22++;
    return;
  }
  if (spot.nestedLimit) problem(scope, node, '2.2 refuses a Limit inside a Limit');
  if (key === 'authtype') scope.authType = line;
  else if (key === 'require') scope.requires = plus(scope.requires, line);
  else scope.old = plus(scope.old, line);
  if (isOld(key)) scope.underOld = withOne(scope.underOld, spot.undecided);
}

/** Takes note of a container of 2.4; what stands in it tells of it where mod_access_compat is there. */
export function addContainer(scope: Scope, node: Section, spot: LineSpot): void {
  const { before, after } = spot.condition;
  if (after === false) return;
  if (before === false) scope.only24++;
  else if (scope.reading !== 'compat') noteModern(scope, node, spot);
}

/** Keeps in mind a line in a block that asks for a module of 2.0, or for the lack of one that both versions have. */
function noteDead(scope: Scope, { node, inner, file }: DirectiveLine): void {
  if (scope.dead !== undefined || !setsState(node.key)) return;
  const frame = [...inner, ...scope.place.chain].find(
    ({ section }) => guardOf(section)?.negated === true || asksForOlder(section),
  );
  if (frame !== undefined) scope.dead = { node, file, section: frame.section };
}

function noteModern(scope: Scope, node: Directive | Section, spot: LineSpot): void {
  scope.modern ??= node;
  scope.underModern = withOne(scope.underModern, spot.undecided);
}

/** The same as a 2.4 with mod_access_compat reads it: lines of both kinds, each by its own rules. */
function addCompatLine(
  scope: Scope,
  own: OwnPolicyBuilder,
  line: DirectiveLine,
  spot: LineSpot,
  saying: Saying,
): void {
  const { node } = line;
  const { key } = saying;
  const modern = key === 'require' || key === 'authmerging';
  if (modern) own.lines24 = plus(own.lines24, line);
  else addPolicy(scope, own, line, spot, saying);
  if (!modern && !setsState(key)) return;
  if (spot.condition.after === false) {
    scope.only22++;
    return;
  }
  if (key in AUTHORITATIVE) problem(scope, node, `2.4 has no ${node.name}`);
  if (key === 'authmerging')
    problem(scope, node, 'AuthMerging is not followed where lines of 2.2 and of 2.4 are mixed');
  if (modern && node.text.includes('${'))
    problem(scope, node, `${node.name} takes its value from a variable`);
  if (spot.nestedLimit && !modern) problem(scope, node, 'a Limit stands inside a Limit');
  noteConditional(scope, own, node, spot);
  if (key === 'authtype') scope.authType = line;
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
function addPolicy(
  scope: Scope,
  own: OwnPolicyBuilder,
  line: DirectiveLine,
  spot: LineSpot,
  saying: Saying,
): boolean {
  const { node } = line;
  const { key, values } = saying;
  const { mask } = spot;
  if (saying.isVariable && (isOld(key) || key === 'require'))
    problem(scope, node, `${node.name} takes its value from a variable`);
  if (mask !== ALL_METHODS) checkMethods(scope, node, mask);
  switch (key) {
    case 'order': {
      const { order } = saying;
      if (order !== undefined) own.orders = plus(own.orders, { order, mask, origin: node });
      else problem(scope, node, '2.2 itself refuses this Order line');
      return true;
    }
    case 'allow':
    case 'deny':
      addHosts(scope, own, node, key === 'allow', mask, saying.hosts);
      return true;
    case 'satisfy': {
      const value = saying.satisfy;
      if (value !== undefined) own.satisfy = plus(own.satisfy, { value, mask, origin: node });
      else problem(scope, node, '2.2 itself refuses this Satisfy line');
      return true;
    }
    case 'require': {
      if (saying.require === undefined) return false;
      const { keyword, source, rest, verbatim, unknown } = saying.require;
      own.requires = plus(own.requires, { keyword, source, rest, verbatim, mask, origin: node });
      if (unknown !== undefined) scope.unanswered = plus(scope.unanswered, { node, keyword: unknown });
      return true;
    }
    case 'authtype':
      own.authType(values[0]?.toLowerCase() !== 'none', node);
      return true;
    case 'allowoverride':
      scope.allowOverride = {
        words: values.map((value) => value.toLowerCase()),
        line,
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
  if (scope.kind !== 'htaccess' && scope.parent?.kind !== 'htaccess') return;
  const unknown = [...mask.names].find((name) => !isRegistered(name));
  if (unknown !== undefined)
    problem(scope, node, `2.4 answers 500 to a .htaccess that limits the unregistered method ${unknown}`);
}

function addHosts(
  scope: Scope,
  own: OwnPolicyBuilder,
  node: Directive,
  allow: boolean,
  mask: MethodMask,
  hosts: Hosts | undefined,
): void {
  if (hosts === undefined) {
    problem(scope, node, `2.2 itself refuses this ${node.name} line: it wants "from" and a host`);
    return;
  }
  const { words, invalid, never, comment } = hosts;
  for (let i = 0; i < invalid.length; i++)
    problem(scope, node, `2.2 itself refuses the address "${invalid[i]!}"`);
  for (let i = 0; i < never.length; i++) scope.notes = plus(scope.notes, { node, message: never[i]! });
  if (comment !== undefined) {
    if (scope.reading === 'compat') problem(scope, node, '2.4 refuses a word with # in it');
    else scope.notes = plus(scope.notes, { node, message: comment });
  }
  own.lines = plus(own.lines, { allow, words, mask, origin: node });
}
