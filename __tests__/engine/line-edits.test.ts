import fc from 'fast-check';
import {
  type Edit,
  applyEdits,
  dropLineEnd,
  insertAfter,
  insertAt,
  keepLineEnd,
  removeLine,
  replaceLine,
} from '../../src/edit';
import { type Directive, type Section, parse } from '../../src/syntax';

/** A line, and what is done to it. */
const line = fc.record({
  indent: fc.constantFrom('', '  ', '\t'),
  eol: fc.constantFrom('\n', '\r\n'),
  change: fc.constantFrom('keep', 'remove', 'replace', 'add'),
  count: fc.integer({ min: 1, max: 3 }),
});

test('lines that are removed, replaced and added leave those that a list of lines would have', () => {
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 7 }), fc.boolean(), (lines, isEnded) => {
      const written = lines.map(({ indent, eol }, i) => `${indent}L${i} x${eol}`).join('');
      const text = isEnded ? written : written.replace(/\r?\n$/, '');
      const document = parse(text);
      const edits: Edit[] = [];
      const expected: string[] = [];
      for (const [i, { indent, eol, change, count }] of lines.entries()) {
        const node = document.body[i] as Directive;
        const ending = isEnded || i < lines.length - 1 ? eol : document.eol;
        const others = Array.from({ length: count }, (_, n) => `N${i}.${n}`);
        if (change === 'remove') edits.push(removeLine(document, node));
        else if (change === 'replace') edits.push(replaceLine(document, node, others));
        else expected.push(`${indent}L${i} x${ending}`);
        if (change === 'add') edits.push(insertAfter(document, node, others));
        if (change === 'add' || change === 'replace')
          for (const other of others) expected.push(indent + other + ending);
      }
      const result = applyEdits(
        text,
        dropLineEnd(
          text,
          edits.map((edit) => keepLineEnd(text, edit)),
        ),
      );
      const whole = expected.join('');
      expect(result).toBe(isEnded ? whole : whole.replace(/\r?\n$/, ''));
    }),
    { numRuns: 1000 },
  );
});

/** At the end of the file where no line is named. */
test.each([
  ['at its end', '', undefined, 'N\n'],
  ['at its end', 'A\n', undefined, 'A\nN\n'],
  ['at its end', 'A\r\nB', undefined, 'A\r\nB\r\nN'],
  ['before', 'A\n  B\n', 1, 'A\n  N\n  B\n'],
  ['before', 'A\n# of B\nB\n', 2, 'A\nN\n# of B\nB\n'],
  ['before', '# of the file\nB\n', 1, '# of the file\nN\nB\n'],
  ['before', '\xEF\xBB\xBF# of the file\nB\n', 1, '\xEF\xBB\xBF# of the file\nN\nB\n'],
  ['after', '  A\n', 0, '  A\n  N\n'],
  ['after', '<S>\nA\n</S>\n', 0, '<S>\nA\n</S>\nN\n'],
  ['after', '<S>\n</S>', 0, '<S>\n</S>\nN'],
  ['inside', '<S>\n</S>\n', 0, '<S>\n    N\n</S>\n'],
  ['inside', '\t<S>\n\t</S>\n', 0, '\t<S>\n\t\tN\n\t</S>\n'],
  ['inside', '<S>\n # B\n  A\n</S>\n', 0, '<S>\n  N\n # B\n  A\n</S>\n'],
  ['inside', '<S>\n <T>\nA\n </T>\n</S>\n', 0, '<S>\n N\n <T>\nA\n </T>\n</S>\n'],
  ['inside', '<S>', 0, '<S>\n    N'],
] as const)('a line %s of %j', (side, text, at, expected) => {
  const document = parse(text);
  const node = at === undefined ? undefined : (document.body[at] as Directive | Section);
  const edit = insertAt(document, { node, side: side === 'at its end' ? 'after' : side }, ['N']);
  expect(applyEdits(text, [edit])).toBe(expected);
});
