import fs from 'node:fs';
import { join } from 'node:path';
import { isFile } from '../testing/imports/lint';
import { LAW } from '../testing/imports/law';

const ROOT = join(__dirname, '..');

const filesIn = (folder: string): string[] =>
  fs
    .readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith('.ts') && name !== 'index.ts')
    .map((name) => name.slice(0, -'.ts'.length));

/** The folders that are divided into rooms. */
const DIVIDED = [
  ...['access', 'config/include', 'engine', 'judge', 'report', 'write'].map((name) => `src/${name}`),
  'transforms/common',
];

/** The rooms of these folders: what they hold stands in the head of their index. */
const ROOMS = LAW.map(({ place }) => place).filter(
  (place) => DIVIDED.some((folder) => place.startsWith(`${folder}/`)) && !isFile(place),
);

test.each(ROOMS)('the head of the index of %s lists its files, and says what each is for', (room) => {
  const text = fs.readFileSync(join(ROOT, room, 'index.ts'), 'utf8');
  const head = /^\/\*\*\n( \* \S[^]*?)\n \*\//.exec(text)?.[1] ?? '';
  const items = [...head.matchAll(/^ \* - (`.*?`): (\S.{9,})$/gm)];
  const listed = items.flatMap(([, names = '']) => [...names.matchAll(/`([^`]+)`/g)].map(([, name]) => name));
  expect(new Set(listed)).toEqual(new Set(filesIn(room)));
  expect(listed).toHaveLength(new Set(listed).size);
});

test('every folder of the divided ones is a room of the law', () => {
  const found = [...DIVIDED, ...ROOMS].flatMap((folder) =>
    fs
      .readdirSync(join(ROOT, folder), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => `${folder}/${name}`),
  );
  expect(found.length).toBeGreaterThan(35);
  expect(found.toSorted()).toEqual(ROOMS.toSorted());
});

const VALUE = /^export (?:async )?(?:const|function\*?|(?:abstract )?class) (\w+)/gm;

test.each(ROOMS)('what %s gives out with its whole files is taken elsewhere', (room) => {
  const index = fs.readFileSync(join(ROOT, room, 'index.ts'), 'utf8');
  const given = [...index.matchAll(/^export \* from '\.\/(.*)';$/gm)].flatMap(([, file]) =>
    [...fs.readFileSync(join(ROOT, room, `${file}.ts`), 'utf8').matchAll(VALUE)].map(([, name]) => name!),
  );
  const outside =
    given.length === 0
      ? []
      : sources('src')
          .concat(sources('transforms'))
          .filter((file) => !file.startsWith(`${room}/`));
  const taken = new Set(
    outside.flatMap((file) => fs.readFileSync(join(ROOT, file), 'utf8').match(/\w+/g) ?? []),
  );
  expect(given.filter((name) => !taken.has(name))).toEqual([]);
});

function sources(folder: string): string[] {
  return fs
    .readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `${folder}/${name}`);
}

/** A declaration of a type. Prettier puts each at the beginning of a line; an import or a re-export of a type is none. */
const TYPE =
  /^[ \t]*(?:(?:export|default|declare|abstract|const) )*(?:(?:interface|class|enum) ([A-Z]\w*)|type ([A-Z]\w*)(?:<[^=]*>)? =)/gm;

const typesIn = (text: string): string[] =>
  [...text.matchAll(TYPE)].map(([, name, alias]) => (name ?? alias)!);

test('no two types of src and transforms have the same name', () => {
  const places = new Map<string, string[]>();
  for (const file of ['src', 'transforms'].flatMap(sources))
    for (const name of typesIn(fs.readFileSync(join(ROOT, file), 'utf8')))
      places.set(name, [...(places.get(name) ?? []), file]);
  expect(places.size).toBeGreaterThan(300);
  expect([...places].filter(([, files]) => files.length > 1)).toEqual([]);
});

test.each<[string, string[]]>([
  ['interface A {}\nexport interface B<T> extends A {', ['A', 'B']],
  ['export abstract class A extends B {\n  class = 1;', ['A']],
  ['type A = B;\nexport type C<T extends D> =\n  | E;', ['A', 'C']],
  ['export const enum A {', ['A']],
  ["import { type A,\n  type B,\n} from './c';\nexport type { D };\n/** A type E = F. */", []],
])('%j declares %j', (text, names) => {
  expect(typesIn(text)).toEqual(names);
});

test('no file of the program is longer than 500 lines', () => {
  const lengths = [...sources('src'), ...sources('transforms')].map(
    (file) => [file, fs.readFileSync(join(ROOT, file), 'utf8').split('\n').length - 1] as const,
  );
  expect(lengths.filter(([, lines]) => lines > 500)).toEqual([]);
  expect(lengths.filter(([, lines]) => lines > 400).length).toBeGreaterThan(5);
});
