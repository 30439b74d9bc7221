import {
  type ConfigTree,
  type Frame,
  hostAround,
  isConditional,
  isSpareAccessFile,
  type Place,
  placeCondition,
} from '../../src/config';
import { applyEdits, type Edit, rename } from '../../src/edit';
import type { Finding, ReportedEdits, TransformContext } from '../../src/engine';
import { type DirectiveContext, type Version, judge } from '../../src/httpd/judge';
import { findModule } from '../../src/httpd/modules';
import {
  type Argument,
  type Directive,
  type Document,
  hasPlaceholder,
  perlBlocks,
  quoteWord,
  readWord,
  type Section,
} from '../../src/syntax';
import { addTo, memo } from '../../src/maps';
import { byText } from './words';

/** Whether both 2.2 and 2.4 may read a line. A line that only one of them reads stays as it is. */
export function isCarriedOver({ chain }: Place): boolean {
  const { on22, on24 } = placeCondition(chain);
  return on22 !== false && on24 !== false;
}

/** Sections that limit no setting to a part of the server: a `<Limit>` limits only access lines to its methods. */
const NO_CONTAINER = /^(?:virtualhost|limit|limitexcept|requireall|requireany|requirenone)$/;

/**
 * The sections around a place, outermost first, without conditionals, virtual hosts, `<Limit>` and groups of Require: what these
 * hold is set for the section around them (mod_authz_core.c: add_authz_section).
 */
export function containersOf({ chain }: Place): readonly Frame[] {
  return chain.filter(({ section }) => !isConditional(section) && !NO_CONTAINER.test(section.key));
}

/** How the sections open that a line stands in: httpd merges those of one server that open alike. */
export function openingsAround(place: Place): string {
  return containersOf(place)
    .map(({ section }) => `<${section.key} ${valuesOf(section)}>`)
    .join('');
}

/** The words of a line, or behind the name of a section, without quotes. */
export const valuesOf = ({ args }: Pick<Directive | Section, 'args'>): string =>
  args.map(({ value }) => value).join(' ');

/** The section, virtual host or file that a line sets something for: the same object for lines of the same scope. */
export function scopeOf(place: Place): object {
  const container = containersOf(place).at(-1)?.section;
  return container ?? hostAround(place.chain) ?? place.root;
}

/** Lines by their scope, as {@link scopeOf} has it. */
export function linesByScope<T extends { readonly place: Place }>(
  lines: readonly T[],
): ReadonlyMap<object, readonly T[]> {
  const found = new Map<object, T[]>();
  for (const line of lines) {
    const scope = scopeOf(line.place);
    addTo(found, scope, line);
  }
  return found;
}

/** Whether a value is not known because it contains a variable or a placeholder of a template. */
export function isUnknown(value: string): boolean {
  return hasPlaceholder(value) || value.includes('%%');
}

/** The offset of a directive, or of the opening line of a section; 0 for no node. */
export function lineStart(node: Directive | Section | undefined): number {
  return node === undefined ? 0 : (node.kind === 'section' ? node.open : node).from;
}

const ACCESS_FILE: DirectiveContext = { sections: [], htaccess: { classes: 'LOFAI' } };

/**
 * What surrounds a line of a `.htaccess`, to each version, by the keys of the sections around it; undefined inside a section that
 * may not stand there. Files have the same few sections thousands of times.
 */
const inAccessFile = byText((keys) => {
  const sections = keys === '' ? [] : keys.split('\n');
  return { '2.2': contextInAccessFile(sections, '2.2'), '2.4': contextInAccessFile(sections, '2.4') };
});

function contextInAccessFile(sections: readonly string[], version: Version): DirectiveContext | undefined {
  const isMisplaced = sections.some((key, i) => {
    const around = i === 0 ? ACCESS_FILE : { ...ACCESS_FILE, sections: sections.slice(0, i) };
    return judge(key, around, undefined, version)?.problem === 'place';
  });
  if (isMisplaced) return undefined;
  return sections.length === 0 ? ACCESS_FILE : { ...ACCESS_FILE, sections };
}

/** The keys of the sections around a place, a line for each: conditionals are none to httpd. */
function sectionKeys(chain: Place['chain']): string {
  let keys = '';
  for (const { section } of chain)
    if (!isConditional(section)) keys += `${keys === '' ? '' : '\n'}${section.key}`;
  return keys;
}

/** Whether a version answers 500 to a `.htaccess` because a directive or section, or one around it, may not stand there. */
export function isOutOfPlace(
  { key }: Directive | Section,
  { root, chain }: Place,
  version: Version,
): boolean {
  if (root.role !== 'htaccess') return false;
  const context = inAccessFile(sectionKeys(chain))[version];
  return context === undefined || judge(key, context, undefined, version)?.problem === 'place';
}

/** Visits every directive of these names that both 2.2 and 2.4 may read. */
export function eachLine(
  context: TransformContext,
  names: readonly string[],
  visit: (node: Directive, place: Place) => void,
): void {
  context.directives(names, (node, place) => {
    // Without the line, 2.4 would serve what 2.2 did not.
    if (isCarriedOver(place) && !isOutOfPlace(node, place, '2.2')) visit(node, place);
  });
}

/** What a rule says about a line: the line is the place of the finding. */
export type LineFinding = Omit<Finding, 'rule' | 'file' | 'at' | 'edits' | 'safety'> & ReportedEdits;

/** Reports what `findingFor` has to say about each of the lines that {@link eachLine} visits. */
export function reportLines(
  context: TransformContext,
  names: readonly string[],
  findingFor: (node: Directive, place: Place) => LineFinding | undefined,
): void {
  eachLine(context, names, (node, place) => {
    const finding = findingFor(node, place);
    if (finding !== undefined) context.report({ file: place.file, at: node.from, ...finding });
  });
}

/** Whether a place is at server level: in virtual hosts, conditionals and `<Limit>` at most, which 2.2 ignores there. */
export function isAtServerLevel(place: Place): boolean {
  const { root } = place;
  const isOfDirectory = root.role === 'htaccess' || (root.role === 'unreached' && isSpareAccessFile(root));
  return !isOfDirectory && containersOf(place).length === 0;
}

/** Whether a server is given, and does not read the file of a line. Where none is, any file may become a part of one. */
export function isNotInUse({ root }: Place, { isServer }: Pick<ConfigTree, 'isServer'>): boolean {
  return isServer && root.role === 'unreached';
}

/** Whether a place is, or may be once a server is there that reads it, of the server's own configuration: in no `.htaccess`. */
export function isOfServer(place: Place, tree: Pick<ConfigTree, 'isServer'>): boolean {
  return place.root.role !== 'htaccess' && !isNotInUse(place, tree);
}

/** Replaces the value of an argument. Its quotes stay; an argument without quotes gets them only if the new value needs them. */
export function replaceValue(text: string, { start, end }: Argument, value: string): Edit {
  const first = text.charAt(start);
  const quote = first === "'" && !value.includes("'") ? "'" : '"';
  const bare = first !== '"' && first !== "'" && quoteWord(value) === value;
  return { start, end, text: bare ? value : `${quote}${escapeIn(value, quote)}${quote}` };
}

/**
 * Replaces parts of an argument and leaves the rest as written, since another rule may edit it. If that is not possible, the
 * whole argument is replaced.
 * @param parts edits with offsets into the argument's value
 */
export function replaceParts(text: string, arg: Argument, parts: readonly Edit[]): readonly Edit[] {
  const raw = text.slice(arg.start, arg.end);
  const value = applyEdits(arg.value, parts);
  const whole = replaceValue(text, arg, value);
  const openingQuote = /^["']/.exec(raw)?.[0];
  const quote = openingQuote ?? /^"/.exec(whole.text)?.[0];
  const offsets = rawOffsets(raw, openingQuote);
  if (offsets.length !== arg.value.length + 1) return [whole];
  for (const write of [
    (part: string): string => part,
    (part: string): string => escapeIn(part, quote ?? ''),
  ]) {
    const edits = parts.map((part) => ({
      start: offsets[part.start]!,
      end: offsets[part.end]!,
      text: write(part.text),
    }));
    if (openingQuote === undefined && quote !== undefined) {
      edits.unshift({ start: 0, end: 0, text: quote });
      edits.push({ start: raw.length, end: raw.length, text: quote });
    }
    const written = applyEdits(raw, edits);
    const word = readWord(written, 0);
    if (word?.value === value && word.end === written.length)
      return edits.map((edit) => ({ ...edit, start: arg.start + edit.start, end: arg.start + edit.end }));
  }
  return [whole];
}

/** The offset in a word of each character of its value, and of the value's end. */
function rawOffsets(raw: string, quote: string | undefined): readonly number[] {
  const offsets: number[] = [];
  let at = quote === undefined ? 0 : 1;
  const end = quote !== undefined && raw.length > 1 && raw.endsWith(quote) ? raw.length - 1 : raw.length;
  for (; at < end; at++) {
    offsets.push(at);
    const next = raw.charAt(at + 1);
    if (raw.charAt(at) === '\\' && at + 1 < end && (next === '\\' || next === quote)) at++;
  }
  return [...offsets, end];
}

/** A single backslash stays single unless it would escape the next quote. Several in a row are doubled. */
function escapeIn(value: string, quote: string): string {
  return value.replace(/(\\+)|["']/g, (found, backslashes: string | undefined, at: number) => {
    if (backslashes === undefined) return found === quote ? `\\${found}` : found;
    const next = value.charAt(at + found.length);
    return found.length > 1 || next === quote || next === '' ? found + found : found;
  });
}

/** Whether a section is read only if a module is loaded that does not come with httpd. */
function isForThirdPartyModule({ key, args }: Section): boolean {
  const name = args[0]?.value ?? '';
  return key === 'ifmodule' && !name.startsWith('!') && findModule(name) === undefined;
}

/** Whether 2.4 may read a line even if no module is loaded that does not come with httpd. */
export function isReadWithHttpdModules({ chain }: Place): boolean {
  return placeCondition(chain).on24 !== false && !chain.some(({ section }) => isForThirdPartyModule(section));
}

/** Reports every use of a directive that 2.4 knows by another name. */
export function reportRename(context: TransformContext, from: string, to: string): void {
  context.directives([from], (node, { file }) =>
    context.report({
      file,
      at: node.from,
      level: 'info',
      safety: 'safe',
      message: `${from} is called ${to} in 2.4`,
      edits: [rename(node, to)],
    }),
  );
}

/** The number that C's atoi reads: blanks, a sign and digits at the start of a word; 0 if there are no digits. */
export function atoi(word: string): number {
  const digits = /^[ \t\n\v\f\r]*([+-]?[0-9]+)/.exec(word)?.[1];
  return digits === undefined ? 0 : Number(digits);
}

/**
 * 2.4 reads some arguments as a text expression (server/util_expr_scan.l): `%{…}` inserts a variable, `$1` a match of a regular
 * expression, and a backslash escapes the next character.
 * @returns the expression whose value is `value`
 */
export function escapeExpression(value: string): string {
  return value.replace(/\\|%(?=\{)|\$(?=[0-9])/g, '\\$&');
}

/** Whether a text expression is plain text: everything special in it is escaped, as by {@link escapeExpression}. */
export function isEscaped(value: string): boolean {
  return !/\\|%\{|\$[0-9]/.test(value.replace(/\\(?:\\|%(?=\{)|\$(?=[0-9]))/g, ''));
}

/** The blocks of Perl that a file has before it is configuration. */
export const perlIn = memo(({ text }: Document) => perlBlocks(text));
