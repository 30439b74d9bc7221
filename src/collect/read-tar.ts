import { CollectedError } from './error';
import { BLOCK, checksumOf, FIELDS } from './tar-format';

/** What a tar holds under one name: names and texts are byte strings. */
export interface TarEntry {
  /** The path as it stands in the tar, without `./` in front and slashes behind. */
  readonly name: string;
  readonly kind: 'file' | 'directory' | 'link';
  /** The bytes of a file, or where a link points. */
  readonly text: string;
  readonly uid: number;
  readonly gid: number;
  /** '' where the tar does not say. */
  readonly userName: string;
  readonly groupName: string;
}

/** Bytes, unpacked. A server with 100,000 `.htaccess` files has half of it. */
export const MAX_UNPACKED = 256 * 1024 * 1024;
const MAX_ENTRIES = 400_000;
/** Bytes of an extended header. Those of a long name have one block. */
const MAX_EXTENDED = 64 * 1024;
/** Bytes of a path: as many as it may have (PATH_MAX). */
const MAX_NAME = 4096;
const MAX_DEPTH = 256;

/**
 * Reads a tar wholly. It may come from anybody: nothing of it is believed that is not what `tar` makes of
 * files, directories and symbolic links, and sizes are limited before there is room for them.
 * @throws CollectedError
 */
export function readTar(bytes: Uint8Array): TarEntry[] {
  if (bytes.length > MAX_UNPACKED) throw new CollectedError(TOO_LARGE);
  const entries: TarEntry[] = [];
  let extended: Extended = {};
  for (let at = 0; ;) {
    if (at + BLOCK > bytes.length) throw new CollectedError('the tar is cut off');
    const header = bytes.subarray(at, at + BLOCK);
    at += BLOCK;
    if (header[0] === 0 && header.every((byte) => byte === 0)) return entries;
    if (numberIn(header, FIELDS.checksum) !== checksumOf(header))
      throw new CollectedError('no tar, or one that is damaged');
    const type = textIn(header, FIELDS.type) || '0';
    const size = sizeOf(header, type, extended);
    if (size > bytes.length - at) throw new CollectedError('the tar is cut off');
    const body = bytes.subarray(at, at + size);
    at += Math.ceil(size / BLOCK) * BLOCK;
    if (type === 'x' || type === 'L' || type === 'K') {
      if (size > MAX_EXTENDED) throw new CollectedError('a header of the tar is too long');
      Object.assign(extended, extendedBy(type, body));
    } else if (type !== 'g') {
      if (entries.length === MAX_ENTRIES)
        throw new CollectedError(`more than ${MAX_ENTRIES} files and links`);
      entries.push(entryOf(header, type, body, extended));
      extended = {};
    }
  }
}

/** Why a tar is refused that would fill the memory. */
export const TOO_LARGE = 'larger than 256 MB when it is unpacked';

/** What headers before that of an entry say of it. */
interface Extended {
  readonly path?: string;
  readonly linkpath?: string;
  readonly size?: number;
}

/** GNU's long names (`L`, `K`), and the records of POSIX.1-2001: `LENGTH KEY=VALUE\n`. */
function extendedBy(type: string, body: Uint8Array): Extended {
  if (type === 'L') return { path: withoutNul(body) };
  if (type === 'K') return { linkpath: withoutNul(body) };
  const records = new Map<string, string>();
  const text = latin1(body);
  for (let at = 0; at < text.length;) {
    const [, length = '', key = ''] = /^(\d{1,5}) ([^=\n]{1,200})=/.exec(text.slice(at, at + 210)) ?? [];
    const end = at + Number(length);
    const start = at + length.length + key.length + 2;
    if (length === '' || end <= start - 1 || text[end - 1] !== '\n')
      throw new CollectedError('a header of the tar is damaged');
    if (key.startsWith('GNU.sparse.')) throw new CollectedError('holds a sparse file');
    records.set(key, text.slice(start, end - 1));
    at = end;
  }
  const path = records.get('path');
  const linkpath = records.get('linkpath');
  const size = records.get('size');
  return {
    ...(path !== undefined && { path }),
    ...(linkpath !== undefined && { linkpath }),
    ...(size !== undefined && { size: /^\d{1,15}$/.test(size) ? Number(size) : Infinity }),
  };
}

const SLICE = 8192;

/** One character a byte: `TextDecoder` calls latin1 what is windows-1252. */
function latin1(bytes: Uint8Array): string {
  const pieces: string[] = [];
  for (let at = 0; at < bytes.length; at += SLICE)
    pieces.push(String.fromCharCode(...bytes.subarray(at, at + SLICE)));
  return pieces.join('');
}

function withoutNul(body: Uint8Array): string {
  const text = latin1(body);
  const end = text.indexOf('\0');
  return end < 0 ? text : text.slice(0, end);
}

const KINDS: Readonly<Partial<Record<string, TarEntry['kind']>>> = {
  '0': 'file',
  '2': 'link',
  '5': 'directory',
  // Contiguous, which no system has.
  '7': 'file',
};

/** What nothing of a configuration is. */
const OTHERS: Readonly<Partial<Record<string, string>>> = {
  '1': 'a hard link',
  '3': 'a device',
  '4': 'a device',
  '6': 'a pipe',
  S: 'a sparse file',
};

function sizeOf(header: Uint8Array, type: string, extended: Extended): number {
  // A size counts for what has data only.
  if (type === '2' || type === '5') return 0;
  const known = KINDS[type] === 'file' ? extended.size : undefined;
  return known ?? numberIn(header, FIELDS.size) ?? Infinity;
}

function entryOf(header: Uint8Array, type: string, body: Uint8Array, extended: Extended): TarEntry {
  const written = extended.path ?? nameIn(header);
  const kind = KINDS[type];
  if (kind === undefined)
    throw new CollectedError(`holds ${OTHERS[type] ?? 'an entry of a kind that is not known'}: ${written}`);
  const name = written.replace(/^(?:\.\/+)+/, '').replace(/\/+$/, '');
  if (written.length > MAX_NAME || !isPlain(name))
    throw new CollectedError(`holds a name that leads elsewhere: ${written.slice(0, 200)}`);
  const target = extended.linkpath ?? textIn(header, FIELDS.linkName);
  if (kind === 'link' && (target === '' || target.length > MAX_NAME || /[\0\n\t]/.test(target)))
    throw new CollectedError(`holds a link that leads nowhere: ${written}`);
  return {
    name,
    // The first form of tar marked directories by a slash alone.
    kind: kind === 'file' && written.endsWith('/') ? 'directory' : kind,
    text: kind === 'file' ? latin1(body) : kind === 'link' ? target : '',
    uid: numberIn(header, FIELDS.uid) ?? -1,
    gid: numberIn(header, FIELDS.gid) ?? -1,
    userName: textIn(header, FIELDS.userName),
    groupName: textIn(header, FIELDS.groupName),
  };
}

/** Whether a name goes downwards only. Names with line ends and tabs stay on the server: lists have a name a line. */
function isPlain(name: string): boolean {
  if (name === '' || name === '.') return true;
  const parts = name.split('/');
  const isDownwards = parts.every((part) => part !== '' && part !== '.' && part !== '..');
  return isDownwards && parts.length <= MAX_DEPTH && !/[\0\n\t]/.test(name);
}

function nameIn(header: Uint8Array): string {
  const name = textIn(header, FIELDS.name);
  // GNU's own format has other fields in the place of the prefix.
  const prefix = textIn(header, FIELDS.magic).startsWith('ustar ') ? '' : textIn(header, FIELDS.prefix);
  return prefix === '' ? name : `${prefix}/${name}`;
}

type Field = (typeof FIELDS)[keyof typeof FIELDS];

function textIn(header: Uint8Array, [start, length]: Field): string {
  return withoutNul(header.subarray(start, start + length));
}

/** In octal digits or, as GNU has it for large ones, as a binary number whose first bit is set. */
function numberIn(header: Uint8Array, [start, length]: Field): number | undefined {
  const field = header.subarray(start, start + length);
  if ((field[0]! & 0x80) === 0) {
    const digits = /^ *([0-7]+)[ \0]*$/.exec(latin1(field))?.[1];
    return digits === undefined ? undefined : Number.parseInt(digits, 8);
  }
  let value = field[0]! & 0x7f;
  for (const byte of field.subarray(1)) value = value * 256 + byte;
  return Number.isSafeInteger(value) ? value : undefined;
}
