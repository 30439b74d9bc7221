import { ANY_BYTE, type ByteSet } from './byte-sets';
import type { PatternNode, ReadPattern } from './nodes';
import { readPattern } from './read';
import { forgetStarts } from './starts';

type Matches = (text: string) => boolean;

/** Answers like {@link findsPattern} for one pattern. */
export type PatternMatcher = (text: string) => boolean | undefined;

/** What is kept of a pattern: not its nodes, which take much more room than its text. */
interface KnownPattern extends Omit<ReadPattern, 'node'> {
  readonly source: string;
  /** How much it grows when its repetitions are written out. */
  readonly size: number;
  /** Bytes of the longest text that the engine of the language is asked about. */
  readonly fewBytes: number;
  backtracking: Matches | undefined;
  linear: Matches | undefined;
}

/** Steps up to which the engine of the language is quicker than loading the one that never takes long. */
const FEW_STEPS = 100_000;
/** Characters by which a pattern may grow beyond four times its length when its repetitions are written out. */
const MOST_GROWTH = 500;
/** Parts of patterns that are compiled for it in one run; what comes after them may match. */
const MOST_COMPILED = 128 * 1024;
/** Bytes, as long as a line of 2.2 (2.2 httpd.h: MAX_STRING_LEN). */
const MOST_TEXT = 8192;

/** By the pattern: where letter case counts, and where it does not. */
const known = { exact: new Map<string, PatternMatcher>(), ignoringCase: new Map<string, PatternMatcher>() };
let compiled = 0;

/** Forgets all patterns: what has been read of them is kept during a run. */
export function forgetPatterns(): void {
  known.exact.clear();
  known.ignoringCase.clear();
  forgetStarts();
  compiled = 0;
}

/**
 * Whether PCRE finds a pattern in a text, both byte strings, in time that is linear in the text; undefined where that is not
 * certain: for look-around, references and other things that RE2 has no word for, for what PCRE or one of its releases refuses,
 * and for sizes beyond the limits.
 */
export function findsPattern(pattern: string, text: string, ignoreCase = false): boolean | undefined {
  return patternMatcher(pattern, ignoreCase)(text);
}

/** Like {@link findsPattern}, for many texts: compiles the pattern once. */
export function patternMatcher(pattern: string, ignoreCase = false): PatternMatcher {
  const matchers = ignoreCase ? known.ignoringCase : known.exact;
  let matcher = matchers.get(pattern);
  if (matcher === undefined) {
    const read = knownPattern(pattern, ignoreCase);
    matchers.set(pattern, (matcher = read === undefined ? () => undefined : (text) => finds(read, text)));
  }
  return matcher;
}

/** Whether no text at all has what a pattern says. */
export function findsNothing(pattern: string): boolean {
  const read = readPattern(pattern, false);
  return read !== undefined && isNever(read.node);
}

function isNever(node: PatternNode): boolean {
  switch (node.kind) {
    case 'byte':
      return !node.set.includes(1);
    case 'place':
      return false;
    case 'row':
      return node.parts.some(isNever);
    case 'choice':
      return node.parts.every(isNever);
    case 'repeat':
      return node.least > 0 && isNever(node.part);
  }
}

function finds(pattern: KnownPattern, text: string): boolean | undefined {
  if (text.length > MOST_TEXT) return undefined;
  if (pattern.asksForLastLineEnd && text.endsWith('\n')) return undefined;
  if (pattern.asksForLineEnds && text.includes('\n')) return undefined;
  if (pattern.asksForBlanks && text.includes('\v')) return undefined;
  const matches = engineFor(pattern, text);
  if (matches === undefined) return undefined;
  return matches(text) ? (pattern.isExact ? true : undefined) : false;
}

function knownPattern(pattern: string, ignoreCase: boolean): KnownPattern | undefined {
  const found = pattern.length > MOST_TEXT ? undefined : readPattern(pattern, ignoreCase);
  if (found === undefined) return undefined;
  const { node, isExact, asksForLastLineEnd, asksForLineEnds, asksForBlanks } = found;
  const shape = measure(node);
  if (shape.size > 4 * pattern.length + MOST_GROWTH) return undefined;
  // All fields in one literal: with others V8 would give each pattern a hidden class of its own.
  return {
    isExact,
    asksForLastLineEnd,
    asksForLineEnds,
    asksForBlanks,
    size: shape.size,
    fewBytes: fewBytesFor(shape),
    source: sourceOf(node),
    backtracking: undefined,
    linear: undefined,
  };
}

/** Up to how many bytes a pattern is through within {@link FEW_STEPS}, which are `size * ways * (bytes + 1) ** (loops + 1)`. */
function fewBytesFor({ size, ways, loops }: PatternShape): number {
  // A root is a little less than the number that it should be.
  return Math.floor((FEW_STEPS / (size * ways)) ** (1 / (loops + 1)) + 1e-9) - 1;
}

function engineFor(pattern: KnownPattern, text: string): Matches | undefined {
  if (text.length <= pattern.fewBytes) {
    if (pattern.backtracking === undefined) {
      const regex = new RegExp(pattern.source);
      pattern.backtracking = (asked) => regex.test(asked);
    }
    return pattern.backtracking;
  }
  if (pattern.linear === undefined) {
    compiled += pattern.size;
    if (compiled > MOST_COMPILED) return undefined;
    const { compileLinear } = require('./linear') as typeof import('./linear');
    pattern.linear = compileLinear(pattern.source);
  }
  return pattern.linear;
}

/**
 * What a node of a pattern costs: the size as {@link KnownPattern} has it; in how many ways it can be gone through at one place,
 * its endless repetitions apart; and how many of these there are.
 */
interface PatternShape {
  readonly size: number;
  readonly ways: number;
  readonly loops: number;
}

function measure(node: PatternNode): PatternShape {
  switch (node.kind) {
    case 'byte':
    case 'place':
      return { size: 1, ways: 1, loops: 0 };
    case 'row':
    case 'choice': {
      let [size, loops] = [1, 0];
      let ways = node.kind === 'row' ? 1 : 0;
      for (const part of node.parts) {
        const of = measure(part);
        size += of.size;
        loops += of.loops;
        ways = node.kind === 'row' ? ways * of.ways : ways + of.ways;
      }
      return { size, ways, loops };
    }
    case 'repeat': {
      const { part, least, most } = node;
      const of = measure(part);
      const times = most === Infinity ? Math.max(1, least) : most;
      const size = 1 + of.size * Math.max(1, times);
      if (part.kind === 'byte')
        return { size, ways: most === Infinity ? 1 : most - least + 1, loops: most === Infinity ? 1 : 0 };
      // Once or not at all; what may be repeated and has several ways through may take forever.
      if (most <= 1) return { size, ways: of.ways + 1, loops: of.loops };
      return { size, ways: Infinity, loops: of.loops };
    }
  }
}

/** A regex that RE2 and JavaScript read alike. */
function sourceOf(node: PatternNode): string {
  switch (node.kind) {
    case 'byte':
      return setSource(node.set);
    case 'place':
      return node.place;
    case 'row':
      return `(?:${node.parts.map(sourceOf).join('')})`;
    case 'choice':
      return `(?:${node.parts.map(sourceOf).join('|')})`;
    case 'repeat': {
      const { part, least, most } = node;
      const times =
        most === Infinity && least <= 1
          ? least === 0
            ? '*'
            : '+'
          : `{${least},${most === Infinity ? '' : most}}`;
      return `(?:${sourceOf(part)})${times}`;
    }
  }
}

function setSource(set: ByteSet): string {
  const hex = (byte: number): string => `\\x${byte.toString(16).padStart(2, '0')}`;
  let ranges = '';
  for (let first = set.indexOf(1); first >= 0; first = set.indexOf(1, first)) {
    const gap = set.indexOf(0, first);
    const last = (gap < 0 ? set.length : gap) - 1;
    ranges += first === last ? hex(first) : `${hex(first)}-${hex(last)}`;
    first = last + 1;
  }
  // Texts are bytes: this set has none of them.
  return ranges === '' ? `[^${hex(0)}-${hex(ANY_BYTE.length - 1)}]` : `[${ranges}]`;
}
