// node scripts/httpd-config-errors.mjs HTTPD-2.4-SOURCES > src/httpd/messages/config-errors.ts Makes the table of the errors with
// which the reader of configurations refuses a line: what the functions of the directives return. Like httpd-data.mjs, it is run
// when the facts change.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { byBytes } from './httpd-sources.mjs';

const [root] = process.argv.slice(2);

/** A function that a directive calls: it takes cmd_parms and returns what is wrong. */
const FUNCTION = /\n[^\n;{}]*\bconst char \*\)?\s*\w+\s*\([^)]*\bcmd_parms\b[^)]*\)\s*\{([^]*?)\n\}/g;
const RETURN = /\breturn\s+([^;]*"[^;]*);/g;
const LITERAL = '"(?:[^"\\\\]|\\\\.)*"';

/** A text with % for what is filled in; undefined for what is no single text. */
function textOf(expression) {
  if (expression.includes('?')) return undefined;
  const given =
    /^apr_p(?:str(?:cat|dup)|sprintf)\s*\(\s*[^,]+,([^]*)\)$/.exec(expression.trim())?.[1] ?? expression;
  const parts = [...given.matchAll(new RegExp(`${LITERAL}|[^",\\s][^",]*`, 'g'))].map(([part]) => part);
  const isFormat = expression.includes('sprintf');
  const kept = isFormat
    ? parts.filter((part) => part.startsWith('"'))
    : parts.filter((part) => part.trim() !== 'NULL');
  const text = kept
    .map((part) => (part.startsWith('"') ? part.slice(1, -1) : /^[A-Z_]+\)?$/.test(part.trim()) ? '' : '%'))
    .join('');
  return text
    .replace(/%-?[\d.*]*(?:l|ll|h)*[a-zA-Z]+|"\s*APR_\w+\s*"/g, '%')
    .replace(/\\(["'\\])/g, '$1')
    .replace(/\\[nt]/g, ' ')
    .replace(
      /[%\s]*%[%\s]*/g,
      (blanks) => (/^\s/.test(blanks) ? ' %' : '%') + (/\s$/.test(blanks) ? ' ' : ''),
    )
    .replace(/ {2,}/g, ' ')
    .trim();
}

/** Puts as many errors side by side as a row has room for. */
function inRows(errors) {
  const rows = [];
  for (const error of errors) {
    const row = `${rows.at(-1)} ||${error}`;
    if (rows.length > 0 && row.length <= WIDTH) rows[rows.length - 1] = row;
    else rows.push(error);
  }
  return rows;
}

const WIDTH = 140;
const lines = [];
let count = 0;
const files = readdirSync(root, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.c'))
  .map((entry) => join(entry.parentPath, entry.name));
for (const file of files.toSorted(byBytes)) {
  const name = relative(root, file);
  if (!/^(?:server|modules)\//.test(name) || /\/(?:winnt|netware|os2|mpmt_os2|test|examples)\//.test(name))
    continue;
  const source = readFileSync(file, 'latin1');
  const found = new Map();
  for (const { 0: whole, 1: body, index } of source.matchAll(FUNCTION)) {
    const start = index + whole.length - body.length - 2;
    for (const { 1: expression, index: at } of body.matchAll(RETURN)) {
      const text = textOf(expression);
      if (
        text === undefined ||
        text.replace(/[^A-Za-z]/g, '').length < 16 ||
        !text.includes(' ') ||
        text.includes('`') ||
        text.includes('||')
      )
        continue;
      if (!found.has(text)) found.set(text, source.slice(0, start + at).split('\n').length);
    }
  }
  if (found.size === 0) continue;
  count += found.size;
  const errors = [...found].map(
    ([text, line]) => ` ${line} ${text.replaceAll('\\', '\\\\').replaceAll('$', '\\$')}`,
  );
  lines.push(name, ...inRows(errors));
}
process.stderr.write(`${count} messages\n`);
process.stdout
  .write(`// Printed by scripts/httpd-config-errors.mjs from the sources of 2.4.62; config-error.ts parses it.
// A file, then the errors in it, || between two: line, and the text with % for what is filled in.

export const configErrors = \`
${lines.join('\n')}
\`;
`);
