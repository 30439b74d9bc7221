import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** ARCHITECTURE.md names files and functions: each of them must be there. */
const ROOT = join(__dirname, '..');
const TEXT = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8');
const ROOMS = join(ROOT, 'src/access');

/** The rows of the table that has such a column, each as its cells. */
function rowsUnder(column: string): string[][] {
  const lines = TEXT.split('\n');
  const start = lines.findIndex((line) => line.startsWith('|') && line.includes(`| ${column} `));
  const length = lines.slice(start).findIndex((line) => !line.startsWith('|'));
  return lines.slice(start + 2, start + length).map((line) => line.split(' | ').map((cell) => cell.trim()));
}

const quoted = (text: string): string[] => [...text.matchAll(/`([^`\n]+)`/g)].map(([, name]) => name!);

const STOPS = rowsUnder('What happens there');
const QUESTIONS = rowsUnder('Question');

/**
 * What a row names: files, the later ones beside the first, and names in our spelling (`parse`, `loadTree`, `TreeIndex`, `FACTS`), unlike
 * httpd's (`Include`).
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

test.each([...STOPS.map((cells) => cells.slice(1).join(' ')), ...QUESTIONS.map((cells) => cells[1]!)])(
  '%s',
  (text) => {
    const { files, names } = namedIn(text);
    expect(files.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
    const found = files.map((file) => readFileSync(join(ROOT, file), 'utf8')).join('\n');
    const declared = (name: string): boolean =>
      new RegExp(`(?:function|class|const|interface|type) ${name}\\b`).test(found);
    expect(names.filter((name) => !declared(name))).toEqual([]);
  },
);

test('every room of src/access is listed with all of its files', () => {
  const rooms = rowsUnder('It may not').filter(([room]) => existsSync(join(ROOMS, quoted(room!)[0] ?? '-')));
  expect(rooms.length).toBeGreaterThan(8);
  for (const [room = '', , files = ''] of rooms) {
    const found = readdirSync(join(ROOMS, quoted(room)[0]!)).map((name) => name.replace(/\.ts$/, ''));
    expect(quoted(files).toSorted()).toEqual(found.filter((name) => name !== 'index').toSorted());
  }
});

test('every path named is there', () => {
  const paths = quoted(TEXT).filter((name) =>
    /^(?:src|transforms|testing|scripts|docs|bin|__tests__|\.ci)\/[\w./-]+$/.test(name),
  );
  expect(paths.length).toBeGreaterThan(50);
  const missing = paths.filter((path) => !['', '.ts'].some((end) => existsSync(join(ROOT, `${path}${end}`))));
  expect(missing).toEqual([]);
});
