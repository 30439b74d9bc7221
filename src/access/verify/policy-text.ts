import type { HostPolicy, HostSpec, RequireLine } from '../policy';
import { type MethodMask, coversAll, getOrInsert } from '../primitives';

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
