import { type Finding, defineTransform } from '../../src/engine';
import { FACTS } from '../../src/httpd/facts';
import type { Directive } from '../../src/syntax';
import { groupsOf, flagsOf, rewriteWords } from '../common/words';
import { isAtServerLevel, isCarriedOver, isUnknown } from '../common/lines';
import { allOf, matchingRule } from '../common/seen-requests';

/** With one of these flags the result is no path that is looked for. */
const NO_PATH_FLAGS = /^(?:r|redirect|p|proxy|f|forbidden|g|gone)$/;

/** What 2.4 takes for a URL (modules/mappers/mod_rewrite.c: is_absolute_uri), and a path on a drive of Windows. */
const ABSOLUTE =
  /^(?:(?:ajp|balancer|fcgi|ftp|gopher|h2c?|https?|ldap|nntp|scgi|wss?):\/\/|(?:mailto|news|unix):|[A-Z]:\/)/i;

export default defineTransform({
  id: 'rewrite-rule-no-slash',
  changes: ['F31'],
  title: 'RewriteRule at server level to something without a slash in front',
  why: 'At server level, 2.2 answers 400 if the result of a rule has neither a scheme that it knows nor a slash in front. Since 2.4.60, mod_rewrite puts a slash in front, and the rule takes effect.',
  docs: ['mod_rewrite: RewriteRule', 'modules/mappers/mod_rewrite.c: apply_rewrite_rule'],
  lifeSpan: FACTS['rewrite-slash-added'],
  advisory: true,
  directives: [],
  onlyWhenUpgrading: true,
  run(context) {
    context.directives(['RewriteRule'], (node, place) => {
      const start = isAtServerLevel(place) && isCarriedOver(place) ? startOf(node) : undefined;
      if (start === undefined) return;
      context.report({
        file: place.file,
        at: node.from,
        level: 'warning',
        safety: 'manual',
        message: `since 2.4.60 this rule takes effect${start === 'unknown' ? ', even where what it starts with has no slash in front' : ` as a rule to /${start}`}; 2.2 answered 400: check that this is intended, else delete the rule`,
        ...concernsOf(node),
      });
    });
  },
});

/** Requests that 2.2 has answered 400 for it. */
function concernsOf(node: Directive): Pick<Finding, 'concerns'> {
  const [pattern, , flags] = rewriteWords(node);
  if (pattern === undefined) return {};
  const ignoresCase = flagsOf(flags).some(({ key }) => key === 'nc' || key === 'nocase');
  return { concerns: allOf(({ status }) => status === 400, matchingRule(pattern.text, ignoresCase, '')) };
}

/** What a result without a slash in front starts with, `unknown` where the request decides; undefined for any other rule. */
function startOf(node: Directive): string | undefined {
  const [pattern, substitution, flags] = rewriteWords(node);
  const text = substitution?.text ?? '-';
  if (pattern === undefined || text === '-' || isUnknown(text)) return undefined;
  if (flagsOf(flags).some(({ key }) => NO_PATH_FLAGS.test(key))) return undefined;
  if (text.startsWith('?')) return '';
  if (text.startsWith('/') || ABSOLUTE.test(text)) return undefined;
  const reference = /^\$([0-9])/.exec(text)?.[1];
  if (reference === undefined) return /^[$%]/.test(text) ? undefined : text;
  const group = groupsOf(pattern.text)[Number(reference)] ?? '';
  const isFirst = pattern.text.replace(/^\^/, '').startsWith(`(${group}`);
  return reference === '0' || isFirst || /^(?:\(\?:)?\//.test(group) ? undefined : 'unknown';
}
