import { FACTS } from '../../src/httpd/facts';
import { lineRule } from '../common/line-rule';

export default lineRule({
  id: 'add-type-handler',
  changes: ['F17'],
  title: 'AddType that selects a handler',
  why: 'A type such as application/x-httpd-php is also the name of a handler, and AddType can select it. It still can, but 2.4.60 and 2.4.61 sent files as text when they were reached indirectly. SetHandler in <FilesMatch> is unambiguous. AddHandler is no substitute: it also runs x.php.jpg.',
  docs: ['CVE-2024-39884', 'server/config.c: ap_invoke_handler'],
  lifeSpan: FACTS['add-type-handler-missed'],
  advisory: true,
  names: ['AddType'],
  onlyWhenUpgrading: true,
  findingFor(node) {
    const [type = '', ...extensions] = node.args.map(({ value }) => value);
    if (!type.toLowerCase().startsWith('application/x-httpd-') || extensions.length === 0) return undefined;
    const names = extensions.map((name) => name.replace(/^\./, ''));
    const pattern = names.length > 1 ? `(?:${names.join('|')})` : names[0];
    return {
      level: 'info',
      message: `AddType selects the handler ${type} here, which 2.4.60 and 2.4.61 sometimes ignored: use SetHandler ${type} in <FilesMatch "\\.${pattern}$">`,
    };
  },
});
