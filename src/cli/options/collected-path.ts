import type { ConvertOptions } from './options';

/** Whether a path is given as the tar of a server: by its name, so that no other file is read twice. */
export function isCollected(path: string): boolean {
  return /\.(?:tar|tar\.gz|tgz)$/.test(path);
}

/** Whether what a run writes is the tar of a converted server. */
export function writesTar({ mode, paths }: Pick<ConvertOptions, 'mode' | 'paths'>): boolean {
  return mode === 'write' && paths.some(isCollected);
}
