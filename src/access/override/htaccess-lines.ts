import { type ConfigFile, type ConfigTree, conditionOf, isComplete, isConditional } from '../../config';
import { findDirective } from '../../httpd/directives';
import { type AllowedOverrides, type DirectiveContext, judge } from '../../httpd/judge';
import { findModule } from '../../httpd/modules';
import { NEWEST, type Release } from '../../httpd/release';
import { collect, needsCompat } from '../collect';
import { loadsStockModule } from '../policy';
import { BoundedMap, EMPTY_SET, getOrInsert, memo } from '../primitives';
import { type Directive, type Node, type Section, hasPlaceholder, readWords } from '../../syntax';
import {
  EVERY_CLASS,
  type OverrideReader,
  type OverrideState,
  type OverridesInForce,
  allowsClass,
  listedKey,
  setsOther,
} from './in-force';

/** Why a version refuses a line: AllowOverride forbids it, its module is not loaded, is unknown, or the arguments are. */
export type LineRefusal = 'forbidden' | 'not-loaded' | 'unknown' | 'arguments';

/** How the two versions differ about a `.htaccess`, by what AllowOverride lets it say and by what each version knows. */
export type HtaccessDifference =
  /** Only one version answers 500, because of a line. */
  | {
      readonly kind: 'refused-by';
      readonly version: OverrideReader;
      readonly node: Directive | Section;
      readonly because: LineRefusal;
      /** The rewrite has 2.4 serve what that version, and 2.4, refuse today. */
      readonly isToday?: true;
    }
  /** Only one version opens the file. @param node the first line that it says to that version */
  | { readonly kind: 'read-by'; readonly version: OverrideReader; readonly node: Directive | Section };

/**
 * Holds what one version may read in a `.htaccess` against the other (server/config.c: invoke_cmd; server/core.c: set_options).
 * @param before the file as it was given, `after` as it will be; undefined where there is none
 */
export function htaccessDifference(
  before: ConfigFile,
  after: ConfigFile,
  state: OverrideState,
  reading: FileReading,
): HtaccessDifference | undefined {
  const { on22, on24 } = state;
  if (!on22.isRead && !on24.isRead) return undefined;
  const fatesUnder = (options: FateOptions): readonly [Fate, Fate] => [
    fateOf(before, on22, '2.2', reading, options),
    fateOf(after, on24, '2.4', reading, options),
  ];
  const fates = fatesUnder({});
  const difference = differenceOf(fates, state);
  if (difference !== undefined || fates.every(({ isSure }) => isSure)) return difference;
  // What stands in a block of which it is not known whether it is read may keep the versions from what stands below it.
  return differenceOf(fatesUnder({ onlySure: true }), state);
}

/** AllowOverride lets in everything. */
const ANYTHING: OverridesInForce = {
  isRead: true,
  isOpaque: false,
  classes: EVERY_CLASS,
  names: EMPTY_SET,
  options: -1,
  line: undefined,
  list: undefined,
  isListBeside: false,
};

/**
 * A line with arguments to which 2.2 answers 500, where 2.4 serves what is there: by what it takes, or because the rewrite
 * removes the line.
 * @param before, after as for {@link htaccessDifference}
 */
export function argumentsDifference(
  before: ConfigFile,
  after: ConfigFile,
  reading: FileReading,
): HtaccessDifference | undefined {
  for (const onlySure of [false, true]) {
    const options = { onlySure, withArguments: true };
    const fate22 = fateOf(before, ANYTHING, '2.2', reading, options);
    if (fate22.kind === 'arguments' && fateOf(after, ANYTHING, '2.4', reading, options).kind === 'taken')
      return { kind: 'refused-by', version: '2.2', node: fate22.node, because: fate22.kind };
    if (fate22.isSure) return undefined;
  }
  return undefined;
}

/**
 * What makes a `.htaccess` a 500 to both versions that 2.4 serves once it is rewritten; undefined where there is no such line, or
 * AllowOverride is not known. Which modules are loaded does not count.
 * @param before, after as for {@link htaccessDifference}
 * @param on24 what the result lets it say
 * @param isFor24 a 2.4 runs it today: what AllowOverride keeps out there is kept out, whatever 2.2 takes
 */
export function servedAnew(
  before: ConfigFile,
  after: ConfigFile,
  { was, on24 }: { readonly was: OverrideState; readonly on24: OverridesInForce },
  reading: FileReading,
  isFor24: boolean,
): HtaccessDifference | undefined {
  if (!was.on24.isRead || [was.on22, was.on24, on24].some(({ isOpaque }) => isOpaque)) return undefined;
  const whatever = { ...reading, modules22: undefined, modules24: undefined };
  for (const onlySure of [false, true]) {
    const options = { onlySure, withArguments: true, passesOld: true };
    const today = fateOf(before, was.on24, '2.4', whatever, options);
    if (today.kind === 'taken') continue;
    if (on24.isRead && fateOf(after, on24, '2.4', whatever, options).kind !== 'taken') continue;
    const { kind, node } = fateOf(before, was.on22, '2.2', whatever, options);
    if (was.on22.isRead && kind !== 'taken' && !(kind === 'elsewhere' && isExtra(node.key)))
      return { kind: 'refused-by', version: '2.2', node, because: kind === 'elsewhere' ? 'forbidden' : kind };
    if (isFor24 && today.kind === 'forbidden')
      return { kind: 'refused-by', version: '2.4', node: today.node, because: 'forbidden', isToday: true };
  }
  return undefined;
}

function differenceOf(
  [fate22, fate24]: readonly [Fate, Fate],
  { on22, on24 }: OverrideState,
): HtaccessDifference | undefined {
  if (fate22.first === undefined && fate24.first === undefined) return undefined;
  if (on22.isRead !== on24.isRead) {
    const { kind, node, first } = on22.isRead ? fate22 : fate24;
    const version = on22.isRead ? '2.2' : '2.4';
    if (kind === 'elsewhere') return undefined;
    if (kind !== 'taken') return { kind: 'refused-by', version, node, because: kind };
    return first === undefined ? undefined : { kind: 'read-by', version, node: first };
  }
  if (isRefusal(fate24.kind) && fate22.kind === 'taken')
    return { kind: 'refused-by', version: '2.4', node: fate24.node, because: fate24.kind };
  if (isRefusal(fate22.kind) && fate24.kind === 'taken')
    return { kind: 'refused-by', version: '2.2', node: fate22.node, because: fate22.kind };
  return undefined;
}

function isRefusal(kind: Fate['kind']): kind is LineRefusal {
  return kind !== 'taken' && kind !== 'elsewhere';
}

/** What decides how a file is read, whatever AllowOverride says. */
export interface FileReading {
  /** Names that are defined for sure. */
  readonly defines: ConfigTree['defines'];
  /** The release of the 2.4 that reads the file. */
  readonly release: Release;
  /** The modules that the 2.2 loads, where what it does not load is not there; undefined where that is not known. */
  readonly modules22: ReadonlySet<string> | undefined;
  /** The modules that the 2.4 loads, once that is decided. */
  readonly modules24?: ReadonlySet<string> | undefined;
}

/** How the files of a tree are read, which is the same for all of them. @param tree as it is read for its target */
export const readingOf = memo((tree: ConfigTree): FileReading => {
  const { loadModules } = collect(tree);
  const isKnown = isComplete(tree) && loadsStockModule(loadModules);
  return {
    defines: tree.defines,
    release: tree.target ?? NEWEST,
    modules22: isKnown ? new Set(loadModules) : undefined,
  };
});

/** What becomes of a file that a version opens. */
interface Fate {
  /** `taken`: nothing speaks against its lines; `elsewhere`: something does that is told apart. */
  readonly kind: 'taken' | 'elsewhere' | LineRefusal;
  readonly node: Directive | Section;
  readonly first: Directive | Section | undefined;
  /** Nothing hangs on a block of which it is not known whether it is read. */
  readonly isSure: boolean;
}

function fateOf(
  file: ConfigFile,
  inForce: OverridesInForce,
  version: OverrideReader,
  reading: FileReading,
  options: FateOptions,
): Fate {
  const walk = new FateWalk(inForce, version, reading, options);
  walk.lookAt(file.document.body, []);
  return walk.fate;
}

/** All that a list is ever made for. */
const LISTED = ['require', '<requireall', '<requireany', '<requirenone', '<limit', '<limitexcept'];

/** Whether 2.4 answers 500 to a file even where a list lets its Require lines in, once the lines in 2.2's words have gone. */
export function isRefusedAnyway(file: ConfigFile, on24: OverridesInForce, reading: FileReading): boolean {
  return fateOf(file, withList(on24), '2.4', reading, { passesOld: true }).kind === 'forbidden';
}

/**
 * The line for which both versions answer 500 to a file, as AllowOverride does not let it in and either reads it for sure;
 * undefined where there is none. Nothing hangs on what becomes of the access lines of such a file.
 */
export const lineRefusedByBoth = memo((reading: FileReading) =>
  memo(({ on22, on24 }: OverrideState) =>
    memo((file: ConfigFile): Directive | Section | undefined => {
      if (!on22.isRead || on22.isOpaque || on22.line === undefined) return undefined;
      const first = fateOf(file, on22, '2.2', reading, { onlySure: true });
      if (!isRefusal(first.kind)) return undefined;
      const in24 = fateOf(file, withList(on24), '2.4', reading, { onlySure: true, passesOld: true });
      return in24.kind === 'forbidden' ? first.node : undefined;
    }),
  ),
);

function withList(on24: OverridesInForce): OverridesInForce {
  return { ...on24, names: new Set([...on24.names, ...LISTED]) };
}

/**
 * Whether 2.4 answers 500 to a file because AllowOverride does not let in a line that it surely reads, whatever becomes of those
 * in 2.2's words. Each file is asked about for each of its sections.
 */
export const isRefusedIn24 = memo((reading: FileReading) =>
  memo((on24: OverridesInForce) =>
    memo(
      (file: ConfigFile): boolean =>
        fateOf(file, on24, '2.4', reading, { onlySure: true, passesOld: true }).kind === 'forbidden',
    ),
  ),
);

const MANY_CONTEXTS = 1000;

/** The contexts of lines that AllowOverride lets the same say, by the sections around them: verdicts are kept by context. */
function contextsFor(htaccess: AllowedOverrides): OverrideContexts {
  const bySections = new BoundedMap<string, DirectiveContext>(MANY_CONTEXTS);
  return (sections) => getOrInsert(bySections, sections.join(' '), () => ({ sections, htaccess }));
}

type OverrideContexts = (sections: readonly string[]) => DirectiveContext;

const anyContext = contextsFor({ classes: EVERY_CLASS });

/** Most files stand under a few kinds of AllowOverride. */
const contextsByKind = new BoundedMap<string, OverrideContexts>(MANY_CONTEXTS);

const contextsUnder = memo((inForce: OverridesInForce): OverrideContexts => {
  const { classes } = inForce;
  const names = new Set([...inForce.names].flatMap((name) => listedKey(name) ?? []));
  const kind = [classes, ...names].join(' ');
  return getOrInsert(contextsByKind, kind, () => contextsFor({ classes, names }));
});

interface FateOptions {
  /** Lines in 2.2's words are passed over. */
  readonly passesOld?: boolean;
  /** So are blocks of which it is not known whether they are read. */
  readonly onlySure?: boolean;
  /** What a version takes after a name counts, too. */
  readonly withArguments?: boolean;
}

class FateWalk {
  readonly #contextIn: OverrideContexts;
  #first: Directive | Section | undefined;
  #refused: { readonly kind: Exclude<Fate['kind'], 'taken'>; readonly node: Directive | Section } | undefined;
  #isSure = true;

  constructor(
    private readonly inForce: OverridesInForce,
    private readonly version: OverrideReader,
    private readonly reading: FileReading,
    private readonly options: FateOptions,
  ) {
    this.#contextIn = contextsUnder(inForce);
  }

  get fate(): Fate {
    const first = this.#first;
    return { kind: 'taken', node: first!, first, isSure: this.#isSure, ...this.#refused };
  }

  /** httpd stops at the first line that it refuses. */
  lookAt(nodes: readonly Node[], sections: readonly string[]): void {
    for (const node of nodes) {
      if (this.#refused !== undefined) return;
      if (node.kind !== 'directive' && node.kind !== 'section') continue;
      const isBlock = node.kind === 'section' && isConditional(node);
      if (isBlock && this.#isNotDecided(node)) {
        this.#refused = { kind: 'arguments', node };
        return;
      }
      const isRead = isBlock ? this.#isRead(node) : true;
      if (isRead === undefined) this.#isSure = false;
      if (isRead === false || (isRead === undefined && this.options.onlySure === true)) continue;
      if (!isBlock) this.#first ??= node;
      const problem = this.#problemOf(node, sections);
      if (problem !== undefined) {
        this.#first ??= node;
        this.#refused = { kind: problem, node };
        return;
      }
      if (node.kind === 'section') this.lookAt(node.body, isBlock ? sections : [...sections, node.key]);
    }
  }

  #isRead(section: Section): boolean | undefined {
    const { on22, on24 } = conditionOf(section, this.reading.defines);
    const isRead = this.version === '2.2' ? on22 : on24;
    return isRead ?? isModuleBlockRead(section, this.reading, this.version);
  }

  /** Whether httpd stops at a block before it asks whether it is read. */
  #isNotDecided(section: Section): boolean {
    return this.options.withArguments === true && this.version === '2.2' && isNoTest(section);
  }

  #problemOf(
    node: Directive | Section,
    sections: readonly string[],
  ): Exclude<Fate['kind'], 'taken'> | undefined {
    const { release } = this.reading;
    const context = this.#contextIn(sections);
    const verdict = judge(node.key, context, undefined, this.version, release);
    // mod_access_compat is not loaded.
    if (this.version === '2.4' && needsCompat(node.key))
      return this.options.passesOld === true ? undefined : 'elsewhere';
    const { modules22 } = this.reading;
    if (this.version === '2.2' && modules22 !== undefined && isMissing(modules22)(node.key))
      return 'not-loaded';
    if (verdict === undefined) {
      if (this.#isOptionForbidden(node)) return 'forbidden';
      return this.options.withArguments === true ? this.#argumentsProblemOf(node, context) : undefined;
    }
    if (verdict.problem === 'unknown')
      return this.version === '2.2' && !isExtra(node.key) ? 'unknown' : 'elsewhere';
    const always = judge(node.key, anyContext(sections), undefined, this.version, release);
    return verdict.problem === 'place' && always === undefined ? 'forbidden' : 'elsewhere';
  }

  #argumentsProblemOf(
    node: Directive | Section,
    context: DirectiveContext,
  ): 'arguments' | 'elsewhere' | undefined {
    if (node.kind === 'section')
      return this.version === '2.2' && limitsNothing(node) ? 'arguments' : undefined;
    const values = (): readonly string[] => node.args.map(({ value }) => value);
    if (judge(node.key, context, values, this.version, this.reading.release) === undefined) return undefined;
    return this.version === '2.2' ? 'arguments' : 'elsewhere';
  }

  /** Both versions stop at a word of Options that `AllowOverride Options=…` does not name. */
  #isOptionForbidden(node: Directive | Section): boolean {
    if (node.key !== 'options' || node.kind !== 'directive') return false;
    const { options } = this.inForce;
    return node.args.some(({ value }) => setsOther(value, options));
  }
}

/** Whether 2.2 refuses a conditional: the whole rest is its one word (2.2 server/core.c: start_ifmod, start_ifdefine). */
function isNoTest({ key, open }: Section): boolean {
  if (key !== 'ifmodule' && key !== 'ifdefine') return false;
  const { text } = open;
  return !hasPlaceholder(text) && readWords(text, open.name.length + 1).length !== 1;
}

/** Whether 2.2 refuses a Limit: for no method, or for TRACE (2.2 server/core.c: ap_limit_section). */
function limitsNothing({ key, open, args }: Section): boolean {
  if (key !== 'limit' && key !== 'limitexcept') return false;
  return open.rest === '' || (key === 'limit' && args.some(({ value }) => value === 'TRACE'));
}

/**
 * Whether a block is read that asks for a module, by those that 2.2 loads: 2.4 loads the same, and others for lines alone that
 * stand in no such block. Undefined where that is not known, or the block asks for something else.
 */
function isModuleBlockRead(
  { key, args }: Section,
  { modules22, modules24 }: FileReading,
  version: OverrideReader,
): boolean | undefined {
  const loaded = version === '2.4' ? (modules24 ?? modules22) : modules22;
  const word = args[0]?.value ?? '';
  const module = key === 'ifmodule' ? findModule(word.replace(/^!/, '')) : undefined;
  if (loaded === undefined || module === undefined || isBuiltIn(module.identifier)) return undefined;
  if (module.versions !== 'both' && module.versions !== version) return undefined;
  return loaded.has(module.identifier) !== word.startsWith('!');
}

/** Whether 2.2 has a directive or section but loads none of its modules. The same few are asked about often. */
const isMissing = memo((loaded: ReadonlySet<string>) =>
  memo((key: string): boolean => {
    const owners = findDirective(key)?.owners22 ?? [];
    return (
      owners.length > 0 &&
      owners.every((owner) => !loaded.has(`${owner}_module`) && !isBuiltIn(`${owner}_module`))
    );
  }, new Map()),
);

/** Modules that are compiled in where others are loaded by lines, and of what no line can load. */
const BUILT_IN = new Set(
  ['core', 'http', 'so', 'log_config', 'logio', 'version'].map((name) => `${name}_module`),
);

function isBuiltIn(identifier: string): boolean {
  return BUILT_IN.has(identifier) || findModule(identifier) === undefined || identifier.startsWith('mpm_');
}

/** Whether a module that can be added to a 2.2 has a directive that no 2.2 ships. */
function isExtra(key: string): boolean {
  return (
    findDirective(key)?.owners24.some((owner) => findModule(`${owner}_module`)?.versions === 'extra') === true
  );
}

/** Whether 2.2 takes an Options line of a `.htaccess`, as far as AllowOverride goes, in any case in which it reads the file. */
export function takesOptions(words: readonly string[], states: readonly OverrideState[]): boolean {
  const read = states.filter(({ on22 }) => on22.isRead);
  return (
    read.length === 0 ||
    read.some(({ on22 }) => allowsClass(on22, 'O') && !words.some((word) => setsOther(word, on22.options)))
  );
}
