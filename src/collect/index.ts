import { type CollectedServer, collectedIn } from './collected';
import { readTar } from './read-tar';
import { unpack } from './unpack';

export { type CollectedServer } from './collected';
export { convertedTar } from './converted';
export { CollectedError } from './error';

/**
 * Reads the tar of a server, compressed or not.
 * @throws CollectedError for anything that `collect` does not make
 */
export function readCollected(bytes: Buffer): CollectedServer {
  return collectedIn(readTar(unpack(bytes)));
}
