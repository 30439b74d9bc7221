import { chmodSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { GitError } from './error';
import { type GitContext, git } from './git';

const BEGIN = '# httpd-codemod: begin';
const END = '# httpd-codemod: end';
const NEW = '#!/bin/sh\n';

export interface Program {
  /** The interpreter and the script that are running now: full paths, byte strings. */
  readonly node: string;
  readonly script: string;
}

/**
 * Has the repository's pre-commit hook ask us first: where core.hooksPath says, and in front of what an existing shell script does.
 * @returns a line that says what was done
 * @throws GitError for a hook that is no shell script
 */
export function installHook(context: GitContext, program: Program, fix: boolean): string {
  const path = hookPath(context);
  // What stands there is husky's, and made anew by it.
  if (path.endsWith('/.husky/_/pre-commit'))
    throw new GitError(
      `${path}: belongs to husky: add "httpd-codemod hook run" to .husky/pre-commit instead`,
    );
  const before = readHook(path);
  if (before !== undefined && !/^#![^\n]*\b(?:sh|bash|dash|ksh|zsh)\b[^\n]*\n/.test(before))
    throw new GitError(`${path}: is no shell script: have it run httpd-codemod hook run`);
  const bare = withoutBlock(before ?? NEW);
  const first = bare.indexOf('\n') + 1;
  const text = bare.slice(0, first) + block(program, fix) + bare.slice(first);
  if (text === before) return `${path}: already asks httpd-codemod`;
  const mode = before === undefined ? 0o755 : statSync(raw(path)).mode | 0o111;
  mkdirSync(raw(dirname(path)), { recursive: true });
  writeFileSync(raw(path), text, 'latin1');
  chmodSync(raw(path), mode & 0o7777);
  return `${path}: asks httpd-codemod from now on`;
}

/** Takes out what {@link installHook} put in, and the hook where nothing else is left of it. */
export function uninstallHook(context: GitContext): string {
  const path = hookPath(context);
  const before = readHook(path);
  const after = before === undefined ? undefined : withoutBlock(before);
  if (before === undefined || after === undefined || after === before)
    return `${path}: does not ask httpd-codemod`;
  if (after === NEW) rmSync(raw(path));
  else writeFileSync(raw(path), after, 'latin1');
  return `${path}: no longer asks httpd-codemod`;
}

/** File names are bytes; so are our strings. */
function raw(path: string): Buffer {
  return Buffer.from(path, 'latin1');
}

function hookPath(context: GitContext): string {
  return resolve(
    context.cwd,
    git(context, ['rev-parse', '--git-path', 'hooks/pre-commit']).replace(/\n$/, ''),
  );
}

function readHook(path: string): string | undefined {
  try {
    return readFileSync(raw(path), 'latin1');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new GitError(`${path}: ${(error as Error).message}`);
  }
}

function withoutBlock(text: string): string {
  const start = text.indexOf(`${BEGIN}\n`);
  const end = text.indexOf(`${END}\n`, start);
  return start < 0 || end < 0 ? text : text.slice(0, start) + text.slice(end + END.length + 1);
}

/** The program that installed the hook, or where that is gone the one on the PATH. */
function block({ node, script }: Program, fix: boolean): string {
  const run = `hook run${fix ? ' --fix' : ''} || exit $?`;
  const lines = [
    BEGIN,
    `if [ -x ${quote(node)} ] && [ -f ${quote(script)} ]; then ${quote(node)} ${quote(script)} ${run}`,
    `else httpd-codemod ${run}`,
    'fi',
    END,
  ];
  return lines.map((line) => `${line}\n`).join('');
}

function quote(word: string): string {
  return `'${word.replace(/'/g, `'\\''`)}'`;
}
