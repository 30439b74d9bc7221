import { gzipSync } from 'node:zlib';
import { zipSync } from 'fflate';
import { readZip, zipOf } from '../../page/archive';
import { gather, type Gathered } from '../../page/gathered';

const given = (path: string, bytes: Uint8Array | string): Promise<Gathered> =>
  gather([{ path, file: new Blob([Buffer.from(bytes)]) }], () => undefined);

test('an archive without text is refused, with what was not read; one with a text is read', async () => {
  await expect(given('a.zip', zipSync({ 'a/logo.png': Buffer.from('x') }))).rejects.toThrow(
    /^there is no configuration in it$/,
  );
  await expect(given('a.zip', zipSync({ 'a/data': Buffer.from('x\0') }))).rejects.toThrow(
    'there is no configuration in it. Not read, no text: a/a/data',
  );
  const { files } = await given('a.zip', zipSync({ 'a/b.conf': Buffer.from('MaxClients 10\n') }));
  expect([...files]).toEqual([['/a/b.conf', 'MaxClients 10\n']]);
});

test('a file that cannot be read is named, and the others are read', async () => {
  const gone = new Blob(['x']);
  gone.slice = () =>
    Object.assign(new Blob([]), { arrayBuffer: () => Promise.reject(new Error('NotReadableError')) });
  const other = new Blob(['MaxClients 10\n']);
  const folder = [
    { path: 'a/gone.conf', file: gone },
    { path: 'a/b.conf', file: other },
  ];
  const { files, notes } = await gather(folder, () => undefined);
  expect([...files.values()]).toEqual(['MaxClients 10\n']);
  expect(notes).toEqual(['Not read, the browser cannot read it: a/gone.conf']);
});

test('the browser may have no file at all for a name', async () => {
  const other = new Blob(['MaxClients 10\n']);
  const { notes } = await gather(
    [
      { path: 'a/gone.conf', file: undefined },
      { path: 'a/b.conf', file: other },
    ],
    () => undefined,
  );
  expect(notes).toEqual(['Not read, the browser cannot read it: a/gone.conf']);
});

test('of a large file that is no text, only the beginning is read', async () => {
  const large = new Blob([Buffer.alloc(1_000_000)]);
  const read = jest.spyOn(large, 'arrayBuffer');
  const text = `# ${'x'.repeat(20_000)}\nMaxClients 10\n`;
  const { files, notes } = await gather(
    [
      { path: 'a/data', file: large },
      { path: 'a/b.conf', file: new Blob([text]) },
    ],
    () => undefined,
  );
  expect(read).not.toHaveBeenCalled();
  expect(notes).toEqual(['Not read, no text: a/data']);
  expect([...files.values()]).toEqual([text]);
});

test('what a version control or a package manager keeps is no configuration, in an archive neither', async () => {
  const { files } = await given(
    'a.zip',
    zipSync({
      'a/.git/config': Buffer.from('[core]\n'),
      'a/node_modules/x/httpd.conf': Buffer.from('MaxClients 10\n'),
      'a/b.conf': Buffer.from('MaxClients 10\n'),
    }),
  );
  expect([...files.keys()]).toEqual(['/a/b.conf']);
});

test('a text that is packed alone is read as one', async () => {
  const { files } = await given('httpd.conf.gz', gzipSync('MaxClients 10\n'));
  expect([...files]).toEqual([['/httpd.conf', 'MaxClients 10\n']]);
  await expect(given('httpd.tar.gz', gzipSync('MaxClients 10\n'))).rejects.toThrow('tar');
});

/** A zip of one stored file, with other bytes at some places of its entry in the directory. */
function changedZip(text: string, changes: Readonly<Record<number, number>>): Uint8Array {
  const zip = zipSync(
    { 'a/b.conf': Buffer.from('MaxClients 10\n'), 'a/z.conf': Buffer.from(text) },
    { level: 0 },
  );
  const at = Buffer.from(zip).lastIndexOf('PK\x01\x02');
  for (const [offset, value] of Object.entries(changes)) zip[at + Number(offset)] = value;
  return zip;
}

test.each([
  ['encrypted', { 8: 1 }, 'encrypted'],
  ['packed in another way', { 10: 12 }, 'packed in a way that is not read'],
  ['damaged', { 10: 8 }, 'compressed data that is damaged or cut off'],
])('a file of a zip that is %s is named, and the others are read', async (_, changes, why) => {
  const { files, notes } = await given('x.zip', changedZip('\xff\xff\xff\xff', changes));
  expect([...files.keys()]).toEqual(['/a/b.conf']);
  expect(notes).toEqual([`Not read, ${why}: x/a/z.conf`]);
});

test('files that are the same bytes of an archive, again and again, come to an end', async () => {
  const zip = Buffer.from(zipSync({ x: Buffer.alloc(4 * 1024 * 1024) }, { level: 0 }));
  const at = zip.indexOf('PK\x01\x02');
  const [local, entry, end] = [zip.subarray(0, at), zip.subarray(at, -22), Buffer.from(zip.subarray(-22))];
  end.writeUInt16LE(1000, 10);
  const many = Buffer.concat([local, ...Array<Buffer>(1000).fill(entry), end]);
  await expect(given('x.zip', many)).rejects.toThrow('more than 1024 MB when it is unpacked');
});

test('a zip has each file, whatever its name, and is read again', () => {
  const names = ['__proto__', 'constructor', 'a/__proto__', 'sites/b.conf', 'empty', 'd\u00e9j\u00e0.conf'];
  const text = (name: string): Uint8Array => Buffer.from(name === 'empty' ? '' : `# ${name}\n`);
  const zip = zipOf(new Map(names.map((name) => [name, text(name)])));
  const read = readZip(zip).map((entry) => [entry.name, Buffer.from(entry.read()).toString()]);
  expect(read).toEqual(
    names.map((name) => [Buffer.from(name).toString('latin1'), Buffer.from(text(name)).toString()]),
  );
});

/**
 * A large zip (zip64) of stored files, as a program writes one that does not know how large it becomes: each number that can stand
 * elsewhere does.
 */
function largeZip(files: Readonly<Record<string, string>>, { locator = true, cut = 0 } = {}): Buffer {
  const pieces: Buffer[] = [];
  const at = (): number => pieces.reduce((sum, piece) => sum + piece.length, 0);
  const numbers = (...values: readonly number[]): Buffer => {
    const field = Buffer.alloc(4 + 8 * values.length);
    field.writeUInt16LE(1, 0);
    field.writeUInt16LE(8 * values.length, 2);
    values.forEach((value, i) => field.writeBigUInt64LE(BigInt(value), 4 + 8 * i));
    return field;
  };
  const entries = Object.entries(files).map(([name, text]) => {
    const local = Buffer.alloc(30);
    const field = numbers(text.length, text.length);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt32LE(0xffffffff, 18);
    local.writeUInt32LE(0xffffffff, 22);
    local.writeUInt16LE(name.length, 26);
    local.writeUInt16LE(field.length, 28);
    const offset = at();
    pieces.push(local, Buffer.from(name), field, Buffer.from(text, 'latin1'));
    return { name, size: text.length, offset };
  });
  const directory = at();
  for (const { name, size, offset } of entries) {
    const entry = Buffer.alloc(46);
    // Another field stands before the one with the numbers.
    const field = Buffer.concat([Buffer.from([0x55, 0x54, 1, 0, 0]), numbers(size, size, offset)]);
    entry.writeUInt32LE(0x02014b50, 0);
    for (const place of [20, 24, 42]) entry.writeUInt32LE(0xffffffff, place);
    entry.writeUInt16LE(name.length, 28);
    entry.writeUInt16LE(field.length - cut, 30);
    pieces.push(entry, Buffer.from(name), field.subarray(0, field.length - cut));
  }
  const end = at();
  const large = Buffer.alloc(56);
  large.writeUInt32LE(0x06064b50, 0);
  large.writeBigUInt64LE(BigInt(entries.length), 32);
  large.writeBigUInt64LE(BigInt(directory), 48);
  const where = Buffer.alloc(20);
  where.writeUInt32LE(locator ? 0x07064b50 : 0, 0);
  where.writeBigUInt64LE(BigInt(end), 8);
  const last = Buffer.alloc(22, 0xff);
  last.writeUInt32LE(0x06054b50, 0);
  last.writeUInt16LE(0, 20);
  return Buffer.concat([...pieces, large, where, last]);
}

test('a large zip (zip64) is read', async () => {
  const { files, notes } = await given(
    'x.zip',
    largeZip({ 'etc/a.conf': 'MaxClients 10\n', 'b/.htaccess': 'Deny from all\n' }),
  );
  expect([...files]).toEqual([
    ['/x/etc/a.conf', 'MaxClients 10\n'],
    ['/x/b/.htaccess', 'Deny from all\n'],
  ]);
  expect(notes).toEqual([]);
});

test.each([
  ['the directory is nowhere', largeZip({ 'a.conf': 'Listen 80\n' }, { locator: false }), 'the directory of the zip is damaged'],
  ['its numbers are cut off', largeZip({ 'a.conf': 'Listen 80\n' }, { cut: 1 }), 'Not read'],
  ['bytes of it are missing', Buffer.concat([Buffer.from('PK\x03\x04'), largeZip({ 'a.conf': 'Listen 80\n' }).subarray(14)]), 'damaged'],
])('a large zip is refused where %s', async (_, zip, why) => {
  await expect(given('x.zip', zip)).rejects.toThrow(why);
}); // prettier-ignore
