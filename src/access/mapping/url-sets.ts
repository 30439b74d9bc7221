import { startsOf } from '../../regex';
import { hasPlaceholder } from '../../syntax';
import { locationsMeet } from '../primitives';

export type UrlSet =
  | { readonly kind: 'path'; readonly path: string }
  /** All that begin with a text, perhaps with capitals for its small letters. */
  | { readonly kind: 'start'; readonly text: string; readonly ignoresCase: boolean };

export const ALL_URLS: UrlSet = { kind: 'path', path: '' };

/** All URLs that a regex matches lie in one of these. Those of a forward proxy begin with a scheme. */
export function urlsMatching(regex: string): readonly UrlSet[] {
  if (hasPlaceholder(regex)) return [ALL_URLS];
  return startsOf(regex).map(({ text, ignoresCase, isWhole }): UrlSet => {
    if (text === '' || text === '/') return ALL_URLS;
    return !ignoresCase && text.startsWith('/') && (isWhole || text.endsWith('/'))
      ? { kind: 'path', path: text.replace(/\/+$/, '') }
      : { kind: 'start', text, ignoresCase };
  });
}

/** What every URL, or name of a directory, begins with that a regex matches: one of these. */
export function pathStarts(regex: string): readonly string[] {
  return hasPlaceholder(regex) ? [''] : startsOf(regex).map(({ text }) => text);
}

/** Whether a URL can lie in both. */
export function urlsMeet(a: UrlSet, b: UrlSet): boolean {
  if (a === ALL_URLS || b === ALL_URLS) return true;
  if (a.kind === 'path' && b.kind === 'path') return locationsMeet(a.path, b.path);
  return startsMeet(smallStart(a), smallStart(b));
}

/** What the URLs of a set begin with, in small letters. */
export function smallStart(urls: UrlSet): string {
  return (urls.kind === 'path' ? urls.path : urls.text).toLowerCase();
}

/** Whether one path can begin with both; a regex may not tell capitals from small letters. */
export function startsMeet(a: string, b: string): boolean {
  const [smallA, smallB] = [a.toLowerCase(), b.toLowerCase()];
  return smallA.startsWith(smallB) || smallB.startsWith(smallA);
}
