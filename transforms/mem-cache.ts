import { lastInForce, serversOf } from '../src/config';
import { removeLine } from '../src/edit';
import { defineTransform } from '../src/engine';
import { eachLine, replaceValue } from './shared/lines';

const SETTINGS = [
  'MCacheMaxObjectCount', 'MCacheMaxObjectSize', 'MCacheMaxStreamingBuffer', 'MCacheMinObjectSize', 'MCacheRemovalAlgorithm',
  'MCacheSize',
]; // prettier-ignore

export default defineTransform({
  id: 'mem-cache',
  seed: ['s2.1', 'R05', 'R06'],
  title: 'mod_mem_cache is gone',
  why: '2.4 has no cache in the memory of each process. It does not know the MCache directives, and "CacheEnable mem" caches nothing.',
  docs: ['upgrading', 'mod_cache: CacheEnable', 'mod_cache_disk', 'mod_cache_socache'],
  directives: SETTINGS,
  run(context) {
    eachLine(context, SETTINGS, (node, { file }) =>
      context.report({
        file,
        at: node.from,
        level: 'error',
        safety: 'safe',
        message: `2.4 does not know ${node.name}: mod_mem_cache is gone, and mod_cache_disk or mod_cache_socache take its place`,
        edits: [removeLine(file.document, node)],
      }),
    );
    const servers = serversOf(context.tree);
    eachLine(context, ['CacheEnable'], (node, place) => {
      const [type] = node.args;
      if (type?.value !== 'mem') return;
      const { file } = place;
      const server = servers.of(place);
      const onDisk =
        lastInForce(server, ['CacheRoot']) ?? (server.parent && lastInForce(server.parent, ['CacheRoot']));
      const common = { file, at: node.from, level: 'warning' as const };
      if (onDisk === undefined)
        context.report({
          ...common,
          safety: 'manual',
          message:
            '2.4 caches nothing for this line, because mod_mem_cache is gone: remove it, or use "disk" with a CacheRoot, or "socache"',
          edits: [],
        });
      else
        context.report({
          ...common,
          safety: 'review',
          message: `2.4 caches nothing for this line, because mod_mem_cache is gone; this assumes that the cache below ${onDisk.node.args[0]?.value ?? 'CacheRoot'} may take what was kept in memory`,
          edits: [replaceValue(file.document.text, type, 'disk')],
        });
    });
  },
});
