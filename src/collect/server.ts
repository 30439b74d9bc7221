import { type CollectedServer, collectedIn } from './collected';
import { readTar, type TarEntry } from './read-tar';

export { type CollectedServer } from './collected';
export { CollectedError } from './error';

/** What a tar holds: a server as `collect` packs it, or files under the names that they have in it. */
export type ServerTar =
  | { readonly kind: 'server'; readonly server: CollectedServer }
  | { readonly kind: 'files'; readonly entries: readonly TarEntry[] };

/**
 * Reads a tar, not compressed, that may come from anybody: names that lead elsewhere, links of other kinds and sizes without end
 * are refused.
 * @throws CollectedError
 */
export function readServerTar(bytes: Uint8Array): ServerTar {
  const entries = readTar(bytes);
  const isCollected = entries.some(({ name, kind }) => name === 'MANIFEST' && kind === 'file');
  return isCollected ? { kind: 'server', server: collectedIn(entries) } : { kind: 'files', entries };
}
