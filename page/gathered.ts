import { CollectedError, type CollectedServer, encode, readServerTar, shownText } from '../src';
import {
  ArchiveError,
  byteString,
  isGzip,
  isZip,
  MAX_BYTES,
  MAX_FILE,
  MAX_FILES,
  MAX_UNPACKED,
  megabytes,
  readZip,
  unpacked,
  type ZipEntry,
} from './archive';
import type { GivenFile } from './protocol';
import { isSkipped } from './skipped';

/** What was dropped, as the library takes it. Paths are absolute byte strings. */
export interface Gathered {
  readonly files: Map<string, string>;
  readonly links: Map<string, string>;
  /** What the run is given, as the command would be. */
  readonly paths: readonly string[];
  /** A server as `collect` packs it. */
  readonly server?: CollectedServer;
  readonly notes: readonly string[];
}

/** What files are gathered into, with what is left out of it. */
class Basket {
  readonly files = new Map<string, string>();
  readonly links = new Map<string, string>();
  #bytes = 0;
  #unpacked = 0;
  readonly #left = new Map<string, string[]>();

  add(path: string, bytes: Uint8Array): void {
    const safe = safePath(path);
    if (safe === undefined) return this.leave('a name that leads elsewhere', path);
    if (bytes.length > MAX_FILE) return this.leave(TOO_LARGE, path);
    if (isBinary(bytes)) return this.leave('no text', path);
    this.#bytes += bytes.length;
    if (this.#bytes > MAX_BYTES) throw new ArchiveError(`more than ${megabytes(MAX_BYTES)} of files`);
    if (this.files.size >= MAX_FILES) throw new ArchiveError(`more than ${MAX_FILES} files`);
    this.files.set(safe, byteString(bytes));
  }

  /** Adds a file of a zip; one that cannot be unpacked is left out. @throws ArchiveError where all together is too much */
  unpack(path: string, { read, isLink }: ZipEntry): void {
    const bytes = this.#read(path, read);
    this.#unpacked += bytes?.length ?? MAX_FILE;
    if (this.#unpacked > MAX_UNPACKED)
      throw new ArchiveError(`more than ${megabytes(MAX_UNPACKED)} when it is unpacked`);
    if (bytes === undefined) return;
    if (isLink) this.link(path, byteString(bytes));
    else this.add(path, bytes);
  }

  #read(path: string, read: ZipEntry['read']): Uint8Array | undefined {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof ArchiveError)) throw error;
      this.leave(error.message, path);
      return undefined;
    }
  }

  link(path: string, target: string): void {
    const safe = safePath(path);
    if (safe === undefined || target === '') return this.leave('a name that leads elsewhere', path);
    if (this.links.size >= MAX_FILES) throw new ArchiveError(`more than ${MAX_FILES} links`);
    this.links.set(safe, target);
  }

  leave(why: string, path: string): void {
    const paths = this.#left.get(why) ?? [];
    this.#left.set(why, paths);
    paths.push(path);
  }

  get notes(): readonly string[] {
    return [...this.#left].map(([why, paths]) => {
      const more = paths.length > 3 ? ` and ${paths.length - 3} more` : '';
      return `Not read, ${why}: ${paths.slice(0, 3).map(shownText).join(', ')}${more}`;
    });
  }
}

const TOO_LARGE = `larger than ${megabytes(MAX_FILE)}`;

/** What is served, and no configuration: neither read nor put into the result. */
const NO_CONFIGURATION =
  /\.(?:jpe?g|png|gif|ico|svg|webp|css|m?js|map|woff2?|ttf|eot|otf|mp[34]|webm|pdf|zip|gz|bz2|xz|jar|so|o|a|exe|dll|pyc|class)$/i;

/**
 * Reads what was dropped: files of a directory, or an archive.
 * @throws ArchiveError, CollectedError; what the browser throws where a file has gone
 */
export async function gather(
  given: readonly GivenFile[],
  progress: (text: string) => void,
): Promise<Gathered> {
  const [first] = given;
  const archive = given.length === 1 && first !== undefined ? await archiveIn(first, progress) : undefined;
  if (archive !== undefined) return archive;
  const basket = new Basket();
  let read = 0;
  for (let at = 0; at < given.length; at += TOGETHER) {
    const some = given.slice(at, at + TOGETHER);
    const wanted = some.filter(({ path }) => !NO_CONFIGURATION.test(path));
    const texts = await Promise.all(wanted.map(({ file }) => bytesIn(file)));
    for (const [i, bytes] of texts.entries()) {
      const path = encode(wanted[i]!.path);
      if (typeof bytes === 'string') basket.leave(bytes, path);
      else basket.add(path, bytes);
    }
    read += some.length;
    progress(`Read ${read} of ${given.length} files`);
  }
  return finished(basket);
}

/** The bytes of a file, or why it is left out: also where it has gone, or the person at the browser must not read it. */
async function bytesIn(file: Blob | undefined): Promise<Uint8Array | string> {
  if (file === undefined) return UNREADABLE;
  if (file.size > MAX_FILE) return TOO_LARGE;
  try {
    // What is no text is not read as a whole: there may be many such files, and large ones.
    const head = new Uint8Array(await file.slice(0, HEAD).arrayBuffer());
    if (file.size <= HEAD || isBinary(head)) return head;
    return new Uint8Array(await file.arrayBuffer());
  } catch {
    return UNREADABLE;
  }
}

const UNREADABLE = 'the browser cannot read it';
/** Bytes that tell a text from anything else. */
const HEAD = 8000;

/** Files that are read at a time. */
const TOGETHER = 100;

async function archiveIn(
  { path, file }: GivenFile,
  progress: (text: string) => void,
): Promise<Gathered | undefined> {
  if (file === undefined || !/\.(?:zip|tar|tgz|gz)$/i.test(path)) return undefined;
  if (file.size > MAX_BYTES) throw new ArchiveError(`it is larger than ${megabytes(MAX_BYTES)}`);
  const packed = new Uint8Array(await file.arrayBuffer());
  const name =
    encode(path)
      .replace(/\.(?:zip|tar|tgz|tar\.gz|gz)$/i, '')
      .replace(/.*\//, '') || 'archive';
  const basket = new Basket();
  if (isZip(packed)) {
    const entries = readZip(packed);
    for (const [i, entry] of entries.entries()) {
      if (i % TOGETHER === 0) progress(`Unpacked ${i} of ${entries.length} files`);
      const at = `${name}/${entry.name}`;
      if (NO_CONFIGURATION.test(entry.name) || isSkipped(entry.name)) continue;
      if (entry.size > MAX_FILE) basket.leave(TOO_LARGE, at);
      else basket.unpack(at, entry);
    }
    return finished(basket);
  }
  const bytes = unpacked(packed);
  if (isGzip(packed) && !isTarName(path) && !hasTarMark(bytes)) {
    basket.add(name, bytes);
    return finished(basket);
  }
  const tar = readServerTar(bytes);
  if (tar.kind === 'server') {
    const { server } = tar;
    const { files, links, lacks } = server;
    return {
      files: new Map(files),
      links: new Map(links),
      paths: [server.config, ...server.trees],
      server,
      notes: lacks.map((what) => `Not in the tar: ${shownText(what)}; look at these on the server`),
    };
  }
  for (const { name: entry, kind, text } of tar.entries)
    if (kind === 'link') basket.link(`${name}/${entry}`, text);
    else if (kind === 'file' && !NO_CONFIGURATION.test(entry) && !isSkipped(entry))
      basket.add(
        `${name}/${entry}`,
        Uint8Array.from(text, (char) => char.charCodeAt(0)),
      );
  return finished(basket);
}

const isTarName = (path: string): boolean => /\.(?:tar|tgz|tar\.gz)$/i.test(path);

/** Whether bytes are those of a tar of today: the oldest kind has no mark. */
function hasTarMark(bytes: Uint8Array): boolean {
  return byteString(bytes.subarray(257, 262)) === 'ustar';
}

/** Directories that say where on a server one is: what lies above them is the copy of a server. */
const OF_A_SERVER = new Set([
  'etc',
  'usr',
  'var',
  'srv',
  'opt',
  'home',
  'root',
  'conf',
  'www',
  'htdocs',
  'public_html',
]);

/**
 * What was gathered, from the directory on in which something lies beside something: a person gives that one to the command, not
 * the archive or a directory around it.
 */
function finished({ files, links, notes }: Basket): Gathered {
  const paths = [...files.keys(), ...links.keys()].map((path) => path.split('/').slice(1));
  const [first] = paths;
  if (first === undefined) throw new ArchiveError(['there is no configuration in it', ...notes].join('. '));
  let depth = 0;
  const isAlone = (at: number): boolean =>
    paths.every((path) => path.length > at + 2 && path[at] === first[at] && path[at + 1] === first[at + 1]);
  while (isAlone(depth) && !OF_A_SERVER.has(first[depth + 1] ?? '')) depth++;
  const moved = <T>(map: ReadonlyMap<string, T>): Map<string, T> =>
    new Map(
      [...map].map(([path, value]) => [
        `/${path
          .split('/')
          .slice(1 + depth)
          .join('/')}`,
        value,
      ]),
    );
  const roots = new Set(paths.map((path) => `/${path[depth] ?? ''}`));
  return { files: moved(files), links: moved(links), paths: [...roots], notes };
}

/** The absolute path of a name that leads downwards only; undefined for any other. */
function safePath(name: string): string | undefined {
  const parts = name
    .replaceAll('\\', '/')
    .replace(/^(?:\.\/)+/, '')
    .split('/')
    .filter((part) => part !== '' && part !== '.');
  const isPlain = parts.length > 0 && parts.length <= 256 && !parts.includes('..') && name.length <= 4096;
  return isPlain && !name.startsWith('/') && !/[\0\n]/.test(name) ? `/${parts.join('/')}` : undefined;
}

/** As git tells it: a NUL in the first bytes. */
function isBinary(bytes: Uint8Array): boolean {
  return bytes.subarray(0, HEAD).includes(0);
}

/** What went wrong with an archive, for a person; undefined for what is no fault of the archive. */
export function troubleOf(error: unknown): string | undefined {
  if (error instanceof ArchiveError) return error.message;
  return error instanceof CollectedError ? shownText(error.message) : undefined;
}
