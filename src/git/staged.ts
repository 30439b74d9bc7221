import { memory } from '../config';
import type { FileSource } from '../config/types';
import { GitError } from './error';
import { runGit, type GitContext, fields, git } from './git';

/** One file of the index: `mode` and `blob` as git writes them. */
export interface IndexEntry {
  readonly mode: string;
  readonly blob: string;
}

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
    this.top = git({ cwd, env }, ['rev-parse', '--show-toplevel']).replace(/\n$/, '');
    this.context = { cwd: this.top, env };
    this.entries = readIndex(this.context);
  }

  /** The files that the next commit adds or changes, relative to `top`; of a first commit all. */
  changed(): string[] {
    return fields(
      git(this.context, ['diff', '--cached', '--name-only', '--no-renames', '--diff-filter=d', '-z']),
    );
  }

  /** Of these paths (relative to `top`) those whose file in the work tree is not what is staged. */
  differing(paths: readonly string[]): Set<string> {
    if (paths.length === 0) return new Set();
    // A file that was only touched does not count as changed.
    runGit(this.context, ['update-index', '-q', '--refresh', '--unmerged', '--ignore-missing']);
    const changed = new Set(fields(git(this.context, ['diff-files', '--name-only', '-z'])));
    return new Set(paths.filter((path) => changed.has(path)));
  }

  /**
   * The staged texts under the paths that the files have on the disk. Nothing else is there: what a configuration includes from outside of
   * the repository is missing.
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
    files.fetch(blobs);
    for (const [path, blob] of links) links.set(path, files.textOf(blob));
    return memory(files, links);
  }
}

function readIndex(context: GitContext): Map<string, IndexEntry> {
  const entries = new Map<string, IndexEntry>();
  for (const line of fields(git(context, ['ls-files', '--stage', '-z']))) {
    const match = /^(\d+) ([0-9a-f]+) (\d)\t([^]*)$/.exec(line);
    if (match !== null && match[3] === '0') entries.set(match[4]!, { mode: match[1]!, blob: match[2]! });
  }
  return entries;
}

/** Path → blob id, read as path → text: a text is fetched when it is first asked for. */
class Blobs extends Map<string, string> {
  private readonly context: GitContext;
  private readonly texts = new Map<string, string>();

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

  /** @throws GitError for a blob that is not there */
  fetch(blobs: readonly string[]): void {
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
