import { readdirSync, statSync } from 'node:fs';
import type { Host } from './journal';

/** Bytes as node decodes them: this is before anything is known to be there. */
const NAME = 'httpd-codemod';

/** Where a user's journals are, as far as it can be told at no cost; see `statePlaces`. */
function likelyPlaces({ uid, env }: Pick<Host, 'uid' | 'env'>): string[] {
  const { XDG_STATE_HOME: xdg, HOME: home } = env;
  if (xdg !== undefined && xdg !== '') return xdg.startsWith('/') ? [`${xdg}/${NAME}`] : [];
  if (uid === 0) return [`/var/lib/${NAME}`];
  return home === undefined ? [] : [`${home}/.local/state/${NAME}`];
}

/** A write that is under way, or was interrupted. */
export interface PendingWrite {
  /** Real paths of the files that it is about, byte strings; undefined where that cannot be read. */
  readonly files: readonly string[] | undefined;
}

/** The writes of a user that are under way or were interrupted: what is read now may be half of one. For a run that only looks. */
export function pendingWrites(host: Pick<Host, 'uid' | 'env'>): readonly PendingWrite[] {
  return likelyPlaces(host).flatMap((place) => {
    try {
      if (statSync(`${place}/pending`, { throwIfNoEntry: false }) === undefined) return [];
      return readdirSync(`${place}/pending`).map((id) => ({ files: filesOf(`${place}/pending/${id}`) }));
    } catch {
      return [];
    }
  });
}

function filesOf(directory: string): readonly string[] | undefined {
  // Loaded on demand: most runs meet no such write.
  const { filesInJournal } = require('./journal') as typeof import('./journal');
  const { realOps } = require('./system') as typeof import('./system');
  try {
    return filesInJournal(realOps, directory);
  } catch {
    // A damaged journal, or one that has gone on meanwhile.
    return undefined;
  }
}
