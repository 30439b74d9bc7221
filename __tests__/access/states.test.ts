import { type Expr, OTHER_METHODS, and, atom, exprKey, methodMask, or } from '../../src/access/primitives';
import { type Facts, INITIAL, type State } from '../../src/access/policy';
import { StateSet } from '../../src/access/inherit';
import type { Directive } from '../../src/syntax';

const origin = undefined as unknown as Directive;
const ALL = methodMask([], true);
const facts = { classes: [OTHER_METHODS], reading: '2.2' } as unknown as Facts;

/** A state with a host list of its own, and a Require for one user. */
function state(host: string, user: string, satisfy: 'any' | 'all'): State {
  return {
    ...INITIAL,
    hosts: {
      orders: [{ order: 'deny,allow', mask: ALL, origin }],
      lines: [
        { allow: false, words: [{ kind: 'all' }], mask: ALL, origin },
        { allow: true, words: [{ kind: 'ip', text: host }], mask: ALL, origin },
      ],
    },
    requires: [{ keyword: 'user', source: user, rest: user, verbatim: true, mask: ALL, origin }],
    satisfy: new Map([[OTHER_METHODS, satisfy]]),
  };
}

function setOf(states: readonly State[], needs = { hosts: true, requires: true }): readonly State[] {
  const set = new StateSet(facts, needs, 100, () => {
    throw new Error('too many');
  });
  for (const item of states) set.add(item);
  return set.list;
}

/** Few states, and so many that they are held in another way. */
describe.each([1, 20])('%d kinds of states', (count) => {
  const kinds = Array.from({ length: count }, (_, i) => [
    state(`10.0.0.${i}`, 'a', 'any'),
    state(`10.0.0.${i}`, 'b', 'any'),
    state(`10.0.0.${i}`, 'a', 'all'),
  ]).flat();

  test('what reads the same is one state, whichever objects it is made of', () => {
    expect(setOf([...kinds, ...structuredClone(kinds)])).toEqual(kinds);
    expect(setOf([INITIAL, ...kinds, INITIAL])).toHaveLength(kinds.length + 1);
  });

  test('who decides about users and groups is told apart', () => {
    const lenient: State['authorizers'] = new Map([
      ['groupfile', { configured: true, authoritative: false }],
    ]);
    const others = kinds.slice(0, 30).map((item) => ({ ...item, authorizers: lenient }));
    expect(setOf([...kinds, ...others, ...structuredClone(others)])).toEqual([...kinds, ...others]);
  });

  test('what a section replaces is not told apart', () => {
    expect(setOf(kinds, { hosts: false, requires: true })).toHaveLength(3);
    expect(setOf(kinds, { hosts: true, requires: false })).toHaveLength(2 * count);
  });
});

test.each([2, 30])('%d parts of an expression are kept once each, in their order', (count) => {
  const parts = Array.from({ length: count }, (_, i) => atom('ip', `10.0.0.${i}`, undefined));
  const twice: Expr[] = [...parts, ...parts.map((item) => ({ ...item }))];
  expect(or(twice)).toEqual({ kind: 'or', of: parts });
  expect(exprKey(and([or(twice), or([...parts].reverse())]))).toBe(exprKey(or(parts)));
});
