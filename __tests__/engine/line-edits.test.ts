import fc from 'fast-check';
import {
  type Edit,
  applyEdits,
  dropLineEnd,
  insertAfter,
  keepLineEnd,
  removeLine,
  replaceLine,
} from '../../src/edit';
import { type Directive, parse } from '../../src/syntax';

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
        if (change === 'add' || change === 'replace') for (const other of others) expected.push(indent + other + ending); // prettier-ignore
      }
      const result = applyEdits(text, dropLineEnd(text, edits.map((edit) => keepLineEnd(text, edit)))); // prettier-ignore
      const whole = expected.join('');
      expect(result).toBe(isEnded ? whole : whole.replace(/\r?\n$/, ''));
    }),
    { numRuns: 1000 },
  );
});
