import type { CollectedServer } from '../../collect';
import { resolvePath } from '../../config';
import { type FileSource, SourceError } from '../../config/types';
import { oneLine } from '../../report';
import type { Io } from '../io';
import { type ConvertOptions, isCollected } from '../options';
import { Trouble } from '../trouble';
import { checkOutput } from './output-file';

/**
 * The server whose tar is given; undefined where none is.
 * @throws Trouble where it cannot be used; SourceError; OutputInUseError where the output would replace it
 */
export function collectedIn(
  source: FileSource,
  { paths, output }: ConvertOptions,
  io: Io,
): CollectedServer | undefined {
  const tar = paths.find(isCollected);
  if (tar === undefined || source.kind(resolvePath(io.cwd, tar)) === 'directory') return undefined;
  if (paths.length > 1) throw new Trouble(`${tar}: the tar of a server goes with no other path`);
  const path = resolvePath(io.cwd, tar);
  if (output !== undefined)
    checkOutput('--output', output, [source.real(path)], 'the tar that is converted', source, io.cwd);
  const { readCollected, CollectedError } = require('./read-collected') as typeof import('./read-collected');
  try {
    const server = readCollected(Buffer.from(source.read(path), 'latin1'));
    for (const what of server.lacks)
      io.stderr.write(
        `httpd-codemod: ${tar}: not in the tar: ${oneLine(what)}; look at these on the server\n`,
      );
    return server;
  } catch (error) {
    if (error instanceof CollectedError || error instanceof SourceError)
      throw new Trouble(`${tar}: ${error.message}`);
    throw error;
  }
}
