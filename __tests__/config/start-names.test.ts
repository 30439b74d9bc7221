import { loadTree, memory } from '../../src/config';

const MAIN = 'ServerRoot /etc/httpd\nListen 80\n';

/** The names that a start file of Red Hat is taken to set. */
function namesIn(text: string): readonly string[] {
  const files = new Map([
    ['/etc/httpd/conf/httpd.conf', MAIN],
    ['/etc/sysconfig/httpd', text],
  ]);
  const options = { cwd: '/', defines: new Map<string, string>(), env: new Map<string, string>() };
  return loadTree(memory(files), ['/etc/httpd/conf/httpd.conf'], options).startNames?.names ?? [];
}

test.each([
  ['OPTIONS="-D A"', 'A'],
  ["export OPTIONS='-DA -D B' # -D C", 'A B'],
  ['# It isn\'t "quoted.\r\nOPTIONS="-D A"\r\n', 'A'],
  ['OPTIONS="-D A \\\n-D B\n-D C"', 'A B C'],
  ['OPTIONS="-D A"\nOPTIONS="-D B"', 'B'],
  ['OPTIONS="-D A"\nOPTIONS="$OPTIONS -D B"', 'A B'],
  ['OPTIONS="-D A"\nOPTIONS+=" -D B"', 'A B'],
  ['OPTIONS="-D A"\nOPTIONS="$OPTIONSX -D B"', 'B'],
  ['OPTIONS="-D A -D B"\nif [ -e /x ]; then OPTIONS="-D B -D C"; fi', 'B'],
  ['OPTIONS="-D A"\n[ -e /x ] && OPTIONS="$OPTIONS -D B"', 'A'],
  ['case x in\n(a) OPTIONS="-D A";;\nesac\nfor i in 1; do :; done\nOPTIONS="-D B"', 'B'],
  ['OPTIONS="-D A ${MORE:+-e info -D B} -D C"', 'A C'],
])('%j sets %s', (text, names) => {
  expect(namesIn(text).join(' ')).toBe(names);
});

test.each([
  '',
  'OPTIONS="-D A"\nOPTIONS=',
  'OPTIONS="-D A"; OPTIONS=""',
  'OPTIONS="-D A"\nunset OPTIONS',
  'OPTIONS="-D A"\n. /etc/more',
  'OPTIONS="-D A"\nOPTIONS="`cat /etc/names`"',
  'OPTIONS="-D A" || OPTIONS=',
  'OPTIONS="-D A" httpd',
  'OPTIONS="-D A" &',
  'OPTIONS=(-D A)',
  'OPTIONS="-D $(names -D A -D B)"',
  'f() {\n  OPTIONS="-D A"\n}',
  'f()\n(\nOPTIONS="-D A"\n)',
  '[ -e /x ] && {\nOPTIONS="-D A"\n}',
  '[ -e /x ] && (\n:\nOPTIONS="-D A"\n)',
  '[ -e /x ] &&\n  OPTIONS="-D A"',
  '[ -e /x ] || \\\nOPTIONS="-D A"',
  'true && if [ -e /x ]; then\nOPTIONS="-D A"\nfi',
  'x=; case $x in a)\nOPTIONS="-D A"\nesac',
  'until [ -e /x ]\ndo\nOPTIONS="-D A"\ndone',
  '[ -e /x ] || exit\nOPTIONS="-D A"',
  'cat <<END\nOPTIONS="-D A"\nEND',
  'HELP="\nOPTIONS=-DA\n"',
  'OPTIONS="-D A',
])('%j sets no name for certain', (text) => {
  expect(namesIn(text)).toEqual([]);
});

test('a file that is long, or nothing but opened quotes and blocks, is no obstacle', () => {
  for (const part of ['a', 'if x;', '\\\\', '"\\\\"', "''", '('])
    for (const start of ['', 'OPTIONS="'])
      expect(namesIn(start + part.repeat(99_000 / part.length))).toEqual([]);
  expect(namesIn(`#${'a'.repeat(200_000)}\nOPTIONS="-D A"`)).toEqual([]);
});
