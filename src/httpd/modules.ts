/** Which versions ship a module. `extra`: new in 2.4, but known to have been added to 2.2 servers by hand. */
export type ModuleVersions = 'both' | '2.2' | '2.4' | 'extra';

export interface ModuleInfo {
  /** As `LoadModule` and `<IfModule>` name it: `rewrite_module`. */
  readonly identifier: string;
  /** The source file, the other name that `<IfModule>` takes: `mod_rewrite.c`. */
  readonly file: string;
  readonly versions: ModuleVersions;
}

/** The modules of 2.2.35 and 2.4.63, by identifier without `_module`; `name=file` where the file is not `mod_<name>.c`. */
const lists: Record<ModuleVersions, string> = {
  both: `
    actions alias asis auth_basic auth_digest authn_anon authn_dbd authn_dbm authn_file authnz_ldap authz_dbm authz_groupfile
    authz_host authz_owner authz_user autoindex bucketeer cache cern_meta cgi cgid charset_lite core=core.c dav dav_fs dav_lock
    dbd deflate dir dumpio echo env expires ext_filter file_cache filter headers http=http_core.c ident imagemap include info
    isapi ldap=util_ldap.c log_config log_forensic logio mime mime_magic mpm_event=event.c mpm_mpmt_os2=mpmt_os2.c
    mpm_netware=mpm_netware.c mpm_prefork=prefork.c mpm_winnt=mpm_winnt.c mpm_worker=worker.c negotiation netware
    nwssl=mod_nw_ssl.c proxy proxy_ajp proxy_balancer proxy_connect proxy_ftp proxy_http proxy_scgi reqtimeout rewrite setenvif
    so speling ssl status substitute suexec unique_id userdir usertrack version vhost_alias win32`,
  '2.2': 'authn_alias authn_default authz_default disk_cache example mem_cache mpm_beos=beos.c',
  '2.4': `
    access_compat allowmethods auth_form authn_core authn_socache authnz_fcgi authz_core authz_dbd brotli buffer cache_disk
    cache_socache data dialup example_hooks heartbeat heartmonitor http2 lbmethod_bybusyness lbmethod_byrequests
    lbmethod_bytraffic lbmethod_heartbeat log_debug md privileges proxy_express proxy_fdpass proxy_hcheck proxy_http2 reflector
    request session session_cookie session_crypto session_dbd slotmem_plain slotmem_shm socache_dbm socache_dc
    socache_memcache socache_redis socache_shmcb systemd unixd watchdog`,
  extra: 'lua macro proxy_fcgi proxy_html proxy_uwsgi proxy_wstunnel ratelimit remoteip sed xml2enc',
};

export const modules: readonly ModuleInfo[] = Object.entries(lists).flatMap(([versions, list]) =>
  list
    .trim()
    .split(/[ \n]+/)
    .map((entry) => {
      const [name = '', file = `mod_${name}.c`] = entry.split('=');
      return { identifier: `${name}_module`, file, versions: versions as ModuleVersions };
    }),
);

const byName = new Map(
  modules.flatMap((module) => [[module.identifier, module] as const, [module.file, module] as const]),
);

/** Finds a module by either name, as `<IfModule>` does: letter case counts. */
export function findModule(name: string): ModuleInfo | undefined {
  return byName.get(name);
}
