import type { ConfigFile, Place } from '../../src/config';
import { type TransformContext, defineTransform } from '../../src/engine';
import { FACTS, holds, sinceRelease } from '../../src/httpd/facts';
import type { Directive } from '../../src/syntax';
import { flagsOf, groupsOf, rewriteMapOf, rewriteWords, withFlag } from '../common/words';
import { isCarriedOver } from '../common/lines';
import { withEscape } from '../common/seen-requests';
import { type MapLookup, lookupsIn } from './map-lookups';
import { eachRule } from './rules';
import { addTo } from '../../src/maps';

const HAS_QUESTION_MARK = withEscape('%3F');

/** Variables with a part of the URL in which %3F is a question mark already. */
const DECODED =
  /%\{(?:REQUEST_URI|REQUEST_FILENAME|SCRIPT_NAME|SCRIPT_FILENAME|SCRIPT_UR[IL]|PATH_INFO|DOCUMENT_URI)\}/i;

/** A part of the URL behind the name of a program, which may have titles, and reads them whole from REQUEST_URI. */
const BEHIND_PROGRAM = /\.(?:php\d?|cgi|fcgi|pl|py|rb)(?:\/[^?$%]{0,99})?[$%]/i;

/** With one of these flags there is no result to look at. */
const NO_RESULT_FLAGS = /^(?:f|forbidden|g|gone|unsafeallow3f)$/;

/** A rule, and where its place among its neighbours is. */
interface RuleLine {
  readonly node: Directive;
  readonly place: Place;
}

/** Variables with what else a client says; the path of a URL is not in them. */
const SAID = /%\{(?:THE_REQUEST|QUERY_STRING|HTTP_REFERER|HTTP_COOKIE|HTTP:[^}]+)\}/i;

/** From where a result may get a question mark that is not written in the rule. */
type MarkSource =
  | { readonly kind: 'url' }
  /** @param what the variable that has it */
  | { readonly kind: 'said'; readonly what: string }
  /** @param map the name of the RewriteMap @param alone whether nothing else of the request comes into the result */
  | { readonly kind: 'map'; readonly map: string; readonly alone: boolean };

/** What browsers send with a query in it every day. */
const HOLDS_QUERIES = /%\{(?:HTTP_REFERER|HTTP:Referer|THE_REQUEST)\}/i;

export default defineTransform({
  id: 'rewrite-rule-question-mark',
  changes: ['F23'],
  title: 'RewriteRule that passes a question mark on',
  why: 'Since 2.4.60, a request gets a 403 if a question mark in the result of a rule comes from the URL, a variable or a RewriteMap. This closes CVE-2024-38474; the flag UnsafeAllow3F exempts a rule. Until 2.4.62, a question mark of the substitution itself counts too.',
  docs: [
    'rewrite/flags: UnsafeAllow3F',
    'CVE-2024-38474',
    'modules/mappers/mod_rewrite.c: apply_rewrite_rule, do_expand',
  ],
  lifeSpan: FACTS['rewrite-question-mark'],
  onlyWhenUpgrading: true,
  run(context) {
    const known: KnownMaps = {
      mapOf: rewriteMapOf(context.index),
      literalCounts: holds('rewrite-literal-question-mark', context.target),
    };
    const byKind = new Map<string, RuleLine[]>();
    eachRule(context, (node, place, conditions) => {
      const source = isCarriedOver(place) ? markSource(node, conditions, known) : undefined;
      if (source === undefined) return;
      if (source.kind === 'map') return reportMap(context, { node, place }, source);
      const isProgram = source.kind === 'url' && BEHIND_PROGRAM.test(rewriteWords(node)[1]!.text);
      const key = `${source.kind === 'said' ? source.what : ''} ${isProgram} ${place.root.path}`;
      addTo(byKind, key, { node, place });
    });
    for (const [key, lines] of byKind) {
      const [{ node, place }, ...more] = lines as [RuleLine, ...RuleLine[]];
      const [what, isProgram] = key.split(' ');
      const url = isProgram === 'true' ? 'a URL with %3F, such as the title Who%3F,' : 'a URL with %3F';
      const request = what === '' ? `${url} gets` : `a request with a question mark in ${what} gets`;
      const others = more.length === 0 ? '' : ` and ${linesOf(more, place.file)}`;
      context.report({
        file: place.file,
        at: node.from,
        level: isProgram === 'true' || HOLDS_QUERIES.test(what!) ? 'warning' : 'info',
        message: `${sinceRelease('rewrite-question-mark')} ${request} 403 from this rule${others}: if such ${what === '' ? 'URLs' : 'requests'} are in use, the flag UnsafeAllow3F restores what 2.2 answered, and lets clients send a question mark to what the rule leads to (CVE-2024-38474)`,
        ...(what === '' && { concerns: HAS_QUESTION_MARK }),
      });
    }
  },
});

/** What a text has for a key is its author's word, so the flag lets no client send a question mark. */
function reportMap(
  context: TransformContext,
  { node, place: { file } }: RuleLine,
  { map, alone }: MarkSource & { readonly kind: 'map' },
): void {
  const [, substitution, flagsWord] = rewriteWords(node);
  // A file for both versions must do for every release of 2.4, and one that does not know a flag answers 500.
  const mayWrite =
    alone && context.dual !== true && (flagsWord === undefined || /^\[.*\]$/s.test(flagsWord.text));
  const edits = mayWrite ? [withFlag(file.document, substitution!, flagsWord, 'UnsafeAllow3F')] : [];
  const remedy = mayWrite
    ? 'the flag UnsafeAllow3F restores what 2.2 answered; only what is looked up is of the request'
    : 'the flag UnsafeAllow3F restores what 2.2 answered, and lets clients send a question mark to what the rule leads to (CVE-2024-38474)';
  context.report({
    file,
    at: node.from,
    level: 'warning',
    safety: mayWrite ? 'review' : 'manual',
    message: `${sinceRelease('rewrite-question-mark')} a request gets 403 from this rule if ${map} says something with a question mark for it, such as /page?id=1: ${remedy}`,
    edits,
  });
}

/** Other rules named in a message: their lines if they are in the same file and few. */
function linesOf(lines: readonly RuleLine[], file: ConfigFile): string {
  if (lines.length > 4 || lines.some(({ place }) => place.file !== file)) return `${lines.length} more`;
  const numbers = lines.map(({ node }) => file.document.positionAt(node.from).line);
  return `${lines.length === 1 ? 'line' : 'lines'} ${numbers.join(', ')}`;
}

/** What the configuration says that all rules need. */
interface KnownMaps {
  readonly mapOf: (name: string) => string | undefined;
  /** Whether a question mark of the substitution itself counts too. */
  readonly literalCounts: boolean;
}

function markSource(
  node: Directive,
  conditions: readonly Directive[],
  { mapOf, literalCounts }: KnownMaps,
): MarkSource | undefined {
  const [pattern, substitution, flagsWord] = rewriteWords(node);
  if (pattern === undefined || substitution === undefined || substitution.text === '-') return undefined;
  const flags = flagsOf(flagsWord).map(({ key }) => key);
  if (flags.some((flag) => NO_RESULT_FLAGS.test(flag))) return undefined;
  // A question mark at the end stands for an empty query string, and is no part of the result.
  const { text, lookups } = lookupsIn(substitution.text.replace(/\?$/, ''), mapOf);
  const literal = text.indexOf('?');
  // The pattern must match a URL that has the question mark, wherever it goes.
  if (literal >= 0 && literalCounts && holdsQuestionMark(pattern.text)) return { kind: 'url' };
  const isEscaped = flags.some((flag) => /^(?:b|bnp|bctls)$/.test(flag));
  // What stands behind a written question mark can bring no first one.
  const path = literal < 0 ? text : text.slice(0, literal);
  return (
    markOfMap(text, lookups) ??
    markIn(path, pattern.text, isEscaped) ??
    (isEscaped ? undefined : markOfConditions(path, pattern.text, conditions, mapOf))
  );
}

/** The first map whose value may bring the first question mark of a result. */
function markOfMap(text: string, lookups: readonly MapLookup[]): MarkSource | undefined {
  const literal = text.indexOf('?');
  const first = lookups.find(({ at }) => (literal < 0 || at <= literal) && !isHost(text, at));
  if (first === undefined) return undefined;
  const before = literal < 0 ? text : text.slice(0, literal);
  return {
    kind: 'map',
    map: first.name,
    alone: !lookups.some(({ repeats }) => repeats) && !/[$%][0-9{]/.test(before),
  };
}

/** Whether a lookup says the host of a URL, or a part of it: a path stands behind it. */
function isHost(text: string, at: number): boolean {
  return /^[a-z]+:\/\/[^/]*$/i.test(text.slice(0, at)) && /^[\w.-]*(?::[0-9]+)?\//.test(text.slice(at));
}

function markIn(text: string, pattern: string, isEscaped: boolean): MarkSource | undefined {
  if (DECODED.test(text)) return { kind: 'url' };
  const said = SAID.exec(text)?.[0];
  if (said !== undefined) return { kind: 'said', what: said };
  return !isEscaped && repeatsMark(text, pattern) ? { kind: 'url' } : undefined;
}

/** Whether a text repeats a part of the URL that may have a question mark. */
function repeatsMark(text: string, pattern: string): boolean {
  const groups = pattern.startsWith('!') ? [] : groupsOf(pattern);
  return references(text, '$').some((n) => holdsQuestionMark(groups[n] ?? ''));
}

/** What brings a question mark by way of a condition's match. */
function markOfConditions(
  text: string,
  pattern: string,
  conditions: readonly Directive[],
  mapOf: KnownMaps['mapOf'],
): MarkSource | undefined {
  const numbers = references(text, '%');
  for (const condition of conditions) {
    const [input, test] = rewriteWords(condition);
    if (!numbers.some((n) => holdsQuestionMark(groupsOf(test?.text ?? '')[n] ?? ''))) continue;
    const { text: asked, lookups } = lookupsIn(input?.text ?? '', mapOf);
    if (DECODED.test(asked) || repeatsMark(asked, pattern)) return { kind: 'url' };
    const what = SAID.exec(asked)?.[0];
    if (what !== undefined) return { kind: 'said', what };
    const [lookup] = lookups;
    if (lookup === undefined) continue;
    const isValueAlone = asked === '' && lookups.length === 1 && !lookup.repeats;
    const isOnlySource = conditions.length === 1 && !/\$[0-9{]|%\{/.test(text);
    return { kind: 'map', map: lookup.name, alone: isValueAlone && isOnlySource };
  }
  return undefined;
}

function references(text: string, sign: '$' | '%'): readonly number[] {
  return [...text.matchAll(sign === '$' ? /(?<!\\)\$([0-9])/g : /(?<!\\)%([0-9])/g)].map(([, n]) =>
    Number(n),
  );
}

/** Whether a part of a regular expression may match a question mark. */
function holdsQuestionMark(part: string): boolean {
  const withoutPairs = part.replaceAll('\\\\', '');
  if (/\\[?WDS]/.test(withoutPairs)) return true;
  const sets = withoutPairs.match(/(?<!\\)\[\^?\]?(?:\\.|[^\]\\])*\]/g) ?? [];
  if (sets.some((set) => set.startsWith('[^') !== set.includes('?'))) return true;
  return /(?<!\\)\./.test(withoutPairs.replace(/(?<!\\)\[\^?\]?(?:\\.|[^\]\\])*\]/g, ''));
}
