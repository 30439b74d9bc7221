import type { Site } from './plan';

/** Where things are on a generated server. */
export interface Places {
  /** What every path of the server's begins with: empty for the paths of a real machine. */
  readonly top: string;
  /** The port that is listened on. */
  readonly port: number;
  /** The directory of the modules' files, as the layout has it if undefined. */
  readonly modules: string | undefined;
  /** The account that the server runs as, as the layout has it if undefined. */
  readonly account: { readonly user: string; readonly group: string } | undefined;
  /** Where processes, locks and logs leave their files, as the layout has it if undefined. */
  readonly run: string | undefined;
}

/** Absolute path → text. */
export type Files = Map<string, string>;

/** How a distribution or a control panel lays a hosting server out. */
export interface Layout {
  readonly name: string;
  /** The file that httpd is started with. */
  main(places: Places): string;
  /** What the virtual hosts of the server are for. */
  address(places: Places): string;
  /** The directories that sites' files are in. */
  served(places: Places): readonly string[];
  documentRoot(places: Places, site: Pick<Site, 'name' | 'user'>): string;
  passwords(places: Places, user: string): string;
  /** The server's own configuration. */
  configuration(places: Places, sites: readonly Site[]): Files;
  /** Paths that no site has, on every site: as asked, and the file that is served, if one is. */
  stock(places: Places): readonly { readonly uri: string; readonly filename: string }[];
}

export const text = (...lines: readonly string[]): string => `${lines.join('\n')}\n`;

export const indented = (lines: readonly string[], by = '    '): readonly string[] =>
  lines.map((line) => by + line);

/**
 * What administrators add to the configuration of a site.
 * @param homes users' directories are reached through other hosts too, where the site's own sections do not count
 */
export function extraLines(site: Site, root: string, passwords: string, homes: boolean): readonly string[] {
  switch (site.extra) {
    case 'none':
      return [];
    case 'stats':
      return [
        `Alias /webstat "${root}/webstat-data"`,
        '<Location /webstat>',
        '    Order deny,allow',
        '    Deny from all',
        '    Allow from 10.1.0.0/16',
        '</Location>',
      ];
    case 'office':
      return [
        `<Directory "${root}/intranet">`,
        '    AuthType Basic',
        '    AuthName "Office"',
        `    AuthUserFile ${passwords}`,
        '    Require valid-user',
        '    Order deny,allow',
        '    Deny from all',
        '    Allow from 10.2.0.0/16',
        ...(homes ? [] : ['    Satisfy Any']),
        '</Directory>',
      ];
    case 'locked':
      return [`<Directory "${root}/data">`, '    Order allow,deny', '    Deny from all', '</Directory>'];
  }
}
