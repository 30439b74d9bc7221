import { readWords } from '../../syntax';
import { type RequireNode, type State, requireNodes } from '../policy';
import { addressIn, rangesMeet } from '../primitives';

export interface ListedClient {
  /** The word of the list that stands for it, or its address. */
  readonly name: string;
  readonly address: string;
  /** The client's name, where the address resolves both ways. */
  readonly host: string | undefined;
}

/** The clients that lines tell apart by where they come from. */
export interface Clients {
  readonly listed: readonly ListedClient[];
  /** One that no line names. */
  readonly unlisted: ListedClient | undefined;
  /** The variables that lines ask for, lower case. */
  readonly variables: readonly string[];
}

/** Addresses of clients that hardly any list names: of the blocks for documentation (RFC 5737), and others. */
const CANDIDATES = ['203.0.113.77', '198.51.100.77', '192.0.2.77', '100.64.7.77', '8.7.6.77', '151.20.30.77'];

/** No more words are looked at: of a longer list nobody reads a table of clients. */
const MAX_WORDS = 10_000;
const MAX_LISTED = 4;

/** What the lines of both versions name: hosts that a 2.2 asks for, and Require lines. */
export function clientsOf(
  states: readonly Pick<State, 'hosts'>[],
  trees: readonly (RequireNode | undefined)[],
): Clients {
  const words: { readonly kind: 'ip' | 'host'; readonly text: string }[] = [];
  const variables = new Set<string>();
  for (const { hosts } of states)
    for (const word of (hosts?.lines ?? []).flatMap((line) => line.words))
      if (word.kind === 'ip' || word.kind === 'host') words.push({ kind: word.kind, text: word.text });
      else if (word.kind === 'env') variables.add(word.name.toLowerCase());
  for (const { provider, args } of trees.flatMap(requireNodes)) {
    const values = readWords(args).map(({ value }) => value);
    if (provider === 'ip' || provider === 'host')
      words.push(...values.map((text) => ({ kind: provider, text }) as const));
    else if (provider === 'local') words.push({ kind: 'ip', text: '127.0.0.1' });
    else if (provider === 'env') for (const value of values) variables.add(value.toLowerCase());
  }
  const ranges = words.flatMap(({ kind, text }) => (kind === 'ip' ? text : []));
  const elsewhere =
    words.length > MAX_WORDS
      ? undefined
      : CANDIDATES.find((address) => !ranges.some((range) => rangesMeet(range, address)));
  const listed = new Map<string, ListedClient>();
  for (const { kind, text } of words) {
    if (listed.size === MAX_LISTED) break;
    const address = kind === 'ip' ? addressIn(text) : elsewhere;
    const host = kind === 'ip' ? undefined : `${text.startsWith('.') ? 'w' : ''}${text}`;
    if (address !== undefined) listed.set(text, { name: text, address, host });
  }
  return {
    listed: [...listed.values()],
    unlisted: elsewhere === undefined ? undefined : { name: elsewhere, address: elsewhere, host: undefined },
    variables: [...variables],
  };
}
