import { defaultTask } from '../common/tasks';
import { insertionPointFor, linesOf, serversOf } from '../../src/config';
import { insertAt } from '../../src/edit';
import { type RequestTest, defineTransform, type TransformContext } from '../../src/engine';
import { lineStart } from '../common/lines';
import { forExtensions, sortsListing } from '../common/seen-requests';
import { isSaidWhereServed, setsOptions, setsOptionsInside } from '../common/servers';
import { isServerFor24, ofMissingLine } from '../common/written-for';

export default defineTransform({
  id: 'options-unset',
  changes: ['C04'],
  title: 'Options is not set for the whole server',
  why: 'Without Options, a directory has All in 2.2 and FollowSymLinks in 2.4: listings, server-side includes and CGI programs stop working.',
  docs: ['core: Options', 'server/core.c: create_core_dir_config'],
  task: () => defaultTask('Options'),
  run(context) {
    const servers = serversOf(context.tree);
    const { main } = servers;
    if (main?.whole !== true || setsOptions(main) || isServerFor24(context)) return;
    if (isSaidWhereServed(context.tree, setsOptions, setsOptionsInside)) return;
    const relative = linesOf(main, ['Options'])[0];
    const point =
      relative === undefined
        ? insertionPointFor(servers, main, [['DocumentRoot', 'ServerName', 'ServerRoot']])
        : { file: relative.place.file, node: relative.node, side: 'before' as const };
    const { level, unless } = ofMissingLine(context, mayRefuse(context) ? 'error' : 'warning');
    const edits = context.pinDefaults === true ? [insertAt(point.file.document, point, ['Options All'])] : [];
    context.report({
      file: point.file,
      at: lineStart(point.node),
      level,
      safety: edits.length > 0 ? 'safe' : 'manual',
      message: `${unless}directories without Options had All in 2.2 and have FollowSymLinks in 2.4: requests for a listing or a CGI program get 403 there, and includes are not parsed${edits.length > 0 ? '; Options All is added' : ': set Options in <Directory /> (--pin-defaults writes All)'}`,
      edits,
      isAboutMissing: true,
      concerns: refusedWithoutOptions(context),
    });
  },
});

/** Requests for listings, and for what is a CGI program or has includes by its name. */
function refusedWithoutOptions({ index }: TransformContext): RequestTest {
  const extensions = new Set<string>();
  index.someDirective(['AddHandler', 'AddOutputFilter'], ({ args }) => {
    const [name = '', ...names] = args.map(({ value }) => value);
    if (/^(?:cgi-script|server-parsed)$|\bINCLUDES\b/i.test(name))
      for (const extension of names) extensions.add(extension);
    return false;
  });
  const hasExtension = forExtensions(extensions);
  return (request) => sortsListing(request) || hasExtension(request);
}

/** Modules that answer 403 where Options does not let them work. */
const REFUSING = new Set(['autoindex_module', 'cgi_module', 'cgid_module']);

/** Whether 2.4 refuses requests that 2.2 answered: not where the server loads its modules and none of these. */
function mayRefuse({ index }: TransformContext): boolean {
  return (
    !index.someDirective(['LoadModule'], () => true) ||
    index.someDirective(['LoadModule'], ({ args }) => REFUSING.has(args[0]?.value ?? ''))
  );
}
