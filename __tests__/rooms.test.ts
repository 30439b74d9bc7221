import fs from 'node:fs';
import { dirname, join, relative } from 'node:path';

/**
 * Folders that are divided into rooms, each with its rooms from the lowest up. A room imports rooms below it, by their index alone; '' stands
 * for the files of the folder itself. A file that all rooms need is a room by itself. Circles of files are found by lint (import/no-cycle).
 */
const ROOMS: Readonly<Record<string, readonly string[]>> = {
  'src/access': ['primitives', 'policy', 'mapping', 'collect', 'override', 'models', 'inherit', 'rewrite', 'verify', 'subrequests', 'report', 'decide', 'view', '', 'explain'],
  'src/engine': ['tree-index', 'types', 'wanted', 'apply', 'collect', ''],
  'src/report': ['encoding', 'diff', 'content', 'terminal', 'html', ''],
  'src/write': ['error', 'system', 'journal', 'transaction', 'recovery', ''],
}; // prettier-ignore

const ROOT = join(__dirname, '..');

/** Every import, `require` and re-export of ours in a text. */
const IMPORT = /(?:\bfrom |\bimport |\b(?:import|require)\()'(\.[^']*)'/g;

/** The room of a path without its extension; '' for a file of the folder itself, undefined outside of it. */
function roomOf(folder: string, path: string): string | undefined {
  if (path === folder) return '';
  if (!path.startsWith(`${folder}/`)) return undefined;
  const [room = '', ...rest] = path.slice(folder.length + 1).split('/');
  return rest.length > 0 || ROOMS[folder]!.includes(room) ? room : '';
}

/** What is wrong with an import, both paths from the root and without extension; undefined where nothing is. */
function breachOf(from: string, to: string): string | undefined {
  for (const [folder, rooms] of Object.entries(ROOMS)) {
    const [fromRoom, toRoom] = [roomOf(folder, from), roomOf(folder, to)];
    if (toRoom === undefined || fromRoom === toRoom) continue;
    if (toRoom !== '' && to !== `${folder}/${toRoom}`) return 'not by the index of the room';
    if (fromRoom !== undefined && rooms.indexOf(toRoom) >= rooms.indexOf(fromRoom)) return 'upward';
  }
  return undefined;
}

function sources(folder: string): string[] {
  return fs
    .readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `${folder}/${name}`);
}

function breaches(file: string): string[] {
  const from = file.slice(0, -'.ts'.length);
  return [...fs.readFileSync(join(ROOT, file), 'utf8').matchAll(IMPORT)].flatMap(([, path]) => {
    const to = relative(ROOT, join(ROOT, dirname(from), path!));
    const breach = breachOf(from, to);
    return breach === undefined ? [] : [`${from} imports ${to}: ${breach}`];
  });
}

test.each(Object.entries(ROOMS))('%s has the rooms listed, each with an index', (folder, rooms) => {
  const found = fs
    .readdirSync(join(ROOT, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory());
  const isFile = (room: string): boolean => fs.existsSync(join(ROOT, folder, `${room}.ts`));
  const folders = rooms.filter((room) => !isFile(room));
  expect(['', ...found.map(({ name }) => name)].toSorted()).toEqual(folders.toSorted());
  for (const room of folders) expect(fs.existsSync(join(ROOT, folder, room, 'index.ts'))).toBe(true);
});

test('a room is imported by its index, and from above', () => {
  const files = ['src', 'transforms', 'testing', '__tests__'].flatMap(sources);
  const inRooms = files.filter((file) => Object.keys(ROOMS).some((folder) => file.startsWith(`${folder}/`)));
  expect(inRooms.length).toBeGreaterThan(40);
  expect(files.flatMap(breaches)).toEqual([]);
});

/** What the judge may know of: nothing with which anything else decides, so that one mistake cannot deceive both. */
const JUDGE_IMPORTS = /^src\/(?:judge\/|syntax$|regex$|config\/types$|httpd\/directives$)/;

test('the judge shares no decision', () => {
  const imported = sources('src/judge').flatMap((file) =>
    [...fs.readFileSync(join(ROOT, file), 'utf8').matchAll(IMPORT)].map(([, path]) =>
      relative(ROOT, join(ROOT, dirname(file), path!)),
    ),
  );
  expect(imported.length).toBeGreaterThan(20);
  expect(imported.filter((path) => !JUDGE_IMPORTS.test(path))).toEqual([]);
  expect(['src/access', 'src/config', 'src/engine', 'src/edit'].some((path) => JUDGE_IMPORTS.test(path))).toBe(false); // prettier-ignore
});

test.each<[string, string, string | undefined]>([
  ['src/access/verify/check', 'src/access/policy', undefined],
  ['src/access/verify/check', 'src/access/verify/compare', undefined],
  ['src/access/translate-tree', 'src/access/decide', undefined],
  ['src/access/translate-tree', 'src/access/report', undefined],
  ['src/access/explain/explain', 'src/access/report', undefined],
  ['src/cli/explain', 'src/access/explain', undefined],
  ['transforms/order-allow-deny', 'src/access', undefined],
  ['src/access/verify/check', 'src/config', undefined],
  ['src/access/verify/check', 'src/access/policy/state', 'not by the index of the room'],
  ['src/access/translate-tree', 'src/access/policy/state', 'not by the index of the room'],
  ['src/cli/explain', 'src/access/explain/explain', 'not by the index of the room'],
  ['src/access/policy/state', 'src/access/verify', 'upward'],
  ['src/access/policy/state', 'src/access', 'upward'],
  ['src/access/report/findings', 'src/access/decide', 'upward'],
  ['src/access/translate-tree', 'src/access/explain', 'upward'],
  ['src/write/transaction/item', 'src/write/error', undefined],
  ['src/cli/cli', 'src/write/error', undefined],
  ['src/cli/cli', 'src/write/pending', undefined],
  ['src/write/error', 'src/write/system', 'upward'],
  ['src/write/system/ops', 'src/write/journal', 'upward'],
  ['src/write/recovery/undo', 'src/write/store', 'upward'],
  ['src/write/store', 'src/write/journal/place', 'not by the index of the room'],
])('%s importing %s', (from, to, expected) => {
  expect(breachOf(from, to)).toBe(expected);
});

test.each([
  `import { a } from './b';`,
  `import type { a } from './b';`,
  `export * from './b';`,
  `import './b';`,
  `const a = require('./b');`,
  `const a = await import('./b');`,
])('%s is an import', (text) => {
  expect([...text.matchAll(IMPORT)].map(([, path]) => path)).toEqual(['./b']);
});

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
