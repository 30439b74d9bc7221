import { convert } from '../../src';

const GRANTED =
  '<Directory "/">\nRequire all denied\n</Directory>\n<Directory "/srv/www">\nRequire all granted\n</Directory>\n';
const OLD = '<Location "/status">\nOrder deny,allow\nDeny from all\nAllow from 127.0.0.1\n</Location>\n';
const COMPAT = 'LoadModule access_compat_module modules/mod_access_compat.so\n';
const UNLIKE =
  '<IfVersion < 2.4>\n<Directory /srv/www>\nOrder deny,allow\nDeny from all\n</Directory>\n</IfVersion>\n' +
  '<IfVersion >= 2.4>\n<Directory /srv/www>\nRequire ip 10.2\n</Directory>\n</IfVersion>\n';
const HALVES =
  '<Directory /srv/www>\n<IfModule !mod_authz_core.c>\nOrder deny,allow\nDeny from all\n</IfModule>\n' +
  '<IfModule mod_authz_core.c>\nRequire all granted\nRequire not ip 192.0.2.1\n</IfModule>\n</Directory>\n';

describe('the verdict says of an open question about access what keeps 2.4 from starting', () => {
  const cases: [string, Readonly<Record<string, string>>, string][] = [
    ['old lines that stay', { '/a.conf': GRANTED + OLD }, '2.4 may not start yet.'],
    ['… in a block that may be read', { '/a.conf': `${GRANTED}<IfDefine A>\n${OLD}</IfDefine>\n` }, '2.4 may not start yet.'],
    ['old lines with the module for them', { '/a.conf': COMPAT + GRANTED + OLD }, 'Nothing keeps 2.4 from starting.'],
    ['old lines that 2.4 does not read', { '/a.conf': UNLIKE }, 'Nothing keeps 2.4 from starting.'],
    [
      'old lines of a .htaccess',
      { '/a.conf': '', '/d/.htaccess': 'Require all granted\nDeny from 10.1\n' },
      'Nothing keeps 2.4 from starting, but it answers 500 at d/.htaccess:2 unless it has mod_access_compat.',
    ],
    [
      '… that waits to be renamed',
      { '/d/ht.access': 'Require all granted\nDeny from 10.1\n' },
      'Nothing keeps 2.4 from starting, but it answers 500 at d/ht.access:2 unless it has mod_access_compat.',
    ],
    ['a Require of no module of 2.4', { '/a.conf': `${COMPAT}<Location /a>\nAuthType Basic\nRequire role admin\n</Location>\n` }, '2.4 may not start yet.'],
    ['a Require not that has no effect', { '/a.conf': HALVES }, '2.4 may not start yet.'],
    ['… in a container that gives it one', { '/a.conf': HALVES.replace('Require all granted\n', '<RequireAll>\nRequire all granted\n').replace('192.0.2.1\n', '192.0.2.1\n</RequireAll>\n') }, 'Nothing keeps 2.4 from starting.'],
    ['a line that nobody reads in a .htaccess', { '/a.conf': GRANTED, '/srv/www/.htaccess': '</Files>\n' }, 'Nothing keeps 2.4 from starting.'],
    ['… in a file of the server', { '/a.conf': `${GRANTED}</Files>\n` }, '2.4 may not start yet.'],
    ['a file that was not read', { '/a.conf': `${COMPAT}Include gone.conf\n` }, '2.4 may not start yet.'],
  ]; // prettier-ignore

  test.each(cases)('%s', (_, files, start) => {
    const [changes, outcome] = Object.values(convert(files).summary().verdict);
    expect(changes).toMatch(/, [1-9] blockers?$/);
    expect(`${outcome} `).toContain(`${start} `);
  });
});

test('an explained request says what of the new text keeps 2.4 from starting', () => {
  const ask = (text: string): string => {
    const reply = convert({ '/a.conf': text }).ask('GET /x');
    return reply.kind === 'request' ? reply.verdict : reply.text;
  };
  expect(ask(GRANTED + OLD)).toBe(
    'Both versions agree. But as the new text is, 2.4 starts with mod_access_compat only: see a.conf:8.',
  );
  expect(ask(COMPAT + GRANTED + OLD)).toBe('Both versions agree.');
  expect(ask(OLD)).toBe('Both versions agree.');
});
