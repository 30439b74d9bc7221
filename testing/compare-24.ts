import { collect } from '../src/access/collect';
import { answer24 } from '../src/access/model24';
import { loadTree, memory } from '../src/config';
import { FILES, PREFACE, ROOT, USERS, asModelRequest, matrix } from './compare-model';
import { ask } from './httpd/ask';
import { serve } from './httpd/server';
import type { RandomTree } from './random-trees';

/** Asks a real 2.4 and the 2.4 model the same of configurations in 2.4's words. */
export async function compareWithModel24(
  trees: readonly RandomTree[],
): Promise<{ requests: number; refused: number; differences: string[] }> {
  const cases = trees.map(({ conf, htaccess }, i) => ({ id: `t${i}`, conf: PREFACE + conf, htaccess, files: FILES })); // prettier-ignore
  const server = await serve(cases, { users: USERS });
  const result = { requests: 0, refused: server.refused.size, differences: [] as string[] };
  try {
    for (const [i, tree] of trees.entries()) {
      const id = `t${i}`;
      if (server.refused.has(id)) continue;
      const requests = matrix(id);
      const answers = await ask(server, requests);
      const { scopes } = collect(treeOf(tree));
      result.requests += requests.length;
      const wrong = requests.findIndex((one, n) => answer24(scopes, asModelRequest(one)) !== answers[n]);
      if (wrong >= 0)
        result.differences.push(
          `${tree.conf}\n${JSON.stringify(tree.htaccess)} ${JSON.stringify(requests[wrong])}: 2.4 ${answers[wrong]}, the model ${answer24(scopes, asModelRequest(requests[wrong]!))}`,
        );
    }
  } finally {
    await server.stop();
  }
  return result;
}

/** A random tree as the tool would read it. */
export function treeOf({ conf, htaccess }: RandomTree): ReturnType<typeof loadTree> {
  const files = new Map([['/etc/site.conf', PREFACE + conf.replaceAll('@DOCROOT@', ROOT)]]);
  for (const [at, text] of Object.entries(htaccess))
    files.set(`${ROOT}/${at === '' ? '' : `${at}/`}.htaccess`, text.replaceAll('@DOCROOT@', ROOT));
  const paths = files.size > 1 ? ['/etc/site.conf', ROOT] : ['/etc/site.conf'];
  return loadTree(memory(files), paths, { defines: new Map(), env: new Map(), cwd: '/' });
}
