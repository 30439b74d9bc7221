import { evaluateExpr } from '../../src/access/models';

const NAME = '%{REQUEST_FILENAME}';
const UNKNOWN = '%{REQUEST_URI} =~ m#(?<!x)b#';

function valueOf(text: string, filename = '/site/a.php/b.txt'): boolean | undefined {
  return evaluateExpr(text, { uri: '/a.php/b.txt', filename });
}

test('a regex that begins at the last part of a file name is asked of that part alone', () => {
  expect(valueOf(String.raw`${NAME} =~ m#/(?=[^/]*$)[^/]*?\.php$#`)).toBe(false);
  expect(valueOf(String.raw`${NAME} =~ m#/(?=[^/]*$)[^/]*?\.php#`)).toBe(false);
  expect(valueOf(String.raw`${NAME} =~ m#/(?=[^/]*$)[^/]*?\.(php|txt)$#`)).toBe(true);
  expect(valueOf(String.raw`${NAME} !~ m#/(?=[^/]*$)b\.#`)).toBe(false);
  expect(valueOf(String.raw`${NAME} =~ m#/(?=[^/]*$)txt#`)).toBe(false);
  // The start of the text is not there, and a choice leaves the look-ahead behind.
  expect(valueOf(String.raw`${NAME} =~ m#/(?=[^/]*$)^b#`)).toBe(false);
  expect(valueOf(String.raw`${NAME} =~ m#/(?=[^/]*$)c|a\.php#`)).toBeUndefined();
});

test('what is not known is of no account where the rest decides', () => {
  const [yes, no] = [`${NAME} =~ m#^/site#`, `${NAME} =~ m#^/other#`];
  expect(valueOf(`${UNKNOWN} && ${no}`)).toBe(false);
  expect(valueOf(`${yes} || ${UNKNOWN}`)).toBe(true);
  expect(valueOf(`${UNKNOWN} && ${yes}`)).toBeUndefined();
  expect(valueOf(`${no} || ${UNKNOWN}`)).toBeUndefined();
  expect(valueOf(`(${UNKNOWN} || ${no}) && ${yes}`)).toBeUndefined();
});

test('an answer is remembered for the same question alone', () => {
  const asked = { uri: '/a', filename: '/w/a' };
  const answers = (text: string, other: Partial<typeof asked>): (boolean | undefined)[] => [
    evaluateExpr(text, asked),
    evaluateExpr(text, { ...asked, ...other }),
    evaluateExpr(text, asked),
  ];
  for (const [text, other] of [
    ['%{REQUEST_URI} =~ m#^/a#', { uri: '/b' }],
    [`${NAME} =~ m#^/w/a#`, { filename: '/w/b' }],
  ] as const)
    expect(answers(text, other)).toEqual([true, false, true]);
  expect([`${NAME} =~ m#^/w#`, `${NAME} =~ m#^/x#`].map((text) => evaluateExpr(text, asked))).toEqual([
    true,
    false,
  ]);
});

const [YES, NO] = [`${NAME} =~ m#^/site#`, `${NAME} !~ m#^/site#`];

test.each([
  ['-d %{REQUEST_FILENAME}', '/site/a/', true],
  ['-d %{REQUEST_FILENAME}', '/site/a', false],
  ['! -d %{REQUEST_FILENAME}', '/site/a/', false],
  ['! -d %{REQUEST_FILENAME}', '/site/a', true],
  [`${NO} && ${NO} || ${YES}`, '/site/a', true],
  [`${NO} && (${NO} || ${YES})`, '/site/a', false],
  [`${YES} || ${NO} && ${NO}`, '/site/a', true],
  [`(${YES} || ${NO}) && ${NO}`, '/site/a', false],
  [`(${YES}`, '/site/a', undefined],
  [`${YES} ${YES}`, '/site/a', undefined],
  [`${YES} &&`, '/site/a', undefined],
  ['-f %{REQUEST_FILENAME}', '/site/a', undefined],
])('%s, of %s, is %s', (text, filename, expected) => {
  expect(valueOf(text, filename)).toBe(expected);
});
