// node scripts/httpd-data.mjs DIRECTIVES.json MODULES.json HTTPD-2.2-SOURCES HTTPD-2.4-SOURCES > src/httpd/tables.ts Makes the
// table of what both versions know out of facts gathered from their command tables. It is run when the facts change, not when the
// product is built: what it prints is part of the sources.
import { readFileSync } from 'node:fs';
import {
  KINDS,
  PLACES,
  RARE,
  REFUSING,
  byBytes,
  fail,
  limitOf,
  limitsOf,
  moduleName,
} from './httpd-sources.mjs';

const [directivesFile, modulesFile, ...sources] = process.argv.slice(2);
const read = (file) => JSON.parse(readFileSync(file, 'utf8'));
const directives = read(directivesFile);
const { modules } = read(modulesFile);

const limits = sources.map(limitsOf);

/** `kind places - limits` of one version: as `1s-g`. `?` where the command table does not tell. */
function spec(directive, version, index) {
  const commands = directive[`c_${version}`] ?? [];
  const command = commands.find(({ src }) => !RARE.test(src)) ?? commands[0];
  if (command === undefined) return '?';
  if (REFUSING.has(command.func)) return `!${places(commands)}`;
  const limit = limitOf(limits[index], command.func, command.src.replace(/:\d+$/, ''));
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
