import { type Release, nameOf, NEWEST, parseRelease } from '../../httpd/release';
import { UsageError } from '../trouble';

/** The 2.4 that the configuration is for, as the command line or the project file names it. */
export type TargetName = { readonly release: Release } | { readonly program: string };

/**
 * Reads the value of `--target`: a release of 2.4, or else the path or the name of an httpd.
 * @throws UsageError for a version that is none of 2.4
 */
export function parseTarget(text: string): TargetName {
  const release = parseRelease(text);
  if (release === undefined && text !== '') return { program: text };
  if (typeof release === 'number') return { release };
  const problem = release?.problem ?? `name a release of 2.4 (${nameOf(NEWEST)}), or an httpd`;
  throw new UsageError(`--target ${text}: ${problem}`);
}
