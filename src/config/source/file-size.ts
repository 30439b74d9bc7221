import { SourceError } from '../types';

/** Bytes. The largest server configurations known are some 20 MB; a larger file is not one. */
const MAX_SIZE = 64 * 1024 * 1024;

/** @param size in bytes @throws SourceError for a file that is too large to be read */
export function checkSize(path: string, size: number): void {
  if (size > MAX_SIZE) throw new SourceError(path, 'ETOOBIG', 'larger than 64 MB');
}
