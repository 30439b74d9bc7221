/** A tar consists of blocks of so many bytes. */
export const BLOCK = 512;

/** Where the fields of a header stand (POSIX.1-1988, with those that ustar has added): offset and length in bytes. */
export const FIELDS = {
  name: [0, 100],
  mode: [100, 8],
  uid: [108, 8],
  gid: [116, 8],
  size: [124, 12],
  mtime: [136, 12],
  checksum: [148, 8],
  type: [156, 1],
  linkName: [157, 100],
  magic: [257, 8],
  userName: [265, 32],
  groupName: [297, 32],
  prefix: [345, 155],
} as const satisfies Readonly<Record<string, readonly [start: number, length: number]>>;

/** The sum of all bytes of a header, its own field counted as blanks. */
export function checksumOf(header: Uint8Array): number {
  const [start, length] = FIELDS.checksum;
  let sum = 0x20 * length;
  for (let i = 0; i < BLOCK; i++) if (i < start || i >= start + length) sum += header[i]!;
  return sum;
}
