import { readdirSync } from 'node:fs';
import type { Host, StateDirectory } from './journal';

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

/** The writes of a user under way or interrupted: what is read now may be half of one. For a run that only looks. */
export function pendingWrites(host: Pick<Host, 'uid' | 'env'>): readonly PendingWrite[] {
  return likelyPlaces(host).some(hasPending) ? readPending(host) : [];
}

function hasPending(place: string): boolean {
  try {
    return readdirSync(`${place}/pending`).length > 0;
  } catch {
    return false;
  }
}

function readPending(host: Pick<Host, 'uid' | 'env'>): readonly PendingWrite[] {
  // Loaded on demand: most runs meet no such write.
  const { filesInJournal, findPlace, listNames } = require('./journal') as typeof import('./journal');
  const { realOps } = require('./system') as typeof import('./system');
  const filesOf = (place: StateDirectory, id: string): readonly string[] | undefined => {
    try {
      return filesInJournal(realOps, place, `pending/${id}`);
    } catch {
      // A damaged journal, or one that has gone on meanwhile.
      return undefined;
    }
  };
  let place: StateDirectory | undefined;
  try {
    place = findPlace(realOps, host);
    if (place === undefined) return [];
    const found = place;
    return listNames(realOps, `${place.at}/pending`).map((id) => ({ files: filesOf(found, id) }));
  } catch {
    // Nothing that anybody else has put there is looked at.
    return [];
  } finally {
    place?.close();
  }
}
