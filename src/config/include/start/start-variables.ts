import type { Files, LoadedFile } from '../files';
import { shellSettings } from './shell-settings';
import { readStartFiles } from './start-names';

/** A variable that the script sets, wherever in a line. */
const SET = /(?:^|[ \t;])([A-Za-z_][A-Za-z0-9_]*)=/gm;
/** The most names that a start file is taken to set. */
const MOST = 200;

/**
 * What the system sets in the environment of httpd, where the file that says so lies beside the configuration: the values that
 * are certain without a shell.
 * @param roots the files read at server level
 */
export function findStartVariables(files: Files, roots: readonly LoadedFile[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const { document } of readStartFiles(files, roots)) {
    const names = new Set([...document.text.matchAll(SET)].slice(0, MOST).map(([, name]) => name!));
    for (const name of names) {
      const settings = shellSettings(document.text, name) ?? [];
      const value = settings.at(-1)?.value;
      const isKnown = settings.length > 0 && settings.every(({ sure, adds }) => sure && !adds);
      if (isKnown && value !== undefined && !/[$`\\]/.test(value)) found.set(name, value);
    }
  }
  return found;
}

/**
 * The variables of a configuration with those of its server's environment, which count before those of the environment of this
 * run.
 * @param read what the run knows: that environment, and what -D and Define set
 */
export function withStartVariables(
  read: ReadonlyMap<string, string>,
  env: ReadonlyMap<string, string>,
  started: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  if (started.size === 0) return read;
  const variables = new Map(read);
  for (const [name, value] of started)
    if (!read.has(name) || read.get(name) === env.get(name)) variables.set(name, value);
  return variables;
}
