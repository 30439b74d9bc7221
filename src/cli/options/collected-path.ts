import { UsageError } from '../trouble';
import type { ConvertOptions } from './options';

/** Whether a path is given as the tar of a server: by its name, so that no other file is read twice. */
export function isCollected(path: string): boolean {
  return /\.(?:tar|tar\.gz|tgz)$/.test(path);
}

export function writesTar({ mode, paths }: Pick<ConvertOptions, 'mode' | 'paths'>): boolean {
  return mode === 'write' && paths.some(isCollected);
}

/** @throws UsageError for what means nothing where the tar of a server is converted */
export function checkPacking({ paths, mode, output, plan, backup }: ConvertOptions): void {
  const tar = paths.find(isCollected);
  if (tar === undefined) return;
  if (plan !== undefined) throw new UsageError(`${tar}: --plan is for files that are written in place`);
  if (backup !== undefined) throw new UsageError(`${tar}: --backup is for files that are written in place`);
  if (mode !== 'write') return;
  if (output === undefined)
    throw new UsageError(
      `${tar}: a tar is not written in place: --output converted.tar.gz names the tar to write`,
    );
  if (!isCollected(output))
    throw new UsageError(`--output ${output}: the name must end with .tar.gz or .tar`);
}
