import { loadRereadable, memory } from '../../src/config';
import { type FileSource, SourceError } from '../../src/config/types';
import { type RunOptions, type RunResult, run } from '../../src/engine';
import { transforms } from '../../transforms';

const OPEN = 'Order allow,deny\nAllow from all\n';
const FILES = {
  '/w/a/.htaccess': 'AuthType Basic\nAuthName x\nRequire valid-user\n',
  '/w/a/b/.htaccess': OPEN,
  '/w/a/settings/.htaccess': 'DefaultType text/html\n',
  '/w/other/.htaccess': OPEN,
};

/** Converts the files below /w where one of them cannot be read. */
function converted(
  source: (base: FileSource) => Partial<FileSource>,
  further: Readonly<Record<string, string>> = {},
  choices: RunOptions = {},
): RunResult {
  const base = memory(new Map(Object.entries({ ...FILES, ...further })));
  const options = { defines: new Map<string, string>(), env: new Map<string, string>(), cwd: '/' };
  return run(loadRereadable({ ...base, ...source(base) }, ['/w'], options), transforms, choices);
}

const unreadable = (base: FileSource): Partial<FileSource> => ({
  read(path) {
    if (path === '/w/a/.htaccess') throw new SourceError(path, 'EACCES', 'permission denied');
    return base.read(path);
  },
});

/** The file is larger than all that a run reads. */
const tooLarge = (): Partial<FileSource> => ({
  memory: () => 2e9,
  stat: (path) => ({ size: path === '/w/a/.htaccess' ? 3e8 : 100, inode: undefined }),
});

const changed = ({ plan }: RunResult): string[] => plan.map(({ file }) => file.path);
const errorsAt = ({ outcomes }: RunResult, path: string): string[] =>
  outcomes.filter(({ level, file }) => level === 'error' && file.path === path).map(({ message }) => message);

describe.each([
  ['cannot be read', unreadable],
  ['is too large', tooLarge],
])('a .htaccess that %s', (_, source) => {
  const result = converted(source);

  test('may ask for a password below, where access lines stay', () => {
    expect(changed(result)).not.toContain('/w/a/b/.htaccess');
    expect(errorsAt(result, '/w/a/b/.htaccess')).toEqual([
      expect.stringContaining(
        'the .htaccess of /w/a, above it, could not be read, and may say who gets in here',
      ),
    ]);
    expect(errorsAt(result, '/w/a/.htaccess')).toHaveLength(1);
  });

  test('has no say elsewhere, nor about what has nothing to do with access', () => {
    expect(changed(result)).toContain('/w/other/.htaccess');
    expect(result.tree.htaccess.map(({ path }) => path)).toContain('/w/a/settings/.htaccess');
    expect(errorsAt(result, '/w/a/settings/.htaccess').join()).not.toContain('could not be read');
  });
});

test.each([false, true])(
  'nor does what stands below it keep others from being converted (dual: %s)',
  (dual) => {
    const any = 'AuthType Basic\nAuthName x\nRequire valid-user\nAllow from 10.0.0.1\nSatisfy any\n';
    const further = { '/w/.htaccess': OPEN, '/w/a/any/.htaccess': any };
    const result = converted(unreadable, further, { dual });
    expect(changed(result)).toEqual(expect.arrayContaining(['/w/.htaccess', '/w/other/.htaccess']));
    // As it is, a 2.4 with mod_access_compat would let in whom 2.2 may have asked for a password.
    for (const { file, text } of result.plan)
      if (file.path.startsWith('/w/a/')) expect(text).not.toMatch(/Require (?:ip|all granted)/);
    expect(errorsAt(result, '/w/a/any/.htaccess')).not.toEqual([]);
  },
);

test('nothing becomes stricter below one that can be read', () => {
  const result = converted(() => ({}));
  expect(changed(result)).toEqual(expect.arrayContaining(['/w/a/b/.htaccess', '/w/other/.htaccess']));
  expect(errorsAt(result, '/w/a/b/.htaccess').join()).not.toContain('could not be read');
});

describe('a section of the server below one that could not be read', () => {
  const conf = (more: string): string =>
    `ServerRoot /etc\nListen 80\nLoadModule authz_host_module modules/mod_authz_host.so\nLoadModule authz_default_module modules/mod_authz_default.so\nDocumentRoot /w\n<Directory /w>\nAllowOverride All\nOrder allow,deny\nAllow from all\n</Directory>\n${more}`;
  const textsOf = (more: string, choices?: RunOptions): ReadonlyMap<string, string> => {
    const base = memory(new Map(Object.entries({ ...FILES, '/etc/httpd.conf': conf(more) })));
    const options = { defines: new Map<string, string>(), env: new Map<string, string>(), cwd: '/' };
    const given = loadRereadable({ ...base, ...unreadable(base) }, ['/etc/httpd.conf', '/w'], options);
    return new Map(run(given, transforms, choices).plan.map(({ file, text }) => [file.path, text]));
  };

  test.each([
    OPEN,
    'Order deny,allow\nDeny from all\nAllow from 10.0.0.1\n',
    'Order allow,deny\nDeny from all\n',
  ])('lets nobody in, and neither keeps 2.4 from starting nor others from being converted: %j', (lines) => {
    for (const options of [{}, { dual: true }]) {
      const texts = textsOf(`<Directory /w/a/data>\n${lines}</Directory>\n`, options);
      const text = texts.get('/etc/httpd.conf')!;
      const section = text.slice(text.indexOf('<Directory /w/a/data>'));
      expect(section).toContain('Require all denied\n');
      expect(section).not.toMatch(/Require (?:ip|all granted)/);
      expect(texts.get('/w/other/.htaccess')).toContain('Require all granted');
    }
  });

  test('twin: at its directory, or beside it, a section says what it said', () => {
    const text = textsOf(`<Directory /w/a>\n${OPEN}</Directory>\n<Directory /w/ab/c>\n${OPEN}</Directory>\n`);
    expect(text.get('/etc/httpd.conf')).not.toContain('denied');
  });

  test('twin: --exact leaves it', () => {
    const text = textsOf(`<Directory /w/a/data>\n${OPEN}</Directory>\n`, { exact: true });
    expect(text.get('/etc/httpd.conf') ?? conf('')).not.toContain('denied');
  });
});
