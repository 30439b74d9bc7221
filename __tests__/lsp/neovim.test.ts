import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { disk } from '../../src/config/source/disk';
import { requireProgram } from '../../testing/httpd/install';
import { type Editor, startEditor } from '../../testing/lsp/editor';
import { shareOf } from '../../testing/run/size';

const ROOT = join(__dirname, '../..');

interface SeenInNeovim {
  readonly before: readonly [line: number, severity: number, code: string, message: string][];
  readonly after: readonly [line: number, severity: number, code: string, message: string][];
  readonly hover?: string;
  readonly offered: readonly string[];
  readonly text: string;
  readonly modified: boolean;
  readonly stopped: boolean;
}

let nvim: string;
let scratch: string;
let settings: string;

beforeAll(() => {
  nvim = requireProgram('nvim', 'neovim', 'to be served as an editor');
  scratch = mkdtempSync(join(tmpdir(), 'codemod-neovim-'));
  const page = readFileSync(join(ROOT, 'docs/guides/editor.md'), 'utf8');
  const [, lua = ''] = /start Neovim with this -->\n\n```lua\n(.*?)```/s.exec(page) ?? [];
  settings = join(scratch, 'settings.lua');
  writeFileSync(settings, lua);
  mkdirSync(join(scratch, 'bin'));
  const command = `#!/bin/sh\nexec '${process.execPath}' '${join(ROOT, 'bin/httpd-codemod.js')}' "$@"\n`;
  writeFileSync(join(scratch, 'bin/httpd-codemod'), command, { mode: 0o755 });
}, 300_000);
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** What Neovim sees in a file, and what becomes of it by the first fix of a line. */
function inNeovim(file: string, line: number): SeenInNeovim {
  const result = join(scratch, 'result.json');
  rmSync(result, { force: true });
  const { status, stderr, error } = spawnSync(
    nvim,
    ['--headless', '-u', 'NONE', '-i', 'NONE', '-n', '-S', join(ROOT, 'testing/lsp/neovim.lua')],
    {
      env: {
        ...process.env,
        HOME: scratch,
        XDG_STATE_HOME: scratch,
        XDG_CACHE_HOME: scratch,
        FILE: file,
        LINE: String(line),
        SETTINGS: settings,
        PATH: `${join(scratch, 'bin')}:${process.env['PATH']}`,
        RESULT: result,
      },
      cwd: scratch,
      encoding: 'utf8',
      timeout: 90_000,
    },
  );
  expect([status, error, status === 0 ? '' : stderr]).toEqual([0, undefined, '']);
  return JSON.parse(readFileSync(result, 'utf8')) as SeenInNeovim;
}

/** Findings as Neovim shows them. */
const asSeen = (found: Awaited<ReturnType<Editor['found']>>): unknown[] =>
  found.map(({ range, severity, code, message }) => [range.start.line + 1, severity, code, message]);

test('opens a .htaccess, shows what is found, and makes the change', () => {
  const file = join(scratch, 'site/.htaccess');
  mkdirSync(dirname(file));
  writeFileSync(file, 'Options None\n# é\nOrder deny,allow\nDeny from all\nAllow from 10.0.0.0/8\n');
  const seen = inNeovim(file, 3);
  expect(seen.before.map(([line, severity, rule]) => [line, severity, rule])).toEqual([
    [3, 1, 'order-allow-deny'],
  ]);
  expect(seen.hover).toContain('| 10.0.0.0/8 | yes |');
  expect(seen.offered.map((title) => title.replace(/^\d+: /, ''))).toContain(
    'Convert this: order-allow-deny',
  );
  expect(seen.text).toBe('Options None\n# é\nRequire ip 10.0.0.0/8\n');
  expect([seen.after, seen.modified, seen.stopped]).toEqual([[], true, true]);
  // It is for the editor to write.
  expect(readFileSync(file, 'latin1')).toContain('Order deny,allow');
}, 150_000);

const EXAMPLES = [
  'conf/httpd.conf',
  'conf.d/status.conf',
  'conf.d/wiki.conf',
  'vhosts.d/intranet.conf',
  'vhosts.d/shop.conf',
];

test.each(shareOf(EXAMPLES, 5))(
  'shows and changes of a whole server what any client is told: %s',
  async (name) => {
    const home = join(scratch, 'examples');
    cpSync(join(ROOT, 'examples'), home, { recursive: true });
    const file = join(home, name);
    const text = readFileSync(file, 'utf8');
    const editor = await startEditor(disk, [], scratch);
    editor.open(file, text);
    const before = await editor.found(file);
    const change = before.find(({ code }) => code === 'order-allow-deny') ?? before[0]!;
    const [first] = await editor.actions(file, change.range.start.line);
    expect(first).toBeDefined();
    await editor.apply(first!);
    const expected = editor.text(file);
    await editor.end();
    const seen = inNeovim(file, change.range.start.line + 1);
    expect(seen.before).toEqual(asSeen(before));
    expect(expected).not.toBe(text);
    expect(seen.text).toBe(expected);
  },
  150_000,
);
