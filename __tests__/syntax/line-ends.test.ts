import fc from 'fast-check';
import { share } from '../../testing/run/size';
import { type RereadableTree, loadRereadable, memory } from '../../src/config';
import { applyEdits } from '../../src/edit';
import { type Finding, run } from '../../src/engine';
import { type Document, type Node, parse } from '../../src/syntax';
import backslashLineEnd from '../../transforms/syntax/backslash-line-end';

const read = (text: string): RereadableTree =>
  loadRereadable(memory(new Map([['/a.conf', text]])), ['/a.conf'], {
    cwd: '/',
    defines: new Map(),
    env: new Map(),
  });

function rewrite(text: string): { output: string; findings: readonly Finding[] } {
  const { outcomes } = run(read(text), [backslashLineEnd]);
  const findings = outcomes.filter(({ rule }) => rule === 'backslash-line-end');
  return {
    output: applyEdits(
      text,
      findings.flatMap((finding) => [...finding.edits]),
    ),
    findings,
  };
}

/** What a server makes of a file: no comments, no blank lines, not what it forgets. */
function meaning(document: Document): unknown[] {
  const body = (nodes: readonly Node[]): unknown[] =>
    nodes.flatMap((node): unknown[] => {
      switch (node.kind) {
        case 'directive':
          return [[node.key, ...node.args.map((arg) => arg.value)]];
        case 'section':
          return [[`<${node.key}`, node.open.rest, body(node.body), node.close !== undefined]];
        case 'stray':
          return node.reason === 'forgotten' ? [] : [node.reason];
        default:
          return [];
      }
    });
  return body(document.body);
}

const pieces = [
  '\\\\\n', '\\\n', '\\\\\\\n', '\\\\\r\n', '\\\r\n', '\\', '\n', '\r\n', ' ', '#', '# c', '"', "'", '${X}', '\0', '\t',
  'ServerAdmin', ' a', 'RewriteRule', ' C:\\', 'Other', '<Directory /x>', '</Directory>', '<IfModule a.c>', '</IfModule>', '>',
]; // prettier-ignore
const texts = fc
  .array(fc.constantFrom(...pieces), { maxLength: 24 })
  .map((parts) => `ServerAdmin a\n${parts.join('')}`);

test('2.4 reads the result as 2.2 read the input', () => {
  let reported = 0;
  fc.assert(
    fc.property(texts, (text) => {
      const { output, findings } = rewrite(text);
      if (findings.some(({ safety }) => safety === 'manual')) return;
      // A closing line that 2.2 refuses stops it there.
      if (/unmatched-close|missing-gt/.test(JSON.stringify(meaning(parse(text, '2.2'))))) return;
      reported += findings.length;
      expect(meaning(parse(output, '2.4'))).toEqual(meaning(parse(text, '2.2')));
      expect(rewrite(output).findings).toEqual([]);
    }),
    { numRuns: share(20_000, 20) },
  );
  expect(reported).toBeGreaterThan(share(1000, 30));
});

test.each([
  ['blank after a comment', '# dir C:\\\\\nDeny from all\n', '# dir C:\\\\ \nDeny from all\n'],
  ['CRLF', '# dir C:\\\\\r\nDeny from all\r\n', '# dir C:\\\\ \r\nDeny from all\r\n'],
  ['a comment over two lines', '# a \\\n b\\\\\nDeny from all\n', '# a \\\n b\\\\ \nDeny from all\n'],
  ['quotes', 'DocumentRoot C:\\www\\\\\nDeny from all\n', 'DocumentRoot "C:\\www\\\\"\nDeny from all\n'],
  ['three backslashes', 'DocumentRoot C:\\www\\\\\\\nX\n', 'DocumentRoot "C:\\www\\\\"\nX\n'],
  ['a variable', 'DocumentRoot ${X}\\\\\nX\n', 'DocumentRoot ${X}\\ \nX\n'],
  ['its own words', 'RewriteRule ^a b\\\\\nX\n', 'RewriteRule ^a b\\ \nX\n'],
  ['an open quote', 'DocumentRoot "C:\\www\\\\\nX\n', 'DocumentRoot "C:\\www\\ \nX\n'],
  ['a forgotten line', 'Deny from all\nAllow from all \\\n', 'Deny from all\n'],
  ['forgotten lines', 'Deny from all\r\nAllow from \\\r\n all \\\r\n', 'Deny from all\r\n'],
])('rewrites %s', (_, input, output) => {
  expect(rewrite(input).output).toBe(output);
});

test.each([
  ['one backslash', '# a \\\n b\nDeny from \\\n all\n'],
  ['a blank behind', '# a \\\\ \nDeny from all\n'],
  ['the end of the file', 'Deny from all\n# a \\\\\n'],
  ['no line end', 'Deny from all\n# a \\\\'],
  ['a forgotten comment', 'Deny from all\n# a \\\n'],
  ['a forgotten blank line', 'Deny from all\n  \\\n'],
  ['after a NUL', '# a\0 \\\\\nDeny from all\n'],
  ['in the middle', 'DocumentRoot C:\\\\www\nAlias /a "C:\\\\b\\\\"\n'],
])('leaves alone: %s', (_, input) => {
  expect(rewrite(input)).toEqual({ output: input, findings: [] });
});

test.each([
  ['a line', '\n', 'error'],
  ['an empty line and a line', '\n\n', 'error'],
  ['an empty line and a line, with CRLF', '\r\n\r\n', 'error'],
  ['two empty lines', '\n\n\n', 'info'],
  ['a line with a blank', '\n \n', 'info'],
])('says what 2.4 joins with two backslashes: %s', (_, between, level) => {
  expect(rewrite(`# a\\\\${between}Deny from all\n`).findings.map((finding) => finding.level)).toEqual([
    level,
  ]);
});
