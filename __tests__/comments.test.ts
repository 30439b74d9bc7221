import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '..');

const files = ['src', 'transforms', 'testing'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `${folder}/${name}`),
);

/** What an editor shows when the mouse is over a name: it has to be understood without the lines above. */
const FRAGMENT =
  /^(?:The same|Those|These|Of|As|The others?|They|Them|Their|Its?|What its?|Where its?|That of|This one|Likewise|Such)\b/;

/** The doc comments of a text, each as one line with the number of its first. */
function docComments(text: string): readonly { readonly line: number; readonly words: string }[] {
  return [...text.matchAll(/\/\*\*([^]*?)\*\//g)].map((found) => ({
    line: text.slice(0, found.index).split('\n').length,
    words: found[1]!.replace(/\s*\n\s*\* ?/g, ' ').trim(),
  }));
}

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

test.each([
  ['/** The same for many texts. */', true],
  ['/**\n * Of these, the last.\n */', true],
  ['/** As {@link run}. */', true],
  ['/** Its name in messages. */', true],
  ['/** Like {@link run}, for many texts. */', false],
  ['/** The sections that are read. */', false],
  ['/** Offset of the first line. */', false],
])('%j is a fragment: %s', (text, expected) => {
  expect(docComments(text).map(({ words }) => FRAGMENT.test(words))).toEqual([expected]);
});

test('every doc comment stands alone', () => {
  expect(files.length).toBeGreaterThan(500);
  const fragments = files.flatMap((file) =>
    docComments(read(file))
      .filter(({ words }) => FRAGMENT.test(words))
      .map(({ line, words }) => `${file}:${line}: ${words}`),
  );
  expect(fragments).toEqual([]);
});

test('no line of a comment is longer than 130 characters', () => {
  const long = files.flatMap((file) =>
    read(file)
      .split('\n')
      .flatMap((line, i) =>
        line.length > 130 && /^\s*(?:\/\/|\/?\*)/.test(line) ? [`${file}:${i + 1}`] : [],
      ),
  );
  expect(long).toEqual([]);
});
