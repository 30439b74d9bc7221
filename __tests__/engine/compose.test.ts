import fc from 'fast-check';
import { type Edit, applyEdits, composeEdits } from '../../src/edit';

/** Edits of a text of that length, none of which overlap. */
function editsFor(length: number, numbers: readonly number[]): Edit[] {
  const places = numbers.map((number) => number % (length + 1)).toSorted((a, b) => a - b);
  const edits: Edit[] = [];
  for (let i = 0; i + 1 < places.length; i += 2)
    edits.push({ start: places[i]!, end: places[i + 1]!, text: 'XY'.repeat(numbers[i]! % 3) });
  return edits;
}

const NUMBERS = fc.array(fc.nat(1000), { maxLength: 12 });

test('composed edits do what both lists do', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 30 }), NUMBERS, NUMBERS, (text, firstNumbers, secondNumbers) => {
      const first = editsFor(text.length, firstNumbers);
      const middle = applyEdits(text, first);
      const second = editsFor(middle.length, secondNumbers);
      const composed = composeEdits(first, second, text.length);
      expect(applyEdits(text, composed)).toBe(applyEdits(middle, second));
    }),
    { numRuns: 3000 },
  );
});

test('what no edit touches is not written', () => {
  const [first, second] = [[{ start: 2, end: 3, text: 'xx' }], [{ start: 6, end: 6, text: 'y' }]];
  expect(composeEdits(first, second, 8)).toEqual([
    { start: 2, end: 3, text: 'xx' },
    { start: 5, end: 5, text: 'y' },
  ]);
});
