import { collect, factsOf } from '../../src/access/collect';
import { answer22 } from '../access/answers';
import type { AccessRequest } from '../../src/access/primitives';
import type { RunResult } from '../../src/engine';
import type { Matrix, Tree } from './recorded';

type Asked = Matrix['requests'][number];

/** How many recorded answers of a tree the model of 2.2 gives, and in words the first that it does not. */
export function holdModel(
  { tree }: RunResult,
  { answers }: Tree,
  matrix: Matrix,
  docroot: string,
): { readonly same: number; readonly first: string | undefined } {
  const collected = collect(tree);
  const facts = factsOf(collected, tree);
  const given = matrix.requests.map((request) =>
    answer22(collected.scopes, facts, requestOf(request, matrix, docroot)),
  );
  const first = given.findIndex((answer, i) => answer !== answers.charAt(i));
  return {
    same: given.filter((answer, i) => answer === answers.charAt(i)).length,
    first:
      first < 0
        ? undefined
        : `${JSON.stringify(matrix.requests[first])}: 2.2 ${answers.charAt(first)}, the model ${given[first]}`,
  };
}

function requestOf(
  { method, path, src, user, headers }: Asked,
  matrix: Matrix,
  docroot: string,
): AccessRequest {
  const [name, password = name] = user?.split(':') ?? [];
  const known = name !== undefined && name === password && name in matrix.users ? name : undefined;
  return {
    method: method ?? 'GET',
    uri: path,
    filename: docroot + path,
    address: src!,
    host: matrix.hosts[src!],
    env: new Set([
      ...(headers?.['X-Let'] === 'in' ? ['let_me_in'] : []),
      ...(headers?.['X-Block'] === 'yes' ? ['block'] : []),
    ]),
    user: known,
    groups: new Set(known === undefined ? [] : [matrix.users[known]!]),
    // The recorded trees ask for modules and names that are not there.
    config: () => false,
  };
}
