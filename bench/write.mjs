// node bench/write.mjs [FILES]: how long a write of very many .htaccess files takes, its undo, and one that Ctrl-C ends; and how much memory.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const FILES = Number(process.argv[2] ?? 100_000);
const LIMIT_MB = 1000;

const tool = fileURLToPath(new URL('../bin/httpd-codemod.js', import.meta.url));
const dir = mkdtempSync(join(tmpdir(), 'httpd-codemod-write-'));
const tree = join(dir, 'tree');
const state = join(dir, 'state');

function makeTree() {
  for (let i = 0; i < FILES; i++) {
    const here = join(tree, String(i % 100), String(Math.floor(i / 100) % 100), String(i));
    mkdirSync(here, { recursive: true });
    writeFileSync(
      join(here, '.htaccess'),
      `# Site ${i}\nOptions -Indexes\nOrder deny,allow\nDeny from all\nAllow from 10.0.${i % 256}.0/24\n`,
    );
  }
}

/** Of all names, texts, modes and times (to the microsecond) below the tree. */
function fingerprint() {
  const hash = createHash('sha256');
  for (const name of readdirSync(tree, { recursive: true }).toSorted()) {
    const stat = statSync(join(tree, name), { bigint: true });
    if (!stat.isFile()) continue;
    hash.update(`${name}\0${stat.mode}\0${stat.mtimeNs / 1000n}\0`).update(readFileSync(join(tree, name)));
  }
  return hash.digest('hex');
}

/** The most memory that a process ever had, in MB; the kernel keeps count (proc(5): VmHWM). */
function peakOf(pid) {
  try {
    return Number(/^VmHWM:\s*(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? 0) / 1000;
  } catch {
    return 0;
  }
}

/** @param signalled called again and again with the process: may end it */
async function run(args, signalled = () => undefined) {
  const begin = performance.now();
  const child = spawn(process.execPath, [tool, ...args], {
    env: { ...process.env, XDG_STATE_HOME: state },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let [peak, stderr] = [0, ''];
  child.stderr.on('data', (chunk) => (stderr = (stderr + chunk).slice(-500)));
  const timer = setInterval(() => {
    peak = Math.max(peak, peakOf(child.pid));
    signalled(child);
  }, 20);
  const status = await new Promise((resolve) => child.on('close', resolve));
  clearInterval(timer);
  return { status, peak, stderr, seconds: (performance.now() - begin) / 1000 };
}

let failed = false;
function report(what, { seconds, peak, status, stderr }, right) {
  failed ||= !right || peak >= LIMIT_MB;
  const verdict = right ? '' : `  WRONG (status ${status}): ${stderr}`;
  console.log(
    `${what.padEnd(28)}${seconds.toFixed(1).padStart(7)} s  ${peak.toFixed(0).padStart(5)} MB${verdict}`,
  );
}

const isPending = () => {
  try {
    return readdirSync(join(state, 'httpd-codemod/pending')).length > 0;
  } catch {
    return false;
  }
};

try {
  mkdirSync(state);
  makeTree();
  const before = fingerprint();
  report(`dry run, ${FILES} files`, await run(['-q', tree]), fingerprint() === before);
  let pendingSince;
  let sent = false;
  const stopped = await run(['-q', '-w', tree], (child) => {
    if (pendingSince === undefined && isPending()) pendingSince = performance.now();
    // In the midst of it.
    if (sent || pendingSince === undefined || performance.now() - pendingSince < FILES / 50) return;
    sent = child.kill('SIGINT');
  });
  report(
    'write, Ctrl-C',
    stopped,
    stopped.status === 2 && /interrupted/.test(stopped.stderr) && fingerprint() === before,
  );
  const written = await run(['-q', '-w', tree]);
  const after = fingerprint();
  report('write', written, written.status === 0 && after !== before);
  const undone = await run(['undo']);
  report('undo', undone, undone.status === 0 && fingerprint() === before);
} finally {
  rmSync(dir, { recursive: true });
}
process.exitCode = failed ? 1 : 0;
