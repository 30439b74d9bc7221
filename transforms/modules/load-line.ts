import type { ConfigFile } from '../../src/config';
import { type Edit, eolOf, indentOf, indentUnit, insertAfter, insertAt } from '../../src/edit';
import type { Argument } from '../../src/syntax';
import type { Home } from './compiled-in';
import type { CommentedLoadLine, LoadLine, LoadLines } from './module-lines';
import { loadPlaceFor, type LoadPlace, prerequisiteOf, isOfHttpd } from './load-line-place';

/** A line that is added for a module, or read from now on. */
export interface AddedLine {
  readonly file: ConfigFile;
  readonly at: number;
  readonly edit: Edit;
  /** The module and what is done, as part of a message. */
  readonly text: string;
}

/** Adds a module's line, or uncomments the one that is there. */
export function addLine(
  lines: LoadLines,
  name: string,
  guards: readonly string[],
  home: Home | undefined,
  describe: (fileOfMessage: ConfigFile) => string,
): AddedLine | undefined {
  const loadPlace = loadPlaceFor(name, lines, home);
  const commented = commentedFor(name, loadPlace, lines);
  const notes = [
    ...(commented === undefined ? [] : ['its line was commented out']),
    ...(commented === undefined && guards.length > 0 ? ['unless it is compiled in'] : []),
  ];
  const text = (file: ConfigFile): string =>
    `mod_${name} for ${describe(file)}${notes.map((note) => `, ${note}`).join('')}`;
  if (commented !== undefined) {
    const { file, node } = commented;
    return { file, at: node.from, edit: uncommentEdit(commented), text: text(file) };
  }
  if (loadPlace === undefined) return undefined;
  return {
    file: loadPlace.file,
    at: positionOf(loadPlace),
    edit: insertEdit(name, loadPlace, guards),
    text: text(loadPlace.file),
  };
}

function positionOf({ node }: LoadPlace): number {
  if (node === undefined) return 0;
  return node.kind === 'section' ? node.open.from : node.from;
}

/** The commented-out line of a module, if the module can be loaded there. */
function commentedFor(
  name: string,
  loadPlace: LoadPlace | undefined,
  lines: LoadLines,
): CommentedLoadLine | undefined {
  const line = lines.commented.find((commentedLine) => commentedLine.name === name);
  if (line === undefined || prerequisiteOf(name) === undefined || loadPlace === undefined) return line;
  return loadPlace.file === line.file &&
    loadPlace.model?.place.chain.length === 0 &&
    (loadPlace.node?.end ?? 0) <= line.node.start
    ? line
    : undefined;
}

/** A `LoadModule` line with the spelling, blanks and path of the line it is modelled on. */
function lineFor(name: string, model: LoadLine | undefined): string {
  if (model === undefined) return `LoadModule ${name}_module modules/mod_${name}.so`;
  const { node, place, path, identifier } = model;
  const { text } = place.file.document;
  const [identifierArgument, pathArgument] = node.args as readonly [Argument, Argument];
  const quote = /^["']/.exec(text.slice(pathArgument.start, pathArgument.end))?.[0] ?? '';
  let blanks = text.slice(identifierArgument.end, pathArgument.start).replace(/[^ \t]/g, '') || ' ';
  // Keeps the paths aligned in a column.
  if (/^ {2,}$/.test(blanks))
    blanks = ' '.repeat(Math.max(1, blanks.length + identifier.length - `${name}_module`.length));
  // Others have their modules where they like.
  const directory =
    isOfHttpd(model) || !path.startsWith('/') ? path.slice(0, path.lastIndexOf('/') + 1) : 'modules/';
  const lineStart = text.slice(node.from, identifierArgument.start).replace(/[\\\r\n]/g, '');
  return `${lineStart}${name}_module${blanks}${quote}${directory}mod_${name}.so${quote}`;
}

/** Inserts the line, in an `<IfModule !...>` for each of `guards`: httpd does not start if it loads what is compiled in. */
function insertEdit(name: string, { file, node, side, model }: LoadPlace, guards: readonly string[]): Edit {
  const indent = indentUnit(
    file.document,
    model === undefined ? '' : indentOf(file.document, model.node),
    undefined,
  );
  const innerIndent = indent.repeat(guards.length);
  const lines = [
    ...guards.map((guard, i) => `${indent.repeat(i)}<IfModule !${guard}_module>`),
    innerIndent + lineFor(name, model),
    ...guards.map((_, i) => `${indent.repeat(guards.length - 1 - i)}</IfModule>`),
  ];
  const { document } = file;
  if (node === undefined)
    return {
      start: document.bom,
      end: document.bom,
      text: lines.map((line) => line + document.eol).join(''),
    };
  if (node.kind === 'comment') return insertAfter(document, node, lines);
  if (side === 'after') return insertAt(document, { node, side }, lines);
  if (side === 'above') return insertAt(document, { node, side: 'before' }, lines);
  // Directly above the line, so that comments about loading modules stay on top.
  const line = node.kind === 'section' ? node.open : node;
  const text = lines.map((newLine) => indentOf(document, line) + newLine + eolOf(document, line)).join('');
  return { start: line.start, end: line.start, text };
}

/** Removes the comment signs. */
function uncommentEdit({ file, node }: CommentedLoadLine): Edit {
  const commentSigns = /^#+[ \t]*/.exec(file.document.text.slice(node.from, node.to))![0];
  return { start: node.from, end: node.from + commentSigns.length, text: '' };
}
