import { findModule, isMisnamedModule, successorOf } from '../../httpd/modules';
import type { Release } from '../../httpd/release';
import { findsPattern } from '../../regex';
import { type Node, type Section, TEMPLATE_SECTION } from '../../syntax';
import type { Frame } from '../types';

/** Whether a 2.2 server, and the 2.4 server it becomes, reads a block; undefined where the files do not tell. */
export interface Condition {
  readonly on22: boolean | undefined;
  readonly on24: boolean | undefined;
}

type DefinedNames = Pick<ReadonlySet<string>, 'has'>;

const ALWAYS: Condition = { on22: true, on24: true };
const UNKNOWN: Condition = { on22: undefined, on24: undefined };

/** Modules without which the target, a 2.4 as distributions build it, does not run. */
const LOADED_24 = new Set([
  'core_module', 'http_module', 'authz_core_module', 'authn_core_module', 'unixd_module', 'version_module',
]); // prettier-ignore

/** Modules of 2.0 that 2.2 split up: no later server has a module of these names. */
const OLDER = /^(?:mod_(?:access|auth|auth_anon|auth_dbm)\.c|(?:access|auth|auth_anon|auth_dbm)_module)$/;

function isNoModule(name: string): boolean {
  return OLDER.test(name) || isMisnamedModule(name);
}

/**
 * Whether a conditional asks for a module that neither version has, or for the first release of a version: `2.4` means 2.4.0, as
 * what is left out counts as 0.
 */
export function asksForOlder(section: Section): boolean {
  const words = section.args.map(({ value }) => value);
  if (section.key === 'ifversion') return /^(?:==? )?2\.[24](?:\.0)?$/.test(words.join(' '));
  return section.key === 'ifmodule' && isNoModule((words[0] ?? '').replace(/^!/, ''));
}

/**
 * The containers that httpd decides on while it reads (`EXEC_ON_READ`), and what a template writes for one version; `<If>` and
 * `<Else>` are per request and not of them.
 */
const CONDITIONAL = new Set([
  TEMPLATE_SECTION, 'ifmodule', 'ifdefine', 'ifversion', 'iffile', 'ifdirective', 'ifsection',
]); // prettier-ignore

/** What is known of a section holds whatever the defines are, but for `<IfDefine>`. */
const known = new WeakMap<Section, Condition>();

export function isConditional(section: Section): boolean {
  return CONDITIONAL.has(section.key);
}

/**
 * Evaluates a conditional section; a section of any other kind is always read.
 * @param defines names known to be defined; one that is missing may still be
 */
export function conditionOf(section: Section, defines?: DefinedNames): Condition {
  if (!CONDITIONAL.has(section.key)) return ALWAYS;
  if (section.open.reads !== undefined) return section.open.reads;
  if (section.key === 'ifdefine') return ifDefine(section, defines);
  let condition = known.get(section);
  if (condition === undefined) {
    condition =
      section.key === 'ifmodule'
        ? ifModule(section)
        : section.key === 'ifversion'
          ? ifVersion(section)
          : UNKNOWN;
    known.set(section, condition);
  }
  return condition;
}

/** The virtual host that a chain of sections runs through. */
export function hostAround(chain: readonly Frame[]): Section | undefined {
  return chain.find(({ section }) => section.key === 'virtualhost')?.section;
}

/** Whether what stands inside all of these sections is read. */
export function placeCondition(chain: readonly Frame[], defines?: DefinedNames): Condition {
  let result = ALWAYS;
  for (const { section } of chain) {
    if (!CONDITIONAL.has(section.key)) continue;
    const { on22, on24 } = conditionOf(section, defines);
    result = { on22: bothRead(result.on22, on22), on24: bothRead(result.on24, on24) };
  }
  return result;
}

/** Whether a block inside of another is read, given whether each of them is. */
export function bothRead(a: boolean | undefined, b: boolean | undefined): boolean | undefined {
  if (a === false || b === false) return false;
  return a === undefined || b === undefined ? undefined : true;
}

function ifDefine(section: Section, defines: DefinedNames | undefined): Condition {
  const [name, negated] = withoutNot(section.args[0]?.value ?? '');
  if (defines?.has(name) !== true) return UNKNOWN;
  return negated ? { on22: false, on24: false } : ALWAYS;
}

function ifModule(section: Section): Condition {
  const words = section.args.map((arg) => arg.value);
  // 2.2 takes one bare word; 2.4 allows quotes, a blank after `!`, and forgets further words.
  const plain = words.length === 1 && section.open.rest === words[0];
  const [name, negated] = withoutNot(words[0] === '!' ? `!${words[1] ?? ''}` : (words[0] ?? ''));
  if (plain && isNoModule(name)) return negated ? ALWAYS : { on22: false, on24: false };
  const module = findModule(name);
  if (module === undefined) return UNKNOWN;
  const { identifier, versions } = module;
  // A module that was renamed in 2.4 is asked for by its new name there: the rule if-module-name does that.
  const now = successorOf(identifier) ?? identifier;
  // By identifier 2.2 finds only what LoadModule brought in, so a core_module may or may not be found there.
  const builtIn = name === 'core.c' || name === 'http_core.c';
  const on22 = !plain ? undefined : versions === '2.4' ? false : builtIn ? true : undefined;
  // The target does not load mod_access_compat: to do without it is what the rewrite is for.
  const absent = (versions === '2.2' && now === identifier) || identifier === 'access_compat_module';
  const on24 = absent ? false : LOADED_24.has(now) ? true : undefined;
  if (!negated) return { on22, on24 };
  // What loads the module where it is not compiled in says nothing about what is there.
  return { on22: not(on22), on24: loads(section.body, identifier) ? undefined : not(on24) };
}

function loads(body: readonly Node[], identifier: string): boolean {
  return body.some((node) =>
    node.kind === 'section'
      ? loads(node.body, identifier)
      : node.kind === 'directive' && node.key === 'loadmodule' && node.args[0]?.value === identifier,
  );
}

function not(value: boolean | undefined): boolean | undefined {
  return value === undefined ? undefined : !value;
}

function withoutNot(word: string): [name: string, negated: boolean] {
  return word.startsWith('!') ? [word.slice(1), true] : [word, false];
}

function ifVersion(section: Section): Condition {
  return { on22: evaluateVersion(section, 2, [2, 99]), on24: evaluateVersion(section, 4, [1, 99]) };
}

/** What an `<IfVersion>` says on one release of 2.4; undefined for other sections, and where httpd would refuse it. */
export function versionHolds(section: Section, release: Release): boolean | undefined {
  return section.key === 'ifversion' ? evaluateVersion(section, 4, [release, release]) : undefined;
}

/**
 * What an `<IfVersion>` says on any server of a line; undefined when it depends on the patch level, or httpd would refuse it
 * (modules/metadata/mod_version.c: start_ifversion, the same in both).
 * @param patches released patch levels to tell apart: 2.4.1 was the first of 2.4, and 2.2.2 the first of 2.2 after 2.2.0, which
 * nobody means by `<IfVersion 2.2>` and no distribution kept
 */
function evaluateVersion(
  section: Section,
  minor: 2 | 4,
  patches: readonly [first: number, last: number],
): boolean | undefined {
  const [first, last] = patches;
  const words = section.args.map((arg) => arg.value);
  const [operator = '', operand = ''] = words.length === 1 ? ['=', words[0]] : words;
  const parsed = /^(!?)(==?|>=?|<=?|~)$/.exec(operator);
  if (parsed === null || words.length > 2) return undefined;
  const test = versionTest(parsed[2] ?? '', operand);
  if (test === undefined) return undefined;
  const result = test(2, minor, first);
  for (let patch = first + 1; patch <= last; patch++) {
    if (test(2, minor, patch) !== result) return undefined;
  }
  if (result === undefined) return undefined;
  return result !== (parsed[1] === '!');
}

/** Undefined where it is not certain. */
type VersionTest = (major: number, minor: number, patch: number) => boolean | undefined;

function versionTest(operator: string, operand: string): VersionTest | undefined {
  const slashed = operator.startsWith('=') ? /^\/(.+)\/$/s.exec(operand)?.[1] : undefined;
  const source = operator === '~' ? operand : slashed;
  if (source !== undefined) {
    return (...version) => findsPattern(source, version.join('.'));
  }
  // What is left out counts as 0: `2.4` is 2.4.0, not "any 2.4".
  const number = /^(\d+)(?:\.(\d+)(?:\.(\d+))?)?$/.exec(operand);
  if (number === null) return undefined;
  const [major, minor, patch] = [1, 2, 3].map((i) => Number(number[i] ?? 0)) as [number, number, number];
  return (...version) => {
    const order = version[0] - major || version[1] - minor || version[2] - patch;
    if (operator.startsWith('=')) return order === 0;
    if (order === 0) return operator.endsWith('=');
    return operator.startsWith('>') ? order > 0 : order < 0;
  };
}
