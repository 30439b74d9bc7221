import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** ARCHITECTURE.md names files and functions: each of them must be there. */
const ROOT = join(__dirname, '..');
const TEXT = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8');

/** The items of the list under a heading, each on one line. */
function itemsUnder(heading: string): string[] {
  const section = TEXT.slice(TEXT.indexOf(`\n## ${heading}\n`) + 1).split('\n## ', 1)[0]!;
  const items = section.split(/^(?:\d+\.|-) /m).slice(1);
  return items.map((item) => item.split('\n\n', 1)[0]!.replace(/\s+/g, ' ').trim());
}

const quoted = (text: string): string[] => [...text.matchAll(/`([^`\n]+)`/g)].map(([, name]) => name!);

const STOPS = itemsUnder('The way of one `.htaccess`');
const QUESTIONS = itemsUnder('Where to look');

/**
 * What a row names: files, the later ones beside the first, and names in our spelling (`parse`, `loadTree`, `TreeIndex`,
 * `FACTS`), unlike httpd's (`Include`).
 */
function namedIn(text: string): { readonly files: readonly string[]; readonly names: readonly string[] } {
  const all = quoted(text);
  const files = all.filter((name) => /^[\w/-]+\.ts$/.test(name));
  return {
    files: files.map((name) => (name.includes('/') ? name : join(dirname(files[0]!), name))),
    names: all.filter((name) => /^(?:[a-z]+|[A-Za-z]*[a-z][A-Z][A-Za-z]*|[A-Z_]{4,})$/.test(name)),
  };
}

test('the way of a .htaccess has at most fifteen stops', () => {
  expect(STOPS.length).toBeGreaterThan(10);
  expect(STOPS.length).toBeLessThanOrEqual(15);
});

test('it is short enough to be read', () => {
  expect(TEXT.length).toBeLessThan(15_000);
  expect(QUESTIONS.length).toBeGreaterThan(8);
});

test.each([...STOPS, ...QUESTIONS])('%s', (text) => {
  const { files, names } = namedIn(text);
  expect(files.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
  const found = files.map((file) => readFileSync(join(ROOT, file), 'utf8')).join('\n');
  const declared = (name: string): boolean =>
    new RegExp(`(?:function|class|const|interface|type) ${name}\\b`).test(found);
  expect(names.filter((name) => !declared(name))).toEqual([]);
});

test('every path named is there', () => {
  const paths = quoted(TEXT).filter((name) =>
    /^(?:src|transforms|testing|scripts|docs|bin|__tests__|\.ci)\/[\w./-]+$/.test(name),
  );
  expect(paths.length).toBeGreaterThan(50);
  const missing = paths.filter((path) => !['', '.ts'].some((end) => existsSync(join(ROOT, `${path}${end}`))));
  expect(missing).toEqual([]);
});
