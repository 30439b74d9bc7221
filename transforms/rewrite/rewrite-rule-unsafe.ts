import { type Place, serversOf } from '../../src/config';
import { type TransformContext, defineTransform } from '../../src/engine';
import { holds } from '../../src/httpd/facts';
import type { Directive } from '../../src/syntax';
import { groupsOf } from '../common/groups';
import { containersOf, isCarriedOver } from '../common/lines';
import { flagsOf, rewriteWords } from '../common/rewrite-words';

export default defineTransform({
  id: 'rewrite-rule-unsafe',
  changes: ['P10', 'F13', 'F14'],
  title: 'RewriteRule that releases of 2.4 refuse for some requests',
  why: "Since 2.4.56, a blank or control character in a rewritten query string leads to a 403. Since 2.4.60, a path that begins with the client's text must be below DocumentRoot to be a file name. These changes close holes; the flags B and UnsafePrefixStat exempt a rule.",
  docs: [
    'rewrite/flags',
    'CVE-2023-25690, CVE-2024-38474, CVE-2024-38475',
    'modules/mappers/mod_rewrite.c: hook_uri2file',
  ],
  advisory: true,
  directives: [],
  run(context) {
    context.directives(['RewriteRule'], (node, place) => check(context, node, place));
    if (!holds('rewrite-query-blank', context.target)) return;
    context.directives(['ProxyPassMatch'], (node, place) => {
      const [pattern = '', url = ''] = node.args.map(({ value }) => value);
      if (queryMayHoldBlank(pattern, url)) report(context, node, place, QUERY_MESSAGE);
    });
  },
});

const QUERY_MESSAGE =
  'since 2.4.56, httpd answers 403 if a part of the request with %20 goes into the query string: the flag B of RewriteRule escapes it';

function check(context: TransformContext, node: Directive, place: Place): void {
  const [pattern, substitution, flagsWord] = rewriteWords(node);
  if (pattern === undefined || substitution === undefined) return;
  // The substitution uses nothing of the request.
  if (!/[$%]/.test(substitution.text)) return;
  const flags = flagsOf(flagsWord);
  const hasFlag = (...names: string[]): boolean => flags.some(({ key }) => names.includes(key));
  if (hasFlag('f', 'forbidden', 'g', 'gone')) return;
  const redirects =
    hasFlag('r', 'redirect') || (/^[A-Za-z]+:\/\//.test(substitution.text) && !hasFlag('p', 'proxy'));
  if (
    holds('rewrite-query-blank', context.target) &&
    !(redirects && !hasFlag('ne', 'noescape')) &&
    !hasFlag('b', 'bnp', 'bctls') &&
    queryMayHoldBlank(pattern.text, substitution.text)
  )
    report(context, node, place, QUERY_MESSAGE);
  // A substitution that begins with $1 begins with the URL, which is usually below DocumentRoot.
  if (!holds('rewrite-unsafe-prefix', context.target)) return;
  const startsWithVariable = /^[%$]\{(?!document_root\}|request_uri\})/.test(substitution.text.toLowerCase());
  if (!startsWithVariable || redirects || hasFlag('p', 'proxy', 'pt', 'passthrough', 'unsafeprefixstat'))
    return;
  const server = serversOf(context.tree).of(place);
  if (containersOf(place).length === 0 && (server.kind === 'main' || server.kind === 'vhost') && server.whole)
    report(
      context,
      node,
      place,
      'since 2.4.60 the result of this rule is a file name only below DocumentRoot: if the files are elsewhere, begin the substitution with their directory',
    );
}

/** Whether the substitution puts a group of the pattern into the query string that can match a blank. */
function queryMayHoldBlank(pattern: string, substitution: string): boolean {
  const at = substitution.indexOf('?');
  const query = at < 0 ? '' : substitution.slice(at + 1);
  if (!query.includes('$')) return false;
  const groups = groupsOf(pattern);
  return [...query.matchAll(/(?<!\\)[$]([0-9])/g)].some(([, n]) => mayMatchBlank(groups[Number(n)] ?? ''));
}

function mayMatchBlank(part: string): boolean {
  return /(?<!\\)\.|\[\^|\\[WDSs]| /.test(part.replaceAll('\\\\', ''));
}

function report(context: TransformContext, node: Directive, place: Place, message: string): void {
  if (!isCarriedOver(place)) return;
  const { file } = place;
  context.report({ file, at: node.from, level: 'info', safety: 'manual', message, edits: [] });
}
