import { overridesOf, takesOptions } from '../../src/access';
import { type ConfigTree, type Place, isConditional } from '../../src/config';
import { type Edit, removeLine, replaceLine } from '../../src/edit';
import type { Finding } from '../../src/engine';
import { type Directive, type Node, readWords } from '../../src/syntax';
import { byText } from '../common/words';
import { lineRule } from '../common/line-rule';

export default lineRule({
  id: 'options',
  changes: ['C01', 'C02', 'C03'],
  title: 'Options lines that mix words with and without a sign',
  stops: true,
  why: '2.4 accepts either words with + and - or words without, and "All" and "None" only as the first word. 2.2 accepts any mixture: the first word without a sign replaces what came before.',
  docs: ['core: Options', 'server/core.c: set_options'],
  directives: ['Options'],
  findingFor(node, place, { tree }) {
    const line = readLine(node.rest);
    if (line === undefined) return undefined;
    if (isRefusedBy22(node, place, tree))
      return {
        level: 'error',
        message:
          'AllowOverride does not let this .htaccess say all of these Options: 2.2 answers 500, and so does 2.4 as long as the line stays as it is',
      };
    const edits = rewrite(node, place, line);
    if (edits === undefined)
      return {
        level: 'error',
        message: '2.4 refuses this Options line: write + or - before all words, or before none',
      };
    return {
      level: 'error',
      safety: 'safe',
      message: message(line.words),
      edits,
      ...omissions(node, line, edits),
      forBoth: true,
    };
  },
});

/** Whether AllowOverride kept 2.2 from accepting the line, so that a line for 2.4 would open what is there. */
function isRefusedBy22({ args }: Directive, { root }: Place, tree: ConfigTree): boolean {
  if (root.role !== 'htaccess') return false;
  const { overrides, directoriesOf } = overridesOf(tree);
  const words = args.map(({ value }) => value);
  const directories = directoriesOf(root);
  return directories.length > 0 && directories.every((path) => !takesOptions(words, overrides.states(path)));
}

/** An Options line that 2.4 refuses. */
interface RefusedOptions {
  readonly words: readonly OptionWord[];
  /** Undefined if the line contains a variable. */
  readonly state: OptionState | undefined;
  /** The words with a sign, in a form that 2.4 accepts. */
  readonly signed: readonly string[];
  /** Words without a sign that set the same options; undefined if the line sets none, or no words can say it. */
  readonly plain: readonly string[] | undefined;
}

/** Reads the text after Options; undefined for a line that 2.4 accepts, and for one that 2.2 refuses as well. */
const readLine = byText((rest): RefusedOptions | undefined => {
  const values = readWords(rest).map(({ value }) => value);
  const words = values.map(readOption).filter((word) => word !== undefined);
  const hasVariable = values.some((value) => value.includes('${'));
  // 2.2 refuses an unknown word as well.
  if ((!hasVariable && words.length < values.length) || isAcceptedBy24(words)) return undefined;
  const state = hasVariable ? undefined : stateOf(words);
  const plain = state?.set === undefined ? undefined : plainWords(state.set, words);
  return { words, state, signed: signedWords(words), plain };
});

function message(words: readonly OptionWord[]): string {
  const signed = words.filter(({ sign }) => sign !== '').length;
  if (signed > 0 && signed < words.length)
    return '2.4 refuses words with and without a sign in one Options line; the new lines mean what 2.2 read';
  return signed > 0
    ? '2.4 refuses Options +All, -All, +None and -None; the new line means what 2.2 read'
    : '2.4 accepts "All" and "None" only as the first word of Options';
}

/**
 * Keeps the meaning for this section and for all sections that merge with it: first a line of the words with a sign, which decide
 * what inner sections add and remove, then a line that sets the options of this section. One line where it means the same.
 */
function rewrite(
  node: Directive,
  place: Place,
  { state, signed, plain }: RefusedOptions,
): Edit[] | undefined {
  if (state === undefined) return undefined;
  const { document } = place.file;
  if (state.set === undefined)
    return signed.length === 0 ? [removeLine(document, node)] : [wordsEdit(node, signed)];
  if (plain === undefined) return undefined;
  if (signed.length === 0 || (isSetOnly(state) && isOnlyOptionsOfSection(node, place)))
    return [wordsEdit(node, plain)];
  const lines = [signed, plain].map((list) => `${node.name} ${list.join(' ')}`);
  return [replaceLine(document, node, lines)];
}

/** The words that the new lines do not have, each with the reason. */
function omissions(
  node: Directive,
  { state }: RefusedOptions,
  edits: readonly Edit[],
): Pick<Finding, 'omitted'> {
  if (state?.set === undefined) return {};
  const kept = new Set(edits.flatMap(({ text }) => text.toLowerCase().split(/[ \t\r\n+-]+/)));
  const omitted = node.args.flatMap(({ value, start }) => {
    const name = value.replace(/^[+-]/, '');
    if (kept.has(name.toLowerCase())) return [];
    const why = value.startsWith('-')
      ? `the words without a sign set all options anew, and ${name} is not among them`
      : 'another word of the line says it, or takes it out again';
    return { at: start, text: value, why };
  });
  return omitted.length === 0 ? {} : { omitted };
}

function wordsEdit({ args }: Directive, words: readonly string[]): Edit {
  return { start: args[0]!.start, end: args.at(-1)!.end, text: words.join(' ') };
}

/** Whether the section has no other Options line: a single line would undo what an earlier one added. */
function isOnlyOptionsOfSection(node: Directive, { file, chain, root }: Place): boolean {
  const section = chain.findLast((frame) => !isConditional(frame.section))?.section;
  if (section === undefined ? root.role !== 'htaccess' : section.key === 'virtualhost') return false;
  return isOnlyOptionsLine(node, section?.body ?? file.document.body);
}

function isOnlyOptionsLine(node: Directive, body: readonly Node[]): boolean {
  return body.every((other) => {
    if (other.kind === 'section') return !isConditional(other) || isOnlyOptionsLine(node, other.body);
    if (other.kind !== 'directive' || other === node) return true;
    return other.key !== 'options' && other.key !== 'include' && other.key !== 'includeoptional';
  });
}

/** The options as sets of bits (include/http_core.h); "All" does not include MultiViews and SymLinksIfOwnerMatch. */
const INDEXES = 1;
const INCLUDES = 2;
const FOLLOW = 4;
const EXEC_CGI = 8;
const WITH_EXEC = 32;
const OWNER = 64;
const MULTI = 128;
const ALL = INDEXES | INCLUDES | WITH_EXEC | FOLLOW | EXEC_CGI;

const BITS: ReadonlyMap<string, number> = new Map([
  ['indexes', INDEXES],
  ['includes', INCLUDES | WITH_EXEC],
  ['includesnoexec', INCLUDES],
  ['followsymlinks', FOLLOW],
  ['symlinksifownermatch', OWNER],
  ['execcgi', EXEC_CGI],
  ['multiviews', MULTI],
  ['runscripts', MULTI | EXEC_CGI],
  ['none', 0],
  ['all', ALL],
]);

/** The names of the parts of "All". */
const PARTS = ['Indexes', 'Includes', 'FollowSymLinks', 'ExecCGI'];
const NAMES = [
  'Indexes',
  'Includes',
  'IncludesNOEXEC',
  'FollowSymLinks',
  'SymLinksIfOwnerMatch',
  'ExecCGI',
  'MultiViews',
];

interface OptionWord {
  readonly text: string;
  readonly sign: '' | '+' | '-';
  readonly name: string;
  readonly bits: number;
}

/** @returns undefined for a word that neither version knows */
function readOption(text: string): OptionWord | undefined {
  const sign = text.startsWith('+') ? '+' : text.startsWith('-') ? '-' : '';
  const name = text.slice(sign.length).toLowerCase();
  const bits = BITS.get(name);
  return bits === undefined ? undefined : { text, sign, name, bits };
}

/** Whether 2.4 accepts a line of these words (server/core.c of 2.4: set_options). */
function isAcceptedBy24(words: readonly OptionWord[]): boolean {
  const [first] = words;
  if (first === undefined) return true;
  const isAllOrNone = ({ name }: OptionWord): boolean => name === 'all' || name === 'none';
  if (words.slice(1).some(isAllOrNone) || (first.sign !== '' && isAllOrNone(first))) return false;
  const signs = words.slice(isAllOrNone(first) ? 1 : 0).map(({ sign }) => sign !== '');
  // After "All" and "None", words with a sign are allowed.
  return signs.every((hasSign, i) => i === 0 || hasSign === signs[i - 1] || (hasSign && isAllOrNone(first)));
}

/** What 2.2 keeps of one line: the section's options, and those added to or removed from the outer sections'. */
interface OptionState {
  /** The options of the section; undefined if every word has a sign. */
  readonly set: number | undefined;
  readonly added: number;
  readonly removed: number;
}

function stateOf(words: readonly OptionWord[]): OptionState {
  let set: number | undefined;
  let added = 0;
  let removed = 0;
  for (const { sign, bits } of words) {
    if (sign === '') set = (set ?? 0) | bits;
    else if (sign === '+') {
      added |= bits;
      removed &= ~bits;
      if (set !== undefined) set |= bits;
    } else {
      removed |= bits;
      added &= ~bits;
      if (set !== undefined) set &= ~bits;
    }
  }
  return { set, added, removed };
}

/** Whether inner sections inherit the same from this line as from one that only sets `set`. */
function isSetOnly({ set, added, removed }: OptionState): boolean {
  return set !== undefined && (removed & set) === 0 && (added & ~set) === 0;
}

/** The words with a sign, in their order, as 2.4 accepts them: its parts instead of "All", and no "None". */
function signedWords(words: readonly OptionWord[]): string[] {
  return words.flatMap(({ sign, name, text }) => {
    if (sign === '' || name === 'none') return [];
    return name === 'all' ? PARTS.map((part) => sign + part) : [text];
  });
}

/**
 * Words without a sign that set exactly these options, preferably the words that were written.
 * @returns undefined if no words do so (pages may run programs, but includes themselves are off)
 */
function plainWords(set: number, words: readonly OptionWord[]): string[] | undefined {
  // 2.4 accepts "All" only as the first word.
  const all = words.find(({ sign, name }) => sign !== '-' && name === 'all' && (set & ALL) === ALL);
  const chosen = all === undefined ? [] : [all.text.slice(all.sign.length)];
  let covered = all === undefined ? 0 : ALL;
  const candidates = [
    ...words.flatMap(({ sign, text, bits }) =>
      sign === '-' ? [] : [{ text: text.slice(sign.length), bits }],
    ),
    ...NAMES.map((text) => ({ text, bits: BITS.get(text.toLowerCase())! })),
  ];
  for (const { text, bits } of candidates) {
    if ((bits & ~set) !== 0 || (bits & ~covered) === 0) continue;
    chosen.push(text);
    covered |= bits;
  }
  return covered !== set ? undefined : chosen.length === 0 ? ['None'] : chosen;
}
