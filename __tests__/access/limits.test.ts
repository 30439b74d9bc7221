import { parse } from '../../src/syntax';
import { FoundLimit, hasTooManyLines } from '../../src/config/include/size-limit';
import { disk } from '../../src/config/source/disk';
import { convertFiles } from '../../testing/run/convert';
import { processorTime } from '../../testing/run/processor-time';

const times = (count: number, text: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => text(i)).join('');

const OTHER = 'Order allow,deny\nDeny from all\n<Files x>\nOrder allow,deny\nAllow from all\n</Files>\n';

/** Host lists and Require lines that may each be in force or not: thousands of states before the last section. */
const ENDLESS = `AuthType Basic\nAuthName x\n${times(
  40,
  (i) =>
    `<Files "*${i}*">\nOrder allow,deny\nAllow from 10.0.0.${i}\n</Files>\n<Files "*x${i}*">\nRequire user u${i}\n</Files>\n`,
)}<Files "*z">\nSatisfy any\n</Files>\n`;

test.each([
  ['before', '/w/a', '/w/b'],
  ['after', '/w/b', '/w/a'],
])(
  'one .htaccess that can be reached in too many ways stops none that is read %s it',
  (_, endless, other) => {
    const files = { [`${endless}/.htaccess`]: ENDLESS, [`${other}/.htaccess`]: OTHER };
    const { plan, outcomes } = convertFiles(files, ['/w'], {});
    expect(plan.map(({ file }) => file.path)).toEqual([`${other}/.htaccess`]);
    const left = outcomes.filter(({ message }) => message.includes('too many ways'));
    expect(left.map(({ file }) => file.path)).toEqual([`${endless}/.htaccess`]);
  },
);

test('a Files section for a name meets those with patterns, and those for the same name, in their order', () => {
  const limited = (name: string, address: string): string =>
    `<Files "${name}">\nOrder allow,deny\nAllow from ${address}\n</Files>\n`;
  const text = `${limited('*.php', '10.0.0.1')}${limited('a.php', '10.0.0.2')}<Files "a.php">\nRequire valid-user\nSatisfy any\n</Files>\n${limited('b.php', '10.0.0.3')}`;
  const [change] = convertFiles({ '/w/.htaccess': text }, ['/w'], {}).plan;
  // 2.2 asked the host list of the section for the same name, which comes after the one with the pattern.
  expect(change?.text).toContain('<Files "a.php">\nRequire ip 10.0.0.2\nRequire valid-user\n</Files>');
});

test('more sections than anybody writes for the same files are left, with a word', () => {
  const text = times(1010, (i) => `<Files "*${i}*">\nOrder allow,deny\nDeny from all\n</Files>\n`);
  const { plan, outcomes } = convertFiles({ '/w/a/.htaccess': text, '/w/b/.htaccess': OTHER }, ['/w'], {});
  expect(plan.map(({ file }) => file.path)).toEqual(['/w/b/.htaccess']);
  expect(outcomes.some(({ message }) => message.includes('too many ways'))).toBe(true);
});

test('arguments are the same after many other lines have been read', () => {
  const { body } = parse(times(40_000, (i) => `Alias "/a ${i}" /b${i}\n`));
  const values = (): string[] =>
    body.map((node) => (node.kind === 'directive' ? node.args.map(({ value }) => value).join('|') : ''));
  const first = values();
  expect(first[0]).toBe('/a 0|/b0');
  expect(values()).toEqual(first);
});

test('a file of more than a million lines is no configuration', () => {
  expect(hasTooManyLines('\n'.repeat(1_000_000))).toBe(false);
  expect(hasTooManyLines('\n'.repeat(1_000_001))).toBe(true);
  expect(hasTooManyLines('a'.repeat(2_000_000))).toBe(false);
});

test('of more than a run can hold, the largest files are left out', () => {
  const text = 'Allow from 10.0.0.1\n';
  const sizes: Readonly<Record<string, number>> = {
    '/small': 1e3,
    '/large': 100e6,
    '/middle': 3e6,
    '/gone': 0,
  };
  const source = {
    ...disk,
    size: (path: string) => sizes[path]!,
    read(path: string): string {
      if (path === '/gone') throw new Error('gone');
      return text;
    },
  };
  const limit = new FoundLimit();
  expect([...limit.tooMany(source, ['/large', '/small'])]).toEqual([]);
  expect([
    ...new FoundLimit().tooMany({ ...source, size: (path) => sizes[path]! * 2 }, Object.keys(sizes)),
  ]).toEqual(['/large']);
  const { size: _, ...unmeasured } = source;
  expect([...limit.tooMany(unmeasured, ['/large'])]).toEqual([]);
});

test.each(['[', '${', '/', '{', '\\', '"', ' '])('a section for a name of many %j takes a time in proportion', (char) => {
  const timeFor = (size: number): number => {
    const text = `<Files ${char.repeat(size / char.length)}x>\nOrder deny,allow\nDeny from all\n</Files>\n`;
    return processorTime(() => convertFiles({ '/w/.htaccess': text }, ['/w/.htaccess']));
  };
  timeFor(1000);
  expect(timeFor(100_000)).toBeLessThan(1500);
}); // prettier-ignore
