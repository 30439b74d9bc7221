import { includeTargets, type IncludeTarget, basename, below, dirname, join, resolvePath } from '../source';
import type { FileSource } from '../types';
import { localPath, moveOf } from './move';

/** Directories from which servers read every file or every linked file: names without an extension are common there. */
export const PART_DIRECTORIES: ReadonlySet<string> = new Set([
  'conf.d', 'conf.modules.d', 'conf-available', 'conf-enabled', 'mods-available', 'mods-enabled', 'modules.d', 'sites-available',
  'sites-enabled', 'sites.d', 'vhosts.d',
]); // prettier-ignore

/** Directories whose parent is likely to be the ServerRoot. */
const INNER_DIRECTORIES: ReadonlySet<string> = new Set([...PART_DIRECTORIES, 'conf', 'extra']);

/** What the meaning of an Include path depends on at one point of the reading. */
export interface IncludeBases {
  /** --server-root, absolute. */
  readonly given: string | undefined;
  /** The last ServerRoot read, absolute. */
  readonly declared: string | undefined;
  /** Directories where a configuration that was copied from elsewhere may have its top, best first. */
  readonly likelyTops: readonly string[];
  /** Real directory of the root file. */
  readonly directory: string;
}

/** The directory of a configuration file, and its parent where that is likelier to be the top. */
export function likelyTops(path: string): string[] {
  const directory = dirname(path);
  return INNER_DIRECTORIES.has(basename(directory)) ? [directory, dirname(directory)] : [directory];
}

/**
 * The files an Include reads: the first of the places its path may mean where something is. A configuration is often converted
 * away from the server it is for, so a ServerRoot that the root file does not lie below comes after the files beside it:
 * otherwise a copy in a home directory would have the tool rewrite the live /etc.
 * @returns undefined when nothing is there
 * @throws SourceError for a directory that cannot be listed
 */
export function resolveInclude(
  source: FileSource,
  argument: string,
  bases: IncludeBases,
): IncludeTarget[] | undefined {
  let empty: IncludeTarget[] | undefined;
  for (const path of candidates(source, argument, bases)) {
    const targets = includeTargets(source, path);
    if (targets !== undefined && targets.length > 0) return targets;
    empty ??= targets;
  }
  return empty;
}

function candidates(source: FileSource, argument: string, bases: IncludeBases): string[] {
  const absolute = /^(?:[A-Za-z]:)?\//.test(argument);
  const top = bases.declared ?? (absolute ? guessTop(argument, bases) : undefined);
  const rest = absolute ? top && below(argument, top) : argument;
  if (absolute && rest === undefined) {
    const move = moveOf(bases.directory, bases.declared, bases.given);
    const copied = move && localPath(move, argument);
    return [...(copied === undefined ? [] : [resolvePath('/', copied)]), resolvePath('/', argument)];
  }
  if (bases.given !== undefined) {
    const inGiven = resolvePath(bases.given, rest ?? argument);
    return absolute ? [inGiven, argument] : [inGiven];
  }
  const copies = copiesOf(rest ?? argument, bases);
  if (top?.startsWith('/') !== true || source.kind(top) !== 'directory') return copies;
  const declared = resolvePath(top, rest ?? argument);
  if (below(bases.directory, source.real(top)) === undefined) return [...copies, declared];
  return absolute ? [declared, ...copies] : [declared];
}

/** Where `rest`, a path below the ServerRoot, lies if the root file was copied with its surroundings. */
function copiesOf(rest: string, bases: IncludeBases): string[] {
  const tops = [...bases.likelyTops];
  // `Include etc/apache22/x` in /copy/etc/apache22/httpd.conf: the top is /copy.
  for (let top = dirname(bases.directory); ; top = dirname(top)) {
    if (rest.startsWith(`${below(bases.directory, top)}/`) && !tops.includes(top)) tops.push(top);
    if (top === '/') return tops.map((directory) => resolvePath(directory, rest));
  }
}

/** Without a ServerRoot: `Include /etc/apache2/x` in a file in a directory apache2 means the files beside it. */
function guessTop(argument: string, bases: IncludeBases): string | undefined {
  for (const top of bases.likelyTops) {
    const name = `/${basename(top)}/`;
    const at = argument.indexOf(name);
    if (at >= 0 && name !== '//' && !INNER_DIRECTORIES.has(basename(top)))
      return join(argument.slice(0, at), basename(top));
  }
  return undefined;
}
