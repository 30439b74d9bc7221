import type { LifeSpan } from './release';

/** A word in the arguments of a directive that only some releases of 2.4 know. */
export interface SpannedWord extends LifeSpan {
  /** In lower case. */
  readonly names: readonly string[];
  /** Finds it in one argument. */
  readonly pattern: RegExp;
  /** Set if late releases of 2.2 know it too, so that a line from 2.2 may have it. */
  readonly in22?: true;
  /** Set if a release without it accepts the line, but reads it differently. */
  readonly misread?: true;
  readonly source: string;
}

const WORKERS = ['proxypass', 'proxypassmatch', 'balancermember', 'proxyset'];
const FORMATS = ['logformat', 'customlog', 'transferlog'];

/** From CHANGES and the sources of the releases. */
export const SPANNED_WORDS: readonly SpannedWord[] = [
  { names: WORKERS, pattern: /^forcerecovery=/i, since: 2, in22: true, source: 'modules/proxy/mod_proxy.c: set_balancer_param' },
  { names: WORKERS, pattern: /^stickysessionsep=/i, since: 4, source: 'modules/proxy/mod_proxy.c: set_balancer_param' },
  { names: WORKERS, pattern: /^failontimeout=/i, since: 5, in22: true, source: 'modules/proxy/mod_proxy.c: set_balancer_param' },
  { names: WORKERS, pattern: /^enablereuse=/i, since: 11, source: 'modules/proxy/mod_proxy.c: set_worker_param' },
  { names: WORKERS, pattern: /^hc(?:method|passes|fails|interval|uri|expr|template)=/i, since: 21, source: 'modules/proxy/mod_proxy_hcheck.c' },
  { names: WORKERS, pattern: /^upgrade=/i, since: 26, source: 'modules/proxy/mod_proxy.c: set_worker_param' },
  { names: WORKERS, pattern: /^responsefieldsize=/i, since: 34, source: 'modules/proxy/mod_proxy.c: set_worker_param' },
  { names: WORKERS, pattern: /^secret=/i, since: 42, source: 'modules/proxy/mod_proxy.c: set_worker_param' },
  { names: WORKERS, pattern: /^mapping=/i, since: 49, source: 'modules/proxy/mod_proxy.c: add_pass' },
  { names: WORKERS, pattern: /^addressttl=/i, since: 59, source: 'modules/proxy/mod_proxy.c: set_worker_param' },
  { names: ['rewriteoptions'], pattern: /^allowanyuri$/i, since: 3, in22: true, source: 'CHANGES 2.4.3; modules/mappers/mod_rewrite.c: cmd_rewriteoptions' },
  { names: ['rewriteoptions'], pattern: /^mergebase$/i, since: 4, in22: true, source: 'CHANGES 2.4.4; modules/mappers/mod_rewrite.c: cmd_rewriteoptions' },
  { names: ['rewriteoptions'], pattern: /^(?:inheritdown|inheritdownbefore|ignoreinherit)$/i, since: 8, source: 'modules/mappers/mod_rewrite.c: cmd_rewriteoptions' },
  { names: ['rewriteoptions'], pattern: /^ignorecontextinfo$/i, since: 13, source: 'modules/mappers/mod_rewrite.c: cmd_rewriteoptions' },
  { names: ['rewriteoptions'], pattern: /^legacyprefixdocroot$/i, since: 26, source: 'CHANGES 2.4.26; modules/mappers/mod_rewrite.c: cmd_rewriteoptions' },
  { names: ['rewriteoptions'], pattern: /^unsafeprefixstat$/i, since: 60, source: 'CHANGES 2.4.60; modules/mappers/mod_rewrite.c: cmd_rewriteoptions' },
  { names: ['rewriterule'], pattern: /^\[(?:.*,)?(?:qsl|qslast)(?:,.*)?\]$/i, since: 19, source: 'modules/mappers/mod_rewrite.c: cmd_rewriterule_setflag' },
  { names: ['rewriterule'], pattern: /^\[(?:.*,)?bnp(?:,.*)?\]$/i, since: 26, source: 'modules/mappers/mod_rewrite.c: cmd_rewriterule_setflag' },
  { names: ['rewriterule'], pattern: /^\[(?:.*,)?(?:bctls|bne=[^,]*)(?:,.*)?\]$/i, since: 57, source: 'modules/mappers/mod_rewrite.c: cmd_rewriterule_setflag' },
  { names: ['rewriterule'], pattern: /^\[(?:.*,)?(?:unsafeallow3f|unsafeprefixstat)(?:,.*)?\]$/i, since: 60, source: 'CHANGES 2.4.60; modules/mappers/mod_rewrite.c: cmd_rewriterule_setflag' },
  { names: ['rewriterule'], pattern: /^\[(?:.*,)?unc(?:,.*)?\]$/i, since: 62, source: 'modules/mappers/mod_rewrite.c: cmd_rewriterule_setflag' },
  { names: ['sslcarevocationcheck', 'sslproxycarevocationcheck'], pattern: /^no_crl_for_cert_ok$/i, since: 21, source: 'CHANGES 2.4.21; modules/ssl/ssl_engine_config.c: ssl_cmd_crlcheck_parse' },
  { names: ['sslprotocol', 'sslproxyprotocol'], pattern: /^[+-]?tlsv1\.3$/i, since: 36, source: 'CHANGES 2.4.36; modules/ssl/ssl_engine_config.c: ssl_cmd_protocol_parse' },
  { names: ['sslciphersuite', 'sslproxyciphersuite'], pattern: /^tlsv1\.3$/i, since: 36, source: 'CHANGES 2.4.36; modules/ssl/ssl_engine_config.c: ssl_cmd_SSLCipherSuite' },
  { names: ['sslocspenable'], pattern: /^(?:leaf|no_ocsp_for_cert_ok)$/i, since: 34, source: 'modules/ssl/ssl_engine_config.c: ssl_cmd_ocspcheck_parse' },
  { names: ['sslsessioncache'], pattern: /^redis:/i, since: 39, source: 'modules/cache/mod_socache_redis.c' },
  { names: ['indexoptions'], pattern: /^[+-]?useolddateformat$/i, since: 26, source: 'CHANGES 2.4.26; modules/generators/mod_autoindex.c: add_opts' },
  { names: ['requestreadtimeout'], pattern: /^handshake=/i, since: 39, source: 'CHANGES 2.4.39; modules/filters/mod_reqtimeout.c: set_reqtimeout_param' },
  { names: ['fileetag'], pattern: /^[+-]?digest$/i, since: 47, source: 'server/core.c: set_etag_bits' },
  { names: ['ldapreferrals'], pattern: /^default$/i, since: 7, source: 'modules/ldap/util_ldap.c: util_ldap_set_chase_referrals' },
  { names: ['authldapbindpassword'], pattern: /^exec:/, since: 5, in22: true, misread: true, source: 'modules/aaa/mod_authnz_ldap.c: set_bind_password' },
  { names: ['header', 'requestheader'], pattern: /^(?:note|setifempty)$/i, since: 7, source: 'modules/metadata/mod_headers.c: header_inout_cmd' },
  { names: FORMATS, pattern: /%[^a-zA-Z%{]*\{(?:ms|us|s)\}T/, since: 13, in22: true, misread: true, source: 'modules/loggers/mod_log_config.c: log_request_duration_scaled' },
  { names: FORMATS, pattern: /%[^a-zA-Z%{]*\{c\}h/, since: 39, misread: true, source: 'modules/loggers/mod_log_config.c: log_remote_host' },
]; // prettier-ignore
