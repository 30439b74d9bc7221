import type { Document } from '../../syntax';
import { octets } from './display';

/** A place in the decoded text, as editors and SARIF count: line and column from 1, the column in UTF-16 units. */
export interface TextPlace {
  readonly line: number;
  readonly column: number;
}

/** How a file's bytes are decoded for people: as UTF-8 where all of them are valid UTF-8, else as latin1. */
export interface Decoding {
  readonly name: 'utf-8' | 'iso-8859-1';
  readonly decode: (bytes: string) => string;
  /** @param offset a byte offset in the file. A byte order mark is not part of the first line. */
  readonly placeAt: (offset: number) => TextPlace;
}

/** The decoding of one file; a line is decoded when a place in it is asked for. */
export function decodingOf(document: Document): Decoding {
  const { text, bom } = document;
  const utf8 = isUtf8(text);
  const decode = utf8 ? fromUtf8 : (bytes: string): string => bytes;
  return {
    name: utf8 ? 'utf-8' : 'iso-8859-1',
    decode,
    placeAt(offset) {
      const { line, column } = document.positionAt(offset);
      const start = Math.max(offset - column + 1, line === 1 ? bom : 0);
      return { line, column: decode(text.slice(start, Math.max(start, offset))).length + 1 };
    },
  };
}

function isUtf8(bytes: string): boolean {
  if (!/[\x80-\xff]/.test(bytes)) return true;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(octets(bytes));
    return true;
  } catch {
    return false;
  }
}

/** A part of a valid file: an edit may cut a character, which then shows as U+FFFD. */
function fromUtf8(bytes: string): string {
  if (!/[\x80-\xff]/.test(bytes)) return bytes;
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(octets(bytes));
}
