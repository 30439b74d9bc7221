import { readdirSync, statSync } from 'node:fs';
import type { Host } from './place';

/** Bytes as node decodes them: this is before anything is known to be there. */
const NAME = 'httpd-codemod';

/** Where a user's journals are, as far as it can be told at no cost; see `statePlaces`. */
function likelyPlaces({ uid, env }: Pick<Host, 'uid' | 'env'>): string[] {
  const { XDG_STATE_HOME: xdg, HOME: home } = env;
  if (xdg !== undefined && xdg !== '') return xdg.startsWith('/') ? [`${xdg}/${NAME}`] : [];
  if (uid === 0) return [`/var/lib/${NAME}`];
  return home === undefined ? [] : [`${home}/.local/state/${NAME}`];
}

/** Whether a write is under way, or was interrupted: what is read now may be half of it. For a run that only looks. */
export function isWritePending(host: Pick<Host, 'uid' | 'env'>): boolean {
  return likelyPlaces(host).some((place) => {
    try {
      return (
        statSync(`${place}/pending`, { throwIfNoEntry: false }) !== undefined &&
        readdirSync(`${place}/pending`).length > 0
      );
    } catch {
      return false;
    }
  });
}
