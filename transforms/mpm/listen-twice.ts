import { defineTransform } from '../../src/engine';
import { FACTS } from '../../src/httpd/facts';
import { isUnknown } from '../shared/lines';

export default defineTransform({
  id: 'listen-twice',
  seed: [],
  title: 'Listen twice on one address',
  why: '2.2 found nothing wrong with its configuration where two Listen lines name the same address and port, but could not start: the second found the address in use. Since 2.4.28 it is the configuration test that refuses them.',
  docs: ['mpm_common: Listen', 'server/listen.c: alloc_listener'],
  lifeSpan: FACTS['listen-twice-refused'],
  advisory: true,
  directives: [],
  run(context) {
    const lines = new Map<string, number>();
    context.directives(['Listen'], (node, { file, chain, root }) => {
      const address = node.args[0]?.value.toLowerCase();
      // Lines in conditionals may be there instead of each other.
      if (address === undefined || isUnknown(address) || chain.length > 0 || root.role !== 'server') return;
      const key = `${/^[0-9]+$/.test(address) ? '*:' : ''}${address} ${root.path}`;
      const first = lines.get(key);
      if (first === undefined) return void lines.set(key, file.document.positionAt(node.from).line);
      context.report({
        file,
        at: node.from,
        level: 'error',
        safety: 'manual',
        message: `since 2.4.28 httpd refuses a second Listen for one address, as 2.2 did when it started: line ${first} names it already; take one of them out`,
        edits: [],
      });
    });
  },
});
