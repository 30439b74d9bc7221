import { type ConfigFile, conditionOf, isConditional, type Place, placeCondition } from '../../src/config';
import { findModule } from '../../src/httpd/modules';
import { type Edit, indentUnit, insertAfter } from '../../src/edit';
import type { TreeIndex } from '../../src/engine';
import type { Directive, Section } from '../../src/syntax';
import { containersOf } from '../common/lines';

/**
 * A block that refuses requests for files that are there, so that no source is sent. It is `<If>`, which comes after all other sections, and
 * which may stand wherever a handler line may; and Redirect, which needs no more of AllowOverride than a handler line does. A name that is
 * not there must not be refused: mod_dir would then answer 403 for a directory whose DirectoryIndex names it.
 */
export interface FileGuard {
  readonly node: Section;
  readonly file: ConfigFile;
  readonly scope: Scope;
  /** Read only where a module is not loaded. */
  readonly isFallback: boolean;
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
export function guardsOf(index: TreeIndex): readonly FileGuard[] {
  const found: FileGuard[] = [];
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
      scope: scopeAt(place),
      isFallback: place.chain.some(
        ({ section }) => section.key === 'ifmodule' && section.args[0]?.value.startsWith('!') === true,
      ),
      extensions: names?.replaceAll('\\', '').split('|'),
      exceptLast: match[3]?.endsWith('?') === false,
    });
  });
  return found;
}

/**
 * What a place is in: the server or file, the virtual host, and the text of the sections around it from the outside in. Two sections with the
 * same text are the same scope.
 */
type Scope = readonly (object | string)[];

function scopeAt(place: Place): Scope {
  const host = place.chain.find(({ section }) => section.key === 'virtualhost')?.section;
  return [
    place.root.role === 'server' ? 'server' : place.root,
    ...(host === undefined ? [] : [host]),
    ...containersOf(place).map(({ section }) => section.open.text),
  ];
}

/** Whether what stands at a place holds for the whole server. */
export function isServerScope(place: Place): boolean {
  return place.root.role === 'server' && scopeAt(place).length === 1;
}

/** Whether a block stands in the same scope as a line. */
export function isBeside({ scope }: FileGuard, place: Place): boolean {
  const other = scopeAt(place);
  return scope.length === other.length && scope.every((part, i) => part === other[i]);
}

/** Whether what is in one scope holds in another. */
function holdsIn(outer: Scope, inner: Scope): boolean {
  return (outer.length === 1 && outer[0] === 'server') || outer.every((part, i) => part === inner[i]);
}

/** Whether a block refuses all files that a line is for. */
export function isGuarded(
  place: Place,
  extensions: readonly string[] | undefined,
  guards: readonly FileGuard[],
): boolean {
  const scope = scopeAt(place);
  const names = extensions ?? namesInSection(place);
  return guards.some(
    (guard) =>
      !guard.exceptLast &&
      holdsIn(guard.scope, scope) &&
      (guard.extensions === undefined || names?.every((name) => guard.extensions!.includes(name)) === true),
  );
}

/** The extensions of a plain `<FilesMatch>` around a line; undefined for other sections. */
export function namesInSection(place: Place): readonly string[] | undefined {
  const section = containersOf(place).at(-1)?.section;
  if (section?.key !== 'filesmatch') return undefined;
  const match = /^(?:\(\?i\))?\\\.(?:\((?:\?:)?([\w|]+)\)|(\w+))\$$/.exec(section.args[0]?.value ?? '');
  return (match?.[1] ?? match?.[2])?.toLowerCase().split('|');
}

/** Where a block goes: below a line or a section, within copies of some sections. */
export interface GuardPlace {
  readonly anchor: Directive | Section;
  readonly within: readonly Section[];
}

/**
 * Below the line, or the conditionals around it that 2.4 need not read; `<If>` may not stand in `<Limit>` either. Where such a conditional holds
 * the section that the line is in, the block goes into a copy of that.
 */
export function guardPlaceOf({ node, place }: Pick<PlacedLine, 'node' | 'place'>): GuardPlace {
  let found: GuardPlace = { anchor: node, within: [] };
  const within: Section[] = [];
  for (const { section, file } of place.chain.toReversed()) {
    if (file !== place.file || section.key === 'virtualhost') break;
    if (!isConditional(section) && !section.key.startsWith('limit')) within.unshift(section);
    else if (isLeft(section, within.length > 0)) found = { anchor: section, within: [...within] };
  }
  return found;
}

interface PlacedLine {
  readonly node: Directive | Section;
  readonly place: Place;
}

/** @param isAround whether the conditional holds the section, not only the line */
function isLeft(section: Section, isAround: boolean): boolean {
  if (!isAround) return /^(?:ifmodule|ifversion|limit|limitexcept)$/.test(section.key);
  const word = section.args[0]?.value.replace(/^!/, '') ?? '';
  return (
    conditionOf(section).on24 === false || (section.key === 'ifmodule' && findModule(word) === undefined)
  );
}

/** Inserts blocks below a line or a section. */
export function insertBelow(
  file: ConfigFile,
  { anchor, within }: GuardPlace,
  body: readonly string[],
  unit: string,
): Edit {
  const lines = within.reduceRight<readonly string[]>(
    (inner, { open, name }) => [open.text, ...inner.map((line) => unit + line), `</${name}>`],
    body,
  );
  const line = anchor.kind === 'section' ? (anchor.close ?? anchor.open) : anchor;
  return insertAfter(file.document, line, lines);
}

/** One level of indentation where an anchor stands. */
export function unitAt(file: ConfigFile, place: Place): string {
  const parent = place.chain.findLast((frame) => frame.file === file)?.section;
  return indentUnit(file.document, '', parent);
}
