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
