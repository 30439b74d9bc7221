import { drawFrom } from './draw';
import { applicationFiles, denyLists, passwordFile } from './htaccess';

/** How much a hosting server holds. */
export interface Size {
  readonly sites: number;
  /** `.htaccess` files of the applications and of the customers. */
  readonly accessFiles: number;
  /** Directories that ask for a password, in a `.htaccess` each, beside these. */
  readonly passwords: number;
}

/** From a small office to a machine full of customers. */
export const SIZES: readonly Size[] = [
  { sites: 3, accessFiles: 10, passwords: 2 },
  { sites: 40, accessFiles: 200, passwords: 6 },
  { sites: 200, accessFiles: 2000, passwords: 60 },
  { sites: 1500, accessFiles: 20_000, passwords: 300 },
];

/** A customer's site, whatever the layout of the server. */
export interface Site {
  readonly name: string;
  readonly user: string;
  /** What the administrator keeps about it in the server's own configuration. */
  readonly extra: 'none' | 'stats' | 'office' | 'locked';
  /** By directory below the document root, empty for the root itself. */
  readonly accessFiles: ReadonlyMap<string, string>;
}

const EXTRAS: readonly Site['extra'][] = [
  'none',
  'none',
  'none',
  'stats',
  'none',
  'office',
  'none',
  'locked',
];

/**
 * Sites with their `.htaccess` files.
 * @param passwordsOf the file that a user's accounts are in
 */
export function planSites(size: Size, seed: number, passwordsOf: (user: string) => string): readonly Site[] {
  const draw = drawFrom(seed);
  const sites = Array.from({ length: size.sites }, (_, i) => ({
    name: `site${i}.example`,
    user: `user${i}`,
    extra: EXTRAS[draw(EXTRAS.length)]!,
    accessFiles: new Map<string, string>(),
  }));
  const put = (
    { accessFiles }: { accessFiles: Map<string, string> },
    directory: string,
    text: string,
  ): void => {
    let free = directory;
    for (let n = 2; accessFiles.has(free); n++) free = `${directory === '' ? 'old' : directory}${n}`;
    accessFiles.set(free, text);
  };
  let left = size.accessFiles;
  // The first sites of a machine have their applications; what is over is the customers' own.
  for (const site of sites)
    for (const [directory, text] of applicationFiles(draw, site.name))
      if (left > size.accessFiles / 2) {
        put(site, directory, text);
        left--;
      }
  for (; left > 0; left--) {
    const { directory, text } = denyLists[draw(denyLists.length)]!;
    const above = ['', '', 'shop/', 'blog/', 'old/shop/'][draw(5)]!;
    put(sites[draw(sites.length)]!, `${above}${directory}`, text(draw));
  }
  for (let i = 0; i < size.passwords; i++) {
    const site = sites[draw(sites.length)]!;
    const directory = ['staff', 'admin', 'stats', 'shop/admin', 'private/board'][draw(5)]!;
    put(site, directory, passwordFile(draw, passwordsOf(site.user)));
  }
  return sites;
}
