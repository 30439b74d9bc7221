import { advice } from '../common/advice';
import { FACTS } from '../../src/httpd/facts';

export default advice({
  id: 'substitute-in-htaccess',
  changes: ['C37'],
  title: 'Substitute in a .htaccess needs AllowOverride FileInfo',
  why: 'In 2.2, any AllowOverride class allows Substitute in a .htaccess. 2.4 requires FileInfo.',
  docs: ['mod_substitute: Substitute'],
  lifeSpan: FACTS['substitute-file-info'],
  names: ['Substitute'],
  level: 'warning',
  messageFor: (_, { root }, servers) =>
    root.role === 'htaccess' && servers.main?.whole === true
      ? '2.4 answers 500 here unless AllowOverride includes FileInfo, where any class was enough for 2.2: check AllowOverride'
      : undefined,
});
