import { advice } from '../shared/advice';

export default advice({
  id: 'substitute-in-htaccess',
  changes: ['C37'],
  title: 'Substitute in a .htaccess needs AllowOverride FileInfo',
  why: 'In 2.2 any AllowOverride class let a .htaccess say Substitute; 2.4 wants FileInfo.',
  docs: ['mod_substitute: Substitute'],
  names: ['Substitute'],
  tell: (_, { root }, servers) =>
    root.role === 'htaccess' && servers.main?.whole === true
      ? {
          level: 'warning',
          message:
            '2.4 answers 500 here unless AllowOverride has FileInfo (or All); in 2.2 any class would do',
        }
      : undefined,
});
