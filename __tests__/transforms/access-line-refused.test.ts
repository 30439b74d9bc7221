import { configtestAll } from '../../testing/httpd/check';
import { convertFiles, textAfter } from '../../testing/run/convert';

const all = (...lines: readonly string[]): string => ['<RequireAll>', ...lines, '</RequireAll>'].join('\n');
const any = (...lines: readonly string[]): string => ['<RequireAny>', ...lines, '</RequireAny>'].join('\n');
const none = (...lines: readonly string[]): string =>
  ['<RequireNone>', ...lines, '</RequireNone>'].join('\n');

/** What may stand in a `<Directory>`: a real 2.4 says which of it it takes. */
const BODIES = [
  'Require staff',
  'Require Valid-User',
  'Require',
  'Require all granted # all',
  'Require all maybe',
  'Require ALL granted',
  'Require all GRANTED',
  'Require not all granted',
  'Require ip',
  'Require ip host.example',
  'Require ip 10.1 10.0.0.0/8 192.168.1.0/255.255.255.0 fe80::/10 ::1',
  'Require ip 10.1.2.3/40',
  'Require method GET HEAD PROPFIND BASELINE-CONTROL',
  'Require method get',
  'Require env',
  'Require host',
  'Require local now',
  'Require not ip 10.1\nRequire all granted',
  all(),
  all('Require not ip 10.1'),
  all('Require not ip 10.1', 'Require all granted'),
  all(none('Require ip 10.1')),
  all(all('Require not ip 10.1'), 'Require all granted'),
  all(any('Require ip 10.1'), all('Require not ip 10.1')),
  all(none('Require not ip 10.1'), 'Require all granted'),
  any('Require not ip 10.1', 'Require all granted'),
  any(none('Require ip 10.1'), 'Require all granted'),
  any('<IfVersion < 2.4>', 'Require all granted', '</IfVersion>'),
  none('Require ip 10.1'),
  '<RequireAll of them>\nRequire all granted\n</RequireAll>',
  '<Limit>\nRequire all granted\n</Limit>',
  'AuthMerging Both',
  'AuthMerging and',
  'AllowOverride Limits',
  'AllowOverride Nonfatal',
  'AllowOverride Nonfatal=All AuthConfig=x Options=Indexes',
];

test('what is said to be refused is what a real 2.4 refuses', async () => {
  const cases = BODIES.map((body) => ({
    id: body,
    text: `<Directory "/">\n<IfVersion >= 2.4>\n${body}\n</IfVersion>\n</Directory>\n`,
  }));
  const verdicts = await configtestAll(cases);
  const isNamed = (text: string): boolean =>
    convertFiles({ '/srv/conf/httpd.conf': `ServerRoot /srv\nListen 80\n${text}` }).outcomes.some(
      ({ rule, message }) =>
        rule === 'access-line-refused' || (rule === 'order-allow-deny' && message.startsWith('2.4 refuses')),
    );
  expect(cases.map(({ id, text }) => [id, isNamed(text)])).toEqual(
    cases.map(({ id }) => [id, !verdicts.get(id)!.ok]),
  );
});

test.each(['MCacheSize 4096', 'LockFile x', 'AcceptMutex flock'])(
  '%s in a .htaccess, which 2.2 refuses, stays and is told: without it 2.4 would serve what 2.2 did not',
  (line) => {
    const files = { '/w/.htaccess': `${line}\nOptions -Indexes\n` };
    const result = convertFiles(files, ['/w'], {});
    expect(textAfter(result, '/w/.htaccess')).toContain(line);
    expect(result.outcomes.some(({ level }) => level === 'error')).toBe(true);
    // Twin: in a server it goes.
    const server = convertFiles({ '/etc/httpd.conf': `Listen 80\n${line}\n` }, ['/etc/httpd.conf'], {});
    expect(textAfter(server, '/etc/httpd.conf')).not.toContain(line);
  },
);
