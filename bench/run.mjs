// npm run bench: how fast the tool is, as ratios to what node itself needs, so that machines compare.
// Runs take turns (A B A B) and medians count, so that a busy moment hits both.
import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import {
  deepTree,
  longList,
  manySections,
  meetingSections,
  oneFile,
  serverConfig,
  smallFiles,
} from './generate.mjs';

const ROUNDS = 15;
const WARM_UP_MS = 1500;
const SCALING_LIMIT_MS = 300_000;

const root = fileURLToPath(new URL('..', import.meta.url));
const dir = mkdtempSync(join(tmpdir(), 'httpd-codemod-bench-'));
const tool = join(root, 'bin/httpd-codemod.js');
const reader = join(root, 'bench/read.cjs');

function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[sorted.length >> 1];
}

/** Milliseconds of a whole node process. Its output goes to files, as it would with `> changes.diff`. */
function time(args, allowed) {
  const out = openSync(join(dir, 'out'), 'w');
  const begin = performance.now();
  const { status, signal } = spawnSync(process.execPath, args, {
    stdio: ['ignore', out, out],
    timeout: SCALING_LIMIT_MS,
  });
  const took = performance.now() - begin;
  closeSync(out);
  if (signal !== null) return undefined;
  if (!allowed.includes(status)) {
    throw new Error(
      `exit status ${status} of ${args.join(' ')}:\n${readFileSync(join(dir, 'out'), 'utf8').slice(0, 2000)}`,
    );
  }
  return took;
}

function ratio(ours, theirs) {
  const [a, b] = [[], []];
  for (let round = 0; round <= ROUNDS; round++) {
    const [ourTime, theirTime] = [time(ours, [0, 1]), time(theirs, [0])];
    // The first round fills the caches of the disk.
    if (round > 0) {
      a.push(ourTime);
      b.push(theirTime);
    }
  }
  return { ours: median(a), theirs: median(b), ratio: median(a) / median(b) };
}

/** Megabytes a second of `action` over a text, after warm-up. */
function throughput(text, action) {
  for (const until = performance.now() + WARM_UP_MS; performance.now() < until;) action(text);
  const times = [];
  for (let round = 0; round < 30; round++) {
    const begin = performance.now();
    action(text);
    times.push(performance.now() - begin);
  }
  return text.length / 1e6 / (median(times) / 1000);
}

async function loadLibrary() {
  const outfile = join(dir, 'library.cjs');
  await build({
    stdin: {
      contents: `export { parse, walk } from './src/syntax'; export { applyEdits, rename } from './src/edit';`,
      resolveDir: root,
    },
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    outfile,
  });
  return createRequire(import.meta.url)(outfile);
}

const rows = [];
const row = (what, measured, target, met) =>
  rows.push([what, measured, target, met === undefined ? '' : met ? 'met' : 'MISSED']);

function throughputRow(what, speed) {
  row(what, `${speed.toFixed(0)} MB/s`, '>= 50 MB/s', speed >= 50);
}

function ratioRow(what, { ours, theirs, ratio: measured }) {
  row(what, `${measured.toFixed(2)} (${ours.toFixed(0)} / ${theirs.toFixed(0)} ms)`, '');
}

function secondsRow(what, path) {
  const took = time([tool, path], [0, 1]);
  row(what, took === undefined ? `over ${SCALING_LIMIT_MS / 1000} s` : `${(took / 1000).toFixed(2)} s`, '');
}

/** A program that writes hosting servers, as `testing/hosting` makes them. */
async function loadServers() {
  const outfile = join(dir, 'servers.cjs');
  await build({
    stdin: {
      contents: `export { AS_INSTALLED, LAYOUTS, hostingServer, writeFiles } from './testing/hosting/generate';`,
      resolveDir: root,
    },
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    outfile,
  });
  return createRequire(import.meta.url)(outfile);
}

/**
 * Ten times as many sites are to take no more than this many times as long: without the time that every run takes it would be
 * ten.
 */
const LINEAR = 12;
const SMALL_SITES = { sites: 150, accessFiles: 2000, passwords: 30 };
const LARGE_SITES = { sites: 1500, accessFiles: 20_000, passwords: 300 };

/** Hosting servers of each layout: how the time grows with the sites, and what the largest takes. */
async function hostingRows() {
  const { AS_INSTALLED, LAYOUTS, hostingServer, writeFiles } = await loadServers();
  for (const layout of LAYOUTS) {
    const [small, large] = [SMALL_SITES, LARGE_SITES].map((size) => {
      const places = { ...AS_INSTALLED, top: at(`${layout.name}-${size.sites}`) };
      writeFiles(hostingServer(layout, size, 1, places).files);
      return [layout.main(places), ...layout.served(places)];
    });
    const smallTimes = Array.from({ length: 3 }, () => time([tool, ...small], [0, 1]));
    const what = `${layout.name}, ${LARGE_SITES.sites} sites, ${LARGE_SITES.accessFiles} .htaccess`;
    const took = manyRow(what, large, { seconds: 15, megabytes: 500 });
    if (took === undefined) continue;
    const times = took / median(smallTimes);
    row(`${what} / a tenth of them`, times.toFixed(1), `< ${LINEAR}`, times < LINEAR);
  }
}

/**
 * How long the tool takes over very many files, and the most memory that it takes meanwhile.
 * @returns milliseconds; undefined where that is too long to wait for
 */
function manyRow(what, args, most = { megabytes: 1024 }) {
  process.env.PEAK = at('peak');
  const took = time(['-r', join(root, 'bench/peak.cjs'), tool, ...args], [0, 1]);
  const name = `${what}: time`;
  if (took === undefined) {
    row(name, `over ${SCALING_LIMIT_MS / 1000} s`, '');
    return undefined;
  }
  const { seconds, megabytes } = most;
  const wanted = seconds === undefined ? [''] : [`< ${seconds} s`, took < seconds * 1000];
  row(name, `${(took / 1000).toFixed(2)} s`, ...wanted);
  const peak = Number(readFileSync(at('peak'), 'latin1')) / 1024;
  row(`${what}: memory`, `${peak.toFixed(0)} MB`, `< ${megabytes} MB`, peak < megabytes);
  return took;
}

const at = (name) => join(dir, name);

async function main() {
  serverConfig(at('server/httpd.conf'), 20_000);
  smallFiles(at('small'), 2000);
  oneFile(at('one/.htaccess'));
  manySections(at('sections.conf'), 10_000);
  meetingSections(at('files.conf'), 5000, 'FilesMatch', (i) => `"\\.x${i}$"`);
  meetingSections(at('locations.conf'), 5000, 'Location', (i) => `/l${i}`);
  longList(at('list.conf'), 100_000);
  deepTree(at('deep'), 40);
  smallFiles(at('many'), 100_000);

  const { parse, walk, applyEdits, rename } = await loadLibrary();
  const text = readFileSync(at('server/httpd.conf'), 'latin1');
  throughputRow(
    'parse and print, no edit',
    throughput(text, () => applyEdits(parse(text).text, [])),
  );
  throughputRow(
    'parse, walk and print, every Order renamed',
    throughput(text, () => {
      const edits = [];
      for (const [node] of walk(parse(text).body)) {
        if (node.kind === 'directive' && node.key === 'order') edits.push(rename(node, 'ORDER'));
      }
      return applyEdits(text, edits);
    }),
  );

  const compare = (path) => ratio([tool, path], [reader, path]);
  const kilobytes = (statSync(at('server/httpd.conf')).size / 1000).toFixed(0);
  ratioRow(`server config, 20,000 lines, ${kilobytes} kB / reading it`, compare(at('server/httpd.conf')));
  ratioRow('2,000 small .htaccess files / reading them', compare(at('small')));
  ratioRow('one .htaccess of 20 lines / node -e 0', ratio([tool, at('one/.htaccess')], ['-e', '0']));

  secondsRow('10,000 sections with host lists', at('sections.conf'));
  secondsRow('5,000 FilesMatch sections', at('files.conf'));
  secondsRow('5,000 Location sections', at('locations.conf'));
  secondsRow('one section with 100,000 Deny lines', at('list.conf'));
  secondsRow('.htaccess in 40 nested directories', at('deep'));
  manyRow('100,000 small .htaccess files', [at('many')]);
  await hostingRows();
  // What undo needs must not stay behind on the machine.
  process.env.XDG_STATE_HOME = at('state');
  manyRow('100,000 small .htaccess files, written', ['-w', at('many')]);

  const width = (column) => Math.max(...rows.map((cells) => cells[column].length));
  const widths = [width(0), width(1), width(2)];
  for (const cells of rows) {
    console.log(
      cells
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join('  ')
        .trimEnd(),
    );
  }
}

try {
  await main();
} finally {
  if (process.env.KEEP_BENCH === undefined) rmSync(dir, { recursive: true });
  else console.log(`inputs kept in ${dir}`);
}
