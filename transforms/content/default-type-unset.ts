import { defaultTask } from '../common/tasks';
import { insertionPointFor, linesOf, serversOf } from '../../src/config';
import { insertAt } from '../../src/edit';
import { defineTransform, type TransformContext } from '../../src/engine';
import { holds } from '../../src/httpd/facts';
import { lineStart } from '../common/lines';
import { hasAction } from '../common/servers';
import { isServerFor24, ofMissingLine } from '../common/written-for';

export default defineTransform({
  id: 'default-type-unset',
  changes: ['R08'],
  title: 'DefaultType is not set',
  why: 'A file or program without a type is text/plain in 2.2, with the charset of AddDefaultCharset. 2.4 sends no Content-Type, so that browsers guess, and may take text for a page.',
  docs: [
    'core: DefaultType',
    'server/protocol.c: ap_make_content_type',
    'include/httpd.h of 2.2: DEFAULT_CONTENT_TYPE',
  ],
  task: () => defaultTask('DefaultType'),
  run(context) {
    const servers = serversOf(context.tree);
    const { main } = servers;
    if (main?.whole !== true || linesOf(main, ['DefaultType']).length > 0 || isServerFor24(context)) return;
    if (context.index.directives(['DocumentRoot', 'Alias', 'AliasMatch', 'VirtualDocumentRoot']).length === 0)
      return;
    // What a .htaccess says is for its directory alone.
    const isRestored = context.index.someDirective(
      ['Header'],
      ({ args }, { root }) =>
        root.role !== 'htaccess' && args.some(({ value }) => value.includes('-z %{CONTENT_TYPE}')),
    );
    if (isRestored) return;
    const point = insertionPointFor(servers, main, [
      ['AddDefaultCharset'],
      ['TypesConfig'],
      ['DocumentRoot', 'ServerName', 'ServerRoot'],
    ]);
    const line = context.pinDefaults === true ? pinLine(context) : undefined;
    const runsAction = hasAction(context, 'text/plain');
    const remedy =
      line !== undefined
        ? '; a Header line is added that restores it'
        : context.pinDefaults === true || runsAction
          ? `: set types with AddType or ForceType`
          : ' (--pin-defaults restores it)';
    const { level, unless } = ofMissingLine(context, 'warning');
    context.report({
      file: point.file,
      at: lineStart(point.node),
      level,
      safety: line === undefined ? 'manual' : 'safe',
      message: `${unless}files of unknown type were text/plain in 2.2, and have no Content-Type in 2.4${runsAction ? ', so that Action text/plain no longer runs for them' : ''}${remedy}`,
      edits: line === undefined ? [] : [insertAt(point.file.document, point, [line])],
    });
  },
});

/** The line that sets 2.2's type; none where the charset is not the same for the whole server, or the release cannot do it. */
function pinLine({ index, target }: TransformContext): string | undefined {
  if (!holds('header-expression', target)) return undefined;
  const charsets = index.directives(['AddDefaultCharset']);
  const isForAll = charsets.length <= 1 && charsets.every(({ place }) => place.chain.length === 0);
  if (!isForAll) return undefined;
  const word = charsets[0]?.node.args[0]?.value ?? 'off';
  if (/[^A-Za-z0-9._:-]/.test(word)) return undefined;
  const charset = /^off$/i.test(word) ? '' : `; charset=${/^on$/i.test(word) ? 'iso-8859-1' : word}`;
  return `Header set Content-Type "text/plain${charset}" "expr=-z %{CONTENT_TYPE}"`;
}
