import { overlay, remember } from '../source';
import type { FileSource, RereadableTree } from '../types';
import { type LoadOptions, loadTree } from './load';

/**
 * Like {@link loadTree}, together with the way to read the same tree with new texts. Each later reading meets the source as the
 * first did, and takes over what has not changed: so does whoever asks `remembered`.
 * @throws SourceError as `loadTree` does
 */
export function loadRereadable(
  source: FileSource,
  paths: readonly string[],
  options: LoadOptions,
): RereadableTree & { readonly remembered: FileSource } {
  const remembered = remember(source);
  const tree = loadTree(remembered, paths, options);
  const { onProgress: _, documents: __, ...again } = options;
  let before = tree;
  return {
    tree,
    remembered,
    reread: (texts, spared) => {
      const after = loadTree(overlay(remembered, texts), paths, { ...again, before, spared });
      if (spared === undefined) before = after;
      return after;
    },
  };
}
