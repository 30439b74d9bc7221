import { collect } from '../../src/access/collect';
import type { Reading } from '../../src/access/policy';
import { type ConfigTree, loadRereadable, loadTree, memory, overlay } from '../../src/config';
import { type RunOptions, type RunResult, run } from '../../src/engine';
import { transforms } from '../../transforms';
import { httpBackend } from '../httpd/backends';
import { PREFACE, USERS } from '../access/compare-model';
import { isMixed } from '../access/compare-mixed';
import { AS_TODAY } from '../run/convert';
import { ToldRefusals } from '../access/told-refusals';
import { type HttpdRequest, ask } from '../httpd/ask';
import { type Case, type TestServer, serve } from '../httpd/server';
import { differsFor22 } from '../access/sides';
import { BACKEND, ID, PORT, ROOT, answer22, asked, filled, metBy, settingOf } from './model';
import type { Profile, WideTarget, WideTree } from './trees';

/** What became of a number of trees. */
export interface WideComparison {
  trees: number;
  converted: number;
  /** Trees with a section in the strictest form: they may let in fewer. */
  strict: number;
  /** Left to a person, in whole or in part. */
  refused: number;
  /** Rule → trees in which it was the first to leave something, with the first such message. */
  readonly leftBy: Map<string, { trees: number; readonly example: string }>;
  requests: number;
  readonly differences: string[];
}

interface ConvertedWideTree {
  readonly tree: WideTree;
  readonly result: RunResult;
  readonly after: ConfigTree;
}

/** A tree as it is served, with some of its names defined. */
interface ServedWideTree extends ConvertedWideTree {
  readonly id: string;
  readonly defined: readonly string[];
  readonly requests: readonly { readonly target: WideTarget; readonly request: HttpdRequest }[];
}

/**
 * Converts trees, serves the converted on a real 2.4 and holds its answers against the 2.2 model of the trees as they were; those
 * that mix old and new lines against a real 2.4 with mod_access_compat. With `dual`, the 2.2 model of the converted is held
 * against that too.
 * @param maxRequests of how many requests each tree is asked, about
 */
export async function compareWide(
  profile: Profile,
  trees: readonly WideTree[],
  options: RunOptions = {},
  maxRequests = 200,
): Promise<WideComparison> {
  const found: WideComparison = {
    trees: 0,
    converted: 0,
    strict: 0,
    refused: 0,
    leftBy: new Map(),
    requests: 0,
    differences: [],
  };
  const served: ServedWideTree[] = [];
  for (const [i, tree] of trees.entries()) {
    const convertedTree = convert(tree, options);
    if (profile === 'mixed' && !isMixed(convertedTree.result.tree)) continue;
    found.trees++;
    if (!note(convertedTree, found)) continue;
    if (options.dual) {
      const other = differsFor22(convertedTree.result.tree, convertedTree.after);
      if (other !== undefined) found.differences.push(`${shown(convertedTree)}\n${other}`);
    }
    for (const [n, defined] of subsets(tree.defines).entries()) {
      const id = `t${i}s${n}z`;
      served.push({
        ...convertedTree,
        id,
        defined,
        requests: requestsFor(id, tree.targets, maxRequests / 2 ** tree.defines.length, i),
      });
    }
  }
  const backend = await httpBackend('behind');
  try {
    await askAll(profile, served, backend.port, found);
  } finally {
    await backend.stop();
  }
  return found;
}

async function askAll(
  profile: Profile,
  served: readonly ServedWideTree[],
  backend: number,
  found: WideComparison,
): Promise<void> {
  const stop: TestServer[] = [];
  try {
    const start = async (after: boolean): Promise<TestServer> => {
      const server = await serve(
        served.map((servedTree) => toCase(servedTree, after, backend)),
        { users: USERS, compat: !after },
      );
      stop.push(server);
      return server;
    };
    const before = profile === 'mixed' ? await start(false) : undefined;
    const after = await start(true);
    const all = served.filter(({ id }) => before === undefined || before.hosts.has(id));
    found.converted -= new Set(
      served.filter((servedTree) => !all.includes(servedTree)).map(({ tree }) => tree),
    ).size;
    for (const servedTree of all) {
      const message = after.refused.get(servedTree.id);
      if (message !== undefined) {
        found.differences.push(`${shown(servedTree)}\n2.4 refuses it: ${message}`);
        continue;
      }
      const requests = servedTree.requests.map(({ request }) => request);
      const answers = await ask(after, requests);
      const expected = before === undefined ? modelAnswers(servedTree) : await ask(before, requests);
      found.requests += requests.length;
      const mayRefuseMore = hasStrictForm(servedTree.result);
      const isTold = toldOf(servedTree, before === undefined ? '2.2' : 'compat');
      const wrong = answers.findIndex(
        (answer, i) =>
          answer !== expected[i] &&
          !(mayRefuseMore && answer !== 'P') &&
          !isTold(servedTree.requests[i]!, expected[i]!, answer),
      );
      if (wrong >= 0)
        found.differences.push(
          `${shown(servedTree)}\nwith ${servedTree.defined.join(' ')}: ${JSON.stringify(servedTree.requests[wrong])}: was ${expected[wrong]}, is ${answers[wrong]}`,
        );
    }
  } finally {
    for (const server of stop) await server.stop();
  }
}

function modelAnswers({ result, defined, requests }: ServedWideTree): string[] {
  const answer = answer22(collect(result.tree), result.tree, settingOf(defined));
  return requests.map(({ target, request }) => answer(target, request));
}

/** Whether a run says of a request that nobody gets in either way. */
function toldOf(
  { result, defined }: ServedWideTree,
  reading: Exclude<Reading, 'as-written'>,
): (asked: ServedWideTree['requests'][number], was: string, is: string) => boolean {
  const collected = collect(result.tree, reading);
  const told = new ToldRefusals(collected, result.tree, result);
  const config = settingOf(defined);
  return ({ target, request }, was, is) =>
    told.has(metBy(target, collected.scopes), asked(target, request, config), was, is);
}

function convert(tree: WideTree, options: RunOptions): ConvertedWideTree {
  const files = new Map([[`${ROOT}/www/readme.txt`, '']]);
  for (const [path, text] of Object.entries(tree.conf)) files.set(`${ROOT}/${path}`, filled(text));
  for (const [at, text] of Object.entries(tree.htaccess))
    files.set(filled(`${ROOT}/www/${at}/.htaccess`), filled(text));
  const source = memory(files);
  const load = { defines: new Map<string, string>(), env: new Map<string, string>(), cwd: '/' };
  const paths = [`${ROOT}/conf/httpd.conf`, `${ROOT}/www`];
  const result = run(loadRereadable(source, paths, load), transforms, {
    answers: AS_TODAY,
    ...options,
    pinDefaults: true,
  });
  const texts = new Map(result.plan.map(({ file, text }) => [file.path, text]));
  return { tree, result, after: loadTree(overlay(source, texts), paths, load) };
}

/** Counts a tree. True where no line is left for a person to convert. */
function note({ tree, result }: ConvertedWideTree, found: WideComparison): boolean {
  if (result.failure !== undefined) {
    found.differences.push(`${JSON.stringify(tree)}\n${result.failure}`);
    return false;
  }
  const strict = result.outcomes.filter(isStrictForm);
  const first = result.outcomes.find(
    ({ level, safety, status, file, at }) =>
      level === 'error' &&
      (safety === 'manual' || status === 'not-applied') &&
      !strict.some((form) => form.file === file && form.at === at),
  );
  if (first === undefined) {
    found.converted++;
    if (strict.length > 0) found.strict++;
    return true;
  }
  found.refused++;
  const leftBy = found.leftBy.get(first.rule);
  if (leftBy === undefined) found.leftBy.set(first.rule, { trees: 1, example: first.why ?? first.message });
  else leftBy.trees++;
  return false;
}

function isStrictForm({ safety, status }: RunResult['outcomes'][number]): boolean {
  return safety === 'strict' && status === 'applied';
}

function hasStrictForm({ outcomes }: RunResult): boolean {
  return outcomes.some(isStrictForm);
}

function subsets(names: readonly string[]): string[][] {
  return Array.from({ length: 2 ** names.length }, (_, n) => names.filter((__, i) => ((n >> i) & 1) === 1));
}

/** All trees share one main server: what is named in one is not to be found in another. */
function toCase(
  { id, tree, result, after, defined }: ServedWideTree,
  converted: boolean,
  backend: number,
): Case {
  const texts = new Map(
    (converted ? after : result.tree).files.map(({ path, document }) => [path, document.text]),
  );
  const withId = (text: string): string => text.replaceAll('@ID@', id).replaceAll(ID, id);
  const text = (path: string): string =>
    withId(texts.get(path) ?? '')
      // The main server has another document root here than in the tree.
      .replaceAll(`'${ROOT}/www/nowhere'`, `'@MAINROOT@'`)
      .replaceAll(ROOT, '@DOCROOT@')
      .replaceAll(`:${BACKEND}`, `:${backend}`)
      .replaceAll(`*:${PORT}`, '*:@PORT@');
  return {
    id,
    inMain: true,
    conf: `${defined.map((name) => `Define ${withId(name)}\n`).join('')}${PREFACE}${text(`${ROOT}/conf/site.conf`)}`,
    included: Object.fromEntries(
      Object.keys(tree.conf).flatMap((path) =>
        /(?:httpd|site)\.conf$/.test(path) ? [] : [[path, text(`${ROOT}/${path}`)]],
      ),
    ),
    htaccess: Object.fromEntries(
      Object.keys(tree.htaccess).map((at) => [
        `www/${withId(at)}`,
        text(filled(`${ROOT}/www/${at}/.htaccess`)),
      ]),
    ),
    files: tree.targets.flatMap(({ file }) =>
      file === undefined || file.endsWith('/') ? [] : [withId(file)],
    ),
  };
}

/** The plainest request for each target, and an even draw of all others. */
function requestsFor(
  id: string,
  targets: readonly WideTarget[],
  maxRequests: number,
  seed: number,
): ServedWideTree['requests'] {
  const choices = [
    ['GET', 'POST', 'OPTIONS'],
    ['127.0.0.1', '127.0.0.2', '127.1.0.2'],
    [{}, { 'X-Let': 'in' }, { 'X-Block': 'yes' }],
    [undefined, 'alice', 'carol', 'bob', 'alice:wrong'],
  ] as const;
  let n = seed * 2 + 1;
  const draw = (size: number): number => {
    n = (Math.imul(n, 1_664_525) + 1_013_904_223) >>> 0;
    return (n >>> 8) % size;
  };
  const requestsPerTarget = Math.max(4, Math.ceil(maxRequests / targets.length));
  return targets.flatMap((target) =>
    Array.from({ length: requestsPerTarget }, (_, i) => {
      const [method, src, headers, user] = choices.map((axis) => axis[i === 0 ? 0 : draw(axis.length)]) as [
        string,
        string,
        Record<string, string>,
        string | undefined,
      ];
      const host = target.host === undefined ? {} : { Host: `${target.host}.${id}.test` };
      const request: HttpdRequest = {
        case: id,
        // Of a directory httpd asks for the index too, and always by GET (mod_dir).
        method: target.uri.endsWith('/') ? 'GET' : method,
        path: target.uri.replaceAll('@ID@', id),
        src,
        headers: { ...host, ...headers },
        ...(user === undefined ? {} : { user }),
        inMain: target.host === undefined,
      };
      return { target, request };
    }),
  );
}

function shown({ tree, result }: ConvertedWideTree): string {
  const after = result.plan.map(({ file, text }) => `### ${file.path}, converted\n${text}`);
  const parts = [...Object.entries(tree.conf), ...Object.entries(tree.htaccess)];
  return [...parts.map(([path, text]) => `### ${path}\n${text}`), ...after].join('\n');
}
