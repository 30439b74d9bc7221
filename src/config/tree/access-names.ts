import type { Section } from '../../syntax';
import type { ConfigFile, ConfigTree } from '../types';
import { type Server, conditionIn, linesOf, serversOf } from './servers';

/** The names that AccessFileName gives, best first: those of the main server, and of the virtual hosts that have others. */
export interface AccessNames {
  readonly main: readonly string[];
  readonly byHost: ReadonlyMap<Section, readonly string[]>;
  /** The files of each directory that has any, whatever they say: httpd stops at the first name that is there. */
  readonly directories: readonly (readonly ConfigFile[])[];
}

const known = new WeakMap<ConfigTree, AccessNames | undefined>();

/**
 * Which files a server looks for in each directory, where virtual hosts have an AccessFileName of their own (server/core.c:
 * merge_core_server_configs); undefined where all servers look for the same ones, where a conditional, a variable or a link has a
 * say, and where a file that was not read would be the first.
 */
export function accessNamesByHost(tree: ConfigTree): AccessNames | undefined {
  if (!tree.accessDiffers) return undefined;
  if (!known.has(tree)) known.set(tree, readNames(tree));
  return known.get(tree);
}

function readNames(tree: ConfigTree): AccessNames | undefined {
  const { all, main } = serversOf(tree);
  if (main === undefined) return undefined;
  const byHost = new Map<Section, readonly string[]>();
  const ofMain = namesIn(main) ?? ['.htaccess'];
  if (ofMain === 'not-known') return undefined;
  for (const server of all) {
    const names = namesIn(server);
    if (names === 'not-known') return undefined;
    if (server.section !== undefined && names !== undefined) byHost.set(server.section, names);
  }
  // By a link a file has another name than its own.
  const names = new Set([...ofMain, ...[...byHost.values()].flat()]);
  if (!tree.htaccess.every((file) => standsAsNamed(file, names))) return undefined;
  const files = filesByDirectory(tree.htaccess);
  const unknown = unknownByDirectory(tree, files, names);
  if (unknown === undefined) return undefined;
  for (const wanted of [ofMain, ...byHost.values()])
    for (const [directory, found] of unknown) {
      const read = files.get(directory)?.map(({ path }) => nameIn(path)) ?? [];
      const first = wanted.find((name) => found.has(name) || read.includes(name));
      if (first !== undefined && found.has(first)) return undefined;
    }
  return { main: ofMain, byHost, directories: [...files.values()] };
}

function standsAsNamed({ path, directories }: ConfigFile, names: ReadonlySet<string>): boolean {
  return names.has(nameIn(path)) && directories.every((directory) => directory === directoryOf(path));
}

function filesByDirectory(files: readonly ConfigFile[]): ReadonlyMap<string, readonly ConfigFile[]> {
  const found = new Map<string, ConfigFile[]>();
  for (const file of files) {
    const list = found.get(directoryOf(file.path));
    if (list === undefined) found.set(directoryOf(file.path), [file]);
    else list.push(file);
  }
  return found;
}

/**
 * The names, by directory, of files that stand there and were not read; undefined where such a file may have any name.
 * @param files those that were read
 * @param names all that servers look for
 */
function unknownByDirectory(
  { unread, unvisited, tooMuch = new Set() }: ConfigTree,
  files: ReadonlyMap<string, readonly ConfigFile[]>,
  names: ReadonlySet<string>,
): ReadonlyMap<string, ReadonlySet<string>> | undefined {
  const access = unread.filter(({ role }) => role === 'htaccess');
  const found = new Map<string, Set<string>>();
  for (const { path } of [...access, ...unvisited, ...[...tooMuch].map((large) => ({ path: large }))]) {
    // In the place of a directory any file could stand.
    if (files.has(path)) return undefined;
    if (names.has(nameIn(path)))
      found.set(directoryOf(path), (found.get(directoryOf(path)) ?? new Set()).add(nameIn(path)));
  }
  const isLinked = ({ path, directories }: ConfigFile): boolean =>
    directories.some((directory) => directory !== path && directory !== directoryOf(path));
  return access.some(isLinked) ? undefined : found;
}

function nameIn(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function directoryOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/')) || '/';
}

function namesIn(server: Server): readonly string[] | 'not-known' | undefined {
  const lines = linesOf(server, ['accessfilename']);
  const isSure = (line: (typeof lines)[number]): boolean => {
    const { on22, on24 } = conditionIn(line);
    return on22 === true && on24 === true && !line.node.rest.includes('${');
  };
  return lines.every(isSure) ? lines.at(-1)?.node.args.map(({ value }) => value) : 'not-known';
}
