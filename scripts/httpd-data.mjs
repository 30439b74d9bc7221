// node scripts/httpd-data.mjs DIRECTIVES.json MODULES.json HTTPD-2.2-SOURCES HTTPD-2.4-SOURCES > src/httpd/tables.ts
// Makes the table of what both versions know out of facts gathered from their command tables. It is run when the facts change, not
// when the product is built: what it prints is part of the sources.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const [directivesFile, modulesFile, ...sources] = process.argv.slice(2);
const read = (file) => JSON.parse(readFileSync(file, 'utf8'));
const directives = read(directivesFile);
const { modules } = read(modulesFile);

/** Kinds of arguments: http_config.h's names, shortened. */
const KINDS = {
  NO_ARGS: '0', TAKE1: '1', TAKE2: '2', TAKE3: '3', TAKE12: '12', TAKE13: '13', TAKE23: '23', TAKE123: '123', TAKE_ARGV: 'v', FLAG: 'f',
  ITERATE: 'i', ITERATE2: 'j', RAW_ARGS: 'r',
}; // prettier-ignore

/** Where a directive may stand, by the bits of its command. OR_ALL is `*`. */
const PLACES = {
  RSRC_CONF: 's', ACCESS_CONF: 'd', OR_LIMIT: 'L', OR_OPTIONS: 'O', OR_FILEINFO: 'F', OR_AUTHCFG: 'A', OR_INDEXES: 'I', OR_ALL: '*',
  DIR_CMD_PERMS: 'I', PROXY_CONF: 'p', EXEC_ON_READ: 'x',
}; // prettier-ignore

/** What a command refuses by itself, through ap_check_cmd_context. */
const LIMITS = {
  GLOBAL_ONLY: 'g', NOT_IN_VIRTUALHOST: 'v', NOT_IN_LIMIT: 'l', NOT_IN_DIRECTORY: 'd', NOT_IN_LOCATION: 'u', NOT_IN_FILES: 'f',
  NOT_IN_HTACCESS: 'h', NOT_IN_PROXY: 'p', NOT_IN_DIR_LOC_FILE: 'duf', NOT_IN_DIR_CONTEXT: 'c',
}; // prettier-ignore

const byBytes = (a, b) => (a < b ? -1 : 1);
const limits = sources.map(limitsOf);

/** Function of a command → the contexts that it refuses, or the function does that it hands its command to. */
function limitsOf(directory) {
  const found = new Map();
  const calls = new Map();
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/\.[ch]$/.test(entry.name)) continue;
    const text = readFileSync(join(entry.parentPath, entry.name), 'latin1');
    for (const [, name, body] of text.matchAll(/^[^\s#}][^;{}]*?\b(\w+)\s*\([^;{}]*\)\s*\{\n([^]*?)^\}/gm)) {
      const words = [...body.matchAll(/ap_check_cmd_context\(\s*cmd\s*,([^)]*)\)/g)].flatMap(([, flags]) =>
        flags.split('|'),
      );
      if (words.length > 0) found.set(name, letters(words.map((word) => LIMITS[word.trim()] ?? fail(word))));
      calls.set(
        name,
        [...body.matchAll(/\breturn (\w+)\(cmd\b/g)].map(([, called]) => called),
      );
    }
  }
  const own = new Map(found);
  for (const [name, called] of calls) {
    const inherited = called.flatMap((each) => own.get(each) ?? []);
    if (inherited.length > 0 && !own.has(name)) found.set(name, letters(inherited));
  }
  return found;
}

function letters(words) {
  return [...new Set(words.join('').split(''))].toSorted(byBytes).join('');
}

function fail(what) {
  throw new Error(`what is ${what}?`);
}

/** The module as LoadModule names it, without `_module`. */
function moduleName(name) {
  const plain = name
    .replace(/^mod_/, '')
    .replace(/_config$/, (tail) => (name === 'mod_log_config' ? tail : ''));
  if (/^(?:beos|event|prefork|worker|mpmt_os2)$/.test(plain)) return `mpm_${plain}`;
  return { h2: 'http2', nw_ssl: 'nwssl' }[plain] ?? plain;
}

/** Those of platforms that few have: their way to take arguments is asked last. */
const RARE = /mpmt_os2|winnt|netware|beos|novell/;

/** The functions of commands that do nothing but to refuse. */
const REFUSING = new Set(['ap_set_deprecated', 'set_nonce_format']);

/** `kind places - limits` of one version: as `1s-g`. `?` where the command table does not tell. */
function spec(directive, version, index) {
  const commands = directive[`c_${version}`] ?? [];
  const command = commands.find(({ src }) => !RARE.test(src)) ?? commands[0];
  if (command === undefined) return '?';
  if (REFUSING.has(command.func)) return `!${places(commands)}`;
  const limit = limits[index].get(command.func) ?? '';
  return (KINDS[command.kind] ?? fail(command.kind)) + places(commands) + (limit === '' ? '' : `-${limit}`);
}

function places(commands) {
  const words = commands.flatMap(({ flags }) =>
    flags
      .replace(/[()]/g, '')
      .split('|')
      .map((word) => word.trim()),
  );
  const found = new Set(words.map((word) => PLACES[word] ?? fail(word)));
  return 'xsdpLOFAI*'
    .split('')
    .filter((letter) => found.has(letter))
    .join('');
}

function owners(list) {
  const names = [...new Set((list ?? []).map(moduleName))].filter(
    (name, _, all) => name !== 'mpm_common' || all.length === 1,
  );
  return names.toSorted(byBytes).join(',');
}

const groups = new Map();
for (const directive of directives) {
  const { name } = directive;
  if (name === 'Lua_____ByteCodeHack' || name === 'RequireNotAll') continue;
  const [old, now] = [owners(directive['module_2.2']), owners(directive['module_2.4'])];
  const [spec22, spec24] = [old && spec(directive, '2.2', 0), now && spec(directive, '2.4', 1)];
  const both = spec22 === spec24 || spec22 === '' || spec24 === '' ? spec22 || spec24 : `${spec22}>${spec24}`;
  const group = old === now ? old : `${old}>${now}`;
  const word = `${directive.section ? '<' : ''}${name}=${both}`;
  groups.set(group, [...(groups.get(group) ?? []), word]);
}

function wrap(first, words) {
  const lines = [first];
  for (const word of words.toSorted(byBytes)) {
    if (lines.at(-1).length + word.length + 1 > 130) lines.push('   ');
    lines.push(`${lines.pop()} ${word}`);
  }
  return lines.join('\n');
}

const table = [...groups]
  .toSorted(([a], [b]) => byBytes(a, b))
  .map(([group, words]) => wrap(`${group}:`, words));

/** Modules of 2.4 that were added to many a 2.2 server by hand. */
const EXTRA =
  'lua macro proxy_fcgi proxy_html proxy_uwsgi proxy_wstunnel ratelimit remoteip sed xml2enc'.split(' ');
/** The first is compiled in and the others have no entry of their own in the list of 2.2's modules. */
const BOTH = ['core=core.c', 'dav', 'mpm_winnt=mpm_winnt.c', 'case_filter', 'case_filter_in'];
const lists = { both: [...BOTH], 2.2: [], 2.4: [], extra: [] };
for (const module of modules) {
  const name = (version) => {
    const id = module[version === '2.2' ? 'identifier' : 'identifier_2.4'];
    if (typeof id !== 'string') return undefined;
    const plain = id.replace(/_module$/, '');
    const file = module[`ifmodule_file_${version}`];
    return file === `mod_${plain}.c` || typeof file !== 'string' ? plain : `${plain}=${file}`;
  };
  const [old, now] = [module['source_2.2'] && name('2.2'), module['source_2.4'] && name('2.4')];
  if (old && now && old.split('=')[0] === now.split('=')[0]) lists.both.push(now);
  else {
    if (old) lists['2.2'].push(old);
    if (now && !BOTH.includes(now)) lists[EXTRA.includes(now) ? 'extra' : '2.4'].push(now);
  }
}

process.stdout
  .write(`// Printed by scripts/httpd-data.mjs, which says what the codes mean; directives.ts and modules.ts take it apart.

export const directiveTable = \`
${table.join('\n')}
\`;

export const moduleTable = \`
${Object.entries(lists)
  .map(([versions, names]) => wrap(`${versions}:`, names))
  .join('\n')}
\`;
`);
