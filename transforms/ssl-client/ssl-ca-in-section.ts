import { insertAt, removeLine } from '../../src/edit';
import type { Directive } from '../../src/syntax';
import { lineRule } from '../common/line-rule';
import { containersOf } from '../common/lines';

export default lineRule({
  id: 'ssl-ca-in-section',
  changes: ['S09'],
  title: 'SSLCACertificateFile and SSLCACertificatePath inside a section',
  stops: true,
  why: '2.2 applies them to the whole server or virtual host, wherever they are. 2.4 does not start if one is in <Directory>, <Location> or <Files>.',
  docs: ['mod_ssl: SSLCACertificateFile', 'modules/ssl/ssl_engine_config.c: ssl_cmd_SSLCACertificateFile'],
  directives: ['SSLCACertificateFile', 'SSLCACertificatePath'],
  findingFor(node, place) {
    const { file, root, chain } = place;
    const [outermost] = containersOf(place);
    const inHtaccess = root.role === 'htaccess';
    if (outermost === undefined && !inHtaccess) return undefined;
    const message = `2.4 accepts ${node.name} only for a whole server`;
    const outermostIndex = chain.findIndex((frame) => frame === outermost);
    const sectionsInside = chain.slice(outermostIndex);
    if (inHtaccess || sectionsInside.length > 1 || outermost!.file !== file)
      return {
        level: 'error',
        message: `${message}${inHtaccess ? ' and answers 500' : ''}: set it beside the SSLCertificateFile of the virtual host`,
      };
    // 2.2 applied the line to the whole server too. Right before the section it keeps its place in the order, in which the last
    // line counts.
    return {
      level: 'error',
      safety: 'safe',
      message: `${message}, to which 2.2 applied it: it moves in front of <${outermost!.section.name}>`,
      edits: [
        insertAt(file.document, { node: outermost!.section, side: 'before' }, [textOf(node)]),
        removeLine(file.document, node),
      ],
    };
  },
});

/** The directive on one line. A backslash at its end would join the next line; httpd drops a blank behind it. */
function textOf({ name, rest }: Directive): string {
  return `${name} ${rest}${rest.endsWith('\\') ? ' ' : ''}`;
}
