import { directoriesOpened } from '../access/explain';
import { isWithin } from '../access/primitives';
import { placeCondition, visitTree } from '../config';
import type { ConfigFile } from '../config/types';
import { oldLinesIn } from '../engine';
import type { RunResult } from '../engine/types';
import { isBlocker, placesText, sortedOutcomes } from '../report';

/** Places that are named. */
const MOST = 3;

/** What keeps 2.4 from answering a request, whatever the sections say of it: byte strings. */
export interface Obstacles {
  /** 2.4 does not start, or fails where a `.htaccess` has it. */
  readonly refused?: { readonly answer: 'none' | 'error'; readonly text: string };
  /** The first line for which it starts only with mod_access_compat. */
  readonly compat?: string;
}

/**
 * What of a text surely keeps 2.4 from starting, or from answering a request for a file.
 * @param text `old` as it was given, `new` as the run leaves it
 */
export function obstaclesTo(result: RunResult, filename: string, text: 'old' | 'new'): Obstacles {
  const { tree } = result;
  const stopping = sortedOutcomes(result).filter(
    (outcome) => outcome.stops === true && (text === 'old' || isBlocker(outcome)),
  );
  const files = new Set(stopping.map(({ file }) => file));
  const read = new Set<string>();
  const compat = (text === 'old' ? oldLinesIn(tree) : result.oldLines)?.ofServer;
  const templates = new Set<ConfigFile>();
  visitTree(tree, (node, { file, root, chain }) => {
    // What stands behind a line of a template may not be there once that is filled in.
    if (node.kind === 'stray' && node.reason === 'template') templates.add(file);
    if (!('key' in node) || templates.has(file)) return;
    if (root.role === 'unreached' || !files.has(file) || placeCondition(chain).on24 !== true) return;
    read.add(lineAt(file, (node.kind === 'section' ? node.open : node).from));
  });
  const surely = stopping.filter(({ file, at }) => read.has(lineAt(file, at)));
  const ofServer = surely.filter(({ file }) => file.role !== 'htaccess');
  const above = surely.filter(({ file }) =>
    directoriesOpened(file, tree).some((directory) => isWithin(filename, directory)),
  );
  return {
    ...(compat !== undefined && { compat }),
    ...(ofServer.length > 0
      ? { refused: { answer: 'none', text: `does not start: see ${placesText(ofServer, MOST)}` } }
      : above.length > 0 && {
          refused: { answer: 'error', text: `answers 500: see ${placesText(above, MOST)}` },
        }),
  };
}

const lineAt = (file: ConfigFile, at: number): string => `${file.name}:${file.document.positionAt(at).line}`;
