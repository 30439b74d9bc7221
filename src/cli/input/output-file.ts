import { resolvePath } from '../../config';
import type { FileSource } from '../../config/types';
import { OutputInUseError } from '../trouble';

/**
 * @param option the one that names the file that is to be written
 * @param others absolute paths of files that the run reads
 * @param kind what they are to the run
 * @throws OutputInUseError where the file that is to be written is one of the others
 */
export function checkOutput(
  option: '--output' | '--plan',
  file: string,
  others: readonly string[],
  kind:
    | 'a file of the configuration'
    | 'the list of --files-from'
    | 'the project file'
    | 'the tar that is converted',
  source: FileSource,
  cwd: string,
): void {
  const path = resolvePath(cwd, file);
  // A pipe, as /dev/stdout may be, has no path of its own.
  if (source.kind(path) !== 'file') return;
  const real = source.real(path);
  const inode = source.stat?.(real)?.inode;
  const isSame = (other: string): boolean =>
    other === real || (inode !== undefined && source.stat?.(other)?.inode === inode);
  if (others.some(isSame)) throw new OutputInUseError(`${option} ${file}: is ${kind}: name another one`);
}
