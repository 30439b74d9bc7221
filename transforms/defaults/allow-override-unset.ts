import { overridesOf } from '../../src/access';
import { type ConfigFile, insertionPointFor, serversOf } from '../../src/config';
import { insertAt } from '../../src/edit';
import { defineTransform } from '../../src/engine';
import { walk } from '../../src/syntax';
import { rootLines } from './root-directory';
import { isServerFor24 } from '../shared/written-for';

export default defineTransform({
  id: 'allow-override-unset',
  changes: ['C05', 'M06'],
  title: 'AllowOverride is not set for the whole file system',
  why: 'Without AllowOverride, 2.2 allows everything in a .htaccess. 2.4 reads the file but allows nothing: each line is an error, and each request a 500.',
  docs: ['core: AllowOverride', 'server/request.c: ap_directory_walk'],
  directives: [],
  run(context) {
    const servers = serversOf(context.tree);
    const { main } = servers;
    if (main?.whole !== true) return;
    const roots = rootLines(main);
    const inRoots = roots.flatMap(({ node }) =>
      [...walk(node.body)].filter(([line]) => line.kind === 'directive' && line.key === 'allowoverride'),
    );
    const { overrides, directoriesOf } = overridesOf(context.tree);
    const hit = context.tree.htaccess.filter(
      (file) =>
        saysSomething(file) &&
        directoriesOf(file).some((path) =>
          overrides.states(path).some(({ on24 }) => on24.line === undefined),
        ),
    );
    const [first] = hit;
    if (inRoots.length > 0 && first === undefined) return;
    // What changed is no news to a server of 2.4, but that its .htaccess files do not work may be.
    const isFor24 = isServerFor24(context);
    if (isFor24 && first === undefined) return;
    const line = roots.at(-1);
    const spot =
      line === undefined
        ? insertionPointFor(servers, main, [['DocumentRoot', 'ServerName', 'ServerRoot']])
        : { file: line.place.file, node: line.node, side: 'inside' as const };
    const lines =
      line === undefined ? ['<Directory />', '    AllowOverride All', '</Directory>'] : ['AllowOverride All'];
    // Beside a line that a conditional stands around it would take the place of that one.
    const isWanted = (context.pinDefaults === true || first !== undefined) && !isFor24;
    const edits = isWanted && inRoots.length === 0 ? [insertAt(spot.file.document, spot, lines)] : [];
    context.report({
      file: spot.file,
      at: spot.node === undefined ? 0 : (spot.node.kind === 'section' ? spot.node.open : spot.node).from,
      level: first === undefined ? 'warning' : 'error',
      safety: edits.length === 0 ? 'manual' : context.pinDefaults === true ? 'safe' : 'review',
      message: `${
        first === undefined
          ? 'where no section sets AllowOverride, a .htaccess that says anything is a 500 in 2.4; in 2.2 it was All'
          : `no AllowOverride covers ${first.name}${hit.length > 1 ? ` and ${hit.length - 1} more` : ''}: ${isFor24 ? '' : 'in 2.2 it was All, '}in 2.4 each request there is a 500`
      }${remedy(edits.length > 0, first !== undefined, isFor24)}`,
      edits,
    });
  },
});

function remedy(isWritten: boolean, isHit: boolean, isFor24: boolean): string {
  if (!isWritten)
    return `: set AllowOverride in <Directory />${isFor24 || isHit ? '' : ' (--pin-defaults writes All)'}`;
  return isHit ? '; AllowOverride All keeps what 2.2 did: allow less where less is needed' : '';
}

function saysSomething({ document }: ConfigFile): boolean {
  return document.body.some(({ kind }) => kind === 'directive' || kind === 'section');
}
