import { CONF, type Files, judged, served } from '../../testing/judge/vetoes';

/** What the judge says makes the differences, where files have become others by one edit each. */
const makersOf = (was: Files, is: Files): readonly (readonly string[])[] =>
  judged(was, is).vetoes.map(({ madeBy }) => madeBy);

const OLD = 'Order allow,deny\nAllow from all\nDeny from 6.6.6.6\n';
const NEW = '<RequireAll>\nRequire all granted\nRequire not ip 6.6.6.6\n</RequireAll>\n';
const section = (lines: string): string => `<Directory /srv/www/a>\n${lines}</Directory>\n`;
const [ABOVE, FILE, BELOW] = ['/srv/www/a', '/srv/www/a/b', '/srv/www/a/b/c'].map(
  (path) => `${path}/.htaccess`,
) as [string, string, string];
const ODD = '<IfModule mod_authz_core.c>\nRequire not ip 1.2.3.4\n</IfModule>\n';
const PLAIN = 'Options None\n';

/** The server as it was, and as it is right, with files beside it that stay. */
const right = (files: Files): readonly (readonly string[])[] =>
  makersOf(served(section(OLD), files), served(section(NEW), files));

test('a file that stays, and that 2.4 refuses, makes the difference alone', () => {
  expect(right({ [FILE]: ODD })).toEqual([[FILE]]);
  expect(right({ [ABOVE]: PLAIN, [FILE]: ODD, [BELOW]: PLAIN })).toEqual([[FILE]]);
});

test('each of several does', () => {
  const other = '/srv/www/a/d/.htaccess';
  const found = right({ [FILE]: ODD, [other]: ODD });
  expect(found).toEqual(expect.arrayContaining([[FILE], [other]]));
});

test('two on one way do together', () => {
  expect(right({ [FILE]: ODD, [BELOW]: ODD })).toEqual(expect.arrayContaining([[FILE], [BELOW, FILE]]));
});

test('no file makes a difference that the files of the server make', () => {
  const wrong = section('Require all granted\n');
  const files = { [FILE]: PLAIN, [BELOW]: PLAIN };
  expect(makersOf(served(section(OLD), files), served(wrong, files))).toEqual([[]]);
});

test('nor does it where one file and those of the server make it', () => {
  const wrong = section('Require all granted\n');
  const found = makersOf(served(section(OLD), { [FILE]: ODD }), served(wrong, { [FILE]: ODD }));
  expect(found).toContainEqual([]);
});

test('what becomes of a file makes it as well', () => {
  const was = served(section('AllowOverride AuthConfig\n'), { [FILE]: 'DefaultType text/plain\n' });
  expect(makersOf(was, { ...was, [FILE]: '' })).toEqual([[FILE]]);
  expect(was[CONF]).toContain('AuthConfig');
});

test('where there are too many places for all to be asked about, none is named', () => {
  const odd = (i: number): string => `/srv/www/a/n${i}/.htaccess`;
  const letters = (i: number): string => i.toString(2).replaceAll('0', 'a').replaceAll('1', 'b');
  const count = 3100;
  const was: Record<string, string> = { [FILE]: ODD };
  const is: Record<string, string> = { [FILE]: ODD };
  for (let i = 0; i < count; i++) {
    was[odd(i)] = `# ${letters(i)}\nOrder allow,deny\nAllow from all\n`;
    is[odd(i)] = `# ${letters(i)}\nRequire all granted\n`;
  }
  const found = makersOf(served(section(OLD), was), served(section(NEW), is));
  expect(new Set(found.flat())).toEqual(new Set());
  expect(found.length).toBeGreaterThan(0);
});
