import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '..');

const IGNORED = /^(\s*)(.*?)\s*\/\/ prettier-ignore$/;

/** What begins a table: rows in an array, a Map, a Set or an object, also those of `test.each`. */
const TABLE = [
  /^(?:export )?(?:const|let|static|private|readonly)\b.*=\s*(?:\[|\{|new (?:Map|Set)(?:<.*>)?\(\[?|\w+\(\[|Object\.\w+\([[{]?)$/,
  /^return (?:\[|new Map\(\[)$/,
  /\b(?:test|describe)(?:\.\w+)*\.each(?:<.*>)?\(\[?$/,
];

/** What begins a row of one that is a line of its own. */
const ROW = /^(?:[['"`]|text\(|\.\.\.|[\w']+: (?:is\d+ \? )?\[).*[\],]$/;

/** The lines that prettier is told to leave alone although they are no table: line numbers. */
function misplaced(text: string): number[] {
  const lines = text.split('\n');
  return lines.flatMap((line, i) => {
    const [, indent = '', code] = IGNORED.exec(line) ?? [];
    if (code === undefined || ROW.test(code)) return [];
    const isBeginning = (other: string): boolean =>
      other.startsWith(indent) && /^[^\s\]})]/.test(other.slice(indent.length));
    const first = /^[\]})]/.test(code) ? lines.slice(0, i).findLast(isBeginning) : undefined;
    return first !== undefined && TABLE.some((table) => table.test(first.trim())) ? [] : [i + 1];
  });
}

test('a table is told from what is none', () => {
  expect(misplaced('const A = [\n  [1, 2],\n  [3, 4],\n]; // prettier-ignore\n')).toEqual([]);
  expect(misplaced('const A = new Map<string, [number]>([\n  [1, 2],\n]); // prettier-ignore\n')).toEqual([]);
  expect(misplaced('function f() {\n  return 1;\n} // prettier-ignore\n')).toEqual([3]);
  expect(misplaced('const f = () => {\n  return 1;\n}; // prettier-ignore\n')).toEqual([3]);
  expect(misplaced('const a = b(c); // prettier-ignore\n')).toEqual([1]);
  expect(misplaced("test('a', () => {\n  expect(1).toBe(1);\n}); // prettier-ignore\n")).toEqual([3]);
});

test('prettier leaves nothing alone but tables', () => {
  const files = ['src', 'transforms', 'page', 'testing', '__tests__'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => `${folder}/${name}`),
  );
  expect(files.length).toBeGreaterThan(1000);
  const found = files.flatMap((file) =>
    misplaced(readFileSync(join(ROOT, file), 'utf8')).map((line) => `${file}:${line}`),
  );
  expect(found).toEqual([]);
});
