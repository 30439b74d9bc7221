import type { Files, LoadedFile } from './files';
import { basename, dirname, resolvePath } from '../source';
import { hasDirective, isBinary } from './plausible';
import { SourceError } from '../types';

/** A file as it was given: its name and place may be those of a link. */
export interface GivenFile {
  readonly file: LoadedFile;
  readonly base: string;
  readonly directory: string;
}

export interface GivenDirectory {
  readonly path: string;
  readonly real: string;
}

export interface Given {
  readonly files: readonly GivenFile[];
  readonly directories: readonly GivenDirectory[];
}

/** @throws SourceError, its path as given */
export function readGiven(files: Files, paths: readonly string[], cwd: string): Given {
  const given = { files: [] as GivenFile[], directories: [] as GivenDirectory[] };
  for (const path of paths) {
    try {
      const absolute = resolvePath(cwd, path);
      const real = files.real(absolute, false);
      const kind = files.source.kind(absolute);
      if (kind === 'directory') given.directories.push({ path: absolute, real });
      else if (kind === 'file')
        given.files.push({
          file: readFile(files, real, absolute),
          base: basename(absolute),
          directory: dirname(absolute),
        });
      else throw new SourceError(path, 'EINVAL', 'neither a file nor a directory');
    } catch (error) {
      throw error instanceof SourceError ? new SourceError(path, error.code, error.message) : error;
    }
  }
  return given;
}

function readFile(files: Files, real: string, path: string): LoadedFile {
  const file = files.load(real, { path });
  const { text } = file.document;
  if (isBinary(text) && !hasDirective(text)) {
    throw new SourceError(real, 'EBINARY', 'not an httpd configuration (binary data)');
  }
  return file;
}

/** Whether a file given by this name is for one directory: `.htaccess` itself, and what projects ship it as (`htaccess.txt`, `_htaccess`). */
export function isAccessFile(base: string, accessNames: ReadonlySet<string>): boolean {
  return accessNames.has(base) || base.toLowerCase().includes('htaccess');
}
