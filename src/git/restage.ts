import { copyFileSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { GitError } from './error';
import { runGit, type GitContext, git } from './git';
import type { Staged } from './staged';

/**
 * Puts new texts into the index and into the work tree, which must hold what is staged. The index changes at once for all of them; git
 * then writes the files, with the filters and line ends that it is set to.
 * @param texts path relative to the top → text
 * @param stage false: into the work tree only
 * @throws GitError; where the index refuses, nothing has changed
 */
export function restage(
  { top, entries }: Staged,
  env: GitContext['env'],
  texts: ReadonlyMap<string, string>,
  stage: boolean,
): void {
  const context = { cwd: top, env };
  // The index of `git commit PATH`: the commit would take the new text, and the next one take it back.
  if (stage && /(?:^|\/)next-index-\d+\.lock$/.test(env['GIT_INDEX_FILE'] ?? ''))
    throw new GitError('git commit with paths stages aside: stage the files, then commit without paths');
  let info = '';
  for (const [path, text] of texts) {
    const blob = git(context, ['hash-object', '-w', '--stdin'], text).trim();
    info += `${entries.get(path)?.mode ?? '100644'} ${blob}\t${path}\0`;
  }
  const names = [...texts.keys()].map((path) => `${path}\0`).join('');
  withIndex(context, stage, (indexContext) => {
    git(indexContext, ['update-index', '-z', '--index-info'], info);
    git(indexContext, ['checkout-index', '--force', '-q', '-z', '--stdin'], names);
  });
  // Otherwise git would treat each file as possibly changed.
  runGit(context, ['update-index', '-q', '--refresh']);
}

/** Works on the index itself, or on a copy that is gone afterwards. */
function withIndex(context: GitContext, inPlace: boolean, work: (context: GitContext) => void): void {
  if (inPlace) {
    work(context);
    return;
  }
  const index = resolve(context.cwd, git(context, ['rev-parse', '--git-path', 'index']).replace(/\n$/, ''));
  const copy = `${index}-httpd-codemod`;
  try {
    copyFileSync(Buffer.from(index, 'latin1'), Buffer.from(copy, 'latin1'));
    work({
      cwd: context.cwd,
      env: { ...context.env, GIT_INDEX_FILE: Buffer.from(copy, 'latin1').toString('utf8') },
    });
  } finally {
    rmSync(Buffer.from(copy, 'latin1'), { force: true });
  }
}
