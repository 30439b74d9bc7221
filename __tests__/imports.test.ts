import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { LAW, breachOf, placeOf, type Place } from '../testing/imports/law';
import { isFile, lintConfig } from '../testing/imports/lint';

const ROOT = join(__dirname, '..');

/** Every import, `require` and re-export of ours, or of Node, in a text. */
const IMPORT = /(?:\bfrom |\bimport |\b(?:import|require)\()'((?:\.|node:)[^']*)'/g;

function sources(folder: string): string[] {
  return fs
    .readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `${folder}/${name.slice(0, -'.ts'.length)}`);
}

/** What a file imports: paths from the root without extension, and modules of Node. */
const importsOf = (file: string): string[] =>
  [...fs.readFileSync(join(ROOT, `${file}.ts`), 'utf8').matchAll(IMPORT)].map(([, path = '']) =>
    path.startsWith('node:') ? path : relative(ROOT, join(ROOT, dirname(file), path)),
  );

const OURS = ['src', 'transforms', 'page'].flatMap(sources);

test('every import keeps the law', () => {
  expect(OURS.length).toBeGreaterThan(400);
  const breaches = OURS.flatMap((file) =>
    importsOf(file).map((to) => breachOf(file, to)?.concat(` (${file})`)),
  );
  expect(breaches.filter((breach) => breach !== undefined)).toEqual([]);
});

test('no files import each other in a circle, and no folder has more than 22', () => {
  const files = [...OURS, ...sources('testing')];
  const known = new Set(files);
  const importsByFile = new Map(
    files.map((file) => [
      file,
      importsOf(file).flatMap((to) => [to, `${to}/index`].filter((path) => known.has(path))),
    ]),
  );
  const circles: string[] = [];
  const done = new Set<string>();
  const visit = (file: string, way: readonly string[]): void => {
    if (way.includes(file)) circles.push([...way.slice(way.indexOf(file)), file].join(' > '));
    if (done.has(file)) return;
    done.add(file);
    for (const to of importsByFile.get(file)!) visit(to, [...way, file]);
  };
  for (const file of files) visit(file, []);
  expect(circles).toEqual([]);
  const sizes = new Map<string, number>();
  for (const file of OURS) sizes.set(dirname(file), (sizes.get(dirname(file)) ?? 0) + 1);
  expect([...sizes].filter(([, size]) => size > 22)).toEqual([]);
});

test('every place has files, and every path that the law names is there', () => {
  const used = new Set(OURS.map((file) => placeOf(file)?.place));
  expect(LAW.filter(({ place }) => !used.has(place)).map(({ place }) => place)).toEqual([]);
  const named = LAW.flatMap(({ imports }) => imports).map((path) => path.replace(/\/\*$/, ''));
  const isThere = (path: string): boolean => ['', '.ts'].some((end) => fs.existsSync(join(ROOT, path + end)));
  expect(named.filter((path) => !isThere(path))).toEqual([]);
});

test('the linter has the law as npm run docs writes it', () => {
  const written: unknown = JSON.parse(fs.readFileSync(join(ROOT, '.oxlintrc.json'), 'utf8'));
  expect(written).toEqual(JSON.parse(lintConfig()));
});

/** A file of the place that imports something, to be planted. */
const plantedIn = ({ place }: Place): string =>
  isFile(place) ? place : `${place.replace('*', 'mpm')}/planted-breach`;

/** Every import of a folder, of a room's inside and of a module of Node that a place may not have. */
function refusedImports(law: Place): string[] {
  const from = plantedIn(law);
  const folders = LAW.map(({ place }) => place.replace('*', 'ssl')).filter((place) => place !== 'src/main');
  const inside = [
    'src/syntax/words',
    'src/config/source/paths',
    'src/access/policy/state',
    'src/report/diff/hunks',
  ];
  return [...folders, ...inside, 'node:child_process', 'node:fs', 'node:net'].filter(
    (to) => breachOf(from, to) !== undefined,
  );
}

function lineFor(from: string, to: string): string {
  const path = to.startsWith('node:') ? to : relative(dirname(from), to) || '.';
  return `import '${path.startsWith('.') || to.startsWith('node:') ? path : `./${path}`}';\n`;
}

/** What the linter says of each line of planted files, by file and line: from 1. */
function lintedLines(files: ReadonlyMap<string, string>): Set<string> {
  const home = fs.mkdtempSync(join(tmpdir(), 'httpd-codemod-imports-'));
  try {
    const config = JSON.parse(lintConfig()) as { overrides: { rules: object }[] };
    const overrides = config.overrides.filter(({ rules }) => 'no-restricted-imports' in rules);
    fs.writeFileSync(join(home, '.oxlintrc.json'), JSON.stringify({ overrides }));
    for (const [file, text] of files) {
      fs.mkdirSync(join(home, dirname(file)), { recursive: true });
      fs.writeFileSync(join(home, `${file}.ts`), text);
    }
    const command = join(ROOT, 'node_modules/.bin/oxlint');
    const { stdout } = spawnSync(command, ['--format', 'unix', '.'], {
      cwd: home,
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
    });
    const found = stdout.matchAll(/^(?:\.\/)?([\w/.-]+)\.ts:(\d+):\d+: .*no-restricted-imports/gm);
    return new Set([...found].map(([, file, line]) => `${file}:${line}`));
  } finally {
    fs.rmSync(home, { recursive: true });
  }
}

test('the linter refuses a breach of every line of the law, and nothing that the law allows', () => {
  const planted = new Map(LAW.map((law) => [plantedIn(law), refusedImports(law)]));
  for (const [from, breaches] of planted) expect([from, breaches.length > 5]).toEqual([from, true]);
  const linted = lintedLines(
    new Map([...planted].map(([from, breaches]) => [from, breaches.map((to) => lineFor(from, to)).join('')])),
  );
  const missed = [...planted].flatMap(([from, breaches]) =>
    breaches.filter((_, i) => !linted.has(`${from}:${i + 1}`)).map((to) => `${from} imports ${to}`),
  );
  expect(missed).toEqual([]);

  const allowed = new Map(
    LAW.map((law) => [
      plantedIn(law),
      [...law.imports.map((to) => to.replace('*', 'planted')), ...law.node.map((name) => `node:${name}`)],
    ]),
  );
  const texts = [...allowed].map(
    ([from, all]) => [from, all.map((to) => lineFor(from, to)).join('')] as const,
  );
  expect([...lintedLines(new Map(texts))]).toEqual([]);
});

test.each<[string, string, string | undefined]>([
  ['src/access/verify/check', 'src/access/policy', undefined],
  ['src/access/verify/check', 'src/access/verify/compare', undefined],
  ['src/access/translate-tree', 'src/access/report', undefined],
  ['transforms/access/order-allow-deny', 'src/access', undefined],
  [
    'src/access/verify/check',
    'src/access/policy/state',
    'src/access/verify may not import src/access/policy/state',
  ],
  ['src/access/policy/state', 'src/access/verify', 'src/access/policy may not import src/access/verify'],
  ['src/access/translate-tree', 'src/access/explain', 'src/access may not import src/access/explain'],
  ['src/judge/site/walk', 'src/access', 'src/judge/site may not import src/access'],
  [
    'src/config/source/memory',
    'src/config/source/disk',
    'src/config/source may not import src/config/source/disk',
  ],
  ['src/write/error', 'src/write/system', 'src/write/error may not import src/write/system'],
  ['src/index', 'node:fs', 'src/index may not import node:fs'],
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

test('tests and helpers enter a room by its index too', () => {
  const rooms = new Set(
    LAW.map(({ place }) => place).filter((place) => /^src\/(?:access|engine|report|write)\/./.test(place)),
  );
  const entered = ['testing', '__tests__'].flatMap(sources).flatMap((file) =>
    importsOf(file)
      .filter((to) => rooms.has(dirname(to)))
      .map((to) => `${file} imports ${to}`),
  );
  expect(rooms.size).toBeGreaterThan(20);
  expect(entered).toEqual([]);
});
