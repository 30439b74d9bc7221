import type { Httpd } from './binary';

/**
 * What ordinary configurations need, in an order that works: a module stands after those it calls.
 * mod_access_compat is left out on purpose: nothing we print may need it.
 */
const wanted = `
  mpm_event mpm_worker mpm_prefork
  watchdog unixd log_config logio version
  authn_core authn_file authn_dbm authn_anon authz_core authz_host authz_user authz_groupfile authz_dbm authz_owner
  auth_basic auth_digest socache_shmcb socache_dbm slotmem_shm authn_socache dbd authn_dbd authz_dbd ldap authnz_ldap
  request session session_cookie auth_form allowmethods
  alias dir autoindex mime mime_magic negotiation setenvif env headers rewrite include filter expires deflate
  cgid cgi asis actions speling userdir vhost_alias usertrack unique_id cern_meta imagemap ident
  status info dav dav_fs dav_lock ext_filter substitute charset_lite dumpio log_forensic reqtimeout remoteip macro
  cache cache_disk file_cache ratelimit buffer data
  proxy proxy_http proxy_connect proxy_ftp proxy_ajp proxy_scgi proxy_fcgi proxy_balancer
  lbmethod_byrequests lbmethod_bytraffic lbmethod_bybusyness ssl
`
  .trim()
  .split(/[ \n]+/);

/** Modules of which a server holds one. */
const alternatives = [
  ['mpm_event', 'mpm_worker', 'mpm_prefork'],
  ['cgid', 'cgi'],
];

/** The `LoadModule` lines for this server; `compat` adds mod_access_compat, `without` takes modules away. */
export function loadModules(httpd: Httpd, compat: boolean, without: readonly string[] = []): string[] {
  const names = compat ? [...wanted, 'access_compat'] : wanted;
  return names
    .filter((name) => httpd.modules.has(name) && !isStatic(httpd, name) && !without.includes(name))
    .filter((name) => !alternatives.some((group) => group.includes(name) && name !== chosen(httpd, group)))
    .map((name) => `LoadModule ${name}_module "${httpd.moduleDir}/mod_${name}.so"`);
}

/** Compiled in wins, because it cannot be taken out; then the first that is there. */
function chosen(httpd: Httpd, group: readonly string[]): string | undefined {
  return group.find((name) => isStatic(httpd, name)) ?? group.find((name) => httpd.modules.has(name));
}

/** `-l` prints an MPM without its prefix: `event.c`. */
function isStatic(httpd: Httpd, name: string): boolean {
  return httpd.statics.has(name) || (name.startsWith('mpm_') && httpd.statics.has(name.slice(4)));
}
