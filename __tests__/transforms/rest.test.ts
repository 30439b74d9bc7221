import { readRecorded, differingIn, marksOf } from '../../testing/rest/compare';
import { convertTree } from '../../testing/rest/convert';
import { judge, servedBy } from '../../testing/rest/serve';
import { readTrees } from '../../testing/rest/tree';
import { shareOf } from '../../testing/run/size';

const recorded = readRecorded();
const trees = readTrees().map((tree) => ({ ...tree, id: `${tree.area}: ${tree.name}` }));

test('every tree has answers of 2.2, and every difference somebody who tells of it', () => {
  const lacking = trees.filter(({ area, name, requests }) => {
    const marks = recorded[area]?.[name]?.marks;
    return marks?.length !== requests.length + 1;
  });
  expect(lacking.map(({ id }) => id)).toEqual([]);
  const tellers = trees.flatMap(({ area, name }) => Object.values(recorded[area]![name]!.differs ?? {}));
  expect(tellers).not.toContain('?');
});

describe('a real 2.4 answers as 2.2 did, or a finding says so', () => {
  test.each(shareOf(trees, 12))('$id', async (tree) => {
    const { marks, differs = {} } = recorded[tree.area]![tree.name]!;
    const { result, texts } = convertTree(tree);
    expect(result.failure).toBeUndefined();
    const served = await servedBy({ texts, requests: tree.requests }, judge());
    const differing = differingIn(tree, marks, marksOf(served));
    expect(differing.filter((name) => !(name in differs))).toEqual([]);
    const tellers = new Set(differing.flatMap((name) => differs[name]!.split(', ')));
    const rules = new Set(result.outcomes.map(({ rule }) => rule));
    expect([...tellers].filter((teller) => teller !== 'page' && !rules.has(teller))).toEqual([]);
  });
});
