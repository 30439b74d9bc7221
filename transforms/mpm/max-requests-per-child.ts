import { defineTransform } from '../../src/engine';
import { reportRename } from '../common/lines';

export default defineTransform({
  id: 'max-requests-per-child',
  changes: ['R02'],
  title: 'MaxRequestsPerChild is called MaxConnectionsPerChild',
  why: '2.4 renamed it: it always counted connections. The old name still works.',
  docs: ['mpm_common: MaxConnectionsPerChild'],
  directives: ['MaxRequestsPerChild'],
  run(context) {
    reportRename(context, 'MaxRequestsPerChild', 'MaxConnectionsPerChild');
  },
});
