import { join } from 'node:path';
import { buildSync } from 'esbuild';

/**
 * Makes a program that writes, and that SIGKILL ends before its nth operation. Its arguments: the tree, the directory of state,
 * n, and the new texts in JSON.
 * @param directory where to put it
 * @returns its path
 */
export function buildVictim(directory: string): string {
  const file = join(directory, 'victim.cjs');
  buildSync({
    stdin: {
      contents: `
        import { openStore } from './src/write';
        import { faultyOps } from './testing/write/faulty';
        import { testHost } from './testing/write/store';
        import { planOf } from './testing/write/write-tree';
        const [tree, state, at, texts] = process.argv.slice(2);
        const ops = faultyOps(undefined, (_, call) => { if (call === Number(at)) process.kill(process.pid, 'SIGKILL'); });
        const attributes = { differing: () => [], copy() {}, times() {} };
        const options = { ops, attributes, host: testHost(state), cwd: '/', recover: 'yes', indexes: {}, note() {}, progress() {} };
        (async () => {
          const store = await openStore(options);
          await store.write(planOf(tree, JSON.parse(texts)), { paths: ['tree'], backup: '.bak' });
          store.close();
        })();`,
      resolveDir: join(__dirname, '../..'),
      loader: 'ts',
    },
    bundle: true,
    platform: 'node',
    target: 'node20',
    outfile: file,
  });
  return file;
}
