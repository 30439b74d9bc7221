import { parse } from '../../src/syntax';
import { FoundLimit, hasTooManyLines } from '../../src/config/include/files/size-limit';
import { loadTree, memory } from '../../src/config';
import { disk } from '../../src/config/source/disk';
import type { FileSource, FileStat } from '../../src/config/types';
import { command } from '../../testing/run/command';
import { convertFiles } from '../../testing/run/convert';
import { soon } from '../../testing/run/soon';
import { unbroken } from '../../testing/run/unbroken';

const times = (count: number, text: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => text(i)).join('');

const OTHER = 'Order allow,deny\nDeny from all\n<Files x>\nOrder allow,deny\nAllow from all\n</Files>\n';

/** Host lists and Require lines that may each be in force or not: thousands of states before the last section. */
const ENDLESS = `AuthType Basic\nAuthName x\n${times(
  40,
  (i) =>
    `<Files "*${i}*">\nOrder allow,deny\nAllow from 10.0.0.${i}\n</Files>\n<Files "*x${i}*">\nRequire user u${i}\n</Files>\n`,
)}<Files "*z">\nSatisfy any\n</Files>\n`;

test.each([
  ['before', '/w/a', '/w/b'],
  ['after', '/w/b', '/w/a'],
])(
  'one .htaccess that can be reached in too many ways stops none that is read %s it',
  (_, endless, other) => {
    const files = { [`${endless}/.htaccess`]: ENDLESS, [`${other}/.htaccess`]: OTHER };
    const { plan, outcomes } = convertFiles(files, ['/w'], {});
    expect(plan.map(({ file }) => file.path)).toEqual([`${other}/.htaccess`]);
    const left = outcomes.filter(({ message }) => message.includes('too many ways'));
    expect(left.map(({ file }) => file.path)).toEqual([`${endless}/.htaccess`]);
  },
);

test('a Files section for a name meets those with patterns, and those for the same name, in their order', () => {
  const limited = (name: string, address: string): string =>
    `<Files "${name}">\nOrder allow,deny\nAllow from ${address}\n</Files>\n`;
  const text = `${limited('*.php', '10.0.0.1')}${limited('a.php', '10.0.0.2')}<Files "a.php">\nRequire valid-user\nSatisfy any\n</Files>\n${limited('b.php', '10.0.0.3')}`;
  const [change] = convertFiles({ '/w/.htaccess': text }, ['/w'], {}).plan;
  // 2.2 asked the host list of the section for the same name, which comes after the one with the pattern.
  expect(change?.text).toContain('<Files "a.php">\nRequire ip 10.0.0.2\nRequire valid-user\n</Files>');
});

test('more sections than anybody writes for the same files are left, with a word', () => {
  const text = times(
    1010,
    (i) => `<Files "*${i}*">\nOrder allow,deny\nDeny from all\nSatisfy all\n</Files>\n`,
  );
  const { plan, outcomes } = convertFiles({ '/w/a/.htaccess': text, '/w/b/.htaccess': OTHER }, ['/w'], {});
  expect(plan.map(({ file }) => file.path)).toEqual(['/w/b/.htaccess']);
  expect(outcomes.some(({ message }) => message.includes('too many ways'))).toBe(true);
});

test('arguments are the same after many other lines have been read', () => {
  const { body } = parse(times(40_000, (i) => `Alias "/a ${i}" /b${i}\n`));
  const values = (): string[] =>
    body.map((node) => (node.kind === 'directive' ? node.args.map(({ value }) => value).join('|') : ''));
  const first = values();
  expect(first[0]).toBe('/a 0|/b0');
  expect(values()).toEqual(first);
});

test('a file of more than a million lines is no configuration', () => {
  expect(hasTooManyLines('\n'.repeat(1_000_000))).toBe(false);
  expect(hasTooManyLines('\n'.repeat(1_000_001))).toBe(true);
  expect(hasTooManyLines('a'.repeat(2_000_000))).toBe(false);
});

describe('of more than a run can hold', () => {
  const MB = 1e6;

  interface Found {
    readonly text?: string;
    /** As if it were so long. */
    readonly size?: number;
    readonly owner?: number;
  }

  /** What is left out of these files, with so much memory. */
  function leftOut(files: Readonly<Record<string, Found>>, memory: number): string[] {
    const source: FileSource = {
      ...disk,
      memory: () => memory,
      stat: (path) => ({ size: files[path]?.size ?? files[path]?.text?.length ?? 0, inode: undefined }),
      owners: (path) => [files[path]?.owner ?? 0],
      read(path) {
        const text = files[path]?.text;
        if (text === undefined) throw new Error('gone');
        return text;
      },
    };
    return [...new FoundLimit(source).tooMany(Object.keys(files))];
  }

  const sections = (count: number): string => '<Files a>\nDeny from all\n</Files>\n'.repeat(count);
  /** So many files of a user. */
  const many = (count: number, owner: number, text: string): Record<string, Found> =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`/${owner}/${i}`, { owner, text }]));

  test('the largest files are left out', () => {
    const text = 'Allow from 10.0.0.1\n';
    const files = {
      '/small': { text },
      '/large': { text, size: 200 * MB },
      '/middle': { text, size: 3 * MB },
      '/gone': {},
    };
    expect(leftOut(files, 2000 * MB)).toEqual(['/large']);
    expect(leftOut(files, 8000 * MB)).toEqual([]);
  });

  test('a byte of a long line counts for more', () => {
    const [long, short] = ['Allow from', 'Allow from 10.0.0.1\n'].map(
      (text) => text + ' 10.0.0.1'.repeat(2 * MB),
    );
    const files = {
      '/long': { text: long!, owner: 1 },
      '/lines': { text: short!.replaceAll(' 10', '\n10'), owner: 2 },
      '/own': { text: 'Deny from all\n' },
    };
    expect(leftOut(files, 1600 * MB)).toEqual(['/long']);
  });

  test('sections count, not only bytes, and the memory that there is', () => {
    const files = { '/many': { text: sections(30_000) }, '/few': { text: sections(10) } };
    expect(leftOut(files, 4000 * MB)).toEqual([]);
    expect(leftOut(files, 300 * MB)).toEqual(['/many']);
    // As many lines that are no sections.
    expect(leftOut({ '/many': { text: 'Deny from all\n'.repeat(60_000) } }, 300 * MB)).toEqual([]);
  });

  test('the files of whoever has most are left out, and nobody else’s', () => {
    const files = {
      ...many(1000, 7, sections(20)),
      ...many(10, 8, sections(40)),
      ...many(10, 9, sections(2)),
    };
    const left = leftOut(files, 300 * MB);
    expect(left.length).toBeGreaterThan(100);
    expect(left.filter((path) => !path.startsWith('/7/'))).toEqual([]);
    // Two who have much get as much each.
    const two = leftOut(
      { ...many(600, 7, sections(20)), ...many(600, 8, sections(20)), ...many(10, 9, sections(40)) },
      300 * MB,
    );
    expect(new Set(two.map((path) => path.split('/')[1]))).toEqual(new Set(['7', '8']));
  });

  test('of texts that have no room together, no more than there is room for is read, and nothing of it is kept', () => {
    const read: string[] = [];
    const fresh: FileSource = { ...disk, read: (path) => (read.push(path), 'Allow from 10.0.0.1\n') };
    const source: FileSource = {
      ...fresh,
      read: (path) => {
        throw new Error(`${path} stays in memory`);
      },
      memory: () => 400 * MB,
      stat: (path) => ({ size: path === '/8' ? 20 : MB, inode: undefined }),
      owners: (path) => [path === '/8' ? 8 : 7],
      once: (_, ask) => ask(fresh),
    };
    const paths = [...Array.from({ length: 700 }, (_, i) => `/7/${i}`), '/8'];
    const left = new FoundLimit(source).tooMany(paths);
    expect(read).toHaveLength(26);
    expect(left.size).toBe(675);
    expect(left.has('/8')).toBe(false);
  });

  test('where a source knows no sizes, nothing is', () => {
    const unmeasured = { ...disk };
    delete unmeasured.stat;
    expect([...new FoundLimit(unmeasured).tooMany(['/large'])]).toEqual([]);
  });
});

const nested = (open: string, inner: string, count: number): string =>
  open.repeat(count) + inner + ')'.repeat(count);

test.each([
  ['Require expr', `Require expr ${nested('(', 'true', 4000)}`],
  ['negations in Require expr', `Require expr ${nested('!(', 'true', 2500)}`],
  ['SSLRequire', `SSLRequire ${nested('(', '%{SSL_CIPHER_USEKEYSIZE} >= 128', 4000)}`],
  ['negations in SSLRequire', `SSLRequire ${nested('!(', '%{SSL_CIPHER_USEKEYSIZE} >= 128', 2600)}`],
])('%s with thousands of parentheses in one .htaccess keeps no other from being converted', async (_, line) => {
  const deny = 'Order deny,allow\nDeny from all\n';
  const main = `ServerRoot /etc/httpd\nListen 80\nLoadModule authz_host_module modules/mod_authz_host.so\nLoadModule ssl_module modules/mod_ssl.so\nDocumentRoot /srv\n<Directory /srv>\nAllowOverride All\n${deny}</Directory>\n`;
  const files = new Map([['/etc/httpd/httpd.conf', main], ['/srv/a/.htaccess', deny], ['/srv/b/.htaccess', `${line}\n`]]);
  const { status, stdout, stderr } = await command(['/etc/httpd', '/srv'], {}, { source: { ...memory(files), isMachine: true } });
  expect(status).toBe(1);
  expect(stdout).toContain('+++ b/srv/a/.htaccess\n@@ -1,2 +1,1 @@\n-Order deny,allow\n-Deny from all\n+Require all denied\n');
  expect(stderr).not.toContain('internal error');
}); // prettier-ignore

test('very many files that are left alone end no run', async () => {
  const paths = Array.from({ length: 40_000 }, (_, i) => `/srv/x${i}.conf`);
  const files = new Map([
    ['/srv/.htaccess', 'Deny from all\n'],
    ...paths.map((path): [string, string] => [path, '<']),
  ]);
  const source: FileSource = {
    ...memory(files),
    memory: () => 32_000,
    stat: (path) => ({ size: path.endsWith('.conf') ? 1000 : 20, inode: undefined }),
    owners: (path) => [path.endsWith('.conf') ? 7 : 8],
  };
  const tree = await soon(() => loadTree(source, ['/srv'], { defines: new Map(), env: new Map(), cwd: '/' }));
  expect(tree.unread.length).toBeGreaterThan(40_000 - 3);
  expect(tree.htaccess).toHaveLength(1);
});

describe('a run over more than the memory holds', () => {
  /** A server whose user 7 has many sections, in several directories that are given or served. */
  function server(): { source: FileSource; owners: (path: string) => readonly number[] } {
    const files = new Map([
      [
        '/etc/httpd/httpd.conf',
        'ServerRoot /etc/httpd\nDocumentRoot /srv\nAlias /u /home/u\n<Directory /srv>\nAllowOverride All\nOrder allow,deny\nAllow from all\n</Directory>\n<Directory /home/u>\nAllowOverride All\n</Directory>\n',
      ],
    ]);
    const sections = (i: number): string =>
      Array.from(
        { length: 100 },
        (_, k) => `<Files f${i}x${k}>\nOrder deny,allow\nDeny from all\n</Files>\n`,
      ).join('');
    for (let i = 0; i < 30; i++) {
      files.set(`/srv/a/${i}/.htaccess`, sections(i));
      files.set(`/home/u/a/${i}/.htaccess`, sections(i));
      files.set(`/home/u/a/${i}/sub/.htaccess`, 'Order deny,allow\nDeny from all\n');
    }
    for (const home of ['/srv', '/home/u'])
      files.set(`${home}/z/.htaccess`, 'Order deny,allow\nDeny from all\n');
    const owners = (path: string): readonly number[] => [path.includes('/a/') ? 7 : 8];
    return { source: memory(files), owners };
  }

  test.each([
    ['a dry run', ['--check']],
    ['both versions', ['--check', '--dual']],
  ])('%s leaves those files alone, and goes on with the rest', async (_, argv) => {
    const { source, owners } = server();
    const stat = (path: string): FileStat => ({ size: source.read(path).length, inode: undefined });
    const ask = (bytes: number): ReturnType<typeof command> =>
      command(
        [...argv, '/etc/httpd', '/srv'],
        {},
        { source: { ...source, stat, owners, isMachine: true, memory: () => bytes } },
      );
    const { status, stdout, stderr } = await ask(40 * 1e6);
    expect(status).toBe(1);
    const changed = stdout.split('\n');
    expect(changed).toEqual(
      expect.arrayContaining(['etc/httpd/httpd.conf', 'srv/z/.htaccess', 'home/u/z/.htaccess']),
    );
    expect(changed.length).toBeLessThan(70);
    expect(unbroken(stderr)).toContain('more than one run can hold');
    // Twin: where there is room, all are read.
    const whole = await ask(4e9);
    expect(whole.stdout.split('\n')).toHaveLength(94);
    expect(unbroken(whole.stderr)).not.toContain('more than one run can hold');
  });
});

test.each(['[', '${', '/', '{', '\\', '"', ' '])(
  'a section for a name of many %j ends no run',
  async (char) => {
    const text = `<Files ${char.repeat(400_000 / char.length)}x>\nOrder deny,allow\nDeny from all\n</Files>\n`;
    const { tree } = await soon(() => convertFiles({ '/w/.htaccess': text }, ['/w/.htaccess']));
    expect(tree.files).toHaveLength(1);
  },
);
