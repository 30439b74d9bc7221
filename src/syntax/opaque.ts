import { type Grammar, type Line, readLine } from './lines';
import { Logical } from './logical';
import { readWord } from './words';

/** Sections whose body is not httpd configuration: mod_perl, mod_macro, mod_lua (2.4 modules/lua/mod_lua.c). */
export function isOpaque(key: string): boolean {
  return key === 'perl' || key === 'macro' || key.startsWith('luahook') || key === 'luaquickhandler';
}

/**
 * Finds where the opaque body that starts at byte offset `at` ends: at its closer, or at the end of the file. Macros may nest
 * (2.4 modules/core/mod_macro.c: get_lines_till_end_token).
 */
export function findOpaqueEnd(
  text: string,
  at: number,
  key: string,
  grammar: Grammar,
  hasNul: boolean,
): { bodyEnd: number; close: Line | undefined } {
  const closer = `</${key}>`;
  let depth = 0;
  while (at < text.length) {
    const line = readLine(text, at, grammar, hasNul);
    if (text.charAt(line.from) === '<') {
      const word = readWord(new Logical(text, line.from, line.to, line.cuts).text, 0)?.value.toLowerCase();
      if (word === closer && depth-- === 0) return { bodyEnd: line.start, close: line };
      if (word === `<${key}` && key === 'macro') depth++;
    }
    at = line.end;
  }
  return { bodyEnd: text.length, close: undefined };
}
