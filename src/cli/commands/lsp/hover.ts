import { agreement } from '../../../ask';
import type { ConfigFile } from '../../../config/types';
import type { Outcome, RunResult, Transform } from '../../../engine/types';
import { findDirective, isIn24 } from '../../../httpd/directives';
import { NEWEST } from '../../../httpd/release';
import { saysAccess } from '../../../lsp/access-lines';
import { type AudienceTable } from '../../../report';
import type { Directive, Node, Section } from '../../../syntax';
import { isAt } from './fixes';
import { isShown, messageText, readable } from './editor-findings';

/** What is known of a line of a file, as Markdown; undefined where nothing is. @param line from 0 */
export function hoverText(
  result: RunResult,
  file: ConfigFile,
  line: number,
  transforms: readonly Transform[],
  audience: () => AudienceTable | undefined,
): string | undefined {
  const { document } = file;
  const found = result.outcomes.filter((outcome) => isShown(outcome) && isAt(outcome, file, line, line));
  const chain = nodesAt(document.body, (at) => document.positionAt(at).line - 1, line);
  const isAboutAccess = chain.some(saysAccess) || (file.role === 'htaccess' && chain.length < 2);
  const parts = [
    ...found.map((outcome) => findingText(outcome, transforms)),
    ...(isAboutAccess ? [audienceMarkdown(audience())] : []),
    ...(found.length === 0 ? [directiveText(chain.at(-1))] : []),
  ].filter((part) => part !== '');
  return parts.length === 0 ? undefined : parts.join('\n\n---\n\n');
}

/** The section around a line, the section in that, and so on, down to the line. */
function nodesAt(body: readonly Node[], lineOf: (at: number) => number, line: number): readonly Node[] {
  const node = body.find(
    ({ start, end }) => lineOf(start) <= line && lineOf(Math.max(start, end - 1)) >= line,
  );
  if (node === undefined) return [];
  return node.kind === 'section' ? [node, ...nodesAt(node.body, lineOf, line)] : [node];
}

function findingText(outcome: Outcome, transforms: readonly Transform[]): string {
  const transform = transforms.find(({ id }) => id === outcome.rule);
  return [
    `**${outcome.level}**: ${plain(messageText(outcome))}`,
    ...(outcome.remedy === undefined || outcome.remedy === ''
      ? []
      : [`Do: ${plain(readable(outcome.remedy))}`]),
    ...(transform === undefined
      ? []
      : [`\`${transform.id}\`: ${plain(transform.title)}. ${plain(transform.why)}`]),
  ].join('\n\n');
}

/** Who gets in, as a table with both versions' answers. */
export function audienceMarkdown(table: AudienceTable | undefined): string {
  if (table === undefined) return '';
  const { section, request, columns, rows } = table;
  const cell = (text: string): string => plain(readable(text));
  const answers = rows.map(({ client, cells }) =>
    [
      cell(client),
      ...cells.map(({ before, after }) => (before === after ? before : `**2.2: ${before}, 2.4: ${after}**`)),
    ].join(' | '),
  );
  return [
    `Who gets in: ${cell(section)} (${cell(request)})`,
    '',
    `| from | ${columns.map(cell).join(' | ')} |`,
    `|${' --- |'.repeat(columns.length + 1)}`,
    ...answers.map((row) => `| ${row} |`),
    '',
    agreement(table),
  ].join('\n');
}

/** Text of which nothing is Markdown or HTML, and that can still be read where neither is drawn. */
function plain(text: string): string {
  return text.replace(/[\\`*<[|]/g, '\\$&');
}

/** Which modules of each version have a directive. */
function directiveText(node: Node | undefined): string {
  if (node?.kind !== 'directive' && node?.kind !== 'section') return '';
  const info = findDirective((node satisfies Directive | Section).key);
  if (info === undefined) return '';
  const modules = (owners: readonly string[]): string =>
    owners
      .map((name) => `mod_${name}`)
      .join(', ')
      .replace('mod_core', 'core');
  const now = isIn24(info, NEWEST) ? modules(info.owners24) : 'not there';
  const before = info.owners22.length > 0 ? modules(info.owners22) : 'not there';
  return `${info.section ? `\`<${info.name}>\`` : `\`${info.name}\``}: 2.2: ${before}; 2.4: ${now}`;
}
