import { type Finding, defineTransform } from '../../src/engine';
import { FACTS } from '../../src/httpd/facts';
import type { Directive } from '../../src/syntax';
import { groupsOf, flagsOf, rewriteMapOf, rewriteWords } from '../common/words';
import { isAtServerLevel, isCarriedOver, isUnknown } from '../common/lines';
import { allOf, matchingRule } from '../common/seen-requests';
import { lookupsIn } from './map-lookups';
import { eachRule } from './rules';

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
  onlyWhenUpgrading: true,
  run(context) {
    const mapOf = rewriteMapOf(context.index);
    eachRule(context, (node, place, conditions) => {
      if (!isAtServerLevel(place) || !isCarriedOver(place)) return;
      const effect = effectOf(node) ?? effectOfMap(node, conditions, mapOf);
      const value = effect === undefined ? effectOfValue(node, mapOf) : undefined;
      if (effect === undefined && value === undefined) return;
      context.report({
        file: place.file,
        at: node.from,
        level: effect === undefined ? 'info' : 'warning',
        message: `since 2.4.60 this rule takes effect${effect ?? value!}`,
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

/** What a rule does that 2.2 answered 400 for, where the result has no slash in front; undefined for any other rule. */
function effectOf(node: Directive): string | undefined {
  const start = startOf(node);
  if (start === undefined) return undefined;
  const effect =
    start === 'unknown'
      ? ', even where what it starts with has no slash in front'
      : ` as a rule to /${start}`;
  return `${effect}; 2.2 answered 400: check that this is intended, else delete the rule`;
}

/** Whether a rule begins with what a map says, and may say nothing. A condition may have asked the map before. */
function effectOfMap(
  node: Directive,
  conditions: readonly Directive[],
  mapOf: (name: string) => string | undefined,
): string | undefined {
  const substitution = resultOf(node);
  if (substitution === undefined) return undefined;
  const { text, lookups } = lookupsIn(substitution, mapOf);
  const first = lookups.find(({ at }) => at === 0);
  if (first === undefined || mapOf(first.name) === undefined) return undefined;
  const start = first.fallback + text;
  if (hasPlace(start) || /^[$%]/.test(start)) return undefined;
  if (conditions.some(({ args }) => args[0]?.value.includes(`\${${first.name}:`) === true)) return undefined;
  return ` as a rule to /${start.startsWith('?') ? '' : start} where the map ${first.name} says nothing; 2.2 answered 400: give the lookup a default that begins with a slash`;
}

/** What a value of the map that a rule begins with may do: the file of the map is not read. */
function effectOfValue(node: Directive, mapOf: (name: string) => string | undefined): string | undefined {
  const first = lookupsIn(resultOf(node) ?? '', mapOf).lookups.find(({ at }) => at === 0);
  if (first === undefined || mapOf(first.name) === undefined) return undefined;
  return `, too, where a value of the map ${first.name} has no slash in front; 2.2 answered 400`;
}

/** Whether a result is taken as it stands by both versions. */
const hasPlace = (text: string): boolean => text.startsWith('/') || ABSOLUTE.test(text);

/** The substitution of a rule whose result is a path that is looked for. */
function resultOf(node: Directive): string | undefined {
  const [, substitution, flags] = rewriteWords(node);
  const text = substitution?.text ?? '-';
  if (text === '-' || flagsOf(flags).some(({ key }) => NO_PATH_FLAGS.test(key))) return undefined;
  return text;
}

/** What a result without a slash in front starts with, `unknown` where the request decides; undefined for any other rule. */
function startOf(node: Directive): string | undefined {
  const [pattern] = rewriteWords(node);
  const text = resultOf(node);
  if (pattern === undefined || text === undefined || isUnknown(text)) return undefined;
  if (text.startsWith('?')) return '';
  if (hasPlace(text)) return undefined;
  const reference = /^\$([0-9])/.exec(text)?.[1];
  if (reference === undefined) return /^[$%]/.test(text) ? undefined : text;
  const group = groupsOf(pattern.text)[Number(reference)] ?? '';
  const isFirst = pattern.text.replace(/^\^/, '').startsWith(`(${group}`);
  return reference === '0' || isFirst || /^(?:\(\?:)?\//.test(group) ? undefined : 'unknown';
}
