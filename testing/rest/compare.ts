import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RestAnswer } from './plain';
import type { Served } from './serve';
import { HOME, OLD, type RestRequest, type RestTree } from './tree';

/** What 2.2 answered to a tree, and what 2.4 may answer differently. */
export interface RecordedTree {
  /** A mark for each answer, in the order of the requests, and one for the access logs. */
  readonly marks: readonly string[];
  /** The requests whose answers differ, and who says so: a rule, or `page` for docs/facts/every-server.md. */
  readonly differs?: Readonly<Record<string, string>>;
}

/** Area → tree → what is recorded of it. */
export type Recorded = Readonly<Record<string, Readonly<Record<string, RecordedTree>>>>;

export const RECORDED = join(HOME, 'answers.json');

export function readRecorded(): Recorded {
  return JSON.parse(readFileSync(RECORDED, 'utf8')) as Recorded;
}

/** The status and a mark of all the rest: two answers with one mark are the same. */
export function markOf({ status, headers, body }: RestAnswer): string {
  const sorted = Object.entries(headers).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `${status} ${hash(JSON.stringify([sorted, body]))}`;
}

const hash = (text: string): string => createHash('sha1').update(text).digest('hex').slice(0, 10);

/** The marks of what a server answered, and of its access logs. */
export function marksOf({ answers, logs }: Served): readonly string[] {
  return [...answers.map(markOf), hash(logs)];
}

/** How a request is named among those that differ: by its line in the tree. */
export function nameOf({ method, path, headers, tls, old }: RestRequest): string {
  const by = { alone: ['tls'], alice: ['tls alice'] };
  return [
    `${method} ${path}`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...(tls === undefined ? [] : by[tls]),
    ...(old === undefined ? [] : [OLD]),
  ].join(' | ');
}

/** The requests whose marks differ, each once, and `logs`. */
export function differingIn(
  { requests }: RestTree,
  was: readonly string[],
  is: readonly string[],
): readonly string[] {
  const names = [...requests.map(nameOf), 'logs'];
  return [...new Set(names.filter((_, i) => was[i] !== is[i]))];
}
