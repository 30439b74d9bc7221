import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { resolve } from 'node:path';
import type { IndexChange } from '../write';
import { GitError } from './error';
import { runGit, type GitContext, git, gitLine } from './git';
import type { Staged } from './staged';

/** A staged file of which the work tree holds the same; all strings are byte strings. */
export interface RestagedFile {
  /** Absolute. */
  readonly path: string;
  /** What stands in the work tree, */
  readonly before: string;
  /** and what shall stand there: the new text with the filters and line ends that git is set to. */
  readonly after: string;
}

/** New texts on their way into work tree and index. Nothing has changed yet, but for objects that nothing refers to. */
export interface Restaging {
  readonly files: readonly RestagedFile[];
  /** What {@link apply} changes; undefined where it changes nothing. */
  readonly index: IndexChange | undefined;
  /** Puts all of the texts into the index. @throws GitError; nothing has changed then */
  apply(): void;
  /** To be called when the files are in place: otherwise git would treat each as possibly changed. */
  refresh(): void;
}

/**
 * @param texts path relative to the top → text as it is to be staged
 * @param stage false: into the work tree only
 * @throws GitError
 */
export function prepareRestaging(
  staged: Staged,
  env: GitContext['env'],
  texts: ReadonlyMap<string, string>,
  stage: boolean,
): Restaging {
  const context = { cwd: staged.top, env };
  // The index of `git commit PATH`: the commit would take the new text, and the next one take it back.
  if (stage && /(?:^|\/)next-index-\d+\.lock$/.test(env['GIT_INDEX_FILE'] ?? ''))
    throw new GitError('git commit with paths stages aside: stage the files, then commit without paths');
  const before = [...texts.keys()].map((path) => readFile(`${staged.top}/${path}`));
  const after = new Map<string, string>();
  const index = indexPath(context);
  const written = inScratch(context, (scratch) => {
    const blobs = storeTexts(context, scratch, [...texts.values()]);
    [...texts.keys()].forEach((path, at) => after.set(path, blobs[at]!));
    return checkOut(context, index, scratch, indexInfo(staged, after), [...texts.keys()]);
  });
  const files = [...texts.keys()].map((path, at) => {
    return { path: `${staged.top}/${path}`, before: before[at]!, after: written[at]! };
  });
  return {
    files,
    index: stage ? changeOf(context, staged, index, after) : undefined,
    apply() {
      if (!stage) return;
      if (!staged.stillHas(texts.keys()))
        throw new GitError('something else has been staged meanwhile: start it again');
      git(context, ['update-index', '-z', '--index-info'], indexInfo(staged, after));
    },
    refresh: () => void runGit(context, ['update-index', '-q', '--refresh']),
  };
}

function indexInfo({ entries }: Staged, blobs: ReadonlyMap<string, string>): string {
  return [...blobs].map(([path, blob]) => `${entries.get(path)!.mode} ${blob}\t${path}\0`).join('');
}

function indexPath(context: GitContext): string {
  return resolve(context.cwd, gitLine(context, ['rev-parse', '--git-path', 'index']));
}

function changeOf(
  context: GitContext,
  { top, entries }: Staged,
  index: string,
  after: ReadonlyMap<string, string>,
): IndexChange {
  return {
    top,
    repository: gitDirectoryOf(context),
    // `git commit -a` has a copy changed, and puts that in the place of the index.
    index: index.replace(/\.lock$/, ''),
    entries: [...after].map(([path, blob]) => ({ path, before: entries.get(path)!.blob, after: blob })),
  };
}

function gitDirectoryOf(context: GitContext): string {
  return gitLine(context, ['rev-parse', '--absolute-git-dir']);
}

/** Puts texts into the repository, all by one process. @returns their blobs */
function storeTexts(context: GitContext, scratch: string, texts: readonly string[]): string[] {
  const names = texts.map((text, index) => {
    writeFileSync(raw(`${scratch}/${index}`), text, 'latin1');
    return `${quoteName(`${scratch}/${index}`)}\n`;
  });
  const blobs = git(context, ['hash-object', '-w', '--no-filters', '--stdin-paths'], names.join(''));
  return blobs.split('\n').slice(0, -1);
}

/** What git would write into the work tree: it is asked to write below another directory. */
function checkOut(
  context: GitContext,
  index: string,
  scratch: string,
  info: string,
  paths: readonly string[],
): string[] {
  const copy = `${scratch}/index`;
  if (existsSync(raw(index))) copyFileSync(raw(index), raw(copy));
  const env = { ...context.env, GIT_INDEX_FILE: raw(copy).toString('utf8') };
  const aside = { cwd: context.cwd, env };
  git(aside, ['update-index', '-z', '--index-info'], info);
  const names = paths.map((path) => `${path}\0`).join('');
  git(aside, ['checkout-index', '--force', '-q', '-z', '--stdin', `--prefix=${scratch}/tree/`], names);
  return paths.map((path) => readFile(`${scratch}/tree/${path}`));
}

/** In a directory of the repository that others cannot read, gone afterwards. */
function inScratch<T>(context: GitContext, action: (scratch: string) => T): T {
  const gitDirectory = gitDirectoryOf(context);
  let scratch: string | undefined;
  try {
    scratch = mkdtempSync(raw(`${gitDirectory}/httpd-codemod-`).toString('utf8'));
    scratch = Buffer.from(scratch, 'utf8').toString('latin1');
    mkdirSync(raw(`${scratch}/tree`));
    return action(scratch);
  } catch (error) {
    if (error instanceof GitError) throw error;
    throw new GitError(`${gitDirectory}: cannot write there: ${reasonOf(error)}`);
  } finally {
    if (scratch !== undefined) rmSync(raw(scratch), { recursive: true, force: true });
  }
}

/** A name in the form in which git takes it on a line of its own, whatever it holds. */
function quoteName(path: string): string {
  return /[\n"\\]/.test(path)
    ? `"${path.replace(/[\n"\\]/g, (char) => (char === '\n' ? '\\n' : `\\${char}`))}"`
    : path;
}

function readFile(path: string): string {
  try {
    return readFileSync(raw(path), 'latin1');
  } catch (error) {
    throw new GitError(`${path}: cannot be read: ${reasonOf(error)}`);
  }
}

function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code ?? message;
}

/** File names are bytes; so are our strings. */
function raw(path: string): Buffer {
  return Buffer.from(path, 'latin1');
}
