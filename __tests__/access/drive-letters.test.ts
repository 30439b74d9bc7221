import { findsPattern } from '../../src/regex';
import { GUIDE_SERVERS } from '../../testing/guides/servers';
import { convertFiles } from '../../testing/run/convert';

// XAMPP's own paths have no drive letter; the file names that httpd asks about on Windows have (apr_filepath_merge).

/** The pattern that the rewrite of such a server asks file names about. @param line what shows the system */
function patternOf(line: string): string {
  const files = [...GUIDE_SERVERS['windows']!().files].map(([path, text]) => [
    path.replace(/^\/c\//, '/'),
    text
      .replaceAll('C:/', '/')
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
