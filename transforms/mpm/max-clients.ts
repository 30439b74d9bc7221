import { defineTransform } from '../../src/engine';
import { reportRename } from '../common/lines';

export default defineTransform({
  id: 'max-clients',
  changes: ['R01'],
  title: 'MaxClients is called MaxRequestWorkers',
  why: '2.4 renamed it: the number never counted clients. The old name still works, with a notice at every start.',
  docs: ['mpm_common: MaxRequestWorkers'],
  directives: ['MaxClients'],
  run(context) {
    reportRename(context, 'MaxClients', 'MaxRequestWorkers');
  },
});
