import { type Place, isConditional } from '../../src/config';
import { type Edit, replaceLine, removeLine } from '../../src/edit';
import { defineTransform } from '../../src/engine';
import { type Directive, type Node, readWords } from '../../src/syntax';
import {
  type OptionState,
  type OptionWord,
  isAccepted,
  isPlain,
  plainWords,
  readOption,
  signedWords,
  stateOf,
} from './options-words';
import { byText } from '../shared/by-text';
import { isCarriedOver } from '../shared/carried-over';

export default defineTransform({
  id: 'options',
  seed: ['C01', 'C02', 'C03'],
  title: 'Options lines that mix words with and without a sign',
  why: '2.4 takes either options with + and - or options without, and "All" and "None" only at the beginning. 2.2 took any mixture: the first word without a sign began anew.',
  docs: ['core: Options', 'server/core.c: set_options'],
  directives: ['Options'],
  run(context) {
    context.directives(['Options'], (node, place) => {
      const line = readLine(node.rest);
      if (line === undefined || !isCarriedOver(place)) return;
      const edits = rewrite(node, place, line);
      const common = { file: place.file, at: node.from, level: 'error' as const };
      if (edits === undefined)
        context.report({
          ...common,
          safety: 'manual',
          message: '2.4 refuses this Options line: give all words a + or -, or none',
          edits: [],
        });
      else
        context.report({
          ...common,
          safety: 'safe',
          message: message(line.words),
          edits,
        });
    });
  },
});

/** An Options line that 2.4 does not take. */
interface Refused {
  readonly words: readonly OptionWord[];
  /** Undefined where variables hide what it says. */
  readonly state: OptionState | undefined;
  /** The words with a sign, as 2.4 takes them. */
  readonly signed: readonly string[];
  /** Words without a sign for what it sets; undefined where it sets nothing, or no words say that. */
  readonly plain: readonly string[] | undefined;
}

/** Reads what follows Options; undefined for what 2.4 takes, and for what 2.2 did not take either. */
const readLine = byText((rest): Refused | undefined => {
  const values = readWords(rest).map(({ value }) => value);
  const words = values.map(readOption).filter((word) => word !== undefined);
  const opaque = values.some((value) => value.includes('${'));
  // What neither version knows, 2.2 refused as well.
  if ((!opaque && words.length < values.length) || isAccepted(words)) return undefined;
  const state = opaque ? undefined : stateOf(words);
  const plain = state?.own === undefined ? undefined : plainWords(state.own, words);
  return { words, state, signed: signedWords(words), plain };
});

function message(words: readonly OptionWord[]): string {
  const signed = words.filter(({ sign }) => sign !== '').length;
  if (signed > 0 && signed < words.length)
    return '2.4 refuses Options with and without a sign in one line; this says what 2.2 made of it';
  return signed > 0
    ? '2.4 refuses Options +All, -All, +None and -None; this says what 2.2 made of it'
    : '2.4 takes "All" and "None" only as the first of the Options';
}

/**
 * Exact in the section and in all that merge with it: first the words with a sign, for what they add and remove further in, then what the
 * line amounts to here. One line where that says the same.
 */
function rewrite(node: Directive, place: Place, { state, signed, plain }: Refused): Edit[] | undefined {
  if (state === undefined) return undefined;
  const { document } = place.file;
  if (state.own === undefined)
    return signed.length === 0 ? [removeLine(document, node)] : [wordsEdit(node, signed)];
  if (plain === undefined) return undefined;
  if (signed.length === 0 || (isPlain(state) && isAlone(node, place))) return [wordsEdit(node, plain)];
  const lines = [signed, plain].map((list) => `${node.name} ${list.join(' ')}`);
  return [replaceLine(document, node, lines)];
}

function wordsEdit({ args }: Directive, words: readonly string[]): Edit {
  return { start: args[0]!.start, end: args.at(-1)!.end, text: words.join(' ') };
}

/** Whether its section has no other Options line: what an earlier one added would be taken back by this one. */
function isAlone(node: Directive, { file, chain, root }: Place): boolean {
  const section = chain.findLast((frame) => !isConditional(frame.section))?.section;
  if (section === undefined ? root.role !== 'htaccess' : section.key === 'virtualhost') return false;
  return isOnlyOne(node, section?.body ?? file.document.body);
}

function isOnlyOne(node: Directive, body: readonly Node[]): boolean {
  return body.every((other) => {
    if (other.kind === 'section') return !isConditional(other) || isOnlyOne(node, other.body);
    if (other.kind !== 'directive' || other === node) return true;
    return other.key !== 'options' && other.key !== 'include' && other.key !== 'includeoptional';
  });
}
