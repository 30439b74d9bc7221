import { removeLine } from '../../src/edit';
import { defineTransform } from '../../src/engine';
import { eachLine } from '../common/lines';

const SETTINGS = [
  'MCacheMaxObjectCount',
  'MCacheMaxObjectSize',
  'MCacheMaxStreamingBuffer',
  'MCacheMinObjectSize',
  'MCacheRemovalAlgorithm',
  'MCacheSize',
];

export default defineTransform({
  id: 'mem-cache',
  changes: ['R05'],
  title: 'mod_mem_cache is gone',
  why: '2.4 has no mod_mem_cache, the cache in the memory of each process, and does not know the MCache directives.',
  docs: ['upgrading', 'mod_cache_disk', 'mod_cache_socache'],
  directives: SETTINGS,
  run(context) {
    eachLine(context, SETTINGS, (node, { file }) =>
      context.report({
        file,
        at: node.from,
        level: 'error',
        safety: 'safe',
        message: `2.4 does not know ${node.name}: mod_mem_cache is gone; mod_cache_disk or mod_cache_socache can replace it`,
        edits: [removeLine(file.document, node)],
      }),
    );
  },
});
