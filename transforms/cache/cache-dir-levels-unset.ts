import { linesOf, serversOf } from '../../src/config';
import { insertAfter } from '../../src/edit';
import { lineRule } from '../common/line-rule';
import { isCarriedOver } from '../common/lines';
import { hasOwnDirective } from '../common/servers';

export default lineRule({
  id: 'cache-dir-levels-unset',
  changes: ['K01'],
  title: 'CacheRoot without CacheDirLevels',
  why: 'The default of CacheDirLevels changed from 3 to 2, which changes the directory layout below CacheRoot. 2.4 cannot read the entries that 2.2 wrote in either layout: clean the cache once.',
  docs: ['mod_cache_disk: CacheDirLevels', 'modules/cache/mod_cache_disk.h: DEFAULT_DIRLEVELS'],
  directives: ['CacheRoot'],
  onlyWhenUpgrading: true,
  findingFor(node, place, { tree }) {
    const server = serversOf(tree).of(place);
    // A virtual host with a CacheRoot of its own does not inherit CacheDirLevels.
    if (!server.whole || hasOwnDirective(server, 'CacheDirLevels')) return undefined;
    const last = linesOf(server, ['CacheRoot']).findLast((line) => isCarriedOver(line.place));
    if (last?.node !== node) return undefined;
    return {
      level: 'info',
      safety: 'safe',
      message:
        'the default of CacheDirLevels changed from 3 to 2, so CacheDirLevels 3 is added; 2.4 cannot read what 2.2 has cached: clean this directory once',
      edits: [insertAfter(place.file.document, node, ['CacheDirLevels 3'])],
    };
  },
});
