// node bench/write.mjs [FILES]: how long a write of very many .htaccess files takes, its undo, and one that Ctrl-C ends at
// several moments; how much memory and disk they take, and whether a terminal shows progress.
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

/** A process and those that it has started, while they run. */
function family(pid) {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').split(' ').filter(Boolean);
    return [pid, ...children.flatMap(family)];
  } catch {
    return [];
  }
}

/** The most memory that a process ever had, in MB; the kernel keeps count (proc(5): VmHWM). */
function peakOf(pid) {
  try {
    return Number(/^VmHWM:\s*(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? 0) / 1000;
  } catch {
    return 0;
  }
}

/** @param look called again and again with the process: may end it */
async function run(args, look = () => undefined, terminal = false) {
  const begin = performance.now();
  const command = [process.execPath, tool, ...args];
  // `script` gives it a terminal, and passes on what it prints there.
  const [program, ...rest] = terminal ? ['script', '-qec', command.join(' '), '/dev/null'] : command;
  const child = spawn(program, rest, {
    env: { ...process.env, XDG_STATE_HOME: state },
    stdio: ['ignore', terminal ? 'pipe' : 'ignore', 'pipe'],
  });
  const updates = new Set();
  let [peak, output, last, silence] = [0, '', begin, 0];
  const hear = (chunk) => {
    output = (output + chunk).slice(-500);
    for (const [update] of String(chunk).matchAll(/\d+ (?:of \d+ )?files \w+/g)) updates.add(update);
    silence = Math.max(silence, performance.now() - last);
    last = performance.now();
  };
  child.stderr.on('data', hear);
  child.stdout?.on('data', hear);
  const timer = setInterval(() => {
    peak = Math.max(peak, ...family(child.pid).map(peakOf));
    look(child);
  }, 20);
  const status = await new Promise((resolve) => child.on('close', resolve));
  clearInterval(timer);
  const seconds = (performance.now() - begin) / 1000;
  return { status, peak, output, seconds, updates: updates.size, silence: silence / 1000 };
}

let failed = false;
function report(what, { seconds, peak, status, output }, right) {
  failed ||= !right || peak >= LIMIT_MB;
  const verdict = right ? '' : `  WRONG (status ${status}): ${output}`;
  console.log(
    `${what.padEnd(32)}${seconds.toFixed(1).padStart(7)} s  ${peak.toFixed(0).padStart(5)} MB${verdict}`,
  );
}

const holds = (directory) => {
  try {
    return readdirSync(join(state, 'httpd-codemod', directory)).length > 0;
  } catch {
    return false;
  }
};

const sizeOf = (directory) =>
  readdirSync(directory, { recursive: true }).reduce(
    (sum, name) => sum + statSync(join(directory, name)).size,
    0,
  );

/** Once this is so, and a while has passed. */
function later(isSo, milliseconds) {
  let since;
  return () => {
    if (since === undefined && isSo()) since = performance.now();
    return since !== undefined && performance.now() - since > milliseconds;
  };
}

const first = join(tree, '0/0/0/.htaccess');
const MOMENTS = {
  'while it looks again': later(() => holds('new'), FILES / 100),
  'while it prepares': later(() => holds('pending'), FILES / 50),
  'while it puts in place': later(() => /Require/.test(readFileSync(first, 'latin1')), FILES / 1000),
};

try {
  mkdirSync(state);
  makeTree();
  const before = fingerprint();
  report(`dry run, ${FILES} files`, await run(['-q', tree]), fingerprint() === before);
  for (const [when, isTime] of Object.entries(MOMENTS)) {
    let sent = false;
    const stopped = await run(['-q', '-w', tree], (child) => {
      if (!sent && isTime()) sent = child.kill('SIGINT');
    });
    const interrupted = stopped.status === 2 && /interrupted; nothing written/.test(stopped.output);
    report(`Ctrl-C ${when}`, stopped, interrupted && fingerprint() === before);
  }
  const written = await run(['-q', '-w', tree], undefined, true);
  const after = fingerprint();
  report('write', written, written.status === 0 && after !== before && written.updates > 10);
  const journal = (sizeOf(join(state, 'httpd-codemod')) / 1e6).toFixed(1);
  console.log(
    `  journal ${journal} MB; ${written.updates} states of progress shown, at most ${written.silence.toFixed(1)} s apart`,
  );
  const undone = await run(['undo']);
  report('undo', undone, undone.status === 0 && fingerprint() === before);
} finally {
  rmSync(dir, { recursive: true });
}
process.exitCode = failed ? 1 : 0;
