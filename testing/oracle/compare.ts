import { existsSync, readFileSync } from 'node:fs';
import { ask } from '../httpd/ask';
import { serve } from '../httpd/server';
import { placeOf } from './materialise';
import { readMatrix, readTrees } from './recorded';
import type { Answer } from '../httpd/ask';
import type { Matrix, Tree } from './recorded';

/** One request that 2.4 answers differently. */
export interface RecordedDifference {
  /** index into the level's requests */
  readonly request: number;
  /** the request in words: `GET /x.txt 10.1.2.3 alice X-Let=in` */
  readonly requestText: string;
  readonly recorded: Answer;
  readonly now: Answer;
}

export interface TreeReport {
  readonly id: string;
  readonly same: number;
  /** kept out by 2.2, let in now */
  readonly opened: readonly RecordedDifference[];
  /** let in by 2.2, kept out now */
  readonly closed: readonly RecordedDifference[];
  readonly other: readonly RecordedDifference[];
  /** why httpd did not take it; nothing was asked then */
  readonly refused?: string;
}

/** Serves the trees of one level from disk, asks the whole matrix and compares with what 2.2 answered. */
export async function compareLevel(
  oracle: string,
  level: number,
  dir: string,
  compat: boolean,
): Promise<TreeReport[]> {
  const matrix = readMatrix(oracle, level);
  const trees = readTrees(oracle, level);
  const written = trees.filter(({ id }) => existsSync(placeOf(dir, id).site));
  const cases = written.map(({ id }) => {
    const { site, docroot } = placeOf(dir, id);
    return { id, conf: readFileSync(site, 'latin1'), docroot };
  });
  const server = await serve(cases, { compat, users: matrix.users });
  try {
    const served = written.filter(({ id }) => server.hosts.has(id));
    const requests = served.flatMap(({ id }) => matrix.requests.map((request) => ({ ...request, case: id })));
    const answers = await ask(server, requests);
    const width = matrix.requests.length;
    const now = new Map(served.map(({ id }, at) => [id, answers.slice(at * width, (at + 1) * width)]));
    return trees.map((tree) =>
      report(matrix, tree, now.get(tree.id) ?? server.refused.get(tree.id) ?? 'not there'),
    );
  } finally {
    await server.stop();
  }
}

function report(matrix: Matrix, { id, answers }: Tree, now: Answer[] | string): TreeReport {
  if (typeof now === 'string') return { id, same: 0, opened: [], closed: [], other: [], refused: now };
  if (answers.length !== now.length)
    throw new Error(`${id}: ${answers.length} answers to ${now.length} requests`);
  const differences = now.flatMap((answer, request): RecordedDifference[] => {
    const recorded = answers.charAt(request);
    return answer === recorded
      ? []
      : [{ request, requestText: words(matrix.requests[request]), recorded, now: answer }];
  });
  return {
    id,
    same: now.length - differences.length,
    opened: differences.filter((difference) => difference.now === 'P'),
    closed: differences.filter((difference) => difference.recorded === 'P'),
    other: differences.filter((difference) => difference.now !== 'P' && difference.recorded !== 'P'),
  };
}

function words(request: Matrix['requests'][number] | undefined): string {
  if (request === undefined) return '';
  const headers = Object.entries(request.headers ?? {}).map(([name, value]) => `${name}=${value}`);
  return [request.method ?? 'GET', request.path, request.src, request.user, ...headers]
    .filter(Boolean)
    .join(' ');
}
