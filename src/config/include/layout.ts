import { join } from '../source';
import type { FileSource } from '../types';

/** Where servers keep their configuration, seen from a directory somewhere above it; nearest first. */
const PLACES = [
  '', 'conf', 'docs/conf', 'etc', 'apache2', 'apache', 'httpd', 'apache2/conf', 'apache/conf', 'httpd/conf', 'etc/apache2', 'etc/httpd',
  'etc/httpd/conf', 'etc/apache2/conf', 'etc/apache', 'etc/apache/conf', 'etc/apache22', 'usr/local/apache2/conf', 'usr/local/apache/conf',
  'usr/local/etc/apache22', 'opt/apache2/conf',
]; // prettier-ignore

/** The main file's usual names. Debian has both, and its apache2.conf includes httpd.conf. */
const NAMES = ['apache2.conf', 'httpd.conf', 'httpd2.conf'];

/** What a source package ships in its place. */
const TEMPLATES = ['httpd.conf.in', 'httpd-std.conf.in', 'apache2.conf.in', 'httpd.conf-dist'];

/** The files that may be the server config of a directory: those in the first of the usual places that has any. */
export function mainFiles(source: FileSource, directory: string): string[] {
  for (const place of PLACES) {
    const here = place === '' ? directory : join(directory, place);
    for (const names of [NAMES, TEMPLATES]) {
      const found = names.map((name) => join(here, name)).filter((path) => source.kind(path) === 'file');
      if (found.length > 0) return found;
    }
  }
  return [];
}

/** True for a main file's name, whatever a template or a package has behind it: wherever it is kept, it is the whole of a server. */
export function hasMainName(path: string): boolean {
  const base = path.slice(path.lastIndexOf('/') + 1);
  return NAMES.some((name) => base.startsWith(name));
}
