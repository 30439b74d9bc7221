import { holds } from '../../src/httpd/facts';
import { isKnownIn } from '../../src/httpd/lifespan';
import { advice } from '../common/advice';
import { addsFilter } from '../common/words';

export default advice({
  id: 'deflate-accept',
  changes: ['F28'],
  title: 'Headers of compressed pages',
  why: '2.4 adds -gzip to the ETag of a page that it compresses, and -gunzip to that of a page that INFLATE unpacks, so that caches do not mix up the two. It does not compress for a client that refuses gzip with gzip;q=0, which 2.2 took for consent.',
  docs: ['mod_deflate: DeflateAlterETag', 'modules/filters/mod_deflate.c: deflate_check_etag, deflate_out_filter'],
  names: ['SetOutputFilter', 'AddOutputFilter', 'AddOutputFilterByType', 'FilterProvider'],
  once: true,
  unless: ['DeflateAlterETag'],
  findingFor: (node, _, __, target) =>
    addsFilter(node, 'DEFLATE') || addsFilter(node, 'INFLATE')
      ? {
          level: 'info',
          message: `the ETag of compressed pages ends in -gzip in 2.4, and of those that INFLATE unpacks in -gunzip${isKnownIn('directive', 'DeflateAlterETag', target) ? ' (DeflateAlterETag NoChange keeps the old one)' : ''}, so clients fetch them once more${holds('deflate-q-zero', target) ? '; clients that send gzip;q=0 get pages that are not compressed' : ''}`,
        }
      : undefined,
}); // prettier-ignore
