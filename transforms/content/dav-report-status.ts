import { FACTS } from '../../src/httpd/facts';
import { advice } from '../common/advice';
import { whereOnDav } from '../common/dav';

export default advice({
  id: 'dav-report-status',
  changes: ['F39'],
  title: 'REPORT without a body',
  why: 'Where no module keeps versions of files, mod_dav answers 405 to REPORT in 2.2. Later releases of 2.4 read the body first, as a module may answer reports of another kind: without one they answer 400. Who may ask is decided before.',
  docs: ['modules/dav/main/mod_dav.c: dav_method_report'],
  lifeSpan: FACTS['dav-report-body-first'],
  names: ['Dav'],
  once: true,
  level: 'info',
  concerns: ({ method, status }) => method === 'REPORT' && status === 405,
  messageFor: whereOnDav(
    'REPORT without a body is answered 400 in this release, no longer 405: check programs that depend on it',
  ),
});
