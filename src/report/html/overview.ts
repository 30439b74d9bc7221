import type { ConfigFile } from '../../config/types';
import type { Level, Outcome, Transform } from '../../engine/types';
import {
  briefMessage,
  type MergedFinding,
  type ReportedRun,
  type ReportParts,
  partsOf,
  placeText,
  sourceLine,
  notAppliedText,
  stateWord,
  stateOf,
  isBlocker,
} from '../content';
import { escapeMarkup, plural, shownLine } from '../encoding';
import { accessHtml } from './access';
import type { PageData } from './data';
import { htmlOf } from './escape';

export interface OverviewOptions {
  readonly transforms: readonly Pick<Transform, 'id' | 'title' | 'why'>[];
  readonly failOn: Level | 'never';
  /** The changes are on disk already. */
  readonly isWritten: boolean;
  /** What remains to be run, as a script; undefined for nothing. A byte string. */
  readonly script: string | undefined;
  /** The number of a file in the list below the overview. */
  readonly fileNumbers: ReadonlyMap<ConfigFile, number>;
  /** What that list shows. */
  readonly data: PageData;
}

/** The part of the page for somebody who decides: what changes, how sure it is, what is left to do. HTML. */
export function overviewHtml(result: ReportedRun, options: OverviewOptions): string {
  const parts = partsOf(result, options.failOn);
  return [
    verdict(parts, options),
    numbers(parts, result),
    forPerson(parts, result, options),
    assumptions(parts, options),
    accessHtml(options.data),
    rules(parts, options),
    known(parts, options),
    options.script === undefined
      ? ''
      : `<h2>Done by the script</h2>\n${scripted(parts, options)}<p>Read them, then run them in the directory of the server configuration, after the changes are written. --format sh prints this script.</p>\n<pre tabindex="0">${options.script
          .split('\n')
          .map((line) => escapeMarkup(shownLine(line)))
          .join('\n')}</pre>`,
  ].join('\n');
}

function verdict({ plan }: ReportParts, { isWritten }: OverviewOptions): string {
  const blockers = plan.blockers.length;
  const text =
    blockers > 0
      ? `Do not start 2.4 with this yet: ${plural(blockers, 'question')} below ${blockers === 1 ? 'blocks' : 'block'} the start, or may change who gets in.`
      : plan.toReview > 0
        ? `Nothing blocks the start of 2.4. ${plural(plan.toReview, 'thing')} should be read by somebody who knows the server.`
        : 'Nothing blocks the start of 2.4, and nothing is left to decide.';
  const written = isWritten ? 'The changes are written.' : 'Nothing is written yet.';
  return `<p class="${blockers > 0 ? 'blocker' : ''}"><strong>${text}</strong></p>\n<p>${written}</p>`;
}

function numbers({ plan, done }: ReportParts, { tree }: ReportedRun): string {
  const sum = (key: 'assumed' | 'strict' | 'changes'): number =>
    done.reduce((total, row) => total + row[key], 0);
  const items: readonly (readonly [number, string])[] = [
    [tree.files.length, 'files read'],
    [plan.files, 'files change'],
    [sum('changes') - sum('assumed') - sum('strict'), 'exact changes'],
    [sum('assumed'), 'changes that assume something'],
    [sum('strict'), 'changes that refuse more than 2.2'],
    [plan.toReview, 'to review'],
    [plan.blockers.length, 'blockers'],
    [plan.scripted, 'steps by the script'],
  ];
  return `<ul class="numbers">${items.map(([number, name]) => `<li><strong>${number}</strong>${name}</li>`).join('')}</ul>`;
}

/** Of each kind of thing worth knowing. */
const MAX_NOTES = 10;
/** Entries of a list that somebody may still read; the files below have all. */
const MAX_QUESTIONS = 100;

function forPerson({ questions }: ReportParts, { tree }: ReportedRun, options: OverviewOptions): string {
  if (questions.length + tree.unvisited.length === 0) return '<h2>For you to do</h2>\n<p>Nothing.</p>';
  const explained = new Set<string>();
  const items = questions.slice(0, MAX_QUESTIONS).map((finding) => {
    const { outcome } = finding;
    const why = explained.has(outcome.rule) ? undefined : options.transforms.find(({ id }) => id === outcome.rule)?.why; // prettier-ignore
    explained.add(outcome.rule);
    const remedy =
      outcome.remedy === undefined ? '' : `<p><strong>Do:</strong> ${htmlOf(outcome.remedy)}</p>`;
    return `<li class="${className(outcome)}"><p>${findingHtml(finding, options)}</p>${sourceHtml(outcome)}${remedy}${why === undefined ? '' : `<p class="dim">${escapeMarkup(why)}</p>`}</li>`;
  });
  const places = tree.unvisited.map(({ name, message }) => `<li class="open"><p><span class="mark open">to do</span> ${htmlOf(`${name}: ${message}`)}</p></li>`); // prettier-ignore
  const more = questions.length - items.length;
  if (more > 0)
    places.push(
      `<li><p>${plural(more, 'more question')}: filter the files below for blockers, or for what is to do.</p></li>`,
    );
  return `<h2>For you to do</h2>\n<ol class="questions">\n${[...items, ...places].join('\n')}\n</ol>`;
}

function className(outcome: Outcome): string {
  return isBlocker(outcome) ? 'blocker' : stateOf(outcome);
}

function findingHtml({ outcome, otherPlaces }: MergedFinding, options: OverviewOptions): string {
  const also = otherPlaces === '' ? '' : ` <span class="dim">(also: ${htmlOf(otherPlaces)})</span>`;
  return `<span class="mark ${className(outcome)}">${stateWord(outcome)}</span> ${placeHtml(outcome, options)}: ${htmlOf(briefMessage(outcome) + notAppliedText(outcome))}${also} <span class="dim">[${htmlOf(outcome.rule)}]</span>`;
}

function placeHtml(outcome: Outcome, { fileNumbers }: OverviewOptions): string {
  const name = htmlOf(placeText(outcome));
  const number = fileNumbers.get(outcome.file);
  return number === undefined ? name : `<a href="#file-${number}">${name}</a>`;
}

function sourceHtml(outcome: Outcome): string {
  const source = sourceLine(outcome);
  return source === undefined ? '' : `<p class="code">${source.line}: ${htmlOf(source.text)}</p>`;
}

function assumptions(parts: ReportParts, options: OverviewOptions): string {
  const items = [
    ...parts.assumptions.map(
      ({ text, remedy, findings }) =>
        `<li>${htmlOf(text)} <span class="dim">(${plural(findings, 'change')}${remedy === undefined ? '' : `; ${htmlOf(remedy)}`})</span></li>`,
    ),
    ...parts.assumed.map((finding) => `<li>${findingHtml(finding, options)}</li>`),
  ];
  return items.length === 0
    ? ''
    : `<h2>Assumed: right if this is true</h2>\n<ul>\n${items.join('\n')}\n</ul>`;
}

function rules({ done }: ReportParts, { transforms }: OverviewOptions): string {
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
  return `<h2>Changes by rule</h2>\n<div class="scroll" tabindex="0"><table><thead><tr><th scope="col">Rule</th><th scope="col">What it finds</th>${heads.join('')}</tr></thead><tbody>\n${rows.join('\n')}\n</tbody></table></div>`;
}

function scripted({ scripted: findings }: ReportParts, options: OverviewOptions): string {
  if (findings.length === 0) return '';
  return `<ul>\n${findings.map((finding) => `<li>${findingHtml(finding, options)}</li>`).join('\n')}\n</ul>\n`;
}

function known({ known: kinds }: ReportParts, options: OverviewOptions): string {
  if (kinds.length === 0) return '';
  const items = kinds.flatMap(({ findings }) => {
    const shown = findings.slice(0, MAX_NOTES).map((finding) => `<li>${findingHtml(finding, options)}</li>`);
    const more = findings.length - shown.length;
    return more > 0
      ? [...shown, `<li>and ${more} more of [${htmlOf(findings[0]!.outcome.rule)}]</li>`]
      : shown;
  });
  return `<details><summary>Worth knowing: ${items.length}</summary>\n<ul>\n${items.join('\n')}\n</ul>\n</details>`;
}
