import type { HostPolicy, HostWord, RequireLine } from '../policy';
import { type MethodMask, coversAll } from '../primitives';

// What policies say as text, for telling those that differ in more than in the names they name.

/** Numbers names in the order in which they appear. Most texts name a few. */
export class Names {
  /** Of addresses and networks; of users and groups. */
  readonly words: string[] = [];
  readonly people: string[] = [];
  /** A name stands as it is somewhere: what the numbers stand for counts. */
  spelt = false;

  of(word: string): number {
    return numberIn(this.words, word);
  }

  person(name: string): number {
    return numberIn(this.people, name);
  }

  /** What has to stand beside a text with these numbers. */
  get legend(): string {
    return this.spelt ? this.people.join('\n') : '';
  }

  get size(): number {
    return this.words.length + this.people.length;
  }
}

function numberIn(list: string[], name: string): number {
  const known = list.indexOf(name);
  return known < 0 ? list.push(name) - 1 : known;
}

/**
 * `T`, as long as all of its fields are `Named`: then one that is added cannot be forgotten where a text tells all of them. By types
 * alone, for such texts are made thousands of times.
 */
export type Complete<T, Named extends keyof T> = [Exclude<keyof T, Named>] extends [never] ? T : never;

/** @param most where more is named than this, the text ends before its end */
export function hostsText(
  { orders, lines }: Complete<HostPolicy, 'orders' | 'lines'>,
  names: Names,
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

function wordText(word: HostWord, names: Names): string {
  switch (word.kind) {
    case 'all':
      return '*\n';
    case 'env':
      return `${word.negated ? '!' : '='}${word.name}\n`;
    case 'ip':
      return `#${names.of(word.text)}\n`;
    case 'host':
      return `h${word.text}\n`;
    default:
      return '-\n';
  }
}

export function requireText({ keyword, source, mask }: RequireLine, names: Names): string {
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
export function peopleText(text: string, names: Names): string {
  if (!/^[\w.@-][\w.@ \t-]*$/.test(text)) {
    names.spelt = true;
    return `"${text}`;
  }
  let found = '';
  for (const name of text.split(/[ \t]+/)) found += `#${names.person(name)} `;
  return found;
}
