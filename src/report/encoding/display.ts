/** A number of arguments that every call accepts. */
const SLICE = 8192;

/** Decodes a byte string for people and JSON: as UTF-8 where it is valid UTF-8, else byte by byte as latin1. */
export function decode(bytes: string): string {
  if (!/[\x80-\xff]/.test(bytes)) return bytes;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(octets(bytes));
  } catch {
    return bytes;
  }
}

/** The byte string that shows decoded text on a UTF-8 terminal. */
export function encode(text: string): string {
  if (/^[\0-\x7f]*$/.test(text)) return text;
  const utf8 = new TextEncoder().encode(text);
  let bytes = '';
  for (let at = 0; at < utf8.length; at += SLICE)
    bytes += String.fromCharCode(...utf8.subarray(at, at + SLICE));
  return bytes;
}

/** Not by `Buffer`: the reports run in a web page too. */
export function octets(bytes: string): Uint8Array {
  return Uint8Array.from(bytes, (char) => char.charCodeAt(0));
}

/**
 * One line of a byte string for a terminal: no control character of a file or a file name survives as one. C0, DEL and C1 (a
 * UTF-8 terminal may obey those too), the line separators and what turns the writing direction are written `\xNN` or `\u{NNNN}`.
 */
export function oneLine(bytes: string): string {
  if (/^[ -~]*$/.test(bytes)) return bytes;
  return encode(
    decode(bytes).replace(/[\0-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g, escapeChar),
  );
}

/** Like {@link oneLine}, decoded, for pages and comments. */
export function shownText(bytes: string): string {
  return decode(oneLine(bytes));
}

/** Like {@link oneLine}, for a line of a configuration: a tab is part of its indentation and stays, a CR at its end goes. */
export function codeLine(line: string): string {
  const text = line.endsWith('\r') ? line.slice(0, -1) : line;
  return text.split('\t').map(oneLine).join('\t');
}

/** A line of a diff for pages and comments. */
export function shownLine(line: string): string {
  return decode(codeLine(line));
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Decoded text as text of HTML or XML, or as the value of an attribute; without `##[`, which GitHub Actions may obey. */
export function escapeMarkup(text: string): string {
  return text.replace(/[&<>"']/g, (char) => ENTITIES[char]!).replaceAll('##[', '#&#35;[');
}

/** For instance `1 change`, `3 changes`. */
export function plural(count: number, noun: string): string {
  return count === 1 ? `1 ${noun}` : `${count} ${noun}s`;
}

/**
 * Text of many lines for a terminal: TAB, LF and a CR before an LF stay, other control bytes show as `^X`, C1 as `\xNN`, and what
 * ends a line or turns the writing direction as `\u{NNNN}`.
 */
export function manyLines(bytes: string): string {
  if (!/[\0-\x08\x0b-\x1f\x7f-\xff]/.test(bytes)) return bytes;
  const plain = bytes.replace(/\r(?!\n)|[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/g, caret);
  // One undecodable line must not make the others unreadable.
  return plain.replace(/[^\n]*[\x80-\xff][^\n]*/g, (line) =>
    encode(decode(line).replace(/[\x80-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g, escapeChar)),
  );
}

function caret(char: string): string {
  return `^${String.fromCharCode(char.charCodeAt(0) ^ 64)}`;
}

function escapeChar(char: string): string {
  const code = char.charCodeAt(0);
  if (char === '\n') return '\\n';
  return code < 256 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`;
}

/** A value as JSON in UTF-8, a byte string. */
export function jsonBytes(value: object): string {
  return jsonText(value);
}

/** The JSON of a value whose strings are byte strings. */
export function jsonOfBytes(value: object): string {
  return jsonText(value, (_, part: unknown) => (typeof part === 'string' ? decode(part) : part));
}

function jsonText(value: object, replacer?: (key: string, part: unknown) => unknown): string {
  return encode(`${safeJson(JSON.stringify(value, replacer, 2))}\n`);
}

/**
 * JSON that means the same, with escapes for what a reader of it as text may obey: DEL, C1 and what turns the writing direction,
 * on a terminal; `##[`, in a log of GitHub Actions.
 */
export function safeJson(json: string): string {
  return json
    .replace(/[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g, jsonEscape)
    .replaceAll('##[', `#${jsonEscape('#')}[`);
}

/** For instance `\u0023`. */
export function jsonEscape(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
