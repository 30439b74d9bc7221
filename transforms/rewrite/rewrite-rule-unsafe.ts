import { type Place, type Server, linesOf, serversOf } from '../../src/config';
import { type Edit, eolOf, indentOf } from '../../src/edit';
import { type Level, type RequestTest, type TransformContext, defineTransform } from '../../src/engine';
import { holds, sinceRelease } from '../../src/httpd/facts';
import type { Release } from '../../src/httpd/release';
import type { Directive } from '../../src/syntax';
import { containersOf, isAtServerLevel, isCarriedOver } from '../common/lines';
import {
  groupsOf,
  flagsOf,
  rewriteMapOf,
  rewriteWords,
  type RewriteFlag,
  type RewriteWord,
  withFlag,
} from '../common/words';
import { allOf, hasBlank, matchingRule } from '../common/seen-requests';
import {
  type BlankSource,
  type QueryRule,
  blankInQuery,
  hasBlankInGroup,
  isGroup,
  unescapedParts,
  ofWritten,
  writtenBlanks,
} from './query-blanks';
import { lookupsIn } from './map-lookups';
import { eachRule } from './rules';
import { RequestPaths } from './request-path';
import { isNameOf } from './server-name';

export default defineTransform({
  id: 'rewrite-rule-unsafe',
  changes: ['P10', 'F13', 'F14'],
  title: 'RewriteRule that releases of 2.4 refuse for some requests',
  why: "Since 2.4.56, a blank or control character in a rewritten query string leads to a 403, and since 2.4.57 in a path that a rule with the flags P and NE hands on. Since 2.4.60, a path that begins with the client's text must be below DocumentRoot to be a file name. These changes close holes; BCTLS or B escapes groups, and UnsafePrefixStat exempts a rule from the second.",
  docs: [
    'rewrite/flags',
    'CVE-2023-25690, CVE-2024-38474, CVE-2024-38475',
    'modules/mappers/mod_rewrite.c: hook_uri2file, hook_fixup, escape_backref',
    'modules/proxy/mod_proxy_http.c: proxy_http_canon',
  ],
  run(context) {
    const asksQuery = holds('rewrite-query-blank', context.target);
    const known = asksQuery ? knownOf(context) : undefined;
    eachRule(context, (node, place, conditions) => {
      if (isCarriedOver(place)) check(context, node, place, conditions, known);
    });
    if (known === undefined) return;
    context.directives(['ProxyPassMatch'], (node, place) => {
      const [pattern = '', url = ''] = node.args.map(({ value }) => value);
      if (!isCarriedOver(place)) return;
      const query = queryOf(url, false).replaceAll('%', '');
      const rule = {
        ...known,
        pattern,
        ignoresCase: false,
        query,
        conditions: [],
        escapes: false,
        isForWholePath: true,
      };
      const source = blankInQuery(rule);
      if (source !== undefined)
        report(
          context,
          node,
          place,
          queryFinding(
            source,
            known,
            context.target,
            node,
            place,
            'in its place, RewriteRule with the flags P and B escapes it',
          ),
        );
    });
  },
});

/** What the configuration says that all rules need. */
interface RewriteSettings extends Pick<QueryRule, 'mapOf' | 'namesSystem'> {
  readonly paths: RequestPaths;
}

function knownOf({ index }: TransformContext): RewriteSettings {
  const tokens = index.directives(['ServerTokens']).at(-1)?.node.args[0]?.value ?? 'Full';
  return {
    mapOf: rewriteMapOf(index),
    namesSystem: /^(?:os|full)$/i.test(tokens),
    paths: new RequestPaths(index),
  };
}

function check(
  context: TransformContext,
  node: Directive,
  place: Place,
  conditions: readonly Directive[],
  known: RewriteSettings | undefined,
): void {
  const [pattern, substitution, flagsWord] = rewriteWords(node);
  if (pattern === undefined || substitution === undefined) return;
  // The substitution uses nothing of the request, and has no blank.
  if (!/[$%\t-\r ]/.test(substitution.text)) return;
  const flags = flagsOf(flagsWord);
  const hasFlag = (...names: string[]): boolean => flags.some(({ key }) => names.includes(key));
  if (hasFlag('f', 'forbidden', 'g', 'gone')) return;
  const status = flags.find(({ key }) => key === 'r' || key === 'redirect');
  // With such a status there is no result to look at.
  if (status !== undefined && /^[1245]/.test(status.value)) return;
  const redirects =
    status !== undefined ||
    (!hasFlag('p', 'proxy') && isElsewhere(substitution.text, serversOf(context.tree).of(place)));
  const isWritten = redirects && !hasFlag('ne', 'noescape');
  if (known !== undefined && !isWritten) {
    const rule: QueryRule = {
      ...known,
      pattern: pattern.text,
      ignoresCase: hasFlag('nc', 'nocase'),
      query: queryOf(substitution.text, hasFlag('qsl', 'qslast')),
      conditions,
      escapes: escapesBlank(flags),
      isForWholePath: isAtServerLevel(place),
    };
    const isRaw =
      hasFlag('p', 'proxy') && hasFlag('ne', 'noescape') && holds('rewrite-proxied-blank', context.target);
    if (!reportBlank(context, node, place, { rule, known, flags, substitution }) && isRaw)
      reportRawPath(context, node, place, { ...rule, query: substitution.text }, known);
  }
  if (!holds('rewrite-unsafe-prefix', context.target)) return;
  if (redirects || hasFlag('p', 'proxy', 'pt', 'passthrough', 'unsafeprefixstat')) return;
  const server = serversOf(context.tree).of(place);
  if (containersOf(place).length > 0 || (server.kind !== 'main' && server.kind !== 'vhost') || !server.whole)
    return;
  reportPrefix(context, node, place, startOf(substitution.text, conditions, rewriteMapOf(context.index)));
}

/**
 * What a substitution begins with: the text of a map, another variable, or what is below DocumentRoot as a rule. A lookup that
 * may find nothing is no beginning: what a client sends would come first then.
 */
function startOf(
  substitution: string,
  conditions: readonly Directive[],
  mapOf: (name: string) => string | undefined,
): 'map' | 'variable' | 'other' {
  const group = /^%([0-9])/.exec(substitution)?.[1];
  if (group === undefined) {
    const [lookup] = lookupsIn(substitution, mapOf).lookups;
    if (lookup?.at === 0 && lookup.fallback !== '' && !lookup.repeats) return 'map';
    // A substitution that begins with $1 begins with the URL, which is usually below DocumentRoot.
    return /^[%$]\{(?!document_root\}|request_uri\})/i.test(substitution) ? 'variable' : 'other';
  }
  const condition = conditions.at(-1);
  const [input, test, flags] = condition === undefined ? [] : rewriteWords(condition);
  const { text, lookups } = lookupsIn(input?.text ?? '', mapOf);
  if (lookups.length === 0) return /^%\{env:/i.test(input?.text ?? '') ? 'variable' : 'other';
  const isFilled = /^(?:\/|\.\+$)/.test(groupsOf(test?.text ?? '')[Number(group)] ?? '');
  const isSure = isFilled && test?.text.startsWith('!') === false && flags === undefined;
  return isSure && text === '' && lookups.every(({ repeats }) => !repeats) ? 'map' : 'variable';
}

function reportPrefix(
  context: TransformContext,
  node: Directive,
  place: Place,
  start: ReturnType<typeof startOf>,
): void {
  if (start === 'other') return;
  const [, substitution, flagsWord] = rewriteWords(node);
  const isWrong = `${sinceRelease('rewrite-unsafe-prefix')} the result of this rule is a file name only below DocumentRoot`;
  // A file for both versions must do for every release of 2.4, and one that does not know a flag answers 500.
  const mayWrite =
    start === 'map' && context.dual !== true && (flagsWord === undefined || /^\[.*\]$/s.test(flagsWord.text));
  if (mayWrite)
    report(context, node, place, {
      level: 'warning',
      message: `${isWrong}, and 404 elsewhere: the flag UnsafePrefixStat restores what 2.2 answered; the directory is what the map says, and no client can choose another`,
      edits: [withFlag(place.file.document, substitution!, flagsWord, 'UnsafePrefixStat')],
    });
  else
    report(context, node, place, {
      level: 'info',
      message: `${isWrong}: if the files are elsewhere, begin the substitution with their directory`,
    });
}

/** A rule that a blank in the query string may reach, and what has been read of it. */
interface RuleWithQuery {
  readonly rule: QueryRule;
  readonly known: RewriteSettings;
  readonly flags: ReturnType<typeof flagsOf>;
  readonly substitution: RewriteWord;
}

function reportBlank(
  context: TransformContext,
  node: Directive,
  place: Place,
  { rule, known, flags, substitution }: RuleWithQuery,
): boolean {
  const written = plusForBlanks(rule.query, substitution.end);
  const rest = { ...rule, query: written.query };
  const other = blankInQuery(rest);
  const source = ofWritten(rule.query) ?? other;
  // A file for both versions must do for every release of 2.4, and one that does not know a flag answers 500.
  const mayWrite =
    !flags.some(({ key }) => key === 'p' || key === 'proxy') &&
    context.dual !== true &&
    holds('rewrite-escape-controls', context.target);
  if (source === undefined) return false;
  const escaping =
    mayWrite && other !== undefined && other.kind !== 'unknown' ? escapingEdits(node, place, rest) : [];
  const isInPath = hasBlankInGroup(substitution.text.slice(0, -rule.query.length), rule);
  const inQueryAlone = `write "RewriteMap escape int:escape" in the server configuration, and \${escape:${source.what}} in the query: a flag would change the path too`;
  const flagWritten = `the flag BCTLS, ${sinceRelease('rewrite-escape-controls')}, escapes it; a program decodes the same value (for an older 2.4 give --target)`;
  const forOther = escaping.length > 0 ? flagWritten : isInPath ? inQueryAlone : undefined;
  const plus = 'write + in its place, which a program decodes to the blank';
  const remedy =
    source === other
      ? forOther
      : other === undefined
        ? plus
        : `${plus}, and escape that of ${other.what}${escaping.length > 0 ? ' by the flag BCTLS' : ''}`;
  // Both may replace the same text.
  const edits = escaping.some(({ start, end }) =>
    written.edits.some((edit) => edit.start < end && start < edit.end),
  )
    ? written.edits
    : [...written.edits, ...escaping];
  report(context, node, place, {
    ...queryFinding(source, known, context.target, node, place, remedy),
    edits,
    ...concernsOf(source, rule, place, known.paths),
  });
  return true;
}

/** Tells of a rule with P and NE, which hands the path on as it is: a blank in it, which 2.2 sent to the backend, is a 403. */
function reportRawPath(
  context: TransformContext,
  node: Directive,
  place: Place,
  rule: QueryRule,
  { paths }: RewriteSettings,
): void {
  const source = blankInQuery(rule);
  if (source?.kind !== 'path') return;
  report(context, node, place, {
    level: 'warning',
    message: `${sinceRelease('rewrite-proxied-blank')}, GET ${paths.of(place, source.path)} gets 403 from this rule, which hands the blank of ${source.what} on as it is (2.2 sent it to the backend): without NE the backend gets %20`,
    ...concernsOf(source, rule, place, paths),
  });
}

/**
 * Whether a substitution is a URL of another server. httpd takes its own scheme and name away, which needs a port in its
 * ServerName (mod_rewrite.c: reduce_uri; vhost.c: ap_matches_request_vhost).
 */
function isElsewhere(substitution: string, server: Server): boolean {
  const [, scheme, host] = /^([A-Za-z]+|%\{[^}]*\}):\/\/(%\{[^}]*\}|[^/?:]*)/.exec(substitution) ?? [];
  if (scheme === undefined || host === undefined) return false;
  const says = (name: string, pattern: RegExp): boolean =>
    linesOf(server, [name]).some(({ node }) => pattern.test(node.args[0]?.value ?? ''));
  if (!says('ServerName', /:[0-9]+$/)) return true;
  const isOwnScheme =
    scheme.startsWith('%') || scheme.toLowerCase() === (says('SSLEngine', /^on$/i) ? 'https' : 'http');
  const isOwnHost = /^%\{(?:HTTP_HOST|HTTP:Host|SERVER_NAME)\}$/i.test(host) || isNameOf(host, server);
  return !isOwnScheme || !isOwnHost;
}

/** What stands behind the first question mark, or behind the last: none of those in what is put in counts. */
function queryOf(substitution: string, isLast: boolean): string {
  const at = isLast ? substitution.lastIndexOf('?') : substitution.indexOf('?');
  return at < 0 ? '' : substitution.slice(at + 1);
}

/** Whether the flags have a blank in $1 and %1 escaped (mod_rewrite.c: escape_backref). */
function escapesBlank(flags: readonly RewriteFlag[]): boolean {
  if (flags.some(({ key, value }) => key === 'bne' && value.includes(' '))) return false;
  if (flags.some(({ key }) => key === 'bctls')) return true;
  const all = flags.filter(({ key }) => key === 'b' || key === 'backrefescaping');
  const chosen = all.findLast(({ value }) => value !== '')?.value ?? ' ';
  return all.length > 0 && chosen.includes(' ');
}

interface QueryFinding {
  readonly level: Level;
  readonly message: string;
  readonly edits?: readonly Edit[];
  readonly concerns?: RequestTest;
}

/** Which requests of a log the rule refuses: none can be told where a header or a variable has the blank. */
function concernsOf(
  { kind }: BlankSource,
  { pattern, ignoresCase, isForWholePath: isWhole }: QueryRule,
  place: Place,
  paths: RequestPaths,
): Pick<QueryFinding, 'concerns'> {
  if (kind !== 'always' && kind !== 'path') return {};
  const matches = matchingRule(pattern, ignoresCase, isWhole ? '' : paths.of(place, '/'));
  return { concerns: kind === 'always' ? matches : allOf(hasBlank, matches) };
}

/**
 * Has a rule escape the blanks that it puts into the query string: the flag BCTLS does so for groups, and a variable becomes the
 * group of a condition that always holds. What a program gets is the same once decoded. No edits where more than the query would
 * change: groups with a blank in the path, several variables, or groups of other conditions.
 */
function escapingEdits(node: Directive, { file: { document } }: Place, rule: QueryRule): readonly Edit[] {
  const [, substitution, flagsWord] = rewriteWords(node);
  // httpd refuses a line whose flags have no brackets (mod_rewrite.c: cmd_parseflagfield).
  if (substitution === undefined || (flagsWord !== undefined && !/^\[.*\]$/s.test(flagsWord.text))) return [];
  const { variables, isInMap } = unescapedParts(rule);
  const path = substitution.text.slice(0, substitution.text.length - rule.query.length);
  if (isInMap || variables.length > 1 || hasBlankInGroup(path, rule)) return [];
  const flag = withFlag(document, substitution, flagsWord, 'BCTLS');
  const [variable] = variables;
  if (variable === undefined) return [flag];
  const lastFlags = flagsOf(rule.conditions.at(-1) && rewriteWords(rule.conditions.at(-1)!)[2]);
  if (/%[0-9]/.test(substitution.text) || lastFlags.some(({ key }) => key === 'or' || key === 'ornext'))
    return [];
  const queryStart = substitution.end - rule.query.length;
  const references = [...rule.query.matchAll(new RegExp(variable.replace(/[^\w]/g, '\\$&'), 'g'))];
  const word = /\s/.test(variable) ? `"${variable}"` : variable;
  const condition = insertion(
    node.start,
    `${indentOf(document, node)}RewriteCond ${word} (.*)${namesHeader(variable) ? ' [NV]' : ''}${eolOf(document, node)}`,
  );
  if (flagsWord === undefined) {
    // The flags replace the last byte of the query, which may be that of a reference.
    const query = document.text.slice(queryStart, flag.end).replaceAll(variable, '%1');
    return [condition, { start: queryStart, end: flag.end, text: `${query} [BCTLS]` }];
  }
  return [
    condition,
    ...references.map(({ index }) => ({ start: queryStart + index, end: queryStart + index + variable.length, text: '%1' })), // prettier-ignore
    flag,
  ];
}

/** Writes + for the blanks that a query has of its own. @returns the edits, and the query without these blanks */
function plusForBlanks(
  query: string,
  end: number,
): { readonly edits: readonly Edit[]; readonly query: string } {
  const blanks = writtenBlanks(query);
  const start = end - query.length;
  return {
    edits: blanks.map((at) => ({ start: start + at, end: start + at + 1, text: '+' })),
    query: blanks.reduce((text, at) => `${text.slice(0, at)}+${text.slice(at + 1)}`, query),
  };
}

/** Whether a condition about a variable adds a header to Vary, which a substitution does not. */
const namesHeader = (variable: string): boolean => /^%\{HTTP[_:]/i.test(variable);

function insertion(at: number, text: string): Edit {
  return { start: at, end: at, text };
}

/** @param escape how the line has the blank escaped, where the rule does not follow from the line */
function queryFinding(
  source: BlankSource,
  known: RewriteSettings,
  target: Release,
  node: Directive,
  place: Place,
  escape?: string,
): QueryFinding {
  const flag = holds('rewrite-escape-controls', target) ? 'BCTLS' : 'B';
  const since = sinceRelease('rewrite-query-blank');
  const line = node.key === 'rewriterule' ? 'this rule' : 'this line';
  const puts = `which puts the blank of ${source.what} into the query string as it is`;
  const remedy =
    escape ??
    (isGroup(source)
      ? `the flag ${flag} escapes the blank`
      : `let a last RewriteCond match ${source.what} with (.*), write %1 in its place, and add the flag ${flag}, which escapes the blank`);
  switch (source.kind) {
    case 'always':
      return {
        level: 'error',
        message: `${since}, ${source.every ? 'every' : 'nearly every'} request gets 403 from ${line}, ${puts}: ${remedy}`,
      };
    case 'default':
      return {
        level: 'warning',
        message: `${since}, a request for which the map says nothing gets 403 from ${line}, ${puts} (2.2 served it): ${remedy}`,
      };
    case 'path': {
      const path = known.paths.of(place, source.path);
      return {
        level: 'warning',
        message: `${since}, GET ${path} gets 403 from ${line}, ${puts} (2.2 served it): ${remedy}`,
      };
    }
    case 'header':
      return {
        level: 'warning',
        message: `${since}, a request with the header "${source.header}: ${source.value}" gets 403 from ${line}, ${puts} (2.2 served it): ${remedy}`,
      };
    case 'unknown':
      return {
        level: 'info',
        message: `${since}, requests get 403 from ${line}, ${puts}, if there is one: ${remedy}`,
      };
  }
}

function report(
  context: TransformContext,
  node: Directive,
  { file }: Place,
  { level, message, edits = [], concerns }: QueryFinding,
): void {
  context.report({
    file,
    at: node.from,
    level,
    safety: edits.length > 0 ? 'review' : 'manual',
    message,
    edits,
    ...(concerns && { concerns }),
  });
}
