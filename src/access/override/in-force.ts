import { findDirective } from '../../httpd/directives';
import { judge } from '../../httpd/judge';
import type { OverrideLine, Scope } from '../policy';
import { type Config, EMPTY_SET } from '../primitives';

export type OverrideReader = '2.2' | '2.4';

/** What a version lets the `.htaccess` of a directory say (server/core.c: set_override; request.c: core_opts_merge). */
export interface OverridesInForce {
  /** Whether it opens the file at all. */
  readonly isRead: boolean;
  /** A word of AllowOverride is not known: a variable or a template may make it anything. */
  readonly isOpaque: boolean;
  /** Classes of directives, of the letters L (Limit), O (Options), F (FileInfo), A (AuthConfig), I (Indexes). */
  readonly classes: string;
  /** What AllowOverrideList names, in lower case; sections with their `<`. */
  readonly names: ReadonlySet<string>;
  /** The bits of the words that Options may have. */
  readonly options: number;
  /** The last AllowOverride; undefined where there is none, and the version's default holds. */
  readonly line: OverrideLine | undefined;
  /** The last AllowOverrideList, and whether it stands in the same section as the last AllowOverride. */
  readonly list: OverrideLine | undefined;
  readonly isListBeside: boolean;
}

/** What holds in one directory for the requests of one host, under one setting of the conditionals. */
export interface OverrideState {
  /** A virtual host with AllowOverride lines of its own; undefined for the main server and all others. */
  readonly vhost: Scope['vhost'];
  readonly on22: OverridesInForce;
  readonly on24: OverridesInForce;
}

/** The words of Options as bits (include/http_core.h); "all" leaves the last two out. */
const OPTION_BITS: ReadonlyMap<string, number> = new Map([
  ['indexes', 1],
  ['includes', 2 | 32],
  ['includesnoexec', 2],
  ['followsymlinks', 4],
  ['symlinksifownermatch', 64],
  ['execcgi', 8],
  ['multiviews', 128],
  ['runscripts', 128 | 8],
  ['none', 0],
  ['all', 1 | 2 | 4 | 8 | 32],
]);

const ALL_OF_OPTIONS = OPTION_BITS.get('all')!;

/** What the words may be where no AllowOverride says Options. */
const ANY_OPTION = ALL_OF_OPTIONS | 64 | 128;

/** What AllowOverride could let in. */
export const EVERY_CLASS = 'LOFAI';

const CLASSES: ReadonlyMap<string, string> = new Map([
  ['limit', 'L'],
  ['options', 'O'],
  ['fileinfo', 'F'],
  ['authconfig', 'A'],
  ['indexes', 'I'],
]);

/** Whether a word of Options sets one that is not among these bits. A word that neither version knows sets none. */
export function setsOther(word: string, options: number): boolean {
  return ((OPTION_BITS.get(word.replace(/^[+-]/, '').toLowerCase()) ?? 0) & ~options) !== 0;
}

/** What AllowOverride lines of one section say together. */
type SectionOverrides = Pick<OverridesInForce, 'classes' | 'options' | 'isRead' | 'isOpaque'>;

const NOTHING_SAID: SectionOverrides = { classes: '', options: ANY_OPTION, isRead: false, isOpaque: false };

/**
 * The later of two lines sets the classes anew; what `Options=` says stays until another says Options, in the section and in
 * those below it (server/core.c: set_override, merge_core_dir_configs).
 */
function withLine(before: SectionOverrides, { words }: OverrideLine): SectionOverrides {
  let classes = '';
  let { options } = before;
  // A file is read then, and may say nothing for sure.
  let isOpaque = false;
  for (const word of words) {
    const [name = '', list] = word.split('=', 2);
    if (name === 'options') options = list === undefined ? ALL_OF_OPTIONS : listedOptions(list, options);
    const letter = CLASSES.get(name);
    if (letter !== undefined) classes += letter;
    else if (name === 'none') classes = '';
    else if (name === 'all') classes = EVERY_CLASS;
    else if (name !== 'nonfatal') isOpaque = true;
  }
  return { classes, options, isRead: classes !== '' || isOpaque, isOpaque };
}

/** @param list words with commas between them; an unknown one ends it (server/core.c: set_allow_opts) */
function listedOptions(list: string, before: number): number {
  let bits: number | undefined;
  for (const word of list.split(',')) {
    if (word === '') continue;
    const more = OPTION_BITS.get(word);
    if (more === undefined) return bits ?? 0;
    bits = (bits ?? 0) | more;
  }
  return bits ?? before;
}

/**
 * @param sections the lines of the sections that cover a directory, in the order in which httpd merges these
 * @param config whether what a conditional tests holds
 * @param hasCompat 2.4 surely has mod_access_compat
 */
export function overridesInForce(
  sections: readonly (readonly OverrideLine[])[],
  reader: OverrideReader,
  config: Config,
  hasCompat: boolean,
): OverridesInForce {
  let said: SectionOverrides | undefined;
  let line: OverrideLine | undefined;
  let list: OverrideLine | undefined;
  let isListBeside = false;
  for (const lines of sections) {
    let ownClasses: SectionOverrides | undefined;
    let ownList: OverrideLine | undefined;
    for (const next of lines) {
      if (!readsLine(next, reader, config)) continue;
      if (next.isList) ownList = next;
      else {
        ownClasses = withLine(ownClasses ?? said ?? NOTHING_SAID, next);
        line = next;
      }
    }
    if (ownClasses !== undefined) said = ownClasses;
    if (ownList !== undefined) list = ownList;
    if (ownClasses !== undefined || ownList !== undefined)
      isListBeside = ownList !== undefined && ownClasses !== undefined;
  }
  const isNone = list === undefined || (list.words.length === 1 && list.words[0] === 'none');
  const names: ReadonlySet<string> = reader === '2.2' || isNone ? EMPTY_SET : new Set(list!.words);
  // Where nothing is said 2.4 opens the file, too, and lets nothing in.
  const terms = said ?? { ...NOTHING_SAID, isRead: true, classes: reader === '2.2' ? EVERY_CLASS : '' };
  const isRead = terms.isRead || [...names].some((name) => staysListed(name, hasCompat));
  return { ...terms, isRead, names, line, list, isListBeside };
}

/**
 * Whether 2.4 leaves a name in the list: it takes out what it does not know, sections without their `<`, and what no directory
 * may have; it does without mod_access_compat, unless that is surely there (2.4 server/core.c: set_override_list).
 */
function staysListed(name: string, hasCompat: boolean): boolean {
  const key = listedKey(name);
  const info = key === undefined ? undefined : findDirective(key);
  if (info === undefined || !info.owners24.some((owner) => hasCompat || owner !== 'access_compat'))
    return false;
  return judge(key!, IN_DIRECTORY, undefined, '2.4')?.problem !== 'place';
}

const IN_DIRECTORY = { sections: ['directory'] };

/** The key of what a name in a list stands for; undefined where the `<` of a section is missing, or there is one too many. */
export function listedKey(name: string): string | undefined {
  const key = name.replace(/^</, '');
  const info = findDirective(key);
  return info !== undefined && info.section !== name.startsWith('<') ? undefined : key;
}

function readsLine({ isList, on22, on24, tests }: OverrideLine, by: OverrideReader, config: Config): boolean {
  if (by === '2.2') return on22 && !isList && tests.every((test) => config(test.name) === test.is);
  return on24 && tests.every((test) => test.on24 ?? config(test.name) === test.is);
}

/** True if directives of the class (of {@link OverridesInForce.classes}) may stand there, or no line says anything. */
export function allowsClass({ line, classes }: OverridesInForce, letter: string): boolean {
  return line === undefined || classes.includes(letter);
}

/** Whether a version opens a file, and all that it then lets it say, as a text to compare. */
export function termsOf({ isRead, isOpaque, classes, names, options, line }: OverridesInForce): string {
  return `${line === undefined} ${isRead} ${isOpaque} ${classes} ${options} ${[...names].join()}`;
}

/** The class of each name a list is for: Limit and LimitExcept, of two classes, need none where Limit is allowed. */
export const LISTED_CLASSES: ReadonlyMap<string, string> = new Map([
  ['<limit', 'LA'],
  ['<limitexcept', 'LA'],
]);

/** Whether a directive or section of access control, written as in a list, may stand there. */
export function allowsName(inForce: OverridesInForce, name: string): boolean {
  const key = name.toLowerCase();
  return (
    (LISTED_CLASSES.get(key) ?? 'A').split('').some((letter) => allowsClass(inForce, letter)) ||
    inForce.names.has(key)
  );
}
