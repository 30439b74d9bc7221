import { encode, safeJson } from './display';

/** A part of a JSON document that is written part by part: an object, or an array whose parts are made when it is their turn. */
export class InPieces {
  readonly parts: object;

  /** @param parts the fields of an object, or the values of an array as an iterable */
  constructor(parts: Readonly<Record<string, unknown>> | Iterable<unknown>) {
    this.parts = parts;
  }
}

/** Characters of a piece, about: each is written by itself. */
const PIECE = 64 * 1024;

/**
 * A JSON document in UTF-8, as byte strings that belong one behind the other. The objects and the text of a hundred thousand
 * findings would take more than a gigabyte at one time.
 */
export function* jsonPieces(document: InPieces): Iterable<string> {
  let piece = '';
  for (const text of textsOf(document, '')) {
    piece += text;
    if (piece.length < PIECE) continue;
    yield encode(safeJson(piece));
    piece = '';
  }
  yield encode(safeJson(`${piece}\n`));
}

/** What `JSON.stringify` makes of a value with two blanks for each level. @param indent of the line that it begins in */
function* textsOf(value: unknown, indent: string): Iterable<string> {
  if (!(value instanceof InPieces)) {
    yield JSON.stringify(value, undefined, 2).replaceAll('\n', `\n${indent}`);
    return;
  }
  const inner = `${indent}  `;
  const isArray = Symbol.iterator in value.parts;
  let separator = isArray ? '[' : '{';
  const parts = isArray ? unnamed(value.parts as Iterable<unknown>) : Object.entries(value.parts);
  for (const [name, part] of parts) {
    if (part === undefined) continue;
    yield `${separator}\n${inner}${name === undefined ? '' : `${JSON.stringify(name)}: `}`;
    yield* textsOf(part, inner);
    separator = ',';
  }
  if (separator !== ',') yield separator;
  else yield `\n${indent}`;
  yield isArray ? ']' : '}';
}

function* unnamed(values: Iterable<unknown>): Iterable<readonly [undefined, unknown]> {
  for (const value of values) yield [undefined, value];
}

/** The values of an array, made one after the other. */
export function* eachAs<T, U>(values: Iterable<T>, make: (value: T) => U): Iterable<U> {
  for (const value of values) yield make(value);
}
