import { holds } from '../../src/httpd/facts';
import { advice } from '../common/advice';
import { INCLUDES_DIRECTIVES, parsesIncludes } from '../common/words';

export default advice({
  id: 'ssi-echo',
  changes: ['F29'],
  title: 'Server-side includes that print variables',
  why: '2.2 prints each byte above 127 of a variable as a number, &#195;, which breaks UTF-8; 2.4 prints it as it is. What `set` is given is no longer decoded. DOCUMENT_ARGS is a variable of 2.4 only.',
  docs: ['mod_include: echo', 'modules/filters/mod_include.c: handle_echo, handle_set, add_include_vars'],
  names: INCLUDES_DIRECTIVES,
  once: true,
  level: 'info',
  messageFor: (node, _, __, target) =>
    parsesIncludes(node)
      ? `<!--#echo --> prints letters beyond ASCII as they are in 2.4, no longer as &#195; and the like: see that the charset of such pages is sent; <!--#set value="&amp;" --> keeps its entities in 2.4 (decoding="entity" in front of value has them decoded, as 2.2 did)${holds('ssi-document-args', target) ? '; DOCUMENT_ARGS is set in 2.4, and was not in 2.2' : ''}`
      : undefined,
});
