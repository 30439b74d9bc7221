import { loadRereadable, memory } from '../config';
import type { RereadableTree } from '../config/types';
import { codeLine, unifiedDiff } from '../report';
import { findDirective } from '../httpd/directives';
import type { MessageAnswers } from './answers';

/** Lines of a configuration that somebody gives along with a question. */
export interface Snippet {
  /** The lines as they stand in the text, without blanks around them. */
  readonly lines: ReadonlySet<string>;
  /** A 2.4 has read them and says so, and none is of 2.2 alone: what 2.2 made of them is not asked. */
  readonly isOf24: boolean;
  readonly loaded: RereadableTree;
}

/** Lines of a text that are looked at: who gives more gives a log. */
const MOST_LINES = 300;

/** Words of a line that is no sentence: few directives take more. */
const MOST_WORDS = 14;

const TAG = /^[ \t]*</;
const CLOSING = /^[ \t]*<\//;

/** What stands for lines that somebody has left out. */
const ELISION = /^[ \t#]*(?:\.{2,}|\xe2\x80\xa6|[[<(](?:\.{2,}|snip|cut|etc)[^a-z]*)[ \t\r]*$/i;

/** What the lines are called where the answer names them. */
const NAME = 'these-lines';

/** The lines of a configuration in a text; undefined where there are none, or only one that may as well be prose. */
export function snippetIn(text: string): Snippet | undefined {
  const all = text.split('\n');
  if (all.length > MOST_LINES) return undefined;
  // What is left out may decide as well, and what a template chooses.
  if (all.some((line) => ELISION.test(line) || /^[ \t]*(?:\{%|<%)/.test(line))) return undefined;
  const kept: string[] = [];
  let run: string[] = [];
  let isPart = false;
  let depth = 0;
  let bare = 0;
  const close = (): void => {
    const said = run.filter(isConfiguration);
    const isSection = said.some((line) => TAG.test(line));
    if (said.length > 1 || isSection) kept.push(...run);
    if (said.length > 1 && !isSection) bare++;
    const outside = outsideSections(run);
    // Several Order lines are those of several sections.
    const orders = outside.filter((line) => /^[ \t]*order\b/i.test(line));
    isPart ||= said.length > 1 && (orders.length > 1 || allowsWithoutOrder(outside));
    run = [];
  };
  for (const whole of all) {
    const line = whole.replace(/\r$/, '');
    const isGap = run.length > 0 && /^[ \t]*(?:#.*)?$/.test(line);
    // Within a section, a line of a module that nobody here knows is one as well.
    if (depth > 0 || isGap || isConfiguration(line)) run.push(line);
    else close();
    if (TAG.test(line) && isConfiguration(line)) depth += CLOSING.test(line) ? -1 : 1;
    if (depth < 0) return undefined;
  }
  if (depth !== 0) return undefined;
  close();
  // Whether lines without a section that stand apart belong together, nobody knows.
  if (bare > 1 || isPart) return undefined;
  while (kept.length > 0 && kept.at(-1)!.trim() === '') kept.pop();
  if (kept.length === 0) kept.push(...saidInProse(text));
  if (kept.length === 0) return undefined;
  // Access lines stand in a directory: where none is named, in that of a .htaccess.
  const isServer = kept.some((line) => /^[ \t]*<(?:Directory|Location|VirtualHost|Proxy)/i.test(line));
  const isOfDirectory =
    /\.htaccess\b/.test(text) || kept.some((line) => /^[ \t]*(?:order|allow|deny|satisfy)\b/i.test(line));
  const path = isOfDirectory && !isServer ? `/${NAME}/.htaccess` : `/${NAME}`;
  const source = memory(new Map([[path, `${kept.join('\n')}\n`]]));
  const options = { cwd: '/', defines: new Map<string, string>(), env: new Map<string, string>() };
  return {
    lines: new Set(kept.map((line) => line.trim())),
    isOf24: /\bAH\d{5}\b|\bUnknown Authz provider\b/.test(text) && !kept.some(isOf22),
    loaded: loadRereadable(source, [path], options),
  };
}

/** Whether a line is one that 2.4 lacks, or has for old configurations. */
function isOf22(line: string): boolean {
  const word = /^[ \t]*<?(\w+)/.exec(line)?.[1] ?? '';
  return /^(?:order|allow|deny|satisfy)$/i.test(word) || findDirective(word)?.owners24.length === 0;
}

const ACCESS_LINE =
  /\b(?:order +(?:allow,deny|deny,allow)|(?:allow|deny) +from +(?:all\b|env=!?\w+|[\w:-]*[.:][\w.:/-]*\w))/gi;

/** Access lines of 2.2 in a sentence, where they are those of one section as far as they tell. */
function saidInProse(text: string): readonly string[] {
  // What else decides beside them is not known, and a log says what is there in words of its own.
  if (/\b(?:require|satisfy)\b|^\[|\bAH\d{5}\b|\bnot allowed here\b/im.test(text)) return [];
  const lines = text.match(ACCESS_LINE) ?? [];
  const keys = lines.map((line) => line.toLowerCase().replace(/ +/g, ' '));
  // What is not understood of one line changes what the others mean.
  if (
    (text.match(/\b(?:allow|deny) +from +[\w!:.]/gi) ?? []).length >
    keys.filter((key) => key.includes(' from ')).length
  )
    return [];
  // What is said of both is no section, and neither are lines that somebody says are not read.
  if (keys.includes('allow from all') && keys.includes('deny from all')) return [];
  if (
    /\.htaccess\b/i.test(text) &&
    /\b(?:ignored|no effect|still|reachable|accessible|any ?one|everybody)\b/i.test(text)
  )
    return [];
  // What somebody says of a referer or of an exception has lines that are not told.
  if (
    /\bSetEnvIf|\bBrowserMatch|\breferr?er\b|\bhot-?link/i.test(text) &&
    !keys.some((key) => key.includes('env='))
  )
    return [];
  if (/\b(?:except|unless|other than|but not)\b/i.test(text)) return [];
  const orders = keys.filter((key) => key.startsWith('order'));
  // An Order alone refuses all, or admits all, and says not which lines somebody has beside it.
  const isWhole = keys.length > orders.length && orders.length < 2 && new Set(keys).size === keys.length;
  // Whom `Deny` names beside `Allow from all`, the Order line that is left out decides.
  if (orders.length === 0 && keys.includes('allow from all') && keys.length > 1) return [];
  return isWhole && !allowsWithoutOrder(lines) ? lines : [];
}

/**
 * Whether lines name who is allowed, and none says that others are not: 2.2 lets everybody in by such lines alone. Who writes of
 * them has the Order or Deny line as well, and left it out.
 */
function allowsWithoutOrder(lines: readonly string[]): boolean {
  const has = (pattern: RegExp): boolean => lines.some((line) => pattern.test(line));
  return has(/^[ \t]*allow[ \t]+from[ \t]+(?!all\b)/i) && !has(/^[ \t]*(?:order|deny)\b/i);
}

function outsideSections(lines: readonly string[]): readonly string[] {
  let depth = 0;
  return lines.filter((line) => {
    if (TAG.test(line) && isConfiguration(line)) depth += CLOSING.test(line) ? -1 : 1;
    return depth === 0;
  });
}

/** What the rules make of the lines, as a diff; empty where they leave them alone. */
export function snippetText(answers: MessageAnswers): string {
  const diffs = answers.result.plan.map(({ file, edits }) =>
    unifiedDiff(file.name, file.document.text, edits),
  );
  const hunks = diffs.flatMap((diff) => diff.slice(diff.indexOf('@@')).split('\n').slice(0, -1));
  return hunks.length === 0
    ? ''
    : ['  write:', ...hunks.map((line) => `    ${line}`)].map((line) => `${codeLine(line)}\n`).join('');
}

/** Whether a line is a directive or a section that one of the versions knows, and no sentence that begins with such a word. */
function isConfiguration(line: string): boolean {
  const [, tag, word = ''] = /^(<\/?)?([A-Za-z]\w+)(?=[ \t>])/.exec(line.trim()) ?? [];
  const info = findDirective(word);
  if (info === undefined) return false;
  if (tag !== undefined) return /^<(?:[^<>]|<%[^<>]*%>)*>$/.test(line.trim());
  const words = line.trim().split(/[ \t]+/);
  return (
    words.length > 1 &&
    words.length <= MOST_WORDS &&
    !/^(?:Error (?:[a-z]+ing|\d{3})|Action '[^']*') |[?!:,]$|\.{2,}$|[,;] | (?:is|are|in|the|not|and|to|does) /.test(
      line.trim(),
    )
  );
}
