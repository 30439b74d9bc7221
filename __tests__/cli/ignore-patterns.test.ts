import { IgnoreList } from '../../src/cli/input/ignore-patterns';
import { soon } from '../../testing/run/soon';

const list = (...lines: string[]): IgnoreList => new IgnoreList(lines);

describe('patterns are read as git reads those of .gitignore', () => {
  test.each<[lines: string[], named: string[], others: string[]]>([
    [['*.conf'], ['a.conf', 'x/a.conf', '.conf'], ['a.confs', 'a.conf~']],
    [['/a.conf'], ['a.conf'], ['x/a.conf']],
    [['x/a.conf'], ['x/a.conf'], ['y/x/a.conf', 'x/y/a.conf']],
    [['old/'], ['old/a', 'x/old/a/b'], ['old', 'x/old']],
    [['old'], ['old', 'old/a', 'x/old/a'], ['older']],
    [['**/old'], ['old', 'x/y/old', 'x/old/a'], ['xold']],
    [['old/**'], ['old/a', 'old/x/a'], ['old', 'x/old/a']],
    [['a/**/b'], ['a/b', 'a/x/b', 'a/x/y/b'], ['x/a/b', 'a/xb']],
    [['a/*/b'], ['a/x/b'], ['a/b', 'a/x/y/b']],
    [['**'], ['a', 'x/a'], []],
    [['*', '!a'], ['b'], ['a']],
    [['*.conf', '!b.conf'], ['a.conf'], ['b.conf', 'x/b.conf']],
    // What is in a directory that is ignored stays ignored.
    [['x/', '!x/b.conf'], ['x/b.conf'], []],
    [['!b.conf', 'b.conf'], ['b.conf'], []],
    [['a?b'], ['axb'], ['a/b', 'ab']],
    [
      ['[a-c].conf', '[!0-9]x'],
      ['b.conf', 'ax'],
      ['d.conf', '1x'],
    ],
    [
      ['\\#a', '\\!b', 'c\\*'],
      ['#a', '!b', 'c*'],
      ['a', 'b', 'cx'],
    ],
    [
      ['# a', '', '   ', 'b  ', 'c\\ '],
      ['b', 'c '],
      [' a', 'b  ', 'c'],
    ],
    [['a\r', 'B'], ['a', 'B'], ['b']],
    [['caf\xe9'], ['caf\xe9'], ['caf\xc3\xa9']],
  ])('%j', (lines, named, others) => {
    const patterns = list(...lines);
    expect(patterns.unused).toEqual([]);
    expect(named.filter((path) => !patterns.ignores(path))).toEqual([]);
    expect(others.filter((path) => patterns.ignores(path))).toEqual([]);
  });

  test.each<[string, string]>([
    ['a*'.repeat(8000), 'the pattern is longer than 500 bytes'],
    ['a[', 'the pattern has a [ that is not closed'],
    ['[]', 'the pattern has a [ that is not closed'],
    ['[[:alpha:]]', 'the pattern has a class of characters by name'],
    ['a\\', 'the pattern ends in a backslash'],
    ['/', 'the pattern names nothing'],
    ['!', 'the pattern names nothing'],
  ])('line 2 of %# is not used, and the others are', (line, why) => {
    const patterns = list('b', line, 'c');
    expect(patterns.unused).toEqual([{ line: 2, why }]);
    expect(['a', 'b', 'c'].map((path) => patterns.ignores(path))).toEqual([false, true, true]);
  });

  test('only so many are used', () => {
    const patterns = list(...Array.from({ length: 1002 }, (_, i) => `f${i}`));
    expect(patterns.unused.map(({ line }) => line)).toEqual([1001, 1002]);
    expect(['f999', 'f1000'].map((path) => patterns.ignores(path))).toEqual([true, false]);
  });
});

test('no pattern takes long', async () => {
  const nasty = [
    ...['a*', '*a', '**', '*?', '[a]*'].map((text) => text.repeat(500 / text.length)),
    ...['a*/', '**/', '**/a/', '*/*/'].map((text) => `${text.repeat(120)}b`),
    `${'*a'.repeat(200)}b`,
    `*${'a'.repeat(127)}b`,
  ];
  const paths = [`${'a/'.repeat(250)}a`, 'a'.repeat(255), `${'a'.repeat(255)}/`.repeat(15)];
  for (const pattern of nasty) {
    const patterns = list(...Array.from({ length: 100 }, () => pattern));
    expect(await soon(() => paths.map((path) => patterns.ignores(path)))).toHaveLength(3);
  }
});
