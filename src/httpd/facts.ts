import { type LifeSpan, type Release, livesIn, nameOf } from './release';

/** Something that is true of some releases of 2.4 and not of others. */
export interface Fact extends LifeSpan {
  /** The source: the entry of CHANGES in few words, or the file and the function. */
  readonly source: string;
}

/**
 * What is true of some releases of 2.4 only, apart from names and words (lifespan.ts, words.ts). A rule that relies on one of
 * these asks here whether it holds for the target.
 */
export const FACTS = {
  // Reading the configuration
  'override-list-replaced': { since: 2, source: 'CHANGES 2.4.2: merging of AllowOverrideList; before, the list of an outer section stayed in force' },
  'override-none-unread': { since: 20, source: 'server/request.c: ap_directory_walk; before, .htaccess files were opened below None' },
  'limit-method-registered': { since: 28, source: 'CHANGES 2.4.28: <Limit> in .htaccess takes methods known to the server only (CVE-2017-9798)' },
  'log-format-of-host': { since: 63, source: 'CHANGES 2.4.63: merging of LogFormat; before, that of the main server counted, as in 2.2' },
  'language-priority-case': { since: 38, source: 'CHANGES 2.4.38: LanguagePriority is compared without regard to capitals' },
  'request-header-type': { since: 64, source: 'CHANGES 2.4.64: RequestHeader set Content-Type leaves the type of the answer' },
  'limit-request-body-default': { since: 54, source: 'CHANGES 2.4.54: LimitRequestBody is 1 GiB where nobody says' },
  'merge-slashes': { since: 39, source: 'CHANGES 2.4.39: several slashes in a URL count as one, for <Location> too' },
  'regex-dollar-end': { since: 30, source: 'server/util_pcre.c: AP_REG_DOLLAR_ENDONLY is a default' },
  'regex-dotall': { since: 42, source: 'server/util_pcre.c: AP_REG_DOTALL is a default, with effect' },
  'pcre2': { since: 53, source: 'CHANGES 2.4.53: PCRE2 where it is there' },
  'server-tokens-word-checked': { since: 4, source: 'server/core.c: set_serv_tokens' },
  'error-document-expression': { since: 13, source: 'server/core.c: set_error_document' },
  'error-document-default-word': { since: 5, source: 'server/core.c: set_error_document' },
  'set-handler-expression': { since: 19, source: 'server/core.c: set_sethandler' },
  'auth-name-expression': { since: 55, source: 'CHANGES 2.4.55: AuthName and AuthType take expressions' },
  'proxy-section-tilde-refused': { since: 8, source: 'modules/proxy/mod_proxy.c: proxysection' },
  'listen-twice-refused': { since: 28, source: 'server/listen.c: alloc_listener' },
  // Access and authentication
  'host-list-comment-refused': { since: 32, source: 'modules/aaa/mod_access_compat.c: allow_cmd' },
  'require-expression': { since: 8, source: 'server/core.c and modules/aaa: names that Require asks for are expressions' },
  'auth-file-one-word': { since: 5, source: 'modules/aaa/mod_authn_file.c, mod_authz_groupfile.c: command tables' },
  'auth-digest-one-qop': { since: 69, source: 'CHANGES 2.4.69: RFC 2069 is gone; modules/aaa/mod_auth_digest.c: set_qop' },
  'auth-digest-needs-qop': { since: 69, source: 'CHANGES 2.4.69: RFC 2069 is gone; AH10560' },
  'provider-alias-not-in-hosts': { until: 7, source: 'CHANGES 2.4.8: <AuthnProviderAlias> is seen from virtual hosts' },
  'ldap-referrals-default': { since: 7, source: 'modules/ldap/util_ldap.c: util_ldap_create_dir_config; LDAPReferrals default, before which there was no word for what 2.2 did' },
  // SSL
  'ssl-require-file-in-htaccess': { until: 68, source: 'CHANGES 2.4.69: CVE-2026-59797' },
  'openssl-1.1': { since: 26, source: 'CHANGES 2.4.26: OpenSSL 1.1; before, only 1.0.2 and older ones will do' },
  'ssl-session-sni-421': { since: 17, source: 'modules/ssl/ssl_engine_kernel.c: ssl_hook_ReadReq; 400 before, as 2.2' },
  'ssl-session-sni-answered': { since: 18, source: 'modules/ssl/ssl_engine_kernel.c: ssl_hook_ReadReq, ssl_server_compatible' },
  'ssl-no-sslv3-default': { since: 17, source: 'CHANGES 2.4.17: SSLProtocol all -SSLv3 where nobody says' },
  'ssl-engine-inherited': { since: 10, source: 'modules/ssl/ssl_engine_config.c: ssl_config_server_new leaves SSLEngine open' },
  'ssl-protocol-by-name': { since: 42, source: 'modules/ssl/ssl_engine_kernel.c: ssl_find_vhost' },
  'ssl-tlsv13': { since: 36, source: 'CHANGES 2.4.36: TLSv1.3' },
  'ssl-no-crl-for-cert-ok': { since: 21, source: 'modules/ssl/ssl_engine_config.c: ssl_cmd_crlcheck_parse' },
  'ssl-compression-refused': { since: 30, source: 'modules/ssl/ssl_engine_config.c: ssl_cmd_SSLCompression' },
  'ssl-egd-refused': { since: 13, source: 'modules/ssl/ssl_engine_config.c: ssl_cmd_SSLRandomSeed' },
  'ssl-key-by-position': { since: 10, source: 'modules/ssl/ssl_engine_pphrase.c: ssl_pphrase_Handle_CB, key_types' },
  'ssl-certificate-pem-only': { since: 8, source: 'modules/ssl/ssl_engine_init.c: ssl_init_server_certs' },
  'ssl-days-left': { since: 64, source: 'modules/ssl/ssl_engine_vars.c: ssl_var_lookup_ssl_cert_remain; 2.4.63 counts as 2.2 did, and 2.4.71 does not: which release between them was the first is not known' },
  // Proxy, cache, rewriting, programs
  'request-timeout-rates-missing': { since: 39, until: 39, source: 'CHANGES 2.4.40: the default rates of mod_reqtimeout were not applied in 2.4.39' },
  'proxy-lookup-500': { since: 59, source: 'modules/proxy/proxy_util.c: ap_proxy_determine_address; 502 before, as 2.2' },
  'proxy-100-continue': { since: 40, source: 'CHANGES 2.4.40: 100-continue is forwarded; Proxy100Continue' },
  'proxy-no-proxy': { since: 26, source: 'modules/proxy/mod_proxy.c: proxy_trans looks at the variable no-proxy' },
  'proxy-encoded-slashes-kept': { since: 57, source: 'modules/proxy/mod_proxy_http.c: proxy_http_canon, PROXY_CANONENC_NOENCODEDSLASHENCODING' },
  'proxy-override-keeps-member': { since: 16, source: 'modules/proxy/mod_proxy.c: proxy_handler, proxy-error-override' },
  'proxy-retry-ignored': { since: 23, source: 'modules/proxy/proxy_util.c: ap_proxy_define_worker, PROXY_WORKER_IGNORE_ERRORS' },
  'proxy-match-worker': { since: 47, source: 'modules/proxy/proxy_util.c: ap_proxy_define_worker_ex, AP_PROXY_WORKER_IS_MATCH' },
  'proxy-tunnel-timeout': { since: 47, source: 'modules/proxy/proxy_util.c: ap_proxy_tunnel_create' },
  'set-handler-proxy': { since: 10, source: 'CHANGES 2.4.10: SetHandler proxy:… passes requests on; modules/proxy/mod_proxy.c: proxy_handler' },
  'program-length-dropped': { since: 59, source: 'CHANGES 2.4.59: CVE-2024-24795; modules/generators/mod_cgi.c: cgi_handler, ap_trust_cgilike_cl' },
  'program-path-set': { since: 59, source: 'CHANGES 2.4.59: mod_env overrides system environment variables; server/util_script.c: env2env' },
  'unique-id-random': { since: 29, source: 'CHANGES 2.4.29: UNIQUE_ID is made of a random number' },
  'dav-report-body-first': { since: 49, source: 'modules/dav/main/mod_dav.c: dav_method_report' },
  'rewrite-own-host-path': { since: 26, source: 'modules/mappers/mod_rewrite.c: hook_fixup and LegacyPrefixDocRoot' },
  'rewrite-query-blank': { since: 56, source: 'CHANGES 2.4.56: CVE-2023-25690; AH10411' },
  'rewrite-escape-controls': { since: 57, source: 'CHANGES 2.4.57: the flags BCTLS and BNE of RewriteRule' },
  'rewrite-proxied-blank': { since: 57, source: 'CHANGES 2.4.57: a nocanon path that has been rewritten with spaces; AH10415' },
  'rewrite-unsafe-prefix': { since: 60, source: 'CHANGES 2.4.60: CVE-2024-38474, CVE-2024-38475; AH10508' },
  'rewrite-context-prefix': { since: 16, source: 'modules/mappers/mod_rewrite.c: hook_fixup, ap_context_document_root' },
  'rewrite-question-mark': { since: 60, source: 'CHANGES 2.4.60: CVE-2024-38474; AH10508' },
  'rewrite-literal-question-mark': { since: 60, until: 62, source: 'CHANGES 2.4.63: question marks are tracked; before, one of the substitution counted too' },
  'rewrite-slash-added': { since: 60, source: 'modules/mappers/mod_rewrite.c: apply_rewrite_rule puts a slash in front of a result that has none' },
  'rewrite-slashes-merged': { since: 62, source: 'modules/mappers/mod_rewrite.c: apply_rewrite_rule merges leading slashes; the flag UNC' },
  'rewrite-keeps-vary': { since: 30, source: 'modules/mappers/mod_rewrite.c: redirect-keeps-vary' },
  'rewrite-no-vary-host': { since: 29, source: 'modules/mappers/mod_rewrite.c: lookup_header leaves Host out' },
  'host-underscore': { since: 34, source: 'CHANGES 2.4.34: underscores in names of hosts' },
  'expires-not-on-errors': { since: 10, source: 'modules/metadata/mod_expires.c: expires_filter' },
  'deflate-q-zero': { since: 42, source: 'modules/filters/mod_deflate.c: deflate_out_filter reads q=0' },
  'ssi-document-args': { since: 19, source: 'modules/filters/mod_include.c: add_include_vars sets DOCUMENT_ARGS' },
  'header-expression': { since: 10, source: 'CHANGES 2.4.10: Header takes expr=' },
  'index-old-date-format': { since: 26, source: 'CHANGES 2.4.26: IndexOptions UseOldDateFormat' },
  'add-type-handler-missed': { since: 60, until: 61, source: 'CHANGES 2.4.60 (CVE-2024-38476), 2.4.61 and 2.4.62 (CVE-2024-40725)' },
  'substitute-file-info': { since: 11, source: 'modules/filters/mod_substitute.c: substitute_cmds' },
} as const satisfies Readonly<Record<string, Fact>>; // prettier-ignore

export type FactName = keyof typeof FACTS;

export function holds(name: FactName, release: Release): boolean {
  return livesIn(FACTS[name], release);
}

/** For a message: `since 2.4.69`, of a fact that has begun after the first release. */
export function sinceRelease(name: FactName): string {
  const { since = 1 }: Fact = FACTS[name];
  return `since ${nameOf(since)}`;
}
