import type { Directive } from '../../src/syntax';

type Words = readonly string[];

/** Which module each word after `Require` is answered by (modules/aaa; `not` goes before). */
const REQUIRE: Readonly<Record<string, string | undefined>> = {
  ip: 'authz_host',
  host: 'authz_host',
  local: 'authz_host',
  'forward-dns': 'authz_host',
  user: 'authz_user',
  'valid-user': 'authz_user',
  group: 'authz_groupfile',
  'file-group': 'authz_groupfile',
  'file-owner': 'authz_owner',
  'dbm-group': 'authz_dbm',
  'dbm-file-group': 'authz_dbm',
};

const PROVIDERS: Readonly<Record<string, string | undefined>> = {
  file: 'authn_file',
  dbm: 'authn_dbm',
  anon: 'authn_anon',
  dbd: 'authn_dbd',
  ldap: 'authnz_ldap',
};

const FILTERS: Readonly<Record<string, string | undefined>> = {
  deflate: 'deflate',
  includes: 'include',
  substitute: 'substitute',
};

const CACHES: Readonly<Record<string, string | undefined>> = {
  shm: 'socache_shmcb',
  shmht: 'socache_shmcb',
  shmcb: 'socache_shmcb',
  dbm: 'socache_dbm',
  dc: 'socache_dc',
  memcache: 'socache_memcache',
};

const SCHEMES: Readonly<Record<string, string | undefined>> = {
  http: 'proxy_http',
  https: 'proxy_http',
  ajp: 'proxy_ajp',
  ftp: 'proxy_ftp',
  scgi: 'proxy_scgi',
  fcgi: 'proxy_fcgi',
  balancer: 'proxy_balancer',
};

function schemes(words: Words): string[] {
  return words.flatMap((word) => SCHEMES[/^([a-z]+):\/\//i.exec(word)?.[1]?.toLowerCase() ?? ''] ?? []);
}

const lookUp = (table: Readonly<Record<string, string | undefined>>, words: Words): string[] =>
  words.flatMap((word) => table[word.toLowerCase()] ?? []);

/** The bytes of a request or its answer, in the format of a log. */
const BYTES = /%[<>!\d,]*[IOS]/;

/**
 * What the values of a directive ask for, apart from the module that the directive itself belongs to: name without `_module`. Keys are
 * lower case.
 */
export const valueNeeds: Readonly<Record<string, (words: Words) => readonly string[]>> = {
  require: ([first = '', second = '']) => {
    const word = first.toLowerCase() === 'not' ? second : first;
    if (/^ldap-/i.test(word)) return ['authnz_ldap', 'ldap'];
    return /^ssl/i.test(word) ? ['ssl'] : lookUp(REQUIRE, [word]);
  },
  authtype: ([type = '']) => lookUp({ basic: 'auth_basic', digest: 'auth_digest' }, [type]),
  authbasicprovider: (words) => lookUp(PROVIDERS, words),
  authdigestprovider: (words) => lookUp(PROVIDERS, words),
  authldapurl: () => ['ldap'],
  addoutputfilterbytype: ([filters = '']) => lookUp(FILTERS, filters.split(';')),
  sslsessioncache: ([store = '']) => lookUp(CACHES, [store.split(':')[0] ?? '']),
  cacheenable: ([type = '']) => lookUp({ disk: 'cache_disk' }, [type]),
  dav: ([provider = '']) => lookUp({ on: 'dav_fs', filesystem: 'dav_fs' }, [provider]),
  logformat: ([format = '']) => (BYTES.test(format) ? ['logio'] : []),
  customlog: ([, format = '']) => (BYTES.test(format) ? ['logio'] : []),
  proxypass: schemes,
  balancermember: schemes,
};

const HANDLERS: Readonly<Record<string, string | undefined>> = {
  'cgi-script': 'cgi',
  'server-status': 'status',
  'server-info': 'info',
  'type-map': 'negotiation',
  'send-as-is': 'asis',
  'imap-file': 'imagemap',
  'balancer-manager': 'proxy_balancer',
};

/**
 * What is asked for by a name alone, which httpd takes without the module: a file whose handler is missing is sent as it is. To be asked
 * only where 2.2 loaded nothing by a line, and so had it.
 */
export const handlerNeeds: typeof valueNeeds = {
  addhandler: ([handler = '']) => lookUp(HANDLERS, [handler]),
  sethandler: ([handler = '']) => lookUp(HANDLERS, [handler]),
  scriptalias: () => ['cgi'],
  scriptaliasmatch: () => ['cgi'],
};

/** Where the line of a directive has nothing of this, its values ask for nothing, and need not be read. */
export const valueHints: Readonly<Record<string, RegExp | undefined>> = {
  logformat: BYTES,
  customlog: BYTES,
};

/** Names of directives and sections that make or describe a balancer. */
export const BALANCER_LINES = ['ProxyPass', 'ProxySet', 'BalancerMember'] as const;

/** What `lbmethod=` says on a line; undefined where it says nothing. */
export function lbmethodOf(node: Directive): string | undefined {
  for (const { value } of node.args) {
    const [key = '', method] = value.split('=');
    if (key.toLowerCase() === 'lbmethod' && method !== undefined) return method.toLowerCase();
  }
  return undefined;
}
