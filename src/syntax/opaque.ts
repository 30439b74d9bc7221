import type { LineReader } from './lines';
import { LogicalText } from './logical';
import { readWord } from './words';

const L = 108;

/** Sections whose body is not httpd configuration: mod_perl, mod_macro, mod_lua (2.4 modules/lua/mod_lua.c). */
export function isOpaque(key: string): boolean {
  if (key === 'perl' || key === 'macro') return true;
  return key.charCodeAt(0) === L && (key.startsWith('luahook') || key === 'luaquickhandler');
}

/**
 * Finds the closer of the opaque body that starts at byte offset `at`. Macros may nest (2.4 modules/core/mod_macro.c:
 * get_lines_till_end_token).
 * @returns whether there is one: it is the line that the reader read last, then
 */
export function findOpaqueEnd(reader: LineReader, text: string, at: number, key: string): boolean {
  const closer = `</${key}>`;
  let depth = 0;
  while (at < text.length) {
    reader.read(at);
    if (text.charAt(reader.from) === '<') {
      const { from, to, cuts } = reader;
      const word = readWord(new LogicalText(text, from, to, cuts).text, 0)?.value.toLowerCase();
      if (word === closer && depth-- === 0) return true;
      if (word === `<${key}` && key === 'macro') depth++;
    }
    at = reader.end;
  }
  return false;
}
