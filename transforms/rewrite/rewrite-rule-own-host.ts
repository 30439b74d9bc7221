import { serversOf } from '../../src/config';
import { FACTS } from '../../src/httpd/facts';
import { lineRule } from '../common/line-rule';
import { isAtServerLevel } from '../common/lines';
import { flagsOf, rewriteWords } from '../common/words';
import { isNameOf } from './server-name';

/** With one of these flags, the substitution is not a file name. */
const NO_FILE_FLAGS = /^(?:r|redirect|p|proxy|f|forbidden|g|gone)$/;

export default lineRule({
  id: 'rewrite-rule-own-host',
  changes: ['F15'],
  title: 'RewriteRule to a URL of its own virtual host',
  why: 'mod_rewrite removes its own scheme and host from a substitution and continues with the path. 2.2 then uses the path as a file name if its first part is a directory of the system; 2.4 always looks below DocumentRoot. RewriteOptions LegacyPrefixDocRoot restores what 2.2 did.',
  docs: ['mod_rewrite: RewriteOptions', 'modules/mappers/mod_rewrite.c: reduce_uri'],
  lifeSpan: FACTS['rewrite-own-host-path'],
  advisory: true,
  names: ['RewriteRule'],
  onlyWhenUpgrading: true,
  findingFor(node, place, { tree }) {
    const servers = serversOf(tree);
    const [, substitution, flags] = rewriteWords(node);
    const host = /^https?:\/\/([A-Za-z0-9.-]+)(?::[0-9]+)?\/[A-Za-z]/i.exec(substitution?.text ?? '')?.[1];
    if (host === undefined || flagsOf(flags).some(({ key }) => NO_FILE_FLAGS.test(key))) return undefined;
    if (!isAtServerLevel(place)) return undefined;
    if (!isNameOf(host, servers.of(place))) return undefined;
    return {
      level: 'info',
      message: `${host} is a name of this virtual host, so this rule does not redirect: 2.4 looks for the path below DocumentRoot; 2.2 used it as a file name if its first part is a directory of the system, and RewriteOptions LegacyPrefixDocRoot restores that`,
    };
  },
});
