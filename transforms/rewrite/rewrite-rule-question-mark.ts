import type { ConfigFile, Place } from '../../src/config';
import { defineTransform } from '../../src/engine';
import { FACTS, holds, sinceRelease } from '../../src/httpd/facts';
import type { Directive } from '../../src/syntax';
import { groupsOf } from '../common/groups';
import { isCarriedOver } from '../common/lines';
import { flagsOf, rewriteWords } from '../common/rewrite-words';
import { withEscape } from '../common/seen-requests';

/** Variables with a part of the URL in which %3F is a question mark already. */
const DECODED =
  /%\{(?:REQUEST_URI|REQUEST_FILENAME|SCRIPT_NAME|SCRIPT_FILENAME|SCRIPT_UR[IL]|PATH_INFO|DOCUMENT_URI)\}/i;

/** With one of these flags there is no result to look at. */
const NO_RESULT_FLAGS = /^(?:f|forbidden|g|gone|unsafeallow3f)$/;

/** A rule, and where its place among its neighbours is. */
interface RuleLine {
  readonly node: Directive;
  readonly place: Place;
}

export default defineTransform({
  id: 'rewrite-rule-question-mark',
  changes: ['F23'],
  title: 'RewriteRule that passes a question mark on',
  why: 'Since 2.4.60, a URL with %3F gets a 403 if a rule puts it into its result as a question mark. This closes CVE-2024-38474; the flag UnsafeAllow3F exempts a rule. Until 2.4.62, a question mark of the substitution itself counts too.',
  docs: ['rewrite/flags: UnsafeAllow3F', 'CVE-2024-38474', 'modules/mappers/mod_rewrite.c: apply_rewrite_rule'],
  lifeSpan: FACTS['rewrite-question-mark'],
  advisory: true,
  directives: [],
  onlyWhenUpgrading: true,
  run(context) {
    const literalCounts = holds('rewrite-literal-question-mark', context.target);
    const byRoot = new Map<ConfigFile, RuleLine[]>();
    let conditions: Directive[] = [];
    context.index.visitInOrder(['RewriteCond', 'RewriteRule'], [], (node, place) => {
      if (node.kind !== 'directive') return;
      if (node.key === 'rewritecond') {
        conditions.push(node);
        return;
      }
      const refuses = isCarriedOver(place) && mayRefuse(node, conditions, literalCounts);
      conditions = [];
      if (!refuses) return;
      const lines = byRoot.get(place.root);
      if (lines === undefined) byRoot.set(place.root, [{ node, place }]);
      else lines.push({ node, place });
    });
    for (const [{ node, place }, ...more] of [...byRoot.values()] as [RuleLine, ...RuleLine[]][])
      context.report({
        file: place.file,
        at: node.from,
        level: 'info',
        safety: 'manual',
        message: `${sinceRelease('rewrite-question-mark')} a URL with %3F gets 403 from this rule${more.length === 0 ? '' : ` and ${linesOf(more, place.file)}`}: if such URLs are in use, the flag UnsafeAllow3F restores what 2.2 answered, and lets clients send a question mark to what the rule leads to (CVE-2024-38474)`,
        edits: [],
        concerns: withEscape('%3F'),
      });
  },
}); // prettier-ignore

/** Other rules named in a message: their lines if they are in the same file and few. */
function linesOf(lines: readonly RuleLine[], file: ConfigFile): string {
  if (lines.length > 4 || lines.some(({ place }) => place.file !== file)) return `${lines.length} more`;
  const numbers = lines.map(({ node }) => file.document.positionAt(node.from).line);
  return `${lines.length === 1 ? 'line' : 'lines'} ${numbers.join(', ')}`;
}

function mayRefuse(node: Directive, conditions: readonly Directive[], literalCounts: boolean): boolean {
  const [pattern, substitution, flagsWord] = rewriteWords(node);
  if (pattern === undefined || substitution === undefined || substitution.text === '-') return false;
  const flags = flagsOf(flagsWord).map(({ key }) => key);
  if (flags.some((flag) => NO_RESULT_FLAGS.test(flag))) return false;
  // What a map makes of a text is not known.
  // A question mark at the end stands for an empty query string, and is no part of the result.
  const text = substitution.text.replace(/\$\{[^}]*\}/g, '').replace(/\?$/, '');
  // The pattern must match a URL that has the question mark, wherever it goes.
  if (text.includes('?')) return literalCounts && holdsQuestionMark(pattern.text);
  if (DECODED.test(text)) return true;
  if (flags.some((flag) => /^(?:b|bnp|bctls)$/.test(flag))) return false;
  const groups = pattern.text.startsWith('!') ? [] : groupsOf(pattern.text);
  if (references(text, '$').some((n) => holdsQuestionMark(groups[n] ?? ''))) return true;
  const isDecoded = (input: string): boolean =>
    DECODED.test(input) || references(input, '$').some((n) => holdsQuestionMark(groups[n] ?? ''));
  return references(text, '%').some((n) =>
    conditions.some((condition) => {
      const [input, test] = rewriteWords(condition);
      return isDecoded(input?.text ?? '') && holdsQuestionMark(groupsOf(test?.text ?? '')[n] ?? '');
    }),
  );
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
