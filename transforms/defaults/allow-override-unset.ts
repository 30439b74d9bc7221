import { defaultTask } from '../common/tasks';
import { overridesOf } from '../../src/access';
import { type ConfigFile, insertionPointFor, type Server, serversOf } from '../../src/config';
import { insertAt } from '../../src/edit';
import { defineTransform } from '../../src/engine';
import { type Section, walk } from '../../src/syntax';
import { lineStart } from '../common/lines';
import { isSaidWhereServed, rootLines, rootSections } from '../common/servers';
import { isServerFor24, ofMissingLine } from '../common/written-for';

export default defineTransform({
  id: 'allow-override-unset',
  changes: ['C05', 'M06'],
  title: 'AllowOverride is not set for the whole file system',
  why: 'Without AllowOverride, 2.2 allows everything in a .htaccess. 2.4 reads the file but allows nothing: every directive in it is an error, and every request is answered with 500.',
  docs: ['core: AllowOverride', 'server/request.c: ap_directory_walk'],
  // Where a .htaccess is hit, the line is written without the option, or cannot be.
  task: ({ level }) => (level === 'error' ? undefined : defaultTask('AllowOverride')),
  run(context) {
    const servers = serversOf(context.tree);
    const { main } = servers;
    if (main?.whole !== true) return;
    const roots = rootLines(main);
    const inRoots = roots.flatMap(({ node }) =>
      [...walk(node.body)].filter(([child]) => child.kind === 'directive' && child.key === 'allowoverride'),
    );
    const { overrides, directoriesOf } = overridesOf(context.tree);
    const uncovered = context.tree.htaccess.filter(
      (file) =>
        hasLines(file) &&
        directoriesOf(file).some((path) =>
          overrides.states(path).some(({ on24 }) => on24.line === undefined),
        ),
    );
    const [first] = uncovered;
    if (
      first === undefined &&
      (inRoots.length > 0 || isSaidWhereServed(context.tree, setsOverride, setsInside))
    )
      return;
    // A configuration written for 2.4 has this default already, but a .htaccess that cannot work is still worth reporting.
    const isFor24 = isServerFor24(context);
    if (isFor24 && first === undefined) return;
    const rootLine = roots.at(-1);
    const point =
      rootLine === undefined
        ? insertionPointFor(servers, main, [['DocumentRoot', 'ServerName', 'ServerRoot']])
        : { file: rootLine.place.file, node: rootLine.node, side: 'inside' as const };
    const lines =
      rootLine === undefined
        ? ['<Directory />', '    AllowOverride All', '</Directory>']
        : ['AllowOverride All'];
    // Next to a line in a conditional it would take the place of that line.
    const isWanted = (context.pinDefaults === true || first !== undefined) && !isFor24;
    const edits = isWanted && inRoots.length === 0 ? [insertAt(point.file.document, point, lines)] : [];
    const { level, unless } = ofMissingLine(context, 'warning');
    context.report({
      file: point.file,
      at: lineStart(point.node),
      level: first === undefined ? level : 'error',
      safety: edits.length === 0 ? 'manual' : context.pinDefaults === true ? 'safe' : 'review',
      message: `${
        first === undefined
          ? `${unless}no section sets AllowOverride for all directories; 2.2 then allows All in a .htaccess, and 2.4 answers 500 if it has any directive`
          : `no AllowOverride covers ${first.name}${uncovered.length > 1 ? ` and ${uncovered.length - 1} more` : ''}; ${isFor24 ? '' : '2.2 allowed All, and '}2.4 answers 500 to every request there`
      }${remedy(edits.length > 0, first !== undefined, isFor24)}`,
      edits,
    });
  },
});

function remedy(isAdded: boolean, isHit: boolean, isFor24: boolean): string {
  if (!isAdded)
    return `: set AllowOverride in <Directory />${isFor24 || isHit ? '' : ' (--pin-defaults writes All)'}`;
  return isHit
    ? ': AllowOverride All is added; allow less if less is needed'
    : ': AllowOverride All is added';
}

function setsOverride(server: Server): boolean {
  return rootSections(server).some(setsInside);
}

function setsInside({ body }: Section): boolean {
  return body.some((node) => node.kind === 'directive' && node.key === 'allowoverride');
}

function hasLines({ document }: ConfigFile): boolean {
  return document.body.some(({ kind }) => kind === 'directive' || kind === 'section');
}
