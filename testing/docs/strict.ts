import { type LifeSpan, nameOf } from '../../src/httpd/release';
import { LOST_STATUSES, NEW_STATUSES, STATUS_SOURCE22, STATUS_SOURCE24 } from '../../transforms/arguments/status-code-refused';
import { STRICT_ROWS } from '../../transforms/arguments/strict-argument';
import type { StrictArgument } from '../../transforms/arguments/strict-argument-rows';
import { COMPARED, type Compared } from './compared';

/**
 * The page of arguments that 2.4 checks more strictly than 2.2.
 * @param link a rule's id as a link to its page
 */
export function strictPage(link: (id: string) => string): string {
  return [
    '# Arguments that 2.4 checks more strictly',
    '',
    'These directives exist in both versions, but some or all releases of 2.4 refuse arguments that 2.2 accepts, or read them differently. A test tries each example on the installed httpd.',
    '',
    `## What ${link('strict-argument')} reports`,
    '',
    ...STRICT_ROWS.flatMap(section),
    `## What ${link('status-code-refused')} reports`,
    '',
    `ErrorDocument and the flag R of RewriteRule go by one table of status codes in each version. 2.2: ${code(STATUS_SOURCE22)}. 2.4: ${code(STATUS_SOURCE24)}.`,
    '',
    '| Status | Accepted by 2.2 | Refused by |',
    '| --- | --- | --- |',
    ...LOST_STATUSES.map((status) => `| ${status.code} | yes | ${span(status)} |`),
    '',
    `Conversely, 2.2 refuses ${NEW_STATUSES.join(', ')}, which 2.4 accepts (451 since 2.4.21, the others since 2.4.3). No configuration for 2.2 has them, so there is nothing to report. Redirect accepts any number in both versions.`,
    '',
    '## What was compared',
    '',
    'The functions that read the arguments were compared between 2.2.34 and 2.4.62, and between 2.4.62 and 2.4.68. For 2.4.69 to 2.4.71, CHANGES and the answers of the server were used. Not compared: regular expressions, and what exists for OS/2, BeOS and NetWare only.',
    '',
    ...[...new Set(COMPARED.map(({ file }) => file))].flatMap((file) => table(file, link)),
  ].join('\n').trimEnd() + '\n';
}

function section(row: StrictArgument): string[] {
  return [
    `### ${titleOf(row)}`,
    '',
    '```apache',
    ...row.examples,
    '```',
    '',
    `- 2.2 ${plain(row.in22)} (${code(row.source22)}).`,
    `- 2.4 ${plain(row.in24)} (${code(row.source24)}).`,
    '',
  ];
}

function titleOf(row: StrictArgument): string {
  const names = [...row.names, ...(row.sections ?? []).map((name) => `\\<${name}>`)];
  const always = row.since === undefined && row.until === undefined;
  return `${names.join(', ')}${always ? '' : `, ${span(row)}`}`;
}

function table(file: string, link: (id: string) => string): string[] {
  const rows = COMPARED.filter((row) => row.file === file);
  return [
    `### ${file}`,
    '',
    '| Function | Directives | Verdict |',
    '| --- | --- | --- |',
    ...rows.map(({ name, directives, verdict }) => `| ${code(name)} | ${directives} | ${verdictText(verdict, link)} |`),
    '',
  ];
}

function verdictText(verdict: Compared['verdict'], link: (id: string) => string): string {
  switch (verdict.kind) {
    case 'same':
      return 'the same';
    case 'read':
      return 'differs, but 2.4 refuses no more than 2.2';
    case 'stricter':
      return `2.4 accepts less: ${link(verdict.rule)}`;
  }
}

function span({ since = 1, until }: LifeSpan): string {
  return until === undefined ? `since ${nameOf(since)}` : `${nameOf(since)} to ${nameOf(until)}`;
}

const code = (text: string): string => (/[_(]/.test(text) ? `\`${text}\`` : text);

const plain = (text: string): string => text.replace(/[<>|*]/g, '\\$&');
