import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { COMPARED } from '../../testing/docs/compared';
import { CHANGES, EXTRA } from '../../testing/docs/coverage';
import { MARKER, casesOf, coverage, fixturesOf, pages } from '../../testing/docs/pages';
import { CHECK_ROWS, TROUBLE, readable } from '../../testing/docs/messages';
import { SHOWN } from '../../testing/docs/shown';
import { CHECKS } from '../../src/cli/commands/rules';
import { CHECK_IDS } from '../../src/engine';
import { transforms } from '../../transforms';

const HOME = join(__dirname, '../..');

test.each([...pages(transforms)])('docs/%s is what npm run docs makes', (name, text) => {
  const path = join(HOME, 'docs', name);
  expect(existsSync(path) ? readFileSync(path, 'utf8') : 'no such file: npm run docs').toBe(text);
});

test('the messages that end a run, and those of its checks, stand in the sources', () => {
  const sources = readdirSync(join(HOME, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(join(HOME, 'src', name), 'utf8'));
  const missing = [...TROUBLE, ...CHECK_ROWS].filter(
    ({ text }) => !sources.some((source) => source.includes(text)),
  );
  expect(missing).toEqual([]);
});

test.each([
  [/^client denied: (?<path>.*?)(?:, referer: .*)?$/, 'client denied: …'],
  [/\b(?<directive>RewriteRule|RewriteCond): cannot|other/, 'RewriteRule: cannot'],
  [/(?:user|[Uu]ser) \S+ can't/, "user … can't"],
  [/Module mpm_(?<word>\w+) is ["']?[A-Z]\w{1,80} ?: \d+/, 'Module mpm_… is …: …'],
])('%s reads as %s', (pattern, text) => {
  expect(readable(pattern)).toBe(text);
});

test('every check of the run is explained, with its messages', () => {
  expect(Object.keys(CHECKS)).toEqual(CHECK_IDS);
  expect([...new Set(CHECK_ROWS.map(({ check }) => check))]).toEqual(CHECK_IDS);
});

describe('for all rules', () => {
  test('CONTRIBUTING.md shows a rule as it is', () => {
    const [, path = '', code] =
      /`(transforms\/[\w/-]+\.ts)`\.\n\n +```ts\n([^]*?)\n +```\n/.exec(
        readFileSync(join(HOME, 'CONTRIBUTING.md'), 'utf8'),
      ) ?? [];
    expect(`${code?.replaceAll(/^ {3}/gm, '')}\n`).toBe(readFileSync(join(HOME, path), 'utf8'));
  });

  test('there are no pages of rules that are gone', () => {
    const ids = transforms.map(({ id }) => `${id}.md`).toSorted();
    expect(readdirSync(join(HOME, 'docs/rules')).toSorted()).toEqual(ids);
  });

  test('what was compared names rules that there are, and every function once', () => {
    const ids = new Set(transforms.map(({ id }) => id));
    expect(COMPARED.length).toBeGreaterThan(200);
    expect(COMPARED.filter(({ verdict }) => verdict.kind === 'stricter' && !ids.has(verdict.rule))).toEqual(
      [],
    );
    const keys = COMPARED.map(({ file, name, directives }) => `${file} ${name} ${directives}`);
    expect(new Set(keys).size).toBe(keys.length);
  });

  test('every change that a rule names is in docs/facts/changes.md, once', () => {
    const ids = CHANGES.map(({ id }) => id);
    expect(ids.length).toBeGreaterThan(150);
    expect(new Set(ids).size).toBe(ids.length);
    const named = transforms.flatMap(({ id, changes }) => changes.map((change) => `${id}: ${change}`));
    const unknown = named.filter((row) => !ids.includes(row.replace(/^.*: /, '')));
    expect(unknown.map((row) => `${row} is no row of docs/facts/changes.md`)).toEqual([]);
    expect(EXTRA.filter(({ id }) => !ids.includes(id))).toEqual([]);
  });

  test('the upgrading guide and the sources name changes and documents that there are', () => {
    const known = new Set(CHANGES.map(({ id }) => id));
    const facts = readFileSync(join(HOME, 'docs/facts/changes.md'), 'utf8');
    const guide = facts.slice(facts.indexOf('## The upgrading guide'));
    const ids = guide.match(/\b[A-Z]\d\d?\b/g) ?? [];
    expect(ids.length).toBeGreaterThan(50);
    expect(ids.filter((id) => !known.has(id))).toEqual([]);
    const references = ['src', 'transforms', 'testing'].flatMap((folder) =>
      readdirSync(join(HOME, folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.ts'))
        .flatMap(
          (name) => readFileSync(join(HOME, folder, name), 'utf8').match(/docs\/facts\/[\w.-]+\.md/g) ?? [],
        ),
    );
    expect(references.length).toBeGreaterThan(20);
    expect(references.filter((name) => !existsSync(join(HOME, name)))).toEqual([]);
  });

  test('a page shows five cases at most, and none that is marked is left out', () => {
    for (const { id } of transforms) {
      const page = readFileSync(join(HOME, 'docs/rules', `${id}.md`), 'utf8');
      expect((page.match(/^### /gm) ?? []).length).toBeLessThanOrEqual(5);
      const marked = casesOf(id).filter((name) =>
        existsSync(join(HOME, '__fixtures__/transforms', id, name, MARKER)),
      );
      for (const name of marked)
        expect(page).toContain(`### ${name.replace(/^noop-/, '').replaceAll('-', ' ')}\n`);
    }
  });

  describe('every row of the upgrade', () => {
    const known = new Set([...transforms.map(({ id }) => id), 'syntax', 'include']);

    test.each(coverage(transforms).map((row) => [row.id, row] as const))(
      '%s has a rule or a reason, and a fixture',
      (_, row) => {
        const isCovered = row.rules.length > 0 || row.none !== undefined;
        expect(
          isCovered
            ? row.id
            : `${row.id}: no rule names it in its changes, and testing/docs/coverage.ts has no reason`,
        ).toBe(row.id);
        expect(row.rules.filter((rule) => !known.has(rule))).toEqual([]);
        const fixtures = fixturesOf(row);
        // What the tree's own reading finds is tested there; what has no rule may have nothing to show.
        if (row.rules.some((rule) => transforms.some(({ id }) => id === rule)))
          expect(fixtures.length).toBeGreaterThan(0);
        for (const fixture of fixtures)
          expect(existsSync(join(HOME, '__fixtures__/transforms', fixture))).toBe(true);
      },
    );
  });

  test('fixtures are named row by row where a rule looks after many rows, and for no other row', () => {
    const rows = coverage(transforms);
    const ids = new Set(rows.map(({ id }) => id));
    expect(Object.keys(SHOWN).filter((id) => !ids.has(id))).toEqual([]);
    const withoutFixture = rows.filter((row) => row.fixture === undefined && SHOWN[row.id] === undefined);
    const identical = withoutFixture.filter(
      ({ rules }) => withoutFixture.filter((row) => row.rules.join() === rules.join()).length > 5,
    );
    expect(identical.map(({ id }) => id)).toEqual([]);
  });

  test('every rule has fixtures: of what it does, and of what it leaves alone', () => {
    const cases = (id: string): string[] => {
      const home = join(HOME, '__fixtures__/transforms', id);
      return existsSync(home) ? readdirSync(home) : [];
    };
    const without = transforms.flatMap(({ id }) => {
      const names = cases(id);
      const noops = names.filter((name) => name.startsWith('noop-')).length;
      return noops === 0 || noops === names.length
        ? [`${id}: needs a case noop-… and another; ${noops} of ${names.length} are noop-…`]
        : [];
    });
    expect(without).toEqual([]);
  });
});
