import { defineTransform } from '../../src/engine';
import { isReadWithHttpdModules } from '../common/lines';

/** Output filters that come with 2.4, in lower case (`ap_register_output_filter` in its sources, without connection filters). */
const KNOWN = new Set(
  `brotli_compress bucketeer buffer byterange cache casefilter chunk content_length data deflate dumpio_out fixup_headers_err
  fixup_headers_out includes inflate mod_expires mod_session_out old_write proxy-html rate_limit sed substitute xlateout xml2enc`.split(
    /[ \n]+/,
  ),
);

export default defineTransform({
  id: 'output-filter-unknown',
  changes: ['F01'],
  title: 'AddOutputFilterByType with an unknown filter',
  stops: true,
  why: '2.2 accepts any name and ignores an unknown filter. 2.4 looks the filter up when it reads the line; without it, httpd does not start, or answers 500 if the line is in a .htaccess.',
  docs: ['mod_filter: AddOutputFilterByType', 'modules/filters/mod_filter.c: add_filter'],
  advisory: true,
  run(context) {
    const known = new Set(KNOWN);
    context.directives(['ExtFilterDefine'], ({ args }) => {
      if (args[0] !== undefined) known.add(args[0].value.toLowerCase());
    });
    context.directives(['AddOutputFilterByType'], (node, place) => {
      const names = (node.args[0]?.value ?? '').split(';');
      const unknown = names.filter((name) => /^[\w-]+$/.test(name) && !known.has(name.toLowerCase()));
      if (unknown.length === 0 || !isReadWithHttpdModules(place)) return;
      context.report({
        file: place.file,
        at: node.from,
        level: 'error',
        message: `2.4 refuses this line unless a module loaded before it has the filter${unknown.length > 1 ? 's' : ''} ${unknown.join(' and ')}, which no module of httpd has: check the name, or load that module first`,
      });
    });
  },
});
