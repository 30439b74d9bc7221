import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { shareOf } from '../../testing/run/size';
import { type Outcome, type RunOptions, type RunResult } from '../../src/engine';
import { readingOf } from '../../src/config';
import { needsPerson } from '../../src/report';
import { parse } from '../../src/syntax';
import { configtestAll } from '../../testing/httpd/check';
import { faults, judgingRelease } from '../../testing/httpd/release';
import { convertFiles, textAfter } from '../../testing/run/convert';

const HOME = join(__dirname, '../../__fixtures__/transforms');
const ROOT = '/srv/fixture';

interface Fixture {
  readonly id: string;
  readonly rule: string;
  /** Absolute path in memory → latin1 text. */
  readonly input: Readonly<Record<string, string>>;
  readonly output: Readonly<Record<string, string>>;
  readonly findings: unknown;
  /** What the run is asked for: the case's `options.json`, as the library takes it. */
  readonly options: RunOptions;
}

const read = (path: string): string => readFileSync(path, 'latin1');
const exists = (path: string): boolean => statSync(path, { throwIfNoEntry: false }) !== undefined;

function readTree(directory: string): Record<string, string> {
  const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return Object.fromEntries(
    files.map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return [join(ROOT, relative(directory, path)), read(path)];
    }),
  );
}

function readFixture(rule: string, name: string): Fixture {
  const home = join(HOME, rule, name);
  const single = exists(join(home, 'input.conf'));
  return {
    id: `${rule}/${name}`,
    rule,
    input: single
      ? { [`${ROOT}/input.conf`]: read(join(home, 'input.conf')) }
      : readTree(join(home, 'input')),
    output: single
      ? { [`${ROOT}/input.conf`]: read(join(home, 'output.conf')) }
      : readTree(join(home, 'output')),
    findings: exists(join(home, 'findings.json')) ? JSON.parse(read(join(home, 'findings.json'))) : [],
    options: exists(join(home, 'options.json'))
      ? (JSON.parse(read(join(home, 'options.json'))) as RunOptions)
      : {},
  };
}

const fixtures = readdirSync(HOME).flatMap((rule) =>
  readdirSync(join(HOME, rule)).map((name) => readFixture(rule, name)),
);

/** A tree is given as its root directory, a lone file by its name. */
const convert = (files: Readonly<Record<string, string>>, options: RunOptions): RunResult =>
  convertFiles(files, `${ROOT}/input.conf` in files ? Object.keys(files) : [ROOT], options);

const describeFinding = (one: Outcome, single: boolean): unknown => ({
  rule: one.rule,
  level: one.level,
  safety: one.safety,
  ...(single ? {} : { path: relative(ROOT, one.file.path) }),
  line: one.file.document.positionAt(one.at).line,
  message: one.message,
});

const mapTexts = (
  files: Readonly<Record<string, string>>,
  map: (text: string) => string,
): Record<string, string> =>
  Object.fromEntries(Object.entries(files).map(([path, text]) => [path, map(text)]));

function expectOutput(
  input: Readonly<Record<string, string>>,
  output: Readonly<Record<string, string>>,
  options: RunOptions,
): void {
  const result = convert(input, options);
  expect(result.failure).toBeUndefined();
  for (const [path, text] of Object.entries(output))
    expect([path, textAfter(result, path) ?? input[path]]).toEqual([path, text]);
}

const crlf = (text: string): string => text.replace(/\n/g, '\r\n');
const bom = (text: string): string => `\xEF\xBB\xBF${text}`;
const unended = (text: string): string => text.replace(/\n$/, '');
const commented = (text: string): string => text.replace(/^/gm, '# ').replace(/# $/, '');
/** Names in capitals, except where the name is a word of something else. */
const shouting = (text: string): string => text.replace(/^([ \t]*<?\/?)([A-Za-z]+)(?=[ \t>\r\n])/gm, (_, lead: string, name: string) => lead + name.toUpperCase()); // prettier-ignore

const withoutDual = (options: RunOptions): RunOptions =>
  Object.fromEntries(Object.entries(options).filter(([name]) => name !== 'dual'));

const isSettled = ({ outcomes }: RunResult): boolean =>
  !outcomes.some((one) => one.level === 'error' && needsPerson(one));

describe.each(fixtures)('$id', ({ rule, input, output, findings, options }) => {
  const raw = Object.values(input).some((text) => /\r|\\\\?\n|^\xEF\xBB\xBF|<(?:Perl|Macro|Lua)/i.test(text));

  test('output and findings', () => {
    expectOutput(input, output, options);
    const single = `${ROOT}/input.conf` in input;
    const found = convert(input, options).outcomes.filter((one) => one.rule === rule);
    expect(found.map((one) => describeFinding(one, single))).toEqual(findings);
  });

  test('a second run changes nothing', () => {
    expect(convert(output, options).plan).toEqual([]);
  });

  test('CRLF', () => {
    if (!raw) expectOutput(mapTexts(input, crlf), mapTexts(output, crlf), options);
    else expect(convert(mapTexts(input, crlf), options).failure).toBeUndefined();
  });

  test('byte order mark', () => {
    if (!raw) expectOutput(mapTexts(input, bom), mapTexts(output, bom), options);
    else expect(convert(mapTexts(input, bom), options).failure).toBeUndefined();
  });

  test('no final line end', () => {
    const single = Object.values(output).every((text, i) => text !== '' && Object.values(input)[i] !== '');
    if (!raw && single) expectOutput(mapTexts(input, unended), mapTexts(output, unended), options);
    else expect(convert(mapTexts(input, unended), options).failure).toBeUndefined();
  });

  test('names in capitals', () => {
    const loud = mapTexts(input, shouting);
    const result = convert(loud, options);
    for (const [path, text] of Object.entries(output))
      expect((textAfter(result, path) ?? loud[path])?.toLowerCase()).toBe(text.toLowerCase());
  });

  test('for both versions, 2.2 reads what it read', () => {
    const result = convert(input, { ...options, dual: true });
    expect(result.failure).toBeUndefined();
    const plain = convert(input, withoutDual(options));
    const whole = result.outcomes.every(
      (one, i) => one.status === plain.outcomes[i]?.status && one.message === plain.outcomes[i]?.message,
    );
    for (const [path, text] of Object.entries(input)) {
      // What is read without being configuration never changes.
      const after = textAfter(result, path) ?? text;
      expect(readingOf(parse(after, '2.2'), '2.2')).toEqual(readingOf(parse(text, '2.2'), '2.2'));
      const plain24 = readingOf(parse(textAfter(plain, path) ?? text, '2.4'), '2.4');
      if (whole) expect(readingOf(parse(after, '2.4'), '2.4')).toEqual(plain24);
    }
  });

  test('inside comments nothing happens', () => {
    if (raw) return expect(convert(mapTexts(input, commented), options).failure).toBeUndefined();
    return expect(convertFiles(mapTexts(input, commented), undefined, options).plan).toEqual([]);
  });
});

test('what is converted without a word passes the configuration test of a real 2.4', async () => {
  const path = `${ROOT}/input.conf`;
  const single = fixtures.filter(({ output }) => path in output);
  const target = judgingRelease();
  const plain = single.flatMap(({ id, input, options }) => {
    const result = convert(input, { ...options, target });
    return isSettled(result) ? [{ id, text: textAfter(result, path)! }] : [];
  });
  const dual = shareOf(single).flatMap(({ id, input, options }) => {
    const result = convert(input, { ...options, target, dual: true });
    const text = textAfter(result, path);
    const changed = result.plan.length > 0 && isSettled(result) && text !== undefined;
    return changed ? [{ id: `${id} --dual`, text }] : [];
  });
  const cases = [...plain, ...dual];
  expect(cases.length).toBeGreaterThan(200);
  // The test has places of its own: a fixture's are on no machine that runs the tests.
  const verdicts = await configtestAll(
    cases.map(({ id, text }) => ({
      id,
      text: text.replace(/^[ \t]*(?:ServerRoot|DocumentRoot) .*\n/gim, ''),
    })),
  );
  expect(
    faults(
      [...verdicts].filter(([, { ok }]) => !ok),
      cases.length,
    ),
  ).toEqual([]);
}, 300_000);
