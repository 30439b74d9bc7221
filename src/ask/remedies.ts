import { allDirectives, type DirectiveInfo, findDirective } from '../httpd/directives';
import { reasonGone } from '../httpd/gone';
import { lifeSpanOf } from '../httpd/lifespan';
import type { MessageShape } from '../httpd/messages';
import { findModule, reasonModuleGone, successorOf } from '../httpd/modules';
import {
  findThirdParty,
  packageInRhel,
  type ThirdPartyModule,
  THIRD_PARTY_ROWS,
  thirdPartyOwner,
  WORDS_OF_OTHERS,
} from '../httpd/third-party';
import { nearest, suggest } from '../suggest';

/** What a message names. */
export interface Named {
  readonly directive: string | undefined;
  readonly module: string | undefined;
  /** Whether it is a tool that knows no such module, and not httpd. */
  readonly byTool: boolean;
  readonly scheme: string | undefined;
  readonly foreign: ThirdPartyModule | undefined;
}

export function remedyFor(
  shape: MessageShape,
  { directive, module, byTool, scheme, foreign }: Named,
): string {
  const { remedy, rule, foreign: meaning } = shape;
  if (foreign !== undefined)
    return `${(meaning ?? '$<name> is not installed here').replace('$<name>', foreign.name)}: ${whatToDo(foreign)}`;
  if (scheme !== undefined) return remedyOfScheme(scheme.replace(/:$/, '').toLowerCase());
  if (remedy === '') return directive === undefined ? '' : remedyOfCommand(directive);
  if (module !== undefined && rule === 'load-module') return remedyOfModule(module, byTool) ?? remedy;
  const places = directive === undefined ? undefined : placesOfDirective(directive);
  if (isOutOfPlace(shape, directive))
    return `take the line out of the .htaccess, whatever AllowOverride says: ${places}`;
  const overridden = /AllowOverride (\w+)|any \.htaccess/.exec(places ?? '');
  const allowed =
    overridden?.[1] === undefined ? '`AllowOverride All`' : `\`AllowOverride ${overridden[1]}\`, or All,`;
  if (places !== undefined && rule === 'misplaced-directive' && /\bto a place\b/.test(remedy))
    return `${places}: move the line there, or, if it stands in a file of its own, the Include of that file; or remove it${overridden === null ? '' : `; for a .htaccess write ${allowed} into the <Directory> that it lies in or below`}`;
  if (overridden !== null && rule === 'allow-override-unset')
    return `write ${allowed} into the <Directory> of the server configuration that the .htaccess lies in or below, or take the line out of the .htaccess: where no such section sets AllowOverride, 2.4 accepts none, and a <Directory> of another path counts for nothing`;
  return /\bplace\b|AllowOverride/.test(remedy) && places !== undefined ? `${remedy}. ${places}` : remedy;
}

/** Whether a message is about a directive of a `.htaccess` that no AllowOverride lets in. */
export function isOutOfPlace({ rule }: MessageShape, directive: string | undefined): boolean {
  if (rule !== 'allow-override-unset' || directive === undefined) return false;
  return placesOfDirective(directive)?.includes('.htaccess') === false;
}

/** What AuthType calls modules of others, in small letters, where LoadModule calls them otherwise. */
const AUTH_TYPES: Readonly<Record<string, string>> = {
  __proto__: null!,
  kerberos: 'auth_kerb',
  negotiate: 'auth_kerb',
  shibboleth: 'shib',
  openid_connect: 'auth_openidc',
  oauth20: 'auth_openidc',
  sspi: 'sspi_auth',
  claim: 'auth_openidc',
  claims_expr: 'auth_openidc',
  cas_attribute: 'auth_cas',
  pam_account: 'authnz_pam',
  wsgi_group: 'wsgi',
};

/**
 * The module of others in a file, by the name between `mod_` or `lib` and `.so`, that may end in a version; or by what AuthType
 * calls it.
 */
export function foreignIn(file: string | undefined): ThirdPartyModule | undefined {
  if (file === undefined) return undefined;
  const type = file.toLowerCase().replace(/-/g, '_');
  const names = [
    type,
    type.replace(/_?2?[_.]?[0-9.]+$/, ''),
    AUTH_TYPES[type] ?? `auth_${type}`,
    `authn_${type}`,
  ];
  return names.map(findThirdParty).find((found) => found !== undefined);
}

export function whatToDo({ advice, packages }: ThirdPartyModule): string {
  const known = Object.entries(packages).map(([system, text]) => `${system}: ${text}`);
  return advice + (known.length === 0 ? '' : ` (packages for 2.4: ${known.join('; ')})`);
}

/** Whether each 2.4 has it, without any module: an httpd that refuses it is no 2.4. */
export function isOfEvery24({ owners24 }: DirectiveInfo): boolean {
  return owners24.includes('core');
}

/** The directive of a module of others that somebody meant: undefined where the word is one, or near to none. */
function meantOfOthers(directive: string): string | undefined {
  const key = directive.toLowerCase();
  if (WORDS_OF_OTHERS.some((word) => word.toLowerCase() === key)) return undefined;
  return nearest(directive, WORDS_OF_OTHERS, 2) ?? withItsBeginning(directive);
}

/** Letters of a beginning that may be misspelled; a shorter one may as well be meant for another. */
const LONG_BEGINNING = 8;

/** What a misspelled directive of others is, if it begins nearly as those of a module do. */
function withItsBeginning(directive: string): string | undefined {
  const beginnings = THIRD_PARTY_ROWS.flatMap(({ directives }) => directives.match(/\w+(?=\*)/g) ?? []);
  const key = directive.toLowerCase();
  if (beginnings.some((beginning) => key.startsWith(beginning.toLowerCase()))) return undefined;
  return beginnings
    .filter(({ length }) => length >= LONG_BEGINNING)
    .filter((beginning) => nearest(directive.slice(0, beginning.length), [beginning], 2) !== undefined)
    .map((beginning) => beginning + directive.slice(beginning.length))[0];
}

/** What modules of others had, and have no more in any release for 2.4. */
const GONE_OF_OTHERS: Readonly<Record<string, string>> = {
  __proto__: null!,
  rackautodetect: 'Passenger finds the application by itself since release 4',
  railsautodetect: 'Passenger finds the application by itself since release 4',
  secpdfprotect: 'mod_security has it no more since release 2.7',
  casallowwildcardcert: 'mod_auth_cas has it no more since release 1.1',
  casauthoritative: 'mod_auth_cas has it not in its builds for 2.4, which asks the next module by itself',
};

function remedyOfForeign(directive: string, foreign: ThirdPartyModule): string {
  const gone = GONE_OF_OTHERS[directive.toLowerCase()];
  if (gone !== undefined) return `remove the line: ${gone}`;
  const more = /^php_/i.test(directive)
    ? FOR_FPM
    : `${/^WSGI(?:Daemon|Process|Socket)/i.test(directive) ? '. On Windows, which has no such processes, remove the line' : ''}${/^WSGI/i.test(directive) ? '. If pip has installed it, `mod_wsgi-express module-config` prints its LoadModule line' : ''}. Where \`httpd -M\` lists it, the word is misspelled, or its release has no such directive: correct or remove the line`;
  const meant = meantOfOthers(directive);
  const misspelled =
    meant === undefined ? '' : `write ${meant} if that is meant, for ${directive} looks misspelled. `;
  return `${misspelled}${meant ?? directive} is of ${foreign.name}, which is not loaded: ${whatToDo(foreign)}${more}`;
}

/** Whether a word is of 1.3 or 2.0, and 2.2 had given it up already. */
export function isBefore22(word: string): boolean {
  return NAMES_BEFORE_22[word.toLowerCase()] !== undefined;
}

/** What to do about a word that neither version of httpd has, nor, by its beginning, a module of others. */
function remedyOfUnknown(directive: string): string {
  const older = NAMES_BEFORE_22[directive.toLowerCase()];
  if (older !== undefined) return `2.2 did not have ${directive} any more: ${older}`;
  const glued = findDirective(/^[a-z]+(?=[^a-z])/i.exec(directive)?.[0] ?? '');
  if (glued !== undefined) return `put a blank behind ${glued.name}: httpd takes ${directive} for one word`;
  // Its own words are letters, digits and underscores; `RewriteRule^(.*)$` was caught above.
  if (/[^\w-]/.test(directive)) return NO_CONFIGURATION;
  const near = suggest(
    directive,
    [...allDirectives()].map(({ name }) => name),
    2,
  );
  const meant = near === '' ? meantOfOthers(directive) : undefined;
  const owner = meant === undefined ? undefined : thirdPartyOwner(meant.toLowerCase());
  if (owner !== undefined) return remedyOfForeign(directive, owner);
  return `no module of httpd has ${directive}${near}: it is misspelled, of a module that comes from elsewhere and is not loaded, or the beginning of a sentence that lacks its #`;
}

/** The modules that Debian's httpd has built in. */
const BUILT_INTO_DEBIAN: ReadonlySet<string> = new Set([
  'core',
  'so',
  'watchdog',
  'http',
  'log_config',
  'logio',
  'version',
  'unixd',
]);

/** Modules that no build has unless it is asked for each of them (configure; `--enable-mods-shared=all` leaves them out). */
const LEFT_OUT = /^(?:ident|imagemap|cern_meta)$/;

/** Where RHEL loads what Debian has built in. */
function inRhel(module: string): string {
  return BUILT_INTO_DEBIAN.has(module) ? '; RHEL: `Include conf.modules.d/*.conf` in httpd.conf' : '';
}

function inDebian(module: string): string {
  if (LEFT_OUT.test(module))
    return `Debian: a2enmod ${module} where mods-available has it; else remove the line`;
  return BUILT_INTO_DEBIAN.has(module) ? 'Debian: it is built in' : `Debian: a2enmod ${module}`;
}

/** What to do where modules of 2.4 are not loaded. */
export function remedyOfLoading(modules: readonly string[]): string {
  const others = modules.filter((module) => !BUILT_INTO_DEBIAN.has(module));
  const load = modules.map((module) => `mod_${module}${WITH[module] ?? ''}`).join(' and ');
  return `load ${load} (${others.length > 0 ? `Debian: a2enmod ${others.join(' ')}` : inDebian(modules[0]!)}; elsewhere take the # away before its LoadModule line), and restart httpd: \`apachectl -M\` shows what is loaded`;
}

/** Modules that do nothing alone, and what they need beside them. */
const WITH: Readonly<Record<string, string>> = {
  __proto__: null!,
  dav: ', and mod_dav_fs (for Subversion mod_dav_svn) beside it',
  proxy: ', and mod_proxy_http, mod_proxy_fcgi or the like for the scheme of the backend',
  proxy_balancer: ', with mod_slotmem_shm and mod_lbmethod_byrequests',
  cache: ', and mod_cache_disk beside it',
  authnz_ldap: ', and mod_ldap before it',
  filter: ', with mod_deflate where it names DEFLATE',
};

export function remedyOfCommand(directive: string): string {
  const known = findDirective(directive);
  const foreign = known === undefined ? thirdPartyOwner(directive.toLowerCase()) : undefined;
  if (foreign !== undefined) return remedyOfForeign(directive, foreign);
  if (known === undefined) return remedyOfUnknown(directive);
  const { name, owners22, owners24 } = known;
  if (name === 'NameVirtualHost') return NO_NAME_VIRTUAL_HOST;
  if (/^Max(?:Clients|RequestsPerChild)$/.test(name)) return `${NEW_SIZES}: ${BELOW_MPM}`;
  if (name === 'DefaultType')
    return 'remove the line: 2.4 takes DefaultType only with none, and no effect: name the types that matter with AddType, or with ForceType in a section';
  if (isOfEvery24(known) && owners22.includes('core'))
    return `every httpd has ${name}: type the line again, for an invisible character stands in or before it (a byte order mark, a blank copied from a web page)`;
  const older = olderThan(name);
  if (isOfEvery24(known)) return older ?? `every 2.4 has ${name}, so this httpd is a 2.2: ${ON_22}`;
  // An MPM is always there.
  const modules = owners24.filter((owner) => !owner.startsWith('mpm_'));
  if (owners24.length > 2 && modules.length === 0) return `${name} is of the MPM: ${BELOW_MPM}`;
  if (owners24.length > 0 && modules.length === 0)
    return `${name} is of another MPM than the one loaded: write the sizes of that one, or put the line into <IfModule> with the MPM's name`;
  if (owners24.length > 0) {
    const packages = modules.flatMap((owner) => packageInRhel(owner) ?? []);
    const old =
      older !== undefined
        ? `. If it is loaded: ${older}`
        : owners22.length === 0
          ? `; a 2.2 does not know it at all: ${ON_22}`
          : '';
    return `load mod_${modules.join(' or mod_')}${WITH[modules[0]!] ?? ''}: ${name} is its directive in 2.4 (${inDebian(modules[0]!)}${packages.length > 0 ? `; RHEL: dnf install ${packages[0]}` : inRhel(modules[0]!)})${old}`;
  }
  const reason = reasonGone(name);
  return `2.4 no longer has ${name}${reason === undefined ? ': httpd-codemod says what takes its place' : `: ${reason}`}`;
}

/** What older releases have in place of a directive. */
const INSTEAD: Readonly<Record<string, string>> = {
  __proto__: null!,
  CGIPassAuth: 'write `SetEnvIf Authorization "(.*)" HTTP_AUTHORIZATION=$1` in its place',
};

/** What to do where an httpd may be older than a directive; undefined for one that each 2.4 has. */
function olderThan(name: string): string | undefined {
  const { since = 0 } = lifeSpanOf('directive', name);
  const needs = name === 'SSLOpenSSLConfCmd' ? ', and with OpenSSL 1.0.2 or later' : '';
  return since > 0
    ? `2.4 has ${name} since 2.4.${since}${needs}: where this httpd is older (\`httpd -v\`), update it, or ${INSTEAD[name] ?? 'remove the line'}`
    : undefined;
}

/** What is known of a directive that a question names, where it asks for nothing that is known. @param why what its rule says */
export function remedyOfNamed(name: string, why = ''): string {
  const foreign = findDirective(name) === undefined ? thirdPartyOwner(name.toLowerCase()) : undefined;
  if (foreign !== undefined && GONE_OF_OTHERS[name.toLowerCase()] !== undefined)
    return remedyOfForeign(name, foreign);
  if (foreign !== undefined)
    return `${name} is of ${foreign.name}: where \`httpd -M\` does not list it, ${whatToDo(foreign)}; where it does, give the line, and what the error log says of it`;
  const owners = findDirective(name)?.owners24.filter((owner) => owner !== 'core') ?? [];
  const owner = owners.length === 1 ? ` is of mod_${owners[0]} in 2.4 (${inDebian(owners[0]!)}), and` : '';
  const places = placesOfDirective(name)?.slice(name.length) ?? ' is one that 2.4 has';
  const older = olderThan(name);
  return `${older === undefined ? '' : `${older}. Else `}give the line with ${name}, and what the error log or \`apachectl configtest\` says of it: ${name}${owner}${places}${why === '' ? '' : `. ${why.replace(/\.$/, '')}`}`;
}

const FOR_FPM =
  '. With PHP-FPM, what php_value and php_flag set goes to a .user.ini beside the scripts, php_admin_value and php_admin_flag to its pool';

const NO_CONFIGURATION =
  'look at the file: the line is no configuration. It goes on from the one above, which has no backslash at its end, or a template, a merge (<<<<<<<, =======) or a copied page left it there, or something else was written over the file: correct or remove it';

const ON_22 = 'upgrade it, or give it the lines that 2.2 knows; a file that both versions read needs --dual';

const NO_NAME_VIRTUAL_HOST =
  'remove the line: NameVirtualHost has no effect in 2.4, where virtual hosts that share an address are always told apart by name';

const NEW_SIZES =
  'write MaxRequestWorkers for MaxClients and MaxConnectionsPerChild for MaxRequestsPerChild, their names in 2.4';

const BELOW_MPM =
  'write it below the LoadModule line of the MPM (mpm_prefork, mpm_worker or mpm_event): an MPM is a module in 2.4, and knows its words from there on';

/** Names of 1.3 and 2.0 that 2.2 had given up already, and what to write. */
const NAMES_BEFORE_22: Readonly<Record<string, string>> = {
  __proto__: null!,
  authauthoritative: 'write AuthBasicAuthoritative, or remove the line',
  authdbmauthoritative: 'remove the line, and name dbm in AuthBasicProvider',
  authdigestfile: 'write AuthUserFile, and AuthDigestProvider file',
  authdigestgroupfile: 'write AuthGroupFile',
  authldapenabled: 'write AuthBasicProvider ldap',
  authldapauthoritative: 'remove the line: Require lines decide in 2.4',
  port: 'write Listen',
  bindaddress: 'write Listen with the address',
  addmodule: 'remove the line: LoadModule does it all',
  clearmodulelist: 'remove the line: LoadModule does it all',
  servertype: 'remove the line',
  resourceconfig: 'write Include',
  accessconfig: 'write Include',
  fancyindexing: 'write `IndexOptions FancyIndexing`',
  ssllog: 'write ErrorLog in the virtual host',
  sslloglevel: 'write `LogLevel ssl:info`',
};

/** What to do where a file of one of httpd's own modules is not there; undefined for a name that neither version has. */
export function remedyOfModule(name: string, byTool = false): string | undefined {
  const module = findModule(`${name}_module`) ?? findModule(`mod_${name}.c`);
  if (module === undefined) return undefined;
  const successor = successorOf(module.identifier);
  if (successor !== undefined) {
    const now = successor.replace(/_module$/, '');
    return `load mod_${now} instead: in 2.4 it does what mod_${name} did (Debian: a2enmod ${now})`;
  }
  if (module.versions === '2.2') {
    const reason = reasonModuleGone(module.identifier);
    return `remove the LoadModule line, or leave the a2enmod out: 2.4 has no mod_${name}${reason === undefined ? '' : `, ${reason}`}`;
  }
  if (LEFT_OUT.test(name))
    return `remove the lines of mod_${name}, or install a build that has it: a package without this file is built without it (${inDebian(name)})`;
  if (byTool)
    return `2.4 has mod_${name}: where a2enmod does not know it, it is built in (\`apache2ctl -M\` shows it, and nothing must be done), its package is not whole (\`apt-get install --reinstall apache2 apache2-bin\`), or the apache2 here is a 2.2 still (\`apache2ctl -v\`)`;
  const rhel = packageInRhel(name);
  return `2.4 has mod_${name}, but not in this place: correct the path of the LoadModule line (Debian: a2enmod ${name} instead of the line; where that does not know it, it is built in, as \`apache2ctl -M\` shows, or the apache2 here is a 2.2 still; RHEL: ${rhel === undefined ? 'modules/' : `dnf install ${rhel}, then modules/`}mod_${name}.so), or remove the line where nothing needs it`;
}

/** The modules that speak to backends, by the scheme of their URL (modules/proxy). */
const SCHEMES: Readonly<Record<string, string>> = {
  __proto__: null!,
  http: 'proxy_http',
  https: 'proxy_http',
  fcgi: 'proxy_fcgi',
  ajp: 'proxy_ajp',
  ftp: 'proxy_ftp',
  scgi: 'proxy_scgi',
  uwsgi: 'proxy_uwsgi',
  ws: 'proxy_wstunnel',
  wss: 'proxy_wstunnel',
  h2: 'proxy_http2',
  h2c: 'proxy_http2',
  balancer: 'proxy_balancer',
};

function remedyOfScheme(scheme: string): string {
  if (scheme === '')
    return 'load the module for the scheme of the backend beside mod_proxy: mod_proxy_http for http:, mod_proxy_fcgi for fcgi:, mod_proxy_ajp for ajp:, mod_proxy_wstunnel for ws: (Debian: a2enmod proxy_http); the URL of the backend begins with a scheme. A backend by ws: also says so of a request that is no WebSocket: pass only those on to it (`RewriteCond %{HTTP:Upgrade} websocket [NC]`), or from 2.4.47 all by http: with `upgrade=websocket`';
  if (scheme === 'unix')
    return 'append what the socket speaks: `SetHandler "proxy:unix:/run/php/php-fpm.sock|fcgi://localhost"` (2.4.10 and later; `|http://localhost` for a program that speaks HTTP)';
  const module = SCHEMES[scheme];
  if (module === undefined) return `correct the URL of the backend: no module of 2.4 speaks "${scheme}:"`;
  const more =
    scheme === 'https' || scheme === 'wss'
      ? ', and mod_ssl, with SSLProxyEngine on in this virtual host'
      : scheme === 'balancer'
        ? ' with mod_slotmem_shm and mod_lbmethod_byrequests, and see that a <Proxy balancer://…> has this name'
        : '';
  return `load mod_${module} beside mod_proxy${more} (Debian: a2enmod ${module})`;
}

/** The letters of the command tables for places, as the manual calls them. */
const PLACES: readonly (readonly [RegExp, string])[] = [
  [/s/, 'the server config and virtual hosts'],
  [/[dLOFAI*]/, 'directory sections'],
  [/L/, '.htaccess files with AllowOverride Limit'],
  [/O/, '.htaccess files with AllowOverride Options'],
  [/F/, '.htaccess files with AllowOverride FileInfo'],
  [/A/, '.htaccess files with AllowOverride AuthConfig'],
  [/I/, '.htaccess files with AllowOverride Indexes'],
  [/\*/, 'any .htaccess file'],
];

/** Places of directives of mod_php (sapi/apache2handler/apache_config.c), in the letters of the command tables. */
const SPECS_OF_OTHERS: Readonly<Record<string, string>> = {
  __proto__: null!,
  php_value: 'O',
  php_flag: 'O',
  php_admin_value: 'sd',
  php_admin_flag: 'sd',
};

/** Where 2.4 takes a directive, as a sentence; undefined where the tables do not tell. */
function placesOfDirective(directive: string): string | undefined {
  const info = findDirective(directive);
  const spec = info?.spec24 ?? SPECS_OF_OTHERS[directive.toLowerCase()];
  const letters = /^!?[0-9vfijr]*?([sdLOFAIpx*]+)/.exec(spec ?? '')?.[1];
  if (letters === undefined) return undefined;
  const server = /[FOI*]/.test(letters) ? `s${letters}` : letters;
  const found = PLACES.flatMap(([pattern, text]) => (pattern.test(server) ? [text] : []));
  return found.length === 0 ? undefined : `${info?.name ?? directive} may stand in ${found.join(', ')}`;
}
