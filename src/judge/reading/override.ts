import { findDirective } from '../../httpd/directives';
import { type Line, Unreadable, everyLine } from '../text';
import type { ReadVersion } from './reader';

/** The modules that are there, as in `authz_core`; undefined where that is not known: then each may be there. */
export type KnownModules = ReadonlySet<string> | undefined;

/** What the sections on the way to a `.htaccess` let it say. */
export interface Override {
  /** The letters of the classes: `A` AuthConfig, `F` FileInfo, `I` Indexes, `L` Limit, `O` Options. */
  readonly classes: ReadonlySet<string>;
  /** Options that it may name; undefined for all. */
  readonly options: ReadonlySet<string> | undefined;
  /** AllowOverrideList: names in lower case; undefined where none is in force. */
  readonly list: ReadonlySet<string> | undefined;
  /** Whether any AllowOverride has spoken: with none the file is read, whatever it may say. */
  readonly said: boolean;
  /** Nonfatal=…: what is not allowed, or not known, is passed over. */
  readonly passes: ReadonlySet<string>;
}

export const ALL_CLASSES: ReadonlySet<string> = new Set(['A', 'F', 'I', 'L', 'O']);

/** A file is read at all. */
export function isRead({ classes, list, said, passes }: Override): boolean {
  return !said || classes.size > 0 || passes.size > 0 || (list !== undefined && list.size > 0);
}

/**
 * What a section makes of it. The last AllowOverride of a section counts, but for what an `Options=` says: that stays until
 * another line says Options, in the section and in those below it (core.c: set_override, merge_core_dir_configs).
 */
export function overrideBelow(above: Override, body: readonly Line[], modules: KnownModules): Override {
  const said = body.filter(({ name }) => name === 'allowoverride').map(({ words }) => classesOf(words));
  const classes = said.at(-1);
  const list = body.findLast(({ name }) => name === 'allowoverridelist');
  return {
    ...above,
    ...(classes && { ...classes, said: true }),
    options: said.findLast(({ options }) => options !== undefined)?.options ?? above.options,
    // What no module knows is discarded, and "None" with it (core.c: set_override_list).
    ...(list && { list: new Set(list.words.map(lower).filter((word) => isListable(word, modules))) }),
  };
}

function isListable(word: string, modules: KnownModules): boolean {
  const info = findDirective(word.replace(/^</, ''));
  return info !== undefined && info.section === word.startsWith('<') && has(info.owners24, modules);
}

function classesOf(words: readonly string[]): Pick<Override, 'classes' | 'options' | 'passes'> {
  let classes = new Set<string>();
  let options: Set<string> | undefined;
  const passes = new Set<string>();
  for (const word of words.map(lower)) {
    const [name = '', value] = word.split('=');
    const letter = { authconfig: 'A', fileinfo: 'F', indexes: 'I', limit: 'L', options: 'O' }[name];
    if (letter !== undefined) classes.add(letter);
    else if (name === 'none') classes = new Set();
    else if (name === 'all') classes = new Set(ALL_CLASSES);
    else if (name === 'nonfatal')
      for (const kind of value === 'all' ? ['override', 'unknown'] : [value ?? '']) passes.add(kind);
    if (name === 'options') options = new Set((value ?? 'all').split(',').flatMap(optionsOf));
  }
  return { classes, options, passes };
}

const lower = (word: string): string => word.toLowerCase();

const OPTIONS: Readonly<Record<string, readonly string[]>> = {
  __proto__: null!,
  indexes: ['indexes'],
  includes: ['includes', 'exec'],
  includesnoexec: ['includes'],
  followsymlinks: ['follow'],
  symlinksifownermatch: ['owner'],
  execcgi: ['cgi'],
  multiviews: ['multiviews'],
  none: [],
  all: ['indexes', 'includes', 'exec', 'follow', 'cgi'],
};

function optionsOf(word: string): readonly string[] {
  return OPTIONS[word] ?? [];
}

/**
 * What makes each request below a `.htaccess` a 500, or undefined. `conditionals` are the sections that were carried out while it
 * was read: they too must be allowed.
 */
export function refusedLine(
  lines: readonly Line[],
  conditionals: readonly Line[],
  override: Override,
  version: ReadVersion,
  modules: KnownModules,
): Line | undefined {
  return (
    [...conditionals, ...everyLine(lines)].find(
      (line) => !isAllowed(line, override, version, modules) || !isWellFormed(line, override, version),
    ) ?? (version === '2.4' ? uselessRequire(lines) : undefined)
  );
}

function isAllowed(
  line: Line,
  { classes, list, passes }: Override,
  version: ReadVersion,
  modules: KnownModules,
): boolean {
  const info = findDirective(line.name);
  // A directive of somebody else's module is taken to be allowed, where the modules are not known.
  if (modules === undefined && info === undefined) return true;
  if (!isKnown(line, version, modules)) {
    if (modules === undefined) throw new Unreadable(line.name);
    return passes.has('unknown');
  }
  const letters = lettersOf(version === '2.2' ? info?.spec22 : info?.spec24);
  // Where 2.4 alone takes it in such a file, it is a line for 2.4 as those that 2.2 does not know.
  if (version === '2.2' && letters.length === 0 && lettersOf(info?.spec24).length > 0)
    throw new Unreadable(line.name);
  if (letters.includes('*') ? classes.size > 0 : letters.some((letter) => classes.has(letter))) return true;
  return passes.has('override') || list?.has(line.body === undefined ? line.name : `<${line.name}`) === true;
}

/** The classes that let a `.htaccess` have a directive, or `*` for any; none for what is for the server alone. */
function lettersOf(spec = ''): readonly string[] {
  return spec.replace(/-.*$/, '').match(/[A-Z*]/g) ?? [];
}

/** Whether a version with these modules has such a directive or section. */
export function isKnown(line: Line, version: ReadVersion, modules: KnownModules): boolean {
  const info = findDirective(line.name);
  if (info === undefined || info.section !== (line.body !== undefined)) return false;
  const owners = version === '2.2' ? info.owners22 : info.owners24;
  return has(owners, modules);
}

function has(owners: readonly string[], modules: KnownModules): boolean {
  if (modules === undefined) return owners.length > 0;
  return owners.some(
    (owner) =>
      ['core', 'http', 'mpm_common', 'so', 'prefork', 'mpm_prefork'].includes(owner) || modules.has(owner),
  );
}

const CONTAINERS: ReadonlySet<string> = new Set(['requireall', 'requireany', 'requirenone']);

/**
 * A container of 2.4 that says nothing or only what may not come in, or a `Require not` where any line may let in: 2.4 refuses
 * both (mod_authz_core.c: add_authz_provider, add_authz_section).
 */
export function uselessRequire(lines: readonly Line[], inAll = false): Line | undefined {
  for (const line of lines) {
    const isContainer = CONTAINERS.has(line.name);
    if (line.name === 'require' && isNegative(line) && !inAll) return line;
    if (isContainer && (line.body ?? []).every(isNegative)) return line;
    const inner = uselessRequire(line.body ?? [], isContainer ? line.name === 'requireall' : false);
    if (inner !== undefined) return inner;
  }
  return undefined;
}

const isNegative = ({ name, words }: Line): boolean =>
  name === 'requirenone' || (name === 'require' && words[0]?.toLowerCase() === 'not');

/** The arguments of the directives that matter here. */
export function isWellFormed(
  line: Line,
  { options }: Pick<Override, 'options'>,
  version: ReadVersion,
): boolean {
  const words = line.words.map(lower);
  switch (line.name) {
    case 'options': {
      const bare = words.map((word) => word.replace(/^[+-]/, ''));
      if (!bare.every((word) => word in OPTIONS)) return false;
      if (options !== undefined && !bare.flatMap(optionsOf).every((option) => options.has(option)))
        return false;
      return version === '2.2' || areOptionsOf24(words);
    }
    case 'order':
      return words.length === 1 && /^(?:allow,deny|deny,allow|mutual-failure)$/.test(words[0]!);
    case 'allow':
    case 'deny':
      return words.length > 1 && words[0] === 'from' && words.slice(1).every(isHostWord);
    case 'satisfy':
      return words.length === 1 && ['all', 'any'].includes(words[0]!);
    case 'require':
      return version === '2.2' || isRequire(line.words);
    default:
      return true;
  }
}

/** All of them with a sign, or none; before either, All or None may stand, and nowhere else (2.4 core.c: set_options). */
function areOptionsOf24([first = '', ...others]: readonly string[]): boolean {
  if (others.some((word) => /^[+-]?(?:all|none)$/.test(word))) return false;
  const words = first === 'all' || first === 'none' ? others : [first, ...others];
  const signed = words.filter((word) => /^[+-]/.test(word)).length;
  return signed === 0 || signed === words.length;
}

function isHostWord(word: string): boolean {
  if (word.includes('/')) return /^[\d.]+\/[\d.]+$/.test(word) || /^[\da-f:]+\/\d+$/.test(word);
  if (!/^\d+(?:\.\d+)*\.?$/.test(word)) return true;
  const parts = word.replace(/\.$/, '').split('.');
  return parts.length <= 4 && parts.every((part) => Number(part) < 256);
}

/** mod_authz_core.c: add_authz_provider, as far as the rewrites go. */
function isRequire(given: readonly string[]): boolean {
  const words = given[0]?.toLowerCase() === 'not' ? given.slice(1) : given;
  const [provider = '', ...rest] = words;
  switch (provider) {
    case 'all':
      return rest.length === 1 && /^(?:granted|denied)$/i.test(rest[0]!);
    case 'ip':
      return (
        rest.length > 0 &&
        rest.every((word) => /^[\d.]+(?:\/[\d.]+)?$|^[\da-f:]+(?:\/\d+)?$/i.test(word) && isHostWord(word))
      );
    case 'expr':
      return rest.length > 0;
    // Without a name they let nobody in, and 2.4 takes them all the same.
    case 'valid-user':
    case 'local':
    case 'ssl':
    case 'user':
    case 'group':
    case 'host':
    case 'env':
    case 'method':
      return true;
    default:
      return false;
  }
}
