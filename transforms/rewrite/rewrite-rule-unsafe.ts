import { type Place, type Server, linesOf, serversOf } from '../../src/config';
import { type Edit, eolOf, indentOf } from '../../src/edit';
import { type Level, type TransformContext, defineTransform } from '../../src/engine';
import { holds, sinceRelease } from '../../src/httpd/facts';
import type { Release } from '../../src/httpd/release';
import type { Directive } from '../../src/syntax';
import { containersOf, isCarriedOver } from '../common/lines';
import { type RewriteFlag, flagsOf, rewriteWords } from '../common/rewrite-words';
import {
  type BlankSource,
  type QueryRule,
  blankInQuery,
  hasBlankInGroup,
  isGroup,
  unescapedParts,
} from './query-blanks';
import { RequestPaths } from './request-path';
import { isNameOf } from './server-name';

export default defineTransform({
  id: 'rewrite-rule-unsafe',
  changes: ['P10', 'F13', 'F14'],
  title: 'RewriteRule that releases of 2.4 refuse for some requests',
  why: "Since 2.4.56, a blank or control character in a rewritten query string leads to a 403. Since 2.4.60, a path that begins with the client's text must be below DocumentRoot to be a file name. These changes close holes; BCTLS or B escapes groups, and UnsafePrefixStat exempts a rule from the second.",
  docs: [
    'rewrite/flags',
    'CVE-2023-25690, CVE-2024-38474, CVE-2024-38475',
    'modules/mappers/mod_rewrite.c: hook_uri2file, hook_fixup, escape_backref',
  ],
  directives: [],
  run(context) {
    const asksQuery = holds('rewrite-query-blank', context.target);
    const known = asksQuery ? knownOf(context) : undefined;
    let conditions: Directive[] = [];
    context.index.visitInOrder(['RewriteCond', 'RewriteRule'], [], (node, place) => {
      if (node.kind !== 'directive') return;
      if (node.key === 'rewritecond') {
        conditions.push(node);
        return;
      }
      const before = conditions;
      conditions = [];
      if (isCarriedOver(place)) check(context, node, place, before, known);
    });
    if (known === undefined) return;
    context.directives(['ProxyPassMatch'], (node, place) => {
      const [pattern = '', url = ''] = node.args.map(({ value }) => value);
      if (!isCarriedOver(place)) return;
      const query = queryOf(url, false).replaceAll('%', '');
      const rule = { ...known, pattern, ignoresCase: false, query, conditions: [], escapes: false, isForWholePath: true }; // prettier-ignore
      const source = blankInQuery(rule);
      if (source !== undefined)
        report(context, node, place, queryFinding(source, known, context.target, node, place, 'in its place, RewriteRule with the flags P and B escapes it')); // prettier-ignore
    });
  },
});

/** What the configuration says that all rules need. */
interface RewriteSettings extends Pick<QueryRule, 'mapOf' | 'namesSystem'> {
  readonly paths: RequestPaths;
}

function knownOf({ index }: TransformContext): RewriteSettings {
  const maps = new Map<string, string>();
  index.visitDirectives(['RewriteMap'], ({ args: [name, source] }) => {
    if (name !== undefined && source !== undefined) maps.set(name.value, source.value.toLowerCase());
  });
  const tokens = index.directives(['ServerTokens']).at(-1)?.node.args[0]?.value ?? 'Full';
  return {
    mapOf: (name) => maps.get(name),
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
  // The substitution uses nothing of the request.
  if (!/[$%]/.test(substitution.text)) return;
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
      isForWholePath: isForWholePath(place),
    };
    reportBlank(context, node, place, { rule, known, flags, substitution: substitution.text });
  }
  // A substitution that begins with $1 begins with the URL, which is usually below DocumentRoot.
  if (!holds('rewrite-unsafe-prefix', context.target)) return;
  const startsWithVariable = /^[%$]\{(?!document_root\}|request_uri\})/.test(substitution.text.toLowerCase());
  if (!startsWithVariable || redirects || hasFlag('p', 'proxy', 'pt', 'passthrough', 'unsafeprefixstat'))
    return;
  const server = serversOf(context.tree).of(place);
  if (containersOf(place).length === 0 && (server.kind === 'main' || server.kind === 'vhost') && server.whole)
    report(context, node, place, {
      level: 'info',
      message:
        'since 2.4.60 the result of this rule is a file name only below DocumentRoot: if the files are elsewhere, begin the substitution with their directory',
    });
}

/** A rule that a blank in the query string may reach, and what has been read of it. */
interface RuleWithQuery {
  readonly rule: QueryRule;
  readonly known: RewriteSettings;
  readonly flags: ReturnType<typeof flagsOf>;
  readonly substitution: string;
}

function reportBlank(
  context: TransformContext,
  node: Directive,
  place: Place,
  { rule, known, flags, substitution }: RuleWithQuery,
): void {
  const source = blankInQuery(rule);
  // A file for both versions must do for every release of 2.4, and one that does not know a flag answers 500.
  const mayWrite = !flags.some(({ key }) => key === 'p' || key === 'proxy') && context.dual !== true && holds('rewrite-escape-controls', context.target); // prettier-ignore
  if (source === undefined) return;
  const edits = mayWrite && source.kind !== 'unknown' ? escapingEdits(node, place, rule) : [];
  const isInPath = hasBlankInGroup(substitution.slice(0, -rule.query.length), rule);
  const inQueryAlone = `write "RewriteMap escape int:escape" in the server configuration, and \${escape:${source.what}} in the query: a flag would change the path too`;
  const written = `the flag BCTLS, ${sinceRelease('rewrite-escape-controls')}, escapes it; a program decodes the same value (for an older 2.4 give --target)`;
  const remedy = edits.length > 0 ? written : isInPath ? inQueryAlone : undefined;
  report(context, node, place, {
    ...queryFinding(source, known, context.target, node, place, remedy),
    edits,
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

/** Whether a rule is compared with the whole path of a URL, as in a server, rather than with what is below its directory. */
function isForWholePath(place: Place): boolean {
  return place.root.role !== 'htaccess' && containersOf(place).length === 0;
}

interface QueryFinding {
  readonly level: Level;
  readonly message: string;
  readonly edits?: readonly Edit[];
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
  // A closing quote stands behind the word.
  const isQuoted = /["']/.test(document.text[substitution.end] ?? '');
  const flag: Edit =
    flagsWord === undefined
      ? insertion(substitution.end + (isQuoted ? 1 : 0), ' [BCTLS]')
      : insertion(flagsWord.end - 1, flagsWord.text === '[]' ? 'BCTLS' : ',BCTLS');
  const [variable] = variables;
  if (variable === undefined) return [flag];
  const lastFlags = flagsOf(rule.conditions.at(-1) && rewriteWords(rule.conditions.at(-1)!)[2]);
  if (/%[0-9]/.test(substitution.text) || lastFlags.some(({ key }) => key === 'or' || key === 'ornext'))
    return [];
  const queryStart = substitution.end - rule.query.length;
  const references = [...rule.query.matchAll(new RegExp(variable.replace(/[^\w]/g, '\\$&'), 'g'))];
  const word = /\s/.test(variable) ? `"${variable}"` : variable;
  return [
    insertion(node.start, `${indentOf(document, node)}RewriteCond ${word} (.*)${eolOf(document, node)}`),
    ...references.map(({ index }) => ({ start: queryStart + index, end: queryStart + index + variable.length, text: '%1' })), // prettier-ignore
    flag,
  ];
}

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
  { level, message, edits = [] }: QueryFinding,
): void {
  context.report({
    file,
    at: node.from,
    level,
    safety: edits.length > 0 ? 'review' : 'manual',
    message,
    edits,
  });
}
