import { collect, factsOf } from '../../src/access/collect';
import { answer24, answerCompat } from './answers';
import { loadTree, memory } from '../../src/config';
import { FILES, PREFACE, ROOT, USERS, asModelRequest, matrix } from './compare-model';
import { type HttpdRequest, ask } from '../httpd/ask';
import { serve } from '../httpd/server';
import type { RandomTree } from './random-trees';

/** Asks a real 2.4 and its model the same of configurations; with `compat` both have mod_access_compat. */
export async function compareWithModel24(
  trees: readonly RandomTree[],
  compat = false,
): Promise<{ requests: number; refused: number; differences: string[] }> {
  const cases = trees.map(({ conf, htaccess }, i) => ({
    id: `t${i}`,
    conf: PREFACE + conf,
    htaccess,
    files: FILES,
  }));
  const server = await serve(cases, { users: USERS, compat });
  const result = { requests: 0, refused: server.refused.size, differences: [] as string[] };
  try {
    for (const [i, tree] of trees.entries()) {
      const id = `t${i}`;
      if (server.refused.has(id)) continue;
      const requests = matrix(id);
      const answers = await ask(server, requests);
      const model = modelOf(tree, compat);
      result.requests += requests.length;
      const wrong = requests.findIndex((request, n) => model(request) !== answers[n]);
      if (wrong >= 0)
        result.differences.push(
          `${tree.conf}\n${JSON.stringify(tree.htaccess)} ${JSON.stringify(requests[wrong])}: 2.4 ${answers[wrong]}, the model ${model(requests[wrong]!)}`,
        );
    }
  } finally {
    await server.stop();
  }
  return result;
}

function modelOf(random: RandomTree, compat: boolean): (request: HttpdRequest) => string {
  const tree = treeOf(random);
  if (!compat) return (request) => answer24(collect(tree).scopes, asModelRequest(request));
  const collected = collect(tree, 'compat');
  const facts = factsOf(collected, tree);
  return (request) => answerCompat(collected.scopes, facts, asModelRequest(request));
}

/** A random tree as the tool would read it. */
export function treeOf({ conf, htaccess }: RandomTree): ReturnType<typeof loadTree> {
  const files = new Map([['/etc/site.conf', PREFACE + conf.replaceAll('@DOCROOT@', ROOT)]]);
  for (const [at, text] of Object.entries(htaccess))
    files.set(`${ROOT}/${at === '' ? '' : `${at}/`}.htaccess`, text.replaceAll('@DOCROOT@', ROOT));
  const paths = files.size > 1 ? ['/etc/site.conf', ROOT] : ['/etc/site.conf'];
  return loadTree(memory(files), paths, { defines: new Map(), env: new Map(), cwd: '/' });
}
