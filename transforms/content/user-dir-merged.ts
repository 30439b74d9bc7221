import { lastInForce } from '../../src/config';
import { advice } from '../common/advice';

export default advice({
  id: 'user-dir-merged',
  changes: ['C36'],
  title: 'UserDir in the main server and in a virtual host',
  why: 'In a virtual host with a UserDir, early releases of 2.2 ignored the UserDir of the main server. In 2.4, the virtual host inherits the directory and the word disabled unless it sets them.',
  docs: ['mod_userdir: UserDir', 'modules/mappers/mod_userdir.c: merge_userdir_config'],
  names: ['UserDir'],
  level: 'info',
  concerns: ({ path }) => path.startsWith('/~'),
  messageFor: (_, place, servers) => {
    const { parent } = servers.of(place);
    const mainLine = parent === undefined ? undefined : lastInForce(parent, ['UserDir']);
    return mainLine === undefined
      ? undefined
      : `2.4 also applies the main server's UserDir ${mainLine.node.rest} here, which early releases of 2.2 ignored: check that both together are intended`;
  },
});
