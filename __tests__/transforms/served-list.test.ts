import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { casesOf, HOME } from '../../testing/fixtures/case';
import { transforms } from '../../transforms';

const listed = [
  ...readFileSync('docs/facts/served.md', 'utf8').matchAll(/\]\(\.\.\/rules\/([^)]+)\.md\)/g),
].map(([, id = '']) => id);
const isServed = (id: string): boolean =>
  casesOf(id).some((name) => existsSync(join(HOME, id, name, 'requests.json')));

describe('for all rules', () => {
  test('every rule has a fixture that is served, or docs/facts/served.md says why not', () => {
    const ids = transforms.map(({ id }) => id);
    const missing = ids.filter((id) => !isServed(id) && !listed.includes(id));
    expect(missing.map((id) => `${id}: add a requests.json, or a place in docs/facts/served.md`)).toEqual([]);
    expect(listed.filter((id) => !ids.includes(id))).toEqual([]);
  });

  test('no rule is in both, or in the list twice', () => {
    expect(listed.filter(isServed)).toEqual([]);
    expect(listed.filter((id, i) => listed.indexOf(id) !== i)).toEqual([]);
    expect(listed.length).toBeGreaterThan(50);
  });
});
