import fs from 'node:fs';
import { join } from 'node:path';
import { findDirective, isIn24, specIn24 } from '../../src/httpd/directives';
import { FACTS, type Fact, holds } from '../../src/httpd/facts';
import { judge } from '../../src/httpd/judge';
import { type NameKind, isKnownIn, lifeSpanOf, namesWithSpan } from '../../src/httpd/lifespan';
import { NEWEST, livesIn, parseRelease } from '../../src/httpd/release';
import { askInstalled } from '../../src/configtest';
import { command } from '../../testing/run/command';
import { convertFiles } from '../../testing/run/convert';
import { requireHttpd } from '../../testing/httpd/binary';
import { directory } from '../../testing/write/directory';

describe('a release', () => {
  test.each([
    ['2.4.1', 1],
    ['2.4.6', 6],
    ['2.4.71', 71],
    ['2.4.100', 100],
    ['httpd', undefined],
    ['/usr/sbin/httpd', undefined],
    ['./2.4.6', undefined],
    ['', undefined],
  ])('%s', (text, release) => expect(parseRelease(text)).toBe(release));

  test.each([
    '2.4',
    '2.4.0',
    '2.4.x',
    '2.4.6.1',
    '2.4.-1',
    '2.2.34',
    '2.3.9',
    '2.5',
    '2.5.0-dev',
    '3',
    '1.3.42',
  ])('%s is none of 2.4', (text) =>
    expect(parseRelease(text)).toMatchObject({ problem: expect.any(String) }),
  );

  test('something lives from its first to its last one', () => {
    expect([5, 6, 7, 8, 9].map((release) => livesIn({ since: 6, until: 8 }, release))).toEqual([
      false,
      true,
      true,
      true,
      false,
    ]);
    expect([1, NEWEST, NEWEST + 9].map((release) => livesIn({}, release))).toEqual([true, true, true]);
    expect(livesIn({ since: NEWEST }, NEWEST + 9)).toBe(true);
    expect(livesIn({ until: NEWEST - 1 }, NEWEST + 9)).toBe(false);
  });
});

describe('the data', () => {
  test('every fact has a life span within 2.4 and a source', () => {
    for (const [name, fact] of Object.entries<Fact>(FACTS)) {
      const { since = 1, until = NEWEST, source } = fact;
      expect([name, since > 1 || until < NEWEST]).toEqual([name, true]);
      expect([name, since <= until && until <= NEWEST]).toEqual([name, true]);
      expect(source).toMatch(/CHANGES 2\.4\.\d+|\w+\.c/);
    }
  });

  test.each<[NameKind, string, number | undefined, number | undefined]>([
    ['directive', 'MergeSlashes', 39, undefined],
    ['directive', 'ifFile', 34, undefined],
    ['directive', 'H2AltSvc', 17, 54],
    ['directive', 'AuthDigestNonceFormat', undefined, 68],
    ['directive', 'IncludeOptional', undefined, undefined],
    ['module', 'cache_socache', 5, undefined],
    ['module', 'tls', 52, 62],
    ['function', 'req_novary', 4, undefined],
    ['function', '-ipmatch', undefined, undefined],
    ['variable', 'REMOTE_PORT', 26, undefined],
    ['provider', 'forward-dns', 19, undefined],
  ])('%s %s', (kind, name, since, until) => {
    expect(lifeSpanOf(kind, name)).toEqual({ ...(since && { since }), ...(until && { until }) });
    if (since !== undefined)
      expect([since - 1, since].map((n) => isKnownIn(kind, name, n))).toEqual([false, true]);
    if (until !== undefined)
      expect([until, until + 1].map((n) => isKnownIn(kind, name, n))).toEqual([true, false]);
  });

  test('every directive with a life span is one that the table of directives knows', () => {
    const known = [...namesWithSpan('directive')].filter((name) => isKnownIn('directive', name, NEWEST));
    expect(known.filter((name) => findDirective(name) === undefined)).toEqual([]);
    expect(known.length).toBeGreaterThan(150);
  });

  test('a directive is taken as its release takes it', () => {
    const spec = (name: string, release: number): string | undefined =>
      specIn24(findDirective(name)!, release);
    expect([4, 5].map((n) => spec('AuthUserFile', n))).toEqual(['12A', '1A']);
    expect([29, 30].map((n) => spec('SSLProxyEngine', n))).toEqual(['fs', 'fsp']);
    expect([7, 8].map((n) => spec('DirectoryCheckHandler', n))).toEqual([undefined, 'fI']);
    expect([NEWEST, NEWEST + 1].map((n) => isIn24(findDirective('MergeSlashes')!, n))).toEqual([true, true]);
    const inProxy = { sections: ['proxy'] };
    expect(judge('SSLProxyEngine', inProxy, () => ['on'], '2.4', 29)).toEqual({
      problem: 'place',
      inside: 'proxy',
    });
    expect(judge('SSLProxyEngine', inProxy, () => ['on'], '2.4', 30)).toBeUndefined();
    expect(judge('MergeSlashes', { sections: [] }, () => ['on'], '2.4', 38)).toEqual({ problem: 'unknown' });
    expect([1, 2, NEWEST].map((n) => spec('Listen', n))).toEqual(['vs-g', 'vs-g', 'vs-g']);
    expect([29, 30].map((n) => spec('Directory', n))).toEqual(['rs-dfu', 'rs-c']);
  });
});

const QOP = '<Location /a>\nAuthDigestQop none\n</Location>\n';

/** What a run says of one fragment. */
const rulesReported = (text: string, target?: number): string[] =>
  convertFiles({ '/a.conf': text }, ['/a.conf'], target === undefined ? {} : { target }).outcomes.map(
    ({ rule }) => rule,
  );

test('the library goes by the target, and by the newest release without one', () => {
  expect(rulesReported(QOP)).toEqual(['auth-digest-auth-int']);
  expect(rulesReported(QOP, 69)).toEqual(['auth-digest-auth-int']);
  expect(rulesReported(QOP, 68)).toEqual([]);
  expect(holds('auth-digest-one-qop', NEWEST)).toBe(true);
});

test('what came later is unknown to an older target, and what has gone is known', () => {
  const message = (text: string, target: number): string[] =>
    convertFiles({ '/a.conf': text }, ['/a.conf'], { target }).outcomes.map((outcome) => outcome.message);
  expect(message('HttpProtocolOptions Strict\n', 6)).toEqual([
    '2.4.6 does not know HttpProtocolOptions: 2.4 has it only since 2.4.24',
  ]);
  expect(message('HttpProtocolOptions Strict\n', 24)).toEqual([]);
  const nonceFormat = '<Location /a>\nAuthDigestNonceFormat x\n</Location>\n';
  expect(message(nonceFormat, 71)).toEqual(['since 2.4.69 2.4 does not know AuthDigestNonceFormat']);
  expect(message(nonceFormat, 68)[0]).toMatch(/^2\.4 refuses AuthDigestNonceFormat/);
});

test('mod_reqtimeout of 2.4.39 has no default rates', () => {
  const server = 'Listen 80\nLoadModule reqtimeout_module modules/mod_reqtimeout.so\n';
  const limits = (target: number): string | undefined =>
    convertFiles({ '/a.conf': server }, ['/a.conf'], { target }).outcomes.find(
      ({ rule }) => rule === 'request-read-timeout-unset',
    )?.message;
  expect(limits(38)).toContain('2.4 has header=20-40,MinRate=500 body=20,MinRate=500');
  expect(limits(39)).toContain('2.4.39 has header=20 body=20');
  expect(limits(40)).toBe(limits(38));
});

test('no AllowOverrideList is written for 2.4.1, which hands it down whatever is said below', () => {
  const server =
    'Listen 80\nDocumentRoot /w\n<Directory /w>\nAllowOverride Limit\n</Directory>\n<Directory /w/b>\nAllowOverride Limit\n</Directory>\n';
  const files = { '/e/httpd.conf': server, '/w/a/.htaccess': 'Order deny,allow\nDeny from all\n' };
  const convert = (target: number): ReturnType<typeof convertFiles> =>
    convertFiles(files, ['/e/httpd.conf', '/w'], { target });
  expect(convert(2).plan.flatMap(({ text }) => text.match(/AllowOverrideList \w+/g) ?? [])).toEqual([
    'AllowOverrideList Require',
    'AllowOverrideList None',
  ]);
  const { plan, outcomes } = convert(1);
  expect(plan.filter(({ text }) => /AllowOverrideList|Require/.test(text))).toEqual([]);
  expect(outcomes.filter(({ rule, level }) => rule === 'order-allow-deny' && level === 'error')).toEqual([
    expect.objectContaining({ message: expect.stringContaining('convert for 2.4.2 or later') as string }),
  ]);
});

describe('--target', () => {
  /** A new directory with these files, which can be run. */
  const programs = (files: Readonly<Record<string, string>>): string => {
    const root = directory(files);
    for (const name of Object.keys(files)) fs.chmodSync(join(root, name), 0o755);
    return root;
  };
  /** A program that answers as an httpd would. */
  const program = (version: string, modules: string, statics = 'core.c\n  mod_so.c'): string =>
    `#!/bin/sh\ncase "$1" in\n-v) echo "Server version: Apache/${version} (Unix)" ;;\n-l) printf 'Compiled in modules:\\n  ${statics}\\n' ;;\n-M) ${modules} ;;\nesac\n`;
  const run = (cwd: string, ...argv: string[]) => command([...argv, 'a.conf'], { cwd });

  test('a release', async () => {
    const cwd = programs({ 'a.conf': QOP });
    expect(await run(cwd, '--target', '2.4.68')).toMatchObject({ status: 0, stdout: '' });
    expect((await run(cwd, '--target', '2.4.69')).stdout).toContain('+AuthDigestQop auth\n');
    expect((await run(cwd)).stdout).toContain('+AuthDigestQop auth\n');
  });

  test('a release that is newer than all that are known counts as the newest', async () => {
    const cwd = programs({ 'a.conf': QOP });
    const { stdout, stderr } = await run(cwd, '--target', '2.4.199');
    expect(stdout).toContain('+AuthDigestQop auth\n');
    expect(stderr).toContain(`2.4.199 is newer than all that is known here: taken for 2.4.${NEWEST}\n`);
  });

  test.each([
    ['2.2.34', /for 2\.4, not for an older version/],
    ['2.3.16', /for 2\.4, not for an older version/],
    ['2.5.1', /for 2\.4 only/],
    ['2.4', /which 2\.4 is meant/],
    ['2.4.x', /no release of 2\.4 has that number/],
    ['nothing-of-that-name', /neither a release \(2\.4\.\d+\) nor an httpd: there is no such program/],
    ['/dev/null', /neither a release .* may not be run/],
    ['./echo', /does not say that it is an Apache httpd/],
    ['./old', /it is httpd 2\.2\.34: configuration is rewritten for 2\.4/],
    ['', /name a release/],
  ])('%s is a usage error of one line', async (target, message) => {
    const cwd = programs({ 'a.conf': QOP, echo: '#!/bin/sh\necho "$@"\n', old: program('2.2.34', 'false') });
    const { status, stdout, stderr } = await run(cwd, '--target', target);
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^httpd-codemod: --target [^\n]* \(see httpd-codemod --help\)\n$/);
    expect(stderr).toMatch(message);
  });

  const LIST = `printf 'Loaded Modules:\\n core_module (static)\\n so_module (static)\\n dir_module (static)\\n'`;
  const LOADS =
    'Listen 80\nUser nobody\nLoadModule dir_module modules/mod_dir.so\nLoadModule alias_module modules/mod_alias.so\n';

  test('an httpd, which names its modules', async () => {
    const httpd = program('2.4.68', LIST);
    const cwd = programs({ 'a.conf': LOADS, httpd });
    const { stdout, stderr } = await run(cwd, '-v', '--target', './httpd');
    expect(stdout).toContain('-LoadModule dir_module');
    expect(stderr).toContain('dir_module is compiled into the target');
    expect(await run(programs({ 'a.conf': QOP, httpd }), '--target', './httpd')).toMatchObject({
      stdout: '',
    });
  });

  test('a list of modules that is given wins over what the httpd says', async () => {
    const modules = 'Loaded Modules:\n core_module (static)\n so_module (static)\n dir_module (shared)\n';
    const cwd = programs({ 'a.conf': LOADS, httpd: program('2.4.68', LIST), 'modules.txt': modules });
    const { stdout } = await run(cwd, '--target', './httpd', '--modules', 'modules.txt');
    expect(stdout).not.toContain('-LoadModule dir_module');
  });

  test('an httpd whose own configuration is broken', async () => {
    const broken = `echo '[x:warn] AH00111: Config variable is not defined' >&2; echo 'httpd: Syntax error on line 80 of /etc/httpd.conf: no' >&2; exit 1`;
    const cwd = programs({ 'a.conf': QOP, httpd: program('2.4.6', broken) });
    const { status, stdout, stderr } = await run(cwd, '--target', './httpd');
    expect([status, stdout]).toEqual([0, '']);
    expect(stderr).toContain(
      'httpd-codemod: ./httpd does not list its modules, so that they are not known (--modules FILE names them): httpd: Syntax error on line 80 of /etc/httpd.conf: no\n',
    );
  });

  test('an httpd that lists its modules in the environment of its control program only', async () => {
    const cwd = programs({
      'a.conf': LOADS,
      envvars: 'export HTTPD_READY=yes\n',
      httpd: program('2.4.6', `[ "$HTTPD_READY" = yes ] || exit 1; ${LIST}`),
    });
    const { stdout, stderr } = await run(cwd, '--target', join(cwd, 'httpd'));
    expect(stdout).toContain('-LoadModule dir_module');
    expect(stderr).not.toContain('does not list');
  });

  test('an httpd with all modules compiled in needs no configuration to say so', async () => {
    const cwd = programs({ 'a.conf': LOADS, httpd: program('2.4.6', 'exit 1', 'core.c\n  mod_dir.c') });
    const { stdout, stderr } = await run(cwd, '--target', './httpd');
    expect(stdout).toContain('-LoadModule dir_module');
    expect(stderr).not.toContain('does not list');
  });

  test('the httpd of this machine', async () => {
    const { bin, version } = requireHttpd();
    const cwd = programs({ 'a.conf': '# nothing\n' });
    expect((await run(cwd, '--target', bin)).status).toBe(0);
    expect(askInstalled(bin, cwd)).toMatchObject({ version, compiledIn: expect.arrayContaining(['core.c']) });
  });

  const PROJECT = 'httpd-codemod.config.json';

  test('the project file names a release; the command line wins', async () => {
    const cwd = programs({ 'a.conf': QOP, [PROJECT]: '{ "target": "2.4.68" }' });
    expect(await run(cwd)).toMatchObject({ status: 0, stdout: '' });
    expect((await run(cwd, '--target', '2.4.71')).stdout).toContain('+AuthDigestQop auth\n');
  });

  test.each([
    ['"/usr/sbin/httpd"', /must be a release, as 2\.4\.62/],
    ['"2.2.34"', /for 2\.4, not for an older version/],
    ['6', /target must be a string/],
  ])('the project file starts no program, and names no other version: %s', async (target, message) => {
    const cwd = programs({ 'a.conf': QOP, [PROJECT]: `{ "target": ${target} }` });
    const { status, stderr } = await run(cwd);
    expect(status).toBe(2);
    expect(stderr).toMatch(message);
  });
});
