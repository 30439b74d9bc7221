import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import type { ConfigFile, ConfigTree } from '../../src/config/types';
import { applyEdits, type Edit } from '../../src/edit';
import type { Outcome, RunResult } from '../../src/engine/types';
import {
  colourDiff,
  decode,
  diffPath,
  jsonReport,
  manyLines,
  oneLine,
  placesText,
  planLine,
  textReport,
  type TextOptions,
  unifiedDiff,
} from '../../src/report';
import { hunksOf } from '../../src/report/diff';
import { parse } from '../../src/syntax';
import { convertFiles } from '../../testing/run/convert';
import { transforms as allRules } from '../../transforms';
import { soon } from '../../testing/run/soon';

const bytes = (text: string): Buffer => Buffer.from(text, 'latin1');
const latin1 = (text: string): string => text.replace(/[^\0-\xff]/g, '?');

interface Sample {
  readonly text: string;
  readonly edits: readonly Edit[];
}

const piece = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      '\n',
      '\r\n',
      'a\n',
      'b\n',
      'a\r\n',
      'Order allow,deny\n',
      '\n\n\n\n',
      'x\n'.repeat(9),
    ),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      'a',
      '\r',
      '\0',
      '\xe9',
      '\xef\xbb\xbf',
      '-',
      '+',
      '\\',
      '--- a/x\n',
      '@@ -1 +1 @@\n',
      ' ',
    ),
  },
  fc.string({ maxLength: 4 }).map(latin1),
);
const someText = (maxLength: number): fc.Arbitrary<string> =>
  fc.array(piece, { maxLength }).map((pieces) => pieces.join(''));

/** A text and edits of it that do not overlap; cuts of the text at line ends are as likely as any other. */
const sample: fc.Arbitrary<Sample> = fc
  .tuple(someText(30), fc.array(fc.tuple(fc.nat(), fc.boolean(), someText(3)), { maxLength: 8 }))
  .map(([text, cuts]) => {
    const places = cuts
      .map(([n, atLine, insert]) => {
        const at = n % (text.length + 1);
        return { at: atLine ? text.lastIndexOf('\n', at) + 1 : at, insert };
      })
      .sort((a, b) => a.at - b.at);
    const edits: Edit[] = [];
    for (let i = 0; i < places.length; i++) {
      const place = places[i]!;
      const next = places[i + 1];
      if (next !== undefined && place.insert.length % 2 === 0) {
        edits.push({ start: place.at, end: next.at, text: place.insert });
        i++;
      } else edits.push({ start: place.at, end: place.at, text: place.insert });
    }
    return { text, edits };
  });

/** What `git apply` makes of the samples, all in one patch. */
function gitApply(samples: readonly Sample[], nameOf = (i: number): string => `f${i}.conf`): string[] {
  const root = mkdtempSync(join(tmpdir(), 'codemod-diff-'));
  try {
    const path = (i: number): Buffer => bytes(join(root, nameOf(i)));
    samples.forEach(({ text }, i) => {
      mkdirSync(dirname(join(root, nameOf(i))), { recursive: true });
      writeFileSync(path(i), bytes(text));
    });
    const patch = samples.map(({ text, edits }, i) => unifiedDiff(nameOf(i), text, edits)).join('');
    if (patch !== '') {
      const env = { ...process.env, GIT_CEILING_DIRECTORIES: dirname(root), GIT_CONFIG_GLOBAL: '/dev/null' };
      execFileSync('git', ['apply', '--whitespace=nowarn', '-'], { cwd: root, input: bytes(patch), env });
    }
    return samples.map((_, i) => readFileSync(path(i)).toString('latin1'));
  } finally {
    rmSync(root, { recursive: true });
  }
}

function expectApplies(samples: readonly Sample[], nameOf?: (i: number) => string): void {
  const patched = gitApply(samples, nameOf);
  samples.forEach(({ text, edits }, i) => {
    if (patched[i] !== applyEdits(text, edits))
      throw new Error(`differs: ${JSON.stringify({ text, edits, got: patched[i] })}`);
  });
}

const replace = (text: string, from: string, to: string): Sample => {
  const start = text.indexOf(from);
  return { text, edits: [{ start, end: start + from.length, text: to }] };
};
const numbered = (n: number): string => Array.from({ length: n }, (_, i) => `line ${i + 1}\n`).join('');

test('hundreds of thousands of lines in one change', () => {
  const lines = 'a\n'.repeat(200_000);
  expect(hunksOf('', [{ start: 0, end: 0, text: lines }])).toMatchObject([
    { oldLines: 0, newLines: 200_000 },
  ]);
  expect(hunksOf(lines, [{ start: 0, end: lines.length, text: 'b\n'.repeat(200_000) }])).toMatchObject([
    { oldLines: 200_000, newLines: 200_000 },
  ]);
});

describe('the unified diff', () => {
  test('applied by git gives the edited bytes, for any texts and edits', () => {
    fc.assert(
      fc.property(fc.array(sample, { minLength: 1, maxLength: 60 }), (samples) => expectApplies(samples)),
      {
        numRuns: 60,
      },
    );
  });

  // git finds a hunk whose line numbers are a little wrong; readers of the diff do not.
  test('has exact line numbers on both sides, for any texts and edits', () => {
    const lines = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
    fc.assert(
      fc.property(sample, ({ text, edits }) => {
        const sides = { '-': lines(text), '+': lines(applyEdits(text, edits)) };
        let end = 0;
        for (const hunk of hunksOf(text, edits)) {
          for (const [sign, start, count] of [
            ['-', hunk.oldStart, hunk.oldLines],
            ['+', hunk.newStart, hunk.newLines],
          ] as const) {
            const shown = hunk.lines.filter((line) => line.startsWith(sign) || line.startsWith(' '));
            const real = sides[sign].slice(start - 1, start - 1 + count);
            expect(shown.map((line) => line.slice(1))).toEqual(real.map((line) => line.replace(/\n$/, '')));
          }
          expect(hunk.oldStart).toBeGreaterThan(end);
          end = hunk.oldStart + hunk.oldLines - 1;
        }
      }),
      { numRuns: 1000 },
    );
  });

  test.each<[string, Sample]>([
    ['CRLF', replace('a\r\nb\r\nc\r\n', 'b', 'B')],
    ['LF to CRLF', replace('a\nb\n', 'b\n', 'b\r\n')],
    ['a lone CR', replace('a\rb\nc\n', 'c', 'C')],
    ['NUL', replace('a\0b\nc\0\n', 'c', 'C')],
    ['a byte order mark', replace('\xef\xbb\xbfa\nb\n', 'a', 'A')],
    ['latin1', replace('# \xe9\xff\nb\n', 'b', '\xe4')],
    ['no final newline before', replace('a\nb', 'b', 'b\n')],
    ['no final newline after', replace('a\nb\n', 'b\n', 'b')],
    ['no final newline on both sides', replace('a\nb', 'b', 'c')],
    ['no final newline, change above', replace('a\nb\nc', 'a', 'A')],
    ['the last of two lines removed', replace('a\nb', '\nb', '')],
    ['becoming empty', replace('a\nb\n', 'a\nb\n', '')],
    ['becoming empty, no final newline', replace('a', 'a', '')],
    ['from empty', replace('', '', 'a\n')],
    ['from empty, no final newline', replace('', '', 'a')],
    ['first line inserted', { text: numbered(9), edits: [{ start: 0, end: 0, text: 'new\n' }] }],
    ['last line appended', { text: 'a\n', edits: [{ start: 2, end: 2, text: 'new\n' }] }],
    ['last line appended to an open one', { text: 'a', edits: [{ start: 1, end: 1, text: '\nnew' }] }],
    ['two inserts at the end of an open line', { text: 'a', edits: [{ start: 1, end: 1, text: 'b\n' }, { start: 1, end: 1, text: 'c' }] }],
    ['a glued line before a removed one', { text: 'x\ny\nz\n', edits: [{ start: 0, end: 2, text: 'q' }, { start: 2, end: 4, text: '' }] }],
    ['lines that look like diff', replace('--- a/x\n+++ b/x\n@@ -1 +1 @@\n', 'x', 'y')],
  ])('%s', (_, edit) => expectApplies([edit])); // prettier-ignore

  test.each([
    'with blank.conf', 'tab\there', 'quote"d', "apos'trophe", 'back\\slash', 'new\nline', 'caf\xc3\xa9', 'latin\xe9', ' lead', 'trail ',
    'a b/b/a b', 'dir/sub dir/x', 'b/x b/x', '-dash', '\x01\x7f', 'a => b', '{x}',
  ])('a file named %j', (name) => {
    const cases = [replace('a\n', 'a', 'b')];
    // Node names files in UTF-8 here; the byte name is made by a Buffer path.
    const root = bytes(name).toString('utf8').includes('\ufffd') ? undefined : name;
    if (root !== undefined) expectApplies(cases, () => root);
    else expectAppliesRaw(name);
  }); // prettier-ignore

  function expectAppliesRaw(name: string): void {
    const root = mkdtempSync(join(tmpdir(), 'codemod-name-'));
    const path = Buffer.concat([bytes(`${root}/`), bytes(name)]);
    writeFileSync(path, 'a\n');
    const patch = unifiedDiff(name, 'a\n', [{ start: 0, end: 1, text: 'b' }]);
    execFileSync('git', ['apply', '-'], { cwd: root, input: bytes(patch) });
    expect(readFileSync(path, 'latin1')).toBe('b\n');
    rmSync(root, { recursive: true });
  }

  test('looks like git diff: three lines of context, near changes in one hunk, removed before added', () => {
    const text = numbered(40);
    const line = (n: number): number => text.indexOf(`line ${n}\n`);
    const edits = [
      { start: line(5), end: line(6), text: 'five\n' },
      { start: line(6), end: line(7), text: 'six\n' },
      { start: line(13), end: line(14), text: '' },
      { start: line(22), end: line(22), text: 'new\n' },
    ];
    expect(unifiedDiff('c/x.conf', text, edits)).toMatchInlineSnapshot(`
     "diff --git a/c/x.conf b/c/x.conf
     --- a/c/x.conf
     +++ b/c/x.conf
     @@ -2,15 +2,14 @@
      line 2
      line 3
      line 4
     -line 5
     -line 6
     +five
     +six
      line 7
      line 8
      line 9
      line 10
      line 11
      line 12
     -line 13
      line 14
      line 15
      line 16
     @@ -19,6 +18,7 @@
      line 19
      line 20
      line 21
     +new
      line 22
      line 23
      line 24
     "
    `);
  });

  test('shows only what differs inside a large edit', () => {
    const text = numbered(9);
    const rewritten = text.replace('line 5', 'LINE 5');
    const [hunk, ...more] = hunksOf(text, [{ start: 0, end: text.length, text: rewritten }]);
    expect(more).toEqual([]);
    expect(hunk?.lines.filter((line) => !line.startsWith(' '))).toEqual(['-line 5', '+LINE 5']);
  });

  test('an edit that changes nothing gives no diff', () => {
    expect(unifiedDiff('x', 'a\nb\n', [{ start: 0, end: 1, text: 'a' }])).toBe('');
    expect(unifiedDiff('x', 'a\nb\n', [])).toBe('');
  });

  test('a large file with thousands of changes takes time for the changes only', async () => {
    const text = numbered(100_000);
    const edits: Edit[] = [];
    for (let at = 0, i = 0; at < text.length; at = text.indexOf('\n', at) + 1, i++) {
      if (i % 7 < 3) edits.push({ start: at, end: text.indexOf('\n', at) + 1, text: `new ${i}\nsecond\n` });
    }
    const diff = await soon(() => unifiedDiff('x', text, edits));
    expect(diff.length).toBeGreaterThan(text.length);
    expectApplies([{ text, edits }]);
  });

  test('names are relative to the working directory where they lie below it', () => {
    expect(diffPath('/etc/httpd/a.conf', '/etc/httpd')).toBe('a.conf');
    expect(diffPath('/etc/httpd/a.conf', '/')).toBe('etc/httpd/a.conf');
    expect(diffPath('/etc/httpd2/a.conf', '/etc/httpd')).toBe('etc/httpd2/a.conf');
  });

  test('in colour marks the words that differ in lines with much in common, and no others', () => {
    const diff = unifiedDiff('x', 'MaxClients 150\nOrder allow,deny\n', [
      { start: 0, end: 10, text: 'MaxRequestWorkers' },
    ]);
    expect(colourDiff(diff).split('\n').slice(4, 6)).toEqual([
      '\x1b[31m-\x1b[7mMaxClients\x1b[27m 150\x1b[m',
      '\x1b[32m+\x1b[7mMaxRequestWorkers\x1b[27m 150\x1b[m',
    ]);
    const other = unifiedDiff('x', 'Order allow,deny\nAllow from all\n', [
      { start: 0, end: 31, text: 'Require all granted' },
    ]);
    expect(colourDiff(other)).not.toContain('\x1b[7m');
    const plainAgain = colourDiff(diff).replace(/\x1b\[[0-9]*m/g, '');
    expect(plainAgain).toBe(diff);
  });

  test('in colour', () => {
    const diff = unifiedDiff('x', '--a\nb\n', [{ start: 0, end: 3, text: '++' }]);
    expect(colourDiff(diff)).toMatchInlineSnapshot(`
     "[1mdiff --git a/x b/x[m
     [1m--- a/x[m
     [1m+++ b/x[m
     [36m@@ -1,2 +1,2 @@[m
     [31m---a[m
     [32m+++[m
      b
     "
    `);
  });
});

function file(name: string, text: string): ConfigFile {
  return { path: `/w/${name}`, name, role: 'server', document: parse(text), directories: [] };
}

function outcome(over: Partial<Outcome> & { file: ConfigFile }): Outcome {
  return {
    rule: 'r',
    at: 0,
    level: 'error',
    safety: 'safe',
    message: 'm',
    edits: [],
    status: 'applied',
    ...over,
  };
}

function result(
  files: readonly ConfigFile[],
  outcomes: readonly Outcome[],
  plan: RunResult['plan'] = [],
): RunResult {
  const tree = {
    files,
    roots: files,
    htaccess: [],
    unreached: [],
    unvisited: [],
    includes: new Map(),
    isServer: true,
  } as unknown as ConfigTree;
  return { tree, outcomes, plan };
}

const a = file('a.conf', 'one\n  two\n');
const b = file('b.conf', 'one\n');
const plain: TextOptions = {
  colour: false,
  width: undefined,
  isScreen: false,
  stage: 'planned',
  detail: 'normal',
  next: undefined,
  isSummed: false,
  failOn: 'error',
  transforms: [{ id: 'r', title: 'Old lines', why: '2.4 reads them in another way.' }],
};
const verbose = { ...plain, detail: 'verbose' } as const;
const quiet = { ...plain, detail: 'quiet' } as const;

describe('the text report', () => {
  test('says what changes, what becomes of the server, what to do in the order of the work, and what is assumed', () => {
    const run = result(
      [a, b],
      [
        outcome({ file: b, level: 'info', message: 'third', rule: 'x', safety: 'manual', status: 'none' }),
        outcome({ file: a, message: 'changed' }),
        outcome({ file: b, message: 'changed, assuming that', safety: 'review' }),
        outcome({ file: b, at: 1, message: 'narrowed', safety: 'strict' }),
        outcome({
          file: a,
          at: 6,
          level: 'warning',
          status: 'not-applied',
          why: 'overlaps with r2',
          message: 'second',
        }),
        outcome({ file: a, message: 'first', safety: 'manual', status: 'none' }),
        outcome({
          file: b,
          message: 'not there',
          level: 'warning',
          safety: 'manual',
          status: 'none',
          unread: true,
          rule: 'include',
        }),
      ],
      [{ file: a, edits: [], text: '' }],
    );
    expect(textReport(run, { ...plain, next: { text: 'write it', command: 'go' } }))
      .toBe(`Plan: 3 changes in 1 file, 3 to review, 2 blockers
2.4 does not start, or fails in places, until 1 of the 2 blockers (a.conf:1) is gone. Nobody new gets in; 1 place lets in fewer than 2.2 did (b.conf:1). 1 place could not be read, and may change that.
To do, in this order (! blocks)
 1 ! b.conf:1: not there
 2 ! a.conf:1: first
     $ httpd-codemod rules r
 3   Old lines (a.conf:2, b.conf:1); the first: second (not applied: overlaps with r2)
     $ httpd-codemod rules r
 4   write it
     $ go
Assumed (if one is wrong, --answer KEY=no leaves its changes out)
  ~ r: b.conf:1: changed, assuming that
Good to know: 1 note (b.conf:1), and what 1 rule changed; -v lists all of it
`);
    expect(textReport(run, quiet)).toBe(` 1 ! b.conf:1: not there
 2 ! a.conf:1: first
     $ httpd-codemod rules r
 3   Old lines (a.conf:2, b.conf:1); the first: second (not applied: overlaps with r2)
     $ httpd-codemod rules r
`);
    const state = { kind: '2.2' as const, text: 'a server of 2.2', evidence: 'MaxClients at a.conf:1' };
    expect(textReport({ ...run, state }, plain)).toMatch(
      /^This is a server of 2\.2 \(MaxClients at a\.conf:1\)\nPlan: /,
    );
  });

  test('findings that ask for the same are one item, whatever their rules, and say what they are about', () => {
    const task = { text: 'install builds of these', option: '--modules FILE' };
    const asking = { safety: 'manual', status: 'none' } as const;
    const run = result(
      [a, b],
      [
        outcome({ ...asking, file: a, message: 'no jk', task: { ...task, subject: 'jk' } }),
        outcome({
          ...asking,
          file: a,
          at: 6,
          message: 'no mono',
          rule: 'x',
          task: { ...task, subject: 'mono' },
        }),
        outcome({
          ...asking,
          file: b,
          level: 'warning',
          message: 'no perl',
          task: { ...task, subject: 'perl' },
        }),
        outcome({ ...asking, file: b, message: 'by the rule' }),
      ],
    );
    const transforms = [{ ...plain.transforms[0]!, task: () => ({ text: 'say it' }) }];
    const commandWith = (option: string): string => `it ${option} a.conf`;
    expect(textReport(run, { ...quiet, transforms, commandWith }))
      .toBe(` 1 ! install builds of these: jk (a.conf:1), mono (a.conf:2), perl (b.conf:1)
     $ it --modules FILE a.conf
 2 ! say it: b.conf:1
     $ httpd-codemod rules r
`);
    const text = textReport(run, { ...verbose, transforms });
    for (const line of [
      '! a.conf:1:1: error: no jk [r]',
      '! a.conf:2:3: error: no mono [x]',
      '? b.conf:1:1: warning: no perl [r]',
      '! b.conf:1:1: error: by the rule [r]',
    ])
      expect(text).toContain(`\n     ${line}\n`);
  });

  test('places of a file are listed together, by line, and those left out are counted by what they are about', () => {
    const at = (file: ConfigFile, offset: number): Outcome => outcome({ file, at: offset });
    const places = [at(a, 6), at(b, 0), at(a, 0)];
    expect(placesText(places, 3)).toBe('a.conf:1, 2, b.conf:1');
    const subjectOf = ({ file }: Outcome): string => (file === a ? 'x' : 'y');
    expect(placesText(places, 1, { subjectOf })).toBe('x (a.conf:1) and 1 more');
    expect(placesText(places, 2, { subjectOf })).toBe('x (a.conf:1, 2), y (b.conf:1)');
    const many = file('many.conf', 'x\n'.repeat(40));
    expect(placesText([...places, at(many, 0), at(many, 2)], 2, { subjectOf })).toBe(
      'x (a.conf:1), y (b.conf:1) and 3 more',
    );
  });

  test('no user has more of the places that are named than another', () => {
    const at = (path: string, role: ConfigFile['role'] = 'htaccess'): Outcome =>
      outcome({ file: { ...file(path, 'x\n'), path, role }, at: 0 });
    const theirs = Array.from({ length: 1000 }, (_, i) => at(`/home/mallory/public_html/d${i}/.htaccess`));
    const others = ['u1', 'u2', 'u3'].map((user) => at(`/home/${user}/public_html/a/b/.htaccess`));
    const all = [...theirs, ...others, at('/srv/shared/.htaccess'), at('/etc/httpd.conf', 'server')];
    const text = placesText(all, 5);
    for (const name of [
      '/etc/httpd.conf:1',
      '/srv/shared/.htaccess:1',
      '/home/mallory/public_html/d0/.htaccess:1',
      '/home/u1/',
      '/home/u2/',
    ])
      expect(text).toContain(name);
    expect(text).toContain(' and 1000 more');
    expect(placesText(all, 6)).toContain('/home/u3/');
  });

  test('an item that several findings share says why a change of them was not made, unless its words do', () => {
    const task = { text: 'say who may get in' };
    const left = outcome({ file: b, status: 'not-applied', why: 'GET / gets in', message: 'changed', task });
    const asked = outcome({ file: a, safety: 'manual', status: 'none', message: 'no form', task });
    const items = (last: Outcome): string => textReport(result([a, b], [asked, last]), quiet);
    expect(items(left)).toMatch(
      /^ 1 ! say who may get in: a\.conf:1, b\.conf:1; b\.conf:1 is left as it was: GET \/ gets in\n/,
    );
    expect(items({ ...left, task: { ...task, saysWhy: true } })).not.toMatch(/left as it was/);
    expect(items({ ...left, status: 'none', safety: 'manual' })).not.toMatch(/left as it was/);
  });

  test('what waits for other blockers stands behind them', () => {
    const asking = { safety: 'manual', status: 'none', level: 'error' } as const;
    const waiting = outcome({
      ...asking,
      file: a,
      message: 'later',
      task: { text: 'run this again', waits: true },
    });
    const asked = outcome({ ...asking, file: b, message: 'no form', task: { text: 'say it' } });
    const items = textReport(result([a, b], [waiting, asked]), quiet)
      .split('\n')
      .filter((line) => line.startsWith(' 1') || line.startsWith(' 2'));
    expect(items).toEqual([' 1 ! say it: b.conf:1', ' 2 ! run this again: a.conf:1']);
  });

  test('fits on a screen: at most seven items, the others are one, and what need not be acted on gives way first', () => {
    const words = 'words '.repeat(30).trim();
    const rules = Array.from({ length: 30 }, (_, i) => `rule-${i}`);
    const transforms = rules.map((id) => ({ id, title: `Old lines of ${id}`, why: words }));
    const runOf = (blocking: number, asking: number): RunResult =>
      result(
        [a],
        [
          ...rules.map((rule) =>
            outcome({
              file: a,
              rule,
              level: 'info',
              safety: 'manual',
              message: `know ${rule}`,
              status: 'none',
            }),
          ),
          ...rules.map((rule) =>
            outcome({ file: a, rule, safety: 'review', message: `assume ${rule} ${words}` }),
          ),
          ...rules
            .slice(0, blocking)
            .map((rule) =>
              outcome({ file: a, rule, safety: 'manual', message: `act ${rule} ${words}`, status: 'none' }),
            ),
          ...rules.slice(0, asking).map((rule) =>
            outcome({
              file: a,
              rule,
              level: 'warning',
              safety: 'manual',
              message: `look ${rule} ${words}`,
              status: 'none',
            }),
          ),
        ],
      );
    const options = {
      ...plain,
      transforms,
      width: 80,
      isScreen: true,
      next: { text: 'write', command: 'go' },
    };
    for (const [blocking, asking] of [
      [3, 0],
      [30, 30],
      [30, 0],
      [0, 30],
      [6, 1],
      [5, 2],
    ] as const) {
      const run = runOf(blocking, asking);
      const lines = textReport(run, options).split('\n').slice(0, -1);
      expect(lines.length).toBeLessThanOrEqual(30 + (blocking === 30 ? 5 : 0));
      expect(lines.filter((line) => /^ \d /.test(line)).length).toBeLessThanOrEqual(7);
      expect(lines.join('\n')).toContain(' write\n     $ go\n');
      const text = lines.join(' ').replaceAll(/ +/g, ' ');
      for (const rule of rules.slice(0, blocking))
        expect(text).toMatch(new RegExp(`act ${rule}\\b|more that blocks?: [^$]*\\b${rule}\\b`));
      const all = textReport(run, { ...options, detail: 'verbose' });
      for (const rule of rules) expect(all).toContain(`i a.conf:1:1: know ${rule} [${rule}]`);
    }
  });

  test('names a place of each rule in the item for all others, as long as the screen has room', () => {
    const rules = Array.from({ length: 12 }, (_, i) => `rule-${i}`);
    const run = result(
      [a],
      rules.map((rule) =>
        outcome({ file: a, rule, safety: 'manual', message: `act ${rule}`, status: 'none' }),
      ),
    );
    const transforms = rules.map((id) => ({ id, title: `Old lines of ${id}`, why: '' }));
    const text = textReport(run, { ...plain, transforms, width: 80, isScreen: true }).replaceAll(
      /\n? +/g,
      ' ',
    );
    expect(text).toContain('look at 6 points more that block: rule-6 (a.conf:1), rule-7 (a.conf:1)');
  });

  test('says in the verdict what a warning, or a blocker of another rule, is about', () => {
    const open = { file: a, safety: 'manual', status: 'none' } as const;
    const verdictOf = (...outcomes: Outcome[]): string =>
      textReport(result([a], outcomes), plain).split('\n')[1]!;
    expect(verdictOf(outcome({ ...open, level: 'warning', needsModule: true }))).toBe(
      'Nothing keeps 2.4 from starting once it has the modules for a.conf:1. Nobody new gets in and nobody loses access.',
    );
    expect(verdictOf(outcome({ ...open, level: 'warning', changesAccess: true }))).toBe(
      'Nothing keeps 2.4 from starting. Nobody new gets in and nobody loses access, but look whether that holds at a.conf:1.',
    );
    expect(verdictOf(outcome({ ...open, changesAccess: true }))).toBe(
      'Nothing keeps 2.4 from starting. Who gets in is open at 1 place.',
    );
    expect(verdictOf(outcome({ ...open, changesAccess: true, stops: true }))).toBe(
      '2.4 may not start yet. Who gets in is open at 1 place.',
    );
    const text = textReport(
      result(
        [a],
        [
          outcome({ ...open, rule: 'x', message: 'refused' }),
          outcome({ ...open, rule: 'y', message: 'who', changesAccess: true }),
        ],
      ),
      plain,
    );
    expect(text.indexOf('who')).toBeLessThan(text.indexOf('refused'));
  });

  test('in a pipe keeps all places of what blocks, and tells what is assumed by key and place where there are too many rows', () => {
    const said = (count: number, message: string, of: Partial<Outcome>): Outcome[] =>
      Array.from({ length: count }, (_, i) =>
        outcome({
          file: a,
          at: i % 2 ? 6 : 0,
          rule: `${message}-${i}`,
          message: `${message} ${i}: ${'so '.repeat(50)}`,
          ...of,
        }),
      );
    const asked = said(4, 'act', { safety: 'manual', status: 'none' });
    const report = (count: number): string =>
      textReport(result([a], [...asked, ...said(count, 'assume', { safety: 'review' })]), {
        ...plain,
        width: 80,
      });
    const [short, long] = [report(2), report(6)];
    expect(short).toContain('  ~ assume-1: a.conf:2: assume 1: so so');
    expect(long.replaceAll(/\n +/g, ' ')).toContain(
      'Assumed, as -v says: assume-0 (a.conf:1), assume-2 (a.conf:1), assume-4',
    );
    expect(long).not.toContain('so so so\n  ~');
    for (const text of [short, long]) expect(text.match(/act \d: so/g)).toHaveLength(4);
  });

  test('what is assumed of many places is named once, with how many there are', () => {
    const assumed = Array.from({ length: 20 }, (_, i) =>
      outcome({
        file: a,
        at: i,
        safety: 'review',
        message: `moved ${i}`,
        assuming: {
          assumptions: [{ key: 'served-as', text: `www/s${i} is /srv/s${i}`, remedy: undefined }],
          message: 'moved',
        },
      }),
    );
    for (const width of [80, undefined]) {
      const text = textReport(result([a], assumed), { ...plain, ...(width && { width, isScreen: true }) });
      expect(text).toMatch(/as -v says: served-as \(\d+\)\n/);
    }
  });

  test('in full says what to do where the message does not, once for all that are told', () => {
    const open = { safety: 'manual', status: 'none', file: a, remedy: 'write it anew' } as const;
    const text = textReport(
      result([a], [outcome({ ...open, message: 'x' }), outcome({ ...open, message: 'y' })]),
      verbose,
    );
    expect(text.split('\n').filter((line) => line === '         do: write it anew')).toHaveLength(1);
    expect(text.indexOf('do: ')).toBeLessThan(text.indexOf('error: y'));
    expect(text.match(/why: 2\.4 reads them in another way\./g)).toHaveLength(1);
  });

  test('is short: what says the same is told once, and counts say how many there are', () => {
    const many = file('many.conf', 'x\n'.repeat(40));
    const at = (line: number): number => (line - 1) * 2;
    const lines = Array.from({ length: 40 }, (_, i) => i + 1);
    const run = result(
      [many, b],
      [
        ...lines.map((line) =>
          outcome({ file: many, at: at(line), safety: 'manual', message: `act ${line}`, status: 'none' }),
        ),
        ...lines.map((line) =>
          outcome({
            file: many,
            at: at(line),
            safety: 'manual',
            level: 'warning',
            message: 'look',
            status: 'none',
          }),
        ),
        ...lines.map((line) =>
          outcome({
            file: many,
            at: at(line),
            safety: 'manual',
            level: 'info',
            message: `know ${line}`,
            status: 'none',
          }),
        ),
        outcome({ file: b, level: 'warning', safety: 'manual', message: 'look', status: 'none' }),
      ],
    );
    expect(textReport(run, { ...plain, width: 100, isScreen: true }))
      .toBe(`Plan: no changes in 2 files, 1 to review, 40 blockers
2.4 does not start, or fails in places, until 40 blockers are gone. Nobody new gets in and nobody
  loses access.
To do, in this order (! blocks)
 1 ! Old lines (many.conf:1, 2, 3, 4, 5 and 35 more (-v)); the first: act 1
     $ httpd-codemod rules r
 2   many.conf:1, 2, 3, 4, b.conf:1 and 36 more (-v): look
     $ httpd-codemod rules r
Good to know: 40 notes (many.conf:1, 2, 3 and 37 more places); -v lists all of it
`);
    const all = textReport(run, verbose);
    for (const line of lines)
      for (const message of [
        `! many.conf:${line}:1: error: act ${line} [r]`,
        `i many.conf:${line}:1: know ${line} [r]`,
      ])
        expect(all).toContain(message);
    for (const line of lines)
      expect(all).toMatch(new RegExp(`look .*many\\.conf:${line}[,)]|many\\.conf:${line}:1: warning: look`));
  });

  test('names each file before a second line of one, and as many places as a screen has room for', () => {
    const files = Array.from({ length: 9 }, (_, i) => file(`${i}/.htaccess`, 'x\n'.repeat(9)));
    const outcomes = files.flatMap((each) =>
      [0, 2, 4].map((at) => outcome({ file: each, at, safety: 'manual', message: 'look', status: 'none' })),
    );
    const placesIn = (of: typeof outcomes, width: number | undefined): string =>
      / {2}! (.*): look|$/.exec(
        textReport(result(files, of), { ...plain, width, isScreen: width !== undefined })
          .replaceAll(/\n {5}(?=\S)/g, ' ')
          .replace(' 1 !', '  !'),
      )![1] ?? '';
    expect(placesIn(outcomes, 100)).toBe(
      '0/.htaccess:1, 1/.htaccess:1, 2/.htaccess:1, 3/.htaccess:1, 4/.htaccess:1 and 22 more (-v)',
    );
    expect(placesIn(outcomes.slice(0, 9), 100)).toBe(
      '0/.htaccess:1, 2, 1/.htaccess:1, 2, 2/.htaccess:1 and 4 more (-v)',
    );
    expect(placesIn(outcomes.slice(0, 6), 100)).toBe('0/.htaccess:1, 2, 3, 1/.htaccess:1, 2, 3');
    // A file and a pipe have no rows, and nobody reads a long list there.
    expect(placesIn(outcomes, undefined)).toMatch(/^0\/\.htaccess:1, .* and 22 more \(-v\)$/);
  });

  test('on a screen names a long directory once, and is never broken inside a word; a command can be copied', () => {
    const home = '/srv/copies/of/the/old/server';
    const [x, y] = [
      file(`${home}/etc/x.conf`, 'x\n'),
      file(`${home}/${'deep/'.repeat(18)}y.conf`, 'y\n'),
    ] as const;
    const task = { text: 'look there', option: '--look' };
    const outcomes = [x, y].map((each) =>
      outcome({ file: each, safety: 'manual', message: 'm', status: 'none', task }),
    );
    const commandWith = (option: string): string => `httpd-codemod ${option} ${home} ${home}`;
    const run = result([x, y], outcomes);
    const options = { ...plain, width: 80, isScreen: true, commandWith };
    const text = textReport(run, options);
    expect(text).toBe(`In ${home}
Plan: no changes in 2 files, 0 to review, 1 blocker
2.4 does not start, or fails in places, until 1 blocker is gone. Nobody new gets
  in and nobody loses access.
To do, in this order (! blocks)
 1 ! look there: etc/x.conf:1,
     deep/deep/deep/deep/deep/deep/deep/deep/deep/deep/deep/deep/deep/deep/deep/
     deep/deep/deep/y.conf:1
     $ httpd-codemod --look /srv/copies/of/the/old/server \\
       /srv/copies/of/the/old/server
`);
    const quoted = "'/srv/a long name with blanks in it/and another/x.conf'";
    const command = (isScreen: boolean, given: string): string =>
      textReport(run, { ...options, isScreen, commandWith: () => `httpd-codemod ${given}` }).split('$ ')[1]!;
    expect(command(true, `--look ${quoted} --pin-defaults`)).toBe(
      `httpd-codemod --look \\\n       ${quoted} --pin-defaults\n`,
    );
    expect(command(false, `${home} ${'deep/'.repeat(18)}`)).toBe(
      `httpd-codemod ${home} \\\n       ${'deep/'.repeat(18)}\n`,
    );
    // A pipe has whole names, and so has what a word is a part of.
    expect(textReport(run, { ...options, isScreen: false })).toContain(`: ${home}/etc/x.conf:1,`);
    const told = outcome({
      file: x,
      safety: 'manual',
      message: `not ${home}/a but /mnt${home}/b`,
      status: 'none',
    });
    expect(textReport(result([x, y], [told]), { ...options, width: 200 })).toContain(
      `etc/x.conf:1: not a but /mnt${home}/b`,
    );
    expect(textReport(result([file('/etc/a/x.conf', 'x\n')], []), options)).not.toContain('In /etc');
  });

  test('heads findings by what holds wherever their rule speaks: virtual hosts without any NameVirtualHost line', () => {
    const host = (name: string, port: number): string =>
      `<VirtualHost *:${port}>\nServerName ${name}\n</VirtualHost>\n`;
    const conf = `Listen 80\nListen 8080\nLoadModule authz_default_module m\n${host('a', 80)}${host('b', 80)}${host('c', 8080)}${host('d', 8080)}`;
    const text = textReport(
      convertFiles({ '/w/httpd.conf': conf }, ['/w/httpd.conf'], { rules: ['name-virtual-host'] }),
      {
        ...quiet,
        transforms: allRules,
      },
    );
    expect(text).toMatch(
      /^ 1 ! Virtual hosts that share an address are always told apart by name \(\S+:7, 13\); the first: /m,
    );
    // Behind a name that no line has room for, the sign does not begin a line of its own.
    const paths = ['v', 'w'].map((letter) => `/${letter.repeat(90)}.conf`);
    const files = Object.fromEntries(paths.map((path, i) => [path, 'Order allow,deny\n'.repeat(i + 1)]));
    const long = textReport(convertFiles(files, paths, { rules: ['order-allow-deny'] }), {
      ...quiet,
      transforms: allRules,
      width: 80,
    });
    expect(long).toMatch(/\.conf:1\);\n +the first: /);
  });

  test('lists every change if it is asked for', () => {
    const run = result(
      [a, b],
      [
        outcome({ file: a, message: 'old' }),
        outcome({ file: b, message: 'old' }),
        outcome({ file: a, at: 6, message: 'other' }),
      ],
    );
    expect(textReport(run, verbose).split('\n').slice(2, 6)).toEqual([
      'Changed, by rule',
      '  + r: 3 changes in 2 files, exact  Old lines',
      '     + a.conf:1:1: old (also: b.conf:1) [r]',
      '     + a.conf:2:3: other [r]',
    ]);
  });

  test('says once what changes assume, and what would show it', () => {
    const assuming = {
      assumptions: [{ key: 'listening', text: 'nobody listens', remedy: 'give /var/www too' }],
      message: 'done',
    };
    const review = { message: 'done, assuming that nobody listens', safety: 'review', assuming } as const;
    const run = result(
      [a, b],
      [
        outcome({ file: a, ...review, status: 'applied' }),
        outcome({ file: b, ...review, status: 'applied' }),
        outcome({ file: b, ...review, status: 'not-applied' }),
      ],
    );
    const report = textReport(run, verbose);
    expect(report).toContain('\n     ~ a.conf:1:1: done (also: b.conf:1) [r]\n');
    expect(report).toContain('\n  ~ listening: nobody listens (2 changes; give /var/www too)\n');
    expect(report).toContain(
      '\n     ! b.conf:1:1: error: done, assuming that nobody listens (not applied) [r]\n',
    );
  });

  test('puts nothing together that differs in more than its place', () => {
    const base = { file: a, message: 'm', status: 'none', safety: 'manual' } as const;
    const equalOutcomes = [
      base,
      { ...base, rule: 'other' },
      { ...base, level: 'warning' },
      { ...base, safety: 'review', status: 'not-applied' },
      { ...base, status: 'not-applied' },
      { ...base, status: 'not-applied', why: 'x' },
      { ...base, status: 'not-applied', why: 'y' },
      { ...base, level: 'info' },
      { ...base, level: 'info', file: b, status: 'applied' },
    ] as const;
    const entries = (outcomes: readonly Outcome[]): readonly string[] =>
      textReport(result([a, b], outcomes), verbose).match(/^ *[+~!?i] (?!r: ).*$/gm) ?? [];
    expect(entries(equalOutcomes.map(outcome))).toHaveLength(equalOutcomes.length);
    expect(entries(equalOutcomes.map(outcome)).join('\n')).not.toContain('also');
    expect(entries([...equalOutcomes, ...equalOutcomes].map(outcome))).toHaveLength(equalOutcomes.length);
  });

  test.each([
    [0, [], 'planned', 'Plan: no changes in 2 files, 0 to review, 0 blockers'],
    [1, ['warning'], 'planned', 'Plan: 2 changes in 1 file, 1 to review, 0 blockers'],
    [2, ['error', 'info'], 'written', 'Written: 2 changes in 2 files, 0 to review, 1 blocker (a.conf:1)'],
  ] as const)('%d changed, open: %j', (changed, open, stage, line) => {
    const plan = [a, b].slice(0, changed).map((changedFile) => ({ file: changedFile, edits: [], text: '' }));
    const outcomes = [
      ...open.map((level, i) =>
        outcome({ file: a, safety: 'manual', status: 'none', level, message: `m${i}` }),
      ),
      ...plan.flatMap(() => outcome({ file: a })),
      ...(changed === 1 ? [outcome({ file: a })] : []),
    ];
    expect(planLine(result([a, b], outcomes, plan), { transforms: [], stage })).toBe(line);
  });

  test('what a person must resolve at the level of --fail-on is for them to do', () => {
    const run = result(
      [a],
      [outcome({ file: a, level: 'info', message: 'm', safety: 'manual', status: 'none' })],
    );
    expect(textReport(run, quiet)).toBe('');
    expect(textReport(run, { ...quiet, failOn: 'info' })).toMatch(/^ 1 {3}a\.conf:1: m\n/);
  });

  test('fits the terminal: paragraphs are broken between words, and cut where a screen has no place', () => {
    const message = 'many words that say a lot '.repeat(8).trim();
    const run = result(
      [a, b],
      [
        outcome({ file: a, message, safety: 'manual', status: 'none' }),
        outcome({ file: b, message: `${message}!`, level: 'info', safety: 'manual', status: 'none' }),
      ],
    );
    expect(textReport(run, { ...plain, width: 0, isScreen: true })).toBe(
      textReport(run, { ...plain, width: 40, isScreen: true }),
    );
    for (const width of [40, 80, 160]) {
      const report = textReport(run, { ...plain, width, isScreen: width !== undefined });
      expect(Math.max(...report.split('\n').map((line) => line.length))).toBeLessThanOrEqual(width);
      expect(report).toMatch(/ 1 ! a\.conf:1: many words[^]* \.\.\.\n|lot\n/);
      const all = textReport(run, { ...verbose, width });
      expect(Math.max(...all.split('\n').map((line) => line.length))).toBeLessThanOrEqual(width);
      expect(all.replace(/\n +/g, ' ')).toContain(`error: ${message} [r]`);
      expect(
        textReport(run, { ...plain, width, isScreen: true, colour: true }).replace(/\x1b\[[0-9;]*m/g, ''),
      ).toBe(report);
    }
  });

  test('never lets a control character through, in any part', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 12 }), (array) => {
        const control = Buffer.from(array).toString('latin1') + '\x1b]0;x\x07\xc2\x9b\n';
        const changedFile = file(control, 'x\n');
        const run = result(
          [changedFile],
          [
            outcome({
              file: changedFile,
              message: control,
              why: control,
              rule: control,
              status: 'not-applied',
            }),
          ],
        );
        const report = textReport(run, plain);
        expect(report.match(/\n/g)).toHaveLength(4);
        expect(Buffer.from(report, 'latin1').toString('utf8')).not.toMatch(
          /[\0-\x09\x0b-\x1f\x7f-\x9f\ufffd]/,
        );
      }),
    );
  });

  test('shows UTF-8 as it is and latin1 as what it means', () => {
    expect(oneLine('caf\xc3\xa9')).toBe('caf\xc3\xa9');
    expect(oneLine('caf\xe9')).toBe('caf\xc3\xa9');
    expect(oneLine('a\x1b[31m\x7f\t\n\u2028'.replace(/[^\0-\xff]/g, ''))).toBe('a\\x1b[31m\\x7f\\x09\\n');
    const turning = Buffer.from('+a\u202eb\u2066c\u061c\u2028\n').toString('latin1');
    expect(manyLines(turning)).toBe('+a\\u{202e}b\\u{2066}c\\u{61c}\\u{2028}\n');
    expect(manyLines('a\x1b[0m\r\nb\rc\td\n\xe9\xc2\x9b')).toBe('a^[[0m\r\nb^Mc\td\n\xc3\xa9\xc3\x82\\x9b');
  });
});

describe('the JSON report', () => {
  const run = (text: string): RunResult => {
    const changedFile = file('caf\xe9.conf', text);
    const edits = [{ start: 0, end: 1, text: '\xc3\xa9' }];
    return result(
      [changedFile, b],
      [outcome({ file: changedFile, edits, message: '\xe9\x7f\xc2', group: 'g' })],
      [{ file: changedFile, edits, text: '' }],
    );
  };

  test('is valid UTF-8, whatever the bytes', () => {
    const json = [
      ...jsonReport(run('x\n'), {
        transforms: plain.transforms,
        exitStatus: 1,
        hash: (text) => `of ${text.length}`,
        diffs: new Map([['/w/caf\xe9.conf', '+\xff\n']]),
      }),
    ].join('');
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes(json));
    expect(text).not.toMatch(/[\0-\x09\x0b-\x1f\x7f-\x9f]/);
    expect(JSON.parse(text)).toEqual({
      version: 1,
      verdict: [
        'Plan: 1 change in 1 file (+1 -1 lines), 0 to review, 0 blockers',
        'Nothing keeps 2.4 from starting. Nobody new gets in and nobody loses access.',
      ],
      tasks: [],
      assumptions: [],
      unvisited: [],
      files: [
        { path: 'caf\xe9.conf', sha256: 'of 2', changed: true, diff: '+\xff\n' },
        { path: 'b.conf', sha256: expect.stringMatching(/^of [0-9]+$/) as string, changed: false },
      ],
      findings: [
        {
          rule: 'r',
          path: 'caf\xe9.conf',
          line: 1,
          column: 1,
          offset: 0,
          level: 'error',
          safety: 'safe',
          status: 'applied',
          state: 'applied',
          assumes: [],
          blocker: false,
          message: '\xe9\x7f\xc2',
          group: 'g',
          edits: [{ start: 0, end: 1, text: '\xe9' }],
        },
      ],
      summary: {
        filesRead: 2,
        filesChanged: 1,
        errors: 1,
        warnings: 0,
        infos: 0,
        changes: 1,
        toReview: 0,
        blockers: 0,
      },
      exitStatus: 1,
    });
  });

  test('decodes UTF-8 where it is valid, else latin1', () => {
    expect(decode('\xc3\xa9')).toBe('\xe9');
    expect(decode('\xe9')).toBe('\xe9');
    expect(decode('\xef\xbb\xbfa')).toBe('\ufeffa');
  });
});

test('very many findings about one thing are one item', () => {
  const result = convertFiles({ '/etc/httpd/httpd.conf': 'Options +Foo\n'.repeat(150_000) });
  expect(result.outcomes).toHaveLength(150_000);
  expect(textReport(result, plain)).toContain(' more (-v): 2.4 refuses "+Foo"');
});

test('a line as long as its file is shown in part, and blanks in it take no time', async () => {
  const options: TextOptions = { ...plain, detail: 'verbose' };
  for (const line of [
    `Foo${' '.repeat(200_000)}x`,
    `<% Foo {${' '.repeat(200_000)}x`,
    `Foo ${'10.1.2.3 '.repeat(50_000)}`,
  ]) {
    const report = await soon(() =>
      textReport(convertFiles({ '/w/.htaccess': `${line}\n` }, ['/w/.htaccess']), options),
    );
    expect(report.length).toBeLessThan(10_000);
  }
});
