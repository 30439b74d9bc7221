import fc from 'fast-check';
import { type Document, type Node, leaves, parse, parseAgain, readWords, walk } from '../../src/syntax';
import { share } from '../../testing/run/size';
import { soon } from '../../testing/run/soon';

const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');

/** Text made of the pieces that matter to the grammar, so that random inputs reach its corners. */
const configLike = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '\n',
        '\r\n',
        '\r',
        '\\\n',
        '\\\\\n',
        '\\\r\n',
        '\\',
        ' ',
        '\t',
        '\v',
        '"',
        "'",
        '#',
        '<',
        '>',
        '</',
        '\0',
        '\xa0',
        '\xEF\xBB\xBF',
        '<Directory /a>\n',
        '</Directory>\n',
        '<IfModule x>',
        '</IfModule>',
        '<Perl>\n',
        '</Perl>',
        '<Macro a>\n',
        '</Macro>\n',
        'Order',
        ' allow,deny',
        'Allow from all',
        '${X}',
        'Require',
      ),
      fc.string({ maxLength: 6 }),
    ),
    { maxLength: 60 },
  )
  .map((pieces) => pieces.join('').replace(/[^\0-\xff]/g, '?'));

function expectTiles(document: Document): void {
  let at = 0;
  for (const leaf of leaves(document)) {
    if (leaf.start !== at || leaf.end <= leaf.start) throw new Error(`gap, overlap or empty leaf at ${at}`);
    at = leaf.end;
  }
  expect(at).toBe(document.text.length);
}

function shape(nodes: readonly Node[]): unknown[] {
  return nodes.map((node) => {
    if (node.kind === 'section')
      return [node.name, node.args.map((a) => a.value), shape(node.body), node.close !== undefined];
    if (node.kind === 'directive') return [node.name, ...node.args.map((a) => a.value)].join('|');
    return node.kind === 'stray' ? `stray:${node.reason}` : node.kind;
  });
}

describe('the tree tiles the text', () => {
  test.each(['2.2', '2.4'] as const)('for any bytes, grammar %s', (grammar) => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => expectTiles(parse(latin1(bytes), grammar))),
      { numRuns: share(5000) },
    );
    fc.assert(
      fc.property(configLike, (text) => expectTiles(parse(text, grammar))),
      { numRuns: share(5000) },
    );
  });

  test('arguments are the words behind the name', () => {
    fc.assert(
      fc.property(configLike, (text) => {
        for (const [node] of walk(parse(text).body))
          if (node.kind === 'directive')
            expect(node.args.map(({ value }) => value)).toEqual(
              readWords(node.logical.text)
                .slice(1)
                .map(({ value }) => value),
            );
      }),
      { numRuns: share(5000) },
    );
    const [directive] = parse('"ab " "c d"').body;
    expect(directive).toMatchObject({ name: 'ab ', args: [{ value: 'c d' }] });
  });

  test('a line ends with its last word, and has no cut behind it', () => {
    const lines = ['Deny from all', 'Deny \\\n from all', 'Deny\\\n from\\\n all'];
    for (const line of lines)
      for (const end of ['', ' ', ' \\\n', ' \\\n \\\n\t', '\\\n  \\\r\n  ']) {
        const [node] = parse(` \\\n ${line}${end}\nX\n`).body;
        expect(node).toMatchObject({ name: 'Deny', args: [{ value: 'from' }, { value: 'all' }] });
        if (node?.kind !== 'directive') continue;
        const { from, to, rest } = node;
        expect([parse(` \\\n ${line}${end}\nX\n`).text.slice(from, to), rest]).toEqual([line, 'from all']);
      }
  });

  test('arguments lie inside their line and in order', () => {
    fc.assert(
      fc.property(configLike, (text) => {
        for (const [node] of walk(parse(text).body)) {
          if (node.kind !== 'directive') continue;
          let at = node.start;
          for (const arg of node.args) {
            expect(arg.start).toBeGreaterThanOrEqual(at);
            at = arg.end;
          }
          expect(at).toBeLessThanOrEqual(node.end);
        }
      }),
      { numRuns: share(3000) },
    );
  });

  test('twenty thousand nested openers and one line of a megabyte', () => {
    expectTiles(parse('<a>\n'.repeat(20_000)));
    expectTiles(parse(`Deny from ${'10.0.0.1 '.repeat(120_000)}`));
    expectTiles(parse('a\\\n'.repeat(50_000)));
  });

  test('a closing tag of what is nested too deeply closes no section around it', async () => {
    const { body, flaws } = parse(`${'<a>\n'.repeat(300)}${'</a>\n'.repeat(299)}b\n</a>\nc\n`);
    const [outer, last, ...none] = body;
    expect([flaws, none]).toEqual([200, []]);
    expect(last).toMatchObject({ kind: 'directive', name: 'c' });
    expect(outer).toMatchObject({
      kind: 'section',
      body: [{ kind: 'section' }, { kind: 'directive', name: 'b' }],
    });
    const unlike = parse(`${'<a>\n'.repeat(200)}<b>\n<c>\n<b>\n</c>\n</b>\n</b>\n${'</a>\n'.repeat(200)}`);
    expect([unlike.body.length, unlike.flaws]).toEqual([1, 6]);
    await soon(() =>
      parse(`${'<a>\n'.repeat(50_000)}${'<b>\n'.repeat(50_000)}${'</c>\n</a>\n'.repeat(50_000)}`),
    );
  });
});

describe('logical lines', () => {
  test.each<[string, string, unknown[]]>([
    ['continuation joins without a blank', 'Server\\\nAdmin a\n', ['ServerAdmin|a']],
    ['continuation before CRLF', 'ServerAdmin \\\r\n a\r\n', ['ServerAdmin|a']],
    ['backslash and blank is no continuation', 'ServerAdmin a\\ \nb\n', ['ServerAdmin|a\\', 'b']],
    ['a comment continues', '# a \\\nAllow from all\nb\n', ['comment', 'b']],
    ['text ends at NUL', 'ServerAdmin a\0b c\nd\n', ['ServerAdmin|a', 'd']],
    ['a BOM is not part of the first name', '\xEF\xBB\xBFServerAdmin a', ['ServerAdmin|a']],
    ['NBSP is no blank', 'ServerAdmin\xa0a', ['ServerAdmin\xa0a']],
    ['a backslash at the end of the file is literal', 'ServerAdmin a\\', ['ServerAdmin|a\\']],
  ])('%s', (_, text, expected) => expect(shape(parse(text).body)).toEqual(expected));

  test('two backslashes at the end: 2.2 keeps the line, 2.4 joins', () => {
    expect(shape(parse('A b\\\\\nC d\n', '2.2').body)).toEqual(['A|b\\', 'C|d']);
    expect(shape(parse('A b\\\\\nC d\n', '2.4').body)).toEqual(['A|b\\C|d']);
    expect(shape(parse('# b\\\\\nC d\n', '2.2').body)).toEqual(['comment', 'C|d']);
    expect(shape(parse('# b\\\\\nC d\n', '2.4').body)).toEqual(['comment']);
  });

  test.each<[string, string, string[], string[]]>([
    ['one', 'A b\\\\\n\nC d\n', ['A|b\\', 'C|d'], ['A|bC|d']],
    ['one, with CRLF', 'A b\\\\\r\n\r\nC d\r\n', ['A|b\\', 'C|d'], ['A|bC|d']],
    ['two', 'A b\\\\\n\n\nC d\n', ['A|b\\', 'C|d'], ['A|b', 'C|d']],
    ['two after three backslashes', 'A b\\\\\\\n\n\nC d\n', ['A|b\\', 'C|d'], ['A|bC|d']],
    ['one, and a line that is a backslash', 'A b\\\\\n\\\n\nC d\n', ['A|b\\', 'C|d'], ['A|bC|d']],
    ['one with a blank', 'A b\\\\\n \nC d\n', ['A|b\\', 'C|d'], ['A|b\\', 'C|d']],
    ['one after a single backslash', 'A b\\\n\nC d\n', ['A|b', 'C|d'], ['A|b', 'C|d']],
    ['one at the end of the file', 'A b\\\\\n\n', ['A|b\\'], ['A|b']],
  ])('empty lines below backslashes, from each of which 2.4 takes one: %s', (_, text, in22, in24) => {
    const read = (version: '2.2' | '2.4'): unknown[] =>
      shape(parse(text, version).body).filter((node) => node !== 'blank');
    expect(read('2.2')).toEqual(in22);
    expect(read('2.4')).toEqual(in24);
    expectTiles(parse(text, '2.4'));
  });

  test('a continuation into the end of the file: 2.2 forgets the line, 2.4 reads it', () => {
    expect(shape(parse('A b\\\n', '2.2').body)).toEqual(['stray:forgotten']);
    expect(shape(parse('A b\\\n', '2.4').body)).toEqual(['A|b']);
  });
});

describe('words', () => {
  test.each<[string, string[]]>([
    ['a b\tc', ['a', 'b', 'c']],
    ['"a b" c', ['a b', 'c']],
    ['"a"b', ['a', 'b']],
    ['a"b c"', ['a"b', 'c"']],
    ['"a\\"b" \'c\\\'d\'', ['a"b', "c'd"]],
    ['a\\\\b a\\b', ['a\\b', 'a\\b']],
    ['"a\\b"', ['a\\b']],
    ['"open end', ['open end']],
    ['""', ['']],
  ])('%s', (text, expected) => {
    const [node] = parse(`X ${text}`).body;
    expect(node?.kind === 'directive' && node.args.map((a) => a.value)).toEqual(expected);
  });
});

describe('sections', () => {
  test.each<[string, string, unknown[]]>([
    ['names match in any case', '<directory /a>\nX\n</DIRECTORY>\n', [['directory', ['/a'], ['X'], true]]],
    ['text after > is dropped', '<Directory /a> # x\n</Directory> # y\n', [['Directory', ['/a'], [], true]]],
    ['> inside the argument', '<LocationMatch "a>b">\n</LocationMatch>', [['LocationMatch', ['a>b'], [], true]]],
    ['no > at all', '<Directory /a\n</Directory>', [['Directory', ['/a'], [], true]]],
    ['no argument', '<RequireAll>\n</RequireAll>', [['RequireAll', [], [], true]]],
    ['a closer must hold its >', '<A x>\n</A >\n</A>', [['A', ['x'], ['stray:missing-gt'], true]]],
    ['a closer without opener', '</A>\nX\n', ['stray:unmatched-close', 'X']],
    ['unclosed at the end', '<A x>\nX\n', [['A', ['x'], ['X'], false]]],
    ['unclosed inside', '<A x>\n<B y>\n</A>\n', [['A', ['x'], [['B', ['y'], [], false]], true]]],
    ['a blank after <', '< Directory /x>\n', ['stray:no-name']],
    ['Perl is opaque', '<Perl>\n<foo>\n</bar>\n</Perl>\nX', [['Perl', [], ['raw'], true], 'X']],
    ['macros nest', '<Macro a $b>\n<Macro c>\n</Macro>\n</Directory>\n</Macro>\nX', [['Macro', ['a', '$b'], ['raw'], true], 'X']],
    ['the name may end in >', 'ServerAdmin> a', ['ServerAdmin|a']],
    ['the name may be quoted', '"ServerAdmin" a', ['ServerAdmin|a']],
  ])('%s', (_, text, expected) => expect(shape(parse(text).body)).toEqual(expected)); // prettier-ignore
});

test('flaws and the longest line are counted while parsing', () => {
  fc.assert(
    fc.property(configLike, fc.constantFrom('2.2', '2.4'), (text, grammar) => {
      const { body, flaws, longest } = parse(text, grammar);
      let [count, length] = [0, 0];
      for (const [node] of walk(body)) {
        if (node.kind === 'stray') count++;
        if (node.kind === 'section') count += Number(node.close === undefined) + Number(!node.open.complete);
        for (const line of node.kind === 'section' ? [node.open] : node.kind === 'raw' ? [] : [node])
          length = Math.max(length, line.end - line.start);
      }
      expect(flaws).toBe(count);
      expect(longest).toBeGreaterThanOrEqual(length);
    }),
    { numRuns: share(3000) },
  );
});

test('the document of a file with the same text says the same, with nodes of its own', () => {
  fc.assert(
    fc.property(configLike, fc.constantFrom('2.2', '2.4'), (text, grammar) => {
      const document = parse(text, grammar);
      const again = parseAgain(document);
      expect(again).toMatchObject({ text, grammar, bom: document.bom, eol: document.eol });
      expect([again.flaws, again.longest]).toEqual([document.flaws, document.longest]);
      expect(again.body).toEqual(document.body);
      expect(again.body).toBe(again.body);
      for (const [i, node] of again.body.entries()) expect(node).not.toBe(document.body[i]);
    }),
    { numRuns: share(1000) },
  );
});

test('positions count lines and byte columns from 1', () => {
  const document = parse('a\r\nbc\n');
  expect(document.positionAt(0)).toEqual({ line: 1, column: 1 });
  expect(document.positionAt(4)).toEqual({ line: 2, column: 2 });
  expect(document.positionAt(6)).toEqual({ line: 3, column: 1 });
});
