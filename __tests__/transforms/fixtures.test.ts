import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunOptions, RunResult } from '../../src/engine';
import { readingOf } from '../../src/config';
import { applyEdits, sortEdits } from '../../src/edit';
import { parse } from '../../src/syntax';
import {
  type FixtureCase,
  casesOf,
  convertCase,
  describeFinding,
  HOME,
  readCase,
  readOptions,
  readTexts,
  unknownLines,
} from '../../testing/fixtures/case';
import { accessFirst } from '../../testing/access/sides';
import { convertFiles, textAfter } from '../../testing/run/convert';
import { shareOf } from '../../testing/run/size';

interface Fixture extends FixtureCase {
  readonly output: Readonly<Record<string, string>>;
  readonly findings: unknown;
}

function readFixture(rule: string, name: string): Fixture {
  const finding = readCase(rule, name);
  const findings = join(finding.folder, 'findings.json');
  return {
    ...finding,
    output: readTexts(finding.folder, finding.single, 'output'),
    findings: existsSync(findings) ? JSON.parse(readFileSync(findings, 'utf8')) : [],
  };
}

const fixtures = readdirSync(HOME).flatMap((rule) => casesOf(rule).map((name) => readFixture(rule, name)));

const mapTexts = (
  files: Readonly<Record<string, string>>,
  map: (text: string) => string,
): Record<string, string> =>
  Object.fromEntries(Object.entries(files).map(([path, text]) => [path, map(text)]));

function expectOutput(
  input: Readonly<Record<string, string>>,
  output: Readonly<Record<string, string>>,
  options: RunOptions,
  result = convertCase(input, options),
): void {
  expect(result.failure).toBeUndefined();
  for (const [path, text] of Object.entries(output))
    expect([path, textAfter(result, path) ?? input[path]]).toEqual([path, text]);
}

const crlf = (text: string): string => text.replace(/\n/g, '\r\n');
/** A start file is a script: a shell takes the mark for a part of the first word. */
const bom = (text: string): string => (/^[A-Z_0-9]+="/.test(text) ? text : `\xEF\xBB\xBF${text}`);
const unended = (text: string): string => text.replace(/\n$/, '');
const commented = (text: string): string => text.replace(/^/gm, '# ').replace(/# $/, '');
/** Names in capitals, except where the name is a word of something else. */
const inCapitals = (text: string): string =>
  text.replace(
    /^([ \t]*<?\/?)([A-Za-z]+)(?=[ \t>\r\n])/gm,
    (_, lead: string, name: string) => lead + name.toUpperCase(),
  );

const withoutDual = (options: RunOptions): RunOptions =>
  Object.fromEntries(Object.entries(options).filter(([name]) => name !== 'dual'));

describe.each(fixtures)('$id', ({ rule, single, input, output, findings, options }) => {
  test('output and findings', () => {
    expect(Object.keys(output).toSorted()).toEqual(Object.keys(input).toSorted());
    const result = convertCase(input, options);
    expectOutput(input, output, options, result);
    const found = result.outcomes.filter((finding) => finding.rule === rule);
    expect(found.map((finding) => describeFinding(finding, single))).toEqual(findings);
  });

  test('2.4 knows every directive that is left, or an error reports it', () => {
    expect(unknownLines(output, options)).toEqual([]);
  });
});

// Each run reads its result again: it reports a failure where that would change once more.
describe.each(shareOf(fixtures, 3))('$id again', ({ output, options }) => {
  test('a second run changes nothing', () => {
    expect(convertCase(output, options).plan).toEqual([]);
  });
});

describe.each(shareOf(fixtures, 10))('$id in other forms', ({ input, output, options }) => {
  const raw = Object.values(input).some((text) => /\r|\\\\?\n|^\xEF\xBB\xBF|<(?:Perl|Macro|Lua)/i.test(text));

  let known: RunResult | undefined;
  const asGiven = (): RunResult => (known ??= convertCase(input, options));

  test('CRLF', () => {
    if (!raw) expectOutput(mapTexts(input, crlf), mapTexts(output, crlf), options);
    else expect(convertCase(mapTexts(input, crlf), options).failure).toBeUndefined();
  });

  test('byte order mark', () => {
    if (!raw) expectOutput(mapTexts(input, bom), mapTexts(output, bom), options);
    else expect(convertCase(mapTexts(input, bom), options).failure).toBeUndefined();
  });

  test('no final line end', () => {
    const ends = Object.values(output).every((text, i) => text !== '' && Object.values(input)[i] !== '');
    if (!raw && ends) expectOutput(mapTexts(input, unended), mapTexts(output, unended), options);
    else expect(convertCase(mapTexts(input, unended), options).failure).toBeUndefined();
  });

  test('names in capitals', () => {
    const capitals = mapTexts(input, inCapitals);
    const result = convertCase(capitals, options);
    for (const [path, text] of Object.entries(output))
      expect((textAfter(result, path) ?? capitals[path])?.toLowerCase()).toBe(text.toLowerCase());
  });

  test('for both versions, 2.2 reads what it read', () => {
    const result = options.dual === true ? asGiven() : convertCase(input, { ...options, dual: true });
    expect(result.failure).toBeUndefined();
    const plain = options.dual === undefined ? asGiven() : convertCase(input, withoutDual(options));
    const whole = result.outcomes.every(
      (finding, i) =>
        finding.status === plain.outcomes[i]?.status && finding.message === plain.outcomes[i]?.message,
    );
    for (const [path, text] of Object.entries(input)) {
      // What is read without being configuration never changes.
      const after = textAfter(result, path) ?? text;
      // Some lines have one text that both versions take for the same.
      const forBoth = plain.outcomes.flatMap(({ forBoth: isForBoth, status, edits, file }) =>
        isForBoth === true && status === 'applied' && file.path === path ? edits : [],
      );
      const before = result.outcomes.some(
        (outcome) => outcome.forBoth === true && outcome.status === 'applied',
      )
        ? applyEdits(text, sortEdits(forBoth))
        : text;
      const [reads, read] = [after, before].map((side) => accessFirst(readingOf(parse(side, '2.2'), '2.2')));
      expect(reads).toEqual(read);
      const plain24 = readingOf(parse(textAfter(plain, path) ?? text, '2.4'), '2.4');
      if (whole) expect(readingOf(parse(after, '2.4'), '2.4')).toEqual(plain24);
    }
  });

  test('inside comments nothing happens', () => {
    if (raw) return expect(convertCase(mapTexts(input, commented), options).failure).toBeUndefined();
    return expect(convertFiles(mapTexts(input, commented), undefined, options).plan).toEqual([]);
  });
});

// The cases above run their own rule, and those that they name. Here all rules meet in each text.
describe.each(shareOf(fixtures, 10))('$id with all rules', ({ folder, rule, single, input, findings }) => {
  const given = readOptions(folder);
  const { rules: _, ...options } = given;

  test('nothing fails, and its own rule says the same', () => {
    const result = convertCase(input, options);
    expect(result.failure).toBeUndefined();
    const found = result.outcomes.filter((finding) => finding.rule === rule);
    // What runs on the result depends on the others by its nature: such cases name them.
    if (given.rules === undefined)
      expect(found.map((finding) => describeFinding(finding, single))).toEqual(findings);
  });
});
