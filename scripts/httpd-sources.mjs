// What the scripts that read httpd's sources have in common.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Kinds of arguments: http_config.h's names, shortened. */
export const KINDS = {
  NO_ARGS: '0', TAKE1: '1', TAKE2: '2', TAKE3: '3', TAKE12: '12', TAKE13: '13', TAKE23: '23', TAKE123: '123', TAKE_ARGV: 'v', FLAG: 'f',
  ITERATE: 'i', ITERATE2: 'j', RAW_ARGS: 'r',
}; // prettier-ignore

/** Where a directive may stand, by the bits of its command. OR_ALL is `*`. */
export const PLACES = {
  RSRC_CONF: 's', ACCESS_CONF: 'd', OR_LIMIT: 'L', OR_OPTIONS: 'O', OR_FILEINFO: 'F', OR_AUTHCFG: 'A', OR_INDEXES: 'I', OR_ALL: '*',
  DIR_CMD_PERMS: 'I', PROXY_CONF: 'p', EXEC_ON_READ: 'x',
}; // prettier-ignore

/** What a command refuses by itself, through ap_check_cmd_context. */
const LIMITS = {
  GLOBAL_ONLY: 'g', NOT_IN_VIRTUALHOST: 'v', NOT_IN_LIMIT: 'l', NOT_IN_DIRECTORY: 'd', NOT_IN_LOCATION: 'u', NOT_IN_FILES: 'f',
  NOT_IN_HTACCESS: 'h', NOT_IN_PROXY: 'p', NOT_IN_DIR_LOC_FILE: 'duf', NOT_IN_DIR_CONTEXT: 'c',
}; // prettier-ignore

export const byBytes = (a, b) => (a < b ? -1 : 1);
/** Function of a command → the contexts that it refuses, or the function does that it hands its command to. */
export function limitsOf(directory) {
  const found = new Map();
  const calls = new Map();
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/\.[ch]$/.test(entry.name)) continue;
    // A comment in front of a function may hold brackets too.
    const text = readFileSync(join(entry.parentPath, entry.name), 'latin1').replace(/\/\*[^]*?\*\//g, ' ');
    for (const [, name, body] of text.matchAll(/^[^\s#}][^;{}]*?\b(\w+)\s*\([^;{}]*\)\s*\{\n([^]*?)^\}/gm)) {
      // Where nothing is made of the answer but a warning, the command takes the line.
      const words = [...body.matchAll(/(?:=|\breturn)\s*ap_check_cmd_context\(\s*cmd\s*,([^)]*)\)/g)].flatMap(
        ([, flags]) => flags.split('|'),
      );
      if (words.length > 0) found.set(name, letters(words.map((word) => LIMITS[word.trim()] ?? fail(word))));
      calls.set(
        name,
        [...body.matchAll(/\breturn (\w+)\(cmd\b/g)].map(([, called]) => called),
      );
    }
  }
  const ownWords = new Map(found);
  for (const [name, called] of calls) {
    const inherited = called.flatMap((each) => ownWords.get(each) ?? []);
    if (inherited.length > 0 && !ownWords.has(name)) found.set(name, letters(inherited));
  }
  return found;
}

export function letters(words) {
  return [...new Set(words.join('').split(''))].toSorted(byBytes).join('');
}

export function fail(what) {
  throw new Error(`what is ${what}?`);
}

/** The module as LoadModule names it, without `_module`. */
export function moduleName(name) {
  const plain = name
    .replace(/^mod_/, '')
    .replace(/_config$/, (tail) => (name === 'mod_log_config' ? tail : ''));
  if (/^(?:beos|event|prefork|worker|mpmt_os2)$/.test(plain)) return `mpm_${plain}`;
  return { h2: 'http2', nw_ssl: 'nwssl' }[plain] ?? plain;
}

/** Those of platforms that few have: their way to take arguments is asked last. */
export const RARE = /mpmt_os2|winnt|netware|beos|novell/;

/** The functions of commands that do nothing but to refuse. */
export const REFUSING = new Set(['ap_set_deprecated', 'set_nonce_format']);
