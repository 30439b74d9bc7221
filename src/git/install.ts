import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import { GitError } from './error';
import { type GitContext, gitLine } from './git';
import { shellQuoted, shellWord } from '../shell-word';
import { checkNotBare } from './staged';

const BEGIN = '# httpd-codemod: begin';
const END = '# httpd-codemod: end';
const NEW = '#!/bin/sh\n';

/** Git runs the first before a commit, and the second instead of it before the commit of a merge. */
const HOOKS = ['pre-commit', 'pre-merge-commit'] as const;

export interface Program {
  /** The interpreter that is running now, or the command itself where it is a single executable: a full path, a byte string. */
  readonly node: string;
  /** What the interpreter runs: a full path, a byte string. */
  readonly script?: string;
}

interface HookFile {
  readonly path: string;
  /** Undefined where there is none. */
  readonly text: string | undefined;
  /** Whether git passes it over, since it is not executable. */
  readonly disabled: boolean;
  readonly mode: number;
}

/**
 * Has the repository's hooks ask us first: where core.hooksPath says, and in front of what existing shell scripts do.
 * @param args what follows `hook run`: byte strings
 * @returns a line for each hook that says what was done
 * @throws GitError for a hook that is no shell script, or disabled; nothing has changed then
 */
export function installHook(context: GitContext, program: Program, args: readonly string[]): string[] {
  const files = HOOKS.map((name) => readHook(hookPath(context, name)));
  const texts = files.map((file, index) => {
    const bare = bareText(file, args);
    const first = bare.indexOf('\n') + 1;
    return bare.slice(0, first) + block(program, argsFor(HOOKS[index]!, args)) + bare.slice(first);
  });
  return files.map((file, index) => {
    const { path, disabled } = file;
    const isSame = texts[index] === file.text;
    if (!isSame) writeHook(file, texts[index]!);
    const state = disabled ? '; it is not executable, so git does not run it: that is left as it is' : '';
    return `${path}: ${isSame ? 'already asks httpd-codemod' : 'asks httpd-codemod from now on'}${state}`;
  });
}

/** What git merge commits is settled before its hook is asked: what the hook stages would be left out. */
function argsFor(hook: (typeof HOOKS)[number], args: readonly string[]): readonly string[] {
  const isLate = hook === 'pre-merge-commit' && args.includes('--fix') && !args.includes('--stop');
  return isLate ? ['--stop', ...args] : args;
}

/** Takes out what {@link installHook} put in, and a hook where nothing else is left of it. @returns a line for each */
export function uninstallHook(context: GitContext): string[] {
  const files = HOOKS.map((name) => readHook(hookPath(context, name)));
  return files.map((file) => {
    const after = file.text === undefined ? undefined : withoutBlock(file.text);
    if (after === undefined || after === file.text) return `${file.path}: does not ask httpd-codemod`;
    if (after === NEW) changing(file.path, () => rmSync(raw(file.path)));
    else writeHook(file, after);
    return `${file.path}: no longer asks httpd-codemod`;
  });
}

/** The text of a hook without our lines. @throws GitError where ours cannot be put in */
function bareText({ path, text = NEW, disabled }: HookFile, args: readonly string[]): string {
  const commandFor = (hook: (typeof HOOKS)[number]): string =>
    ['httpd-codemod hook run', ...argsFor(hook, args).map(shellWord)].join(' ');
  // What stands there is husky's, and made anew by it.
  if (/\/\.husky\/_\/[^/]*$/.test(path)) {
    const lines = HOOKS.map((hook) => `"${commandFor(hook)}" to .husky/${hook}`);
    throw new GitError(`${path}: belongs to husky: add ${lines.join(', and ')} instead`);
  }
  if (!/^#![^\n]*\b(?:sh|bash|dash|ksh|zsh)\b[^\n]*\n/.test(text))
    throw new GitError(`${path}: is no shell script: have it run ${commandFor('pre-commit')}`);
  const bare = withoutBlock(text);
  if (disabled && bare === text)
    throw new GitError(
      `${path}: is disabled (not executable), and would have to be enabled: make it executable or remove it, then install again`,
    );
  return bare;
}

/** File names are bytes; so are our strings. */
function raw(path: string): Buffer {
  return Buffer.from(path, 'latin1');
}

function hookPath(context: GitContext, name: string): string {
  checkNotBare(context);
  return resolve(context.cwd, gitLine(context, ['rev-parse', '--git-path', `hooks/${name}`]));
}

function readHook(path: string): HookFile {
  try {
    const { mode } = statSync(raw(path));
    const text = readFileSync(raw(path), 'latin1');
    return { path, text, disabled: (mode & 0o111) === 0, mode: mode & 0o7777 };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      return { path, text: undefined, disabled: false, mode: 0o755 };
    throw hookError(path, error);
  }
}

function writeHook({ path, mode }: HookFile, text: string): void {
  changing(path, () => {
    mkdirSync(raw(dirname(path)), { recursive: true });
    // Links are followed, as git follows them.
    const real = existsSync(raw(path)) ? realpathSync.native(raw(path), 'latin1') : path;
    replaceFile(real, text, mode);
  });
}

/** In one step: where there is no room, the hook that is there stays. */
function replaceFile(path: string, text: string, mode: number): void {
  const temporary = raw(`${path}.httpd-codemod`);
  try {
    rmSync(temporary, { force: true });
    writeFileSync(temporary, text, { encoding: 'latin1', mode, flag: 'wx' });
    chmodSync(temporary, mode);
    const owner = statSync(raw(path), { throwIfNoEntry: false });
    if (owner !== undefined) chownSync(temporary, owner.uid, owner.gid);
    renameSync(temporary, raw(path));
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** @throws GitError */
function changing(path: string, change: () => void): void {
  try {
    change();
  } catch (error) {
    throw hookError(path, error);
  }
}

function hookError(path: string, error: unknown): GitError {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOTDIR')
    return new GitError(
      `${dirname(path)}: is no directory (core.hooksPath names it): no hook can stand there`,
    );
  return new GitError(`${path}: ${code ?? message}`);
}

function withoutBlock(text: string): string {
  const start = text.indexOf(`${BEGIN}\n`);
  const end = text.indexOf(`${END}\n`, start);
  return start < 0 || end < 0 ? text : text.slice(0, start) + text.slice(end + END.length + 1);
}

/** The program that installed the hook, or where that is gone the one on the PATH. */
function block({ node, script }: Program, args: readonly string[]): string {
  const run = `hook run${args.map((arg) => ` ${shellWord(arg)}`).join('')} || exit $?`;
  const isThere = `[ -x ${shellQuoted(node)} ]${script === undefined ? '' : ` && [ -f ${shellQuoted(script)} ]`}`;
  const command = script === undefined ? shellQuoted(node) : `${shellQuoted(node)} ${shellQuoted(script)}`;
  const lines = [BEGIN, `if ${isThere}; then ${command} ${run}`, `else httpd-codemod ${run}`, 'fi', END];
  return lines.map((line) => `${line}\n`).join('');
}
