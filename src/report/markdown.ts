import type { Level, Transform } from '../engine/types';
import {
  briefMessage,
  type MergedFinding,
  type ReportedRun,
  partsOf,
  placeText,
  notAppliedText,
  stateWord,
} from './content';
import { encode, plural, shownLine, shownText } from './encoding';
import { planLine } from './terminal';

export interface MarkdownOptions {
  readonly transforms: readonly Pick<Transform, 'id' | 'title' | 'why'>[];
  readonly failOn: Level | 'never';
  /** The changes are on disk already. */
  readonly isWritten: boolean;
  /** The unified diffs of the files that change: byte strings. */
  readonly diffs: readonly string[];
  /** Why the run could not be done, a line each: byte strings. */
  readonly trouble?: readonly string[];
}

/** GitHub refuses a comment of more than 65,536 characters, and GitLab one of a million. */
const MAX_DIFFS = 40_000;
const MAX_ENTRIES = 50;

/** The run as GitHub's Markdown, for a comment on a pull request. In UTF-8, as a byte string. */
export function markdownReport(result: ReportedRun, options: MarkdownOptions): string {
  const { trouble = [], transforms, failOn, isWritten } = options;
  if (trouble.length > 0)
    return encode(
      `### httpd 2.2 to 2.4: the run could not be done\n\n${trouble.map((line) => `- ${textOf(line)}\n`).join('')}`,
    );
  const parts = partsOf(result, failOn);
  const ruleOf = (id: string): MarkdownOptions['transforms'][number] | undefined => transforms.find((transform) => transform.id === id); // prettier-ignore
  const questions = [
    ...parts.questions.map((finding) => {
      const why = ruleOf(finding.outcome.rule)?.why;
      const { remedy } = finding.outcome;
      const lines = [remedy === undefined ? '' : `Do: ${textOf(remedy)}`, why === undefined ? '' : `<sub>${plainOf(why)}</sub>`]; // prettier-ignore
      return [entry(finding), ...lines.filter((line) => line !== '')].join('<br>');
    }),
    ...result.tree.unvisited.map(({ name, message }) => textOf(`${name}: ${message}`)),
  ];
  const assumed = [
    ...parts.assumptions.map(({ text, remedy, findings }) => textOf(`${text} (${findings} of the changes${remedy === undefined ? '' : `; ${remedy}`})`)),
    ...parts.assumed.map(entry),
  ]; // prettier-ignore
  const rows = parts.done.map(
    ({ rule, files, changes, assumed: assuming, strict }) =>
      `| ${codeOf(rule)} | ${plainOf(ruleOf(rule)?.title ?? '')} | ${files} | ${changes - assuming - strict} | ${assuming} | ${strict} |\n`,
  );
  const table = `| Rule | What it finds | Files | Exact | Assumed | Strict |\n| --- | --- | ---: | ---: | ---: | ---: |\n${rows.join('')}`;
  const scripted = parts.scripted.map(entry);
  const known = parts.known.flatMap(({ findings }) => findings.map(entry));
  return encode(
    [
      `### httpd 2.2 to 2.4\n\n**${textOf(planLine(result, isWritten ? 'written' : 'planned', parts.plan))}**\n`,
      questions.length === 0 ? '' : `#### For you to do\n\n${list(questions)}`,
      scripted.length === 0 ? '' : `#### Done by the script that \`--format sh\` prints\n\n${list(scripted)}`,
      rows.length === 0 ? '' : `#### Changes\n\n${table}`,
      assumed.length === 0 ? '' : `#### Assumed: right if this is true\n\n${list(assumed)}`,
      known.length === 0 ? '' : folded(`Worth knowing: ${known.length}`, list(known)),
      diffText(options.diffs),
    ]
      .filter((text) => text !== '')
      .join('\n'),
  );
}

function entry({ outcome, otherPlaces }: MergedFinding): string {
  const also = otherPlaces === '' ? '' : ` (also: ${textOf(otherPlaces)})`;
  return `**${stateWord(outcome)}** ${codeOf(placeText(outcome))}: ${textOf(briefMessage(outcome) + notAppliedText(outcome))}${also} ${codeOf(outcome.rule)}`;
}

function list(entries: readonly string[]): string {
  const shown = entries.slice(0, MAX_ENTRIES).map((text) => `- ${text}\n`);
  const more = entries.length > shown.length ? `- and ${entries.length - shown.length} more\n` : '';
  return `${shown.join('')}${more}`;
}

function folded(summary: string, body: string): string {
  return `<details><summary>${summary}</summary>\n\n${body}\n</details>\n`;
}

function diffText(diffs: readonly string[]): string {
  if (diffs.length === 0) return '';
  const shown: string[] = [];
  let length = 0;
  for (const diff of diffs) {
    length += diff.length;
    if (length > MAX_DIFFS) break;
    shown.push(diff.split('\n').map(shownLine).join('\n'));
  }
  const left = diffs.length - shown.length;
  const text = shown.join('');
  const fence = fenceFor(text);
  const more = left > 0 ? `\n${left} more: too long for a comment.\n` : '';
  return folded(`Diff of ${plural(diffs.length, 'file')}`, `${fence}diff\n${text}${fence}\n${more}`);
}

/** A fence that no line of the text ends. */
function fenceFor(text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((ticks) => ticks.length));
  return '`'.repeat(longest + 1);
}

/** A byte string as a span of code, in which nobody is mentioned. */
function codeOf(bytes: string): string {
  return `<code>${plainOf(shownText(bytes))}</code>`;
}

/**
 * A byte string as text. GitHub looks for mentions and numbers of issues in what the Markdown has become, where an entity is the character
 * itself: a space without width stands behind that.
 */
function textOf(bytes: string): string {
  return plainOf(shownText(bytes)).replace(/&#(?:64|35);/g, '$&&#8203;');
}

/** Decoded text in which no character is Markdown, HTML or the beginning of a link; `|` would end a cell of a table even in code. */
function plainOf(text: string): string {
  return text.replace(/[&<>"'@#:|\\`*_{}[\]+!~]|(?<=\bwww)\./gi, (char) => `&#${char.charCodeAt(0)};`);
}
