// Builds and runs the command on the given arguments; without any it shows what it makes of examples/.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
process.chdir(root);
await import('./build.mjs');

const given = process.argv.slice(2);
const demonstration = given.length === 0;
const { status, signal, error } = spawnSync(
  process.execPath,
  [`${root}bin/httpd-codemod.js`, ...(demonstration ? ['examples'] : given)],
  // npm runs scripts in the package's directory; paths given are relative to where the user is.
  { stdio: 'inherit', cwd: demonstration ? root : (process.env.INIT_CWD ?? root) },
);
if (error) throw error;
if (signal) process.kill(process.pid, signal);
// "Changes pending" is what the demonstration is there to show.
else process.exitCode = demonstration && status === 1 ? 0 : (status ?? 2);
