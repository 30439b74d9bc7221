import type { Directive } from '../../syntax';
import {
  type HostWord,
  type Order,
  type RequireWords,
  type Satisfy,
  classifyHostWord,
  readRequire,
} from '../policy';
import { NONE, plus } from '../primitives';

/** Directives that set a part of the access state, or decide how one is read. */
const OF_INTEREST = [
  'order', 'allow', 'deny', 'satisfy', 'require', 'authtype', 'authmerging', 'allowoverride',
  'authgroupfile', 'authdbmgroupfile', 'authldapurl', 'authzgroupfileauthoritative', 'authzdbmauthoritative',
  'authzldapauthoritative', 'authzuserauthoritative', 'authzownerauthoritative',
]; // prettier-ignore

/** Each by itself: lines that share the very string are told apart without a look into it. */
export const LINE_KEYS: ReadonlyMap<string, string> = new Map(OF_INTEREST.map((key) => [key, key]));

/** What the words of a line say, whatever section it stands in; lines of the same text share it. */
export interface Saying {
  /** The directive in lower case. */
  readonly key: string;
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
  private readonly known = new Map<string, Saying>();

  of(node: Directive): Saying {
    const { text } = node;
    let saying = this.known.get(text);
    if (saying === undefined) {
      saying = read(node, text);
      if (this.known.size < MAX_SAYINGS) this.known.set(text, saying);
    }
    return saying;
  }
}

function read(node: Directive, text: string): Saying {
  const key = LINE_KEYS.get(node.key) ?? node.key;
  const values = node.args.map((arg) => arg.value);
  const only = values.length === 1 ? values[0]!.toLowerCase() : undefined;
  return {
    key,
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
  const words: HostWord[] = [];
  let invalid: readonly string[] = NONE;
  let never: readonly string[] = NONE;
  let hash = 0;
  for (let i = 1; i < values.length; i++) {
    const word = classifyHostWord(values[i]!);
    words.push(word);
    if (hash === 0 && values[i]!.startsWith('#')) hash = i;
    if (word.kind === 'invalid') invalid = plus(invalid, word.text);
    else if (word.kind === 'never' && !word.text.startsWith('#'))
      never = plus(never, `"${word.text}" never matched a client: ${word.why}`);
  }
  return { words, invalid, never, comment: hash === 0 ? undefined : commentOf(values.slice(hash)) };
}

function commentOf(words: readonly string[]): string {
  const opens = words.some((word) => word.toLowerCase() === 'all');
  return `httpd has no comments at the end of a line: the words after # are ${opens ? 'hosts too, and "all" among them means everybody' : 'host names'}`;
}
