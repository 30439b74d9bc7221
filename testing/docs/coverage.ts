/** One row of the upgrade: what 2.4 changed, and what the tool does about it. */
export interface Row {
  /** As the rules' `seed` lists name it: an inventory id, or a section and the name of a seed rule. */
  readonly id: string;
  readonly what: string;
  /** The rules, where they do not name the row in their `seed`. */
  readonly rules?: readonly string[];
  /** `rule/case` of the fixture that shows it, where it is not all of the rule's. */
  readonly fixture?: string;
  /** Why there is no rule. */
  readonly none?: string;
}

const SAME = 'the same in both versions';

/** The rows of the inventory that have no rule of their own, or whose id no rule names. */
export const INVENTORY_EXTRA: readonly Row[] = [
  { id: 'A02', what: 'access lines left to mod_access_compat', rules: ['order-allow-deny'] },
  { id: 'A06', what: 'Require with an unknown word', rules: ['order-allow-deny'] },
  {
    id: 'A11',
    what: 'AuthDigestEnableQueryStringHack',
    none: SAME,
    fixture: 'unknown-directive/noop-same-in-both',
  },
  { id: 'A17', what: 'AllowOverride Limit and rules in a .htaccess', rules: ['order-allow-deny'] },
  { id: 'A19', what: 'SSLRequire and SSLRequireSSL under Satisfy Any', rules: ['order-allow-deny'] },
  { id: 'A20', what: 'AuthzForceUsername', none: 'neither version has it' },
  { id: 'C21', what: 'lines longer than 2.2 could read', rules: ['syntax'] },
  {
    id: 'C38',
    what: 'core directives that stay',
    none: SAME,
    fixture: 'unknown-directive/noop-same-in-both',
  },
  { id: 'F16', what: 'arguments of Redirect', none: SAME, fixture: 'unknown-directive/noop-same-in-both' },
  {
    id: 'F18',
    what: 'MultiviewsMatch inside Location',
    none: SAME,
    fixture: 'unknown-directive/noop-same-in-both',
  },
  { id: 'F20', what: 'small modules that stay', none: SAME, fixture: 'unknown-directive/noop-same-in-both' },
  { id: 'L05', what: 'logs in a directory that is not there', none: 'httpd itself is asked: --configtest' },
  { id: 'L07', what: 'LogLevel with one word', none: SAME, fixture: 'unknown-directive/noop-same-in-both' },
  { id: 'L08', what: 'ErrorLog syslog', none: SAME, fixture: 'unknown-directive/noop-same-in-both' },
  {
    id: 'P09',
    what: 'proxy directives and worker parameters that stay',
    none: SAME,
    fixture: 'unknown-directive/noop-same-in-both',
  },
  { id: 'S12', what: 'SSLOptions CompatEnvVars', none: 'neither version takes it' },
  { id: 'S13', what: 'SSLCertificateChainFile', none: SAME, fixture: 'unknown-directive/noop-same-in-both' },
];

/** The rules of the upgrade as the official description of the changes gives them, by its sections. */
export const SEED: readonly Row[] = [
  { id: 's2.1 B1', what: 'config.nice can be used again', rules: ['config-nice'] },
  { id: 's2.1 B2', what: 'build settings that changed', rules: ['config-nice'] },
  {
    id: 's2.1 B3',
    what: 'mod_cache_disk, mod_lbmethod_bybusyness are modules of their own',
    rules: ['load-module', 'config-nice'],
  },
  { id: 's2.1 B4', what: 'LoadModule lines that are commented out', rules: ['load-module'] },
  { id: 's2.1 B5', what: 'modules must be built for 2.4', rules: ['third-party-module'] },
  { id: 's2.2 MaxRequestsPerChild', what: 'MaxConnectionsPerChild', rules: ['max-requests-per-child'] },
  { id: 's2.2 MaxClients', what: 'MaxRequestWorkers', rules: ['max-clients'] },
  { id: 's2.3 DefaultType', what: 'no effect', rules: ['default-type'] },
  { id: 's2.3 NameVirtualHost', what: 'no effect', rules: ['name-virtual-host'] },
  { id: 's2.3 KeepAlive', what: 'On or Off only', rules: ['keep-alive'] },
  { id: 's2.3 DebugLevel', what: 'LogLevel of the module', rules: ['debug-level'] },
  { id: 's2.3 DumpIOLogLevel', what: 'LogLevel dumpio:trace7', rules: ['dumpio-log-level'] },
  { id: 's2.3 mutex directives', what: 'Mutex', rules: ['accept-mutex', 'rewrite-lock', 'ssl-mutex'] },
  {
    id: 's2.3 AuthnProviderAlias',
    what: 'in mod_authn_core',
    rules: ['load-module', 'if-module-name', 'authn-provider-alias-taken'],
  },
  { id: 's2.3 AddOutputFilterByType', what: 'in mod_filter', rules: ['load-module'] },
  { id: 's2.3 Order, Allow, Deny, Satisfy', what: 'Require', rules: ['order-allow-deny'] },
  { id: 's2.3 *Authoritative', what: 'removed', rules: ['order-allow-deny'] },
  { id: 's2.4 AllowOverride', what: 'default', rules: ['allow-override-unset'] },
  { id: 's2.4 EnableSendfile', what: 'default', rules: ['enable-sendfile-unset'] },
  { id: 's2.4 FileETag', what: 'default', rules: ['file-etag-unset'] },
  { id: 's2.4 SSLProxyCheckPeerCN', what: 'default', rules: ['ssl-proxy-check-peer'] },
  { id: 's2.4 SSLProxyCheckPeerExpire', what: 'default', rules: ['ssl-proxy-check-peer'] },
  { id: 's2.4 htpasswd', what: 'hash of a program', none: 'no configuration: what 2.2 wrote is read by 2.4' },
  { id: 's2.5 mod_dav_fs', what: 'DavLockDB has another format', rules: ['dav-lock-db'] },
  {
    id: 's2.5 mod_cache, sessions',
    what: 'CacheIgnoreURLSessionIdentifiers is exact',
    rules: ['cache-ignore'],
  },
  { id: 's2.5 mod_cache, CacheEnable', what: 'forward proxies need the protocol', rules: ['cache-enable'] },
  {
    id: 's2.5 mod_ldap',
    what: 'LDAPTrustedClientCert is per directory',
    rules: ['ldap-trusted-client-cert'],
  },
  { id: 's2.5 mod_filter', what: 'FilterProvider takes an expression', rules: ['filter-provider'] },
  { id: 's2.5 mod_include', what: 'expressions of #if', rules: ['ssi-expr'] },
  { id: 's2.5 mod_proxy_scgi', what: 'PATH_INFO', rules: ['proxy-scgi'] },
  { id: 's2.5 mod_ssl, CRL', what: 'SSLCARevocationCheck', rules: ['ssl-revocation-check'] },
  { id: 's2.5 mod_ssl, DN', what: 'LegacyDNStringFormat', rules: ['ssl-dn-format'] },
  { id: 's2.5 mod_ssl, SSLv2', what: 'gone', rules: ['ssl-protocol-sslv2'] },
  { id: 's2.5 mod_ssl, proxy', what: 'bad certificates of backends', rules: ['ssl-proxy-check-peer'] },
  { id: 's2.5 mod_substitute', what: 'lines of 1 MB at most', rules: ['substitute-long-line'] },
  { id: 's2.5 mod_reqtimeout', what: 'default limits', rules: ['request-read-timeout-unset'] },
  { id: 's2.5 mod_autoindex', what: 'titles of .xhtml files', rules: ['index-options-xhtml'] },
  { id: 's2.5 mod_deflate', what: 'small bodies', rules: ['deflate-small-body'] },
  { id: 's2.5 mod_rewrite', what: 'its log', rules: ['rewrite-log'] },
  { id: 's2.5 piped logs', what: 'no shell', rules: ['piped-log'] },
  { id: 's5.1 1', what: '*Authoritative removed', rules: ['order-allow-deny'] },
  { id: 's5.1 2', what: 'RequireAny, RequireAll, RequireNone', rules: ['order-allow-deny'] },
  { id: 's5.1 3', what: 'Require dbm-group', rules: ['order-allow-deny'] },
  { id: 's5.1 4', what: 'authorization as a whole', rules: ['order-allow-deny'] },
  { id: 's5.2', what: 'Order, Allow, Deny, Satisfy by Require', rules: ['order-allow-deny'] },
  { id: 's5.3', what: 'old and new lines mixed', rules: ['order-allow-deny'] },
  { id: 's7 User', what: 'mod_unixd', rules: ['load-module'] },
  { id: 's7 Require, Order', what: 'authorization modules', rules: ['load-module', 'order-allow-deny'] },
  { id: 's7 AddOutputFilterByType', what: 'mod_filter', rules: ['load-module'] },
  { id: 's7 DefaultType', what: 'warning', rules: ['default-type'] },
  { id: "s7 couldn't check user", what: 'mod_authn_core', rules: ['load-module'] },
  { id: 's7 override files', what: 'AllowOverride', rules: ['allow-override-unset'] },
  { id: 's7 AH01797', what: 'client denied', rules: ['order-allow-deny'] },
  { id: 's7 502', what: 'certificates of backends', rules: ['ssl-proxy-check-peer'] },
  { id: 's8 mod_substitute', what: 'lines of 1 MB at most', rules: ['substitute-long-line'] },
  { id: 's9 third-party modules', what: 'must be built for 2.4', rules: ['third-party-module'] },
  { id: 's9 old names', what: 'still accepted', rules: ['max-clients', 'max-requests-per-child'] },
  { id: 's9 mod_access_compat', what: 'keeps the old lines working', rules: ['order-allow-deny'] },
];

/** The ids of the inventory of changes, in its order: letter and last number. */
export const INVENTORY_IDS: readonly string[] = Object.entries({ R: 14, X: 6, L: 9, C: 38, V: 7, A: 20, S: 15, P: 10, K: 7, F: 20 }).flatMap(
  ([letter, last]) => Array.from({ length: last }, (_, i) => `${letter}${String(i + 1).padStart(2, '0')}`),
); // prettier-ignore
