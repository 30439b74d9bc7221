import { folded } from '../../testing/docs/fold';

test.each<[string, readonly string[], readonly string[]]>([
  ['the same sentence about other things', ['a.conf is left as it is', 'b.conf is left as it is'], ['… is left as it is']],
  ['words in between', ['Order and Deny become Require', 'Order, Allow and Deny become Require'], ['… and Deny become Require']],
  ['three of one kind', ['x 1 of 5', 'x 2 of 5', 'x 2 of 7'], ['x … of …']],
  ['another end', ['a b c d', 'a b c d, assuming e'], ['a b c …']],
  ['other sentences stay', ['MaxClients is called MaxRequestWorkers', 'the module is gone in 2.4'], ['MaxClients is called MaxRequestWorkers', 'the module is gone in 2.4']],
  ['one text', ['a b'], ['a b']],
  ['none', [], []],
])('%s', (_, texts, expected) => {
  expect(folded(texts)).toEqual(expected);
}); // prettier-ignore
