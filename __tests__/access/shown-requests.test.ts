import { converted } from '../../testing/access/converted';

const CONF = '/etc/httpd/httpd.conf';
const SECTION = '<Directory /w>\nOrder deny,allow\nDeny from all\nAllow from 10.1\n</Directory>\n';
const HOSTS = ['a', 'b']
  .map((name) => `<VirtualHost *:80>\nServerName ${name}\nDocumentRoot /w/${name}\n</VirtualHost>\n`)
  .join('');
const SERVER = 'NameVirtualHost *:80\nDocumentRoot /w/main\n';

/** The section of the main server, and who serves it. */
test.each([
  ['the main server, which requests reach', 'Listen 80\nListen 81\n', SECTION + HOSTS, '/w/main/w.html'],
  ['virtual hosts alone', 'Listen 80\n', SECTION + HOSTS, '/w/a/w.html'],
  ['its own virtual host', 'Listen 80\n', HOSTS.replace(/<.V[^]*/, `${SECTION}$&`), '/w/a/w.html'],
])('a person is shown requests to a section that is served by %s', (_, listen, sections, file) => {
  const { shown } = converted({ [CONF]: listen + SERVER + sections });
  expect(shown(CONF, 'Deny from')).toEqual([
    `GET /w.html (${file}) from 203.0.113.77 without a password: 2.2 refuses, 2.4 refuses`,
    `GET /w.html (${file}) from 10.1.0.0 without a password: 2.2 admits, 2.4 admits`,
    `GET /w.html (${file}) from 203.0.113.77 as a user not named: 2.2 refuses, 2.4 refuses`,
    `GET /w.html (${file}) from 10.1.0.0 as a user not named: 2.2 admits, 2.4 admits`,
  ]);
});

test('a person is shown none for a line in no section', () => {
  expect(converted({ [CONF]: `Listen 80\n${SERVER}${SECTION}` }).shown(CONF, 'Listen')).toEqual([]);
});
