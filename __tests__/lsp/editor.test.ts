import { readdirSync } from 'node:fs';
import type {
  CodeLens,
  CompletionItem,
  DocumentSymbol,
  FoldingRange,
  Hover,
} from 'vscode-languageserver/node';
import { convert } from '../../src';
import { memory } from '../../src/config';
import { decode, encode, oneLine } from '../../src/report';
import { argumentsFor } from '../../testing/fixtures/arguments';
import { casesOf, HOME, readCase, ROOT } from '../../testing/fixtures/case';
import { startEditor } from '../../testing/lsp/editor';
import { command } from '../../testing/run/command';
import { shareOf } from '../../testing/run/size';

const bytesOf = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');
const textOf = (bytes: string): string => Buffer.from(bytes, 'latin1').toString('utf8');

const SERVER = {
  '/etc/httpd/conf/httpd.conf': 'ServerRoot /etc/httpd\nListen 80\nDocumentRoot /srv/www\nInclude conf.d/*.conf\n',
  '/etc/httpd/conf.d/a.conf': 'MaxClients 150\n<Directory /srv/www>\n  AllowOverride All\n</Directory>\n',
  '/etc/httpd/conf.d/b.conf': '<Location /b>\n  Order deny,allow\n  Deny from all\n  Allow from 10.0.0.0/8\n</Location>\n',
  '/srv/www/.htaccess': 'Order allow,deny\nAllow from all\n',
}; // prettier-ignore

interface SaidByCommand {
  readonly rule: string;
  readonly path: string;
  readonly line: number;
  readonly level: string;
  readonly status: string;
  readonly message: string;
  readonly why?: string;
  readonly remedy?: string;
  readonly accepted?: string;
}

const LEVELS = ['', 'error', 'warning', 'info'];

/** A finding as an editor shows it: path, line, level, rule, text. */
function shownText(path: string, finding: Omit<SaidByCommand, 'path'>): string {
  const { line, level, rule, message, status, why, remedy = '' } = finding;
  const left =
    status !== 'not-applied' ? '' : why === undefined ? ' (not applied)' : ` (not applied: ${why})`;
  const text = [message + left, ...(remedy === '' ? [] : [remedy])].map((part) =>
    decode(oneLine(encode(part))),
  );
  return `${path}:${line}: ${level} ${rule} ${text.join('\n')}`;
}

describe('editor, command and library say the same', () => {
  const cases = readdirSync(HOME).flatMap((rule) => casesOf(rule).map((name) => ({ rule, name })));

  test.each(shareOf(cases, 20))('$rule/$name', async ({ rule, name }) => {
    const { input, options } = readCase(rule, name);
    const files = new Map(Object.entries(input));
    const isSingle = `${ROOT}/input.conf` in input;
    const paths = isSingle ? Object.keys(input) : [ROOT];
    const source = memory(files);
    const argv = [...argumentsFor(options), ...paths];
    const { stdout } = await command([...argv, '--format', 'json'], { cwd: ROOT }, { source });
    const { findings } = JSON.parse(textOf(stdout)) as { findings: SaidByCommand[] };
    const said = findings.filter(({ status, accepted }) => status !== 'ignored' && accepted === undefined);
    const { findings: byLibrary, texts } = convert(files, { ...options, paths, cwd: ROOT });
    expect(byLibrary).toHaveLength(findings.length);

    const editor = await startEditor(source, argv, ROOT);
    // As the command names them: from the directory of the run.
    const open = said.map(({ path }) => `${ROOT}/${path}`);
    const [asked = [...files.keys()][0]!] = open;
    for (const path of new Set([asked, ...open].filter((each) => files.has(bytesOf(each))))) {
      const text = textOf(files.get(bytesOf(path))!);
      // An editor has no bytes: what is no UTF-8 is another text there.
      if (bytesOf(text) !== files.get(bytesOf(path))) return void (await editor.end());
      editor.open(path, text);
    }
    const shown = new Map<string, Awaited<ReturnType<typeof editor.found>>>();
    for (const path of new Set([asked, ...open]))
      shown.set(path, files.has(bytesOf(path)) ? await editor.found(path) : editor.shown(path));
    const lines = [...shown].flatMap(([path, diagnostics]) =>
      diagnostics.map(
        ({ range, severity = 0, code, message }) =>
          `${path}:${range.start.line + 1}: ${LEVELS[severity]} ${code} ${message as string}`,
      ),
    );
    // A finding that names its place says it from the directory of the file.
    const bare = (text: string): string => text.replaceAll(`${ROOT}/`, '');
    expect(lines.map(bare).toSorted()).toEqual(
      said.map((finding) => bare(shownText(`${ROOT}/${finding.path}`, finding))).toSorted(),
    );

    if (isSingle && shown.get(asked)?.length !== 0) {
      const fix = (await editor.actions(asked, 0, { diagnostics: [], only: ['source.fixAll'] }))[0];
      if (fix !== undefined) {
        await editor.apply(fix);
        expect(bytesOf(editor.text(asked))).toBe(texts.get(bytesOf(asked)));
      }
    }
    expect(await editor.end()).toBe(0);
  });
});

describe('the server of a file', () => {
  const start = (files: Readonly<Record<string, string>> = SERVER, argv: readonly string[] = []) =>
    startEditor(memory(new Map(Object.entries(files))), argv);
  const rules = (found: readonly { code?: number | string | undefined }[]): unknown[] =>
    found.map(({ code }) => code);

  test('is found above it, read as a whole, and checked with unsaved texts', async () => {
    const editor = await start();
    editor.open('/etc/httpd/conf.d/b.conf', SERVER['/etc/httpd/conf.d/b.conf']);
    expect(rules(await editor.found('/etc/httpd/conf.d/b.conf'))).toContain('order-allow-deny');
    // Files that are not open are shown, too.
    expect(rules(editor.shown('/etc/httpd/conf.d/a.conf'))).toContain('max-clients');
    expect(rules(editor.shown('/srv/www/.htaccess'))).toContain('order-allow-deny');
    editor.open('/etc/httpd/conf.d/a.conf', 'MaxRequestWorkers 150\n');
    expect(rules(await editor.found('/etc/httpd/conf.d/a.conf'))).not.toContain('max-clients');
    // What an unsaved text no longer includes is not shown.
    editor.open('/etc/httpd/conf/httpd.conf', 'ServerRoot /etc/httpd\nListen 80\nDocumentRoot /srv/www\n');
    await editor.found('/etc/httpd/conf/httpd.conf');
    await editor.end();
  });

  test('is that of a .htaccess which it serves', async () => {
    const editor = await start();
    editor.open('/srv/www/.htaccess', 'Order deny,allow\nDeny from all\n');
    expect(rules(await editor.found('/srv/www/.htaccess'))).toEqual(['order-allow-deny']);
    expect(rules(editor.shown('/etc/httpd/conf.d/a.conf'))).toContain('max-clients');
    await editor.end();
  });

  test('is the file alone, where no server reads it', async () => {
    const editor = await start({ ...SERVER, '/home/me/part.conf': '' });
    editor.open('/home/me/part.conf', 'MaxClients 5\n');
    expect(rules(await editor.found('/home/me/part.conf'))).toEqual(['max-clients']);
    expect(editor.shown('/etc/httpd/conf.d/a.conf')).toEqual([]);
    await editor.end();
  });

  test('is as a project file says, whose decisions count', async () => {
    const project = { paths: ['part.conf'], skip: ['max-clients'] };
    const editor = await start({
      '/home/me/part.conf': '',
      '/home/me/httpd-codemod.config.json': JSON.stringify(project),
    });
    editor.open('/home/me/part.conf', 'MaxClients 5\nLockFile a\n');
    expect(rules(await editor.found('/home/me/part.conf'))).not.toContain('max-clients');
    await editor.end();
  });

  test('may be a text that is in no file, or in none yet', async () => {
    const editor = await start();
    const uri = 'untitled:Untitled-1';
    editor.open('', 'MaxClients 5\n', uri);
    expect(rules(await editor.found('', uri))).toEqual(['max-clients']);
    editor.open('/etc/httpd/conf.d/new.conf', 'MaxClients 6\n');
    expect(rules(await editor.found('/etc/httpd/conf.d/new.conf'))).toContain('max-clients');
    expect(rules(editor.shown('/etc/httpd/conf.d/a.conf'))).toContain('max-clients');
    await editor.end();
  });

  test('is not shown any more once none of its texts is open', async () => {
    const editor = await start();
    editor.open('/etc/httpd/conf.d/b.conf', SERVER['/etc/httpd/conf.d/b.conf']);
    await editor.found('/etc/httpd/conf.d/b.conf');
    expect(editor.shown('/etc/httpd/conf.d/a.conf')).not.toEqual([]);
    editor.close('/etc/httpd/conf.d/b.conf');
    await editor.ask('documentSymbol', '/etc/httpd/conf.d/b.conf');
    expect(editor.shown('/etc/httpd/conf.d/a.conf')).toEqual([]);
    await editor.end();
  });

  test('that cannot be read is said, and the server lives on', async () => {
    const editor = await start({ '/a/x.conf': '', '/a/httpd-codemod.config.json': '{ "nonsense": 1 }' });
    editor.open('/a/x.conf', 'MaxClients 5\n');
    expect(await editor.found('/a/x.conf')).toEqual([]);
    expect(editor.messages.join('\n')).toContain("unknown key 'nonsense'");
    expect(await editor.ask('hover', '/a/x.conf', { position: { line: 0, character: 0 } })).toBeNull();
    await editor.end();
  });
});

describe('an open file', () => {
  const PATH = '/etc/httpd/conf.d/b.conf';
  const TEXT = `# é
<VirtualHost *:80>
  ServerName www.example.org
  <Location /b>
    Order deny,allow
    Deny from all
    Allow from 10.0.0.0/8
  </Location>
  <Location /c>
    Order deny,allow
    Deny from all
  </Location>
</VirtualHost>
# a
# b
MaxClients 5
`;
  const opened = async (text = TEXT, path = PATH) => {
    const editor = await startEditor(memory(new Map(Object.entries(SERVER))));
    editor.open(path, text);
    await editor.found(path);
    return editor;
  };

  test('a fix converts this section alone', async () => {
    const text =
      '<Location /b>\n  Order deny,allow\n  Deny from all\n</Location>\n<Location /c>\n  Deny from all\n</Location>\n';
    const path = '/home/me/a.conf';
    const editor = await startEditor(memory(new Map([[path, text]])));
    editor.open(path, text);
    const [section, file] = await editor.actions(path, 2);
    expect([section!.title, file!.title]).toEqual([
      'Convert this: order-allow-deny',
      'Convert this file (2 findings)',
    ]);
    await editor.apply(section!);
    expect(editor.text(path)).toBe(
      text.replace('  Order deny,allow\n  Deny from all\n', '  Require all denied\n'),
    );
    await editor.end();
  });

  test('a fix converts what one request can meet together, as the rule demands', async () => {
    const editor = await opened();
    const actions = await editor.actions(PATH, 5);
    expect(actions.map(({ title }) => title)).toEqual([
      'Convert this: order-allow-deny, in 2 files',
      'Convert this file (3 findings)',
      'Convert order-allow-deny everywhere (3 findings in 2 files)',
    ]);
    await editor.apply(actions[0]!);
    expect(editor.text(PATH).match(/Require .*/g)).toEqual(['Require ip 10.0.0.0/8', 'Require all denied']);
    await editor.end();
  });

  test('a fix converts a rule everywhere, in files that are not open, too', async () => {
    const editor = await opened();
    const [, , everywhere] = await editor.actions(PATH, 5);
    expect(await editor.apply(everywhere!)).toEqual([editor.uriOf('/srv/www/.htaccess')]);
    expect(editor.text(PATH)).toContain('    Require all denied\n');
    expect(editor.text(PATH)).toContain('MaxClients 5\n');
    await editor.end();
  });

  test('a fix carries the findings that it settles, and is of the kind that was asked for', async () => {
    const editor = await opened();
    const found = await editor.found(PATH);
    const [first] = await editor.actions(PATH, 4, { diagnostics: found, only: ['quickfix'] });
    expect(first!.diagnostics?.map(({ code }) => code)).toContain('order-allow-deny');
    expect(await editor.actions(PATH, 4, { diagnostics: [], only: ['refactor'] })).toEqual([]);
    expect(await editor.actions(PATH, 2)).toEqual([]);
    await editor.end();
  });

  test('an editor without resolving gets the edits at once', async () => {
    const editor = await opened();
    await editor.begin({});
    const [first] = await editor.actions(PATH, 15);
    expect(Object.values(first!.edit!.changes!)[0]![0]!.newText).toContain('MaxRequestWorkers');
    await editor.end();
  });

  test('hover says the rule, and who gets in under both versions', async () => {
    const editor = await opened();
    const at = (line: number): Promise<Hover | null> =>
      editor.ask('hover', PATH, { position: { line, character: 6 } });
    const value = ((await at(4))!.contents as { value: string }).value;
    expect(value).toContain('`order-allow-deny`:');
    expect(value).toContain('| 10.0.0.0/8 | yes |');
    expect(value).toContain('Both versions answer the same.');
    expect(((await at(2))!.contents as { value: string }).value).toBe('`ServerName`: 2.2: core; 2.4: core');
    expect(await at(0)).toBeNull();
    await editor.end();
  });

  test('a lens at each section says who can get there, and a request is explained', async () => {
    const editor = await opened();
    const lenses = await editor.ask<CodeLens[]>('codeLens', PATH);
    expect(lenses.map(({ range }) => range.start.line)).toEqual([3, 8]);
    const { command: lens } = await editor.connection.sendRequest<CodeLens>('codeLens/resolve', lenses[0]);
    expect(lens?.title).toBe('Who gets in? Both versions answer the same.');
    const execute = (name: string, ...args: unknown[]): Promise<string | null> =>
      editor.connection.sendRequest('workspace/executeCommand', { command: name, arguments: args });
    expect(await execute(lens!.command, ...lens!.arguments!)).toContain('10.0.0.0/8: no password: yes');
    expect(editor.messages.at(-1)).toContain('Both versions answer the same.');
    const url = 'http://www.example.org/b from=192.0.2.7';
    expect(await execute('httpd-codemod.explain', editor.uriOf(PATH), url)).toContain('2.2 refuses it (403)');
    expect(await execute('httpd-codemod.explain', editor.uriOf(PATH), 'nonsense')).toBeNull();
    expect(await execute('httpd-codemod.explain')).toBeNull();
    await editor.end();
  });

  test('symbols and folds are its sections', async () => {
    const editor = await opened();
    const [host] = await editor.ask<DocumentSymbol[]>('documentSymbol', PATH);
    expect([host!.name, host!.detail, host!.children!.map(({ name }) => name)]).toEqual([
      'VirtualHost *:80',
      'www.example.org',
      ['Location /b', 'Location /c'],
    ]);
    const folds = await editor.ask<FoldingRange[]>('foldingRange', PATH);
    expect(folds.map(({ startLine, endLine, kind }) => [startLine, endLine, kind])).toEqual([
      [1, 11, undefined],
      [3, 6, undefined],
      [8, 10, undefined],
      [13, 14, 'comment'],
    ]);
    await editor.end();
  });

  test.each<[string, string, string[], string[]]>([
    ['at server level', 'T|\n', ['TransferLog', '<VirtualHost>', 'MaxRequestWorkers'], ['Require', 'MaxClients', 'Order']],
    ['in a directory', '<Directory /a>\nR|\n</Directory>\n', ['Require', '<RequireAny>', 'Options'], ['Listen', '<VirtualHost>', 'Satisfy']],
    ['in a virtual host', '<VirtualHost *:80>\n\tD|\n</VirtualHost>\n', ['DocumentRoot', '<Directory>'], ['Listen', 'MaxRequestWorkers']],
    ['behind <', '<Directory /a>\n<|\n</Directory>\n', ['<IfModule>', '<RequireAll>'], ['Require', '<VirtualHost>']],
    ['behind </', '<Directory /a>\n</|\n</Directory>\n', ['/Directory>'], ['Require', '<IfModule>']],
    ['behind a name', 'Options |\n', [], ['Options', 'Require']],
  ])('completion %s', async (_, marked, offered, refused) => {
    const editor = await opened(marked.replace('|', ''));
    const before = marked.slice(0, marked.indexOf('|')).split('\n');
    const position = { line: before.length - 1, character: before.at(-1)!.length };
    const items = await editor.ask<CompletionItem[]>('completion', PATH, { position });
    const labels = items.map(({ label }) => label);
    expect(labels).toEqual(expect.arrayContaining(offered));
    expect(labels.filter((label) => refused.includes(label))).toEqual([]);
    await editor.end();
  }); // prettier-ignore

  test('completion in a .htaccess has what one may say', async () => {
    const editor = await opened('R\n', '/srv/www/.htaccess');
    const items = await editor.ask<CompletionItem[]>('completion', '/srv/www/.htaccess', {
      position: { line: 0, character: 1 },
    });
    const labels = items.map(({ label }) => label);
    expect(labels).toEqual(expect.arrayContaining(['Require', 'RewriteRule', '<Files>']));
    expect(labels).not.toContain('<Directory>');
    await editor.end();
  });

  test('places count UTF-16 units, and lines end at a lone CR, too', async () => {
    const text = '# 😀é\r# b\rRedirect /a /b # 😀\r\n  MaxClients 5 \n';
    const editor = await opened(text);
    const found = await editor.found(PATH);
    expect(found.find(({ code }) => code === 'max-clients')?.range).toEqual({
      start: { line: 3, character: 2 },
      end: { line: 3, character: 14 },
    });
    await editor.end();
  });
});
