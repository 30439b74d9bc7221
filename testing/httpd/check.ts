import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { requireHttpd } from './binary';
import { createServerRoot } from './config';
import type { RootOptions, ServerRoot } from './config';
import { findProgram } from './install';
import { inNamespace } from './netns';

export interface ConfigTestVerdict {
  readonly ok: boolean;
  /** What the server said, apart from "Syntax OK"; the checked text is called by its `name`. */
  readonly message: string;
}

export interface CheckOptions extends Pick<RootOptions, 'compat' | 'without'> {
  /** What the text is called in messages. */
  name?: string;
  /** The text is a whole server configuration: nothing is put before it, and its modules are its own affair. */
  whole?: boolean;
  /** `-D` names. */
  defines?: readonly string[];
  /** Other files below ServerRoot that the text refers to. */
  files?: Readonly<Record<string, string | Buffer>>;
}

export interface CheckCase extends CheckOptions {
  id: string;
  text: string | Buffer;
  /** The text is an `.htaccess` file. */
  htaccess?: boolean;
}

/**
 * Does httpd 2.4 without mod_access_compat accept this server configuration? Strings are latin1. `root`: where, if it is there
 * already.
 */
export function configtest(
  text: string | Buffer,
  options: CheckOptions = {},
  root?: ServerRoot,
): Promise<ConfigTestVerdict> {
  return check(text, options, ['', ''], root);
}

/**
 * Tests the configuration of an `.htaccess` file, read inside a `<Directory>`: `-t` reads no `.htaccess`. So what a `<Directory>`
 * may hold and an `.htaccess` may not (`AllowOverride`, say) is let through; serve the file and look for status 500 to be sure.
 */
function htaccesstest(
  text: string | Buffer,
  options: CheckOptions = {},
  root?: ServerRoot,
): Promise<ConfigTestVerdict> {
  const around: [string, string] = ['<Directory "htdocs">\n', '</Directory>\n'];
  return check(text, { name: '.htaccess', ...options }, around, root);
}

/** Checks many texts, as many at a time as there are processors. */
export async function configtestAll(cases: readonly CheckCase[]): Promise<Map<string, ConfigTestVerdict>> {
  const verdicts = new Map<string, ConfigTestVerdict>();
  const queue = cases[Symbol.iterator]();
  const drain = async (): Promise<void> => {
    let shared: ServerRoot | undefined;
    try {
      for (const { id, text, htaccess, ...options } of queue) {
        // To make a ServerRoot takes as long as the check does: those that ask for nothing of their own in it share one.
        const plain = [options.compat, options.without, options.files].every(
          (option) => option === undefined,
        );
        const root = plain ? (shared ??= createServerRoot()) : undefined;
        verdicts.set(id, await (htaccess ? htaccesstest : configtest)(text, options, root));
      }
    } finally {
      shared?.dispose();
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, drain));
  return verdicts;
}

async function check(
  text: string | Buffer,
  options: CheckOptions,
  [before, after]: [string, string],
  given?: ServerRoot,
): Promise<ConfigTestVerdict> {
  const root = given ?? createServerRoot(options);
  try {
    for (const [path, content] of Object.entries(options.files ?? {})) {
      mkdirSync(dirname(join(root.dir, path)), { recursive: true });
      writeFileSync(join(root.dir, path), content, 'latin1');
    }
    // The text is a file of its own, so that the line numbers in messages are its own.
    const file = join(root.dir, 'cases/text.conf');
    writeFileSync(file, text, 'latin1');
    const main = join(root.dir, 'conf/httpd.conf');
    const directory = before.replace('"htdocs"', `"${root.dir}/htdocs"`);
    writeFileSync(main, `${root.preamble}${directory}Include "${file}"\n${after}`, 'latin1');
    const verdict = await testFile(options.whole ? file : main, options.defines);
    const message = verdict.message
      .replaceAll(file, options.name ?? 'text.conf')
      .replaceAll(`${root.dir}/`, '');
    return { ok: verdict.ok, message };
  } finally {
    if (given === undefined) root.dispose();
  }
}

/** `httpd -t` on a file that is there, with no network, so that no name in it is ever looked up. */
export function testFile(file: string, defines: readonly string[] = []): Promise<ConfigTestVerdict> {
  const test = [requireHttpd().bin, '-t', ...defines.flatMap((name) => ['-D', name]), '-f', file];
  const [command = '', ...args] = [...offline(), ...test];
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    child.stdout.on('data', (data: Buffer) => (output += data.toString('latin1')));
    child.stderr.on('data', (data: Buffer) => (output += data.toString('latin1')));
    child.on('error', reject);
    child.on('close', (status) => {
      const message = output
        .split('\n')
        .filter((line) => line !== 'Syntax OK')
        .join('\n')
        .trim();
      resolve({ ok: status === 0, message });
    });
  });
}

let prefix: readonly string[] | undefined;

/** What to put before a command that is to have no network at all; nothing where the machine forbids it. */
function offline(): readonly string[] {
  prefix ??= inNamespace() ? [] : findUnshare();
  return prefix;
}

function findUnshare(): readonly string[] {
  if (findProgram('unshare') === undefined) return [];
  const flags = process.getuid?.() === 0 ? ['--net'] : ['--map-current-user', '--net'];
  return spawnSync('unshare', [...flags, 'true']).status === 0 ? ['unshare', ...flags] : [];
}
