// node check.cjs DIR
// Every full server configuration below DIR: is what 2.4 refuses of the result named by a finding? What only its own machine has
// (files, accounts, modules of third parties) is taken out first.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type ConfigTree, SourceError } from '../../src/config';
import type { Outcome } from '../../src/engine';
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
async function refusals(tree: ConfigTree, preamble: string): Promise<RefusedLine[]> {
  const root = mkdtempSync(join(tmpdir(), 'configs-'));
  try {
    const scratch = writeScratch(tree, requireHttpd(), root, preamble);
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
  /^[ \t]*(?:<IfModule[ \t]+"?(?:mod_)?mpm_winnt|Win32\w+|ScriptInterpreterSource|LoadModule[ \t].*\.dll|\w+[ \t]+"?[A-Za-z]:[\\/])/im;

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

const [top] = process.argv.slice(2);
if (top === undefined) throw new Error('needs a directory');
const httpd = requireHttpd();
const FULL = /^[ \t]*ServerRoot[ \t]+(?!.*(?:<%|\{\{|\$[a-z{]))/im;
const paths = readdirSync(top, { withFileTypes: true, recursive: true })
  .filter((entry) => entry.isFile() && !/\.(?:erb|epp|template|j2)$/.test(entry.name))
  .map((entry) => resolve(entry.parentPath, entry.name))
  .filter((path) => {
    const text = readFileSync(path, 'latin1');
    return FULL.test(text) && /^[ \t]*(?:Listen|Port)[ \t]/im.test(text);
  });

/** A 2.2 without LoadModule lines has its modules compiled in; here they are files. */
const compiledIn = `${loadModules(httpd, false).join('\n')}\n`;
const figures = { configs: 0, before: 0, accepted: 0, refused: 0, named: 0 };
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
  const { text } = first.tree.roots[0]!.document;
  const forks = /^[ \t]*M(?:in|ax)SpareServers[ \t]/im.test(text);
  const preamble = /^[ \t]*LoadModule[ \t]/im.test(
    after.files.map(({ document }) => document.text).join('\n'),
  )
    ? ''
    : forks
      ? compiledIn.replace(/mpm_(?:event|worker)/g, 'mpm_prefork')
      : compiledIn;
  const [old, now] = await Promise.all([refusals(first.tree, preamble), refusals(after, preamble)]);
  if (old.length > 0) figures.before++;
  if (now.length === 0) figures.accepted++;
  const isOfSystem = ({ why }: RefusedLine): boolean => /No MPM/.test(why) && OF_WINDOWS.test(text);
  const unnamed = now.filter((refusal) => !isOfSystem(refusal) && !isNamed(refusal, first.outcomes));
  figures.refused += now.length;
  figures.named += now.length - unnamed.length;
  if (unnamed.length > 0 || first.failure !== undefined) failed++;
  for (const { line, text: refused, why } of unnamed)
    console.log(`${path}: line ${line} of the result: ${refused}: ${why}`);
}

async function run(): Promise<void> {
  const queue = paths[Symbol.iterator]();
  const drain = async (): Promise<void> => {
    for (const path of queue) await check(path);
  };
  await Promise.all([drain(), drain()]);
  console.log(
    `configs: ${figures.configs} full configurations; 2.4 refuses ${figures.before} as they are and ${figures.configs - figures.accepted} as converted (${figures.refused} lines, ${figures.named} of them named)`,
  );
  console.log(`${figures.configs - failed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
}

void run();
