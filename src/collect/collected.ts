import { below, type DirectoryEntry, type FileSource, memory, resolvePath, SourceError } from '../config';
import { CollectedError } from './error';
import type { TarEntry } from './read-tar';

/** Who owns a file of the server, and who may do what: as `ls -ln` has it. */
export interface Owned {
  /** `-rw-r--r--`. */
  readonly mode: string;
  readonly owner: string;
  readonly group: string;
}

/** A server's configuration as `collect` has packed it. All paths are those that it has on the server. */
export interface CollectedServer {
  /** What is in the tar, and nothing of this machine. */
  readonly source: FileSource;
  /** The main configuration file. */
  readonly config: string;
  /** The directories that it serves. */
  readonly trees: readonly string[];
  /** The names that httpd is started with. */
  readonly defines: readonly string[];
  /** The variables that it is started with. */
  readonly environment: ReadonlyMap<string, string>;
  /** What the `httpd -V` of a 2.2 calls its MPM, in lower case. */
  readonly mpm: string | undefined;
  /** What the `httpd -l` of a 2.2 lists, such as `mod_alias.c`; undefined where that was not collected. */
  readonly compiled: readonly string[] | undefined;
  readonly files: ReadonlyMap<string, string>;
  readonly links: ReadonlyMap<string, string>;
  readonly owned: ReadonlyMap<string, Owned>;
  /** What the tar lacks that has no name to be told by: a line each. */
  readonly lacks: readonly string[];
  /** What the tar says of itself. */
  readonly manifest: string;
}

/** Raised when something of the tar gets another meaning. */
const VERSION = 1;
const FIRST_LINE = 'httpd-codemod collection ';

/** @throws CollectedError for anything that `collect` does not make */
export function collectedIn(entries: readonly TarEntry[]): CollectedServer {
  const { root, manifest, info, places } = contentsOf(entries);
  const [first = '', ...lines] = manifest.split('\n');
  if (!first.startsWith(FIRST_LINE)) throw new CollectedError(NOT_COLLECTED);
  if (first !== `${FIRST_LINE}${VERSION}`)
    throw new CollectedError(`made by another version of collect than this httpd-codemod reads: ${first}`);
  const valuesOf = (key: string): string[] =>
    lines.flatMap((line) => (line.startsWith(`${key}: `) ? [line.slice(key.length + 2)] : []));
  const [config] = valuesOf('config');
  const trees = valuesOf('tree');
  if (config === undefined || ![config, ...trees].every((path) => path.startsWith('/')))
    throw new CollectedError('its MANIFEST names no configuration');
  const [files, links] = [textsOf(root, 'file'), textsOf(root, 'link')];
  const listed = readListing(info.get('listing') ?? '');
  const refused = readLeftOut(info.get('left-out') ?? '');
  const directories = [...root].flatMap(([path, { kind }]) => (kind === 'directory' ? [path] : []));
  for (const [path, { mode }] of listed) if (mode.startsWith('d') && places.add(path)) directories.push(path);
  const known = new Map(files);
  for (const path of refused.keys())
    if (listed.get(path)?.mode.startsWith('-') === true && !root.has(path) && places.add(parentOf(path)))
      known.set(path, '');
  const plain = refusing(memory(known, links, directories), refused, known);
  const source: FileSource = { ...plain, planted: plantedIn(plain, links, listed) };
  if (source.kind(config) !== 'file') throw new CollectedError(`${config}, the main file, is not in it`);
  const owned = new Map([...listed].map(([path, entry]) => [path, named(entry, root.get(path))]));
  return {
    source,
    config,
    // One that has gone since, or that is left out.
    trees: trees.filter((path) => source.kind(path) === 'directory'),
    defines: valuesOf('define'),
    environment: readEnvironment(info.get('environment') ?? ''),
    ...builtIn(info),
    files,
    links,
    owned,
    lacks: (info.get('left-out') ?? '').match(/^.*(?=\t-$)/gm) ?? [],
    manifest,
  };
}

/** What is part of the program itself. That of a 2.4 on the machine, where the files may be on their way, says nothing of it. */
function builtIn(info: ReadonlyMap<string, string>): Pick<CollectedServer, 'mpm' | 'compiled'> {
  const version = info.get('version') ?? '';
  if (/^Server version:[^\n]*\/2\.4\b/m.test(version)) return { mpm: undefined, compiled: undefined };
  return {
    mpm: /^Server MPM:[ \t]*(\w+)/m.exec(version)?.[1]?.toLowerCase(),
    compiled: compiledIn(info.get('compiled') ?? ''),
  };
}

/** The files of modules in what `httpd -l` prints, one a line. */
function compiledIn(text: string): readonly string[] | undefined {
  const files = [...text.matchAll(/^[ \t]+(\w+\.c)$/gm)].map(([, file = '']) => file);
  return files.length === 0 ? undefined : files;
}

const NOT_COLLECTED =
  'not made by collect: there is no MANIFEST of it (httpd-codemod collect prints the script that makes it)';

/** The texts of all files, or where all links point, by their paths. */
function textsOf(root: TarContents['root'], wanted: 'file' | 'link'): Map<string, string> {
  const found = new Map<string, string>();
  for (const [path, { kind, text }] of root) if (kind === wanted) found.set(path, text);
  return found;
}

interface TarContents {
  readonly manifest: string;
  /** What lies in `info`, by its name. */
  readonly info: ReadonlyMap<string, string>;
  /** What lies in `root`, by its path on the server. */
  readonly root: ReadonlyMap<string, TarEntry>;
  readonly places: Places;
}

/** The server with 2,000 sites of 500 directories each has a million. */
const MAX_DIRECTORIES = 1_500_000;

/** The directories that there can be beside the files and links of a tar. */
class Places {
  /** Whether there can be one at a path. */
  readonly #known = new Map<string, boolean>([['', true]]);

  constructor(private readonly root: ReadonlyMap<string, TarEntry>) {}

  /**
   * Adds a directory with all above it.
   * @returns false where it, or one above it, is a file or a link
   * @throws CollectedError where there are too many
   */
  add(path: string): boolean {
    const fresh: string[] = [];
    let at = path === '/' ? '' : path;
    let answer = this.#known.get(at);
    for (; answer === undefined; answer = this.#known.get(at)) {
      const kind = this.root.get(at)?.kind;
      fresh.push(at);
      if (kind === 'file' || kind === 'link') {
        answer = false;
        break;
      }
      at = parentOf(at);
    }
    for (const directory of fresh) this.#known.set(directory, answer);
    if (this.#known.size > MAX_DIRECTORIES)
      throw new CollectedError(`more than ${MAX_DIRECTORIES} directories`);
    return answer;
  }
}

/** @throws CollectedError where two entries cannot both be there, or one is where none belongs */
function contentsOf(entries: readonly TarEntry[]): TarContents {
  const root = new Map<string, TarEntry>();
  const info = new Map<string, string>();
  let manifest: string | undefined;
  for (const entry of entries) {
    const { name, kind, text } = entry;
    const path = below(`/${name}`, '/root');
    if (path !== undefined && path !== '') {
      // tar names a directory once, and has no need to name it at all.
      if (root.has(`/${path}`) && kind !== 'directory') throw new CollectedError(`holds ${name} twice`);
      root.set(`/${path}`, entry);
    } else if (name === 'MANIFEST' && kind === 'file' && manifest === undefined) manifest = text;
    else if (/^info\/[a-z-]+$/.test(name) && kind === 'file' && !info.has(name.slice(5)))
      info.set(name.slice(5), text);
    else if (!['', '.', 'info', 'root'].includes(name) || kind !== 'directory')
      throw new CollectedError(
        manifest === undefined ? NOT_COLLECTED : `holds what does not belong there: ${name}`,
      );
  }
  if (manifest === undefined) throw new CollectedError(NOT_COLLECTED);
  const places = new Places(root);
  for (const [path, { kind }] of root)
    if (!places.add(kind === 'directory' ? path : parentOf(path)))
      throw new CollectedError(`holds a ${kind} below a file or a link: root${path}`);
  return { manifest, info, root, places };
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}

/** What `ls -ln` has printed: of what is not in the tar, it says where directories are. */
function readListing(text: string): Map<string, Owned> {
  const listed = new Map<string, Owned>();
  for (const line of text.split('\n')) {
    const [, mode, owner, group, rest] =
      /^([-a-zA-Z]{10})[^ ]* \d+ (\d+) (\d+) [^/]*(\/.*)$/.exec(line) ?? [];
    if (mode === undefined || owner === undefined || group === undefined || rest === undefined) continue;
    const path = mode.startsWith('l') ? rest.split(' -> ', 1)[0]! : rest;
    if (isPath(path)) listed.set(path, { mode, owner, group });
  }
  return listed;
}

const ROOT = '0';
/** Symbolic links in one path: as many as Linux follows. */
const MAX_LINKS = 40;

/** Whether somebody else may have put a file there, by the owners that were listed; what is not listed belongs to root. */
function plantedIn(
  source: FileSource,
  links: ReadonlyMap<string, string>,
  listed: ReadonlyMap<string, Owned>,
): NonNullable<FileSource['planted']> {
  const ownerOf = (path: string): string => listed.get(path)?.owner ?? ROOT;
  return (path, by) => {
    const owners = linkOwners(path, links, ownerOf);
    if (by !== undefined) owners.push(ownerOf(by));
    const others = owners.filter((owner) => owner !== ROOT);
    if (others.length === 0 || source.kind(path) === undefined) return false;
    const owner = ownerOf(source.real(path));
    return others.some((other) => other !== owner);
  };
}

/** The owners of all links that are followed along a path. */
function linkOwners(
  path: string,
  links: ReadonlyMap<string, string>,
  ownerOf: (path: string) => string,
): string[] {
  const owners: string[] = [];
  const rest = path.split('/');
  let at = '';
  while (rest.length > 0 && owners.length <= MAX_LINKS) {
    const part = rest.shift()!;
    if (part === '..') at = parentOf(at);
    if (part === '' || part === '.' || part === '..') continue;
    const target = links.get(`${at}/${part}`);
    if (target === undefined) {
      at += `/${part}`;
      continue;
    }
    owners.push(ownerOf(`${at}/${part}`));
    if (target.startsWith('/')) at = '';
    rest.unshift(...target.split('/'));
  }
  return owners;
}

/** Users and groups by their names, where the tar knows those. */
function named({ mode, owner, group }: Owned, entry: TarEntry | undefined): Owned {
  const isName = (name: string | undefined): name is string =>
    /^[A-Za-z0-9_.][A-Za-z0-9_.-]*$/.test(name ?? '');
  return {
    mode,
    owner: String(entry?.uid) === owner && isName(entry?.userName) ? entry.userName : owner,
    group: String(entry?.gid) === group && isName(entry?.groupName) ? entry.groupName : group,
  };
}

function isPath(path: string): boolean {
  return resolvePath('/', path) === path && path.length <= 4096 && !path.includes('\0');
}

/** Path → why it is not in the tar. */
function readLeftOut(text: string): Map<string, string> {
  const refused = new Map<string, string>();
  for (const line of text.split('\n')) {
    const [why = '', path = ''] = line.split('\t');
    if (isPath(path)) refused.set(path, REASONS[why] ?? `${why}: not in the tar`);
  }
  return refused;
}

/** What a run on the server would say of a path that cannot be read, by the reason that was listed. */
const REASONS: Readonly<Partial<Record<string, string>>> = {
  __proto__: null!,
  'cannot be read': 'permission denied',
  'a private key': 'a private key, not a configuration: not read',
};

function readEnvironment(text: string): Map<string, string> {
  const found = [...text.matchAll(/^([A-Za-z_][A-Za-z0-9_]*)=(.*)$/gm)];
  return new Map(found.map(([, name = '', value = '']) => [name, value]));
}

/** `source` in which what could not be read on the server cannot be read either. */
function refusing(
  source: FileSource,
  refused: ReadonlyMap<string, string>,
  files: ReadonlyMap<string, string>,
): FileSource {
  const asked = <T>(path: string, ask: () => T): T => {
    const why = refused.get(source.real(path));
    if (why !== undefined) throw new SourceError(path, 'EACCES', why);
    return ask();
  };
  return {
    ...source,
    read: (path) => asked(path, () => source.read(path)),
    list: (path): readonly DirectoryEntry[] => asked(path, () => source.list(path)),
    stat: (path) => ({ size: files.get(path)?.length ?? 0, inode: undefined }),
  };
}
