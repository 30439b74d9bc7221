import { readdirSync } from 'node:fs';
import { convert, OptionError, SourceError, transforms } from '../src';
import { cli } from '../src/cli';
import { memory } from '../src/config';
import type { RunOptions } from '../src/engine';
import { decode } from '../src/report';
import { argumentsFor } from '../testing/fixtures/arguments';
import { casesOf, HOME, readCase, ROOT } from '../testing/fixtures/case';
import { services } from '../testing/run/services';
import { shareOf } from '../testing/run/size';

/** A finding as the report in JSON has it, as far as the library and the command must say the same. */
interface SaidFinding {
  readonly rule: string;
  readonly path: string;
  readonly offset: number;
  readonly level: string;
  readonly safety: string;
  readonly status: string;
  readonly message: string;
  readonly edits: unknown;
}

interface SaidResult {
  /** One a file, by name: JSON lists the files as they are read, and the diff has those that go together side by side. */
  readonly diffs: readonly string[];
  readonly findings: readonly SaidFinding[];
}

const inOrder = (findings: readonly SaidFinding[]): readonly SaidFinding[] =>
  findings
    .map(({ rule, path, offset, level, safety, status, message, edits }) => ({
      rule,
      path,
      offset,
      level,
      safety,
      status,
      message,
      edits,
    }))
    .toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));

async function byCommand(
  files: ReadonlyMap<string, string>,
  paths: readonly string[],
  options: RunOptions,
): Promise<SaidResult> {
  let stdout = '';
  const io = {
    stdout: { write: (bytes: string) => (stdout += bytes), isTTY: false },
    stderr: { write: () => undefined, isTTY: false },
    env: {},
    cwd: ROOT,
    stdin: () => '',
    ask: () => undefined,
    now: () => 0,
  };
  const argv = ['--format', 'json', ...argumentsFor(options), ...paths];
  await cli(argv, io, { ...services, source: memory(files) });
  const { files: changed, findings } = JSON.parse(Buffer.from(stdout, 'latin1').toString('utf8')) as {
    files: { diff?: string }[];
    findings: SaidFinding[];
  };
  return {
    diffs: changed.flatMap(({ diff }) => diff ?? []).toSorted(),
    findings: inOrder(findings.map((finding) => ({ ...finding, path: `${ROOT}/${finding.path}` }))),
  };
}

function byLibrary(
  files: ReadonlyMap<string, string>,
  paths: readonly string[],
  options: RunOptions,
): SaidResult {
  const { diff, findings } = convert(files, { ...options, paths, cwd: ROOT });
  return {
    diffs: decode(diff)
      .split(/^(?=diff --git )/m)
      .filter((text) => text !== '')
      .toSorted(),
    findings: inOrder(
      findings.map(({ rule, file, at, level, safety, status, message, edits }) => ({
        rule,
        path: decode(file.path),
        offset: at,
        level,
        safety,
        status,
        message: decode(message),
        edits: edits.map(({ start, end, text }) => ({ start, end, text: decode(text) })),
      })),
    ),
  };
}

describe('the library says and writes what the command does', () => {
  const cases = readdirSync(HOME).flatMap((rule) => casesOf(rule).map((name) => ({ rule, name })));

  test('there are many fixtures', () => expect(cases.length).toBeGreaterThan(1000));

  test.each(shareOf(cases, 3))('$rule/$name', async ({ rule, name }) => {
    const { input, options } = readCase(rule, name);
    const files = new Map(Object.entries(input));
    const paths = `${ROOT}/input.conf` in input ? Object.keys(input) : [ROOT];
    expect(byLibrary(files, paths, options)).toEqual(await byCommand(files, paths, options));
  });
});

test('what a conversion is', () => {
  const conversion = convert({ '/a.conf': 'MaxClients 5\n', '/b.conf': 'Timeout 5\n' });
  expect([...conversion.texts]).toEqual([
    ['/a.conf', 'MaxRequestWorkers 5\n'],
    ['/b.conf', 'Timeout 5\n'],
  ]);
  expect(conversion.diff).toBe(
    'diff --git a/a.conf b/a.conf\n--- a/a.conf\n+++ b/a.conf\n@@ -1,1 +1,1 @@\n-MaxClients 5\n+MaxRequestWorkers 5\n',
  );
  expect(conversion.findings.map(({ rule, status }) => [rule, status])).toEqual([['max-clients', 'applied']]);
  expect(conversion.plan.map(({ file }) => file.path)).toEqual(['/a.conf']);
});

test('a rule whose check refuses its rewrite writes nothing', () => {
  const rule = transforms.find(({ id }) => id === 'max-clients')!;
  const refused = { ...rule, check: () => new Map([['max', 'it lets everybody in']]) };
  const grouped = {
    ...refused,
    run: (context: Parameters<typeof rule.run>[0]) =>
      rule.run({ ...context, report: (finding) => context.report({ ...finding, group: 'max' }) }),
  };
  const { texts, findings } = convert({ '/a.conf': 'MaxClients 5\n' }, { transforms: [grouped] });
  expect(texts.get('/a.conf')).toBe('MaxClients 5\n');
  expect(findings.map(({ status, why }) => [status, why])).toEqual([['not-applied', 'it lets everybody in']]);
});

test('bytes beyond ASCII are kept as they are', () => {
  const { texts } = convert({ '/\xe9.conf': '# caf\xe9 \xff\nMaxClients 5\n' });
  expect([...texts]).toEqual([['/\xe9.conf', '# caf\xe9 \xff\nMaxRequestWorkers 5\n']]);
});

describe('what cannot be meant is refused, with what is wrong', () => {
  const files = { '/a.conf': 'MaxClients 5\n' };
  const asked =
    (options: object): (() => unknown) =>
    () =>
      convert(files, options);

  test.each<[object, string]>([
    [{ rules: ['max-client'] }, `option 'rules' names a rule that there is not: 'max-client'`],
    [{ skip: ['nothing'] }, `option 'skip' names a rule that there is not: 'nothing'`],
    [{ levels: { nothing: 'info' } }, `option 'levels' names a rule that there is not: 'nothing'`],
    [{ levels: { 'max-clients': 'fatal' } }, `option 'levels' gives max-clients 'fatal': levels are error, warning, info`],
    [{ ruleOptions: { nothing: {} } }, `option 'ruleOptions' names a rule that there is not: 'nothing'`],
    [{ ruleOptions: { 'max-clients': { say: 'x' } } }, `rule max-clients has no option 'say'`],
    [{ rule: ['max-clients'] }, `no option is called 'rule'`],
    [{ rules: 'max-clients' }, `option 'rules' takes a list of the ids of rules, not 'max-clients'`],
    [{ dual: 'yes' }, `option 'dual' takes true or false, not 'yes'`],
    [{ target: '2.4.37' }, `option 'target' takes a release of 2.4 as a number (37 for 2.4.37), not '2.4.37'`],
    [{ target: 0 }, `option 'target' takes a release of 2.4 as a number (37 for 2.4.37), not 0`],
    [{ defines: ['A'] }, `option 'defines' takes a Map of strings`],
    [{ defines: new Map([['A', 5]]) }, `option 'defines' takes a Map of strings`],
    [{ env: new Map([['A', '\u20ac']]) }, `option 'env' takes a Map of strings`],
    [{ cwd: 'etc' }, `option 'cwd' takes an absolute path`],
    [{ serverRoot: 5 }, `option 'serverRoot' takes a path in latin1`],
    [{ unused: 'yes' }, `option 'unused' takes true or false`],
    [{ templates: 'yes' }, `option 'templates' takes true or false`],
    [{ transforms: 'all' }, `option 'transforms' takes a list of rules`],
    [{ links: { '/a': '/b' } }, `option 'links' takes a Map of paths`],
    [{ levels: new Map() }, `option 'levels' takes a plain object`],
    [
      { answers: [{ key: 'php', value: true, choice: 'nonsense', reason: '' }] },
      "the answer to php is fpm:/PATH/OF/SOCKET, fpm:HOST:PORT, module, module:7 or none, not 'nonsense'",
    ],
    [{ answers: [{ key: 'php', value: true, reason: '' }] }, "module:7 or none, not 'yes'"],
    [{ answers: [{ key: 'php', value: true, reason: '' }] }, "not 'yes' (as 'choice' of the answer)"],
    [{ answers: [{ key: 'served-at', value: true, reason: '' }] }, "nothing is assumed by the name 'served-at', did you mean 'served-as'?"],
    [{ answers: [{ key: 'served-as', value: true, choice: 'maybe', reason: '' }] }, "the answer to served-as is yes or no, not 'maybe'"],
    [{ answers: ['php=none'] }, "option 'answers' takes a list of { key, value, choice, place, reason }, not of 'php=none'"],
    [{ answers: [{ key: 'php', value: 'none' }] }, "option 'answers': 'value' of php takes true or false, not 'none'; what is neither is its 'choice'"],
    [{ answers: [{ key: 'php', value: true, choice: 7 }] }, "option 'answers': 'choice' of php takes a text, not 7"],
    [{ patsh: [] }, `no option is called 'patsh': cwd, serverRoot,`],
    [{ paths: '/a.conf' }, `option 'paths' takes a list of paths in latin1`],
    [{ paths: [5] }, `option 'paths' takes a list of paths in latin1`],
  ])('%j', (options, message) => {
    expect(asked(options)).toThrow(OptionError);
    expect(asked(options)).toThrow(message);
  }); // prettier-ignore

  test.each<[Record<string, string>, string]>([
    [{ '/a.conf': '# 5 \u20ac\n' }, '/a.conf: character 5 (U+20AC) is no byte: read files, and their names, as latin1'],
    [{ '/\u20ac.conf': '' }, '/\u20ac.conf: character 2 (U+20AC) is no byte'],
    [{ 'a.conf': '' }, 'a.conf: the path of a file begins with /'],
  ])('%j', (given, message) => {
    expect(() => convert(given)).toThrow(OptionError);
    expect(() => convert(given)).toThrow(message);
  }); // prettier-ignore

  test.each([[null], [undefined], ['MaxClients 5']])('files that are %j', (given) => {
    expect(() => convert(given as never)).toThrow('the files are a Map or an object');
  });

  test('a path that is not there', () => {
    expect(asked({ paths: ['/b.conf'] })).toThrow(SourceError);
    expect(asked({ paths: ['/b.conf'] })).toThrow('/b.conf: no such file or directory');
  });
});

test('a run without the way to read its result is no program', () => {
  const files = memory(new Map([['/a.conf', 'MaxClients 5\n']]));
  const { tree } = convert({ '/a.conf': 'MaxClients 5\n' });
  // @ts-expect-error A tree alone cannot be checked.
  const broken: Parameters<typeof import('../src').run>[0] = { tree };
  expect([broken.tree, files.kind('/a.conf')]).toEqual([tree, 'file']);
});

describe('a request that is asked about', () => {
  /** What 2.4 answers with the old text and with the new: the answer, or the one with mod_access_compat. */
  const answers = (files: Readonly<Record<string, string>>): string[] => {
    const reply = convert(files).ask('GET /x from 10.1.2.3');
    if (reply.kind !== 'request') throw new Error(reply.text);
    const [, ...versions] = reply.versions;
    return versions.map(({ answer, withCompat, text: why }) =>
      answer === 'none' || withCompat !== undefined ? why.replace(/(?<=:\d+);.*/, '') : answer,
    );
  };

  test.each([
    ['a line that 2.4 only warns of', 'NameVirtualHost *:80\nMaxClients 10\n', 'admitted'],
    ['a directive that 2.4 does not know', 'Listen 80\nLockFile logs/x\n', 'does not start: see a.conf:2'],
    [
      'one in a block that nobody knows to be read',
      '<IfDefine X>\nLockFile logs/x\n</IfDefine>\n',
      'admitted',
    ],
    ['one that a template may leave out', '{% if old %}\nLockFile logs/x\n{% endif %}\n', 'admitted'],
    ['an Include of which nobody knows what it matches', 'Include conf.d/*.conf\n', 'admitted'],
    ['words that 2.4 refuses', 'Options Indexes +Includes\n', 'does not start: see a.conf:1'],
    [
      'access lines elsewhere',
      '<Location /y>\nOrder allow,deny\n</Location>\n',
      'does not start without mod_access_compat: see a.conf:2',
    ],
    [
      'the same where that is loaded',
      'LoadModule access_compat_module modules/mod_access_compat.so\n<Location /y>\nOrder allow,deny\n</Location>\n',
      'admitted',
    ],
  ])('of %s, the old text says so, and the new one answers', (_, text, old) => {
    expect(answers({ '/a.conf': text })).toEqual([old, 'admitted']);
  });

  test('a .htaccess that 2.4 refuses fails where it is read', () => {
    const text = 'Options Indexes +Includes\n';
    const server = 'DocumentRoot /srv/www\n<Directory /srv/www>\nAllowOverride All\n</Directory>\n';
    expect(answers({ '/a.conf': server, '/srv/www/y/.htaccess': text })).toEqual(['admitted', 'admitted']);
    expect(answers({ '/a.conf': server, '/srv/www/.htaccess': text })).toEqual(['error', 'admitted']);
  });

  test('one that AllowOverride keeps 2.4 from opening fails nowhere', () => {
    const server = 'DocumentRoot /srv/www\n<Directory /srv/www>\nAllowOverride None\n</Directory>\n';
    const files = { '/a.conf': server, '/srv/www/.htaccess': 'MCacheSize 3\n' };
    expect(answers(files)).toEqual(['admitted', 'admitted']);
    const open = { ...files, '/a.conf': server.replace('None', 'FileInfo') };
    expect(answers(open)).toEqual(['error', 'error']);
  });

  test('what is left to do keeps the new text from starting, too', () => {
    expect(answers({ '/a.conf': 'SSLProtocol SSLv2\n' })).toEqual(
      Array(2).fill('does not start: see a.conf:1'),
    );
  });
});
