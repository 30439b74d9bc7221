import { dirname } from '../config';
import type { CollectedServer, Owned } from './collected';
import { type TarFile, writeTar } from './write-tar';

/** What a run has made of a collected server. */
export interface ConvertedServer {
  readonly server: CollectedServer;
  /** Real path → new text. */
  readonly texts: ReadonlyMap<string, string>;
  /** The files that httpd reads: real paths. */
  readonly read: ReadonlySet<string>;
  /** The `.htaccess` files, which belong to the directories of sites. */
  readonly htaccess: ReadonlySet<string>;
  /** The script that puts the files on a server. */
  readonly installer: string;
  /** The script that does the other steps of the move, and merges the configuration into that of a new server. */
  readonly steps: string;
}

/** What starts httpd, as far as it is no configuration: that of a new server is its own. */
const START = /^\/etc\/(?:sysconfig|default|conf\.d|init\.d|rc\.d)\/|^\/etc\/rc\.conf$|\/config\.nice$/;

/** Debian's, whose variables the configuration may use: `steps.sh` looks there for what the new server's lack. */
const VARIABLES = /\/envvars$/;

/**
 * The tar of a converted server: `install.sh`; `steps.sh`, which it runs; `LIST` of what it puts where, for whom; `files` as they
 * are to be; and `before`, as those were that have changed, to know them again.
 */
export function convertedTar(
  { server, texts, read, htaccess, installer, steps }: ConvertedServer,
  isCompressed: boolean,
): Buffer {
  const files = [...server.files.keys()].filter((path) => read.has(path) || !START.test(path)).sort();
  const row = (kind: string, path: string, { mode, owner, group }: Owned): string =>
    `${[kind, octalMode(mode), owner, group, path].join('\t')}\n`;
  const rowFor = (kind: string, path: string, otherwise: string): string =>
    row(kind, path, server.owned.get(path) ?? { mode: otherwise, owner: '0', group: '0' });
  const directories = new Set<string>();
  // In Debian's mods-enabled there are links alone.
  const home = `${dirname(server.config)}/`;
  const linked = [...server.links.keys()].filter((path) => path.startsWith(home));
  for (const path of [...files, ...linked])
    if (!htaccess.has(path))
      for (let at = dirname(path); at !== '/' && !directories.has(at); at = dirname(at)) directories.add(at);
  const links = [...server.links].filter(([path]) => directories.has(dirname(path)));
  const kindOf = (path: string): string => {
    if (htaccess.has(path)) return 'a';
    return VARIABLES.test(path) && !read.has(path) ? 's' : 'f';
  };
  const list = [
    ...[...directories].sort().map((path) => rowFor('d', path, 'drwxr-xr-x')),
    ...files.map((path) => rowFor(kindOf(path), path, '-rw-r--r--')),
    ...links.map(([path, target]) => `l\t${target}\t-\t-\t${path}\n`),
  ];
  const top = 'converted';
  const contents: TarFile[] = [
    { name: `${top}/install.sh`, text: installer, isProgram: true },
    { name: `${top}/steps.sh`, text: steps, isProgram: true },
    { name: `${top}/LIST`, text: list.join('') },
    { name: `${top}/MANIFEST`, text: server.manifest },
  ];
  for (const path of files) {
    const before = server.files.get(path)!;
    const text = texts.get(path);
    contents.push({ name: `${top}/files${path}`, text: text ?? before });
    if (text !== undefined) contents.push({ name: `${top}/before${path}`, text: before });
  }
  return writeTar(contents, isCompressed);
}

/** `-rw-r--r--` as 0644. What is executed as its owner, or is everybody's, is not made so anew. */
function octalMode(mode: string): string {
  const bits = Array.from(mode.slice(1, 10), (letter, i) =>
    letter === '-' || (i % 3 === 2 && /[ST]/.test(letter)) ? 0 : 1,
  );
  const digit = (at: number): number => bits[at]! * 4 + bits[at + 1]! * 2 + bits[at + 2]!;
  return `0${digit(0)}${digit(3)}${digit(6)}`;
}
