import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HttpdRequest } from '../httpd/ask';

/** What every tree of a level is asked, and what lies around it. */
export interface Matrix {
  /** address → name */
  readonly hosts: Readonly<Record<string, string>>;
  readonly files: readonly string[];
  /** name → group */
  readonly users: Readonly<Record<string, string>>;
  readonly requests: readonly Omit<HttpdRequest, 'case'>[];
}

/** A tree and what a 2.2 server answered: a letter a request. */
export interface Tree {
  readonly id: string;
  readonly conf: string;
  readonly htaccess: Readonly<Record<string, string>>;
  readonly answers: string;
}

export function readMatrix(oracle: string, level: number): Matrix {
  return JSON.parse(readFileSync(join(oracle, `requests-L${level}.json`), 'utf8')) as Matrix;
}

export function readTrees(oracle: string, level: number): Tree[] {
  const lines = readFileSync(join(oracle, `trees-L${level}.jsonl`), 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Tree);
}
