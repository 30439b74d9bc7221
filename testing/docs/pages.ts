import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTwoFilesPatch } from 'diff';
import type { Transform } from '../../src/engine';
import { INVENTORY_EXTRA, INVENTORY_IDS, type Row, SEED } from './coverage';
import { SHOWN } from './shown';
import { strictPage } from './strict';

const HOME = '__fixtures__/transforms';

/** The pages of docs/ by name, from what the rules say of themselves and from their fixtures. */
export function pages(transforms: readonly Transform[]): Map<string, string> {
  const result = new Map<string, string>();
  for (const transform of transforms) result.set(`rules/${transform.id}.md`, rulePage(transform));
  result.set('rules.md', ruleList(transforms));
  result.set('coverage.md', coveragePage(transforms));
  result.set('strict-arguments.md', strictPage(link(transforms)));
  return result;
}

function rulePage({ id, title, why, docs, directives, seed }: Transform): string {
  const lines = [`# ${escape(title)}`, '', `Rule \`${id}\`.`, '', escape(why), ''];
  if (directives.length > 0)
    lines.push(`Directives: ${directives.map((name) => `\`${name}\``).join(', ')}.`, '');
  if (seed.length > 0) lines.push(`Covers: ${seed.join(', ')}.`, '');
  lines.push(`See: ${docs.map(escape).join('; ')}.`, '');
  const cases = casesOf(id);
  const changed = cases.flatMap((name) => example(id, name));
  if (changed.length > 0) lines.push('## What it does', '', ...changed);
  const told = cases.flatMap((name) => telling(id, name));
  if (told.length > 0) lines.push('## What it says and leaves alone', '', ...told);
  const noops = cases.filter((name) => name.startsWith('noop-'));
  if (noops.length > 0)
    lines.push('## What is none of its business', '', ...noops.flatMap((name) => block(id, name)));
  return `${lines.join('\n').trimEnd()}\n`;
}

export function casesOf(rule: string): string[] {
  const home = join(HOME, rule);
  return existsSync(home) ? readdirSync(home).toSorted() : [];
}

const heading = (name: string): string => `### ${name.replace(/^noop-/, '').replace(/-/g, ' ')}`;

function example(rule: string, name: string): string[] {
  const home = join(HOME, rule, name);
  const names = existsSync(join(home, 'input.conf')) ? [''] : filesOf(join(home, 'input'));
  const patches = names.flatMap((file) => {
    const from = read(join(home, file === '' ? 'input.conf' : `input/${file}`));
    const to = read(join(home, file === '' ? 'output.conf' : `output/${file}`));
    if (from === to) return [];
    const patch = createTwoFilesPatch(file || '2.2', file || '2.4', from, to, undefined, undefined, {
      context: 2,
    });
    return [patch.split('\n').slice(1).join('\n').trimEnd()];
  });
  if (patches.length === 0) return [];
  return [heading(name), '', '```diff', printable(patches.join('\n')), '```', '', ...messages(rule, name)];
}

function telling(rule: string, name: string): string[] {
  if (name.startsWith('noop-') || example(rule, name).length > 0) return [];
  const said = messages(rule, name);
  return said.length === 0 ? [] : [...block(rule, name), ...said];
}

function block(rule: string, name: string): string[] {
  const path = join(HOME, rule, name, 'input.conf');
  if (!existsSync(path)) return [];
  return [heading(name), '', '```apache', printable(read(path).trimEnd()), '```', ''];
}

function messages(rule: string, name: string): string[] {
  const path = join(HOME, rule, name, 'findings.json');
  if (!existsSync(path)) return [];
  const findings = JSON.parse(readFileSync(path, 'utf8')) as { level: string; safety: string; message: string; line: number; path?: string }[]; // prettier-ignore
  const lines = findings.map(({ level, safety, message, line, path: file }) => `- ${file === undefined ? '' : `${file}, `}line ${line}, ${level}, ${safety}: ${escape(message)}`); // prettier-ignore
  return [...new Set(lines), ''];
}

function ruleList(transforms: readonly Transform[]): string {
  const rows = transforms.map(({ id, title }) => `| [\`${id}\`](rules/${id}.md) | ${escape(title)} |`);
  return ['# Rules', '', 'In the order in which their findings win where two overlap.', '', '| Rule | What it finds |', '| --- | --- |', ...rows, ''].join('\n'); // prettier-ignore
}

/** The rows with the rules that cover them; what a rule names in its `seed`, it covers. */
export function coverage(transforms: readonly Transform[]): (Row & { readonly rules: readonly string[] })[] {
  const extra = new Map(INVENTORY_EXTRA.map((row) => [row.id, row]));
  const inventory = INVENTORY_IDS.map((id) => {
    const own = transforms.filter(({ seed }) => seed.includes(id));
    const row = extra.get(id);
    return {
      ...row,
      id,
      what: row?.what ?? own.map(({ title }) => title).join('; '),
      rules: [...own.map((one) => one.id), ...(row?.rules ?? [])],
    };
  });
  return [...SEED.map((row) => ({ ...row, rules: row.rules ?? [] })), ...inventory];
}

/** The fixtures that show a row: those named for it, or all of its rules that change or say something. */
export function fixturesOf({
  id,
  rules,
  fixture,
}: Row & { readonly rules: readonly string[] }): readonly string[] {
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
    const shown = fixtures.slice(0, 3).map((name) => `\`${name}\``).join(', '); // prettier-ignore
    const more = fixtures.length > 3 ? ` and ${fixtures.length - 3} more` : '';
    return `| ${row.id} | ${escape(row.what)} | ${rules} | ${shown}${more} |`;
  });
  return ['# Coverage', '', 'Every change from 2.2 to 2.4 that the tool knows of, the rule that looks after it, and the fixtures that show it.', '', '| Id | What | Rule | Fixtures |', '| --- | --- | --- | --- |', ...rows, ''].join('\n'); // prettier-ignore
}

const link =
  (transforms: readonly Transform[]) =>
  (id: string): string =>
    transforms.some((one) => one.id === id) ? `[\`${id}\`](rules/${id}.md)` : `\`${id}\``;

function filesOf(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(directory.length + 1))
    .toSorted();
}

const read = (path: string): string => readFileSync(path, 'latin1');

/** Fixtures hold any bytes; a page is text. */
function printable(text: string): string {
  return text.replace(/\r/g, '').replace(/[^\n\t -~]/g, (char) => `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`); // prettier-ignore
}

function escape(text: string): string {
  return text.replace(/[<>|*_]/g, '\\$&').replace(/\n/g, ' ');
}
