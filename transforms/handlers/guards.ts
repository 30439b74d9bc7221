import { type ConfigFile, conditionOf, isConditional, type Place, placeCondition } from '../../src/config';
import { findModule } from '../../src/httpd/modules';
import { type Edit, indentUnit, insertAfter } from '../../src/edit';
import type { TreeIndex } from '../../src/engine';
import type { Directive, Section } from '../../src/syntax';
import { containersOf } from '../common/lines';
import { getOrInsert } from '../../src/maps';

/**
 * A block that refuses requests for files that are there, so that no source is sent. It is `<If>`, which comes after all other
 * sections, and which may stand wherever a handler line may; and Redirect, which needs no more of AllowOverride than a handler
 * line does. A name that is not there must not be refused: mod_dir would then answer 403 for a directory whose DirectoryIndex
 * names it.
 */
export interface FileGuard {
  readonly node: Section;
  readonly file: ConfigFile;
  readonly place: Place;
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
  const block = (test: string): readonly string[] => [
    `<If "${EXISTS}${test}">`,
    `${unit}Redirect 403 /`,
    '</If>',
  ];
  if (extensions === undefined) return block('');
  return inParts(extensions).flatMap((names) => block(` && ${NAME} m#${patternOf(names)}${tail}#i`));
}

/** Lines that are read only where a module is not loaded. */
export function withoutModule(module: string, lines: readonly string[], unit: string): readonly string[] {
  return [`<IfModule !${module}>`, ...lines.map((line) => unit + line), '</IfModule>'];
}

/** How many extensions one line names: httpd reads no line of any length. */
const MAX_NAMES = 100;

export function inParts(extensions: readonly string[]): readonly (readonly string[])[] {
  const parts: (readonly string[])[] = [];
  for (let i = 0; i < extensions.length; i += MAX_NAMES) parts.push(extensions.slice(i, i + MAX_NAMES));
  return parts;
}

/** An extension without what would end the pattern of a guard: a dot, which no extension has, stands for it. */
const inPattern = (name: string): string => name.replace(/["#]/g, '.');

/** The pattern of a dot and one of some extensions. */
export function patternOf(extensions: readonly string[]): string {
  const names = extensions.map((name) => inPattern(name).replace(/[^\w.-]/g, '\\$&'));
  return names.length === 1 ? `\\.${names[0]!}` : `\\.(?:${names.join('|')})`;
}

const GUARD =
  /^"-f %\{REQUEST_FILENAME\}(?: && %\{REQUEST_FILENAME\} =~ m#\\\.(?:\(\?:((?:\\[^]|[^()\\])*)\)|((?:\\[^]|[^()[\]\\])+?))(\(\?:\\\.\[\^\/\]\*\)\?|\\\.\[\^\/\]\*)\$#i)?"$/;

/** The blocks of this kind that 2.4 reads. */
function guardsOf(index: TreeIndex): readonly FileGuard[] {
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
      place,
      isFallback: place.chain.some(
        ({ section }) => section.key === 'ifmodule' && section.args[0]?.value.startsWith('!') === true,
      ),
      extensions: names?.split(/(?<!\\)\|/).map((name) => name.replace(/\\([^])/g, '$1')),
      exceptLast: match[3]?.endsWith('?') === false,
    });
  });
  return found;
}

/**
 * What a place is in: the server or file, the virtual host, and the text of the sections around it from the outside in, with
 * `<IfDefine>`. Two sections with the same text are the same scope.
 */
function scopeAt({ chain, root }: Place): readonly (object | string)[] {
  const around = chain.flatMap(({ section }): (object | string)[] => {
    if (section.key === 'virtualhost') return [section];
    return !NO_SCOPE.test(section.key) && (section.key === 'ifdefine' || !isConditional(section))
      ? [section.open.text]
      : [];
  });
  return [root.role === 'server' ? 'server' : root, ...around];
}

const NO_SCOPE = /^(?:limit|limitexcept)$/;

/** Whether what stands at a place holds for the whole server. */
export function isServerScope(place: Place): boolean {
  return place.root.role === 'server' && scopeAt(place).length === 1;
}

/** What the blocks of one scope refuse. */
interface Refused {
  everything: boolean;
  readonly names: Set<string>;
}

/** The blocks of a tree by their scope. */
export class Guards {
  readonly #ids = new Map<object | string, number>();
  readonly #beside = new Map<string, FileGuard[]>();
  readonly #refused = new Map<string, Refused>();
  readonly #surely = new Map<string, Refused>();

  constructor(index: TreeIndex) {
    for (const guard of guardsOf(index)) {
      const key = this.#keys(guard.place).at(-1)!;
      this.#beside.set(key, this.#beside.get(key) ?? []);
      this.#beside.get(key)!.push(guard);
      if (guard.exceptLast) continue;
      addRefused(this.#refused, key, guard);
      if (!guard.isFallback) addRefused(this.#surely, key, guard);
    }
  }

  /** Whether blocks refuse all files that a line is for; of those that are read only without a module, only if asked to. */
  refuse(place: Place, extensions: readonly string[] | undefined, withFallbacks = true): boolean {
    const names = extensions ?? namesInSection(place);
    const refused = withFallbacks ? this.#refused : this.#surely;
    const found = this.#keys(place).flatMap((key) => refused.get(key) ?? []);
    return (
      found.some(({ everything }) => everything) ||
      names?.every((name) => found.some((scope) => scope.names.has(inPattern(name)))) === true
    );
  }

  /** The blocks in the scope and the file of a line. Each is handed out once. */
  takeBeside(place: Place, isWanted: (guard: FileGuard) => boolean): readonly FileGuard[] {
    const key = this.#keys(place).at(-1)!;
    const all = this.#beside.get(key) ?? [];
    const taken = all.filter((guard) => guard.file === place.file && isWanted(guard));
    if (taken.length > 0)
      this.#beside.set(
        key,
        all.filter((guard) => !taken.includes(guard)),
      );
    return taken;
  }

  /** The scopes around a place, from the outside in, and its own. */
  #keys(place: Place): readonly string[] {
    let key = '';
    return scopeAt(place).map((part) => {
      const id = getOrInsert(this.#ids, part, () => this.#ids.size);
      return (key += `${id} `);
    });
  }
}

function addRefused(map: Map<string, Refused>, key: string, { extensions }: FileGuard): void {
  const refused = getOrInsert(map, key, () => ({ everything: false, names: new Set() }));
  if (extensions === undefined) refused.everything = true;
  else for (const name of extensions) refused.names.add(name);
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
 * Below the line, or the conditionals around it that 2.4 need not read; `<If>` may not stand in `<Limit>` either. Where such a
 * conditional holds the section that the line is in, the block goes into a copy of that.
 */
export function guardPlaceOf({ node, place }: Pick<PlacedLine, 'node' | 'place'>): GuardPlace {
  let found: GuardPlace = { anchor: node, within: [] };
  const within: Section[] = [];
  for (const { section, file } of [...place.chain].reverse()) {
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
