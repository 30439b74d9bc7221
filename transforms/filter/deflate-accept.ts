import { defineTransform } from '../../src/engine';
import { holds } from '../../src/httpd/facts';
import { isKnownIn } from '../../src/httpd/lifespan';
import { firstLineWhere } from '../common/servers';
import { FILTER_DIRECTIVES, addsFilter } from '../common/words';

export default defineTransform({
  id: 'deflate-accept',
  changes: ['F28'],
  title: 'Headers of compressed pages',
  why: '2.4 adds -gzip to the ETag of a page that it compresses, and -gunzip to that of a page that INFLATE unpacks, so that caches do not mix up the two; --pin-defaults keeps the old ETag. 2.4 does not compress for a client that refuses gzip with gzip;q=0, which 2.2 took for consent.',
  docs: [
    'mod_deflate: DeflateAlterETag',
    'modules/filters/mod_deflate.c: deflate_check_etag, deflate_out_filter',
  ],
  advisory: true,
  directives: [],
  onlyWhenUpgrading: true,
  run({ index, target, pinDefaults, report }) {
    if (index.someDirective(['DeflateAlterETag'], () => true)) return;
    const line = firstLineWhere(
      index,
      FILTER_DIRECTIVES,
      (node) => addsFilter(node, 'DEFLATE') || addsFilter(node, 'INFLATE'),
    );
    if (line === undefined) return;
    const isSettable = isKnownIn('directive', 'DeflateAlterETag', target);
    const parts = [
      ...(pinDefaults === true && isSettable
        ? []
        : [
            `the ETag of compressed pages ends in -gzip in 2.4, and of those that INFLATE unpacks in -gunzip${isSettable ? ' (DeflateAlterETag NoChange keeps the old one)' : ''}, so clients fetch them once more`,
          ]),
      ...(holds('deflate-q-zero', target)
        ? ['clients that send gzip;q=0 get pages that are not compressed']
        : []),
    ];
    if (parts.length > 0)
      report({
        file: line.place.file,
        at: line.node.from,
        level: 'info',
        safety: 'manual',
        message: parts.join('; '),
      });
  },
});
