import { FACTS } from '../../src/httpd/facts';
import { advice } from '../common/advice';
import { whereOnDav } from '../common/dav';

export default advice({
  id: 'dav-report-status',
  changes: ['F39'],
  title: 'REPORT where no versions are kept',
  why: 'Where no module keeps versions of files, mod_dav answers 405 to REPORT in 2.2. Later releases of 2.4 read the body first, as a module may answer reports of another kind: without one they answer 400, and with one 501. Who may ask is decided before.',
  docs: ['modules/dav/main/mod_dav.c: dav_method_report'],
  lifeSpan: FACTS['dav-report-body-first'],
  names: ['Dav'],
  once: true,
  level: 'info',
  concerns: ({ method, status }) => method === 'REPORT' && status === 405,
  messageFor: whereOnDav(
    'REPORT is answered 501 in this release, and 400 without a body, no longer 405: check programs that depend on it',
  ),
});
