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

export interface OptionWord {
  readonly text: string;
  readonly sign: '' | '+' | '-';
  readonly name: string;
  readonly bits: number;
}

/** @returns undefined for a word that neither version knows */
export function readOption(text: string): OptionWord | undefined {
  const sign = text.startsWith('+') ? '+' : text.startsWith('-') ? '-' : '';
  const name = text.slice(sign.length).toLowerCase();
  const bits = BITS.get(name);
  return bits === undefined ? undefined : { text, sign, name, bits };
}

/** Whether 2.4 takes a line of these words (2.4 server/core.c: set_options). */
export function isAccepted(words: readonly OptionWord[]): boolean {
  const [first] = words;
  if (first === undefined) return true;
  const broad = ({ name }: OptionWord): boolean => name === 'all' || name === 'none';
  if (words.slice(1).some(broad) || (first.sign !== '' && broad(first))) return false;
  const signs = words.slice(broad(first) ? 1 : 0).map(({ sign }) => sign !== '');
  // Behind "All" and "None" words with a sign may follow those without.
  return signs.every((one, i) => i === 0 || one === signs[i - 1] || (one && broad(first)));
}

/** What 2.2 keeps of one line: the options of the section, and what it adds to and takes from those of sections around. */
export interface OptionState {
  /** Undefined where every word has a sign. */
  readonly own: number | undefined;
  readonly added: number;
  readonly removed: number;
}

export function stateOf(words: readonly OptionWord[]): OptionState {
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
export function isPlain({ own, added, removed }: OptionState): boolean {
  return own !== undefined && (removed & own) === 0 && (added & ~own) === 0;
}

/** The words with a sign, in their order, in a way that 2.4 takes: "All" taken apart, "None" left out. */
export function signedWords(words: readonly OptionWord[]): string[] {
  return words.flatMap(({ sign, name, text }) => {
    if (sign === '' || name === 'none') return [];
    return name === 'all' ? PARTS.map((part) => sign + part) : [text];
  });
}

/**
 * Words without a sign that set exactly these options, as far as possible those that were written.
 * @returns undefined where no words do (the right to run programs from pages without pages)
 */
export function plainWords(own: number, words: readonly OptionWord[]): string[] | undefined {
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
