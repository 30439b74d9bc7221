/** A release of httpd 2.4, as the N of 2.4.N. */
export type Release = number;

/** The first release of 2.4 for general use. */
export const FIRST: Release = 1;

/** The newest release that the facts cover: the target of a run by default. */
export const NEWEST: Release = 71;

/** The releases of 2.4 in which something is true. */
export interface LifeSpan {
  /** The first release in which it is; undefined where that is the first one of all. */
  readonly since?: Release;
  /** The last release in which it is; undefined where it still is. */
  readonly until?: Release;
}

/** Whether what has this life span is so in a release. One that is newer than any known is like the newest. */
export function livesIn({ since = FIRST, until = Infinity }: LifeSpan, release: Release): boolean {
  const known = Math.min(release, NEWEST);
  return since <= known && known <= until;
}

/** `2.4.37` for 37. */
export function nameOf(release: Release): string {
  return `2.4.${release}`;
}

/** The answer for a version that is not a release of 2.4. */
export interface NoRelease {
  /** What is wrong with it, for a message. */
  readonly problem: string;
}

/**
 * Reads a version as httpd writes it: `2.4.37`. The number may be newer than any known.
 * @returns undefined where it does not look like a version at all
 */
export function parseRelease(text: string): Release | NoRelease | undefined {
  if (!/^\d+(?:\.[\w-]+)*$/.test(text)) return undefined;
  const [, number] = /^2\.4\.(\d{1,4})$/.exec(text) ?? [];
  if (number !== undefined && Number(number) >= FIRST) return Number(number);
  if (/^2\.4(?:\.0*)?$/.test(text))
    return { problem: `which 2.4 is meant? Releases are ${nameOf(FIRST)} to ${nameOf(NEWEST)}` };
  if (/^2\.[0-3](?:\.|$)|^[01](?:\.|$)/.test(text))
    return { problem: 'configuration is rewritten for 2.4, not for an older version' };
  if (text.startsWith('2.4.')) return { problem: 'no release of 2.4 has that number' };
  return { problem: 'configuration is rewritten for 2.4 only' };
}
