import type { Directive } from '../syntax';
import { type HostWord, classifyHostWord } from './hostword';
import { shared } from './lists';
import type { Order, Satisfy } from './policy';
import { type RequireWords, readRequire } from './requires';

/** What the words of a line say, whatever section it stands in; lines of the same text share it. */
export interface Saying {
  /** The arguments. */
  readonly values: readonly string[];
  /** It takes its value from a variable. */
  readonly isVariable: boolean;
  /** Of Order; undefined where 2.2 refuses the line. */
  readonly order: Order | undefined;
  /** Of Satisfy; undefined where 2.2 refuses the line. */
  readonly satisfy: Satisfy | undefined;
  /** Of Allow and Deny; undefined where 2.2 refuses the line for lack of "from" and a host. */
  readonly hosts: Hosts | undefined;
  readonly require: RequireWords | undefined;
}

export interface Hosts {
  readonly words: readonly HostWord[];
  /** Addresses that 2.2 refuses. */
  readonly invalid: readonly string[];
  /** Words that never matched, in the words of a message. */
  readonly never: readonly string[];
  /** Where a `#` begins what its author took for a comment, 2.2 alone taking the words after it for hosts: that, in the words of a message. */
  readonly comment: string | undefined;
}

/** More lines that differ than this are not kept in mind. */
const MAX_SAYINGS = 4096;

/** Reads lines by their text: most of a large server say the same. */
export class Sayings {
  readonly #known = new Map<string, Saying>();

  of(node: Directive): Saying {
    const { text } = node;
    let saying = this.#known.get(text);
    if (saying === undefined) {
      saying = read(node, text);
      if (this.#known.size < MAX_SAYINGS) this.#known.set(text, saying);
    }
    return saying;
  }
}

function read(node: Directive, text: string): Saying {
  const { key } = node;
  const values = node.args.map((arg) => arg.value);
  const only = values.length === 1 ? values[0]!.toLowerCase() : undefined;
  return {
    values,
    isVariable: text.includes('${'),
    order: key === 'order' ? orderOf(only) : undefined,
    satisfy: key === 'satisfy' && (only === 'any' || only === 'all') ? only : undefined,
    hosts: key === 'allow' || key === 'deny' ? hostsOf(values) : undefined,
    require: key === 'require' ? readRequire(node.rest) : undefined,
  };
}

function orderOf(word: string | undefined): Order | undefined {
  if (word === 'mutual-failure') return 'allow,deny';
  return word === 'allow,deny' || word === 'deny,allow' ? word : undefined;
}

function hostsOf(values: readonly string[]): Hosts | undefined {
  if (values.length < 2 || values[0]!.toLowerCase() !== 'from') return undefined;
  const words = values.slice(1).map(classifyHostWord);
  const hash = values.findIndex((value) => value.startsWith('#'));
  const invalid: string[] = [];
  const never: string[] = [];
  for (const word of words) {
    if (word.kind === 'invalid') invalid.push(word.text);
    else if (word.kind === 'never' && !(hash > 0 && word.text.startsWith('#')))
      never.push(`"${word.text}" never matched a client: ${word.why}`);
  }
  const said = { words, invalid: shared(invalid), never: shared(never) };
  if (hash <= 0) return { ...said, comment: undefined };
  const opens = values.slice(hash).some((value) => value.toLowerCase() === 'all');
  const comment = `httpd has no comments at the end of a line: the words after # are ${opens ? 'hosts too, and "all" among them means everybody' : 'host names'}`;
  return { ...said, comment };
}
