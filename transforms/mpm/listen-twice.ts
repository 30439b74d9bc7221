import type { ConfigFile } from '../../src/config';
import { defineTransform } from '../../src/engine';
import { FACTS } from '../../src/httpd/facts';
import { isUnknown } from '../common/lines';

export default defineTransform({
  id: 'listen-twice',
  changes: [],
  title: 'Two Listen lines with one address',
  stops: true,
  why: 'With two Listen lines for the same address and port, 2.2 passes its configuration test but does not start: the address is in use. Since 2.4.28 the configuration test refuses them.',
  docs: ['mpm_common: Listen', 'server/listen.c: alloc_listener'],
  lifeSpan: FACTS['listen-twice-refused'],
  advisory: true,
  run(context) {
    const lines = new Map<string, { readonly file: ConfigFile; readonly line: number }>();
    context.directives(['Listen'], (node, { file, chain, root }) => {
      const address = node.args[0]?.value.toLowerCase();
      // Lines in conditionals may be alternatives.
      if (address === undefined || isUnknown(address) || chain.length > 0 || root.role !== 'server') return;
      const key = `${/^[0-9]+$/.test(address) ? '*:' : ''}${address} ${root.path}`;
      const first = lines.get(key);
      if (first === undefined)
        return void lines.set(key, { file, line: file.document.positionAt(node.from).line });
      const firstLine = first.file === file ? `line ${first.line}` : `${first.file.name}:${first.line}`;
      context.report({
        file,
        at: node.from,
        level: 'error',
        message: `${firstLine} has a Listen for this address already, and httpd does not start with two: remove one of them`,
      });
    });
  },
});
