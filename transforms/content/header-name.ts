import type { Place } from '../../src/config';
import { removeLine } from '../../src/edit';
import { type TransformContext, defineTransform } from '../../src/engine';
import type { Directive, Section } from '../../src/syntax';
import { containersOf, eachLine, isUnknown, linesByScope } from '../common/lines';

interface HeaderNameLine {
  readonly node: Directive;
  readonly place: Place;
}

export default defineTransform({
  id: 'header-name',
  changes: ['F42'],
  title: 'Which HeaderName and ReadmeName a listing shows',
  why: '2.2 keeps a list of these lines, with the path of the section of each, and shows the first whose path begins that of the directory: of several in one section it is the first, and those for URLs or regular expressions show none. In 2.4 the last line counts, in whatever section, and files of type application/xhtml+xml are shown too.',
  docs: [
    'mod_autoindex: HeaderName, ReadmeName',
    'modules/generators/mod_autoindex.c: add_header, find_item, response_is_html',
  ],
  directives: ['HeaderName', 'ReadmeName'],
  onlyWhenUpgrading: true,
  run(context) {
    for (const name of ['HeaderName', 'ReadmeName']) {
      const lines: HeaderNameLine[] = [];
      eachLine(context, [name], (node, place) => lines.push({ node, place }));
      for (const scope of linesByScope(lines).values()) reportScope(context, scope);
    }
  },
});

function reportScope(context: TransformContext, lines: readonly HeaderNameLine[]): void {
  const [first] = lines;
  if (first === undefined) return;
  const section = containersOf(first.place).at(-1)?.section;
  if (section !== undefined && !isComparedWithFiles(section)) {
    for (const line of lines)
      report(
        context,
        line,
        `2.2 shows no ${valueOf(line)} here, because it compares what this <${section.name}> is for with the path of the directory; 2.4 shows it: the line goes`,
        true,
      );
    return;
  }
  for (const line of lines.slice(1)) {
    if (valueOf(line) === valueOf(first)) continue;
    // What stands in one place with the first is read whenever that is.
    const isRead =
      line.place.chain.at(-1)?.section === first.place.chain.at(-1)?.section &&
      line.place.file === first.place.file;
    const shown = `2.2 shows the first of these lines, ${valueOf(first)}, and 2.4 the last`;
    report(
      context,
      line,
      `${shown}: ${isRead ? `${valueOf(line)} goes` : 'leave the one that is to be shown'}`,
      isRead,
    );
  }
  const shown = valueOf(first);
  if (/\.xht(?:ml)?$/i.test(shown))
    context.report({
      file: first.place.file,
      at: first.node.from,
      level: 'info',
      message: `2.4 also shows ${shown} if its type is application/xhtml+xml, which 2.2 left out: see that the page is as it should be`,
    });
}

const valueOf = ({ node }: HeaderNameLine): string => node.args[0]?.value ?? '';

function report(
  context: TransformContext,
  { node, place }: HeaderNameLine,
  message: string,
  isLeftOut: boolean,
): void {
  const place24 = { file: place.file, at: node.from, level: 'warning', message } as const;
  if (isLeftOut)
    context.report({ ...place24, safety: 'safe', edits: [removeLine(place.file.document, node)] });
  else context.report(place24);
}

/**
 * Whether the words of a section may begin the path of a directory: mod_autoindex reads them as a text with `*` and `?`. A
 * regular expression does only if it is a plain path.
 */
function isComparedWithFiles({ key, args }: Section): boolean {
  const word = args.at(-1)?.value ?? '';
  if (isUnknown(word)) return true;
  if (key === 'location' && args.length < 2) return !/^\/[^*?/]/.test(word);
  const isRegex = key.endsWith('match') || args[0]?.value === '~';
  return !isRegex || (/^[/*]/.test(word) && !/[\\^$()[\]{}|+]|\.[*?]/.test(word));
}
