// What the scripts that read httpd's sources have in common.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** Kinds of arguments: http_config.h's names, shortened. What AP_INIT_NO_ARGS makes takes any, and reads none. */
export const KINDS = {
  NO_ARGS: 'r', TAKE1: '1', TAKE2: '2', TAKE3: '3', TAKE12: '12', TAKE13: '13', TAKE23: '23', TAKE123: '123', TAKE_ARGV: 'v', FLAG: 'f',
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
/** What builds leave out: an OpenSSL from 1.0.0 on has it. */
const NOT_BUILT = /^#ifndef SSL_OP_NO_COMPRESSION$[^]*?^#endif/gm;

/**
 * Function of a command → the contexts that it refuses, or the function does that it hands its command to. Each by its name and,
 * since two modules may have one of the same name, by that of its file before it (`mod_ident.c:set_timeout`).
 */
export function limitsOf(directory) {
  const found = new Map();
  const calls = new Map();
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/\.[ch]$/.test(entry.name)) continue;
    // A comment in front of a function may hold brackets too.
    const text = readFileSync(join(entry.parentPath, entry.name), 'latin1')
      .replace(/\/\*[^]*?\*\//g, ' ')
      .replace(NOT_BUILT, '');
    for (const [, name, body] of text.matchAll(/^[^\s#}][^;{}]*?\b(\w+)\s*\([^;{}]*\)\s*\{\n([^]*?)^\}/gm)) {
      // Where nothing is made of the answer but a warning, the command takes the line.
      const words = [...body.matchAll(/(?:=|\breturn)\s*ap_check_cmd_context\(\s*cmd\s*,([^)]*)\)/g)].flatMap(
        ([, flags]) => flags.split('|'),
      );
      const refused = letters(words.map((word) => LIMITS[word.trim()] ?? fail(word)));
      const called = [...body.matchAll(/\breturn (\w+)\(cmd\b/g)].map(([, each]) => each);
      if (words.length > 0) found.set(name, refused);
      if (words.length > 0 || called.length === 0) found.set(`${entry.name}:${name}`, refused);
      calls.set(name, called);
    }
  }
  const ownWords = new Map(found);
  for (const [name, called] of calls) {
    const inherited = called.flatMap((each) => ownWords.get(each) ?? []);
    if (inherited.length > 0 && !ownWords.has(name)) found.set(name, letters(inherited));
  }
  return found;
}

/** What the function of a command refuses. @param file where the command stands */
export function limitOf(limits, func, file) {
  return limits.get(`${basename(file)}:${func}`) ?? limits.get(func) ?? '';
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
