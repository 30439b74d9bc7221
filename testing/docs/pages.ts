import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTwoFilesPatch } from 'diff';
import type { Transform } from '../../src/engine';
import { commandLinePage } from './cli';
import { CHANGES, type ChangeRow, EXTRA } from './coverage';
import { messagesPage } from './messages';
import { SHOWN } from './shown';
import { strictPage } from './strict';

const HOME = '__fixtures__/transforms';

/** The pages of docs/ by name, from what the rules say of themselves and from their fixtures. */
export function pages(transforms: readonly Transform[]): Map<string, string> {
  const result = new Map<string, string>();
  for (const transform of transforms) result.set(`rules/${transform.id}.md`, rulePage(transform));
  result.set('cli.md', commandLinePage(transforms));
  result.set('rules.md', ruleList(transforms));
  result.set('coverage.md', coveragePage(transforms));
  result.set('messages.md', messagesPage(transforms, escape));
  result.set('strict-arguments.md', strictPage(link(transforms)));
  return result;
}

/** A case of a page. */
interface PageCase {
  readonly name: string;
  readonly kind: 'changed' | 'reported' | 'left';
  readonly lines: readonly string[];
}

function rulePage({ id, title, why, docs, directives, changes }: Transform): string {
  const lines = [`# ${escape(title)}`, '', `Rule \`${id}\`.`, '', escape(why), ''];
  if (directives.length > 0)
    lines.push(`Directives: ${directives.map((name) => `\`${name}\``).join(', ')}.`, '');
  const all = casesOf(id).flatMap((name) => caseOf(id, name));
  const shown = chosen(id, all);
  for (const [kind, heading] of HEADINGS) {
    const some = shown.filter((shownCase) => shownCase.kind === kind);
    if (some.length > 0) lines.push(`## ${heading}`, '', ...some.flatMap((shownCase) => shownCase.lines));
  }
  lines.push('## Source', '');
  for (const doc of docs) lines.push(`- ${escape(doc)}`);
  for (const { id: change, title: changeTitle } of CHANGES)
    if (changes.includes(change)) lines.push(`- [${change}](../facts/changes.md#${change}): ${changeTitle}`);
  const total = casesOf(id).length;
  const rest = total - shown.length;
  lines.push('');
  if (total > 0)
    lines.push(rest > 0 ? `${rest} more cases are in \`${HOME}/${id}\`.` : `The cases are in \`${HOME}/${id}\`.`);
  return `${lines.join('\n').trimEnd()}\n`;
}

const HEADINGS = [
  ['changed', 'What it writes'],
  ['reported', 'What it reports and leaves unchanged'],
  ['left', 'What it leaves alone'],
] as const;

/** Cases on a page, at most. */
const MOST = 5;

/** The file that marks a case of a rule with many as one for its page. Its text stands above the case. */
export const MARKER = 'example.md';

/**
 * Cases for the page: those marked; without any, up to three that change something and one of each other kind, short ones first.
 */
function chosen(rule: string, all: readonly PageCase[]): readonly PageCase[] {
  const marked = all.filter(({ name }) => existsSync(join(HOME, rule, name, MARKER)));
  if (marked.length > 0) return marked.slice(0, MOST);
  if (all.length <= MOST) return all;
  const short = all.toSorted((a, b) => a.lines.join().length - b.lines.join().length);
  const ofKind = (kind: PageCase['kind']): PageCase[] => short.filter((shownCase) => shownCase.kind === kind);
  const first = [...ofKind('changed').slice(0, 3), ...ofKind('reported').slice(0, 1), ...ofKind('left').slice(0, 1)];
  const picked = new Set([...first, ...short].slice(0, first.length < MOST ? undefined : MOST));
  return [...picked].slice(0, MOST);
}

export function casesOf(rule: string): string[] {
  const folder = join(HOME, rule);
  return existsSync(folder) ? readdirSync(folder).toSorted() : [];
}

const heading = (rule: string, name: string): string[] => {
  const note = join(HOME, rule, name, MARKER);
  const text = existsSync(note) ? [readFileSync(note, 'utf8').trim(), ''] : [];
  return [`### ${name.replace(/^noop-/, '').replace(/-/g, ' ')}`, '', ...text];
};

/** A case as a page shows it: nothing, if it is a tree in which nothing changes. */
function caseOf(rule: string, name: string): PageCase[] {
  const patch = patchOf(rule, name);
  const messageLines = messages(rule, name);
  const head = heading(rule, name);
  if (patch !== undefined)
    return [{ name, kind: 'changed', lines: [...head, '```diff', patch, '```', '', ...messageLines] }];
  const path = join(HOME, rule, name, 'input.conf');
  const text = existsSync(path) ? ['```apache', printable(read(path).trimEnd()), '```', ''] : [];
  if (name.startsWith('noop-')) return text.length > 0 ? [{ name, kind: 'left', lines: [...head, ...text] }] : [];
  return messageLines.length > 0 ? [{ name, kind: 'reported', lines: [...head, ...text, ...messageLines] }] : [];
}

function patchOf(rule: string, name: string): string | undefined {
  const folder = join(HOME, rule, name);
  const names = existsSync(join(folder, 'input.conf')) ? [''] : filesOf(join(folder, 'input'));
  const patches = names.flatMap((file) => {
    const from = read(join(folder, file === '' ? 'input.conf' : `input/${file}`));
    const to = read(join(folder, file === '' ? 'output.conf' : `output/${file}`));
    if (from === to) return [];
    const patch = createTwoFilesPatch(file || '2.2', file || '2.4', from, to, undefined, undefined, {
      context: 2,
    });
    return [patch.replace(/^(?:Index: .*\n)?=+\n/, '').trimEnd()];
  });
  return patches.length === 0 ? undefined : printable(patches.join('\n'));
}

function messages(rule: string, name: string): string[] {
  const path = join(HOME, rule, name, 'findings.json');
  if (!existsSync(path)) return [];
  const findings = JSON.parse(readFileSync(path, 'utf8')) as { level: string; safety: string; message: string; line: number; path?: string }[];
  const lines = findings.map(({ level, safety, message, line, path: file }) => `- ${file === undefined ? '' : `${file}, `}line ${line}, ${level}, ${safety}: ${escape(message)}`);
  return [...new Set(lines), ''];
}

function ruleList(transforms: readonly Transform[]): string {
  const rows = transforms.map(({ id, title }) => `| [\`${id}\`](rules/${id}.md) | ${escape(title)} |`);
  return ['# Rules', '', 'In order of precedence: where the edits of two findings overlap, the earlier rule wins.', '', '| Rule | What it finds |', '| --- | --- |', ...rows, ''].join('\n');
}

/** A change, and who looks after it. */
export interface CoverageRow extends ChangeRow {
  readonly rules: readonly string[];
  readonly fixture?: string;
  readonly none?: string;
}

/** The changes with the rules that name them in their `changes`. */
export function coverage(transforms: readonly Transform[]): CoverageRow[] {
  const extra = new Map(EXTRA.map((row) => [row.id, row]));
  return CHANGES.map((change) => {
    const implementing = transforms.filter(({ changes }) => changes.includes(change.id));
    const more = extra.get(change.id);
    return { ...more, ...change, rules: [...implementing.map(({ id }) => id), ...(more?.rules ?? [])] };
  });
}

/** The fixtures that show a row: those named for it, or all of its rules that change or say something. */
export function fixturesOf({ id, rules, fixture }: CoverageRow): readonly string[] {
  if (fixture !== undefined) return [fixture];
  const shown = SHOWN[id];
  if (shown !== undefined) return shown;
  return rules.flatMap((rule) =>
    casesOf(rule)
      .filter((name) => !name.startsWith('noop-'))
      .map((name) => `${rule}/${name}`),
  );
}

function coveragePage(transforms: readonly Transform[]): string {
  const rows = coverage(transforms).map((row) => {
    const rules = row.rules.length > 0 ? row.rules.map(link(transforms)).join(', ') : (row.none ?? '');
    const fixtures = fixturesOf(row);
    const shown = fixtures.slice(0, 3).map((name) => `\`${name}\``).join(', ');
    const more = fixtures.length > 3 ? ` and ${fixtures.length - 3} more` : '';
    return `| [${row.id}](facts/changes.md#${row.id}) | ${row.title} | ${rules} | ${shown}${more} |`;
  });
  return ['# Coverage', '', 'The changes of [docs/facts/changes.md](facts/changes.md), the rules that look after each, and the fixtures that show it.', '', '| Id | What | Rule | Fixtures |', '| --- | --- | --- | --- |', ...rows, ''].join('\n');
}

const link =
  (transforms: readonly Transform[]) =>
  (id: string): string =>
    transforms.some((transform) => transform.id === id) ? `[\`${id}\`](rules/${id}.md)` : `\`${id}\``;

function filesOf(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(directory.length + 1))
    .toSorted();
}

const read = (path: string): string => readFileSync(path, 'latin1');

/** Fixtures hold any bytes; a page is text. */
function printable(text: string): string {
  return text.replace(/\r/g, '').replace(/[^\n\t -~]/g, (char) => `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`);
}

function escape(text: string): string {
  return text.replace(/[<>|*_]/g, '\\$&').replace(/\n/g, ' ');
}
