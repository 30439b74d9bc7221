import { dirname, resolvePath } from '../../source';
import type { ConfigFile } from '../../types';

/** A relative path and nothing else, of no more characters. */
const LOST_LINK = /^\.\.?\/[^ \t\r\n<>"'#\\]+(?:\r?\n)?$/;
const MAX_LINK = 300;

/** Where a symbolic link led to of which a copy has the text alone; undefined for any other file. */
export function lostLink({ path, document: { text } }: ConfigFile): string | undefined {
  if (text.length > MAX_LINK || !LOST_LINK.test(text)) return undefined;
  return resolvePath(dirname(path), text.replace(/\r?\n$/, ''));
}

/** Includes that one message names. */
const MAX_NAMED = 5;

/**
 * What is told of the Includes that a copy has no files for.
 * @param paths each once
 */
export function elsewhereMessage(paths: readonly string[]): string {
  const more = paths.length > MAX_NAMED ? ` and ${paths.length - MAX_NAMED} more` : '';
  return `this is a copy of another server's configuration, and lacks ${paths.slice(0, MAX_NAMED).join(', ')}${more}: what they say about modules and access is not known (those of this machine are not read)`;
}
