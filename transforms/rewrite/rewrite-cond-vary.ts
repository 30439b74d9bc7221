import type { Place } from '../../src/config';
import { defineTransform } from '../../src/engine';
import { holds } from '../../src/httpd/facts';
import type { Directive } from '../../src/syntax';
import { isAtServerLevel, isCarriedOver } from '../common/lines';
import { flagsOf, headerOf, rewriteWords } from '../common/words';
import { eachRule } from './rules';

/** With one of these flags no file is served. */
const NO_FILE_FLAGS = /^(?:r|redirect|f|forbidden|g|gone)$/;

export default defineTransform({
  id: 'rewrite-cond-vary',
  changes: ['F32'],
  title: 'RewriteCond on a header, and Vary',
  why: 'A condition on a header of the request adds it to Vary. In a section or a .htaccess, 2.2 loses that when the rule leads to another file; since 2.4.30 it is sent. Host is no longer added since 2.4.29.',
  docs: ['mod_rewrite: RewriteCond', 'modules/mappers/mod_rewrite.c: lookup_header, hook_fixup'],
  advisory: true,
  onlyWhenUpgrading: true,
  run(context) {
    const keeps = holds('rewrite-keeps-vary', context.target);
    const dropsHost = holds('rewrite-no-vary-host', context.target);
    const adding: VaryRule[] = [];
    const headers = new Set<string>();
    let isLost = false;
    eachRule(context, (node, place, conditions) => {
      const rule = { node, place, headers: conditions.flatMap(headersOf) };
      if (!isCarriedOver(place) || !leadsToFile(rule.node)) return;
      const isServer = isAtServerLevel(place);
      if (keeps && !isServer && rule.headers.some(isKept)) {
        adding.push(rule);
        for (const header of rule.headers.filter(isKept)) headers.add(header);
      } else if (dropsHost && isServer && rule.headers.includes('Host') && !isLost) {
        isLost = true;
        context.report(
          finding(
            rule,
            '2.4 sends no Vary: Host with what this rule leads to, as caches keep hosts apart anyway: add Header merge Vary Host if one of yours does not',
          ),
        );
      }
    });
    const [first] = adding;
    if (first === undefined) return;
    const names = [...headers].join(', ');
    context.report(
      finding(
        first,
        `2.4 sends Vary: ${names} with what this ${adding.length > 1 ? 'and such rules lead' : 'rule leads'} to, so that caches keep it apart, which 2.2 did not: the flag NV of RewriteCond leaves it out`,
      ),
    );
  },
});

const isKept = (header: string): boolean => header !== 'Host';

function headersOf(condition: Directive): readonly string[] {
  const [test, , flags] = rewriteWords(condition);
  if (test === undefined || flagsOf(flags).some(({ key }) => /^(?:nv|novary)$/.test(key))) return [];
  return [...test.text.matchAll(/%\{(HTTP[:_][^}]*)\}/gi)].flatMap(([, name]) => headerOf(name!) ?? []);
}

function leadsToFile(node: Directive): boolean {
  const [, substitution, flags] = rewriteWords(node);
  if (substitution === undefined || substitution.text === '-') return false;
  if (/^(?:https?|ftp|gopher|mailto):/i.test(substitution.text)) return false;
  return !flagsOf(flags).some(({ key }) => NO_FILE_FLAGS.test(key));
}

interface VaryRule {
  readonly node: Directive;
  readonly place: Place;
}

function finding({ node, place }: VaryRule, message: string) {
  return { file: place.file, at: node.from, level: 'info', message } as const;
}
