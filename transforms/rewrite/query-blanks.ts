import { findsPattern } from '../../src/regex';
import type { Directive } from '../../src/syntax';
import { groupsOf, flagsOf, rewriteWords } from '../common/words';
import { textWithBlank } from './text-with-blank';

/** What may bring a blank into a query string, the surest first. */
export type BlankSource =
  /** Nearly every request does. @param what has the blank, @param every without exception */
  | { readonly kind: 'always'; readonly what: string; readonly every: boolean }
  /** @param path of a request that does, decoded: below the directory, or the whole */
  | { readonly kind: 'path'; readonly what: string; readonly path: string }
  | { readonly kind: 'header'; readonly what: string; readonly header: string; readonly value: string }
  /** The default of a map has it. */
  | { readonly kind: 'default'; readonly what: string }
  /** The configuration does not tell what it holds. */
  | { readonly kind: 'unknown'; readonly what: string };

/** A rule, as far as it decides what comes into the query string. */
export interface QueryRule {
  readonly pattern: string;
  readonly ignoresCase: boolean;
  readonly query: string;
  readonly conditions: readonly Directive[];
  /** Whether $1 and %1 are escaped. */
  readonly escapes: boolean;
  /** Whether the pattern is compared with the whole path. */
  readonly isForWholePath: boolean;
  /** What stands behind the name of a RewriteMap, in lower case. */
  readonly mapOf: (name: string) => string | undefined;
  /** Whether the name that the server gives itself has a blank. */
  readonly namesSystem: boolean;
}

const ORDER: readonly BlankSource['kind'][] = ['always', 'path', 'header', 'unknown'];

/** What brings a blank into the query string of a rule; undefined where nothing can. */
export function blankInQuery(rule: QueryRule): BlankSource | undefined {
  const found = sourcesIn(rule.query, rule);
  return ORDER.map((kind) => found.find((source) => source.kind === kind)).find(
    (source) => source !== undefined,
  );
}

/** The variables of a query that may have a blank, and whether others in it would keep theirs with groups escaped. */
export interface UnescapedParts {
  /** The variables as the rule names them, each once: `%{REQUEST_URI}`. */
  readonly variables: readonly string[];
  /** A RewriteMap may have one too. */
  readonly isInMap: boolean;
}

/** What of a query may still have a blank once $1 and %1 are escaped. */
export function unescapedParts(rule: QueryRule): UnescapedParts {
  const sources = sourcesIn(rule.query, { ...rule, escapes: true });
  const variables = sources.flatMap(({ what }) =>
    rule.query.includes(what) && what.startsWith('%{') ? [what] : [],
  );
  const isInMap =
    /\$\{/.test(rule.query) && sourcesIn(mapsOf(rule.query), { ...rule, escapes: false }).length > 0;
  return { variables: [...new Set(variables)], isInMap: isInMap || variables.length < sources.length };
}

/** The references to RewriteMaps in a text. */
function mapsOf(text: string): string {
  return [...text.matchAll(PARTS)].flatMap(([whole, map]) => (map === undefined ? [] : [whole])).join('');
}

export function hasBlankInGroup(text: string, rule: QueryRule): boolean {
  return sourcesIn(text, { ...rule, escapes: false }).some((source) => isGroup(source));
}

/** Whether a reference is to a group, which a flag can escape, rather than to a variable. */
export function isGroup(source: BlankSource): boolean {
  return /^[$%][0-9]$/.test(source.what);
}

const PARTS = /\\[^]|\$\{((?:[^{}]|\{[^{}]*\})*)\}|%\{([^{}]*)\}|\$([0-9])|%([0-9])/g;

/** Blanks that a line itself has written down. */
const BLANK = /[\t-\r ]/g;

/** Where a query has blanks of its own, in its text or in the defaults of its maps: those of names and keys are not sent. */
export function writtenBlanks(query: string): readonly number[] {
  const sent = query.replaceAll(PARTS, (whole, inside?: string) => {
    if (whole.startsWith('\\')) return whole;
    const key = (inside ?? '').split('|', 1)[0]!.length;
    return 'x'.repeat(2 + key) + whole.slice(2 + key);
  });
  return [...sent.matchAll(BLANK)].map(({ index }) => index);
}

/** What blanks of a query's own come to: in the text every request has them. */
export function ofWritten(query: string): BlankSource | undefined {
  if (writtenBlanks(query).length === 0) return undefined;
  const isInText = /[\t-\r ]/.test(query.replaceAll(/[$%]\{(?:[^{}]|\{[^{}]*\})*\}/g, ''));
  return isInText
    ? { kind: 'always', what: 'its text', every: true }
    : { kind: 'default', what: 'a default' };
}

function sourcesIn(text: string, rule: QueryRule): readonly BlankSource[] {
  return [...text.matchAll(PARTS)].flatMap(([what, map, variable, group, condition]) => {
    if (map !== undefined) return ofMap(map, rule);
    if (variable !== undefined) return listed(ofVariable(variable, rule));
    if (rule.escapes) return [];
    if (group !== undefined) return listed(ofGroup(what, Number(group), rule));
    return condition === undefined ? [] : listed(ofCondition(what, Number(condition), rule));
  });
}

function listed(source: BlankSource | undefined): readonly BlankSource[] {
  return source === undefined ? [] : [source];
}

/** What httpd's own functions make of a text is known; what a file or a program says for it is not asked. */
function ofMap(inside: string, rule: QueryRule): readonly BlankSource[] {
  const [, name = '', key = '', ofDefault = ''] = /^([^:]*):([^|]*)(?:\|(.*))?$/.exec(inside) ?? [];
  const source = rule.mapOf(name);
  if (source === 'int:escape') return [];
  const unescaped = { ...rule, escapes: source !== 'int:unescape' && rule.escapes };
  const found = sourcesIn(source?.startsWith('int:') === true ? key : ofDefault, unescaped);
  // The values of a text have no blanks (mod_rewrite.c: lookup_map_txtfile); what a program says or %20 comes to is not known.
  const mayHave =
    source === 'int:unescape' ? /[$%]/.test(key) : /^(?:prg|dbm|dbd|fastdbd)\b/.test(source ?? '');
  return found.length === 0 && mayHave ? [{ kind: 'unknown', what: `\${${inside}}` }] : found;
}

/** Variables with a part of the URL in which %20 is a blank already. */
const DECODED = /^(?:REQUEST_URI|REQUEST_FILENAME|SCRIPT_FILENAME|PATH_INFO)$/;

/** Variables with what a client says, by the name of the header. */
const OF_HEADERS: Readonly<Record<string, string>> = {
  __proto__: null!,
  HTTP_ACCEPT: 'Accept',
  HTTP_COOKIE: 'Cookie',
  HTTP_FORWARDED: 'Forwarded',
  HTTP_PROXY_CONNECTION: 'Proxy-Connection',
  HTTP_REFERER: 'Referer',
  HTTP_USER_AGENT: 'User-Agent',
};

/** Headers that have blanks wherever browsers send them. */
const WITH_BLANKS =
  /^(?:user-agent|accept-encoding|cookie|(?:proxy-)?authorization|date|if-(?:un)?modified-since)$/i;

/** httpd refuses a host name with a blank. */
const WITHOUT_BLANKS = /^host$/i;

/** What a browser may say. */
const VALUES: Readonly<Record<string, string>> = {
  __proto__: null!,
  accept: 'text/html, */*',
  cookie: 'a=1; b=2',
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64)',
};

/** Variables of mod_ssl that are dates or texts of several lines, and those with names of people and places. */
const SSL_ALWAYS = /^SSL:SSL_(?:CLIENT|SERVER)_(?:V_(?:START|END)|CERT(?:_CHAIN_\d+)?)$/;
const SSL_NAMES = /^SSL:SSL_(?:CLIENT|SERVER)_[SI]_DN/;

function ofVariable(name: string, rule: QueryRule): BlankSource | undefined {
  const what = `%{${name}}`;
  const variable = name.replace(/^LA-[UF]:/, '');
  if (variable === 'THE_REQUEST') return { kind: 'always', what, every: true };
  if (variable === 'SERVER_SOFTWARE' && rule.namesSystem) return { kind: 'always', what, every: true };
  if (SSL_ALWAYS.test(variable)) return { kind: 'always', what, every: true };
  if (DECODED.test(variable)) {
    const path = pathWithBlank(rule);
    return path === undefined ? undefined : { kind: 'path', what, path };
  }
  const header = OF_HEADERS[variable] ?? /^HTTP:(.+)$/.exec(variable)?.[1]?.trim();
  if (header !== undefined) return ofHeader(what, header);
  if (/^(?:REMOTE_USER|REMOTE_IDENT|ENV:.*)$/.test(variable) || SSL_NAMES.test(variable))
    return { kind: 'unknown', what };
  return undefined;
}

function ofHeader(what: string, header: string, value?: string): BlankSource | undefined {
  if (WITHOUT_BLANKS.test(header)) return undefined;
  if (value === undefined && WITH_BLANKS.test(header)) return { kind: 'always', what, every: false };
  return { kind: 'header', what, header, value: value ?? VALUES[header.toLowerCase()] ?? 'a b' };
}

/** What the n-th group of the rule's pattern may match. */
function ofGroup(what: string, n: number, rule: QueryRule): BlankSource | undefined {
  if (rule.pattern.startsWith('!')) return undefined;
  const text = textWithBlank(rule.pattern, n, rule.ignoresCase);
  const path = text === undefined ? undefined : asPath(text, rule);
  return path === undefined || !isAccepted(path, rule) ? undefined : { kind: 'path', what, path };
}

function pathWithBlank(rule: QueryRule): string | undefined {
  const negated = rule.pattern.startsWith('!');
  const pattern = negated ? rule.pattern.slice(1) : rule.pattern;
  const drafts = negated ? [] : [textWithBlank(pattern, 0, rule.ignoresCase)];
  for (const text of [...drafts, 'x y', `x y/${plainOf(pattern)}`, `${plainOf(pattern)}x y`]) {
    const path = text === undefined ? undefined : asPath(text, rule);
    if (path === undefined || !isAccepted(path, rule)) continue;
    const matches = findsPattern(pattern, rule.isForWholePath ? path : path.slice(1), rule.ignoresCase);
    if (matches === undefined || matches !== negated) return path;
  }
  return undefined;
}

/** The literal text of a simple pattern. */
function plainOf(pattern: string): string {
  const text = pattern.replace(/^\^\/?|\$$/g, '').replace(/\\([^a-zA-Z0-9])/g, '$1');
  return /^[\w./~-]*$/.test(text) ? text : '';
}

/** Undefined where no path is so. */
function asPath(text: string, { isForWholePath, pattern, ignoresCase }: QueryRule): string | undefined {
  if (text.startsWith('/')) return text;
  const path = `/${text}`;
  // Where the whole path is compared, it begins with a slash.
  const isMatched =
    !isForWholePath || pattern.startsWith('!') || findsPattern(pattern, path, ignoresCase) !== false;
  return isMatched ? path : undefined;
}

/** Whether no condition about the path alone keeps a request from the rule. */
function isAccepted(path: string, { conditions }: QueryRule): boolean {
  return conditions.every((condition, i) => {
    const [input, test, flagWord] = rewriteWords(condition);
    if (input?.text !== '%{REQUEST_URI}' || test === undefined || test.text.startsWith('-')) return true;
    const flags = flagsOf(flagWord).map(({ key }) => key);
    const before = flagsOf(rewriteWords(conditions[i - 1] ?? condition)[2]).map(({ key }) => key);
    if ([...flags, ...(i > 0 ? before : [])].some((key) => key === 'or' || key === 'ornext')) return true;
    const negated = test.text.startsWith('!');
    const found = findsPattern(
      negated ? test.text.slice(1) : test.text,
      path,
      flags.some((key) => key === 'nc' || key === 'nocase'),
    );
    return found === undefined || found !== negated;
  });
}

/** What the n-th group of the conditions may hold: of the last that has matched. */
function ofCondition(what: string, n: number, rule: QueryRule): BlankSource | undefined {
  for (const condition of lastMatching(rule.conditions)) {
    const [input, test] = rewriteWords(condition);
    if (input === undefined || test === undefined) continue;
    const source = groupSource(what, n, input.text, test.text, rule);
    if (source !== undefined) return source;
  }
  return undefined;
}

/** The conditions of which one has matched last: those that only have to hold otherwise leave no groups. */
function lastMatching(conditions: readonly Directive[]): readonly Directive[] {
  const found: Directive[] = [];
  for (let i = conditions.length - 1; i >= 0; i--) {
    const condition = conditions[i]!;
    const isOr = (at: number): boolean =>
      at >= 0 &&
      flagsOf(rewriteWords(conditions[at]!)[2]).some(({ key }) => key === 'or' || key === 'ornext');
    const test = rewriteWords(condition)[1]?.text ?? '';
    const hasGroups = !/^(?:!|[<>=]|-[a-zA-Z]{1,2}$)/.test(test);
    if (hasGroups) found.push(condition);
    if (hasGroups && !isOr(i) && !isOr(i - 1)) break;
  }
  return found;
}

function groupSource(
  what: string,
  n: number,
  input: string,
  pattern: string,
  rule: QueryRule,
): BlankSource | undefined {
  const [source] = sourcesIn(input, { ...rule, escapes: false, conditions: [] });
  if (source === undefined) return undefined;
  if (input.endsWith('%{THE_REQUEST}')) return ofRequestLine(what, n, pattern);
  const text = textWithBlank(pattern, n);
  if (text === undefined) return undefined;
  const group = groupsOf(pattern)[n] ?? '';
  const isAll = /^\^?\(?\.[*+]\)?\$?$/.test(pattern) && /\.[*+]/.test(group);
  if (source.kind === 'always' && isAll) return { ...source, what };
  const header = OF_HEADERS[input.slice(2, -1)] ?? /^%\{HTTP:([^}]+)\}$/.exec(input)?.[1];
  if (header !== undefined) return ofHeader(what, header, text);
  if (source.kind !== 'path' || input !== '%{REQUEST_URI}') return { ...source, what };
  // The path is to match both patterns.
  const path = [text, `/${text}`, source.path].find(
    (candidate) =>
      candidate.startsWith('/') &&
      candidate.includes(' ') &&
      findsPattern(pattern, candidate) !== false &&
      findsPattern(
        rule.pattern.replace(/^!/, ''),
        rule.isForWholePath ? candidate : candidate.slice(1),
        rule.ignoresCase,
      ) !== rule.pattern.startsWith('!'),
  );
  return path === undefined ? undefined : { kind: 'path', what, path };
}

/** A request line, and the parts of it that a group may hold: its blanks are those around the URL. */
const REQUEST_LINE = 'GET /x HTTP/1.1';
const WITH_BLANK = [
  REQUEST_LINE, 'GET /x', 'GET /', 'GET ', ' /x HTTP/1.1', ' /x', '/x HTTP/1.1', 'x HTTP/1.1', ' HTTP/1.1', 'x HTTP', ' HTTP', '/x ', 'x ',
]; // prettier-ignore

function ofRequestLine(what: string, n: number, pattern: string): BlankSource | undefined {
  const group = groupsOf(pattern)[n];
  // One that takes as little as it can is not followed.
  if (group === undefined || /[*+?}]\?/.test(group)) return undefined;
  const at = n === 0 ? 0 : pattern.indexOf(`(${group})`);
  if (at < 0) return undefined;
  const [before, after] = n === 0 ? ['', ''] : [pattern.slice(0, at), pattern.slice(at + group.length + 2)];
  // A question mark is there where the pattern asks for one.
  for (const [line, parts] of [
    [REQUEST_LINE, WITH_BLANK],
    [
      'GET /x?y HTTP/1.1',
      WITH_BLANK.map((part) => part.replace('x', 'x?y')).concat(
        WITH_BLANK.map((part) => part.replace('/x', '?y').replace('x', 'y')),
      ),
    ],
  ] as const)
    for (const part of parts) {
      const literal = part.replace(/[^\w ]/g, '\\$&');
      const isHeld =
        findsPattern(`^(?:${group})$`, part) === true &&
        findsPattern(`${before}(?:${literal})${after}`, line) === true;
      if (isHeld) return { kind: 'always', what, every: true };
    }
  return undefined;
}
