import { findsPattern } from '../../src/regex';
import { GUIDE_SERVERS } from '../../testing/guides/servers';
import { convertFiles } from '../../testing/run/convert';

// XAMPP's own paths have no drive letter; the file names that httpd asks about on Windows have (apr_filepath_merge).

/** The pattern that the rewrite of such a server asks file names about. @param line what shows the system */
function patternOf(line: string): string {
  const files = [...GUIDE_SERVERS['windows']!().machines![0]!.files].map(([path, content]) => [
    path.replace(/^\/c\//, '/'),
    (content as string)
      .replace(/^(?:LoadFile|LoadModule php5_module|AddType) .*\n/gm, '')
      .replaceAll(/[Cc]:\//g, '/')
      .replace('Win32DisableAcceptEx', line)
      .replace('^/(xampp|phpmyadmin)', '^/(xampp|members)'),
  ]);
  const { plan } = convertFiles(Object.fromEntries(files) as Record<string, string>);
  const texts = plan.map(({ text }) => text).join('');
  return /REQUEST_FILENAME\} =~ m#(.*)#/.exec(texts)?.[1] ?? '';
}

test.each([
  'Win32DisableAcceptEx',
  'LoadFile php/php5ts.dll',
  'LoadModule php5_module php/php5apache2_2.dll',
  'LoadModule isapi_module modules/mod_isapi.so',
  'ScriptInterpreterSource registry',
])('%s: a test of a file name holds with a drive letter, in any letter case', (line) => {
  const pattern = patternOf(line);
  const names: readonly [string, boolean][] = [
    ['/xampp/htdocs/members', true],
    ['C:/xampp/htdocs/members', true],
    ['d:/XAMPP/htdocs/Members/a.html', true],
    ['C:/xampp/htdocs/membersonly', false],
    ['C:/other/xampp/htdocs/members', false],
  ];
  expect(names.map(([name]) => findsPattern(pattern, name))).toEqual(names.map(([, is]) => is));
});

test.each(['', 'LoadFile /usr/lib/libxml2.so'])('elsewhere the name is asked about as it is: %j', (line) => {
  expect(patternOf(line)).toBe('^/xampp/htdocs/members(/|$)');
});

test.each([
  ['c:/wamp/apache', 'c:/wamp/www', '^C:/wamp/www/secret'],
  ['c:/wamp/apache', 'C:/Wamp/www', '/secret'],
  ['/xampp/apache', '/xampp/htdocs', '^C:/xampp/htdocs/secret'],
  ['/xampp/apache', '/xampp/htdocs', '^[a-z]:/xampp/'],
])('a regex for directories may be for any on a drive: %s, %s, %s', (root, documents, regex) => {
  const password = 'AuthType Basic\nAuthName x\nAuthUserFile users\nRequire valid-user\n';
  const { plan } = convertFiles({
    '/w/httpd.conf': `ServerRoot "${root}"\nListen 80\nWin32DisableAcceptEx\nDocumentRoot "${documents}"\n<DirectoryMatch "${regex}">\n${password}</DirectoryMatch>\n<Files "*.txt">\nOrder allow,deny\nAllow from all\n</Files>\n<Location /secret>\nOrder deny,allow\nDeny from 10.1\n</Location>\n`,
  });
  const text = plan.map((change) => change.text).join('');
  // What a request has met before is joined with, or asked for.
  for (const section of ['Files', 'Location'])
    expect(text).toMatch(
      new RegExp(`<${section} [^]*?(?:AuthMerging And|Require valid-user|Order)[^]*?</${section}>`),
    );
});

test('the check reads a pattern for a directory on a drive as httpd does', () => {
  const { plan, outcomes } = convertFiles({
    '/w/httpd.conf':
      'ServerRoot "c:/wamp/apache"\nListen 80\nDocumentRoot "c:/wamp/www"\n<Directory "c:/wamp/www">\nAllowOverride All\nOrder allow,deny\nAllow from all\n</Directory>\n<Directory "c:/wamp/www/admin">\nAuthType Basic\nAuthName x\nAuthUserFile users\nRequire user alice\nSatisfy Any\nOrder deny,allow\nDeny from all\n</Directory>\n<Files "login.php">\nOrder deny,allow\nDeny from all\nAllow from 10.1\n</Files>\n',
  });
  expect(outcomes.filter(({ status }) => status === 'not-applied')).toEqual([]);
  expect(plan[0]?.text).toContain('m#^(?i:c:/wamp/www/admin)(/|$)#');
});
