import { convertFiles, textAfter } from '../../testing/run/convert';

const CONF = '/etc/httpd.conf';
const MODULES =
  'LoadModule authz_default_module modules/mod_authz_default.so\nLoadModule authz_host_module modules/mod_authz_host.so\n';
const TOP = `${MODULES}DocumentRoot "/site"\n<Directory "/site">\nAllowOverride All\n</Directory>\n`;

function errorsOf(files: Readonly<Record<string, string>>): string[] {
  return convertFiles(files, [CONF, '/site'])
    .outcomes.filter(
      ({ level, safety, rule }) => level === 'error' && safety === 'manual' && rule !== 'options-unset',
    )
    .map(({ message }) => message);
}

test('a bare line of 2.4 that a 2.2 answers 500 to is told, without any line of Order, Allow or Deny', () => {
  for (const word of ['granted', 'denied'])
    expect(errorsOf({ [CONF]: TOP, '/site/a/.htaccess': `Require all ${word}\n` })).toContainEqual(
      expect.stringMatching(/written for 2\.4.*2\.2 answers 500/),
    );
});

test('a half for 2.4 in another directory does not take the place of one for 2.2', () => {
  const files = {
    [CONF]: TOP,
    '/site/a/.htaccess': '<Files x>\n<IfVersion < 2.4>\nDeny from all\n</IfVersion>\n</Files>\n',
    '/site/b/.htaccess': '<Files x>\n<IfVersion >= 2.4>\nRequire all denied\n</IfVersion>\n</Files>\n',
  };
  const result = convertFiles(files, [CONF, '/site']);
  expect(textAfter(result, '/site/a/.htaccess')).toBe('<Files x>\nRequire all denied\n</Files>\n');
});

test('the line that shows a 2.2 stays while lines for 2.2 stay beside lines for 2.4', () => {
  const files = {
    [CONF]: `${TOP}<Directory "/site/a">\nDeny from all\nRequire all denied\n</Directory>\n`,
  };
  const result = convertFiles(files, [CONF]);
  expect(result.failure).toBeUndefined();
  expect(textAfter(result, CONF) ?? files[CONF]).toContain('authz_default_module');
});
