import { convertFiles } from '../../testing/run/convert';
import { omittedTexts } from '../../src/report/content';

const PATH = '/w/.htaccess';

/** What the changes of a file leave out: the text, and a word of the reason. */
function leftOut(lines: readonly string[], dual?: true): readonly string[] {
  const result = convertFiles(
    { [PATH]: `${lines.join('\n')}\n` },
    ['/w'],
    dual === undefined ? {} : { dual },
  );
  return result.outcomes.flatMap(omittedTexts).map((text) => text.replace(/^.*?:(?=\d)/, ''));
}

const SET_ANEW = 'the words without a sign set all options anew, and Indexes is not among them';

test.each([
  ['a sign that the words after it undo', ['Options -Indexes FollowSymLinks'], [`1: "-Indexes" goes: ${SET_ANEW}`]],
  ['addresses of a section for everybody', ['Order allow,deny', 'Allow from 10.0.0.0/8', 'Allow from all'], ['2: "Allow from 10.0.0.0/8" goes: everybody gets in, named here or not']],
  ['the comment that spoke of them', ['Order allow,deny', '# the office', 'Allow from 10.0.0.0/8', 'Allow from all'], ['3: "Allow from 10.0.0.0/8" goes: everybody gets in, named here or not; the comment above it stays']],
  ['an address that is kept out all the same', ['Order deny,allow', 'Deny from all', 'Allow from 10.0.0.0/8', 'Deny from 192.0.2.1'], ['4: "Deny from 192.0.2.1" goes: whom it names no line lets in']],
  ['an address that gets in nevertheless', ['Order deny,allow', 'Deny from 192.0.2.1', 'Allow from all'], ['2: "Deny from 192.0.2.1" goes: an Allow line lets in again whom it names']],
  ['an address where all are kept out', ['Order allow,deny', 'Allow from 10.0.0.0/8', 'Deny from all'], ['2: "Allow from 10.0.0.0/8" goes: a Deny line keeps out whom it names']],
  ['nobody', ['Order deny,allow', 'Deny from all', 'Allow from none'], ['3: "Allow from none" goes: it names nobody']],
])('%s', (_, lines, expected) => {
  expect(leftOut(lines)).toEqual(expected);
}); // prettier-ignore

test.each([
  ['lines that others take the place of', ['Order deny,allow', 'Deny from all', 'Allow from 10.0.0.0/8 192.168.1.2', 'Allow from .example.org']],
  ['words that become others', ['Order allow,deny', 'Allow from all', 'Deny from 192.0.2.1']],
  ['options that all stay', ['Options +Indexes FollowSymLinks Indexes']],
])('not %s', (_, lines) => {
  expect(leftOut(lines)).toEqual([]);
}); // prettier-ignore

test('for both versions, what stays for 2.2 is not left out', () => {
  expect(leftOut(['Order allow,deny', 'Allow from 10.0.0.0/8', 'Allow from all'], true)).toEqual([]);
  expect(leftOut(['Options -Indexes FollowSymLinks'], true)).toHaveLength(1);
});
