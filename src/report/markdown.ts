import {
  briefMessage,
  type ContentOptions,
  contentOf,
  type LogContent,
  type MergedFinding,
  notAppliedText,
  omittedTexts,
  otherPlaces,
  placeText,
  type ReportedRun,
  stateWord,
  type TaskOfRun,
} from './content';
import { encode, plural, shownLine, shownText } from './encoding';

export interface MarkdownOptions extends ContentOptions {
  /** The unified diffs of the files that change: byte strings. */
  readonly diffs: readonly string[];
  /** The files are for 2.2 and 2.4. */
  readonly isDual?: boolean;
  /** Why the run could not be done, a line each: byte strings. */
  readonly trouble?: readonly string[];
}

/** GitHub refuses a comment of more than 65,536 characters, and GitLab one of a million. */
const MAX_DIFFS = 40_000;
const MAX_ENTRIES = 50;

/** The run as GitHub's Markdown, for a comment on a pull request. In UTF-8, as a byte string. */
export function markdownReport(result: ReportedRun, options: MarkdownOptions): string {
  const { trouble = [], transforms, isDual = false } = options;
  if (trouble.length > 0)
    return encode(
      `### httpd 2.2 to 2.4: the run could not be done\n\n${trouble.map((line) => `- ${markdownText(line)}\n`).join('')}`,
    );
  const { state, verdict, log, questions, steps, assumptions, assumed, known, done } = contentOf(
    result,
    options,
  );
  // To write the changes is nothing that a reader of a pull request has to do: how to is told at the end.
  const isWriting = (task: TaskOfRun): boolean =>
    !task.isBlocker && / --write(?: |$)/.test(task.command ?? '');
  const tasks = [...questions, ...steps].filter((task) => !isWriting(task));
  const writing = steps.filter(isWriting);
  // Which files the run was given, its reader cannot change.
  const facts = known.filter(({ outcome: { rule } }) => rule !== 'include');
  const rules = new Map(transforms.map((rule) => [rule.id, rule]));
  const assumptionTexts = [
    ...assumptions.map(({ text, brief = text, told = brief, findings }) => markdownText(`${told} (${plural(findings, 'change')})`)),
    ...assumed.map((finding) => entry(finding, 'change to review')),
  ]; // prettier-ignore
  const reasons = done.map(({ rule, files, changes, assumed: assuming, strict }) => {
    const { title = rule, why = '' } = rules.get(rule) ?? {};
    const counts = [
      `${plural(changes, 'change')} in ${plural(files, 'file')}`,
      ...(assuming > 0
        ? [`${assuming === changes ? 'right' : `${assuming} of them right`} if the assumptions hold`]
        : []),
      ...(strict > 0 ? [`${strict === changes ? '' : `${strict} of them `}stricter than 2.2 was`] : []),
    ];
    return `**${plainOf(title)}** (${counts.join('; ')}): ${plainOf(why)} ${markdownCode(rule)}`;
  });
  return encode(
    [
      isDual ? `### httpd 2.2 and 2.4\n` : `### httpd 2.2 to 2.4\n`,
      state === undefined ? '' : `${markdownText(`${state.text} (${state.evidence})`)}\n`,
      `**${markdownText(verdict[0])}**<br>**${markdownText(verdict[1])}**\n`,
      isDual && result.plan.length > 0 ? `${FOR_BOTH}\n` : '',
      reasons.length === 0 ? '' : reasonsText(reasons),
      log === undefined ? '' : logText(log),
      tasks.length === 0 ? '' : `#### To do, in this order\n\n${tasks.map(taskText).join('')}`,
      result.tree.unvisited.length < 2
        ? ''
        : list(
            result.tree.unvisited.slice(1).map(({ name, message }) => markdownText(`${name}: ${message}`)),
          ),
      assumptionTexts.length === 0 ? '' : `#### Assumed: right if this is true\n\n${list(assumptionTexts)}`,
      facts.length === 0
        ? ''
        : folded(
            `Good to know: ${facts.length}`,
            list(facts.map((finding) => withoutOptions(entry(finding, 'worth knowing')))),
          ),
      diffText(options.diffs, result.outcomes.flatMap(removedTexts)),
      ...writing.map(
        ({ text, command = '' }) =>
          `To make these changes: ${markdownCode(command)} (${markdownText(text)}).\n`,
      ),
    ]
      .filter((text) => text !== '')
      .join('\n'),
  );
}

/** A text without what only whoever runs the program can do about it: `(--comments rewrites …)`. */
function withoutOptions(text: string): string {
  return text.replace(/ \(--[a-z][^()]*\)/g, '');
}

/** Why each rule changes what it does: whoever reads a pull request asks that first. Folded where it is much to read. */
function reasonsText(reasons: readonly string[]): string {
  if (reasons.length > FEW)
    return folded(`What changes, and why: ${plural(reasons.length, 'rule')}`, list(reasons));
  return `#### What changes, and why\n\n${list(reasons)}`;
}

/** What whoever maintains files for both versions asks first. */
const FOR_BOTH =
  'Both versions read these files: what only 2.2 knows stands in blocks that 2.4 passes over, and the lines for 2.4 stand beside them where what both read is not enough.';

/** What the log says, with the lines that show it. */
function logText({ verdict, entries }: LogContent): string {
  const remarks = entries.map(
    ({ text, examples }) =>
      `${markdownText(text)}${examples.map((example) => `<br>${markdownCode(example)}`).join('')}`,
  );
  return `**${markdownText(verdict)}**\n${remarks.length === 0 ? '' : `\n${list(remarks)}`}`;
}

/** An item with the places of what it is about, and each finding under it, folded where they are many. */
function taskText({ text, command, isBlocker, findings, isOfFirst, where }: TaskOfRun): string {
  const places = where(FEW);
  const at = places === '' ? '' : ` (${markdownCode(places)})`;
  const typed = command === undefined ? '' : `<br>${markdownCode(command)}`;
  const head = `1. ${isBlocker ? '**blocker** ' : ''}${markdownText(text)}${at}${typed}`;
  if (isOfFirst && findings.length === 1) return `${head}\n`;
  const heading = isBlocker ? 'blocker' : 'to do';
  const [only] = findings;
  if (only !== undefined && findings.length === 1) return `${head}<br>${itemEntry(only, heading)}\n`;
  // What all of them ask for is said once.
  const remedies = new Set(findings.map(({ outcome: { remedy } }) => remedy));
  const [shared] = remedies.size === 1 ? remedies : [undefined];
  const asked = shared === undefined ? '' : `<br>Do: ${markdownText(shared)}`;
  const entries = list(
    findings.map((finding) => (shared === undefined ? itemEntry : entry)(finding, heading)),
  )
    .replace(/^/gm, '   ')
    .trimEnd();
  if (findings.length === 0) return `${head}\n`;
  return `${head}${asked}\n\n   <details><summary>${plural(findings.length, 'finding')}</summary>\n\n${entries}\n\n   </details>\n`;
}

/** Places that an item names. */
const FEW = 5;

function itemEntry(finding: MergedFinding, heading: string): string {
  const { remedy } = finding.outcome;
  return remedy === undefined
    ? entry(finding, heading)
    : `${entry(finding, heading)}<br>Do: ${markdownText(remedy)}`;
}

/** @param heading the word for what all findings here ask of the reader, which need not be said again */
function entry(finding: MergedFinding, heading: string): string {
  const { outcome } = finding;
  const places = otherPlaces(finding, MAX_ENTRIES);
  const also = places === '' ? '' : ` (also: ${markdownText(places)})`;
  const word = stateWord(outcome);
  return `${word === heading ? '' : `**${word}** `}${markdownCode(placeText(outcome))}: ${markdownText(briefMessage(outcome) + notAppliedText(outcome))}${also} ${markdownCode(outcome.rule)}`;
}

function list(entries: readonly string[]): string {
  const shown = entries.slice(0, MAX_ENTRIES).map((text) => `- ${text}\n`);
  const more = entries.length > shown.length ? `- and ${entries.length - shown.length} more\n` : '';
  return `${shown.join('')}${more}`;
}

function folded(summary: string, body: string): string {
  return `<details><summary>${summary}</summary>\n\n${body}\n</details>\n`;
}

/** What a change takes away without anything in its place, with the reason: words and lines of it, or all that it is about. */
function removedTexts(outcome: ReportedRun['outcomes'][number]): readonly string[] {
  const { status, edits, omitted } = outcome;
  const removesAll = omitted === undefined && edits.length > 0 && edits.every(({ text }) => text === '');
  return status === 'applied' && removesAll
    ? [`${placeText(outcome)}: ${briefMessage(outcome)}`]
    : omittedTexts(outcome);
}

/** @param omitted what the diffs leave out, with the reason: a reader of the diff asks for it */
function diffText(diffs: readonly string[], omitted: readonly string[]): string {
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
  const reasons = omitted.length === 0 ? '' : `Left out:\n\n${list(omitted.map(markdownText))}\n`;
  return folded(
    `Diff of ${plural(diffs.length, 'file')}`,
    `${reasons}${fence}diff\n${text}${fence}\n${more}`,
  );
}

/** A fence that no line of the text ends. */
function fenceFor(text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((ticks) => ticks.length));
  return '`'.repeat(longest + 1);
}

/** A byte string as a span of code, in which nobody is mentioned. */
export function markdownCode(bytes: string): string {
  return `<code>${plainOf(shownText(bytes))}</code>`;
}

/**
 * A byte string as text. GitHub looks for mentions and numbers of issues in what the Markdown has become, where an entity is the
 * character itself: a space without width stands behind that.
 */
export function markdownText(bytes: string): string {
  return plainOf(shownText(bytes)).replace(/&#(?:64|35);/g, '$&&#8203;');
}

/**
 * What Markdown, HTML or a link is made of, so that plain sentences stay as they are: a colon before `//` or in `:name:`, an
 * underscore at the edge of a word, a plus sign at the beginning.
 */
const SPECIAL = /[&<>@#|\\`*[\]~]|:(?=\/\/|[\w+-]+:)|(?<![a-z0-9])_|_(?![a-z0-9])|^\+|(?<=\bwww)\./gi;

/** Decoded text without Markdown, HTML or the beginning of a link; `|` would end a table's cell even in code. */
function plainOf(text: string): string {
  return text.replace(SPECIAL, (char) => `&#${char.charCodeAt(0)};`);
}
