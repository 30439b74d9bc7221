import { overridesOf, takesOptions } from '../../src/access';
import { type ConfigTree, type Place, isConditional } from '../../src/config';
import { type Edit, removeLine, replaceLine } from '../../src/edit';
import { defineTransform } from '../../src/engine';
import { type Directive, type Node, readWords } from '../../src/syntax';
import { byText } from '../shared/by-text';
import { isCarriedOver } from '../shared/lines';

export default defineTransform({
  id: 'options',
  changes: ['C01', 'C02', 'C03'],
  title: 'Options lines that mix words with and without a sign',
  why: '2.4 accepts either words with + and - or words without, and "All" and "None" only as the first word. 2.2 accepts any mixture: the first word without a sign replaces what came before.',
  docs: ['core: Options', 'server/core.c: set_options'],
  directives: ['Options'],
  run(context) {
    context.directives(['Options'], (node, place) => {
      const line = readLine(node.rest);
      if (line === undefined || !isCarriedOver(place)) return;
      const common = { file: place.file, at: node.from, level: 'error' as const };
      if (isRefusedBy22(node, place, context.tree)) {
        context.report({
          ...common,
          safety: 'manual',
          message:
            'AllowOverride does not let this .htaccess say all of these Options: 2.2 answers 500, and so does 2.4 as long as the line stays as it is',
          edits: [],
        });
        return;
      }
      const edits = rewrite(node, place, line);
      if (edits === undefined)
        context.report({
          ...common,
          safety: 'manual',
          message: '2.4 refuses this Options line: write + or - before all words, or before none',
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

/** Whether AllowOverride kept 2.2 from taking the line, so that to make it one for 2.4 would open what is there. */
function isRefusedBy22({ args }: Directive, { root }: Place, tree: ConfigTree): boolean {
  if (root.role !== 'htaccess') return false;
  const { overrides, directoriesOf } = overridesOf(tree);
  const words = args.map(({ value }) => value);
  const directories = directoriesOf(root);
  return (
    directories.length > 0 &&
    directories.every((directory) => !takesOptions(words, overrides.states(directory)))
  );
}

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
    return '2.4 refuses words with and without a sign in one Options line; the new lines mean what 2.2 read';
  return signed > 0
    ? '2.4 refuses Options +All, -All, +None and -None; the new line means what 2.2 read'
    : '2.4 accepts "All" and "None" only as the first word of Options';
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

/** The options as sets of bits (include/http_core.h); "All" leaves MultiViews and SymLinksIfOwnerMatch out. */
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

/** What each part of "All" is called. */
const PARTS = ['Indexes', 'Includes', 'FollowSymLinks', 'ExecCGI'];
const NAMES = ['Indexes', 'Includes', 'IncludesNOEXEC', 'FollowSymLinks', 'SymLinksIfOwnerMatch', 'ExecCGI', 'MultiViews']; // prettier-ignore

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

/** Whether 2.4 takes a line of these words (2.4 server/core.c: set_options). */
function isAccepted(words: readonly OptionWord[]): boolean {
  const [first] = words;
  if (first === undefined) return true;
  const broad = ({ name }: OptionWord): boolean => name === 'all' || name === 'none';
  if (words.slice(1).some(broad) || (first.sign !== '' && broad(first))) return false;
  const signs = words.slice(broad(first) ? 1 : 0).map(({ sign }) => sign !== '');
  // Behind "All" and "None" words with a sign may follow those without.
  return signs.every((one, i) => i === 0 || one === signs[i - 1] || (one && broad(first)));
}

/** What 2.2 keeps of one line: the options of the section, and what it adds to and takes from those of sections around. */
interface OptionState {
  /** Undefined where every word has a sign. */
  readonly own: number | undefined;
  readonly added: number;
  readonly removed: number;
}

function stateOf(words: readonly OptionWord[]): OptionState {
  let own: number | undefined;
  let added = 0;
  let removed = 0;
  for (const { sign, bits } of words) {
    if (sign === '') own = (own ?? 0) | bits;
    else if (sign === '+') {
      added |= bits;
      removed &= ~bits;
      if (own !== undefined) own |= bits;
    } else {
      removed |= bits;
      added &= ~bits;
      if (own !== undefined) own &= ~bits;
    }
  }
  return { own, added, removed };
}

/** True where sections inside cannot tell the line from one that says `own` and nothing else. */
function isPlain({ own, added, removed }: OptionState): boolean {
  return own !== undefined && (removed & own) === 0 && (added & ~own) === 0;
}

/** The words with a sign, in their order, in a way that 2.4 takes: "All" taken apart, "None" left out. */
function signedWords(words: readonly OptionWord[]): string[] {
  return words.flatMap(({ sign, name, text }) => {
    if (sign === '' || name === 'none') return [];
    return name === 'all' ? PARTS.map((part) => sign + part) : [text];
  });
}

/**
 * Words without a sign that set exactly these options, as far as possible those that were written.
 * @returns undefined where no words do (the right to run programs from pages without pages)
 */
function plainWords(own: number, words: readonly OptionWord[]): string[] | undefined {
  // 2.4 takes "All" in front only, wherever it stood.
  const all = words.find(({ sign, name }) => sign !== '-' && name === 'all' && (own & ALL) === ALL);
  const chosen = all === undefined ? [] : [all.text.slice(all.sign.length)];
  let covered = all === undefined ? 0 : ALL;
  const candidates = [
    ...words.flatMap(({ sign, text, bits }) =>
      sign === '-' ? [] : [{ text: text.slice(sign.length), bits }],
    ),
    ...NAMES.map((text) => ({ text, bits: BITS.get(text.toLowerCase())! })),
  ];
  for (const { text, bits } of candidates) {
    if ((bits & ~own) !== 0 || (bits & ~covered) === 0) continue;
    chosen.push(text);
    covered |= bits;
  }
  return covered !== own ? undefined : chosen.length === 0 ? ['None'] : chosen;
}
