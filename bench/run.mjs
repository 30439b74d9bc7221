// npm run bench: how fast the tool is, as ratios to what node itself needs, so that machines compare.
// Runs take turns (A B A B) and medians count, so that a busy moment hits both.
import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { typeInto } from './editor.mjs';
import {
  accessBlocks,
  chains,
  containers,
  deepTree,
  defaultTypes,
  equalFiles,
  linkedDirectory,
  loggedServer,
  longList,
  accessFileSections,
  manySections,
  meetingSections,
  methodSections,
  oneFile,
  rewritePairs,
  serverConfig,
  smallFiles,
  tenantBlocks,
  tenantSections,
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

function ratioRow(what, { ours, theirs, ratio: measured }, most) {
  const shown = `${measured.toFixed(2)} (${ours.toFixed(0)} / ${theirs.toFixed(0)} ms)`;
  row(what, shown, `<= ${most}`, measured <= most);
}

function secondsRow(what, path) {
  const took = time([tool, path], [0, 1]);
  row(what, took === undefined ? `over ${SCALING_LIMIT_MS / 1000} s` : `${(took / 1000).toFixed(2)} s`, '');
}

/** How the time may grow with the size, as a power of it. */
const LARGEST_EXPONENT = 1.1;

/**
 * How the time grows with the size of an input: the exponent between a small one and a larger one, without the time that every
 * run takes.
 * @param make writes an input of a size, and returns the arguments of the run over it
 */
function growthRow(what, [small, large], make) {
  const least = median(Array.from({ length: 5 }, () => time([tool, at('one/.htaccess')], [0, 1])));
  const timeOf = (args) => median(Array.from({ length: 5 }, () => time([tool, ...args], [0, 1])));
  const [few, many] = [small, large].map((size) => timeOf(make(size)) - least);
  const exponent = Math.log(many / few) / Math.log(large / small);
  row(
    `${what}, ${small} to ${large}: exponent`,
    exponent.toFixed(2),
    `<= ${LARGEST_EXPONENT}`,
    exponent <= LARGEST_EXPONENT,
  );
}

/** Writes an input by its size below a name. */
const sized =
  (name, write, argumentsFor = (path) => [path]) =>
  (size) => {
    const path = at(`${name}-${size}`);
    write(path, size);
    return argumentsFor(path);
  };

const withLog = (top) => [join(top, 'httpd.conf'), '--log', join(top, 'access.log')];

function growthRows() {
  growthRow('lines of a configuration', [5000, 40_000], sized('lines.conf', serverConfig));
  growthRow('sections with host lists', [2500, 20_000], sized('sections.conf', manySections));
  growthRow('sections of a .htaccess', [1000, 4000], sized('access-file', accessFileSections));
  growthRow('containers of a .htaccess', [1000, 8000], sized('containers', containers));
  growthRow('blocks around access in a .htaccess', [2000, 16_000], sized('blocks', accessBlocks));
  growthRow('LimitExcept sections of a .htaccess', [1000, 8000], sized('methods', methodSections));
  growthRow('DefaultType in a .htaccess', [12_500, 100_000], sized('types', defaultTypes));
  growthRow('RewriteCond and RewriteRule', [5000, 20_000], sized('rewrites.conf', rewritePairs));
  growthRow('.htaccess files', [4000, 32_000], sized('files', smallFiles));
  // Below 256 levels nothing is looked into.
  growthRow('nested directories with a .htaccess', [50, 250], sized('levels', deepTree));
  growthRow('levels of directories, 200 in each other', [400, 1600], sized('chains', chains));
  growthRow('links to a directory', [14_000, 112_000], sized('links', linkedDirectory));
  const ofServer = (top) => [join(top, 'httpd.conf'), join(top, 'home')];
  growthRow('files of a tenant, 60 sections each', [50, 200], sized('tenant', tenantSections, ofServer));
  growthRow('files of a tenant, 200 blocks deep', [50, 200], sized('tenant-blocks', tenantBlocks, ofServer));
  growthRow('lines of a log', [16_000, 128_000], sized('logged', loggedServer, withLog));
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
    const took = manyRow(what, large, { seconds: 6, megabytes: 300 });
    if (took === undefined) continue;
    const times = took / median(smallTimes);
    row(`${what} / a tenth of them`, times.toFixed(1), `< ${LINEAR}`, times < LINEAR);
  }
}

/**
 * How long the tool takes over very many files, and the most memory that it takes meanwhile.
 * @returns milliseconds; undefined where that is too long to wait for
 */
function manyRow(what, args, most = {}) {
  process.env.PEAK = at('peak');
  const took = time(['-r', join(root, 'bench/peak.cjs'), tool, ...args], [0, 1]);
  const name = `${what}: time`;
  if (took === undefined) {
    row(name, `over ${SCALING_LIMIT_MS / 1000} s`, '');
    return undefined;
  }
  const { seconds, megabytes = 1024 } = most;
  const wanted = seconds === undefined ? [''] : [`< ${seconds} s`, took < seconds * 1000];
  const [kilobytes, ofProcessor] = readFileSync(at('peak'), 'latin1').split(' ').map(Number);
  // Beside other programs the time that a clock shows says little.
  const shown = `${(took / 1000).toFixed(2)} s (${(ofProcessor / 1000).toFixed(2)} s of the processor)`;
  row(name, shown, ...wanted);
  const peak = kilobytes / 1024;
  row(`${what}: memory`, `${peak.toFixed(0)} MB`, `< ${megabytes} MB`, peak < megabytes);
  return took;
}

/** Changes after which the process is warm, and those that are measured then. */
const WARMING_CHANGES = 2;
const MEASURED_CHANGES = 11;

/** How long an editor waits for what is found after a change in a large configuration. */
async function editorRows(path) {
  const typed = await typeInto([tool, 'lsp'], path, WARMING_CHANGES + MEASURED_CHANGES);
  const measured = typed.slice(WARMING_CHANGES);
  const milliseconds = (stage, kind) => median(measured.map((change) => change[stage][kind]));
  const reading = median(Array.from({ length: 5 }, () => time([reader, path], [0])));
  const stageRow = (what, stage, ...wanted) => {
    const [clock, processor] = [milliseconds(stage, 'clock'), milliseconds(stage, 'processor')];
    // Beside other programs the time that a clock shows says little.
    row(
      `a change of 20,000 lines in an editor: ${what}`,
      `${clock.toFixed(0)} ms (${processor} ms of the processor), reading it ${(clock / reading).toFixed(1)} times`,
      ...wanted,
    );
  };
  stageRow('likely findings', 'first', '< 300 ms', milliseconds('first', 'clock') < 300);
  stageRow('checked', 'checked', '');
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
  equalFiles(at('equal'), 100_000);

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
  ratioRow(`server config, 20,000 lines, ${kilobytes} kB / reading it`, compare(at('server/httpd.conf')), 5);
  ratioRow('2,000 small .htaccess files / reading them', compare(at('small')), 2.5);
  ratioRow('one .htaccess of 20 lines / node -e 0', ratio([tool, at('one/.htaccess')], ['-e', '0']), 1.85);

  manyRow('server config, 20,000 lines', [at('server/httpd.conf')], { seconds: 0.3 });
  manyRow('2,000 small .htaccess files', [at('small')], { seconds: 0.22 });
  manyRow('one .htaccess of 20 lines', [at('one/.htaccess')], { seconds: 0.1 });

  await editorRows(at('server/httpd.conf'));

  secondsRow('10,000 sections with host lists', at('sections.conf'));
  secondsRow('5,000 FilesMatch sections', at('files.conf'));
  secondsRow('5,000 Location sections', at('locations.conf'));
  secondsRow('one section with 100,000 Deny lines', at('list.conf'));
  secondsRow('.htaccess in 40 nested directories', at('deep'));
  growthRows();
  tenantSections(at('tenant'), 200);
  const ofTenant = [at('tenant/httpd.conf'), at('tenant/home')];
  manyRow('200 .htaccess files of a tenant, 60 sections each', ofTenant, { seconds: 12, megabytes: 600 });
  manyRow('100,000 small .htaccess files', [at('many')]);
  const equal = manyRow('100,000 .htaccess files of two texts', [at('equal')], {
    seconds: 4.5,
    megabytes: 300,
  });
  if (equal !== undefined) {
    const reading = time([reader, at('equal')], [0]);
    row(
      '100,000 .htaccess files of two texts / reading them',
      (equal / reading).toFixed(1),
      '<= 3.5',
      equal <= 3.5 * reading,
    );
  }
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
