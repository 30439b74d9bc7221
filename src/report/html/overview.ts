import type { ConfigFile } from '../../config/types';
import {
  briefMessage,
  type ContentOptions,
  contentOf,
  isBlocker,
  type MergedFinding,
  notAppliedText,
  otherPlaces,
  placeText,
  type ReportContent,
  type ReportedRun,
  sourceLine,
  stateOf,
  stateWord,
  type TaskOfRun,
} from '../content';
import { escapeMarkup, plural, shownLine } from '../encoding';
import { accessHtml } from './access';
import type { PageData } from './data';
import { htmlOf } from './escape';

export interface OverviewOptions extends ContentOptions {
  /** What remains to be run, as a script; undefined for nothing. A byte string. */
  readonly script: string | undefined;
  /** The number of a file in the list below the overview. */
  readonly fileNumbers: ReadonlyMap<ConfigFile, number>;
  /** What that list shows. */
  readonly data: PageData;
}

/** The part of the page for somebody who decides: what becomes of the server, what is left to do, how sure it is. HTML. */
export function overviewHtml(result: ReportedRun, options: OverviewOptions): string {
  const content = contentOf(result, options);
  const { state, verdict, plan } = content;
  const [changes, outcome] = verdict;
  return [
    state === undefined
      ? ''
      : `<p>${htmlOf(state.text)} <span class="dim">(${htmlOf(state.evidence)})</span></p>`,
    `<p class="verdict${plan.blockers.length > 0 ? ' blocker' : ''}"><strong>${htmlOf(changes)}</strong><br><strong>${htmlOf(outcome)}</strong></p>`,
    logHtml(content),
    tasksHtml(content, result, options),
    assumptions(content, options),
    accessHtml(options.data),
    known(content, options),
    rules(content, options),
    options.script === undefined
      ? ''
      : `<details><summary>The script of these steps</summary>\n<p>Read it, then run it in the directory of the server configuration, after the changes are written.</p>\n<pre tabindex="0">${options.script
          .split('\n')
          .map((line) => escapeMarkup(shownLine(line)))
          .join('\n')}</pre>\n</details>`,
  ].join('\n');
}

/** Findings of an item that are shown; the files below have all. */
const MAX_FINDINGS = 100;
/** Places that the head of an item names. */
const FEW = 8;

function logHtml({ log }: ReportContent): string {
  if (log === undefined) return '';
  const items = log.entries.map(({ mark, text, examples }) => {
    const shown = examples.map((example) => `<p class="code">${htmlOf(example)}</p>`).join('');
    return `<li class="${mark === '!' ? 'blocker' : mark === '?' ? 'open' : 'note'}"><p>${htmlOf(text)}</p>${shown}</li>`;
  });
  return `<h2>What the log says</h2>\n<p class="verdict${log.isAlarming ? ' blocker' : ''}"><strong>${htmlOf(log.verdict)}</strong></p>\n${items.length === 0 ? '' : `<ul class="questions">\n${items.join('\n')}\n</ul>`}`;
}

function tasksHtml(
  { questions, steps }: ReportContent,
  { tree }: ReportedRun,
  options: OverviewOptions,
): string {
  const tasks = [...questions, ...steps];
  if (tasks.length === 0) return '<h2 id="to-do">To do</h2>\n<p>Nothing.</p>';
  const explained = new Set<string>();
  const items = tasks.map((task) => taskHtml(task, explained, options));
  const places = tree.unvisited
    .slice(1)
    .map(({ name, message }) => `<li class="open"><p>${htmlOf(`${name}: ${message}`)}</p></li>`);
  return `<h2 id="to-do">To do, in this order</h2>\n<ol class="questions">\n${[...items, ...places].join('\n')}\n</ol>`;
}

/** One card for all that ask for the same. */
function taskHtml(
  { text, command, isBlocker: blocks, findings, isOfFirst, where }: TaskOfRun,
  explained: Set<string>,
  options: OverviewOptions,
): string {
  const mark = blocks ? '<span class="mark blocker">blocker</span> ' : '';
  const places = isOfFirst && findings.length === 1 ? '' : where(FEW);
  const at = places === '' ? '' : `: <span class="dim">${htmlOf(places)}</span>`;
  const typed = command === undefined ? '' : `<p class="command"><code>${htmlOf(command)}</code></p>`;
  const more = findings.length - MAX_FINDINGS;
  const entries = findings
    .slice(0, MAX_FINDINGS)
    .map(
      (finding) =>
        `<li>${inFull(finding, { explained, heading: blocks ? 'blocker' : 'to do', told: isOfFirst && findings.length === 1 }, options)}</li>`,
    );
  if (more > 0) entries.push(`<li>${plural(more, 'more finding')}: filter the files below by state.</li>`);
  const list = entries.length === 0 ? '' : `<ul>\n${entries.join('\n')}\n</ul>`;
  const shown =
    entries.length > 1
      ? `<details><summary>${plural(findings.length, 'finding')}</summary>\n${list}\n</details>`
      : list;
  return `<li class="${blocks ? 'blocker' : 'open'}"><p>${mark}<strong>${htmlOf(text)}</strong>${at}</p>${typed}${shown}</li>`;
}

/** What stands above a finding, and need not be said again. */
interface Above {
  /** The rules whose reason has been given. */
  readonly explained: Set<string>;
  /** The word for what all findings here ask of the reader. */
  readonly heading: string;
  /** The message itself stands above. */
  readonly told?: boolean;
}

function inFull(finding: MergedFinding, above: Above, options: OverviewOptions): string {
  const { explained } = above;
  const { outcome } = finding;
  const { rule, remedy } = outcome;
  const why = explained.has(rule) ? undefined : options.transforms.find(({ id }) => id === rule)?.why;
  explained.add(rule);
  return [
    `<p>${findingHtml(finding, options, above)}</p>`,
    sourceHtml(outcome),
    remedy === undefined ? '' : `<p><strong>Do:</strong> ${htmlOf(remedy)}</p>`,
    why === undefined ? '' : `<p class="dim">${escapeMarkup(why)}</p>`,
  ].join('');
}

function className(outcome: MergedFinding['outcome']): string {
  return isBlocker(outcome) ? 'blocker' : stateOf(outcome);
}

function findingHtml(
  finding: MergedFinding,
  options: OverviewOptions,
  { heading, told = false }: Pick<Above, 'heading' | 'told'>,
): string {
  const { outcome } = finding;
  const places = otherPlaces(finding);
  const also = places === '' ? '' : ` <span class="dim">(also: ${htmlOf(places)})</span>`;
  const word = stateWord(outcome);
  const mark = word === heading ? '' : `<span class="mark ${className(outcome)}">${word}</span> `;
  const message = told ? '' : `: ${htmlOf(briefMessage(outcome) + notAppliedText(outcome))}`;
  return `${mark}${placeHtml(outcome, options)}${message}${also} <span class="dim">[${htmlOf(outcome.rule)}]</span>`;
}

function placeHtml(outcome: MergedFinding['outcome'], { fileNumbers }: OverviewOptions): string {
  const name = htmlOf(placeText(outcome));
  const number = fileNumbers.get(outcome.file);
  return number === undefined ? name : `<a href="#file-${number}">${name}</a>`;
}

function sourceHtml(outcome: MergedFinding['outcome']): string {
  const source = sourceLine(outcome);
  return source === undefined ? '' : `<p class="code">${source.line}: ${htmlOf(source.text)}</p>`;
}

function assumptions(parts: ReportContent, options: OverviewOptions): string {
  const items = [
    ...parts.assumptions.map(
      ({ text, brief = text, remedy, findings }) =>
        `<li>${htmlOf(brief)} <span class="dim">(${plural(findings, 'change')}${remedy === undefined ? '' : `; ${htmlOf(remedy)}`})</span></li>`,
    ),
    ...parts.assumed.map(
      (finding) => `<li>${findingHtml(finding, options, { heading: 'change to review' })}</li>`,
    ),
  ];
  return items.length === 0
    ? ''
    : `<section class="assumed"><h2>Assumed: right if this is true</h2>\n<ul>\n${items.join('\n')}\n</ul></section>`;
}

function rules({ done }: ReportContent, { transforms }: OverviewOptions): string {
  if (done.length === 0) return '';
  const rows = done.map(({ rule, changes, files, assumed, strict }) => {
    const title = transforms.find(({ id }) => id === rule)?.title ?? '';
    const cells = [files, changes - assumed - strict, assumed, strict]
      .map((n) => `<td class="n">${n}</td>`)
      .join('');
    return `<tr><th scope="row">${htmlOf(rule)}</th><td>${escapeMarkup(title)}</td>${cells}</tr>`;
  });
  const heads = ['Files', 'Exact', 'Assumed', 'Strict'].map(
    (name) => `<th scope="col" class="n">${name}</th>`,
  );
  return `<details><summary>Changes by rule</summary>\n<div class="scroll" tabindex="0"><table><thead><tr><th scope="col">Rule</th><th scope="col">What it finds</th>${heads.join('')}</tr></thead><tbody>\n${rows.join('\n')}\n</tbody></table></div>\n</details>`;
}

/** Notes that are shown of each rule; the files below have all. */
const MAX_NOTES = 10;

function known({ known: notes }: ReportContent, options: OverviewOptions): string {
  if (notes.length === 0) return '';
  const counts = new Map<string, number>();
  const items = notes.flatMap((finding) => {
    const { rule } = finding.outcome;
    const count = (counts.get(rule) ?? 0) + 1;
    counts.set(rule, count);
    return count > MAX_NOTES
      ? []
      : [`<li>${findingHtml(finding, options, { heading: 'worth knowing' })}</li>`];
  });
  const more = notes.length - items.length;
  if (more > 0) items.push(`<li>${plural(more, 'more note')}: filter the files below by state.</li>`);
  return `<details><summary>Good to know: ${notes.length}</summary>\n<ul>\n${items.join('\n')}\n</ul>\n</details>`;
}
