import { advice } from '../common/advice';
import { addsFilter } from '../common/words';

export default advice({
  id: 'includes-by-type',
  changes: ['F48'],
  title: 'AddOutputFilterByType INCLUDES, and files of other types',
  why: 'In 2.4 AddOutputFilterByType is a line of mod_filter, which prepares a filter before it knows the type of a file. INCLUDES forbids answers of status 304 then: every file gets no ETag, and is sent anew each time.',
  docs: [
    'mod_filter: AddOutputFilterByType',
    'modules/filters/mod_filter.c: filter_init',
    'modules/filters/mod_include.c: includes_setup',
  ],
  names: ['AddOutputFilterByType'],
  once: true,
  level: 'warning',
  messageFor: (node) =>
    addsFilter(node, 'INCLUDES')
      ? 'in 2.4 this takes ETag and answers of status 304 from all files here, not only from those of these types: name their extensions in AddOutputFilter INCLUDES, or put this line where such pages are'
      : undefined,
});
