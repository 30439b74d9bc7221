import fc from 'fast-check';
import type { DocumentSymbol } from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { convert } from '../../src';
import { memory } from '../../src/config';
import { EditorLines } from '../../src/lsp/positions';
import { pathOfUri, uriOfPath } from '../../src/lsp/uris';
import { startEditor } from '../../testing/lsp/editor';
import { share } from '../../testing/run/size';

const bytesOf = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');

/** What breaks readers: halves of lines, ends of lines, quotes, characters of several bytes and of two units, lone surrogates. */
const piece = fc.oneof(
  fc.constantFrom(
    '<Directory /a>\n',
    '</Directory>\n',
    '<VirtualHost *:80>',
    '</VirtualHost>',
    'Order allow,deny\n',
    'Deny from all\n',
    'Allow from 10.1\n',
    'Require valid-user\n',
    'Satisfy Any\n',
    'MaxClients 5\n',
    'Include *.conf\n',
    'Include httpd.conf\n',
    '<If "',
    '">',
    '\\\n',
    '\r',
    '\r\n',
    '\n',
    '\0',
    '"',
    "'",
    '<',
    '</',
    '>',
    '# httpd-codemod-ignore-file\n',
    '<IfModule mod_x.c>\n',
    '${X}',
    '\t',
    ' ',
    'é',
    '😀',
    '\ud800',
    '\uFEFF',
    '<Files ~ "(((">\n',
    'RewriteRule (a+)+$ -\n',
  ),
  fc.string({ unit: 'binary', maxLength: 6 }),
);
const someText = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));

interface Typed {
  readonly from: number;
  readonly length: number;
  readonly text: string;
}
const typed: fc.Arbitrary<Typed> = fc.record({ from: fc.nat(200), length: fc.nat(30), text: someText });

test('no text and no edit ends the server, and it knows every text as it is', async () => {
  const path = '/etc/httpd/conf.d/a.conf';
  const main = 'ServerRoot /etc/httpd\nListen 80\nInclude conf.d/*.conf\n';
  await fc.assert(
    fc.asyncProperty(someText, fc.array(typed, { maxLength: 6 }), async (text, edits) => {
      const editor = await startEditor(
        memory(new Map(Object.entries({ '/etc/httpd/httpd.conf': main, [path]: '' }))),
      );
      editor.open(path, text);
      for (const { from, length, text: newText } of edits) {
        const document = TextDocument.create('', '', 0, editor.text(path));
        const range = { start: document.positionAt(from), end: document.positionAt(from + length) };
        editor.change(path, newText, range);
        // Some wait for the answer, as somebody who thinks; others type on.
        if (from % 3 === 0) await editor.found(path);
      }
      const found = await editor.found(path);
      const now = editor.text(path);
      const { line, character } = TextDocument.create('', '', 0, now).positionAt(now.length);
      const position = { line: Math.floor(line / 2), character };
      await editor.ask('hover', path, { position });
      await editor.ask('completion', path, { position });
      await editor.ask('foldingRange', path);
      await editor.ask<DocumentSymbol[]>('documentSymbol', path);
      await editor.ask('codeLens', path);
      const [first] = await editor.actions(path, position.line);
      // The server has the text that the editor has: the same findings as for it in one piece.
      const { findings } = convert(
        { '/etc/httpd/httpd.conf': main, [path]: bytesOf(now) },
        { paths: ['/etc/httpd'] },
      );
      const shown = findings.filter(({ file, status }) => file.path === path && status !== 'ignored');
      expect(found.map(({ code }) => String(code)).toSorted()).toEqual(
        shown.map(({ rule }) => rule).toSorted(),
      );
      // What the runs before have left to this one changes nothing: an editor that begins with the text is told the same.
      const fresh = await startEditor(
        memory(new Map(Object.entries({ '/etc/httpd/httpd.conf': main, [path]: '' }))),
      );
      fresh.open(path, now);
      expect(found).toEqual(await fresh.found(path));
      expect(await fresh.end()).toBe(0);
      if (first !== undefined) await editor.apply(first);
      expect(await editor.end()).toBe(0);
    }),
    { numRuns: share(200, 8) },
  );
}, 300_000);

test('positions are those of an editor', () => {
  fc.assert(
    fc.property(someText, fc.nat(300), (raw, at) => {
      const text = Buffer.from(raw, 'utf8').toString('utf8');
      const document = TextDocument.create('', '', 0, text);
      const offset = Math.min(at, text.length);
      // Half of a character has no bytes.
      fc.pre(!/[\udc00-\udfff]/.test(text.charAt(offset)));
      const lines = new EditorLines(bytesOf(text));
      expect(lines.positionAt(bytesOf(text.slice(0, offset)).length)).toEqual(document.positionAt(offset));
    }),
  );
});

test('a path is the same after it was a URI', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (name) => {
      const path = `/${bytesOf(name).replaceAll('\0', '')}`;
      expect(pathOfUri(uriOfPath(path))).toBe(path);
    }),
  );
  expect(pathOfUri('file:///c%3A/a%20b%23c/%C3%A9')).toBe('/c:/a b#c/Ã©');
  expect(pathOfUri('untitled:Untitled-1')).toBe('Untitled-1');
  expect(pathOfUri('vscode-vfs://github/a/b.conf')).toBe('b.conf');
});
