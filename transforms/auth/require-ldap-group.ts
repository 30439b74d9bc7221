import { insertAfter } from '../../src/edit';
import type { Place } from '../../src/config';
import { type Finding, defineTransform } from '../../src/engine';
import { containersOf, eachLine, isCarriedOver, scopeOf } from '../common/lines';
import { asWrittenFor24, isWrittenFor24 } from '../common/written-for';

const DEPTH = 'AuthLDAPMaxSubGroupDepth';

/** Owns no directive: Require belongs to order-allow-deny, and AuthLDAPURL is not edited. */
export default defineTransform({
  id: 'require-ldap-group',
  changes: ['A15'],
  title: 'Require ldap-group lets in the members of nested groups',
  why: '2.4 follows groups that are members of the named group, up to ten levels deep unless AuthLDAPMaxSubGroupDepth sets another limit. 2.2 looks at direct members only.',
  docs: ['mod_authnz_ldap: AuthLDAPMaxSubGroupDepth'],
  run(context) {
    const withDepth = new Set<object>();
    const withUrl = new Set<object>();
    const groups: { at: number; place: Place }[] = [];
    context.directives(['Require'], (node, place) => {
      if (!node.rest.includes('ldap-group') || !isCarriedOver(place)) return;
      const words = node.args.map(({ value }) => value);
      const keyword = words[0]?.toLowerCase() === 'not' ? words[1] : words[0];
      if (keyword === 'ldap-group') groups.push({ at: node.from, place });
    });
    if (groups.length === 0) return;
    context.directives([DEPTH], (_, place) => withDepth.add(scopeOf(place)));
    // Where 2.4 runs already, nobody who gets in today is kept out.
    const report = (place: Place, details: Omit<Finding, 'rule' | 'file' | 'level'>): void => {
      const finding = { file: place.file, level: 'error', changesAccess: true, ...details } as const;
      context.report(isWrittenFor24(context, place) ? asWrittenFor24(finding) : finding);
    };
    eachLine(context, ['AuthLDAPURL'], (node, place) => {
      if (containersOf(place).at(-1)?.section.key === 'authnprovideralias') return;
      withUrl.add(scopeOf(place));
      if (withDepth.has(scopeOf(place))) return;
      report(place, {
        at: node.from,
        safety: 'safe',
        message: `Require ldap-group lets in members of nested groups in 2.4: ${DEPTH} 0 keeps them out as 2.2 did`,
        edits: [insertAfter(place.file.document, node, [`${DEPTH} 0`])],
      });
    });
    if (withUrl.size > 0 || withDepth.size > 0) return;
    const [{ at, place }] = groups as [(typeof groups)[number]];
    report(place, {
      at,
      safety: 'manual',
      message: `Require ldap-group lets in members of nested groups in 2.4: put ${DEPTH} 0 beside the AuthLDAPURL, which is in none of the files of this run`,
      edits: [],
    });
  },
});
