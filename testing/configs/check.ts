// node check.cjs DIR... Every whole server below each DIR: a file that is one by itself, a directory with a server config in it,
// and the input of a fixture. Does 2.4 start with a result without blockers, and is what it refuses of the others named by a
// finding? What only its own machine has (files and accounts; where there is a blocker, modules of third parties, too) is taken
// out first, and the modules that the report asks for are loaded.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { type ConfigTree, SourceError } from '../../src/config';
import type { Outcome } from '../../src/engine';
import { isBlocker } from '../../src/report/content';
import { convertAgain, convertPaths } from '../run/convert-paths';
import { requireHttpd } from '../httpd/binary';
import { testFile } from '../httpd/check';
import { loadModules } from '../httpd/modules';
import { type Scratch, writeScratch } from './scratch';

/** More lines than that are not looked at in one configuration. */
const MOST = 12;

interface RefusedLine {
  readonly path: string;
  readonly line: number;
  readonly text: string;
  readonly why: string;
}

/** What 2.4 refuses, line by line: each is taken out, and the rest asked again. */
async function refusals(tree: ConfigTree, preamble: string, withoutForeign: boolean): Promise<RefusedLine[]> {
  const root = mkdtempSync(join(tmpdir(), 'configs-'));
  try {
    const scratch = writeScratch(tree, requireHttpd(), root, preamble, withoutForeign);
    const found: RefusedLine[] = [];
    while (found.length < MOST) {
      const { ok, message } = await testFile(scratch.main);
      const refusal = ok ? undefined : removeRefused(message, scratch);
      if (refusal === undefined) {
        if (!ok && !/No MPM|More than one MPM/.test(message))
          found.push({ path: '', line: 0, text: '', why: message });
        else if (!ok) found.push({ path: '', line: 0, text: 'MPM', why: message });
        break;
      }
      found.push(refusal);
    }
    return found.filter(({ text, why }) => !ELSEWHERE.test(why) && !PLACEHOLDER.test(text));
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** Not 2.4's doing: something is not on this machine. */
const ELSEWHERE =
  /does not exist|must be a (?:valid )?directory|No such file|could not open|Invalid Mutex directory|bad (?:user|group)|not found/i;

/** Lines of a server on Windows, whose MPM is compiled in. */
const OF_WINDOWS =
  /^[ \t]*(?:<IfModule[ \t]+"?(?:mod_)?mpm_winnt|Win32\w+|ScriptInterpreterSource|LoadModule[ \t].*(?:\.dll|isapi_module.*)|\w+[ \t]+"?[A-Za-z]:[\\/])/im;

/** What some program fills in before httpd sees it. */
const PLACEHOLDER = /@@\w+@@|\[[A-Z][A-Z_]+\]|%\\\{/;

function removeRefused(message: string, { places }: Scratch): RefusedLine | undefined {
  const at = [...message.matchAll(/yntax error on line (\d+) of ([^:\n]+):\s*([^\n]*)/g)].at(-1);
  const [, number = '', path = '', why = ''] = at ?? [];
  const file = places.get(path);
  if (file === undefined) return undefined;
  const lines = readFileSync(path, 'latin1').split('\n');
  const line = Number(number);
  const text = file.document.text.split('\n')[line - 1] ?? '';
  if (/^[ \t]*#?$/.test(lines[line - 1] ?? '')) return undefined;
  lines[line - 1] = '#';
  writeFileSync(path, lines.join('\n'), 'latin1');
  return { path: file.path, line, text: text.trim(), why };
}

/** A finding for a person at the same line, or about the same directive in the same file. */
function isNamed({ path, text }: RefusedLine, outcomes: readonly Outcome[]): boolean {
  const name = /^<?\/?(\w+)/.exec(text)?.[1]?.toLowerCase() ?? '';
  return outcomes.some((outcome) => {
    if (outcome.status === 'applied' || (outcome.file.path !== path && path !== '')) return false;
    const { document } = outcome.file;
    const line = document.text.split('\n')[document.positionAt(outcome.at).line - 1]?.trim();
    return line === text || (name !== '' && outcome.message.toLowerCase().includes(name));
  });
}

const tops = process.argv.slice(2);
if (tops.length === 0) throw new Error('needs a directory');
const httpd = requireHttpd();
const FULL = /^[ \t]*ServerRoot[ \t]+(?!.*(?:<%|\{\{|\$[a-z{]))/im;
const LISTENS = /^[ \t]*(?:Listen|Port)[ \t]/im;

/** Where a directory has its server config, if it is that of a server. */
const SERVER_CONFIGS = [
  'httpd.conf',
  'conf/httpd.conf',
  'apache2.conf',
  'etc/apache2/apache2.conf',
  'etc/httpd/conf/httpd.conf',
];

/** What is converted as one configuration. */
function pathsBelow(top: string): readonly string[] {
  const entries = readdirSync(top, { withFileTypes: true, recursive: true });
  const isTree = (path: string): boolean =>
    basename(path) === 'input' || SERVER_CONFIGS.some((name) => existsSync(join(path, name)));
  const trees = [
    ...entries.filter((entry) => entry.isDirectory()).map((entry) => resolve(entry.parentPath, entry.name)),
    resolve(top),
  ].filter(isTree);
  const files = entries
    .filter((entry) => entry.isFile() && !/\.(?:erb|epp|template|j2)$/.test(entry.name))
    .map((entry) => resolve(entry.parentPath, entry.name))
    .filter((path) => {
      const text = readFileSync(path, 'latin1');
      return LISTENS.test(text) && (FULL.test(text) || basename(path) === 'input.conf');
    });
  return [...files, ...trees];
}

const FIXTURE = /\/(?:__fixtures__|states)\//;

/** A 2.2 without LoadModule lines has its modules compiled in; here they are files. */
const compiledIn = `${loadModules(httpd, false).join('\n')}\n`;
const figures = { configs: 0, without: 0, accepted: 0, refused: 0, named: 0 };
let failed = 0;
async function check(path: string): Promise<void> {
  let first: ReturnType<typeof convertPaths>;
  try {
    first = convertPaths([path]);
  } catch (error) {
    if (error instanceof SourceError) return;
    throw error;
  }
  if (!first.tree.isServer) return;
  figures.configs++;
  const after = first.plan.length === 0 ? first.tree : convertAgain([path], first).tree;
  const text = first.tree.roots.map(({ document }) => document.text).join('\n');
  const isBlocked = first.outcomes.some(isBlocker);
  if (!isBlocked) figures.without++;
  // A fixture may hold what no server ever had, and a state is a small part of one.
  else if (FIXTURE.test(path)) return;
  const now = await refusals(after, preambleFor(text, after, first.outcomes), isBlocked);
  if (now.length === 0) figures.accepted++;
  const isOfSystem = ({ why }: RefusedLine): boolean => /No MPM/.test(why) && OF_WINDOWS.test(text);
  const untold = now.filter(
    (refusal) => !isOfSystem(refusal) && !(isBlocked && isNamed(refusal, first.outcomes)),
  );
  figures.refused += now.length;
  figures.named += now.length - untold.length;
  if (untold.length > 0 || first.failure !== undefined) failed++;
  for (const { line, text: refused, why } of untold)
    console.log(
      `${path}: ${isBlocked ? '' : 'without blockers, '}line ${line} of the result: ${refused}: ${why}`,
    );
}

/** The modules that the report asks for, where no line of the result loads them. */
function preambleFor(text: string, after: ConfigTree, outcomes: readonly Outcome[]): string {
  const forks = /^[ \t]*M(?:in|ax)SpareServers[ \t]/im.test(text);
  const all = forks ? compiledIn.replace(/mpm_(?:event|worker)/g, 'mpm_prefork') : compiledIn;
  const loaded = after.files.flatMap(({ document }) =>
    [...document.text.matchAll(/^[ \t]*LoadModule[ \t]+(\w+)_module/gim)].map(([, name]) => name),
  );
  if (loaded.length === 0) return all;
  const asked = outcomes.flatMap(({ rule, message }) =>
    rule !== 'load-module'
      ? []
      : message.startsWith('no LoadModule line loads')
        ? [...message.matchAll(/(?:loads|,) (\w+) for/g)].map(([, name]) => name)
        : (/: run a2enmod (mpm_\w+),/.exec(message)?.[1] ?? []),
  );
  const lines = [...new Set(asked)].flatMap((name) => loadLineFor(name));
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
}

function loadLineFor(name: string | undefined): string[] {
  return name !== undefined && httpd.modules.has(name)
    ? [`LoadModule ${name}_module "${httpd.moduleDir}/mod_${name}.so"`]
    : [];
}

async function run(): Promise<void> {
  const queue = tops.flatMap(pathsBelow)[Symbol.iterator]();
  const drain = async (): Promise<void> => {
    for (const path of queue) await check(path);
  };
  await Promise.all([drain(), drain()]);
  console.log(
    `configs: ${figures.configs} whole servers, ${figures.without} without blockers; 2.4 starts with ${figures.accepted}, and refuses ${figures.refused} lines of the others, ${figures.named} of them named`,
  );
  console.log(`${figures.configs - failed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
}

void run();
