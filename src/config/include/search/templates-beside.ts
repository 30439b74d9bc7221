import { parse } from '../../../syntax';
import { basename, dirname, join } from '../../source';
import type { ConfigFile, FileSource, TemplateBeside } from '../../types';
import { isTemplateName } from '../files';

/** Directories and files that are looked at, levels and bytes: more say no more of how the others are written. */
const MAX_DIRECTORIES = 500;
const MAX_FILES = 200;
const MAX_DEPTH = 3;
const MAX_BYTES = 65_536;

/**
 * The templates that belong to those of a run and are no part of it: beside them, or below the same directory called `templates`.
 * They say how the others of a project are written, and nothing else is taken from them.
 */
export function templatesBeside(source: FileSource, files: readonly ConfigFile[]): readonly TemplateBeside[] {
  const inRun = new Set(files.map(({ path }) => path));
  const tops = new Set(files.flatMap((file) => (file.isTemplate === true ? [topOf(file.path)] : [])));
  const found: TemplateBeside[] = [];
  let directories = 0;
  let seen = 0;
  const look = (directory: string, depth: number): void => {
    if (++directories > MAX_DIRECTORIES) return;
    for (const { name, kind } of entriesOf(source, directory)) {
      const path = join(directory, name);
      if (kind === 'directory' && depth < MAX_DEPTH) look(path, depth + 1);
      if (kind !== 'file' || inRun.has(path) || !isTemplateName(name) || ++seen > MAX_FILES) continue;
      const text = textOf(source, path);
      if (/version/i.test(text)) found.push({ path, document: parse(text) });
    }
  };
  for (const top of tops) look(top, 0);
  return found;
}

/** The nearest directory called `templates` above a file, else its own. */
function topOf(path: string): string {
  for (let at = dirname(path); at !== dirname(at); at = dirname(at))
    if (/^templates?$/i.test(basename(at))) return at;
  return dirname(path);
}

function entriesOf(source: FileSource, directory: string): ReturnType<FileSource['list']> {
  try {
    return [...source.list(directory)].sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  }
}

function textOf(source: FileSource, path: string): string {
  try {
    return (source.stat?.(path)?.size ?? 0) > MAX_BYTES ? '' : source.read(path);
  } catch {
    return '';
  }
}
