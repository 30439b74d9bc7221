import { collect, factsOf } from '../../src/access/collect';
import { InheritedStates, LeastWays } from '../../src/access/inherit';
import { splitUnread } from '../../src/access/override';
import { scopesRead } from '../../src/access/models';
import { type Scope, policyUnder, requireTreeOf, setsSomething } from '../../src/access/policy';
import type { Config } from '../../src/access/primitives';
import { conditionalSettings, distinctSettings, firstDifference } from '../../src/access/verify';
import { type ConfigTree, loadTree, memory } from '../../src/config';
import { memoOfFew } from '../../src/maps';

// How much work sections in conditionals take is counted here, not timed: whoever may write a .htaccess may write many of them.

const PATH = '/w/.htaccess';

function treeOf(text: string): ConfigTree {
  const options = { defines: new Map<string, string>(), env: new Map<string, string>(), cwd: '/' };
  return loadTree(memory(new Map([[PATH, text]])), ['/w'], options);
}

/** The sections of a `.htaccess`, and what a request has met before each. */
function read(text: string): { readonly scopes: readonly Scope[]; readonly inherited: InheritedStates } {
  const tree = treeOf(text);
  const { scopes: all, mapping } = collect(tree);
  const { live, overrides } = splitUnread(all, mapping, tree);
  const scopes = live.filter(setsSomething);
  return {
    scopes,
    inherited: new InheritedStates(scopes, factsOf(collect(tree), tree), mapping, overrides.files),
  };
}

const times = (count: number, text: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => text(i)).join('');

const files = (name: string, inside: string): string => `<FilesMatch "${name}">\n${inside}</FilesMatch>\n`;
const inModule = (name: string, inside: string): string => `<IfModule ${name}.c>\n${inside}</IfModule>\n`;
const LIST = 'Order deny,allow\nDeny from all\n';

/** Sections that may match, by what conditionals they stand in or hold. */
const KINDS: readonly ((i: number) => string)[] = [
  (i) => files(`a${i}.*z`, LIST),
  (i) => files(`b${i}.*z`, LIST + inModule(`mod_b${i}`, `Require user u${i}\n`)),
  (i) => files(`c${i}.*z`, LIST + inModule('mod_same', `Require user u${i}\n`)),
  (i) => inModule(`mod_d${i}`, files(`d${i}.*z`, LIST)),
  (i) => inModule('mod_same', files(`e${i}.*z`, LIST)),
  (i) => inModule('!mod_same', files(`f${i}.*z`, LIST)),
  (i) => inModule(`mod_g${i}`, files(`g${i}.*z`, LIST + inModule(`mod_h${i}`, 'Satisfy any\n'))),
  (i) => inModule('mod_same', inModule('mod_same', files(`i${i}.*z`, `${LIST}Satisfy any\n`))),
  (i) => inModule('mod_same', inModule('!mod_same', files(`j${i}.*z`, LIST))),
];

test.each(KINDS.map((kind, i) => [i, kind] as const))(
  'ways are never fewer than they are counted to be at least, whatever follows a section of kind %d',
  (_, first) => {
    for (const second of KINDS)
      for (const third of KINDS) {
        const { scopes, inherited } = read([first, second, third, first].map((kind, i) => kind(i)).join(''));
        for (const scope of scopes) {
          const found = inherited.statesByRoute(scope);
          const ways = new LeastWays(scope, []);
          for (const earlier of scopes) if (earlier.order < scope.order) ways.addMaybe(earlier);
          expect(found!.length).toBeGreaterThanOrEqual(ways.count);
        }
      }
  },
);

test.each([
  ['plain sections', 0, 8],
  ['sections with a block each', 1, 27],
  ['sections in a block each', 3, 27],
  ['sections in one block', 4, 9],
])('the count of %s is as large as it can be told', (_, kind, count) => {
  const { scopes } = read(times(4, KINDS[kind]!));
  const ways = new LeastWays({ ...scopes[3]!, aroundLines: [] }, []);
  for (const earlier of scopes.slice(0, 3)) ways.addMaybe(earlier);
  expect(ways.count).toBe(count);
});

/** How often the sections are looked at for the ways past them, where each is asked about. */
function lookedAt(count: number, kind: (i: number) => string): number {
  const { scopes, inherited } = read(times(count, kind));
  let looks = 0;
  for (const scope of scopes) {
    const { order } = scope;
    Object.defineProperty(scope, 'order', { get: () => (looks++, order) });
  }
  for (const scope of scopes) inherited.statesByRoute(scope);
  return looks;
}

test.each([
  ['with a block each', 1],
  ['in a block each', 3],
  ['in one block', 4],
])('of sections %s no ways are followed where these are surely too many', (_, kind) => {
  const [few, many] = [12, 48].map((count) => lookedAt(count, KINDS[kind]!)) as [number, number];
  expect(few).toBeGreaterThan(1000);
  // To file each among the others takes looks, too.
  expect(many).toBeLessThan(few + 48 * 48 * 2);
});

test('the ways to a section are followed once, however often it is asked about in a row', () => {
  const { scopes, inherited } = read(times(5, KINDS[1]!));
  const last = scopes.at(-1)!;
  const found = inherited.statesByRoute(last);
  expect(found!.length).toBeGreaterThan(50);
  expect(inherited.statesByRoute(last)).toBe(found);
});

describe('what is asked of both versions', () => {
  const BLOCKS = times(6, (i) =>
    inModule(`mod_x${i}`, `Allow from 1.${i}\nRequire user u${i}\nSatisfy any\n`),
  );

  /** How often it is asked whether a difference counts, and for the lines of the result, with so many clients. */
  function asked(most: number): { readonly counts: number; readonly lines: number } {
    const [before, after] = [treeOf(BLOCKS), treeOf('Require all denied\n')];
    const [met22, met24] = [collect(before), collect(after)].map(({ scopes }) => scopes);
    let [counts, lines] = [0, 0];
    for (const scope of met24!) {
      const given = scope.lines;
      Object.defineProperty(scope, 'lines', { get: () => (lines++, given) });
    }
    const target = { uri: '/a', filename: '/w/a' };
    const found = firstDifference(met22!, met24!, target, factsOf(collect(before), before), {
      most,
      counts: () => (counts++, false),
    });
    expect(found).toBeUndefined();
    return { counts, lines };
  }

  test('does not depend on how many clients are tried', () => {
    const few = asked(12);
    expect(few.counts).toBeGreaterThan(5);
    const many = asked(300);
    expect(many.lines).toBe(few.lines);
    // Each kind of answer once for each setting of the blocks.
    expect(many.counts).toBeLessThanOrEqual(8 * 4);
  });
});

describe('settings of conditionals', () => {
  const COUNT = 60;
  const open = times(COUNT, (i) => `<IfModule mod_x${i}.c>\n`);
  const close = '</IfModule>\n'.repeat(COUNT);

  test.each([
    ['in each other, none is read unless all hold', `${open}Deny from all\n${close}`, 2],
    ['beside each other, each is read alone', times(COUNT, KINDS[3]!), COUNT + 2],
    [
      'in each other with lines between, so is the outermost',
      `<IfModule mod_a.c>\n${files('a', LIST)}${open}${files('b', LIST)}${close}</IfModule>\n`,
      3,
    ],
  ])('are asked about by what they have read: of blocks %s', (_, text, count) => {
    const { scopes } = read(text);
    expect(distinctSettings(scopes, [])).toHaveLength(count);
  });

  test.each(KINDS.map((kind, i) => [i, kind] as const))(
    'are left out only where another has the same read: sections of kind %d',
    (_, kind) => {
      const { scopes } = collect(treeOf(times(6, kind)));
      const readBy = (config: Config): unknown =>
        (['2.2', '2.4'] as const).map((version) =>
          scopesRead(scopes, config, version).map((scope) => [
            scope.order,
            policyUnder(scope, config),
            requireTreeOf(scope, { config }),
          ]),
        );
      const kept = distinctSettings(scopes, []).map(readBy);
      for (const config of conditionalSettings(scopes)) expect(kept).toContainEqual(readBy(config));
    },
  );
});

test('of few objects each is asked about once, and of many no more is kept', () => {
  const objects = Array.from({ length: 10 }, () => ({}));
  let asked = 0;
  const find = memoOfFew(4, () => asked++);
  for (let i = 0; i < 100; i++) for (const object of objects.slice(0, 4)) find(object);
  expect(asked).toBe(4);
  for (const object of [...objects, ...objects]) find(object);
  expect(asked).toBeGreaterThan(16);
});
