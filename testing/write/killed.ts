import type { Services } from '../../src/cli';
import type { Host, IndexOps } from '../../src/write';
import { faultyOps, Killed } from './faulty';
import { indexesOf, openTestStore, testHost } from './store';

/** More than any process has: for a run that is to count as dead. */
export const DEAD_PID = 99_999_999;

/** The indexes of git, for a run that asks nothing of them once it is killed. */
export function indexesUntil(isKilled: () => boolean, env: Host['env']): IndexOps {
  const real = indexesOf(env);
  return {
    ...real,
    takeBack(change) {
      if (isKilled()) throw new Killed();
      return real.takeBack(change);
    },
  };
}

/**
 * What the command line needs to write, for a run that is killed when its journal is to say that all is done: all files are in
 * place then, and nothing that the run would do afterwards happens.
 * @param env what git is given
 * @param hasLinks whether files can have a second name
 */
export function killedStoreIn(
  state: string,
  env: Host['env'] = {},
  { hasLinks = true }: { readonly hasLinks?: boolean } = {},
): Services['openStore'] {
  return async (options) => {
    let isKilled = false;
    const ops = faultyOps(undefined, (name, _, [from, to]) => {
      isKilled ||= name === 'rename' && String(to).includes('/done/');
      if (isKilled) throw new Killed();
      if (name === 'link' && !hasLinks && !String(from).includes('/lock/'))
        throw Object.assign(new Error('EPERM'), { code: 'EPERM' });
    });
    const indexes = indexesUntil(() => isKilled, env);
    return openTestStore(state, { ...options, ops, indexes, host: testHost(state, { pid: DEAD_PID }) });
  };
}
