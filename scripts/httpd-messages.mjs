// node scripts/httpd-messages.mjs HTTPD-2.4-SOURCES > src/httpd/messages/log-numbers.ts Makes the table of the numbered messages
// with which 2.4 says that something failed: level err and above. Like httpd-data.mjs, it is run when the facts change.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { byBytes } from './httpd-sources.mjs';

const [root] = process.argv.slice(2);
const LETTERS = { EMERG: 'm', ALERT: 'a', CRIT: 'c', ERR: 'e' };
const CALL = /(?:ap_log_\w+|ssl_log_\w+|log_\w+)\s*\(/g;

/** The gravest level in the call of a number. Startup alone is emerg; what a CGI module logs of a script is err. */
function levelOf(text, at) {
  const before = text.slice(Math.max(0, at - 600), at);
  const call = [...before.matchAll(CALL)].at(-1);
  if (call === undefined) return undefined;
  const words = before.slice(call.index);
  const level = Object.keys(LETTERS).find((name) => new RegExp(`APLOG_${name}\\b`).test(words));
  if (level !== undefined) return LETTERS[level];
  if (/\bAPLOG_(?:WARNING|NOTICE|INFO|DEBUG|TRACE\d)\b/.test(words)) return undefined;
  return /\bAPLOG_STARTUP\b/.test(words) ? 'm' : call[0].startsWith('log_scripterror') ? 'e' : undefined;
}

const lines = [];
let count = 0;
const files = readdirSync(root, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.[ch]$/.test(entry.name))
  .map((entry) => join(entry.parentPath, entry.name));
for (const file of files.toSorted(byBytes)) {
  const name = relative(root, file);
  if (!/^(?:server|modules)\//.test(name) || /\/(?:winnt|netware|os2|test)\//.test(name)) continue;
  const text = readFileSync(file, 'latin1');
  const words = [...text.matchAll(/APLOGNO\((\d+)\)/g)].flatMap(({ 1: number, index }) => {
    const level = levelOf(text, index);
    return level === undefined ? [] : [`${Number(number)}${level}${text.slice(0, index).split('\n').length}`];
  });
  if (words.length === 0) continue;
  count += words.length;
  lines.push(name);
  for (const word of words) {
    if (!lines.at(-1).startsWith(' ') || lines.at(-1).length + word.length + 1 > 130) lines.push('');
    lines.push(`${lines.pop()} ${word}`);
  }
}
process.stderr.write(`${count} messages\n`);
process.stdout
  .write(`// Printed by scripts/httpd-messages.mjs from the sources of 2.4.62; log-message.ts parses it.
// A file, then the messages in it: number, level (m emerg, a alert, c crit, e err), line.

export const logNumbers = \`
${lines.join('\n')}
\`;
`);
