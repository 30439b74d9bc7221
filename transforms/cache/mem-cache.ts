import { removeLine } from '../../src/edit';
import { lineRule } from '../common/line-rule';

const SETTINGS = [
  'MCacheMaxObjectCount',
  'MCacheMaxObjectSize',
  'MCacheMaxStreamingBuffer',
  'MCacheMinObjectSize',
  'MCacheRemovalAlgorithm',
  'MCacheSize',
];

export default lineRule({
  id: 'mem-cache',
  changes: ['R05'],
  title: 'mod_mem_cache is gone',
  stops: true,
  why: '2.4 has no mod_mem_cache, the cache in the memory of each process, and does not know the MCache directives.',
  docs: ['upgrading', 'mod_cache_disk', 'mod_cache_socache'],
  directives: SETTINGS,
  findingFor: (node, { file }) => ({
    level: 'error',
    safety: 'safe',
    message: `2.4 does not know ${node.name}: mod_mem_cache is gone; mod_cache_disk or mod_cache_socache can replace it`,
    edits: [removeLine(file.document, node)],
  }),
});
