import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** One configuration to serve. Text is latin1, and `@DOCROOT@` in it stands for the case's document root. */
export interface ServedCase {
  readonly id: string;
  readonly conf: string;
  /** directory below the document root ('' is the root) → its `.htaccess` */
  readonly htaccess?: Readonly<Record<string, string>>;
  /** paths below the document root; each gets one line of text */
  readonly files?: readonly string[];
  /** An absolute document root that exists already; by default the server makes one. */
  readonly docroot?: string;
  /**
   * `conf` stands in the main server, which answers on a port of its own, and brings its virtual hosts along, `*:@PORT@`. All
   * such cases share that main server: what they say there must be about names that are theirs alone.
   */
  readonly inMain?: boolean;
  /** Further configuration files: paths below the document root → text. */
  readonly included?: Readonly<Record<string, string>>;
}

/** Writes the files and `.htaccess` files of a case. */
export function writeDocroot(
  docroot: string,
  { files = [], htaccess = {}, included = {} }: Pick<ServedCase, 'files' | 'htaccess' | 'included'>,
): void {
  const write = (path: string, text: string): void => {
    const file = join(docroot, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text, 'latin1');
  };
  mkdirSync(docroot, { recursive: true });
  for (const file of files) write(file, `${file}\n`);
  for (const [directory, text] of Object.entries(htaccess)) {
    write(join(directory, '.htaccess'), withDocroot(text, docroot));
  }
  for (const [path, text] of Object.entries(included)) write(path, withDocroot(text, docroot));
}

/** Text with the paths of a case, which lies in the document root of the main server: that is `@MAINROOT@`. */
export const withDocroot = (text: string, docroot: string): string =>
  text.replaceAll('@DOCROOT@', docroot).replaceAll('@MAINROOT@', dirname(docroot));

/** The `<VirtualHost>` of a case, with what stands around every case. */
export function virtualHost(port: number, host: string, docroot: string, confFile: string): string {
  return `<VirtualHost *:${port}>
ServerName ${host}
DocumentRoot "${docroot}"
DirectoryIndex index.html
<Directory "/">
AllowOverride None
Options FollowSymLinks
</Directory>
<Directory "${docroot}">
AllowOverride All
Options Indexes FollowSymLinks Includes ExecCGI
</Directory>
Include "${confFile}"
</VirtualHost>
`;
}
