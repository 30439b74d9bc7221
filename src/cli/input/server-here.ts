import { serversBelow } from '../../config';
import type { FileSource } from '../../config/types';
import { oneLine } from '../../report';
import type { Io } from '../io';
import type { ConvertOptions } from '../options';

/**
 * What is read where no path is given: the copy of a server below the working directory, or else the server of this machine,
 * where packages put it. Which it is, is said. None for a run that writes: it has to be told what it may change.
 */
export function withServerHere(
  { paths, filesFrom, mode, plan, interactive }: ConvertOptions,
  source: FileSource,
  io: Io,
): () => readonly string[] {
  return () => {
    if (paths.length > 0 || filesFrom !== undefined || mode === 'write' || plan !== undefined || interactive)
      return [];
    const [copy] = io.cwd === '/' ? [] : serversBelow(source, io.cwd);
    const [found = copy] = copy === undefined ? serversBelow(source, '/') : [copy];
    if (found === undefined) return [];
    const what = copy === undefined ? 'the server of this machine' : 'the server below the working directory';
    io.stderr.write(oneLine(`httpd-codemod: no path given: reading ${found}, ${what}`) + '\n');
    return [found];
  };
}
