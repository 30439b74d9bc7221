import {
  inAnyCase,
  includeTargets,
  type IncludeTarget,
  basename,
  below,
  dirname,
  join,
  resolvePath,
} from '../../source';
import type { FileSource } from '../../types';
import { isHere, localPath, moveOf, surroundingsTest } from './move';

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
  /** The root file itself. */
  readonly main: string | undefined;
  /** The main file as it was given, where that is by a link. */
  readonly givenAs: string | undefined;
  /** What was given: absolute paths. What lies below it is read by its own path, wherever the server has it. */
  readonly givenPaths: readonly string[];
}

/** The directory of a configuration file, and its parent where that is likelier to be the top. */
export function likelyTops(path: string): string[] {
  const directory = dirname(path);
  return INNER_DIRECTORIES.has(basename(directory)) ? [directory, dirname(directory)] : [directory];
}

/**
 * Whether an absolute path is read as it is written. A configuration is often converted away from the server it is for: what this
 * machine has at such a path is read where the configuration is this machine's, where it was given, and where it lies beside the
 * configuration.
 */
export function isOurs(source: FileSource, path: string, bases: IncludeBases): boolean {
  // The disk is asked last: a file may have a hundred thousand Includes.
  return (
    [...bases.likelyTops, ...bases.givenPaths].some((top) => top !== '/' && below(path, top) !== undefined) ||
    isHere(source, bases)
  );
}

/**
 * The files an Include reads: the first of the places its path may mean where something is.
 * @returns undefined when nothing is there
 * @throws SourceError for a directory that cannot be listed
 */
export function resolveInclude(
  source: FileSource,
  argument: string,
  bases: IncludeBases,
): IncludeTarget[] | undefined {
  let empty: IncludeTarget[] | undefined;
  const isOnDrive = /^[A-Za-z]:/.test(argument) || bases.declared?.startsWith('/') === false;
  for (const candidate of candidates(source, argument, bases)) {
    const path = isOnDrive ? inAnyCase(source, candidate) : candidate;
    const targets = includeTargets(source, path);
    if (targets !== undefined && targets.length > 0) return targets;
    empty ??= targets;
  }
  return empty;
}

function candidates(source: FileSource, argument: string, bases: IncludeBases): string[] {
  const absolute = isAbsolute(argument);
  const asWritten = (path: string): string[] => (isOurs(source, path, bases) ? [path] : []);
  const top = bases.declared ?? (absolute ? guessTop(argument, bases) : undefined);
  const rest = absolute ? top && below(argument, top) : argument;
  if (absolute && rest === undefined) {
    const move = moveOf(bases.directory, bases.declared, bases.given);
    const copied = move && localPath(move, argument);
    const here = asWritten(resolvePath('/', argument));
    if (copied !== undefined) return [resolvePath('/', copied), ...here];
    if (here.length > 0 && source.isMachine === true) return here;
    const around = here.length > 0 ? here : aroundOf(source, argument, bases);
    return [...around, ...besideOf(argument, bases)];
  }
  if (bases.given !== undefined) {
    const inGiven = resolvePath(bases.given, rest ?? argument);
    return absolute ? [inGiven, ...asWritten(argument)] : [inGiven];
  }
  const copies = copiesOf(rest ?? argument, bases);
  if (absolute && !isOurs(source, argument, bases)) copies.push(...aroundOf(source, argument, bases));
  if (top?.startsWith('/') !== true || source.kind(top) !== 'directory') return copies;
  const declared = asWritten(resolvePath(top, rest ?? argument));
  if (below(bases.directory, source.real(top)) === undefined) return [...copies, ...declared];
  return absolute ? [...declared, ...copies] : declared;
}

export function isAbsolute(path: string): boolean {
  return /^(?:[A-Za-z]:)?\//.test(path);
}

/** Where an absolute path lies if the configuration was copied with the whole of its server, from the nearest directory up. */
function aroundOf(source: FileSource, path: string, { directory, main }: IncludeBases): string[] {
  const found: string[] = [];
  const isOfCopy = surroundingsTest(source, main);
  for (let top = directory; top !== '/'; top = dirname(top)) {
    const local = resolvePath('/', join(top, path.replace(/^[A-Za-z]:/, '').slice(1)));
    if (isOfCopy(local, top)) found.push(local);
  }
  return found;
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

/** Where an absolute path lies if a directory in it is the one that the root file was copied with. */
function besideOf(path: string, bases: IncludeBases): string[] {
  const top = guessTop(path, bases);
  return top === undefined ? [] : copiesOf(below(path, top)!, bases);
}

/**
 * `Include /etc/apache2/x` in a file in a directory apache2 means the files beside it: without a ServerRoot, and where that is
 * another directory (Gentoo's is /usr/lib64/apache2, that of macOS /usr).
 */
function guessTop(argument: string, bases: IncludeBases): string | undefined {
  for (const top of bases.likelyTops) {
    const name = `/${basename(top)}/`;
    const at = argument.indexOf(name);
    if (at >= 0 && name !== '//' && !INNER_DIRECTORIES.has(basename(top)))
      return join(argument.slice(0, at), basename(top));
  }
  return undefined;
}
