import { readWords } from '../../syntax';
import { type State24, evaluateExpr } from '../models';
import type { HostPolicy, HostSpec, RequireLine, RequireNode, State } from '../policy';
import { EMPTY_LIST, type MethodMask, addressMatches, coversAll, edgesOf, getOrInsert } from '../primitives';
import { LOCAL_ADDRESSES, OTHER_ADDRESSES } from './clients';
import { type RequestTarget } from './test-requests';

// What policies say as text, for telling those that differ in more than in the names they name.

/** Numbers names in the order in which they appear. */
class Numbering {
  readonly #numbers = new Map<string, number>();

  get list(): readonly string[] {
    return [...this.#numbers.keys()];
  }

  get size(): number {
    return this.#numbers.size;
  }

  /** Undefined for a name that has none. */
  numberOf(name: string): number | undefined {
    return this.#numbers.get(name);
  }

  of(name: string): number {
    return getOrInsert(this.#numbers, name, () => this.#numbers.size);
  }
}

export class NumberedNames {
  readonly addresses = new Numbering();
  /** Users and groups. */
  readonly people = new Numbering();
  /** A name stands as it is somewhere: what the numbers stand for counts. */
  spelt = false;

  /** What has to stand beside a text with these numbers. */
  get legend(): string {
    return this.spelt ? this.people.list.join('\n') : '';
  }

  get size(): number {
    return this.addresses.size + this.people.size;
  }
}

/**
 * `T`, as long as all of its fields are `Named`: then one that is added cannot be forgotten where a text lists all of them. By
 * types alone, for such texts are made thousands of times.
 */
export type Complete<T, Named extends keyof T> = [Exclude<keyof T, Named>] extends [never] ? T : never;

/** @param most where more is named than this, the text ends before its end */
export function hostsText(
  { orders, lines }: Complete<HostPolicy, 'orders' | 'lines'>,
  names: NumberedNames,
  most: number,
): string {
  let text = '';
  for (const { order, mask } of orders) text += `o ${order} ${maskText(mask)}\n`;
  for (const { allow, words, mask } of lines) {
    text += `${allow ? 'a' : 'd'} ${maskText(mask)}\n`;
    for (const word of words) {
      if (names.size > most) return text;
      text += wordText(word, names);
    }
  }
  return text;
}

function wordText(word: HostSpec, names: NumberedNames): string {
  switch (word.kind) {
    case 'all':
      return '*\n';
    case 'env':
      return `${word.negated ? '!' : '='}${word.name}\n`;
    case 'ip':
      return `#${names.addresses.of(word.text)}\n`;
    case 'host':
      return `h${word.text}\n`;
    default:
      return '-\n';
  }
}

export function requireText({ keyword, source, mask }: RequireLine, names: NumberedNames): string {
  const rest = keyword === 'user' || keyword === 'group' ? peopleText(source, names) : source;
  return `r ${keyword} ${rest}\n${maskText(mask)}\n`;
}

export function maskText(mask: MethodMask): string {
  return coversAll(mask) ? '' : `${mask.except ? '!' : '='}${listText(mask.names)}`;
}

/** Words may hold blanks, but no line end. */
function listText(words: Iterable<string>): string {
  const list = [...words];
  return `${list.length}\n${list.join('\n')}`;
}

/** Names of users or of groups as numbers, where both versions read them as they stand; else the text itself. */
function peopleText(text: string, names: NumberedNames): string {
  if (!/^[\w.@-][\w.@ \t-]*$/.test(text)) {
    names.spelt = true;
    return `"${text}`;
  }
  let found = '';
  for (const name of text.split(/[ \t]+/)) found += `#${names.people.of(name)} `;
  return found;
}

/** More words than this make a text that takes longer than to ask the requests. */
const MAX_WORDS = 16;

/** `authz`, `tree` and `when` are of the other reading alone. */
type FieldsBefore = Complete<
  State,
  | 'hosts'
  | 'requires'
  | 'satisfy'
  | 'authType'
  | 'authorizers'
  | 'authNone'
  | 'ssl'
  | 'tls'
  | 'authz'
  | 'tree'
  | 'when'
>;
/** `escapes` is the same for a whole run. */
type FieldsAfter = Complete<Omit<State24, 'escapes'>, 'tree' | 'authType' | 'ssl' | 'requires'>;

/**
 * Everything that the answers of both models hang on, as one text: equal for two questions only if they are the same but for the
 * names of their addresses, users and groups. A name stands in it as a number, and which address lies in which stands at its end.
 * @returns undefined where there is too much of it to be worth while
 */
export function questionKey(
  before: FieldsBefore,
  after: FieldsAfter,
  target: RequestTarget,
): string | undefined {
  const { hosts, requires, satisfy, authType, authorizers, authNone, ssl, tls } = before;
  const { tree, authType: authType24, ssl: ssl24, requires: requires24 } = after;
  const names = new NumberedNames();
  let key = `${authType} ${authNone} ${ssl?.kind} ${tls?.strict} ${authType24} ${ssl24}\n`;
  for (const lines of [tls?.requires, requires24])
    for (const { node } of lines ?? []) key += `${lines === requires24} ${node.rest}\n`;
  if (hosts !== undefined) key += hostsText(hosts, names, MAX_WORDS);
  if (requires !== undefined) for (const line of requires) key += requireText(line, names);
  for (const [method, value] of satisfy) key += `${value} ${method}\n`;
  for (const [module, { authoritative, configured }] of authorizers)
    key += `${module} ${authoritative} ${configured}\n`;
  if (tree !== undefined) key += `\n${nodeText(tree, names, target)}`;
  return names.size > MAX_WORDS ? undefined : `${key}\n${overlaps(names)}\n${names.legend}`;
}

function nodeText(node: RequireNode, names: NumberedNames, target: RequestTarget): string {
  const sign = node.negated ? '!' : '';
  if (node.kind === 'container') {
    let text = `${sign}${node.op}(`;
    for (const child of node.children) text += nodeText(child, names, target);
    return `${text})\n`;
  }
  const { provider } = node;
  let { args } = node;
  // All that an expression can ask is where the request goes.
  if (provider === 'expr') args = `${evaluateExpr(args, target) ?? args}`;
  else if (provider === 'user' || provider === 'group') args = peopleText(args, names);
  else if (provider === 'ip') {
    args = '';
    for (const { value } of readWords(node.args)) {
      if (names.size > MAX_WORDS) break;
      args += `#${names.addresses.of(value)} `;
    }
  } else if (provider === 'local') for (const address of LOCAL_ADDRESSES) names.addresses.of(address);
  return `${sign}${provider}\n${args}\n${node.masks.map(maskText).join('\n')}\n`;
}

/** Which of the words each client is in that stands at the edge of one of them, and those that are made of none. */
function overlaps(names: NumberedNames): string {
  let text = '';
  const words = names.addresses.list;
  for (const word of words) {
    for (const address of OTHER_ADDRESSES) if (addressMatches(word, address)) text += `${address} `;
    for (const address of edgesOf(word) ?? EMPTY_LIST)
      for (const other of words) text += addressMatches(other, address) ? '1' : '0';
    text += '-';
  }
  return text;
}
