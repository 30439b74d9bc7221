import { findDirective } from '../../../httpd/directives';
import { join } from '../../source';
import { likelyTops } from './bases';
import { type ConfigFile, type FileSource, SourceError } from '../../types';
import { type Document, walk } from '../../../syntax';

/** Where servers keep their configuration, seen from a directory above it; nearest first. `*` is any directory. */
const PLACES = [
  '', 'conf', 'docs/conf', 'etc', 'apache2', 'apache', 'apache22', 'httpd', 'apache2/conf', 'apache/conf', 'httpd/conf', 'etc/apache2', 'etc/httpd',
  'etc/httpd/conf', 'etc/apache2/conf', 'etc/apache', 'etc/apache/conf', 'etc/apache22', 'usr/local/apache2/conf', 'usr/local/apache/conf',
  'local/etc/apache22', 'usr/local/etc/apache22', 'usr/local/etc/apache2/2.2', 'usr/local/apache22/conf', 'usr/pkg/etc/httpd',
  'etc/apache2/2.2', 'usr/apache2/2.2/conf', 'opt/local/apache2/conf', 'opt/apache2/conf', 'xampp/apache/conf', 'xampp/etc', 'lampp/etc', 'opt/lampp/etc', 'private/etc/apache2',
  'wamp/bin/apache/*/conf', 'bin/apache/*/conf', 'Apache2.2/conf', 'Apache Software Foundation/Apache2.2/conf',
  'Program Files/Apache Software Foundation/Apache2.2/conf', 'Program Files (x86)/Apache Software Foundation/Apache2.2/conf',
  'conf/apache', 'MAMP/conf/apache', 'Applications/MAMP/conf/apache',
]; // prettier-ignore

/** The main file's usual names. Debian has both, and its apache2.conf includes httpd.conf. */
const NAMES = ['apache2.conf', 'httpd.conf', 'httpd2.conf'];

/** What a source package ships in its place. */
const TEMPLATES = ['httpd.conf.in', 'httpd-std.conf.in', 'apache2.conf.in', 'httpd.conf-dist'];

/** The files that may be the server config of a directory: those in the first of the usual places that has any. */
export function mainFiles(source: FileSource, directory: string): string[] {
  for (const subdirectory of PLACES.flatMap((place) => directoriesAt(source, directory, place))) {
    for (const names of [NAMES, TEMPLATES]) {
      const found = names
        .map((name) => join(subdirectory, name))
        .filter((path) => source.kind(path) === 'file');
      if (found.length > 0) return found;
    }
  }
  return mainFilesOfCopy(source, directory);
}

/** So many directories are looked into for a server config that is in none of the usual places. */
const MAX_SEARCHED = 500;
/** Bytes of a larger file, which nobody reads on the way to another. */
const MAX_MAIN = 4 * 1024 * 1024;

/** The main files of a copy that lie where their ServerRoot says: `/copy/home/a/httpd/conf/httpd.conf` of `/home/a/httpd`. */
function mainFilesOfCopy(source: FileSource, top: string): string[] {
  let level = [top];
  for (let searched = level.length; searched <= MAX_SEARCHED && level.length > 0; searched += level.length) {
    for (const directory of level) {
      const found = NAMES.map((name) => join(directory, name)).filter((path) =>
        isAtItsRoot(source, top, path),
      );
      if (found.length > 0) return found;
    }
    level = level.flatMap((directory) => subdirectories(source, directory));
  }
  return [];
}

function isAtItsRoot(source: FileSource, top: string, path: string): boolean {
  if (source.kind(path) !== 'file') return false;
  const written = /^[ \t]*ServerRoot[ \t]+"?(\/[^" \t\r\n]*)/im.exec(beginningOf(source, path))?.[1];
  const root = written?.replace(/\/$/, '');
  const directory = path.slice(0, path.lastIndexOf('/'));
  return root !== undefined && [`${top}${root}/conf`, `${top}${root}`].includes(directory);
}

function beginningOf(source: FileSource, path: string): string {
  try {
    return (source.stat?.(path)?.size ?? 0) > MAX_MAIN ? '' : source.read(path).slice(0, PROBE);
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    return '';
  }
}

/** The directories of servers' configurations below a directory, where packages and copies of servers have them. */
export function serversBelow(source: FileSource, directory: string): string[] {
  const [main] = mainFiles(source, directory);
  return main === undefined ? [] : [likelyTops(main).at(-1)!];
}

/** The directories of a place; the first name of a `*` comes first, as servers of several releases stand side by side. */
function directoriesAt(source: FileSource, directory: string, place: string): string[] {
  let found = [directory];
  for (const part of place === '' ? [] : place.split('/'))
    found = found.flatMap((path) => (part === '*' ? subdirectories(source, path) : [join(path, part)]));
  return found;
}

function subdirectories(source: FileSource, directory: string): string[] {
  if (source.kind(directory) !== 'directory') return [];
  try {
    const names = source.list(directory).map(({ name }) => join(directory, name));
    return names.filter((path) => source.kind(path) === 'directory').sort();
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    return [];
  }
}

/** True for a main file's name, whatever a template or a package puts behind it: it is the whole of a server. */
export function hasMainName(path: string): boolean {
  const base = path.slice(path.lastIndexOf('/') + 1);
  return NAMES.some((name) => base.startsWith(name));
}

/** Whether a file may wait to be renamed to `.htaccess`, by its name: `htaccess.txt`, `_.htaccess`, `ht.access` (of MODX). */
export function hasSpareAccessName(path: string): boolean {
  return /(?:^|[._-])ht\.?access\b/i.test(path.slice(path.lastIndexOf('/') + 1));
}

/** Whether a file waits to be renamed to `.htaccess`, by its name and what it holds. */
export function isSpareAccessFile({ path, document }: Pick<ConfigFile, 'path' | 'document'>): boolean {
  return hasSpareAccessName(path) && !holdsServerSection(document);
}

const SERVER_SECTIONS = new Set([
  'authnprovideralias', 'authzprovideralias', 'directory', 'directorymatch', 'location', 'locationmatch', 'proxy', 'proxymatch', 'virtualhost',
]); // prettier-ignore

/** Whether a file has a section that no `.htaccess` may have: it is a part of a server, whatever it is called. */
export function holdsServerSection({ body }: Document): boolean {
  for (const [node] of walk(body)) if (node.kind === 'section' && SERVER_SECTIONS.has(node.key)) return true;
  return false;
}

const PART =
  /\/(?:conf\.d|conf\.modules\.d|extra|(?:mods|sites|conf)-(?:available|enabled)|vhosts?(?:\.d)?|templates?)\/(?:.*\/)?[^/]+$|\/(?:httpd-)?(?:ssl|nss|ports|vhosts?)\.conf[^/]*$/;

/** Whether a file that a run begins with is one that others include, by its place or name. */
export function isPart(path: string): boolean {
  return PART.test(path) && !hasMainName(path);
}

/** How much of a file is looked at, in characters. */
const PROBE = 64 * 1024;
const BINARY_PROBE = 8 * 1024;
/** A byte order mark, as bytes. */
const BOM = '\xEF\xBB\xBF';

const SECTION =
  /^[ \t]*<(?:AuthnProviderAlias|AuthzProviderAlias|Directory|DirectoryMatch|Files|FilesMatch|If|IfDefine|IfModule|IfVersion|Limit|LimitExcept|Location|LocationMatch|Macro|Perl|Proxy|ProxyMatch|RequireA(?:ll|ny)|RequireNone|VirtualHost)(?:[ \t][^\r\n]*)?>/im;

/** Directives of well known modules that httpd does not ship. */
const THIRD_PARTY =
  /^(?:php_(?:admin_)?(?:flag|value)|(?:fastcgi|fcgid|jk|modsec|nss|passenger|perl|python|wsgi)[a-z]+|sec(?:audit|filter|rule)[a-z]*)$/i;

/** Names that are plain words: other programs use them too, so they count only with a capital letter. */
const PLAIN = /^(?:[A-Z][a-z]*|KeepAlive|TimeOut)$/;
const COMMON_WORDS = new Set(['Error', 'Example', 'Port', 'Protocol', 'Session']);

/** Blocks in braces, ini sections, XML: no httpd configuration. */
const FOREIGN = /^[ \t]*(?:[^#\r\n]*\{[ \t]*(?:#[^\r\n]*)?|\[[^\]\r\n]*\][ \t]*)\r?$/m;
/** ProFTPD's configuration is httpd's in all but these. */
const FTP = /^[ \t]*(?:<Anonymous[ \t]|(?:AuthPAM|DefaultRoot|MaxInstances|PassivePorts|ServerType)[ \t])/im;

export function isBinary(text: string): boolean {
  return text.slice(0, BINARY_PROBE).includes('\0');
}

/** A cheap guess, for files that are known by their name or place only. Comments alone are no configuration. */
export function looksLikeConfig(text: string): boolean {
  const probe = text.slice(text.startsWith(BOM) ? BOM.length : 0, PROBE);
  if (isBinary(text) || /^(?:[ \t\r\n]*<[?!]|#![ \t]*\/)/.test(probe) || FTP.test(probe)) return false;
  return SECTION.test(probe) || (!FOREIGN.test(probe) && hasDirective(probe));
}

/** What a private key begins with in each of the usual forms, behind a text that is cheap to look for. */
const PRIVATE_KEYS: readonly (readonly [string, RegExp])[] = [
  ['PRIVATE KEY', /^-{4,5} ?BEGIN (?:[A-Z\d]+ )*PRIVATE KEY(?: BLOCK)? ?-{4,5}/m],
  ['PuTTY-User-Key-File', /^PuTTY-User-Key-File-\d/m],
];

/** The file is something that no server reads as configuration, and that no report may quote. */
export const NOT_CONFIG = 'ENOTCONFIG';

/**
 * Why a text may not be read on: what it holds would end up in findings.
 * @param isPlanted whether a link leads there that neither root nor the file's owner has made; undefined where none does
 */
export function whyNotConfig(text: string, isPlanted?: () => boolean): string | undefined {
  if (PRIVATE_KEYS.some(([mark, pattern]) => text.includes(mark) && pattern.test(text)))
    return 'a private key, not a configuration: not read';
  if (isPlanted === undefined) return undefined;
  if (/^[ \t\r\n]*$/.test(text) || hasDirective(text) || SECTION.test(text.slice(0, PROBE)) || !isPlanted())
    return undefined;
  return 'reached through a link of another user than its owner, and no configuration: not read';
}

/** True where some line begins as a directive of httpd or of a well known module does. */
export function hasDirective(text: string): boolean {
  for (const [, name = '', rest = ''] of text
    .slice(0, PROBE)
    .matchAll(/^[ \t]*([A-Za-z]\w*)([ \t][^\r\n]*)?\r?$/gm)) {
    if (isDirective(name) && !/^[ \t]*=|;[ \t]*$/.test(rest)) return true;
  }
  return false;
}

function isDirective(word: string): boolean {
  const known = findDirective(word)?.name;
  if (known === undefined) return THIRD_PARTY.test(word);
  return !PLAIN.test(known) || (/^[A-Z]/.test(word) && !COMMON_WORDS.has(known));
}
