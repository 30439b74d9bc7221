import { type ConfigFile, type Frame, isConditional, type Place, placeCondition } from '../../src/config';
import { type Edit, indentUnit, insertAfter } from '../../src/edit';
import type { TreeIndex } from '../../src/engine';
import type { Directive, Section } from '../../src/syntax';
import { scopeOf } from '../common/lines';

/**
 * A block that refuses requests for files that are there, so that no source is sent. It is `<If>`, which comes after all other sections, and
 * which may stand wherever a handler line may; and Redirect, which needs no more of AllowOverride than a handler line does. A name that is
 * not there must not be refused: mod_dir would then answer 403 for a directory whose DirectoryIndex names it.
 */
export interface Guard {
  readonly node: Section;
  readonly file: ConfigFile;
  /** What the block stands in, as {@link scopeOf} has it. */
  readonly scope: object;
  readonly isOfServer: boolean;
  /** The extensions whose files are refused, wherever in a name they stand; undefined for all files. */
  readonly extensions: readonly string[] | undefined;
  /** Files whose last extension it is are not refused. */
  readonly exceptLast: boolean;
}

const EXISTS = '-f %{REQUEST_FILENAME}';
const NAME = '%{REQUEST_FILENAME} =~';

/**
 * The lines of such a block.
 * @param exceptLast leaves out the files whose last extension is one of these
 */
export function guardLines(
  extensions: readonly string[] | undefined,
  unit: string,
  exceptLast = false,
): readonly string[] {
  const tail = exceptLast ? String.raw`\.[^/]*$` : String.raw`(?:\.[^/]*)?$`;
  const test = extensions === undefined ? '' : ` && ${NAME} m#${patternOf(extensions)}${tail}#i`;
  return [`<If "${EXISTS}${test}">`, `${unit}Redirect 403 /`, '</If>'];
}

/** The pattern of a dot and one of some extensions. */
export function patternOf(extensions: readonly string[]): string {
  const names = extensions.map((name) => name.replace(/[^\w-]/g, (char) => (char === '"' || char === '#' ? '.' : `\\${char}`))); // prettier-ignore
  return names.length === 1 ? `\\.${names[0]!}` : `\\.(?:${names.join('|')})`;
} // prettier-ignore

const GUARD =
  /^"-f %\{REQUEST_FILENAME\}(?: && %\{REQUEST_FILENAME\} =~ m#\\\.(?:\(\?:([^()]*)\)|([^()[\]]+?))(\(\?:\\\.\[\^\/\]\*\)\?|\\\.\[\^\/\]\*)\$#i)?"$/;

/** The blocks of this kind that 2.4 reads. */
export function guardsOf(index: TreeIndex): readonly Guard[] {
  const found: Guard[] = [];
  index.visitSections(['If'], (node, place) => {
    const match = GUARD.exec(node.open.rest);
    const [line, ...more] = node.body.filter(({ kind }) => kind !== 'blank' && kind !== 'comment');
    if (match === null || more.length > 0 || line?.kind !== 'directive') return;
    if (line.key !== 'redirect' || line.rest !== '403 /' || placeCondition(place.chain).on24 === false)
      return;
    const names = match[1] ?? match[2];
    found.push({
      node,
      file: place.file,
      scope: scopeOf(place),
      isOfServer: isServerScope(place),
      extensions: names?.replaceAll('\\', '').split('|'),
      exceptLast: match[3]?.endsWith('?') === false,
    });
  });
  return found;
}

/** Whether what stands at a place holds for the whole server. */
export function isServerScope(place: Place): boolean {
  return place.root.role === 'server' && scopeOf(place) === place.root;
}

/** Whether a block refuses all files that a line is for. */
export function isGuarded(place: Place, extensions: readonly string[] | undefined, guards: readonly Guard[]): boolean {
  const scopes = new Set<object>([scopeOf(place), place.root, ...place.chain.map(({ section }) => section)]);
  return guards.some(
    (guard) =>
      !guard.exceptLast &&
      (scopes.has(guard.scope) || (guard.isOfServer && place.root.role !== 'unreached')) &&
      (guard.extensions === undefined || extensions?.every((name) => guard.extensions!.includes(name)) === true),
  );
} // prettier-ignore

/** Frames that a new block stands outside of: what is asked for there need not be so in 2.4, and `<If>` may not stand in `<Limit>`. */
function isLeft({ section }: Frame): boolean {
  return /^(?:ifmodule|ifversion|limit|limitexcept)$/.test(section.key);
}

/** Where a block goes for lines at a place: below the line, or the conditionals around it that 2.4 need not read. */
export function anchorOf({ node, place }: { readonly node: Directive | Section; readonly place: Place }): Directive | Section {
  let anchor = node;
  for (const frame of place.chain.toReversed()) {
    const { section, file } = frame;
    if (file !== place.file || (!isConditional(section) && !/^limit/.test(section.key))) break;
    if (isLeft(frame)) anchor = section;
  }
  return anchor;
} // prettier-ignore

/** Inserts blocks below a line or a section. */
export function insertBelow(file: ConfigFile, anchor: Directive | Section, lines: readonly string[]): Edit {
  const line = anchor.kind === 'section' ? (anchor.close ?? anchor.open) : anchor;
  return insertAfter(file.document, line, lines);
}

/** One level of indentation where an anchor stands. */
export function unitAt(file: ConfigFile, place: Place): string {
  const parent = place.chain.findLast((frame) => frame.file === file)?.section;
  return indentUnit(file.document, '', parent);
}
