import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { CollectedError, type CollectedServer, readCollected } from '../../src/collect';
import { readTar } from '../../src/collect/read-tar';
import { unpack } from '../../src/collect/unpack';
import { writeTar } from '../../src/collect/write-tar';
import { bomb, entryBlocks, madeTar, type MadeEntry, SERVER } from '../../testing/collect/tar';

const read = (entries: readonly MadeEntry[]): CollectedServer => readCollected(madeTar(entries));
const SMALL: readonly MadeEntry[] = SERVER;

let scratch: string;
beforeEach(() => (scratch = mkdtempSync(join(tmpdir(), 'collect-'))));
afterEach(() => rmSync(scratch, { recursive: true, force: true }));

test('a tar is the server: files, links, directories that are empty, and what could not be read', () => {
  const { source, config, trees, defines, environment, owned } = read(SMALL);
  expect({ config, trees, defines, environment: [...environment] }).toEqual({
    config: '/etc/httpd/httpd.conf',
    trees: ['/var/www'],
    defines: ['SSL'],
    environment: [['APACHE_RUN_USER', 'www-data']],
  });
  expect(source.read('/etc/httpd/conf.d/a.conf')).toBe('MaxRequestsPerChild 9\n');
  expect(source.real('/etc/httpd/conf.d/a.conf')).toBe('/etc/apache.d/a.conf');
  expect(source.kind('/var/www/empty one')).toBe('directory');
  expect(source.list('/var/www/empty one')).toEqual([]);
  expect(source.kind('/var/www/other')).toBeUndefined();
  expect(owned.get('/etc/httpd/httpd.conf')).toEqual({ mode: '-rw-r-----', owner: 'root', group: 'wheel' });
  expect(owned.get('/var/www/empty one')?.group).toBe('48');
});

test('what could not be read on the server cannot be read from its tar', () => {
  const listing =
    '-rw------- 1 0 0 9 Nov 23 13:23 /var/www/.htaccess\ndrwx------ 2 0 0 9 Nov 23 13:23 /var/www/d\n';
  const { source } = read([
    ...SMALL.filter(({ name }) => !/listing|left-out/.test(name)),
    { name: 'info/listing', text: listing },
    { name: 'info/left-out', text: 'cannot be read\t/var/www/.htaccess\ncannot be read\t/var/www/d\n' },
  ]);
  expect(source.kind('/var/www/.htaccess')).toBe('file');
  expect(() => source.read('/var/www/.htaccess')).toThrow('permission denied');
  expect(() => source.list('/var/www/d')).toThrow('permission denied');
});

test.each(['gnu', 'ustar', 'pax', 'oldgnu'])(
  '%s tars of the system are read, names of any bytes and lengths included',
  (format) => {
    const long = `${'d'.repeat(60)}/${'e'.repeat(60)}/${'f'.repeat(60)}`;
    const root = join(scratch, 'root');
    mkdirSync(join(root, long), { recursive: true });
    writeFileSync(join(root, long, 'a'), 'long');
    writeFileSync(Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0xe4, 0x20, 0x22])]), 'bytes');
    symlinkSync(`/${'g'.repeat(90)}`, join(root, 'link'));
    writeFileSync(join(root, 'large'), 'x'.repeat(3000));
    execFileSync('tar', [`--format=${format}`, '-cf', 'a.tar', 'root'], { cwd: scratch });
    const entries = readTar(unpack(readFileSync(join(scratch, 'a.tar'))));
    const found = new Map(entries.map(({ name, kind, text }) => [name, `${kind} ${text}`]));
    expect(found.get(`root/${long}/a`)).toBe('file long');
    expect(found.get('root/\xe4 "')).toBe('file bytes');
    expect(found.get('root/link')).toBe(`link /${'g'.repeat(90)}`);
    expect(found.get('root/large')).toBe(`file ${'x'.repeat(3000)}`);
    expect(found.get('root')).toBe('directory ');
  },
);

test('what is written is read by tar and by us', () => {
  const files = [
    { name: 'a/b', text: 'text' },
    { name: `a/${'long'.repeat(40)}`, text: 'x'.repeat(1024) },
    { name: 'a/\xe4', text: '' },
  ];
  const tar = writeTar(files, true);
  expect(readTar(unpack(tar)).map(({ name, text }) => ({ name, text }))).toEqual(files);
  writeFileSync(join(scratch, 'a.tar.gz'), tar);
  execFileSync('tar', ['xzf', 'a.tar.gz'], { cwd: scratch });
  for (const { name, text } of files)
    expect(readFileSync(Buffer.from(join(scratch, name), 'latin1'), 'latin1')).toBe(text);
});

const FILE = (name: string): MadeEntry => ({ name, text: 'Deny from all\n' });

/** What no collection holds, and a tar of any other origin may. */
const HOSTILE: readonly (readonly [what: string, entries: readonly MadeEntry[], complaint: RegExp])[] = [
  ['a way upwards', [FILE('root/../etc/passwd')], /leads elsewhere/],
  ['a way upwards at the end', [FILE('root/a/..')], /leads elsewhere/],
  ['an absolute name', [FILE('/root/etc/passwd')], /leads elsewhere/],
  ['a name with a NUL in a longer header', [{ name: 'x', type: 'x', text: '20 path=root/a\0../b\n' }, FILE('a')], /leads elsewhere/],
  ['a name with a line end', [FILE('root/a\nb')], /leads elsewhere/],
  ['a long way upwards (GNU)', [{ name: '././@LongLink', type: 'L', text: 'root/../../x\0' }, FILE('root/a')], /leads elsewhere/],
  ['a long way upwards (pax)', [{ name: 'x', type: 'x', text: '16 path=root/..\n' }, FILE('root/a')], /leads elsewhere/],
  ['a file outside', [FILE('other')], /does not belong/],
  ['a file twice', [FILE('root/a'), FILE('root/a')], /twice/],
  ['a file and a link', [FILE('root/a'), { name: 'root/a', type: '2', target: '/etc' }], /twice/],
  ['a file below a link', [{ name: 'root/l', type: '2', target: '/etc' }, FILE('root/l/passwd')], /below a file or a link/],
  ['a link put in place later', [FILE('root/l/passwd'), { name: 'root/l', type: '2', target: '/etc' }], /below a file or a link/],
  ['a file below a file', [FILE('root/f'), FILE('root/f/g')], /below a file or a link/],
  ['a directory in the place of a file', [FILE('root/f'), { name: 'root/f/d', type: '5' }], /below a file or a link/],
  ['a hard link', [{ name: 'root/h', type: '1', target: 'root/etc/httpd/httpd.conf' }], /a hard link/],
  ['a device', [{ name: 'root/d', type: '3' }], /a device/],
  ['a block device', [{ name: 'root/d', type: '4' }], /a device/],
  ['a pipe', [{ name: 'root/p', type: '6' }], /a pipe/],
  ['a sparse file (GNU)', [{ name: 'root/s', type: 'S' }], /a sparse file/],
  ['a sparse file (pax)', [{ name: 'x', type: 'x', text: '22 GNU.sparse.major=1\n' }, FILE('root/a')], /a sparse file/],
  ['an unknown kind', [{ name: 'root/u', type: 'Z' }], /not known/],
  ['a size beyond the end', [{ name: 'root/a', size: '77777777777' }], /cut off/],
  ['a size beyond all numbers', [{ name: 'root/a', size: '\x80\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff' }], /cut off/],
  ['a size below nothing', [{ name: 'root/a', size: '-0000000001' }], /cut off/],
  ['a size that is none', [{ name: 'root/a', size: 'abc' }], /cut off/],
  ['a large size in a longer header', [{ name: 'x', type: 'x', text: '24 size=999999999999999\n' }, FILE('root/a')], /cut off/],
  ['a longer header without end', [{ name: 'x', type: 'x', text: '99999 path=a\n' }, FILE('root/a')], /damaged/],
  ['a longer header that is no record', [{ name: 'x', type: 'x', text: 'x'.repeat(300) }, FILE('root/a')], /damaged/],
  ['a record of no length', [{ name: 'x', type: 'x', text: '0 a=\n' }, FILE('root/a')], /damaged/],
  ['a longer header that is too long', [{ name: 'x', type: 'x', text: `70000 path=${'a'.repeat(69_988)}\n` }, FILE('root/a')], /too long/],
  ['a name that is too long', [{ name: 'x', type: 'L', text: `root/${'a/'.repeat(3000)}b` }, FILE('root/a')], /leads elsewhere/],
  ['more directories than one another', [{ name: 'x', type: 'L', text: `root/${'a/'.repeat(300)}b` }, FILE('root/a')], /leads elsewhere/],
]; // prettier-ignore

test.each(HOSTILE)('%s is refused', (_, entries, complaint) => {
  const run = (): unknown => read([...SMALL, ...entries]);
  expect(run).toThrow(CollectedError);
  expect(run).toThrow(complaint);
});

test('links that lead out or in circles are what they are on the server, and lead nowhere here', () => {
  const { source } = read([
    ...SMALL,
    { name: 'root/var/www/out', type: '2', target: '/etc/passwd' },
    { name: 'root/var/www/up', type: '2', target: '../../../../../../etc/shadow' },
    { name: 'root/var/www/loop', type: '2', target: 'loop' },
  ]);
  for (const name of ['out', 'up', 'loop']) expect(source.kind(`/var/www/${name}`)).toBeUndefined();
  expect(() => source.read('/var/www/loop')).toThrow('too many levels');
});

test('a listing cannot put a directory where a file is, or outside', () => {
  const listing = ['/etc/httpd/httpd.conf/a', '/../x', '/a/../../b', '/ok', 'relative']
    .map((path) => `drwxr-xr-x 2 0 0 4096 Nov 23 13:23 ${path}\n`)
    .join('');
  const { source } = read([
    ...SMALL.filter(({ name }) => name !== 'info/listing'),
    { name: 'info/listing', text: listing },
  ]);
  expect(source.kind('/ok')).toBe('directory');
  expect(source.kind('/etc/httpd/httpd.conf')).toBe('file');
  expect(
    source
      .list('/')
      .map(({ name }) => name)
      .toSorted(),
  ).toEqual(['etc', 'ok', 'var']);
});

test('a link of another user than its target is known as one', () => {
  const listing = [
    'lrwxrwxrwx 1 33 33 9 Nov 23 13:23 /var/www/theirs -> /etc/apache.d',
    'lrwxrwxrwx 1 0 0 9 Nov 23 13:23 /var/www/ours -> /etc/apache.d',
  ].join('\n');
  const { source } = read([
    ...SMALL.filter(({ name }) => name !== 'info/listing'),
    { name: 'info/listing', text: listing },
    { name: 'root/var/www/theirs', type: '2', target: '/etc/apache.d' },
    { name: 'root/var/www/ours', type: '2', target: '/etc/apache.d' },
  ]);
  expect(source.planted?.('/var/www/theirs/a.conf', undefined, '')).toBe(true);
  expect(source.planted?.('/var/www/ours/a.conf', undefined, '')).toBe(false);
});

test('a tar that collect has not made is none', () => {
  expect(() => read([])).toThrow('not made by collect');
  expect(() => read(SMALL.slice(1))).toThrow('not made by collect');
  expect(() => read([{ name: 'MANIFEST', text: 'httpd-codemod collection 2\n' }])).toThrow('another version');
  expect(() => read([{ name: 'MANIFEST', text: 'httpd-codemod collection 1\n' }])).toThrow(
    'no configuration',
  );
  expect(() => read(SMALL.filter(({ name }) => !name.endsWith('httpd.conf')))).toThrow('is not in it');
  expect(() => readCollected(Buffer.from('Order allow,deny\n'.repeat(100)))).toThrow('no tar');
});

test('a tar that ends early is refused, wherever it does', () => {
  const tar = madeTar(SMALL);
  const packed = gzipSync(tar);
  // Its end is two blocks of zeros, of which one will do.
  for (let length = 0; length <= tar.length - 1024; length += 256)
    expect(() => readCollected(tar.subarray(0, length))).toThrow(CollectedError);
  for (let length = 2; length < packed.length; length += 7)
    expect(() => readCollected(packed.subarray(0, length))).toThrow(/damaged or cut off/);
  expect(readCollected(packed).config).toBe('/etc/httpd/httpd.conf');
});

test('no bytes make it throw anything else', () => {
  const tar = madeTar(SMALL);
  const change = fc.tuple(fc.integer({ min: 0, max: tar.length - 1 }), fc.integer({ min: 0, max: 255 }));
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 4 }), (changes) => {
      const copy = Buffer.from(tar);
      for (const [at, byte] of changes) copy[at] = byte;
      // Half of them with headers that are in order.
      if (changes.length % 2 === 0) repair(copy);
      try {
        readCollected(copy);
      } catch (error) {
        if (!(error instanceof CollectedError)) throw error;
      }
    }),
  );
});

/** Puts the right checksum into every header that stands where one is expected. */
function repair(tar: Buffer): void {
  for (let at = 0; at + 512 <= tar.length; at += 512) {
    if (tar.toString('latin1', at + 257, at + 262) !== 'ustar') continue;
    tar.fill(' ', at + 148, at + 156);
    const sum = tar.subarray(at, at + 512).reduce((all, byte) => all + byte, 0);
    tar.write(`${sum.toString(8).padStart(6, '0')}\0 `, at + 148, 'latin1');
  }
}

test('a bomb is refused', () => {
  expect(() => readCollected(bomb(320))).toThrow('larger than 256 MB');
});

test('too many entries are refused', () => {
  const entry = entryBlocks({ name: 'root/a', type: '5' });
  const many = Buffer.alloc(400_001 * entry.length, entry);
  expect(() => readCollected(many)).toThrow('more than 400000 files');
});

test('too many directories are refused', () => {
  const bush = (i: number): Buffer =>
    entryBlocks({ name: `${'a/'.repeat(40)}b`, type: '5', prefix: `root/${i}/${'a/'.repeat(70)}a` });
  const bushes = Array.from({ length: 15_000 }, (_, i) => bush(i));
  const tar = Buffer.concat([madeTar(SMALL).subarray(0, -1024), ...bushes, Buffer.alloc(1024)]);
  expect(() => readCollected(tar)).toThrow('more than 1500000 directories');
});
