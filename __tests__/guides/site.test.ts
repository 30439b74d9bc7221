import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const HOME = join(__dirname, '../..');

let scratch: string;
beforeEach(() => (scratch = mkdtempSync(join(tmpdir(), 'site-'))));
afterEach(() => rmSync(scratch, { recursive: true, force: true }));

const make = (...args: readonly string[]): { status: number | null; stderr: string } =>
  spawnSync(process.execPath, [join(HOME, 'scripts/site/make.mjs'), ...args], { encoding: 'utf8' });

test('every page of docs/ is made, and every link in them leads somewhere', () => {
  const { status, stderr } = make(scratch);
  expect([status, stderr]).toEqual([0, '']);
  const names = readdirSync(join(HOME, 'docs'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.md'),
  );
  expect(names.length).toBeGreaterThan(150);
  expect(names.filter((name) => !existsSync(join(scratch, name.replace(/md$/, 'html'))))).toEqual([]);
  expect(readFileSync(join(scratch, 'index.html'), 'utf8')).toContain('<a href="guides/index.html">');
});

test.each([
  ['[a](b.md)', 'b.md leads nowhere'],
  ['[a](#none)', '#none leads nowhere'],
  ['[a](../none.md)', '../none.md leads nowhere'],
  ['# One\n\n[a](index.md#two)', 'index.md#two leads nowhere'],
])('a link that leads nowhere: %j', (text, message) => {
  const docs = join(scratch, 'docs');
  mkdirSync(docs);
  writeFileSync(join(docs, 'index.md'), text);
  const { status, stderr } = make(join(scratch, 'out'), docs);
  expect([status, stderr]).toEqual([1, `docs/index.md: ${message}\n`]);
  expect(existsSync(join(scratch, 'out'))).toBe(false);
});

test('what a page says is no markup of its own', () => {
  const docs = join(scratch, 'docs');
  mkdirSync(docs);
  writeFileSync(
    join(docs, 'index.md'),
    '# A & `<b>`\n\n## Two `<x>`\n\n```sh\necho "<i>"\n```\n\n| A |\n| --- |\n| `<u>` |\n',
  );
  expect(make(join(scratch, 'out'), docs).status).toBe(0);
  const html = readFileSync(join(scratch, 'out/index.html'), 'utf8');
  expect(html).toContain('<h2 id="two-x">Two <code>&lt;x&gt;</code></h2>');
  expect(html).toContain('echo &quot;&lt;i&gt;&quot;');
  for (const tag of ['<b>', '<x>', '<i>', '<u>']) expect(html).not.toContain(tag);
});
