// node scripts/release/packages.mjs [--output DIR] [KIND…]: builds the packages of this checkout, all or those given, into release/.
// Of all, it leaves out those whose tools are missing; it names them and ends with status 1.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { makeCollection } from './collection.mjs';
import { makeDeb } from './deb.mjs';
import { makeExecutable } from './executable.mjs';
import { sourceDate } from './layout.mjs';
import { makeRpm } from './rpm.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** What can be built: the tools that it takes, whether it contains the executable, and how it is made. */
const KINDS = {
  executable: { tools: ['readelf'] },
  deb: { tools: ['dpkg-deb'], make: makeDeb },
  'deb-standalone': { tools: ['dpkg-deb', 'readelf'], make: makeDeb, isStandalone: true },
  rpm: { tools: ['rpmbuild'], make: makeRpm },
  collection: { tools: ['ansible-galaxy'], make: makeCollection },
  'rpm-standalone': { tools: ['rpmbuild', 'readelf'], make: makeRpm, isStandalone: true },
};

function fail(message) {
  process.stderr.write(`packages: ${message}\n`);
  process.exit(1);
}

/** The tools of a kind that are not installed. */
const missing = (kind) =>
  KINDS[kind].tools.filter((tool) => spawnSync(tool, ['--version'], { stdio: 'ignore' }).error !== undefined);

function check(kinds) {
  for (const kind of kinds)
    if (!(kind in KINDS)) fail(`there is no kind ${kind}: it is one of ${Object.keys(KINDS).join(', ')}`);
  for (const tool of kinds.flatMap(missing)) fail(`it takes ${tool}, which is not installed`);
}

/** Builds the kinds, and prints the path of each file. */
async function make(kinds, output) {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const date = sourceDate(root);
  const scratch = mkdtempSync(join(tmpdir(), 'httpd-codemod-packages-'));
  try {
    const executable = join(kinds.includes('executable') ? output : scratch, 'httpd-codemod');
    if (kinds.some((kind) => KINDS[kind].tools.includes('readelf'))) await makeExecutable(root, executable);
    for (const kind of kinds) {
      const { make: makeFile, isStandalone } = KINDS[kind];
      const path =
        makeFile?.(root, output, { version, date, ...(isStandalone && { executable }) }) ?? executable;
      process.stdout.write(`${path}\n`);
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function readArguments() {
  try {
    return parseArgs({ options: { output: { type: 'string' } }, allowPositionals: true });
  } catch ({ message }) {
    return fail(message);
  }
}

const { values, positionals } = readArguments();
check(positionals);
const leftOut = positionals.length > 0 ? [] : Object.keys(KINDS).filter((kind) => missing(kind).length > 0);
const kinds =
  positionals.length > 0 ? positionals : Object.keys(KINDS).filter((kind) => !leftOut.includes(kind));
const output = resolve(values.output ?? join(root, 'release'));
mkdirSync(output, { recursive: true });
if (kinds.length > 0) await make(kinds, output);
if (leftOut.length > 0)
  fail(`left out: ${leftOut.map((kind) => `${kind} (it takes ${missing(kind).join(', ')})`).join('; ')}`);
