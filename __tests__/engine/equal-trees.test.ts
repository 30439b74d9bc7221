import { loadRereadable, memory } from '../../src/config';
import { type RunOptions, type RunResult, defineTransform, run } from '../../src/engine';
import { EqualTrees } from '../../src/engine/equal-trees';
import { jsonReport, unifiedDiff } from '../../src/report';
import { casesOf, readCase } from '../../testing/fixtures/case';
import { readdirSync } from 'node:fs';
import { shareOf } from '../../testing/run/size';
import { transforms } from '../../transforms';

const COPIES = 24;
const HTACCESS = '/.htaccess';

/** Choices of the user about single findings keep a run from telling equal trees apart. */
const ONE_BY_ONE: RunOptions = { declines: () => undefined };

function copiesOf(texts: Readonly<Record<string, string>>): Map<string, string> {
  const files = new Map<string, string>();
  for (let i = 0; i < COPIES; i++)
    for (const [path, text] of Object.entries(texts)) files.set(`/srv/customer${i}/web${path}`, text);
  return files;
}

const load = (files: ReadonlyMap<string, string>, path = '/srv') =>
  loadRereadable(memory(files), [path], { cwd: '/srv', defines: new Map(), env: new Map() });

function reportOf(result: RunResult): string {
  const diffs = new Map(
    result.plan.map(({ file, edits }) => [file.path, unifiedDiff(file.path, file.document.text, edits)]),
  );
  return [...jsonReport(result, { transforms, exitStatus: 0, hash: () => '', diffs })].join('');
}

/** The texts of the fixtures as `.htaccess` files, and the `.htaccess` files of their trees. */
const cases = readdirSync('__fixtures__/transforms').flatMap((rule) =>
  casesOf(rule).flatMap((name): readonly (readonly [string, Readonly<Record<string, string>>])[] => {
    const { id, single, input } = readCase(rule, name);
    if (single) return [[id, { [HTACCESS]: Object.values(input)[0]! }]];
    const texts = Object.entries(input).filter(([path]) => path.endsWith(HTACCESS));
    const top = texts
      .map(([path]) => path)
      .sort((a, b) => a.length - b.length)[0]
      ?.slice(0, -HTACCESS.length);
    const below = texts.filter(([path]) => path.startsWith(`${top}/`));
    return texts.length === 0
      ? []
      : [[id, Object.fromEntries(below.map(([path, text]) => [path.slice(top!.length), text]))]];
  }),
);
const some = shareOf(cases, 12);

it('asks about enough trees', () => {
  expect(some.length).toBeGreaterThan(80);
});

/** The findings of each customer's files, without what names that customer. */
function findingsByCustomer({ outcomes }: RunResult): readonly string[] {
  return Array.from({ length: COPIES }, (_, i) =>
    outcomes
      .filter(({ file }) => file.path.startsWith(`/srv/customer${i}/`))
      .map(({ rule, at, message, status }) =>
        `${rule} ${at} ${status} ${message}`.replaceAll(`customer${i}/`, ''),
      )
      .sort()
      .join('\n'),
  );
}

it.each(some)('comes to the same as a run of each file: %s', (_, texts) => {
  const files = copiesOf(texts);
  const oneByOne = run(load(files), transforms, ONE_BY_ONE);
  const equal = run(load(files), transforms);
  // Of many files that differ in the same way, a run of each names some only.
  const isSampled = new Set(findingsByCustomer(oneByOne).slice(1)).size > 1;
  if (!isSampled) expect(reportOf(equal)).toBe(reportOf(oneByOne));
  expect(findingsByCustomer(equal)[0]).toBe(findingsByCustomer(oneByOne)[0]);
  expect(new Set(findingsByCustomer(equal)).size).toBeLessThanOrEqual(2);
  expect(equal.plan.map(({ text }) => text)).toEqual(oneByOne.plan.map(({ text }) => text));
});

describe('what is told apart', () => {
  const DENIED = 'Order deny,allow\nDeny from all\n';
  const files = copiesOf({ [HTACCESS]: DENIED });
  const isUsed = (over: ReadonlyMap<string, string>, options: RunOptions = {}, path?: string): boolean => {
    const given = load(over, path);
    const equal = EqualTrees.of(given.tree, options);
    const ends = equal?.ends(given);
    return ends !== undefined && equal?.withAll(run(ends, transforms, options), given.tree) !== undefined;
  };

  it('equal trees are run once', () => expect(isUsed(files)).toBe(true));
  it.each<[string, RunOptions]>([
    ['a choice about single findings', ONE_BY_ONE],
    [
      'an answer for a place',
      { answers: [{ key: 'all-files-given', place: '/srv/customer3', value: false, reason: '' }] },
    ],
    ['both versions', { dual: true }],
    ['files left alone', { leaveAlone: () => 'asked for' }],
    [
      'files that cannot be written',
      { unwritable: new Map([...files.keys()].map((path) => [path, 'read-only'])) },
    ],
  ])('not with %s', (_, options) => expect(isUsed(files, options)).toBe(false));
  it.each<[string, ReadonlyMap<string, string>]>([
    ['a .htaccess above', new Map([...files, ['/srv/.htaccess', 'Options -Indexes\n']])],
    [
      'the configuration of a server',
      new Map([...files, ['/srv/httpd.conf', 'ServerRoot "/etc/httpd"\nListen 80\n']]),
    ],
    ['other texts', new Map([...files].map(([path, text], i) => [path, `# ${i}\n${text}`]))],
    [
      'comments that ask to leave something alone',
      copiesOf({ [HTACCESS]: `# httpd-codemod-ignore-file\n${DENIED}` }),
    ],
  ])('not with %s', (_, others) => expect(isUsed(others)).toBe(false));

  it('one of them is not like the others', () => {
    const odd = new Map([...files, ['/srv/customer7/web/.htaccess', 'Order allow,deny\nAllow from all\n']]);
    const { plan } = run(load(odd), transforms);
    const textIn = (customer: number) =>
      plan.find(({ file }) => file.path === `/srv/customer${customer}/web/.htaccess`)?.text;
    expect([6, 7, 8].map(textIn)).toEqual([
      'Require all denied\n',
      'Require all granted\n',
      'Require all denied\n',
    ]);
  });

  it('a rule writes where a file stands', () => {
    const naming = defineTransform({
      ...transforms[0]!,
      id: 'naming',
      directives: [],
      run: ({ directives, report }) =>
        directives(['Order'], ({ start }, { file }) => {
          if (file.document.text.includes(file.path)) return;
          report({
            file,
            at: start,
            level: 'info',
            safety: 'safe',
            message: 'm',
            edits: [{ start, end: start, text: `# ${file.path}\n` }],
          });
        }),
    });
    const { plan } = run(load(files), [naming]);
    expect(plan).toHaveLength(COPIES);
    for (const { file, text } of plan) expect(text).toBe(`# ${file.path}\n${DENIED}`);
  });

  it('a .htaccess of the root stands above all', () => {
    expect(isUsed(new Map([...files, ['/.htaccess', 'Options -Indexes\n']]), {}, '/')).toBe(false);
  });
});
