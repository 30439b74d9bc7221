import { spawnSync } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, extname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { zipSync } from 'fflate';
import type { Browser, Page } from 'playwright-core';
import { type ConversionOptions, convert, NEWEST } from '../../src';
import { disk } from '../../src/config/source/disk';
import {
  convertText,
  openPage,
  PATIENCE,
  settled,
  startChromium,
  type WatchedPage,
} from '../../testing/browser/chromium';
import { startEditor } from '../../testing/lsp/editor';
import { share, shareOf } from '../../testing/run/size';
import { STOCK_SERVERS } from '../../testing/stock/servers';

const HOME = join(__dirname, '../..');
const COMMAND = join(HOME, 'dist/httpd-codemod.cjs');

let scratch: string;
let browser: Browser;
let site: string;
let open: WatchedPage;
let page: Page;

beforeAll(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'page-'));
  site = join(scratch, 'convert');
  const made = spawnSync(process.execPath, [join(HOME, 'scripts/site/page.mjs'), site]);
  expect(String(made.stderr)).toBe('');
  browser = await startChromium();
  open = await openPage(browser, pathToFileURL(join(site, 'index.html')).href);
  ({ page } = open);
}, 300_000);

afterAll(async () => {
  await browser.close();
  rmSync(scratch, { recursive: true, force: true });
}, 60_000);

afterEach(() => expect(open.complaints.splice(0)).toEqual([]));

/** What the command says to a directory: the verdict, the diff. */
function commandFor(name: string, ...options: readonly string[]): { verdict: string[]; diff: string } {
  const argv = [COMMAND, ...options, name];
  const { stdout, stderr } = spawnSync(process.execPath, argv, {
    cwd: scratch,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  // A line goes on in those that are indented.
  const lines = stderr.replaceAll('\n  ', ' ').split('\n');
  const at = lines.findIndex((line) => line.startsWith('Plan: '));
  const [changes = '', outcome = ''] = lines.slice(at, at + 2);
  return { verdict: [outcome, changes], diff: stdout };
}

interface Found {
  readonly rule: string;
  readonly line: number;
  readonly path: string;
}

/** All that the command finds, its JSON. */
function foundBy(...argv: readonly string[]): readonly Found[] {
  const { stdout } = spawnSync(process.execPath, [COMMAND, ...argv, '--format', 'json'], {
    cwd: scratch,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  return (JSON.parse(stdout) as { findings: Found[] }).findings;
}

/** What an editor is shown of the server that a file belongs to, each as a line. */
async function shownFor(file: string, ...argv: readonly string[]): Promise<readonly string[]> {
  const editor = await startEditor(disk, argv, scratch);
  editor.open(file, readFileSync(file, 'utf8'));
  await editor.found(file);
  const last = new Map(editor.told.map((shown) => [shown.uri, shown]));
  expect(await editor.end()).toBe(0);
  return [...last.values()]
    .flatMap(({ uri, diagnostics }) =>
      diagnostics.map(
        ({ code, range }) =>
          `${relative(scratch, decodeURI(uri.slice('file://'.length)))} ${code} ${range.start.line + 1}`,
      ),
    )
    .toSorted();
}

const asLines = (found: readonly Found[]): readonly string[] =>
  found.map(({ path, rule, line }) => `${path} ${rule} ${line}`).toSorted();

/** A directory as a zip, its own name in front of all others. */
function zipOf(folder: string): Uint8Array {
  const names = readdirSync(join(scratch, folder), { recursive: true, withFileTypes: true });
  const files = names.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  return zipSync(Object.fromEntries(files.map((file) => [relative(scratch, file), readFileSync(file)])));
}

async function drop(file: string): Promise<string> {
  await page.evaluate('delete document.body.dataset.state');
  await page.setInputFiles(file.endsWith('/') ? '#folder-input' : '#files-input', file);
  const done = await page.waitForSelector('body:is([data-state=done], [data-state=failed])', {
    timeout: 2 * PATIENCE,
  });
  return (await done.getAttribute('data-state')) ?? '';
}

/** Does what makes the page convert anew, and waits until it has. */
async function converts(act: () => Promise<void>): Promise<void> {
  await page.evaluate('delete document.body.dataset.state');
  await act();
  await page.waitForSelector('body[data-state=done]', { timeout: 2 * PATIENCE });
}

const servers: readonly string[] = [...Object.keys(STOCK_SERVERS), 'examples', 'as a folder', 'as a zip'];

test.each([...shareOf(servers, 8)])(
  '%s, dropped: the page says what the command says, and has the same diff',
  async (name) => {
    const folder = name.replace(/\W+/g, '-').toLowerCase();
    const root = join(scratch, folder);
    if (name === 'examples') cpSync(join(HOME, 'examples'), root, { recursive: true });
    else
      for (const [path, text] of Object.entries(STOCK_SERVERS[name] ?? STOCK_SERVERS['CentOS 5']!)) {
        mkdirSync(dirname(join(root, path)), { recursive: true });
        writeFileSync(join(root, path), text, 'latin1');
      }
    const ending = name === 'as a zip' ? '.zip' : name === 'as a folder' ? '/' : '.tar.gz';
    const packed = `${root}${ending}`;
    if (ending === '.zip') writeFileSync(packed, zipOf(folder));
    if (ending === '.tar.gz')
      expect(spawnSync('tar', ['czf', packed, folder], { cwd: scratch }).status).toBe(0);
    expect(await drop(packed)).toBe('done');
    for (const options of [[], ['--dual']]) {
      if (options.length > 0) await converts(() => page.check('#dual'));
      const { verdict, diff } = commandFor(folder, ...options);
      const [download] = await Promise.all([page.waitForEvent('download'), page.click('#save-patch')]);
      const patch = readFileSync(await download.path(), 'latin1');
      expect(patch).toBe(diff);
      expect((await page.innerText('#verdict')).split('\n')).toEqual(verdict);
    }
    await page.uncheck('#dual');
  },
  240_000,
);

interface Sample {
  readonly name: string;
  readonly isHtaccess: boolean;
  readonly text: string;
}

/**
 * Texts that have little in common: of each of so many rules the longest of its fixtures, every fifth a .htaccess. A clipboard holds no text that is not UTF-8, and no line ends but LF.
 */
function texts(count: number): readonly Sample[] {
  const folder = join(HOME, '__fixtures__/transforms');
  const samples = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('/input.conf') || /\/input\/.*\.htaccess$/.test(name))
    .sort()
    .map((name) => sampleOf(name, readFileSync(join(folder, name))));
  const perRule = (isHtaccess: boolean): readonly Sample[] => {
    const longest = new Map<string, Sample>();
    for (const sample of samples.filter((each) => isPastable(each) && each.isHtaccess === isHtaccess)) {
      const rule = sample.name.split('/')[0]!;
      if (sample.text.length > (longest.get(rule)?.text.length ?? 0)) longest.set(rule, sample);
    }
    return [...longest.values()];
  };
  const fifth = Math.ceil(count / 5);
  return [...evenly(perRule(true), fifth), ...evenly(perRule(false), count - fifth)];
}

function sampleOf(name: string, bytes: Buffer): Sample {
  // What is no UTF-8 is left out below.
  const text = Buffer.from(bytes.toString()).equals(bytes) ? bytes.toString() : '';
  return { name, isHtaccess: name.endsWith('.htaccess'), text };
}

const isPastable = ({ text }: Sample): boolean => text !== '' && !/[\r\0\f\v\ufeff\u2028\u2029]/.test(text);

function evenly<T>(all: readonly T[], count: number): readonly T[] {
  expect(all.length).toBeGreaterThanOrEqual(count);
  return Array.from({ length: count }, (_, i) => all[Math.floor((i * all.length) / count)]!);
}

/** Lines about a text that has no name: the page names its lines alone. */
const inPasted = (lines: readonly string[]): string[] =>
  lines.map((line) =>
    line
      .replace(/(?:alone)?\/?pasted\.conf:(?=[0-9]+(, [0-9])?)/g, (_, more?: string) =>
        more === undefined ? 'line ' : 'lines ',
      )
      .replace(/(?:alone)?\/?(?=\.htaccess:[0-9])/g, ''),
  );

/** What a diff changes, without the names of its file. */
const hunksOf = (diff: string): string => diff.slice(diff.search(/^@@/m));

/** The same wish as the command, the page and the library take it. Fewer let in is what all do by themselves. */
const WISHES: readonly (readonly [number, readonly string[], ConversionOptions])[] = [
  [50, [], {}],
  [25, ['--dual'], { dual: true }],
  [25, ['--exact'], { exact: true }],
  [25, ['--target', '2.4.4'], { target: 4 }],
];

test.each(WISHES)(
  'the page, the command, the editor and the library say the same about %i texts, with %j',
  async (count, options, wishes) => {
    await page.reload();
    await page.waitForSelector('body[data-ready]');
    await page.setChecked('#dual', wishes.dual === true);
    await page.selectOption('#exact', wishes.exact === true ? 'exact' : 'strict');
    await page.selectOption('#target', String(wishes.target ?? NEWEST));
    const samples = texts(share(count, 10));
    for (const { name, isHtaccess, text } of samples) {
      await page.evaluate('delete document.body.dataset.state');
      await page.selectOption('#kind', isHtaccess ? 'htaccess' : 'conf');
      await settled(page);
      const byPage = await convertText(page, text);
      rmSync(join(scratch, 'alone'), { recursive: true, force: true });
      mkdirSync(join(scratch, 'alone'));
      const file = isHtaccess ? '.htaccess' : 'pasted.conf';
      const path = join(scratch, 'alone', file);
      writeFileSync(path, text);
      const said = commandFor(`alone/${file}`, ...options);
      const verdict = inPasted(said.verdict);
      const {
        texts: converted,
        diff,
        findings,
        summary,
      } = convert({ [`/${file}`]: Buffer.from(text).toString('latin1') }, wishes);
      const byCommand = foundBy(...options, `alone/${file}`);
      expect({ name, shown: await shownFor(path, ...options) }).toEqual({ name, shown: asLines(byCommand) });
      const ofCommand = hunksOf(said.diff);
      expect({ name, hunks: hunksOf(Buffer.from(diff, 'latin1').toString()) }).toEqual({
        name,
        hunks: ofCommand,
      });
      const byLibrary = findings.filter(({ status }) => status !== 'ignored');
      const lines = (list: readonly Omit<Found, 'path'>[]): string[] =>
        list.map(({ rule, line }) => `${rule} ${line}`).toSorted();
      const ofLibrary = lines(
        byLibrary.map(({ rule, file, at }) => ({ rule, line: file.document.positionAt(at).line })),
      );
      expect({ name, verdict: byPage.split('\n') }).toEqual({ name, verdict });
      expect({ name, verdict: inPasted([...summary().verdict].reverse()) }).toEqual({ name, verdict });
      expect({ name, findings: ofLibrary }).toEqual({ name, findings: lines(byCommand) });
      const shown = await page.locator('#findings .line').allInnerTexts();
      const expected = byCommand.map(({ line }) => `line ${line}`);
      expect({ name, shown: shown.toSorted() }).toEqual({ name, shown: expected.toSorted() });
      const [download] = await Promise.all([page.waitForEvent('download'), page.click('#save-text')]);
      expect({ name, text: readFileSync(await download.path(), 'latin1') }).toEqual({
        name,
        text: converted.get(`/${file}`),
      });
    }
  },
  600_000,
);

const editorServers = shareOf(Object.keys(STOCK_SERVERS), 8).flatMap((name) =>
  [[], ['--dual']].map((options) => [name, options] as const),
);

test.each(editorServers)(
  '%s in the editor, with %j: it says of each file what the command says',
  async (name, options) => {
    const root = join(scratch, `edited-${name.replace(/\W+/g, '-').toLowerCase()}`);
    const files = Object.entries(STOCK_SERVERS[name]!);
    for (const [path, text] of files) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text, 'latin1');
    }
    const main = files
      .map(([path]) => join(root, path))
      .find((path) => /\/(?:httpd|apache2)\.conf$/.test(path))!;
    const found = asLines(foundBy(...options, relative(scratch, root)));
    expect(found.length).toBeGreaterThan(5);
    expect(await shownFor(main, ...options, root)).toEqual(found);
  },
  240_000,
);

test('a bomb is refused before it fills the memory, and the page goes on', async () => {
  const bomb = join(scratch, 'bomb.tar.gz');
  writeFileSync(bomb, gzipSync(Buffer.alloc(300 * 1024 * 1024)));
  expect(await drop(bomb)).toBe('failed');
  expect(await page.innerText('#verdict')).toContain('larger than 256 MB when it is unpacked');
  await page.click('#back');
  expect(await convertText(page, 'MaxClients 10\n')).toContain('change');
}, 240_000);

test('served by http it works below any path, and again without a network', async () => {
  const types: Readonly<Record<string, string>> = {
    '.html': 'text/html',
    '.js': 'text/javascript',
    '.css': 'text/css',
  };
  const server: Server = createServer((request, response) => {
    const name = (request.url ?? '').replace('/some/path/', '').replace(/[?#].*/, '') || 'index.html';
    try {
      const bytes = readFileSync(join(site, name));
      response.writeHead(200, { 'content-type': types[extname(name)] ?? 'text/plain' }).end(bytes);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/some/path/`;
  const served = await openPage(browser, address);
  try {
    await served.page.evaluate('navigator.serviceWorker.ready.then(() => true)');
    server.close();
    server.closeAllConnections();
    await served.context.setOffline(true);
    await served.page.reload();
    await served.page.waitForSelector('body[data-ready]');
    expect(await convertText(served.page, 'Order allow,deny\nDeny from all\n')).toContain(
      'Nobody new gets in',
    );
    expect(served.complaints).toEqual([]);
  } finally {
    await served.context.close();
    server.close();
  }
}, 120_000);
