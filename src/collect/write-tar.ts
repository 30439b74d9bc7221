import { gzipSync } from 'node:zlib';
import { BLOCK, checksumOf, FIELDS } from './tar-format';

/** A file for a tar: byte strings. */
export interface TarFile {
  readonly name: string;
  readonly text: string;
  readonly isProgram?: true;
}

/** A tar that any `tar` reads: regular files only, which nobody but their owner may read. Compressed where the name says so. */
export function writeTar(files: readonly TarFile[], isCompressed: boolean): Buffer {
  const blocks: Buffer[] = [];
  for (const { name, text, isProgram } of files) {
    // A longer name stands in a block of its own before it, as GNU tar has it; BSD's and busybox's read it, too.
    if (name.length > FIELDS.name[1]) addBody(blocks, '././@LongLink', 'L', `${name}\0`, 0o600);
    addBody(blocks, name, '0', text, isProgram === true ? 0o700 : 0o600);
  }
  blocks.push(Buffer.alloc(2 * BLOCK));
  const tar = Buffer.concat(blocks);
  return isCompressed ? gzipSync(tar) : tar;
}

function addBody(blocks: Buffer[], name: string, type: string, text: string, mode: number): void {
  const header = Buffer.alloc(BLOCK);
  const put = ([start, length]: readonly [number, number], value: string): void =>
    void header.write(value, start, length, 'latin1');
  const octal = ([, length]: readonly [number, number], value: number): string =>
    value.toString(8).padStart(length - 1, '0');
  put(FIELDS.name, name);
  put(FIELDS.mode, octal(FIELDS.mode, mode));
  put(FIELDS.uid, octal(FIELDS.uid, 0));
  put(FIELDS.gid, octal(FIELDS.gid, 0));
  put(FIELDS.size, octal(FIELDS.size, text.length));
  put(FIELDS.mtime, octal(FIELDS.mtime, 0));
  put(FIELDS.type, type);
  put(FIELDS.magic, 'ustar  ');
  put(FIELDS.checksum, `${octal([0, 7], checksumOf(header))}\0 `);
  const body = Buffer.alloc(Math.ceil(text.length / BLOCK) * BLOCK);
  body.write(text, 'latin1');
  blocks.push(header, body);
}
