import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { RunResult } from '../../src/engine/types';
import { decode, jsonReport, oneLine, sortedOutcomes, textReport, type TextOptions } from '../../src/report';
import { isBlocker, placeText } from '../../src/report/content';
import { casesOf, convertCase, HOME, readCase } from '../../testing/fixtures/case';
import { convertFiles } from '../../testing/run/convert';
import { shareOf } from '../../testing/run/size';
import { transforms } from '../../transforms';

const options: TextOptions = {
  colour: false,
  width: 80,
  isScreen: true,
  detail: 'normal',
  isSummed: false,
  failOn: 'error',
  transforms,
  next: { text: 'write it' },
};

interface JsonDocument {
  readonly findings: readonly {
    path: string;
    line: number;
    rule: string;
    message: string;
    blocker: boolean;
  }[];
  readonly tasks: readonly { text: string; blocker: boolean; findings: readonly number[] }[];
}

const titleOf = (rule: string): string => transforms.find(({ id }) => id === rule)?.title ?? rule;

/** A text without the line breaks and blanks that a narrow terminal brings. */
const joined = (text: string): string => text.replaceAll(/\s+/g, ' ');

/** The items of the list of what to do, each as one line. */
const itemsOf = (text: string): readonly string[] =>
  text
    .split(/\n(?= \d )/)
    .slice(1)
    .map(joined);

/** What a report for people leaves out of a run, or says of it that is not so. */
function lost(result: RunResult): readonly string[] {
  const items = itemsOf(textReport(result, options));
  const verbose = textReport(result, { ...options, detail: 'verbose', width: undefined, isScreen: false });
  const document = [
    ...jsonReport(result, { ...options, exitStatus: 1, hash: () => '', diffs: new Map() }),
  ].join('');
  const { findings, tasks } = JSON.parse(document) as JsonDocument;
  const missing: string[] = [];
  for (const outcome of sortedOutcomes(result)) {
    const place = placeText(outcome);
    const { rule, level, file, at } = outcome;
    const { line } = file.document.positionAt(at);
    const miss = (where: string): void => void missing.push(`${where}: ${place} ${rule}`);
    const number = findings.findIndex(
      (finding) =>
        finding.line === line &&
        finding.rule === rule &&
        decode(file.name) === finding.path &&
        decode(outcome.message) === finding.message,
    );
    if (
      level !== 'info' &&
      !new RegExp(`${oneLine(place).replaceAll(/[^A-Za-z0-9/]/g, String.raw`\$&`)}[:,)]`).test(verbose)
    )
      miss('-v');
    if (level !== 'info' && number < 0) miss('json');
    if (!isBlocker(outcome)) continue;
    const task = tasks.find(({ findings: about }) =>
      about.some(
        (i) =>
          findings[i]!.line === line &&
          findings[i]!.rule === rule &&
          findings[i]!.path === findings[number]?.path,
      ),
    );
    if (task?.blocker !== true) miss('json tasks');
    // By its place; in an item that says how many places it leaves out; or in the item for the rest, by its rule.
    const itsItem = items.find(
      (item) =>
        item.includes('!') &&
        (item.includes(joined(task?.text ?? '').slice(0, 20)) || item.includes(` ${titleOf(rule)}, `)),
    );
    const isNamed =
      items.some((item) => item.includes(place)) ||
      (itsItem !== undefined &&
        (/ and \d+ more\b/.test(itsItem) || new RegExp(`[ (]${line}[,):;]* `).test(`${itsItem} `))) ||
      items.some(
        (item) =>
          /more that blocks?: /.test(item) &&
          (item.includes(` ${titleOf(rule)}`) || new RegExp(` ${rule}\\b`).test(item)),
      );
    if (!isNamed) miss('text');
  }
  return missing;
}

test('every error and warning is in the full text and in JSON, every blocker in the text that is printed unasked', () => {
  const rules = readdirSync(HOME);
  const cases = rules.flatMap((rule) => casesOf(rule).map((name) => [rule, name] as const));
  let blockers = 0;
  const missing = shareOf(cases).flatMap(([rule, name]) => {
    const { input, options: given } = readCase(rule, name);
    const result = convertCase(input, given);
    blockers += result.outcomes.filter(isBlocker).length;
    return lost(result).map((text) => `${join(rule, name)}: ${text}`);
  });
  expect(missing).toEqual([]);
  expect(blockers).toBeGreaterThan(20);
});

test('what stands in no place is counted: the counts of the items are those of the blockers', () => {
  const text = Array.from({ length: 60 }, (_, i) => `LoadModule x${i}_module modules/mod_x${i}.so`).join(
    '\n',
  );
  const files = { '/w/httpd.conf': `ServerRoot /w\nListen 80\nDocumentRoot /srv\n${text}\n` };
  const result = convertFiles(files, Object.keys(files));
  const brief = joined(textReport(result, options));
  const count = new Set(result.outcomes.filter(({ rule }) => rule === 'third-party-module').map(placeText))
    .size;
  expect(count).toBe(60);
  const [, named, more] = /or remove their lines: (.*?) and (\d+) more \(-v\) \$/.exec(brief)!;
  expect(named!.split(', ').length + Number(more)).toBe(60);
});
