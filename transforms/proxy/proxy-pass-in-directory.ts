import { lineRule } from '../common/line-rule';
import { containersOf } from '../common/lines';

const NAMES = ['ProxyPass', 'ProxyPassMatch', 'ProxyPassReverse'];

export default lineRule({
  id: 'proxy-pass-in-directory',
  changes: ['P01'],
  title: 'ProxyPass inside <Directory> or <Files>',
  stops: true,
  why: '2.2 uses the file system path of the section as the path of a URL; 2.4 does not start.',
  docs: ['mod_proxy: ProxyPass', 'modules/proxy/mod_proxy.c: add_pass'],
  advisory: true,
  names: NAMES,
  findingFor(node, place) {
    const container = containersOf(place).find(({ section }) => /^(?:directory|files)/.test(section.key));
    if (container === undefined) return undefined;
    return {
      level: 'error',
      message: `2.4 does not start with ${node.name} inside <${container.section.name}>: move it to server level, or into the <Location> of its URL`,
    };
  },
});
