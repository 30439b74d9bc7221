import { below, dirname, directoriesMatching, inAnyCase, isPattern, join, resolvePath } from '../../source';
import { type FileSource, SourceError } from '../../types';
import type { IncludeReader } from '../follow';
import {
  type ConfigurationPlace,
  type CopiedPlace,
  directoryTest,
  isAtHome,
  isHere,
  localPath,
  moveBySurroundings,
  moveOf,
  restOf,
  serverPath,
  surroundingsTest,
} from '../layout';

/** Where the paths of one server lie in what is read. */
export class ServerPlace {
  readonly source: FileSource;
  /** Undefined where the paths are those of what is read, and where it is not known what lies where. */
  readonly move: CopiedPlace | undefined;
  /** The paths are those of this machine, or of a source that holds nothing but what a run is about. */
  readonly isHere: boolean;
  /** The configuration lies where its server has it. */
  readonly isAtHome: boolean;
  readonly #beside: readonly string[];
  /** How the server writes a directory whose name has other capitals here. */
  readonly #written = new Map<string, string>();

  /** @param beside what is read by its own path all the same: what was given, and the directories of the configuration */
  constructor(
    source: FileSource,
    place: ConfigurationPlace,
    { configured }: Pick<IncludeReader, 'configured'>,
    beside: readonly string[],
  ) {
    const paths = [...configured].filter((path) => !isPattern(path));
    const isDirectory = directoryTest(source);
    const isThere = (path: string): boolean => path.startsWith('/') && isDirectory(path);
    this.source = source;
    this.isHere = isHere(source, place);
    this.isAtHome = isAtHome(source, place);
    this.#beside = beside.filter((path) => path !== '/');
    this.move =
      moveOf(place.directory, place.declared, place.given) ??
      (paths.some((path) => this.holds(path) && isThere(path))
        ? undefined
        : moveBySurroundings(isDirectory, surroundingsTest(source, place.main), place.directory, paths));
  }

  /** Whether a path of what is read may be the server's: in a copy, what lies elsewhere on this machine is not. */
  holds(path: string): boolean {
    if (this.isHere || this.#beside.some((top) => below(path, top) !== undefined)) return true;
    return this.move !== undefined && below(path, this.move.to || '/') !== undefined;
  }

  /** The directories that a path of the server, or a pattern of such paths, stands for here. */
  find(path: string, most: number): string[] {
    const { move } = this;
    const from = move !== undefined && restOf(path, move.from) !== undefined ? move : HERE;
    const isHeld = (directory: string): boolean =>
      this.holds(directory) && this.source.kind(directory) === 'directory';
    if (from === HERE && !path.startsWith('/')) return [];
    if (from === HERE && !isPattern(path)) return [resolvePath('/', path)].filter(isHeld);
    const rest = restOf(resolveDrive(path), from.from) ?? '';
    const parts = rest.split('/').filter((part) => part !== '');
    // The fixed part alone: patterns stand for users and hosts.
    const fixed = parts.findIndex(isPattern);
    const start = resolvePath(
      '/',
      join(from.to || '/', parts.slice(0, fixed < 0 ? undefined : fixed).join('/')),
    );
    const base = from.from === '' ? start : inAnyCase(this.source, start);
    if (base !== start) this.#written.set(base, serverPath(from, start) ?? start);
    const found = directoriesMatching(this.source, base, fixed < 0 ? [] : parts.slice(fixed), most);
    return found.filter(isHeld);
  }

  /** The one that a path without a pattern stands for, by its name alone. */
  local(path: string): string {
    return (this.move && localPath(this.move, path)) ?? path;
  }

  /** What the server calls a path here. */
  server(path: string): string {
    for (let at = this.#written.size === 0 ? '/' : path; at !== '/'; at = dirname(at)) {
      const written = this.#written.get(at);
      if (written !== undefined) return written + path.slice(at.length);
    }
    return (this.move && serverPath(this.move, path)) ?? path;
  }

  /** A real path, if it may be the server's. */
  real(path: string): string | undefined {
    try {
      const real = this.source.real(path);
      return this.holds(real) ? real : undefined;
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      return undefined;
    }
  }
}

const HERE: CopiedPlace = { from: '', to: '' };

/** Without `.`, `..` and slashes that say nothing, behind the letter of a drive too. */
function resolveDrive(path: string): string {
  const [drive = ''] = /^[A-Za-z]:/.exec(path) ?? [];
  return drive + resolvePath('/', path.slice(drive.length));
}
