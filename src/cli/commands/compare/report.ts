import type { AskedUrl, ComparisonReport, DifferenceGroup, RequestChoice } from '../../../compare';
import {
  decode,
  encode,
  escapeHtml,
  jsonBytes,
  markdownCode,
  markdownText,
  oneLine,
  plural,
} from '../../../report';

export interface Compared {
  readonly report: ComparisonReport;
  readonly choice: Pick<RequestChoice, 'requests' | 'urls' | 'leftOut'>;
  /** The URLs of the servers. */
  readonly old: string;
  readonly now: string;
  /** Show queries. */
  readonly isFull: boolean;
}

/** The shape of the document; raised when a field changes its meaning or goes. */
const VERSION = 1;

export function comparisonText(compared: Compared, format: string): string {
  switch (format) {
    case 'json':
      return json(compared);
    case 'markdown':
      return markdown(compared);
    case 'html':
      return html(compared);
    default:
      return text(compared);
  }
}

/** The first lines: what was asked, and what came of it. */
function headOf({ report, choice, old, now }: Compared): readonly string[] {
  const { asked, same, noisy, failed, stopped, differences } = report;
  const { method, query, mayChange, malformed } = choice.leftOut;
  const leftOut = [
    [method, 'that are neither GET nor HEAD'],
    [query, 'with a query (--with-queries asks them)'],
    [mayChange, 'whose path sounds as if it changed something'],
    [malformed, 'that are no requests of HTTP'],
  ] as const;
  const parts = leftOut.flatMap(([count, why]) => (count === 0 ? [] : [`${count} ${why}`]));
  return [
    `Compared: ${plural(asked, 'request')} of ${plural(choice.urls, 'URL')} in the log (${plural(choice.requests, 'line')}), old ${old}, new ${now}`,
    differences.length === 0
      ? same === 0
        ? 'Nothing was answered by both servers.'
        : failed.length === 0
          ? 'All answers are alike.'
          : 'All answers of both are alike.'
      : `${plural(same, 'answer')} ${same === 1 ? 'is' : 'are'} alike; ${plural(differences.length, 'difference')}:`,
    ...(stopped === undefined ? [] : [`Not all were asked: ${stopped}.`]),
    ...(failed.length === 0 ? [] : [`${plural(failed.length, 'request')} got no answer.`]),
    ...(noisy === 0
      ? []
      : [
          `Of ${plural(noisy, 'answer')} the old server gives another each time: what varies is not compared.`,
        ]),
    ...(parts.length === 0 ? [] : [`Not asked: ${parts.join(', ')}.`]),
    'Who gets in by address is not tested: all requests come from this machine.',
  ];
}

function nameOf({ what, old, now, urls, rules }: DifferenceGroup): string {
  const changed = what === 'length' ? 'length differs' : `${what}: ${old ?? '(none)'} -> ${now ?? '(none)'}`;
  const told = rules.length === 0 ? 'told by no rule' : `told by ${rules.join(', ')}`;
  return `${changed} (${plural(urls, 'request')}; ${told})`;
}

function urlText({ method, host, target }: AskedUrl, isFull: boolean): string {
  const shown = isFull ? target : target.replace(/\?.*$/s, '?...');
  return `${method} ${host === undefined ? '' : `//${host}`}${shown}`;
}

function failuresOf({ report, isFull }: Compared): readonly string[] {
  return report.failed.map(
    ({ server, url, why }) => `${urlText(url, isFull)}: no answer from the ${server} server: ${why}`,
  );
}

function text(compared: Compared): string {
  const { report, isFull } = compared;
  const lines = [
    ...headOf(compared),
    ...report.differences.flatMap((group) => [
      `  ${group.rules.length === 0 ? '!' : '~'} ${nameOf(group)}`,
      ...group.examples.map((url) => `      ${urlText(url, isFull)}`),
    ]),
    ...failuresOf(compared).map((line) => `  ? ${line}`),
  ];
  return lines.map((line) => `${oneLine(line)}\n`).join('');
}

function json(compared: Compared): string {
  const { report, choice, old, now, isFull } = compared;
  const decoded = (value: string | undefined): string | undefined => value && decode(value);
  return jsonBytes({
    version: VERSION,
    old: decode(old),
    new: decode(now),
    requests: choice.requests,
    urls: choice.urls,
    leftOut: choice.leftOut,
    asked: report.asked,
    same: report.same,
    noisy: report.noisy,
    stopped: report.stopped,
    differences: report.differences.map(({ what, old: before, now: after, urls, rules, examples }) => ({
      what,
      old: decoded(before),
      new: decoded(after),
      requests: urls,
      rules,
      examples: examples.map((url) => decode(urlText(url, isFull))),
    })),
    failed: failuresOf(compared).map(decode),
  });
}

function markdown(compared: Compared): string {
  const { report, isFull } = compared;
  const [first = '', ...others] = headOf(compared);
  const items = report.differences.map((group) => {
    const examples = group.examples.map((url) => `<br>${markdownCode(urlText(url, isFull))}`);
    return `- ${markdownText(nameOf(group))}${examples.join('')}\n`;
  });
  const failures = failuresOf(compared).map((line) => `- ${markdownText(line)}\n`);
  return encode(
    `### The old server and the new\n\n**${markdownText(first)}**\n\n${others.map(markdownText).join('<br>\n')}\n\n${[...items, ...failures].join('')}`,
  );
}

function html(compared: Compared): string {
  const { report, isFull } = compared;
  const [first = '', ...others] = headOf(compared);
  const items = report.differences.map((group) => {
    const examples = group.examples.map((url) => `<br><code>${escapeHtml(urlText(url, isFull))}</code>`);
    return `<li>${escapeHtml(nameOf(group))}${examples.join('')}</li>`;
  });
  const failures = failuresOf(compared).map((line) => `<li>${escapeHtml(line)}</li>`);
  return encode(`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>The old server and the new</title>
</head>
<body>
<h1>The old server and the new</h1>
<p><strong>${escapeHtml(first)}</strong></p>
${others.map((line) => `<p>${escapeHtml(line)}</p>`).join('\n')}
<ul>
${[...items, ...failures].join('\n')}
</ul>
</body>
</html>
`);
}
