import { placedScopes } from '../../src/access/models';
import { answer22 } from './answers';
import { collect, factsOf } from '../../src/access/collect';
import type { AccessRequest } from '../../src/access/primitives';
import type { RunOptions, RunResult } from '../../src/engine';
import { convertFiles, textAfter } from '../run/convert';
import { type HttpdRequest, ask } from '../httpd/ask';
import { type Case, serve } from '../httpd/server';
import type { RandomTree } from './random-trees';
import { ToldRefusals } from './told-refusals';

export const ROOT = '/srv/www';
export const PREFACE = 'SetEnvIf X-Let "in" let_me_in\nSetEnvIf X-Block "yes" block\n\n';
export const USERS: Readonly<Record<string, string>> = { alice: 'staff', bob: 'staff', carol: 'admins' };
export const FILES = [
  'index.html',
  'x.txt',
  'a/x.txt',
  'a/b/y.php',
  'a/b/x.txt',
  'a/b/c/index.html',
  'd/x.txt',
  'd/y.php',
];

/** What became of a number of trees. */
export interface ModelComparison {
  converted: number;
  refused: number;
  requests: number;
  differences: string[];
}

interface ConvertedTree {
  readonly id: string;
  readonly tree: RandomTree;
  readonly result: RunResult;
}

/** A converted tree with some of its names defined. */
interface ServedTree extends ConvertedTree {
  readonly defined: readonly string[];
}

function subsets(names: readonly string[]): string[][] {
  return Array.from({ length: 2 ** names.length }, (_, n) => names.filter((__, i) => ((n >> i) & 1) === 1));
}

/** Converts trees, serves the converted on a real 2.4 and holds its answers against the 2.2 model of the trees as they were. */
export async function compareWithModel(
  trees: readonly RandomTree[],
  options: RunOptions = {},
): Promise<ModelComparison> {
  const all = trees.map((tree, i) => ({ id: `t${i}`, tree, result: convert(tree, options) }));
  const failed = all.filter(({ result }) => result.failure !== undefined);
  const converted = all.filter(
    ({ result }) =>
      result.failure === undefined &&
      !result.outcomes.some(
        (outcome) =>
          outcome.level === 'error' && (outcome.safety === 'manual' || outcome.status === 'not-applied'),
      ),
  );
  const comparison: ModelComparison = {
    converted: converted.length,
    refused: all.length - converted.length,
    requests: 0,
    differences: failed.map(({ id, result }) => `${id}: ${result.failure}`),
  };
  const served = converted.flatMap((convertedTree) =>
    subsets(convertedTree.tree.defines ?? []).map((defined, i) => ({
      ...convertedTree,
      id: `${convertedTree.id}.${i}`,
      defined,
    })),
  );
  const server = await serve(served.map(toCase), { users: USERS });
  try {
    for (const [id, message] of server.refused)
      comparison.differences.push(`${id}: 2.4 refuses it: ${message}`);
    for (const servedTree of served.filter(({ id }) => !server.refused.has(id))) {
      const requests = matrix(servedTree.id);
      const answers = await ask(server, requests);
      const expected = model(servedTree);
      comparison.requests += requests.length;
      const wrong = requests.findIndex((request, i) => !expected.allows(request, answers[i]));
      if (wrong >= 0)
        comparison.differences.push(
          `${JSON.stringify(servedTree.tree)} with ${servedTree.defined.join(' ')} ${JSON.stringify(requests[wrong])}: 2.2 ${expected.answer(requests[wrong]!)}, now ${answers[wrong]}`,
        );
    }
  } finally {
    await server.stop();
  }
  return comparison;
}

function convert({ conf, htaccess }: RandomTree, options: RunOptions): RunResult {
  const files: Record<string, string> = { '/etc/site.conf': PREFACE + conf.replaceAll('@DOCROOT@', ROOT) };
  for (const [at, text] of Object.entries(htaccess))
    files[`${ROOT}/${at === '' ? '' : `${at}/`}.htaccess`] = text;
  return convertFiles(
    files,
    Object.keys(htaccess).length > 0 ? ['/etc/site.conf', ROOT] : ['/etc/site.conf'],
    options,
  );
}

/** All cases share one server: what is defined for one must not be for another. */
function toCase({ id, tree, result, defined }: ServedTree): Case {
  const at = (directory: string): string => `${ROOT}/${directory === '' ? '' : `${directory}/`}.htaccess`;
  const withId = (name: string): string => `${name}_${id}`;
  const text = (path: string): string =>
    textAfter(result, path)!
      .replaceAll(ROOT, '@DOCROOT@')
      .replace(/(<IfDefine !?)(\w+)/g, (_, open: string, name: string) => open + withId(name));
  return {
    id,
    conf: defined.map((name) => `Define ${withId(name)}\n`).join('') + text('/etc/site.conf'),
    htaccess: Object.fromEntries(Object.keys(tree.htaccess).map((name) => [name, text(at(name))])),
    files: FILES,
  };
}

/** What every tree is asked. */
export function matrix(id: string): HttpdRequest[] {
  const list: HttpdRequest[] = [];
  for (const file of FILES)
    for (const method of ['GET', 'POST', 'OPTIONS'])
      for (const src of ['127.0.0.1', '127.0.0.2', '127.1.0.2'])
        for (const headers of [{}, { 'X-Let': 'in' }, { 'X-Block': 'yes' }])
          list.push(
            ...[undefined, 'alice', 'carol', 'alice:wrong'].map((user) => ({
              case: id,
              method,
              path: `/${file}`,
              src,
              headers,
              ...(user === undefined ? {} : { user }),
            })),
          );
  return list;
}

interface Expected {
  /** The answer of the 2.2 model. */
  answer(request: HttpdRequest): string;
  /** Whether a 2.4 may answer so. */
  allows(request: HttpdRequest, is: string | undefined): boolean;
}

/** What is expected of a tree, as mod_nonexistent is not there. */
function model({ result, defined }: ServedTree): Expected {
  const collected = collect(result.tree);
  const facts = factsOf(collected, result.tree);
  const told = new ToldRefusals(collected, result.tree, result);
  const config = (name: string): boolean => defined.some((define) => name === `IfDefine ${define}`);
  const asked = (request: HttpdRequest): AccessRequest => ({ ...asModelRequest(request), config });
  const answer = (request: HttpdRequest): string => answer22(collected.scopes, facts, asked(request));
  return {
    answer,
    allows(request, is) {
      const was = answer(request);
      const placed = placedScopes(collected.scopes, asked(request));
      return was === is || told.has(placed, asked(request), was, is);
    },
  };
}

/** A request to the server as one to a model; no conditional that is not decided holds. */
export function asModelRequest({ method, path, src, user, headers }: HttpdRequest): AccessRequest {
  const name = user === undefined || user.includes(':') ? undefined : user;
  return {
    method: method ?? 'GET',
    uri: path,
    filename: ROOT + path,
    address: src!,
    host: undefined,
    env: new Set([...(headers?.['X-Let'] ? ['let_me_in'] : []), ...(headers?.['X-Block'] ? ['block'] : [])]),
    user: name,
    groups: new Set(name === undefined ? [] : [USERS[name]!]),
    config: () => false,
  };
}
