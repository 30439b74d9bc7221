import { type Conversion, convert, transforms } from '../../src';

const DENIED = '<Directory /w/p>\nOrder allow,deny\nDeny from all\n</Directory>\n';
const LETS_IN = '<LocationMatch "^/p/s/x">\nOrder allow,deny\nAllow from all\n</LocationMatch>\n';
const ON = '<IfVersion >= 2.4>\nMergeSlashes On\n</IfVersion>\n';
const OFF = ON.replace('On', 'Off');
const host = (name: string, body: string): string =>
  `<VirtualHost *:80>\nServerName ${name}\nDocumentRoot /w\n${body}</VirtualHost>\n`;

const run = (body: string, without: readonly string[] = []): Conversion =>
  convert(
    { '/etc/httpd/httpd.conf': `ServerRoot /etc/httpd\nListen 80\nDocumentRoot /w\n${body}` },
    { transforms: transforms.filter(({ id }) => !without.includes(id)) },
  );
const textOf = ({ texts }: Conversion): string => texts.get('/etc/httpd/httpd.conf') ?? '';
const PINS = ['merge-slashes-unset', 'merge-slashes-on'];

describe('MergeSlashes as 2.4 has it', () => {
  test.each([
    ['before the section', ON + DENIED + LETS_IN],
    ['behind the section', DENIED + LETS_IN + ON],
    ['behind an Off', DENIED + LETS_IN + OFF + ON],
    ['in a host', DENIED + host('a', LETS_IN + ON)],
    ['in a host without the section', DENIED + LETS_IN + host('a', ON)],
    ['in a host, against the main server', DENIED + OFF + host('a', LETS_IN + ON) + host('b', LETS_IN)],
  ])('an On that stays in force is made Off: %s', (_, body) => {
    const text = textOf(run(body));
    expect(text).toContain('MergeSlashes Off\n</IfVersion>');
    expect(text).toContain('<LocationMatch "^/p/s/x">\nRequire all granted');
    expect(text).not.toMatch(/MergeSlashes On\n<\/IfVersion>\n(?!<IfVersion)/);
  });

  test('an Off of its author is enough, and no line is written', () => {
    expect(textOf(run(OFF + DENIED + LETS_IN)).split('MergeSlashes')).toHaveLength(2);
  });

  test.each([
    ['none', DENIED + LETS_IN],
    ['On', ON + DENIED + LETS_IN],
    ['On in a host', DENIED + OFF + host('a', LETS_IN + ON)],
    ['an Alias', `Alias /z /w/p/s\n${DENIED}${LETS_IN.replace('/p/s', '/z')}`],
    ['a pattern for any place', DENIED + LETS_IN.replace('^/p/s/x', 'p/s/')],
  ])('without the line that keeps slashes the check takes the section back: %s', (_, body) => {
    const result = run(body, PINS);
    expect(textOf(result)).not.toContain('Require all granted\n</LocationMatch>');
    expect(result.findings.some(({ level, status }) => level === 'error' && status === 'not-applied')).toBe(
      true,
    );
  });

  test('sections that only keep out stay converted, and merged slashes are told of', () => {
    const refuses = LETS_IN.replace('Allow', 'Deny');
    const result = run(ON + refuses);
    expect(textOf(result)).toContain('<LocationMatch "^/p/s/x">\nRequire all denied');
    expect(textOf(result)).toContain('MergeSlashes On');
    expect(result.findings.map(({ rule }) => rule)).toContain('merge-slashes-on');
  });
});
