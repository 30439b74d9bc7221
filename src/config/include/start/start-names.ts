import { dirname } from '../../source';
import { SourceError, type StartNames } from '../../types';
import type { Files, LoadedFile } from '../files';
import { shellSettings } from './shell-settings';

/** Where a system keeps the -D names that its start script hands to httpd. */
interface StartFile {
  /** The end of the directory that holds the main file. */
  readonly configuration: string;
  readonly path: string;
  /** The shell variable in it. */
  readonly variable: string;
  /** `options`: `-D SSL -D INFO`; `names`: `SSL INFO`. */
  readonly holds: 'options' | 'names';
}

/** Start scripts: of Gentoo and SUSE, of Debian, of Red Hat, of FreeBSD. */
const START_FILES: readonly StartFile[] = [
  { configuration: '/etc/apache2', path: '/etc/conf.d/apache2', variable: 'APACHE2_OPTS', holds: 'options' },
  { configuration: '/etc/apache2', path: '/etc/sysconfig/apache2', variable: 'APACHE_SERVER_FLAGS', holds: 'names' },
  { configuration: '/etc/apache2', path: '/etc/apache2/envvars', variable: 'APACHE_ARGUMENTS', holds: 'options' },
  { configuration: '/etc/httpd/conf', path: '/etc/sysconfig/httpd', variable: 'OPTIONS', holds: 'options' },
  { configuration: '/usr/local/etc/apache22', path: '/etc/rc.conf', variable: 'apache22_flags', holds: 'options' },
]; // prettier-ignore

/**
 * The names that the system starts httpd with, where the file that says so lies beside the configuration, as on the server or in
 * a copy of it.
 * @param roots the files read at server level
 * @returns undefined where there is no such file, or it sets none
 */
export function findStartNames(files: Files, roots: readonly LoadedFile[]): StartNames | undefined {
  for (const directory of new Set(roots.map(({ path }) => dirname(path))))
    for (const row of START_FILES) {
      if (!directory.endsWith(row.configuration)) continue;
      const top = directory.slice(0, -row.configuration.length);
      const found = readStartFile(files, top + row.path, row);
      if (found !== undefined) return found;
    }
  return undefined;
}

/** The files that set the environment or the options of httpd, where they lie beside the configuration. */
export function readStartFiles(files: Files, roots: readonly LoadedFile[]): readonly LoadedFile[] {
  const paths = new Set<string>();
  for (const directory of new Set(roots.map(({ path }) => dirname(path))))
    for (const { configuration, path } of START_FILES)
      if (directory.endsWith(configuration)) paths.add(directory.slice(0, -configuration.length) + path);
  return [...paths].flatMap((path) => {
    if (files.source.kind(path) !== 'file') return [];
    try {
      return [files.load(files.real(path, false), { path })];
    } catch (error) {
      // httpd itself does not read this file: if it cannot be read, nothing follows.
      if (!(error instanceof SourceError)) throw error;
      return [];
    }
  });
}

function readStartFile(files: Files, path: string, { variable, holds }: StartFile): StartNames | undefined {
  if (files.source.kind(path) !== 'file') return undefined;
  try {
    const file = files.load(files.real(path, false), { path });
    const assigned = namesAssigned(file.document.text, variable, holds);
    return assigned && { file, variable, ...assigned };
  } catch (error) {
    // httpd itself does not read this file: if it cannot be read, nothing follows.
    if (!(error instanceof SourceError)) throw error;
    return undefined;
  }
}

/** What assignments leave in a shell variable, as far as that is certain: what is set in some cases alone is not. */
function namesAssigned(
  text: string,
  variable: string,
  holds: StartFile['holds'],
): Pick<StartNames, 'at' | 'names'> | undefined {
  const self = new RegExp(`\\$(?:${variable}(?![A-Za-z0-9_])|\\{${variable}\\})`);
  let names: readonly string[] = [];
  let at = 0;
  for (const setting of shellSettings(text, variable) ?? []) {
    const { value = '', sure, adds } = setting;
    const found = namesIn(value.replace(/\$\{[^}]*\}/g, '$').split(/[ \t\r\n]+/), holds);
    const before = names;
    if (adds || self.test(value)) names = sure ? [...before, ...found] : before;
    else names = sure ? found : before.filter((name) => found.includes(name));
    if (sure && found.length > 0) ({ at } = setting);
  }
  return names.length === 0 ? undefined : { at, names: [...new Set(names)] };
}

function namesIn(words: readonly string[], holds: StartFile['holds']): string[] {
  const names: string[] = [];
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!;
    if (word === '-D') names.push(words[++i] ?? '');
    else if (word.startsWith('-D')) names.push(word.slice(2));
    else if (holds === 'names') names.push(word);
  }
  // Not what the shell would put something else in place of.
  return names.filter((name) => /^[A-Za-z0-9_.:+-]+$/.test(name));
}
