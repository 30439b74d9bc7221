// node scripts/httpd-releases.mjs N=SOURCES... > src/httpd/since.ts What releases of 2.4 have, and how their directives are
// taken, as far as that is not the same in all of them: read out of the sources of as many releases as are at hand (N for 2.4.N).
// Releases that are not given count as the next one that is, but for what CHANGES says.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { KINDS, PLACES, RARE, REFUSING, byBytes, limitOf, limitsOf } from './httpd-sources.mjs';

/** The macros that mod_ssl makes its commands with. */
const SSL_PLACES = { ALL: 'RSRC_CONF|OR_AUTHCFG', SRV: 'RSRC_CONF', PXY: 'RSRC_CONF|PROXY_CONF' };

const releases = process.argv
  .slice(2)
  .map((word) => word.split('='))
  .map(([number, directory]) => ({ number: Number(number), ...readSources(directory) }))
  .toSorted((a, b) => a.number - b.number);

function readSources(directory) {
  const limits = limitsOf(directory);
  const found = {
    directives: new Map(),
    modules: new Set(),
    functions: new Set(),
    variables: new Set(),
    providers: new Set(),
  };
  for (const part of ['include', 'server', 'modules'])
    for (const entry of readdirSync(join(directory, part), { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      if (!entry.isFile() || !/\.[ch]$/.test(path)) continue;
      readFile(
        readFileSync(path, 'latin1').replace(/\/\*[^]*?\*\//g, ' '),
        relative(directory, path),
        limits,
        found,
      );
    }
  return found;
}

function readFile(text, path, limits, found) {
  const names = new Map(
    [...text.matchAll(/#define[ \t]+(\w+)[ \t]+"([^"]*)"/g)].map(([, name, value]) => [name, value]),
  );
  const valueOf = (word) => (word.startsWith('"') ? word.slice(1, word.indexOf('"', 1)) : names.get(word));
  for (const [, name] of text.matchAll(
    /(?:AP_MODULE_DECLARE_DATA\s+|AP_DECLARE_MODULE\()(\w+?)(?:_module)?\b[ )]*(?:=|;)/g,
  ))
    found.modules.add(name);
  for (const { macro, args } of calls(text)) {
    if (macro === 'ap_register_auth_provider') {
      const name = valueOf(args[2]);
      if (/AUTHZ_PROVIDER_GROUP/.test(args[1]) && name) found.providers.add(name);
      continue;
    }
    const ssl = /^SSL_CMD_(\w+)$/.exec(macro)?.[1];
    const name = (ssl === undefined ? valueOf(args[0]) : `SSL${args[0]}`)?.replace(/>$/, '');
    if (name === undefined || RARE.test(path)) continue;
    const [kind, func, flags] =
      ssl === undefined
        ? [macro.slice(8), args[1], args[3]]
        : [args[1], `ssl_cmd_SSL${args[0]}`, SSL_PLACES[ssl]];
    const bits = flags
      .split(/[|()\s]+/)
      .map((word) => names.get(word) ?? word)
      .filter(Boolean);
    if (KINDS[kind] === undefined || bits.some((word) => PLACES[word] === undefined)) continue;
    const entry = found.directives.get(name) ?? { kind: '', places: new Set(), limits: '' };
    for (const bit of bits) entry.places.add(PLACES[bit]);
    entry.kind = REFUSING.has(func) ? '!' : entry.kind || KINDS[kind];
    entry.limits ||= limitOf(limits, func, path);
    found.directives.set(name, entry);
  }
  for (const [, name] of text.matchAll(/\{\s*op_\w+\s*,\s*"([^"]+)"/g)) found.functions.add(`-${name}`);
  for (const [, name] of text.matchAll(/\{\s*\w+_func\s*,\s*"([^"]+)"/g)) found.functions.add(name);
  for (const [, list] of text.matchAll(/\bchar \*(?:const )?\w*vars?\w*\[\]\s*=\s*\{([^}]*)\}/g))
    for (const [, name] of list.matchAll(/"([^"]+)"/g)) found.variables.add(name);
}

/** The calls of macros that make commands, with their arguments. */
function* calls(text) {
  for (const match of text.matchAll(
    /\b(AP_INIT_\w+|SSL_CMD_(?:ALL|SRV|PXY)|ap_register_auth_provider)\s*\(/g,
  )) {
    const args = [''];
    let depth = 1;
    for (let at = match.index + match[0].length; depth > 0 && at < text.length; at++) {
      const char = text[at];
      if (char === '"') {
        const end = /"(?:[^"\\]|\\[^])*"/y;
        end.lastIndex = at;
        const [string = '"'] = end.exec(text) ?? [];
        args.push(args.pop() + string);
        at += string.length - 1;
        continue;
      }
      if (char === '(') depth++;
      if (char === ')' && --depth === 0) break;
      if (char === ',' && depth === 1) args.push('');
      else args.push(args.pop() + char);
    }
    yield { macro: match[1], args: args.map((word) => word.trim()) };
  }
}

/** As `tables.ts` has it. */
function spec({ kind, places, limits }) {
  const letters = 'xsdpLOFAI*'.split('').filter((letter) => places.has(letter));
  return `${kind}${letters.join('')}${limits === '' || kind === '!' ? '' : `-${limits}`}`;
}

/** Of releases whose sources were not at hand (2.4.63 to 67, 69 to 71), as CHANGES tells it or `httpd -L` shows it: N → names. */
const SINCE = {
  5: ['MacroIgnoreBadNesting', 'MacroIgnoreEmptyArgs'],
  63: ['ldap-search'],
  64: ['H2MaxHeaderBlockLen', 'MDProfile', 'MDProfileMandatory'],
  66: ['H2MaxStreamErrors', 'ListenTCPDeferAccept', 'MDInitialDelay', 'MDRenewViaARI', 'SSLVHostSNIPolicy'],
  71: ['MDHttpProxyCACertificateFile'],
};
const UNTIL = { 68: ['AuthDigestNonceFormat'] };
const told = (table, name) => Number(Object.keys(table).find((number) => table[number].includes(name)));

const [first, last] = [releases[0].number, releases.at(-1).number];

/** `since` and `until` of a name, or undefined where every release has it. @param has whether a release does */
function spanOf(name, has) {
  const numbers = releases.filter(has).map(({ number }) => number);
  const since = told(SINCE, name) || (numbers[0] === first ? '' : numbers[0]);
  const until = told(UNTIL, name) || (numbers.length === 0 || numbers.at(-1) === last ? '' : numbers.at(-1));
  return since === '' && until === '' ? undefined : `${since}-${until}`;
}

function spans(kind) {
  const groups = new Map();
  const news = kind === 'directives' ? SINCE[71] : [];
  for (const name of new Set([...releases.flatMap((release) => [...release[kind].keys()]), ...news])) {
    const span = spanOf(name, (release) => release[kind].has(name));
    if (span !== undefined) groups.set(span, [...(groups.get(span) ?? []), name]);
  }
  return lines(
    [...groups].toSorted(
      ([a], [b]) => (Number.parseInt(a) || 0) - (Number.parseInt(b) || 0) || byBytes(a, b),
    ),
  );
}

/** How directives were taken before: `until: name=spec`. */
function earlier() {
  const groups = new Map();
  for (const [name, entry] of releases.at(-1).directives) {
    let now = spec(entry);
    for (const { number, directives } of releases.toReversed()) {
      const before = directives.get(name);
      if (before === undefined) continue;
      const then = spec(before);
      if (then === now) continue;
      groups.set(number, [...(groups.get(number) ?? []), `${name}=${then}`]);
      now = then;
    }
  }
  return lines([...groups].toSorted(([a], [b]) => a - b));
}

function lines(groups) {
  const made = [];
  for (const [span, names] of groups) {
    made.push(`${span}:`);
    for (const name of names.toSorted(byBytes)) {
      if (made.at(-1).length + name.length + 1 > 130) made.push('   ');
      made.push(`${made.pop()} ${name}`);
    }
  }
  return made.join('\n');
}

process.stdout
  .write(`// Printed by scripts/httpd-releases.mjs from the sources of releases of 2.4; lifespan.ts parses it.
// \`since-until: names\`, N for 2.4.N: an empty side is the first or the last release.

export const directiveSpans = \`
${spans('directives')}
\`;

/** How a directive was taken up to a release, in the code of tables.ts. */
export const earlierSpecs = \`
${earlier()}
\`;

export const moduleSpans = \`
${spans('modules')}
\`;

/** Functions and unary operators of ap_expr. */
export const functionSpans = \`
${spans('functions')}
\`;

/** Variables of ap_expr. */
export const variableSpans = \`
${spans('variables')}
\`;

/** Words after Require. */
export const providerSpans = \`
${spans('providers')}
\`;
`);
