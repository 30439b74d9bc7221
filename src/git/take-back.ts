import type { IndexChange, UnrevertedEntry } from '../write';
import { GitError } from './error';
import { decodeName, git, type GitContext, gitLine, runGit } from './git';
import { shellWord } from '../shell-word';
import { readIndex } from './staged';

/**
 * Gives the entries of an index that are as a write has left them the blobs that they had before. It may be done again.
 * @returns what is left as it is, for the user
 * @throws GitError where git refuses, since another git is at work for instance: nothing has changed then
 */
export function takeBackStaged(change: IndexChange, env: GitContext['env']): UnrevertedEntry[] {
  let context: GitContext;
  try {
    context = contextOf(change, env);
  } catch (error) {
    if (error instanceof GitError) return [{ kind: 'failed', text: notTakenBackText(change, error.message) }];
    throw error;
  }
  const now = readIndex(context);
  const left: UnrevertedEntry[] = [];
  const since = change.entries.filter(({ path, before, after }) => {
    const blob = now.get(path)?.blob;
    return blob !== before && blob !== after;
  });
  if (since.length > 0)
    left.push({
      kind: 'changed',
      text: `${since.map(({ path }) => path).join(', ')}: something else has been staged since, and stays staged`,
    });
  const ours = change.entries.filter(({ path, after }) => now.get(path)?.blob === after);
  const gone = missingBlobs(context, ours);
  const lost = ours.filter(({ before }) => gone.has(before));
  if (lost.length > 0)
    left.push({
      kind: 'failed',
      text: notTakenBackText({ ...change, entries: lost }, 'git no longer has what was staged'),
    });
  const lines = ours
    .filter(({ before }) => !gone.has(before))
    .map(({ path, before }) => `${now.get(path)!.mode} ${before}\t${path}\0`);
  if (lines.length > 0) {
    git(context, ['update-index', '-z', '--index-info'], lines.join(''));
    // Otherwise git would treat each file as possibly changed.
    runGit(context, ['update-index', '-q', '--refresh']);
  }
  return left;
}

/** The line for a change that cannot be taken back: why, and the command that stages the files as they are. */
export function notTakenBackText({ top, entries }: IndexChange, reason: string): string {
  const command = ['git', '-C', top, 'add', '--', ...entries.map(({ path }) => path)];
  return `what is staged stays as it was written: ${reason}; ${command.map(shellWord).join(' ')} stages the files as they are`;
}

/** What leads git to another repository than the one of the work tree: a hook gets it for its own. */
const OF_ANOTHER = {
  GIT_DIR: undefined,
  GIT_WORK_TREE: undefined,
  GIT_COMMON_DIR: undefined,
  GIT_OBJECT_DIRECTORY: undefined,
};

/** @throws GitError where the repository is gone, or another stands there */
function contextOf({ top, repository, index }: IndexChange, env: GitContext['env']): GitContext {
  const given = { cwd: top, env: { ...env, GIT_INDEX_FILE: decodeName(index) } };
  const plain = { cwd: top, env: { ...given.env, ...OF_ANOTHER } };
  const ask = ['rev-parse', '--absolute-git-dir'];
  if (env['GIT_DIR'] !== undefined && runGit(given, ask).stdout === `${repository}\n`) return given;
  const found = gitLine(plain, ask);
  if (found !== repository) throw new GitError(`its repository was ${repository}, and is ${found} now`);
  return plain;
}

/** Blobs that were staged, and that git has removed since nothing refers to them any more. */
function missingBlobs(context: GitContext, entries: IndexChange['entries']): ReadonlySet<string> {
  if (entries.length === 0) return new Set();
  const asked = entries.map(({ before }) => `${before}\n`).join('');
  const lines = git(context, ['cat-file', '--batch-check'], asked).split('\n');
  return new Set(
    lines.flatMap((line) => (line.endsWith(' missing') ? [line.slice(0, -' missing'.length)] : [])),
  );
}
