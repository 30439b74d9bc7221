import { removeArguments } from '../../src/edit';
import { FACTS } from '../../src/httpd/facts';
import { lineRule } from '../common/line-rule';

const NAMES = ['AuthUserFile', 'AuthGroupFile'];

export default lineRule({
  id: 'auth-file-standard',
  changes: ['A08'],
  title: 'The word "standard" after AuthUserFile and AuthGroupFile',
  stops: true,
  why: '2.2 accepts the type of the file as a second word; "standard" is the only type. 2.4 refuses a second word.',
  docs: ['mod_authn_file: AuthUserFile', 'mod_authz_groupfile: AuthGroupFile'],
  lifeSpan: FACTS['auth-file-one-word'],
  directives: NAMES,
  findingFor(node) {
    // 2.2 refuses any other second word as well.
    if (node.args.length !== 2 || node.args[1]!.value !== 'standard') return undefined;
    return {
      level: 'error',
      safety: 'safe',
      message: `2.4 refuses "standard" after ${node.name}: it accepts only the file name`,
      edits: removeArguments(node, [1]),
    };
  },
});
