import { insertAfter } from '../src/edit';
import { defineTransform } from '../src/engine';
import { carriedOver, homeOf, sectionAround } from './auth-lines';

const DEPTH = 'AuthLDAPMaxSubGroupDepth';

/** Names no directive as its own: Require belongs to the access rules, AuthLDAPURL stays as it is. */
export default defineTransform({
  id: 'require-ldap-group',
  seed: ['A15'],
  title: 'Require ldap-group lets in the members of nested groups',
  why: '2.4 looks through groups that are members of the group named, ten levels deep unless AuthLDAPMaxSubGroupDepth says otherwise. 2.2 knew direct members only.',
  docs: ['mod_authnz_ldap: AuthLDAPMaxSubGroupDepth'],
  directives: [],
  run(context) {
    const settled = new Set<object>();
    const configured = new Set<object>();
    context.directives([DEPTH], (_, place) => settled.add(homeOf(place)));
    const groups: { at: number; file: (typeof context.tree.files)[number]; home: object }[] = [];
    carriedOver(context, ['Require'], (node, place) => {
      const words = node.args.map(({ value }) => value);
      const keyword = words[0]?.toLowerCase() === 'not' ? words[1] : words[0];
      if (keyword === 'ldap-group') groups.push({ at: node.from, file: place.file, home: homeOf(place) });
    });
    if (groups.length === 0) return;
    carriedOver(context, ['AuthLDAPURL'], (node, place) => {
      if (sectionAround(place)?.section.key === 'authnprovideralias') return;
      configured.add(homeOf(place));
      if (settled.has(homeOf(place))) return;
      context.report({
        file: place.file,
        at: node.from,
        level: 'error',
        safety: 'safe',
        message: `Require ldap-group lets in members of nested groups in 2.4: ${DEPTH} 0 keeps them out as 2.2 did`,
        edits: [insertAfter(place.file.document, node, [`${DEPTH} 0`])],
      });
    });
    if (configured.size > 0 || settled.size > 0) return;
    const [{ at, file }] = groups as [(typeof groups)[number]];
    context.report({
      file,
      at,
      level: 'error',
      safety: 'manual',
      message: `Require ldap-group lets in members of nested groups in 2.4: put ${DEPTH} 0 beside the AuthLDAPURL, which no file of this run holds`,
      edits: [],
    });
  },
});
