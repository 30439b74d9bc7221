import { gunzipSync } from 'node:zlib';
import { CollectedError } from './error';
import { MAX_UNPACKED, TOO_LARGE } from './read-tar';

/** The bytes of a tar, compressed or not. @throws CollectedError where they are damaged, or too many */
export function unpack(packed: Buffer): Buffer {
  if (packed[0] !== 0x1f || packed[1] !== 0x8b) return packed;
  try {
    return gunzipSync(packed, { maxOutputLength: MAX_UNPACKED });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new CollectedError(
      code === 'ERR_BUFFER_TOO_LARGE' ? TOO_LARGE : 'the compressed data is damaged or cut off',
    );
  }
}
