/** A module that neither version ships. */
export interface ThirdPartyModule {
  /** By which a person answers that 2.4 has it. */
  readonly key: string;
  /** The name that people use: `mod_jk`. */
  readonly name: string;
  /** What `LoadModule` calls the builds for either version, without `_module`. */
  readonly identifiers: readonly string[];
  /** What to do about it, as a command to the reader. */
  readonly advice: string;
  /** The packages that have it for 2.4; a system that is not named has none. */
  readonly packages: { readonly Debian?: string; readonly RHEL?: string; readonly FreeBSD?: string };
  /** Whether there is a build for 2.4, so that a server may well have it. */
  readonly isBuiltFor24: boolean;
}

/** Packages by system: `d` Debian and Ubuntu, `r` RHEL and EPEL, `f` FreeBSD. */
interface Packages {
  readonly d?: string;
  readonly r?: string;
  readonly f?: string;
}

/**
 * @param names the key, and what `LoadModule` calls the module
 * @param directives what it reads, in any letter case; `x*` for all that begin with x
 * @param source where the names of the directives and of the module stand
 */
function row(
  [key, ...identifiers]: readonly [string, ...string[]],
  directives: string,
  advice: string,
  packages: Packages | undefined,
  source: string,
): ThirdPartyModule & { readonly directives: string; readonly source: string } {
  const { d, r, f } = packages ?? {};
  const name = `mod_${(identifiers[0] ?? key).replace(/^mod_/, '')}`;
  return {
    key,
    name: NAMES[key] ?? name,
    identifiers,
    advice,
    packages: { ...(d && { Debian: d }), ...(r && { RHEL: r }), ...(f && { FreeBSD: f }) },
    isBuiltFor24: packages !== undefined,
    directives,
    source,
  };
}

/** What people call a module whose identifier says it otherwise. */
const NAMES: Readonly<Record<string, string | undefined>> = {
  __proto__: null!,
  php: 'PHP',
  evasive: 'mod_evasive',
  security: 'mod_security 1',
  security2: 'mod_security2',
  'auth-mysql': 'mod_auth_mysql',
  'auth-radius': 'mod_auth_radius',
  passenger: 'Phusion Passenger',
  svn: 'mod_dav_svn',
  itk: 'mpm_itk',
};

const DBD = 'write AuthBasicProvider dbd with mod_authn_dbd and mod_dbd, and its query, instead';
const GONE = 'no build for 2.4 is known: remove its lines';

/** A build for 2.4 of the same name takes the same lines. */
const build = (name: string): string => `install the build of ${name} for 2.4, or remove its lines`;

/**
 * The modules that servers of 2.2 had most. Packages: those of Debian 12 (apt-cache), of RHEL 9 with EPEL, and the ports of
 * FreeBSD (www/mod_*, for httpd 2.4).
 */
export const THIRD_PARTY_ROWS = [
  row(['php', 'php5', 'php7', 'php', 'php4', 'php5_filter'], 'php_* PHPIniDir', 'install PHP as a module for 2.4, or have mod_proxy_fcgi ask PHP-FPM and remove its lines', { d: 'libapache2-mod-php, or php-fpm', r: 'php, or php-fpm', f: 'mod_php for your PHP' }, 'php-src: sapi/apache2handler'),
  row(['suphp', 'suphp'], 'suPHP_*', 'have mod_proxy_fcgi ask PHP-FPM, with a pool for each user, and remove its lines', {}, 'lightsey/mod_suphp: src/apache2/mod_suphp.c'),
  row(['fastcgi', 'fastcgi'], 'FastCgi*', 'have mod_proxy_fcgi ask the program (PHP-FPM for PHP), or start it with mod_fcgid, and remove its lines', {}, 'FastCGI-Archives/mod_fastcgi: mod_fastcgi.c'),
  row(['fcgid', 'fcgid'], 'Fcgid* FCGIWrapper BusyScanInterval BusyTimeout DefaultInitEnv DefaultMaxClassProcessCount DefaultMinClassProcessCount ErrorScanInterval IdleScanInterval IdleTimeout IPCCommTimeout IPCConnectTimeout MaxProcessCount MaxRequestInMem MaxRequestLen MaxRequestsPerProcess OutputBufferSize PassHeader PHP_Fix_Pathinfo_Enable ProcessLifeTime SharememPath SocketPath SpawnScore SpawnScoreUpLimit TerminationScore TimeScore ZombieScanInterval', build('mod_fcgid'), { d: 'libapache2-mod-fcgid', r: 'mod_fcgid', f: 'ap24-mod_fcgid' }, 'apache/httpd-mod_fcgid: modules/fcgid/mod_fcgid.c'),
  row(['jk', 'jk'], 'Jk*', `${build('mod_jk')}; mod_proxy_ajp can take its place`, { d: 'libapache2-mod-jk', r: 'mod_jk', f: 'ap24-mod_jk' }, 'apache/tomcat-connectors: native/apache-2.0/mod_jk.c'),
  row(['evasive', 'evasive20', 'evasive'], 'DOS*', build('mod_evasive'), { d: 'libapache2-mod-evasive', r: 'mod_evasive, whose file is mod_evasive24.so', f: 'ap24-mod_evasive' }, 'jzdziarski/mod_evasive: mod_evasive20.c'),
  row(['security', 'security'], 'SecFilter* SecUploadApproveScript SecServerResponseToken', 'install mod_security2 and write its rules anew: version 1 has no build for 2.4', undefined, 'ModSecurity 1.9: apache2/mod_security.c'),
  row(['security2', 'security2'], 'Sec*', build('mod_security2'), { d: 'libapache2-mod-security2', r: 'mod_security', f: 'ap24-mod_security' }, 'SpiderLabs/ModSecurity v2: apache2/apache2_config.c'),
  row(['auth-mysql', 'mysql_auth', 'auth_mysql', 'authnz_mysql'], 'AuthMySQL* Auth_MySQL*', DBD, undefined, 'Bmetz/mod_auth_mysql: mod_auth_mysql.c'),
  row(['auth-pgsql', 'auth_pgsql', 'authnz_pgsql'], 'Auth_PG_*', DBD, undefined, 'mod_auth_pgsql 2.0.3: mod_auth_pgsql.c'),
  row(['auth-kerb', 'auth_kerb'], 'Krb*', 'install mod_auth_gssapi and write its lines (AuthType GSSAPI, GssapiCredStore) instead', {}, 'mod_auth_kerb 5.4: src/mod_auth_kerb.c'),
  row(['auth-gssapi', 'auth_gssapi'], 'Gssapi*', build('mod_auth_gssapi'), { d: 'libapache2-mod-auth-gssapi', r: 'mod_auth_gssapi', f: 'ap24-mod_auth_gssapi' }, 'gssapi/mod_auth_gssapi: src/mod_auth_gssapi.c'),
  row(['auth-pam', 'auth_pam', 'authnz_pam'], 'AuthPAM*', 'install mod_authnz_pam and write its lines (AuthBasicProvider PAM, AuthPAMService) instead', { d: 'libapache2-mod-authnz-pam', r: 'mod_authnz_pam' }, 'mod_auth_pam 1.1.1: mod_auth_pam.c; adelton/mod_authnz_pam'),
  row(['authnz-jwt', 'authnz_jwt'], 'AuthJWT*', build('mod_authnz_jwt'), {}, 'AnthonyDeroche/mod_authnz_jwt: mod_authnz_jwt.c'),
  row(['auth-cas', 'auth_cas'], 'CAS*', build('mod_auth_cas'), { d: 'libapache2-mod-auth-cas', r: 'mod_auth_cas', f: 'ap24-mod_auth_cas' }, 'apereo/mod_auth_cas: src/mod_auth_cas.c'),
  row(['shib', 'mod_shib', 'shib'], 'Shib*', build('mod_shib'), { d: 'libapache2-mod-shib', r: 'shibboleth, from its own repository' }, 'shibboleth-sp: apache/mod_apache.cpp'),
  row(['auth-mellon', 'auth_mellon'], 'Mellon*', build('mod_auth_mellon'), { d: 'libapache2-mod-auth-mellon', r: 'mod_auth_mellon', f: 'ap24-mod_auth_mellon' }, 'Uninett/mod_auth_mellon: auth_mellon_config.c'),
  row(['auth-openidc', 'auth_openidc'], 'OIDC*', build('mod_auth_openidc'), { d: 'libapache2-mod-auth-openidc', r: 'mod_auth_openidc' }, 'OpenIDC/mod_auth_openidc: src/config.c'),
  row(['auth-tkt', 'auth_tkt', 'auth_pubtkt'], 'TKTAuth*', build('mod_auth_tkt or mod_auth_pubtkt'), { d: 'libapache2-mod-auth-tkt, libapache2-mod-auth-pubtkt' }, 'gavincarr/mod_auth_tkt, manuelkasper/mod_auth_pubtkt'),
  row(['auth-radius', 'radius_auth', 'auth_radius', 'auth_xradius'], 'AuthRadius* AddRadius* AuthXRadius*', build('mod_auth_radius'), {}, 'FreeRADIUS/mod_auth_radius: mod_auth_radius-2.0.c'),
  row(['auth-token', 'auth_token'], 'AuthToken*', build('mod_auth_token'), {}, 'mod_auth_token 1.0.5: mod_auth_token.c'),
  row(['auth-ntlm', 'auth_ntlm_winbind', 'ntlm_auth', 'ntlm', 'sspi_auth'], 'NTLM* NTAuth* NTDomain NTServer NTBackup Negotiate* SSPI*', 'install mod_auth_gssapi and write its lines (AuthType GSSAPI) instead', {}, 'mod_auth_ntlm_winbind, mod_ntlm, mod_auth_sspi'),
  row(['authnz-external', 'authnz_external', 'auth_external', 'authz_unixgroup'], 'DefineExternal* AddExternal* SetExternal* AuthExternal* GroupExternal*', build('mod_authnz_external'), { d: 'libapache2-mod-authnz-external', r: 'mod_authnz_external', f: 'ap24-mod_authnz_external24' }, 'phokz/mod-auth-external: mod_authnz_external.c'),
  row(['svn', 'dav_svn', 'authz_svn', 'dontdothat'], 'SVN* AuthzSVN* DontDoThat*', build('mod_dav_svn and mod_authz_svn'), { d: 'libapache2-mod-svn', r: 'mod_dav_svn', f: 'mod_dav_svn' }, 'apache/subversion: subversion/mod_dav_svn, mod_authz_svn'),
  row(['passenger', 'passenger'], 'Passenger* Rails* Rack* UnionStation*', build('Passenger'), { d: 'libapache2-mod-passenger', r: 'mod_passenger, from its own repository', f: 'rubygem-passenger, with its option APACHE24' }, 'phusion/passenger: src/apache2_module'),
  row(['wsgi', 'wsgi'], 'WSGI*', build('mod_wsgi'), { d: 'libapache2-mod-wsgi-py3', r: 'python3-mod_wsgi', f: 'ap24-mod_wsgi for your Python' }, 'GrahamDumpleton/mod_wsgi: src/server/mod_wsgi.c'),
  row(['python', 'python'], 'Python*', 'run the program with mod_wsgi, or install the build of mod_python for 2.4', { d: 'libapache2-mod-python' }, 'grisha/mod_python: src/mod_python.c'),
  row(['perl', 'perl'], 'Perl*', build('mod_perl'), { d: 'libapache2-mod-perl2', r: 'mod_perl', f: 'ap24-mod_perl2' }, 'apache/mod_perl: src/modules/perl/mod_perl.c'),
  row(['mono', 'mono'], 'Mono* AddMonoApplications', build('mod_mono'), { d: 'libapache2-mod-mono' }, 'mono/mod_mono: src/mod_mono.c'),
  row(['rpaf', 'rpaf'], 'RPAF*', 'load mod_remoteip, which 2.4 has, and write RemoteIPHeader X-Forwarded-For and RemoteIPInternalProxy with the addresses instead', {}, 'gnif/mod_rpaf: mod_rpaf.c'),
  row(['cloudflare', 'cloudflare'], 'CloudFlare* DenyAllButCloudFlare', 'load mod_remoteip, which 2.4 has, and write RemoteIPHeader CF-Connecting-IP and RemoteIPTrustedProxy with its addresses instead', {}, 'cloudflare/mod_cloudflare: mod_cloudflare.c'),
  row(['geoip', 'geoip'], 'GeoIP*', 'install mod_maxminddb and write its lines with a database of GeoIP2, or install the build of mod_geoip for 2.4', { d: 'libapache2-mod-geoip', r: 'mod_maxminddb', f: 'ap24-mod_maxminddb' }, 'maxmind/geoip-api-mod_geoip2: mod_geoip.c'),
  row(['maxminddb', 'maxminddb'], 'MaxMindDB*', build('mod_maxminddb'), { r: 'mod_maxminddb', f: 'ap24-mod_maxminddb' }, 'maxmind/mod_maxminddb: src/mod_maxminddb.c'),
  row(['pagespeed', 'pagespeed', 'pagespeed_ap24'], 'ModPagespeed* <PagespeedIf>', 'install the build of mod_pagespeed for 2.4 (mod_pagespeed_ap24.so), or remove its lines', { d: 'mod-pagespeed-stable, from its own repository', r: 'mod-pagespeed-stable, from its own repository' }, 'apache/incubator-pagespeed-mod: pagespeed/apache/mod_instaweb.cc'),
  row(['xsendfile', 'xsendfile'], 'XSendFile*', build('mod_xsendfile'), { d: 'libapache2-mod-xsendfile', r: 'mod_xsendfile', f: 'ap24-mod_xsendfile' }, 'nmaier/mod_xsendfile: mod_xsendfile.c'),
  row(['qos', 'qos'], 'QS_* QSLog', build('mod_qos'), { d: 'libapache2-mod-qos', r: 'mod_qos', f: 'ap24-mod_qos' }, 'studersi/mod_qos: apache2/mod_qos.c'),
  row(['bw', 'bw'], 'BandWidth* ForceBandWidthModule MinBandWidth LargeFileLimit MaxConnection', 'write SetOutputFilter RATE_LIMIT with mod_ratelimit, which 2.4 has, or install the build of mod_bw for 2.4', { d: 'libapache2-mod-bw' }, 'IvnSoft/mod_bw: mod_bw.c'),
  row(['cband', 'cband'], 'CBand*', 'write SetOutputFilter RATE_LIMIT with mod_ratelimit, which 2.4 has, or remove its lines', undefined, 'vobruba-martin/mod_cband: src/mod_cband.c'),
  row(['limitipconn', 'limitipconn'], 'MaxConnPerIP NoIPLimit OnlyIPLimit', build('mod_limitipconn'), { r: 'mod_limitipconn', f: 'ap24-mod_limitipconn2' }, 'mod_limitipconn 0.24: mod_limitipconn.c'),
  row(['ruid2', 'ruid2'], 'RMode RUidGid RMinUidGid RDefaultUidGid RGroups RDocumentChRoot', 'install the build of mod_ruid2 for 2.4, or mpm_itk, or run the programs with PHP-FPM', {}, 'mind04/mod-ruid2: mod_ruid2.c'),
  row(['itk', 'mpm_itk'], 'AssignUserID AssignUserIDExpr AssignGroupIDExpr MaxClientsVHost NiceValue LimitUIDRange LimitGIDRange', 'install mpm_itk for 2.4, which is a module beside mpm_prefork, or remove its lines', { d: 'libapache2-mpm-itk', f: 'ap24-mod_mpm_itk' }, 'mpm-itk 2.4.7: mpm_itk.c'),
  row(['vhost-ldap', 'vhost_ldap'], 'VhostLDAP* VhostAliasesEnabled', build('mod_vhost_ldap'), { d: 'libapache2-mod-vhost-ldap' }, 'mod_vhost_ldap 2.4: mod_vhost_ldap.c'),
  row(['log-sql', 'log_sql', 'log_sql_mysql', 'log_sql_dbi', 'log_sql_ssl', 'log_sql_logio'], 'LogSQL*', build('mod_log_sql'), { d: 'libapache2-mod-log-sql' }, 'OutOfOrder/mod_log_sql: mod_log_sql.c'),
  row(['ftp', 'ftp', 'ftpd', 'ftpd_default', 'ftpd_dbi', 'ftpd_dbm'], 'FTP*', 'serve FTP with a server for it, and remove its lines', {}, 'apache httpd-mod_ftp: modules/ftp/mod_ftp.c; OutOfOrder/mod_ftpd'),
  row(['gnutls', 'gnutls'], 'GnuTLS*', 'write the lines of mod_ssl instead, or install the build of mod_gnutls for 2.4', {}, 'airtower-luna/mod_gnutls: src/mod_gnutls.c'),
  row(['nss', 'nss'], 'NSS*', 'write the lines of mod_ssl instead: its certificates are files', {}, 'tiran/mod_nss: mod_nss.c'),
  row(['tidy', 'tidy'], 'Tidy*', GONE, undefined, 'mod_tidy 0.5.5: mod_tidy.c'),
  row(['layout', 'layout'], 'Layout*', 'no build for 2.4 is known: write the text with mod_substitute, or remove its lines', undefined, 'gitpan/mod_layout: mod_layout.c'),
  row(['chroot', 'chroot'], '', 'write ChrootDir, which httpd has had since 2.2.10, and remove its lines', undefined, 'mod_chroot 0.5: mod_chroot.c; httpd: modules/arch/unix/mod_unixd.c'),
  row(['encoding', 'encoding'], 'EncodingEngine SetServerEncoding AddClientEncoding DefaultClientEncoding NormalizeUsername', build('mod_encoding'), { d: 'libapache2-mod-encoding' }, 'zsjforcn/apache2.2.x-mod_encoding: mod_encoding.c'),
  row(['musicindex', 'musicindex'], 'Music*', build('mod_musicindex'), { d: 'libapache2-mod-musicindex' }, 'mod_musicindex 1.4.1: mod_musicindex.c'),
  row(['upload-progress', 'upload_progress'], 'TrackUploads ReportUploads UploadProgress*', build('mod_upload_progress'), { d: 'libapache2-mod-upload-progress' }, 'drogus/apache-upload-progress-module: mod_upload_progress.c'),
  row(['apparmor', 'apparmor'], 'AAHatName AADefaultHatName', build('mod_apparmor'), { d: 'libapache2-mod-apparmor' }, 'apparmor: changehat/mod_apparmor/mod_apparmor.c'),
  row(['scgi', 'scgi'], 'SCGI*', 'have mod_proxy_scgi, which 2.4 has, ask the program, and remove its lines', {}, 'scgi 1.15: apache2/mod_scgi.c'),
  row(['bwlimited', 'bwlimited'], '', GONE, undefined, 'CpanelInc/mod_bwlimited'),
  row(['weblogic', 'weblogic'], 'WebLogic*', 'install the plug-in of WebLogic for 2.4, or have mod_proxy_http ask it', {}, 'Oracle WebLogic Server Proxy Plug-In: mod_wl_24.so'),
  row(['websphere', 'was_ap20', 'was_ap22', 'was_ap24'], 'WebSpherePluginConfig', 'install the plug-in of WebSphere for 2.4 (mod_was_ap24_http.so)', {}, 'IBM WebSphere Plug-ins: plugin-cfg'),
] as const; // prettier-ignore

/** By which a person answers that the libraries that LoadFile names are in their places. */
export const LIBRARIES_KEY = 'load-file';

let byIdentifier: ReadonlyMap<string, ThirdPartyModule> | undefined;

/** Finds a module by what LoadModule calls it. @param name without `_module` */
export function findThirdParty(name: string): ThirdPartyModule | undefined {
  byIdentifier ??= new Map(
    THIRD_PARTY_ROWS.flatMap((module) =>
      module.identifiers.map((identifier) => [identifier, module] as const),
    ),
  );
  return byIdentifier.get(name);
}

let exact: ReadonlyMap<string, ThirdPartyModule> | undefined;
let prefixes: readonly (readonly [prefix: string, module: ThirdPartyModule])[] | undefined;

/**
 * The module that reads a directive which neither version ships, by its name.
 * @param key in lower case, of a section without `<`
 */
export function thirdPartyOwner(key: string): ThirdPartyModule | undefined {
  if (exact === undefined || prefixes === undefined) {
    const words = THIRD_PARTY_ROWS.flatMap((module) =>
      module.directives
        .split(' ')
        .filter((word) => word !== '')
        .map((word) => [word.toLowerCase().replace(/[<>]/g, ''), module] as const),
    );
    exact = new Map(words.filter(([word]) => !word.endsWith('*')));
    // The longest that fits counts.
    prefixes = words
      .flatMap(([word, module]) => (word.endsWith('*') ? [[word.slice(0, -1), module] as const] : []))
      .sort(([a], [b]) => b.length - a.length);
  }
  return exact.get(key) ?? prefixes.find(([prefix]) => key.startsWith(prefix))?.[1];
}

/** Directives of these modules that people write most, by which a misspelled one is told. */
export const WORDS_OF_OTHERS: readonly string[] = [
  'php_value php_flag php_admin_value php_admin_flag PHPIniDir suPHP_Engine suPHP_ConfigPath suPHP_UserGroup',
  'FastCgiServer FastCgiExternalServer FastCgiIpcDir FastCgiConfig FcgidWrapper FcgidMaxRequestLen FcgidIOTimeout',
  'FcgidInitialEnv FcgidConnectTimeout FcgidIPCDir JkWorkersFile JkLogFile JkLogLevel JkMount JkUnMount JkShmFile',
  'JkMountCopy JkOptions DOSHashTableSize DOSPageCount DOSSiteCount DOSPageInterval DOSEmailNotify DOSWhitelist',
  'SecRule SecRuleEngine SecAction SecAuditLog SecAuditEngine SecDataDir SecDefaultAction SecRequestBodyAccess',
  'SecRuleRemoveById SecFilterEngine SecFilterScanPOST PassengerEnabled PassengerRoot PassengerRuby PassengerAppRoot',
  'PassengerDefaultRuby PassengerAppEnv PassengerHighPerformance PassengerMaxPoolSize PassengerMinInstances RailsEnv',
  'RailsBaseURI RackBaseURI WSGIScriptAlias WSGIDaemonProcess WSGIProcessGroup WSGIApplicationGroup WSGIPythonPath',
  'WSGIPythonHome WSGIPassAuthorization WSGISocketPrefix PythonPath PythonHandler PythonDebug PerlModule PerlRequire',
  'PerlHandler PerlResponseHandler PerlSwitches PerlSetVar ModPagespeed ModPagespeedEnableFilters',
  'ModPagespeedFileCachePath XSendFile XSendFilePath GeoIPEnable GeoIPDBFile RPAFenable RPAFproxy_ips',
  'ShibRequestSetting ShibUseHeaders SVNPath SVNParentPath AuthzSVNAccessFile KrbMethodNegotiate KrbAuthRealms',
  'AssignUserID',
].flatMap((words) => words.split(' '));

/** Modules of httpd 2.4 in packages of their own, in the RHEL family (the spec file of Fedora's httpd). */
const PACKAGES_OF_RHEL: Readonly<Record<string, readonly string[]>> = {
  __proto__: null!,
  mod_ssl: ['ssl'],
  mod_ldap: ['ldap', 'authnz_ldap'],
  mod_proxy_html: ['proxy_html', 'xml2enc'],
  mod_session: ['session', 'session_cookie', 'session_crypto', 'session_dbd', 'auth_form'],
  mod_http2: ['http2', 'proxy_http2'],
  mod_md: ['md'],
  mod_lua: ['lua'],
};

/**
 * The package of the RHEL family that has a module of httpd 2.4, where that is not the one of httpd.
 * @param name without `_module`
 */
export function packageInRhel(name: string): string | undefined {
  return Object.entries(PACKAGES_OF_RHEL).find(([, modules]) => modules.includes(name))?.[0];
}

/** What a yes to the key of a module says. */
export function isIn24({ key, name }: ThirdPartyModule): { readonly key: string; readonly text: string } {
  return { key, text: `2.4 has ${name}` };
}
