import { spawnSync } from 'node:child_process';

export interface GitAnswer {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Git {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Runs git, whatever it answers. */
  tryGit(this: void, cwd: string, ...args: readonly string[]): GitAnswer;
  /** Runs git, and gives what it prints. @throws where it fails */
  git(this: void, cwd: string, ...args: readonly string[]): string;
}

/**
 * git as no configuration of this machine changes it, with a name to commit by.
 * @param state where the hooks that git runs keep their journals
 */
export function gitWith(state: string): Git {
  const env = {
    ...process.env,
    XDG_STATE_HOME: state,
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_SYSTEM: '/dev/null',
    GIT_AUTHOR_NAME: 'a',
    GIT_AUTHOR_EMAIL: 'a@example.org',
    GIT_COMMITTER_NAME: 'a',
    GIT_COMMITTER_EMAIL: 'a@example.org',
  };
  const tryGit: Git['tryGit'] = (cwd, ...args) => {
    const { status, stdout, stderr } = spawnSync('git', args, { cwd, env, encoding: 'utf8' });
    return { status, stdout, stderr };
  };
  return {
    env,
    tryGit,
    git(cwd, ...args) {
      const { status, stdout, stderr } = tryGit(cwd, ...args);
      if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`);
      return stdout;
    },
  };
}
