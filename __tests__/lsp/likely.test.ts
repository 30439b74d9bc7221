import fc from 'fast-check';
import { memory } from '../../src/config';
import type { Analyst, Checked } from '../../src/lsp';
import { convert } from '../../src';
import { aroundChange } from '../../src/cli/commands/lsp/around-change';
import { parse } from '../../src/syntax';
import { command } from '../../testing/run/command';
import { share } from '../../testing/run/size';

/** What an editor asks, over some files. */
async function analystOf(files: Readonly<Record<string, string>>): Promise<Analyst> {
  let made!: Analyst;
  const source = memory(new Map(Object.entries(files)));
  const serveEditor = (analyst: (newestTurn: () => number) => Analyst): Promise<number> => {
    made = analyst(() => 0);
    return Promise.resolve(0);
  };
  await command(['lsp'], {}, { source, serveEditor });
  return made;
}

/** What is told of a file: before the checks, where anything is, and after them. */
function check(analyst: Analyst, path: string) {
  const told: Checked[] = [];
  const checked = analyst.check(path, 1, (likely) => told.push(likely))!;
  return { told, checked };
}

const MAIN = '/etc/httpd/httpd.conf';
const part = (i: number): string => `/etc/httpd/conf.d/${i}.conf`;
const main =
  'ServerRoot /etc/httpd\nListen 80\nLoadModule authz_host_module modules/mod_authz_host.so\nInclude conf.d/*.conf\n';

const line = fc.constantFrom(
  'Order allow,deny',
  'Deny from 10.1',
  'Allow from all',
  'Satisfy Any',
  'Require valid-user',
  'MaxClients 5',
  'AuthType Basic',
  '# a note',
  '<Directory /srv/a>',
  '</Directory>',
  '<VirtualHost *:80>',
  '</VirtualHost>',
  '<Location /a>',
  '</Location>',
  '<IfModule mod_ssl.c>',
  '</IfModule>',
  'SSLMutex default',
  'RewriteEngine On',
  'RewriteRule ^/a /b [R]',
  'Options Indexes -Includes',
  'AllowOverride All',
  'Include conf.d/1.conf',
  'DocumentRoot /srv/a',
  'AccessFileName .acl',
  '# httpd-codemod-ignore-file',
  'DefaultType text/plain',
  'php_value a b',
);
const lines = fc.array(line, { maxLength: 12 });
const edit = fc.record({
  file: fc.nat(2),
  from: fc.nat(12),
  length: fc.nat(3),
  lines: fc.array(line, { maxLength: 3 }),
});

test('after any edits the findings are those of a run that knows nothing of the texts before', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.tuple(lines, lines, lines),
      fc.array(edit, { minLength: 1, maxLength: 5 }),
      async (first, edits) => {
        const now = first.map((texts) => [...texts]);
        const textOf = (i: number): string => now[i]!.map((text) => `${text}\n`).join('');
        const files = (): Record<string, string> => ({
          [MAIN]: main,
          ...Object.fromEntries(now.map((_, i) => [part(i), textOf(i)])),
        });
        const analyst = await analystOf(files());
        check(analyst, part(0));
        for (const { file, from, length, lines: typed } of edits) {
          now[file]!.splice(from, length, ...typed);
          analyst.update(new Map([[part(file), textOf(file)]]));
          const fresh = await analystOf(files());
          expect(check(analyst, part(file)).checked).toEqual(check(fresh, part(file)).checked);
        }
      },
    ),
    { numRuns: share(400, 10) },
  );
}, 300_000);

test('a server without unchanged hosts keeps the line of all else, and every line that has changed', () => {
  const textOf = fc.array(line, { maxLength: 30 }).map((texts) => texts.map((text) => `${text}\n`).join(''));
  fc.assert(
    fc.property(textOf, textOf, (old, text) => {
      const last = {
        documents: new Map([[MAIN, parse(old)]]),
        found: new Map([[MAIN, { text: old, findings: [] }]]),
      };
      const around = aroundChange(last, () => text)!;
      const [lines, left] = [text.split('\n'), around.texts.get(MAIN)!.split('\n')];
      expect(left).toHaveLength(lines.length);
      expect(left.filter((kept, i) => kept !== '' && kept !== lines[i])).toEqual([]);
      const at = (i: number) => ({ line: i, character: 0 });
      const findings = lines.map((message, i) => ({
        range: { start: at(i), end: at(i) },
        level: 'info' as const,
        rule: 'r',
        message,
      }));
      const likely = around.withLast(new Map([[MAIN, { text, findings }]]))!.get(MAIN)!;
      const shown = new Set(likely.findings.map(({ range }) => range.start.line));
      let same = 0;
      while (same < lines.length && lines[same] === old.split('\n')[same]) same++;
      if (text !== old && same < lines.length) expect(shown).toContain(same);
      expect([...shown].filter((i) => left[i] !== lines[i])).toEqual([]);
    }),
    { numRuns: 300 },
  );
});

/** A server large enough, with findings that only its result shows: 2.4 needs modules that it does not load. */
function large(): string {
  const host = (i: number): string =>
    `<VirtualHost *:80>\n  ServerName h${i}.example.org\n  DocumentRoot /srv/h${i}\n  <Directory /srv/h${i}>\n    Order allow,deny\n    Allow from 10.0.${i % 200}\n  </Directory>\n</VirtualHost>\n`;
  return `ServerRoot /etc/httpd\nListen 80\nLoadModule authz_host_module modules/mod_authz_host.so\nMaxClients 5\n${Array.from({ length: 1_200 }, (_, i) => host(i)).join('')}`;
}

describe('of a large server', () => {
  /** By place: a line that a message names may be one of the text before. */
  const findingsIn = ({ files }: Checked, without = -1): string[] =>
    files
      .flatMap(({ findings }) =>
        findings
          .filter(({ range }) => range.start.line !== without)
          .map(({ rule, level, range }) => `${range.start.line} ${rule} ${level}`),
      )
      .toSorted();

  test('what is likely is told before the checks, once, and with what they found the last time', async () => {
    let text = large();
    const analyst = await analystOf({ [MAIN]: text });
    const first = check(analyst, MAIN);
    expect(first.told).toHaveLength(1);
    // The first time, nobody knows what the checks will find.
    const [known, all] = [findingsIn(first.told[0]!), findingsIn(first.checked)];
    expect(known.length).toBeGreaterThan(1_200);
    expect(all.length).toBeGreaterThan(known.length);

    // A line more above everything: all has moved.
    text = `# a note\n${text}`;
    analyst.update(new Map([[MAIN, text]]));
    const second = check(analyst, MAIN);
    expect(second.told).toHaveLength(2);
    for (const likely of second.told) expect(findingsIn(likely)).toEqual(findingsIn(second.checked));
    expect(findingsIn(second.checked)).toHaveLength(all.length);

    // A section less in the middle, and a new line that is found at once.
    const at = text.indexOf('<VirtualHost *:80>\n  ServerName h600.');
    const end = text.indexOf('<VirtualHost *:80>\n  ServerName h601.');
    analyst.update(new Map([[MAIN, `${text.slice(0, at)}LockFile a\n${text.slice(end)}`]]));
    const third = check(analyst, MAIN);
    const typedAt = text.slice(0, at).split('\n').length - 1;
    expect(third.told).toHaveLength(2);
    const lockFiles = ({ files }: Checked) => files[0]!.findings.filter(({ rule }) => rule === 'lock-file');
    for (const likely of third.told) {
      expect(findingsIn(likely, typedAt)).toEqual(findingsIn(third.checked, typedAt));
      expect(lockFiles(likely)).toHaveLength(lockFiles(third.checked).length);
    }
  });

  const host = (i: number): string => `<VirtualHost *:80>\n  ServerName h${i}.`;
  test.each([
    ['a line in a virtual host', 'Allow from 10.0.77\n', 'Allow from 10.0.77.1 example.org\n'],
    ['a host that is gone', `${host(500)}example.org\n`, '# gone\n<VirtualHost *:81>\n'],
    [
      'another order',
      'Order allow,deny\n    Allow from 10.0.9\n',
      'Order deny,allow\n    Deny from all\n    Satisfy Any\n',
    ],
    ['a line of the server', 'MaxClients 5\n', 'MaxClients 6\nSSLMutex default\n'],
    ['the end of a host', `</VirtualHost>\n${host(900)}`, `SSLMutex default\n</VirtualHost>\n${host(900)}`],
  ])('after %s changes, what is likely is what the whole run says', async (_, old, now) => {
    const text = large();
    const analyst = await analystOf({ [MAIN]: text });
    check(analyst, MAIN);
    expect(text).toContain(old);
    analyst.update(new Map([[MAIN, text.replace(old, now)]]));
    const { told, checked } = check(analyst, MAIN);
    expect(told).toHaveLength(2);
    for (const likely of told) expect(findingsIn(likely)).toEqual(findingsIn(checked));
  });

  test('a change that the rest of the server is needed for waits for the whole run', async () => {
    const text = large();
    const inHost = `${text}<VirtualHost *:80>\n  Include conf.d/0.conf\n</VirtualHost>\n`;
    const analyst = await analystOf({ [MAIN]: inHost, [part(0)]: 'ServerName a\n' });
    check(analyst, MAIN);
    analyst.update(new Map([[part(0), 'ServerName a\nSSLMutex default\n']]));
    const { told, checked } = check(analyst, part(0));
    expect(told).toHaveLength(1);
    expect(checked.files.find(({ path }) => path === part(0))!.findings.map(({ rule }) => rule)).toContain(
      'ssl-mutex',
    );
  });

  test('a small one is told of at once', async () => {
    const { told, checked } = check(await analystOf({ [MAIN]: main }), MAIN);
    expect(told).toEqual([]);
    expect(checked.files[0]!.path).toBe(MAIN);
  });
});

test('a run tells once what it has found, before it is checked', () => {
  const order = '<Directory /srv/a>\n  Order allow,deny\n  Allow from 10.1\n</Directory>\n';
  const told: string[][] = [];
  const { findings } = convert(
    { [MAIN]: `${main}MaxClients 5\n${order}` },
    { onFound: ({ outcomes }) => told.push(outcomes.map(({ rule, status }) => `${rule} ${status}`)) },
  );
  expect(told).toHaveLength(1);
  expect(told[0]).toContain('max-clients applied');
  const rules = new Set(told[0]!.map((line) => line.split(' ')[0]));
  expect(findings.some(({ rule }) => !rules.has(rule))).toBe(true);
});

test('a run that looks into some of many equal files tells nothing of these alone', () => {
  const equal = Array.from({ length: 40 }, (_, i) => [
    `/srv/www/s${i}/.htaccess`,
    'Order allow,deny\nAllow from all\n',
  ]);
  const told: number[] = [];
  const onFound = ({ tree }: { readonly tree: { readonly files: readonly unknown[] } }): number =>
    told.push(tree.files.length);
  const { findings } = convert(Object.fromEntries(equal) as Record<string, string>, { onFound });
  expect(new Set(findings.map(({ file }) => file.path)).size).toBe(40);
  expect(told.filter((count) => count !== 40)).toEqual([]);
});

test('what a person has accepted is not told either', () => {
  const files = { [MAIN]: 'Listen 80\nMaxClients 5\n' };
  const acceptance = (accepted: ReadonlyMap<string, string>) => ({
    accepted,
    hash: (bytes: string) => bytes,
  });
  const { findings } = convert(files, { acceptance: acceptance(new Map()) });
  const { fingerprint = '' } = findings.find(({ rule }) => rule === 'max-clients')!;
  const accepted: (string | undefined)[] = [];
  convert(files, {
    acceptance: acceptance(new Map([[fingerprint, 'known']])),
    onFound: ({ outcomes }) =>
      accepted.push(...outcomes.filter(({ rule }) => rule === 'max-clients').map((found) => found.accepted)),
  });
  expect(accepted).toEqual(['known']);
});
