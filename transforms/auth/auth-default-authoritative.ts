import { removeLine } from '../../src/edit';
import { lineRule } from '../common/line-rule';

/** What becomes of whom it was about, once the line is gone (2.2 modules/aaa/mod_authn_default.c, mod_authz_default.c). */
const OUTCOMES: Readonly<Record<string, string>> = {
  __proto__: null!,
  authdefaultauthoritative: 'a user whom no provider knows is refused',
  authzdefaultauthoritative: 'what no Require line grants is refused',
};

export default lineRule({
  id: 'auth-default-authoritative',
  changes: ['R04'],
  title: 'AuthDefaultAuthoritative and AuthzDefaultAuthoritative',
  stops: true,
  why: '2.4 has no modules that refuse at last whom no other module has let in: it refuses them itself. With Off, 2.2 answered 500 in their place.',
  docs: ['upgrading', 'mod_authn_default.c: authenticate_no_user', 'mod_authz_default.c: check_user_access'],
  directives: ['AuthDefaultAuthoritative', 'AuthzDefaultAuthoritative'],
  findingFor(node, place) {
    const { file } = place;
    return {
      level: 'error',
      safety: 'safe',
      message: `2.4 does not know ${node.name}, and needs none: ${OUTCOMES[node.key]!}; the line is removed`,
      edits: [removeLine(file.document, node)],
    };
  },
});
