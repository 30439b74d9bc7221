import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createProtocolConnection,
  type ProtocolConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver/node';
import { Editor } from '../../testing/lsp/editor';

const COMMAND = join(__dirname, '../../bin/httpd-codemod.js');

let scratch: string;
const started: ChildProcessWithoutNullStreams[] = [];
const connections: ProtocolConnection[] = [];

beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'codemod-lsp-'));
});
afterAll(() => {
  for (const connection of connections) connection.dispose();
  for (const child of started) {
    child.kill('SIGKILL');
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
  }
  rmSync(scratch, { recursive: true, force: true });
});

/** The installed command, as an editor starts it. */
function start(...argv: string[]) {
  const child = spawn(process.execPath, [COMMAND, 'lsp', ...argv], { cwd: scratch });
  started.push(child);
  const seen = { stdout: '', stderr: '' };
  child.stdout.on('data', (piece: Buffer) => (seen.stdout += piece.toString('latin1')));
  child.stderr.on('data', (piece: Buffer) => (seen.stderr += piece.toString('latin1')));
  const status = new Promise<number>((resolve) => child.on('exit', (code) => resolve(code ?? -1)));
  const connection = createProtocolConnection(
    new StreamMessageReader(child.stdout),
    new StreamMessageWriter(child.stdin),
  );
  connections.push(connection);
  return { child, seen, status, editor: new Editor(connection, status) };
}

/** Whether bytes are messages of the protocol and nothing else. */
function isProtocol(bytes: string): boolean {
  let rest = bytes;
  while (rest !== '') {
    const [head, length] = /^Content-Length: (\d+)\r\n\r\n/.exec(rest) ?? [];
    if (head === undefined) return false;
    rest = rest.slice(head.length + Number(length));
  }
  return true;
}

const host = (i: number): string =>
  `<VirtualHost *:80>\n  ServerName h${i}.example.org\n  DocumentRoot /srv/h${i}\n  <Directory /srv/h${i}>\n    Order allow,deny\n    Allow from 10.0.${i}\n  </Directory>\n</VirtualHost>\n`;

test('types into a large file: what is overtaken ends, the last text is what is shown, and nothing is written', async () => {
  const file = join(scratch, 'a/conf.d/hosts.conf');
  mkdirSync(join(scratch, 'a/conf.d'), { recursive: true });
  const text = Array.from({ length: 200 }, (_, i) => host(i)).join('');
  writeFileSync(join(scratch, 'a/httpd.conf'), 'ServerRoot /etc/httpd\nListen 80\nInclude conf.d/*.conf\n');
  writeFileSync(file, text);
  const { editor, seen, status } = start('--server-root', join(scratch, 'a'));
  await editor.begin();
  editor.open(file, text);
  for (const char of 'MaxClients 5\n') {
    const at = { line: 0, character: editor.text(file).indexOf('<') };
    const end = editor.text(file).startsWith('<') ? { line: 0, character: 0 } : at;
    editor.change(file, char, { start: end, end });
    await new Promise((resolve) => setTimeout(resolve, 30));
    // An answer from the text does not wait for the run.
    expect((await editor.ask<unknown[]>('foldingRange', file)).length).toBeGreaterThan(390);
  }
  const found = await editor.found(file);
  expect(editor.text(file).startsWith('MaxClients 5\n<')).toBe(true);
  expect(found.filter(({ code }) => code === 'max-clients')).toHaveLength(1);
  expect(found.filter(({ code }) => code === 'order-allow-deny').length).toBeGreaterThanOrEqual(200);
  const [fix] = await editor.actions(file, 0);
  await editor.apply(fix!);
  expect(editor.text(file).startsWith('MaxRequestWorkers 5\n<')).toBe(true);
  await editor.connection.sendRequest('shutdown');
  await editor.connection.sendNotification('exit');
  expect(await status).toBe(0);
  expect(seen.stderr).toBe('');
  expect(isProtocol(seen.stdout)).toBe(true);
  expect(readFileSync(file, 'utf8')).toBe(text);
  expect(readdirSync(join(scratch, 'a'), { recursive: true, encoding: 'utf8' }).toSorted()).toEqual([
    'conf.d',
    'conf.d/hosts.conf',
    'httpd.conf',
  ]);
});

test('of a large server, what is likely comes out of the thread before what is so', async () => {
  const file = join(scratch, 'large.conf');
  const text = `Listen 80\nLoadModule authz_host_module modules/mod_authz_host.so\n${Array.from({ length: 1_200 }, (_, i) => host(i)).join('')}`;
  writeFileSync(file, text);
  const { editor, status } = start();
  await editor.begin();
  editor.open(file, text);
  while (editor.told.length < 2) await new Promise((resolve) => setTimeout(resolve, 20));
  const [likely, so] = editor.told.map(({ diagnostics }) => diagnostics.length);
  expect(likely).toBeGreaterThan(1_000);
  expect(so).toBeGreaterThan(likely!);
  await editor.connection.sendRequest('shutdown');
  await editor.connection.sendNotification('exit');
  expect(await status).toBe(0);
});

test('an editor that goes away without a goodbye ends it', async () => {
  const { child, editor, status } = start();
  await editor.begin();
  child.stdin.end();
  expect(await status).toBe(1);
});

test('takes the options of a run, and refuses those that mean nothing to an editor', async () => {
  const refused = start('--write');
  expect(await refused.status).toBe(2);
  expect(refused.seen.stderr).toContain('lsp takes no --write');
  const { editor, status } = start('--stdio', '--skip', 'max-clients');
  await editor.begin();
  const file = join(scratch, 'part.conf');
  editor.open(file, 'MaxClients 5\nLockFile a\n');
  expect((await editor.found(file)).map(({ code }) => code)).not.toContain('max-clients');
  await editor.connection.sendRequest('shutdown');
  await editor.connection.sendNotification('exit');
  expect(await status).toBe(0);
});
