import { advice } from '../shared/advice';
import { FACTS } from '../../src/httpd/facts';

export default advice({
  id: 'substitute-in-htaccess',
  changes: ['C37'],
  title: 'Substitute in a .htaccess needs AllowOverride FileInfo',
  why: 'In 2.2 any AllowOverride class let a .htaccess say Substitute; 2.4 wants FileInfo.',
  docs: ['mod_substitute: Substitute'],
  lifeSpan: FACTS['substitute-file-info'],
  names: ['Substitute'],
  findingFor: (_, { root }, servers) =>
    root.role === 'htaccess' && servers.main?.whole === true
      ? {
          level: 'warning',
          message:
            '2.4 answers 500 here unless AllowOverride includes FileInfo (or All); in 2.2 any class was enough',
        }
      : undefined,
});
