import { checkSize, memory } from '../config';
import { type FileSource, SourceError } from '../config/types';
import { GitError } from './error';
import { runGit, type GitContext, fields, git, gitLine } from './git';

/** One file of the index: `mode` and `blob` as git writes them. */
export interface IndexEntry {
  readonly mode: string;
  readonly blob: string;
  /** Git does not look whether the work tree holds the same (assume-unchanged, skip-worktree). */
  readonly unwatched: boolean;
}

/** What stands in the index in the place of the text itself, by its first bytes. */
const STAND_INS = [
  ['\0GITCRYPT\0', 'git-crypt has encrypted what is staged: not read'],
  ['version https://git-lfs.github.com/spec/', 'staged is a pointer of git-lfs, not the text: not read'],
] as const;

/** Bytes of the smallest files, fetched before anything asks: more than most repositories have in configuration. */
const MAX_AHEAD = 32 * 1024 * 1024;

const LINK = '120000';
const SUBMODULE = '160000';

/** What is staged: the index as a file system, with the repository where it stands on the disk. */
export class Staged {
  /** The top of the work tree, absolute, a byte string. */
  readonly top: string;
  /** By path, relative to `top`. */
  readonly entries: ReadonlyMap<string, IndexEntry>;
  private readonly context: GitContext;

  /** @throws GitError outside of a work tree */
  constructor(cwd: string, env: GitContext['env']) {
    checkNotBare({ cwd, env });
    this.top = gitLine({ cwd, env }, ['rev-parse', '--show-toplevel']);
    this.context = { cwd: this.top, env };
    this.entries = readIndex(this.context);
  }

  /** The files that the next commit adds or changes, relative to `top`; of a first commit all. */
  changed(): string[] {
    return fields(
      git(this.context, ['diff', '--cached', '--name-only', '--no-renames', '--diff-filter=d', '-z']),
    );
  }

  /** The staged files that a path (absolute) stands for, relative to `top`: the file itself, or all below a directory. */
  filesAt(path: string): string[] {
    const isAt = (name: string): boolean => name === path || path === '/' || name.startsWith(`${path}/`);
    return [...this.entries]
      .filter(([name, { mode }]) => mode !== SUBMODULE && isAt(`${this.top}/${name}`))
      .map(([name]) => name);
  }

  /** The paths (relative to `top`) whose file in the work tree is not what is staged. */
  differing(paths: readonly string[]): Set<string> {
    if (paths.length === 0) return new Set();
    // A file that was only touched does not count as changed.
    runGit(this.context, ['update-index', '-q', '--refresh', '--unmerged', '--ignore-missing']);
    const changed = new Set(fields(git(this.context, ['diff-files', '--name-only', '-z'])));
    return new Set(paths.filter((path) => changed.has(path) || this.entries.get(path)?.unwatched === true));
  }

  /**
   * The staged texts under the paths that the files have on the disk. Nothing else is there: what a configuration includes from
   * outside of the repository is missing.
   * @param expect which paths (relative to `top`) will surely be read: they are fetched at once
   */
  source(expect: (path: string) => boolean): FileSource {
    const files = new Blobs(this.context);
    const links = new Map<string, string>();
    const blobs: string[] = [];
    for (const [path, { mode, blob }] of this.entries) {
      if (mode === SUBMODULE) continue;
      if (mode === LINK) links.set(`${this.top}/${path}`, blob);
      else files.set(`${this.top}/${path}`, blob);
      if (mode === LINK || expect(path)) blobs.push(blob);
    }
    files.fetchFew(blobs);
    for (const [path, blob] of links) links.set(path, files.textOf(blob));
    const source = memory(files, links);
    return {
      ...source,
      stat: (path) => ({ size: files.sizeOf(path), inode: undefined }),
      read(path) {
        checkSize(path, files.sizeOf(path));
        const text = source.read(path);
        const standIn = STAND_INS.find(([start]) => text.startsWith(start));
        if (standIn !== undefined) throw new SourceError(path, 'EBINARY', standIn[1]);
        return text;
      },
    };
  }

  /** Whether the index still has these entries for these paths (relative to `top`). @throws GitError */
  stillHas(paths: Iterable<string>): boolean {
    const now = readIndex(this.context);
    return [...paths].every((path) => now.get(path)?.blob === this.entries.get(path)?.blob);
  }
}

/** @throws GitError in a bare repository, where nothing is staged */
export function checkNotBare(context: GitContext): void {
  if (runGit(context, ['rev-parse', '--is-bare-repository']).stdout !== 'true\n') return;
  throw new GitError(
    `${context.cwd}: this repository is bare, so that nothing is committed in it: call the hook in a clone or a work tree of it`,
  );
}

/** The entries that are in no conflict, by path relative to the top. @throws GitError */
export function readIndex(context: GitContext): Map<string, IndexEntry> {
  const entries = new Map<string, IndexEntry>();
  for (const line of fields(git(context, ['ls-files', '--stage', '-v', '-z']))) {
    const match = /^(.) (\d+) ([0-9a-f]+) (\d)\t([^]*)$/.exec(line);
    if (match === null || match[4] !== '0') continue;
    entries.set(match[5]!, { mode: match[2]!, blob: match[3]!, unwatched: match[1] !== 'H' });
  }
  return entries;
}

/** Path → blob id, read as path → text: a text is fetched when it is first asked for. */
class Blobs extends Map<string, string> {
  private readonly context: GitContext;
  private readonly texts = new Map<string, string>();
  /** Bytes, by blob id. */
  private readonly sizes = new Map<string, number>();

  constructor(context: GitContext) {
    super();
    this.context = context;
  }

  override get(path: string): string | undefined {
    const blob = super.get(path);
    return blob === undefined ? undefined : this.textOf(blob);
  }

  textOf(blob: string): string {
    if (!this.texts.has(blob)) this.fetch([blob]);
    return this.texts.get(blob) ?? '';
  }

  /** Bytes; 0 where there is no such file. */
  sizeOf(path: string): number {
    const blob = super.get(path);
    if (blob === undefined) return 0;
    if (!this.sizes.has(blob)) this.askSizes([blob]);
    return this.sizes.get(blob) ?? 0;
  }

  /**
   * Fetches the smallest of these at once, so that one git answers for most files.
   * @throws GitError for a blob that is not there
   */
  fetchFew(blobs: readonly string[]): void {
    this.askSizes(blobs);
    const size = (blob: string): number => this.sizes.get(blob) ?? 0;
    let left = MAX_AHEAD;
    this.fetch([...blobs].sort((a, b) => size(a) - size(b)).filter((blob) => (left -= size(blob)) >= 0));
  }

  private askSizes(blobs: readonly string[]): void {
    if (blobs.length === 0) return;
    const output = git(
      this.context,
      ['cat-file', '--batch-check'],
      blobs.map((blob) => `${blob}\n`).join(''),
    );
    for (const line of output.split('\n')) {
      const [blob = '', kind, size] = line.split(' ');
      if (kind === 'blob') this.sizes.set(blob, Number(size));
    }
  }

  /** @throws GitError for a blob that is not there */
  private fetch(blobs: readonly string[]): void {
    const missing = [...new Set(blobs)].filter((blob) => !this.texts.has(blob));
    if (missing.length === 0) return;
    const output = git(this.context, ['cat-file', '--batch'], missing.map((blob) => `${blob}\n`).join(''));
    let at = 0;
    for (const blob of missing) {
      const lf = output.indexOf('\n', at);
      const [, kind, size] = output.slice(at, lf).split(' ');
      if (kind !== 'blob') throw new GitError(`git cat-file: ${output.slice(at, lf)}`);
      this.texts.set(blob, output.slice(lf + 1, lf + 1 + Number(size)));
      at = lf + 1 + Number(size) + 1;
    }
  }
}
