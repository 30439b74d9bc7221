import { type AskedAgain, letsInMoreThanByGet, sectionsAskedAgain } from '../../src/access';
import { type Edit, eolOf, indentOf, indentUnit } from '../../src/edit';
import { defineTransform, type TransformContext } from '../../src/engine';
import type { Document } from '../../src/syntax';
import { OR_ASK_AGAIN } from '../common/access-lines';
import { eachLine } from '../common/lines';
import { isWrittenFor24, asWrittenFor24 } from '../common/written-for';

export default defineTransform({
  id: 'limit-in-location',
  changes: ['A23'],
  title: 'A Location or Files section that lets in more by other methods than by GET',
  why: 'A request for a directory is answered with its index file, which httpd looks up by GET. Where a <Location> or a <Files> with a pattern is met, 2.2 asked whether that GET is allowed, too. 2.4 asks only if other sections are met than before, so that the file is sent to whom GET is refused. The same holds for variants by MultiViews and parts by server-side includes. An empty <If> for such lookups alone makes it ask.',
  docs: [
    'server/request.c: ap_process_request_internal, ap_location_walk, ap_file_walk',
    'mod_dir',
    'core: If',
  ],
  run(context) {
    for (const asked of sectionsAskedAgain(context.tree, hasParts(context))) {
      const { file, section, place } = asked.scope;
      if (asked.isOnlyFor22) {
        context.report({
          file,
          at: section.open.from,
          level: 'error',
          changesAccess: true,
          message: messageOf(
            asked,
            'this section is for 2.2 alone, so give 2.4 one like it, with an empty <If> for subrequests',
          ),
        });
        continue;
      }
      const finding = {
        file,
        at: section.open.from,
        level: 'error',
        changesAccess: true,
        safety: 'safe',
        message: messageOf(asked, 'an empty <If> for subrequests makes 2.4 do so'),
        edits: [insertIf(file.document, asked, context.dual === undefined)],
      } as const;
      context.report(isWrittenFor24(context, place) ? asWrittenFor24(finding) : finding);
    }
    reportProgramsForDirectories(context);
  },
});

/**
 * A directory without an index file: in 2.2 each name tried for one was asked about by GET, even if only Directory sections were
 * met (server/request.c: ap_directory_walk takes nothing over for what is no file). 2.4 does not ask, so that what answers other
 * methods for a directory runs: a program of mod_actions.
 */
function reportProgramsForDirectories(context: TransformContext): void {
  eachLine(context, ['Script', 'Action'], (node, place) => {
    const first = node.args[0]?.value ?? '';
    const isForAll = node.key === 'action' && first.toLowerCase() === 'httpd/unix-directory';
    // HEAD is GET for both lines.
    if (!isForAll && (node.key === 'action' || /^(?:get|head)$/i.test(first))) return;
    if (isWrittenFor24(context, place)) return;
    if (!letsInMoreThanByGet(context.tree, isForAll ? undefined : first, place)) return;
    context.report({
      file: place.file,
      at: node.from,
      level: 'error',
      changesAccess: true,
      message: `for a directory without an index file, 2.2 ran this program only if GET was allowed there, too, and 2.4 asks only about the method of the request: write for this method what is said of GET, ${OR_ASK_AGAIN}`,
    });
  });
}

/** Whether a line has pages looked through for parts, or names for variants. */
function hasParts(context: TransformContext): boolean {
  let found = false;
  eachLine(
    context,
    ['Options', 'AddOutputFilter', 'SetOutputFilter', 'AddHandler', 'SetHandler'],
    ({ args }) => {
      found ||= args.some(({ value }) =>
        /^(?:\+?multiviews|(?:.*;)?includes(?:;.*)?|server-parsed|type-map)$/i.test(value),
      );
    },
  );
  eachLine(context, ['XBitHack'], () => (found = true));
  return found;
}

function messageOf({ methods, uri, isForFile }: AskedAgain, remedy: string): string {
  const [method] = methods;
  if (isForFile && method !== undefined)
    return `to a POST for ${uri} or another file, 2.2 gave a variant (MultiViews) or a part of a page (SSI) only if GET was allowed too: ${remedy}`;
  if (method === undefined)
    return `for ${uri} or another directory, 2.2 asked for the owner of the index file too, not only for that of the directory: ${remedy}`;
  return `to ${methodName(method)} for ${uri} or another directory, 2.2 gave the index file only if GET was allowed too: ${remedy}`;
}

/** @param method one of the classes that access is decided for */
export function methodName(method: string): string {
  return method === '*' ? 'a method that no <Limit> names' : method;
}

/** @param plain not in a block for 2.4 already, as under `--dual`: where the run is for both versions, 2.2 must not read it */
function insertIf(
  document: Document,
  { scope: { section }, isForBoth, isForFile }: AskedAgain,
  plain: boolean,
): Edit {
  const outer = indentOf(document, section.open);
  const first = section.body.find((node) => node.kind === 'directive' || node.kind === 'section');
  const indent =
    first === undefined
      ? outer + indentUnit(document, outer, section)
      : indentOf(document, first.kind === 'section' ? first.open : first);
  const unit = indentUnit(document, indent, section);
  const lines = [
    `# As in 2.2, ${isForFile ? 'a part or a variant of a page' : 'the index file of a directory'} is asked about as well.`,
    '<If "-T %{IS_SUBREQ}">',
    '</If>',
  ];
  const written =
    isForBoth && plain
      ? ['<IfModule mod_authz_core.c>', ...lines.map((line) => unit + line), '</IfModule>']
      : lines;
  const eol = eolOf(document, section.open);
  const at = section.close!.start;
  return { start: at, end: at, text: written.map((line) => indent + line + eol).join('') };
}
