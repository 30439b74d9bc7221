import { lastInForce } from '../../src/config';
import { advice } from '../shared/advice';

export default advice({
  id: 'user-dir-merged',
  changes: ['C36'],
  title: 'UserDir in the main server and in a virtual host',
  why: 'Early releases of 2.2 forgot the UserDir of the main server where a virtual host had one; 2.4 takes the directory and "disabled" from it where the virtual host does not say them.',
  docs: ['mod_userdir: UserDir', 'modules/mappers/mod_userdir.c: merge_userdir_config'],
  names: ['UserDir'],
  findingFor: (_, place, servers) => {
    const { parent } = servers.of(place);
    const mainLine = parent === undefined ? undefined : lastInForce(parent, ['UserDir']);
    return mainLine === undefined
      ? undefined
      : {
          level: 'info',
          message: `2.4 adds the main server's UserDir ${mainLine.node.rest}, which early releases of 2.2 did not`,
        };
  },
});
