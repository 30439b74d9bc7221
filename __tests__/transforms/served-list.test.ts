import { isServed, listedAsUnserved } from '../../testing/fixtures/served';
import { transforms } from '../../transforms';

const listed = listedAsUnserved();

describe('for all rules', () => {
  test('every rule has a fixture that is served, or docs/facts/served.md says why not', () => {
    const ids = transforms.map(({ id }) => id);
    const missing = ids.filter((id) => !isServed(id) && !listed.includes(id));
    expect(
      missing.map(
        (id) =>
          `${id}: add a requests.json, or put [${id}](../rules/${id}.md) into docs/facts/served.md, beside the reason`,
      ),
    ).toEqual([]);
    expect(listed.filter((id) => !ids.includes(id))).toEqual([]);
  });

  test('no rule is in both, or in the list twice', () => {
    expect(listed.filter(isServed)).toEqual([]);
    expect(listed.filter((id, i) => listed.indexOf(id) !== i)).toEqual([]);
    expect(listed.length).toBeGreaterThan(50);
  });
});
