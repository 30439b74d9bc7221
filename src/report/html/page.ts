import { encode } from '../encoding';
import type { ReportedRun } from '../content';
import { CLIENT } from './client';
import { pageData, type PageOptions } from './data';
import { htmlOf, scriptJson } from './escape';
import { overviewHtml, type OverviewOptions } from './overview';
import { STYLE } from './style';

export interface HtmlOptions extends PageOptions, Omit<OverviewOptions, 'fileNumbers' | 'data'> {
  /** SHA-256 of a byte string, in hexadecimal digits. */
  readonly hash: (bytes: string) => string;
  /** Why the run could not be done, a line each: byte strings. */
  readonly trouble?: readonly string[];
}

/**
 * The run as one HTML page that needs no network: an overview, and the changes file by file, with the reason and who gets in at
 * each. Its policy lets only its script and its style act. In UTF-8, as a byte string.
 */
export function htmlReport(result: ReportedRun, options: HtmlOptions): string {
  const { trouble = [], hash } = options;
  const script = wholeScript();
  const policy = `default-src 'none'; style-src '${source(STYLE, hash)}'; script-src '${source(script, hash)}'; base-uri 'none'; form-action 'none'`;
  return encode(`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>From httpd 2.2 to 2.4: what changes</title>
<style>${STYLE}</style>
</head>
<body>
<a class="skip" href="#to-do">Skip to what to do</a>
<a class="skip" href="#changes">Skip to the files</a>
<main>
<h1>From httpd 2.2 to 2.4: what changes</h1>
${trouble.map((line) => `<p class="blocker"><strong>The run could not be done: ${htmlOf(line)}</strong></p>\n`).join('')}${reportMarkup(result, options)}
</main>
<script>${script}</script>
</body>
</html>
`);
}

/** The script of a page that is nothing but the report. */
const wholeScript = (): string => `${CLIENT}showReport(new AbortController().signal);\n`;

/**
 * The overview and the list of files, to stand in the `main` of a page that has {@link STYLE}. {@link CLIENT} fills the list.
 * Decoded HTML, in which no text of a configuration is markup.
 */
export function reportMarkup(
  result: ReportedRun,
  options: PageOptions & Omit<OverviewOptions, 'fileNumbers' | 'data'> & Pick<HtmlOptions, 'trouble'>,
): string {
  const { order, ...data } = pageData(result, options);
  const fileNumbers = new Map(order.map((file, number) => [file, number]));
  const isDone = options.trouble === undefined || options.trouble.length === 0;
  return `${isDone ? overviewHtml(result, { ...options, fileNumbers, data }) : ''}
<h2 id="changes">File by file</h2>
<noscript><p>The files are shown by a script, which this browser does not run. The unified diff is what the command prints without --format.</p></noscript>
<div class="bar">
<label>File name <input id="name" type="search"></label>
<label>Rule <select id="rule"><option value="">all</option></select></label>
<label>State or level <select id="state">${STATES.map(([value, text]) => `<option value="${value}">${text}</option>`).join('')}</select></label>
<label>Virtual host <select id="server"><option value="">all</option></select></label>
<button id="split" type="button" aria-pressed="false">Side by side</button>
<button id="all" type="button">Open or close all</button>
<span id="count" role="status"></span>
</div>
<p class="keys dim">Keys: j and k go to the next and the previous file, Enter opens and closes it, s changes between side by side and unified, / goes to the filter.</p>
<div id="files" aria-busy="true"></div>
<script type="application/json" id="data">${scriptJson(data)}</script>`;
}

/**
 * A page without a script, in the style of a report: its policy lets nothing act. In UTF-8, as a byte string.
 * @param body decoded HTML
 * @param more style beside that of a report
 */
export function plainPage(title: string, body: string, more: string, hash: HtmlOptions['hash']): string {
  const style = STYLE + more;
  const policy = `default-src 'none'; style-src '${source(style, hash)}'; base-uri 'none'; form-action 'none'`;
  return encode(`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${htmlOf(encode(title))}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${htmlOf(encode(title))}</h1>
${body}
</main>
</body>
</html>
`);
}

const STATES = [
  ['', 'all'],
  ['blocker', 'blockers'],
  ['open', 'to do'],
  ['script', 'done by the script'],
  ['review', 'changes to review'],
  ['applied', 'exact changes'],
  ['note', 'notes'],
  ['error', 'level error'],
  ['warning', 'level warning'],
  ['info', 'level info'],
] as const;

/** How a content security policy names a text: the hash in base64. */
function source(text: string, hash: (bytes: string) => string): string {
  const bytes = hash(text).replace(/../g, (digits) => String.fromCharCode(Number.parseInt(digits, 16)));
  return `sha256-${btoa(bytes)}`;
}
