import { type ConfigFile, type ConfigTree, conditionOf, isConditional } from '../../config';
import { type DirectiveContext, judge } from '../../httpd/judge';
import { NEWEST, type Release } from '../../httpd/release';
import { isOld } from '../collect';
import { EMPTY_SET } from '../primitives';
import type { Directive, Node, Section } from '../../syntax';
import type { OverrideState } from './allow-override';
import { type OverrideReader, type OverridesInForce, optionBits } from './in-force';

/** How the two versions differ about a `.htaccess`, by what AllowOverride lets it say. */
export type HtaccessDifference =
  /** Only one version answers 500, because of a line. */
  | { readonly kind: 'refused-by'; readonly version: OverrideReader; readonly node: Directive | Section }
  /** Only one version opens the file. @param node the first line that it says to that version */
  | { readonly kind: 'read-by'; readonly version: OverrideReader; readonly node: Directive | Section };

/**
 * Holds what one version may read in a `.htaccess` against the other (server/config.c: invoke_cmd; server/core.c: set_options).
 * @param before the file as it was given, `after` as it will be; undefined where there is none
 */
export function htaccessDifference(
  before: ConfigFile,
  after: ConfigFile,
  { on22, on24 }: OverrideState,
  reading: FileReading,
): HtaccessDifference | undefined {
  if (!on22.isRead && !on24.isRead) return undefined;
  const fate22 = fateOf(before, on22, '2.2', reading);
  const fate24 = fateOf(after, on24, '2.4', reading);
  if (fate22.first === undefined && fate24.first === undefined) return undefined;
  if (on22.isRead !== on24.isRead) {
    const { kind, node, first } = on22.isRead ? fate22 : fate24;
    const version = on22.isRead ? '2.2' : '2.4';
    if (kind === 'forbidden') return { kind: 'refused-by', version, node };
    return kind === 'elsewhere' || first === undefined
      ? undefined
      : { kind: 'read-by', version, node: first };
  }
  if (fate24.kind === 'forbidden' && fate22.kind === 'taken')
    return { kind: 'refused-by', version: '2.4', node: fate24.node };
  if (fate22.kind === 'forbidden' && fate24.kind === 'taken')
    return { kind: 'refused-by', version: '2.2', node: fate22.node };
  return undefined;
}

/** What decides how a file is read, whatever AllowOverride says. */
export interface FileReading {
  /** Names that are defined for sure. */
  readonly defines: ConfigTree['defines'];
  /** Of the 2.4. */
  readonly release: Release;
}

/** @param tree as it is read for its target */
export function readingOf({ defines, target }: ConfigTree): FileReading {
  return { defines, release: target ?? NEWEST };
}

/** What becomes of a file that a version opens. */
interface Fate {
  /** `taken`: nothing speaks against its lines; `forbidden`: AllowOverride does, against one; `elsewhere`: something else does. */
  readonly kind: 'taken' | 'forbidden' | 'elsewhere';
  readonly node: Directive | Section;
  /** The first line that is read. */
  readonly first: Directive | Section | undefined;
}

function fateOf(
  file: ConfigFile,
  inForce: OverridesInForce,
  version: OverrideReader,
  reading: FileReading,
): Fate {
  const walk = new FateWalk(inForce, version, reading);
  walk.lookAt(file.document.body, []);
  return walk.fate;
}

/** All that a list is ever made for. */
const LISTED = ['require', '<requireall', '<requireany', '<requirenone', '<limit', '<limitexcept'];

/** Whether 2.4 answers 500 to a file even where a list lets its Require lines in, once the lines in 2.2's words have gone. */
export function isRefusedAnyway(file: ConfigFile, on24: OverridesInForce, reading: FileReading): boolean {
  const names = new Set([...on24.names, ...LISTED]);
  const walk = new FateWalk({ ...on24, names }, '2.4', reading, true);
  walk.lookAt(file.document.body, []);
  return walk.fate.kind === 'forbidden';
}

/** What AllowOverride could let in. */
const EVERY_CLASS = 'LOFAI';

/** Most files stand under a few kinds of AllowOverride, and verdicts are kept by context. */
const contexts = new Map<string, DirectiveContext>();
const MANY_CONTEXTS = 1000;

function contextFor(
  sections: readonly string[],
  classes: string,
  names: ReadonlySet<string> = EMPTY_SET,
): DirectiveContext {
  const key = [classes, ...names, ...sections.map((name) => `<${name}`)].join(' ');
  let context = contexts.get(key);
  if (context === undefined) {
    if (contexts.size === MANY_CONTEXTS) contexts.clear();
    contexts.set(key, (context = { sections, htaccess: { classes, names } }));
  }
  return context;
}

class FateWalk {
  readonly #inForce: OverridesInForce;
  readonly #names: ReadonlySet<string>;
  readonly #version: OverrideReader;
  readonly #reading: FileReading;
  #first: Directive | Section | undefined;
  #refused: { readonly kind: 'forbidden' | 'elsewhere'; readonly node: Directive | Section } | undefined;

  /** @param passesOld lines in 2.2's words are passed over */
  constructor(
    inForce: OverridesInForce,
    version: OverrideReader,
    reading: FileReading,
    private readonly passesOld = false,
  ) {
    this.#inForce = inForce;
    this.#names = new Set([...inForce.names].map((name) => name.replace(/^</, '')));
    this.#version = version;
    this.#reading = reading;
  }

  get fate(): Fate {
    const first = this.#first;
    return { kind: 'taken', node: first!, first, ...this.#refused };
  }

  /** httpd stops at the first line that it refuses. */
  lookAt(nodes: readonly Node[], sections: readonly string[]): void {
    for (const node of nodes) {
      if (this.#refused !== undefined) return;
      if (node.kind !== 'directive' && node.kind !== 'section') continue;
      const isBlock = node.kind === 'section' && isConditional(node);
      if (isBlock && this.#isRead(node) === false) continue;
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
    const { on22, on24 } = conditionOf(section, this.#reading.defines);
    return this.#version === '2.2' ? on22 : on24;
  }

  #problemOf(node: Directive | Section, sections: readonly string[]): 'forbidden' | 'elsewhere' | undefined {
    const { release } = this.#reading;
    const context = contextFor(sections, this.#inForce.classes, this.#names);
    const verdict = judge(node.key, context, undefined, this.#version, release);
    // mod_access_compat is not loaded.
    if (this.#version === '2.4' && isOld(node.key)) return this.passesOld ? undefined : 'elsewhere';
    if (verdict === undefined) return this.#isOptionForbidden(node) ? 'forbidden' : undefined;
    const always = judge(node.key, contextFor(sections, EVERY_CLASS), undefined, this.#version, release);
    return verdict.problem === 'place' && always === undefined ? 'forbidden' : 'elsewhere';
  }

  /** Both versions stop at a word of Options that `AllowOverride Options=…` does not name. */
  #isOptionForbidden(node: Directive | Section): boolean {
    if (node.key !== 'options' || node.kind !== 'directive') return false;
    const { options } = this.#inForce;
    return node.args.some(({ value }) => ((optionBits(value.replace(/^[+-]/, '')) ?? 0) & ~options) !== 0);
  }
}

/** Whether 2.2 takes an Options line of a `.htaccess`, as far as AllowOverride goes, in any case in which it reads the file. */
export function takesOptions(words: readonly string[], states: readonly OverrideState[]): boolean {
  const read = states.filter(({ on22 }) => on22.isRead);
  return (
    read.length === 0 ||
    read.some(({ on22: { line, classes, options } }) => {
      if (line !== undefined && !classes.includes('O')) return false;
      return words.every((word) => ((optionBits(word.replace(/^[+-]/, '')) ?? 0) & ~options) === 0);
    })
  );
}
