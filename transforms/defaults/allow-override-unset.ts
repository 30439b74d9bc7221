import { type ConfigFile, serversOf, insertionPointFor } from '../../src/config';
import { insertAt } from '../../src/edit';
import { defineTransform, type TransformContext } from '../../src/engine';
import { type Section, walk } from '../../src/syntax';
import { rootLines } from './root-directory';
import { lineStart } from '../shared/lines';
import { isServerFor24 } from '../shared/written-for';

export default defineTransform({
  id: 'allow-override-unset',
  changes: ['C05', 'M06'],
  title: 'AllowOverride is not set for the whole file system',
  why: 'Without AllowOverride, 2.2 allows everything in a .htaccess. 2.4 reads the file but allows nothing: every directive in it is an error, and every request is answered with 500.',
  docs: ['core: AllowOverride', 'server/request.c: ap_directory_walk'],
  directives: [],
  run(context) {
    const servers = serversOf(context.tree);
    const { main } = servers;
    if (main?.whole !== true) return;
    const roots = rootLines(main);
    if (
      roots.some(({ node }) =>
        [...walk(node.body)].some(([child]) => child.kind === 'directive' && child.key === 'allowoverride'),
      )
    )
      return;
    const covering = context.tree.htaccess.length === 0 ? [] : coveringSections(context);
    const uncovered = context.tree.htaccess.filter((file) => hasLines(file) && !isCovered(covering, file));
    // A configuration written for 2.4 has this default already, but a .htaccess that cannot work is still worth reporting.
    const isFor24 = isServerFor24(context);
    if (isFor24 && uncovered.length === 0) return;
    const rootLine = roots.at(-1);
    const point =
      rootLine === undefined
        ? insertionPointFor(servers, main, [['DocumentRoot', 'ServerName', 'ServerRoot']])
        : { file: rootLine.place.file, node: rootLine.node, side: 'inside' as const };
    const lines =
      rootLine === undefined
        ? ['<Directory />', '    AllowOverride All', '</Directory>']
        : ['AllowOverride All'];
    const edits =
      context.pinDefaults === true && !isFor24 ? [insertAt(point.file.document, point, lines)] : [];
    const first = uncovered[0];
    context.report({
      file: point.file,
      at: lineStart(point.node),
      level: first === undefined ? 'warning' : 'error',
      safety: edits.length > 0 ? 'safe' : 'manual',
      message: `${
        first === undefined
          ? 'no section sets AllowOverride for all directories; 2.2 then allows All in a .htaccess, and 2.4 answers 500 if it has any directive'
          : `no AllowOverride covers ${first.name}${uncovered.length > 1 ? ` and ${uncovered.length - 1} more` : ''}; ${isFor24 ? '' : '2.2 allowed All, and '}2.4 answers 500 to every request there`
      }${edits.length > 0 ? ': AllowOverride All is added' : `: set AllowOverride in <Directory />${isFor24 ? '' : ' (--pin-defaults writes All)'}`}`,
      edits,
    });
  },
});

function hasLines({ document }: ConfigFile): boolean {
  return document.body.some(({ kind }) => kind === 'directive' || kind === 'section');
}

/** The `<Directory>` and `<DirectoryMatch>` sections that set AllowOverride. */
function coveringSections({ index }: TransformContext): readonly Section[] {
  const sections = index.directives(['AllowOverride']).flatMap(({ place }) => {
    const frame = place.chain.findLast(({ section }) => /^directory(?:match)?$/.test(section.key));
    return frame === undefined ? [] : [frame.section];
  });
  return [...new Set(sections)];
}

/** Whether each directory that a `.htaccess` is in is, or may be, covered by one of these sections. */
function isCovered(sections: readonly Section[], { directories }: ConfigFile): boolean {
  return directories.every((directory) =>
    sections.some(({ key, args }) => {
      const path = args.at(-1)?.value ?? '';
      // A pattern or a variable may cover it.
      if (key === 'directorymatch' || args.length > 1 || /[*?[$@%]/.test(path)) return true;
      return `${directory}/`.startsWith(path.endsWith('/') ? path : `${path}/`);
    }),
  );
}
