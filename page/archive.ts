import { Gunzip, Inflate, Zip, ZipDeflate } from 'fflate';

/** Bytes of all files together, unpacked: more than the largest server of text files that is known. */
export const MAX_BYTES = 256 * 1024 * 1024;
/** Bytes of one file: no configuration is that large, and no configuration test reads it in time. */
export const MAX_FILE = 16 * 1024 * 1024;
export const MAX_FILES = 100_000;
/** Bytes that are unpacked altogether, those of files that are left out, too: an archive from anybody must come to an end. */
export const MAX_UNPACKED = 4 * MAX_BYTES;

/** An archive that cannot be read, or would fill the memory. The message is for a person. */
export class ArchiveError extends Error {
  override readonly name = 'ArchiveError';
}

/** A file of a zip: the name as a byte string, the bytes unpacked when they are asked for. */
export interface ZipEntry {
  readonly name: string;
  readonly size: number;
  readonly isLink: boolean;
  /** @throws ArchiveError for what is wrong with this file alone */
  readonly read: () => Uint8Array;
}

export const isGzip = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b;
export const isZip = (bytes: Uint8Array): boolean => bytes[0] === 0x50 && bytes[1] === 0x4b;

/** The bytes, unpacked if they are a gzip. @throws ArchiveError for more than there is room for */
export function unpacked(bytes: Uint8Array): Uint8Array {
  return isGzip(bytes) ? pump(new Gunzip(), bytes, MAX_BYTES) : bytes;
}

/** Bytes that are handed to the decompressor at a time: what comes of them is counted before it gets more. */
const PIECE = 64 * 1024;

function pump(decompressor: Gunzip | Inflate, bytes: Uint8Array, most: number): Uint8Array {
  const pieces: Uint8Array[] = [];
  let size = 0;
  decompressor.ondata = (data) => {
    size += data.length;
    if (size > most) throw new ArchiveError(`larger than ${megabytes(most)} when it is unpacked`);
    pieces.push(data);
  };
  try {
    for (let at = 0; at < bytes.length; at += PIECE)
      decompressor.push(bytes.subarray(at, at + PIECE), at + PIECE >= bytes.length);
  } catch (error) {
    if (error instanceof ArchiveError) throw error;
    throw new ArchiveError('compressed data that is damaged or cut off');
  }
  return joined(pieces, size);
}

export const megabytes = (bytes: number): string => `${bytes / 1024 / 1024} MB`;

function joined(pieces: readonly Uint8Array[], size: number): Uint8Array {
  const all = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}

/** A zip of files. They are added one by one: as the names of an object, __proto__ would be lost. */
export function zipOf(files: ReadonlyMap<string, Uint8Array>): Uint8Array {
  const pieces: Uint8Array[] = [];
  let size = 0;
  const zip = new Zip((error, piece) => {
    if (error !== null) throw error;
    pieces.push(piece);
    size += piece.length;
  });
  for (const [name, bytes] of files) {
    const entry = new ZipDeflate(name);
    zip.add(entry);
    entry.push(bytes, true);
  }
  zip.end();
  return joined(pieces, size);
}

const END_OF_DIRECTORY = 0x06054b50;
const LARGE_END = 0x06064b50;
/** What stands before the end record of a large zip, and says where the end record for large ones is. */
const LARGE_END_LOCATOR = 0x07064b50;
const DIRECTORY_ENTRY = 0x02014b50;
const LOCAL_ENTRY = 0x04034b50;
/** The end record, with the longest comment that it can have. */
const LONGEST_END = 22 + 0xffff;

/** What a record has where a number needs the eight bytes of a large zip (zip64). */
const ELSEWHERE = 0xffffffff;
/** The extra field with these numbers. */
const LARGE_FIELD = 1;

/**
 * The files of a zip (APPNOTE.TXT 4.3), by its central directory. Sizes are counted as they are unpacked, whatever the directory
 * says of them.
 * @throws ArchiveError
 */
export function readZip(bytes: Uint8Array): readonly ZipEntry[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const directory = directoryOf(view);
  let { at } = directory;
  const entries: ZipEntry[] = [];
  for (let i = 0; i < directory.count; i++) {
    if (at + 46 > view.byteLength || view.getUint32(at, true) !== DIRECTORY_ENTRY)
      throw new ArchiveError('the directory of the zip is damaged');
    const nameLength = view.getUint16(at + 28, true);
    const next = at + 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
    if (next > view.byteLength) throw new ArchiveError('the zip is cut off');
    const name = byteString(bytes.subarray(at + 46, at + 46 + nameLength));
    const header = at;
    if (!name.endsWith('/'))
      entries.push({
        name,
        size: numbersOf(view, header).size,
        // Made on Unix: the mode stands above.
        isLink: ((view.getUint32(header + 38, true) >>> 16) & 0xf000) === 0xa000,
        read: () => contentOf(bytes, view, header),
      });
    at = next;
  }
  return entries;
}

/** Where the directory begins, and how many entries it has. */
function directoryOf(view: DataView): { readonly at: number; readonly count: number } {
  const end = endOfDirectory(view);
  const isLarge = end >= 20 && view.getUint32(end - 20, true) === LARGE_END_LOCATOR;
  if (!isLarge) return { at: view.getUint32(end + 16, true), count: view.getUint16(end + 10, true) };
  const large = longAt(view, end - 12);
  if (large + 56 > view.byteLength || view.getUint32(large, true) !== LARGE_END)
    throw new ArchiveError('the directory of the zip is damaged');
  return { at: longAt(view, large + 48), count: longAt(view, large + 32) };
}

/** Numbers of eight bytes: none that means anything here is too large for an exact one. */
const longAt = (view: DataView, at: number): number => Number(view.getBigUint64(at, true));

/** The numbers of an entry of the directory: those that do not fit stand in the field for them, in this order. */
function numbersOf(view: DataView, header: number): { size: number; packed: number; local: number } {
  const start = header + 46 + view.getUint16(header + 28, true);
  const end = start + view.getUint16(header + 30, true);
  let [at, fieldEnd] = [end, end];
  for (let field = start; field + 4 <= end; field += 4 + view.getUint16(field + 2, true))
    if (view.getUint16(field, true) === LARGE_FIELD)
      [at, fieldEnd] = [field + 4, Math.min(end, field + 4 + view.getUint16(field + 2, true))];
  const numberAt = (place: number): number => {
    const short = view.getUint32(header + place, true);
    if (short !== ELSEWHERE || at + 8 > fieldEnd) return short;
    at += 8;
    return longAt(view, at - 8);
  };
  return { size: numberAt(24), packed: numberAt(20), local: numberAt(42) };
}

function endOfDirectory(view: DataView): number {
  const first = Math.max(0, view.byteLength - LONGEST_END);
  for (let at = view.byteLength - 22; at >= first; at--)
    if (view.getUint32(at, true) === END_OF_DIRECTORY) return at;
  throw new ArchiveError('no zip, or one that is cut off');
}

const STORED = 0;
const DEFLATED = 8;

function contentOf(bytes: Uint8Array, view: DataView, header: number): Uint8Array {
  const flags = view.getUint16(header + 8, true);
  const method = view.getUint16(header + 10, true);
  const { packed: size, local } = numbersOf(view, header);
  if ((flags & 1) !== 0) throw new ArchiveError('encrypted');
  if (local + 30 > view.byteLength || view.getUint32(local, true) !== LOCAL_ENTRY)
    throw new ArchiveError('the zip is damaged');
  const start = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
  if (start + size > view.byteLength) throw new ArchiveError('the zip is cut off');
  const packed = bytes.subarray(start, start + size);
  if (method === STORED) return packed;
  if (method !== DEFLATED) throw new ArchiveError('packed in a way that is not read');
  return size === 0 ? new Uint8Array() : pump(new Inflate(), packed, MAX_FILE);
}

const SLICE = 8192;

/** Bytes as the library takes them: one character a byte. */
export function byteString(bytes: Uint8Array): string {
  const pieces: string[] = [];
  for (let at = 0; at < bytes.length; at += SLICE)
    pieces.push(String.fromCharCode(...bytes.subarray(at, at + SLICE)));
  return pieces.join('');
}

/** The bytes of a byte string. */
export function bytesOf(text: string): Uint8Array {
  return Uint8Array.from(text, (char) => char.charCodeAt(0));
}
