/**
 * The result: both accept the same; they differ, but 2.4 accepts all that 2.2 accepts; or 2.4 accepts less, which a rule reports.
 */
export type ArgumentVerdict = { readonly kind: 'same' | 'read' } | { readonly kind: 'stricter'; readonly rule: string };

/** A function that reads the arguments of directives, read in both versions side by side. */
export interface Compared {
  readonly file: string;
  readonly name: string;
  readonly directives: string;
  readonly verdict: ArgumentVerdict;
}

/**
 * 2.2.34 against 2.4.62, and that against 2.4.68, function by function; 2.4.69 to 2.4.71 by CHANGES and by what the server says.
 * A line is a file, or a function with its directives: `=` for the same answers, `~` for others that refuse no more, `! rule` for
 * stricter ones.
 */
const TABLE = `
include/ap_listen.h
! listen-twice alloc_listener: Listen
= ap_set_listener: Listen
= ap_set_listenbacklog: ListenBackLog
= ap_set_receive_buffer_size: ReceiveBufferSize
= ap_set_send_buffer_size: SendBufferSize
modules/aaa/mod_auth_basic.c
= ap_set_flag_slot: AuthBasicAuthoritative
~ add_authn_provider: AuthBasicProvider
modules/aaa/mod_auth_digest.c
! auth-digest-md5-sess set_algorithm: AuthDigestAlgorithm
= set_uri_list: AuthDigestDomain
~ set_nc_check: AuthDigestNcCheck
~ set_nonce_format: AuthDigestNonceFormat
= set_nonce_lifetime: AuthDigestNonceLifetime
~ add_authn_provider: AuthDigestProvider
! auth-digest-auth-int set_qop: AuthDigestQop
~ set_shmem_size: AuthDigestShmemSize
~ set_realm: AuthName
modules/aaa/mod_authn_anon.c
~ anon_set_string_slots: Anonymous
= ap_set_flag_slot: Anonymous_LogEmail Anonymous_MustGiveEmail Anonymous_NoUserID Anonymous_VerifyEmail
modules/aaa/mod_authn_dbd.c
~ authn_dbd_prepare: AuthDBDUserPWQuery AuthDBDUserRealmQuery
modules/aaa/mod_authn_dbm.c
= ap_set_file_slot: AuthDBMUserFile
modules/aaa/mod_authn_file.c
! auth-file-standard set_authn_file_slot: AuthUserFile
modules/aaa/mod_authnz_ldap.c
! auth-ldap-bind-password-empty set_bind_password: AuthLDAPBindPassword
! auth-ldap-charset-config set_charset_config: AuthLDAPCharsetConfig
= mod_auth_ldap_*, set_*: AuthLDAPDereferenceAliases AuthLDAPGroupAttribute AuthLDAPURL
modules/aaa/mod_authz_dbm.c
= ap_set_file_slot: AuthDBMGroupFile
= ap_set_string_slot: AuthzDBMType
modules/aaa/mod_authz_groupfile.c
! auth-file-standard set_authz_groupfile_slot: AuthGroupFile
modules/aaa/mod_authz_host.c
! host-list-comment allow_cmd: Allow Deny
~ order: Order
modules/arch/win32/mod_isapi.c
= ap_set_flag_slot: ISAPIAppendLogToErrors ISAPIAppendLogToQuery ISAPIFakeAsync ISAPILogNotSupported
~ isapi_cmd_cachefile: ISAPICacheFile
= ap_set_int_slot: ISAPIReadAheadBuffer
modules/arch/win32/mod_win32.c
= set_interpreter_source: ScriptInterpreterSource
modules/cache
= set_*: CacheDefaultExpire CacheDirLength CacheDirLevels CacheFile CacheLastModifiedFactor CacheLock CacheLockMaxAge CacheLockPath CacheMaxExpire CacheRoot CacheStoreNoStore CacheStorePrivate MMapFile
! cache-disable add_cache_disable: CacheDisable
! cache-enable add_cache_enable: CacheEnable
! cache-file-size set_cache_minfs, set_cache_maxfs: CacheMaxFileSize CacheMinFileSize
! cache-ignore add_ignore_header, add_ignore_session_id: CacheIgnoreHeaders CacheIgnoreURLSessionIdentifiers
= set_cache_ignore_*: CacheIgnoreCacheControl CacheIgnoreNoLastMod CacheIgnoreQueryString
modules/database/mod_dbd.c
~ dbd_param: DBDExptime DBDKeep DBDMax DBDMin DBDParams DBDriver
= dbd_param_flag: DBDPersist
= dbd_prepare: DBDPrepareSQL
modules/dav
= dav_cmd_*: Dav DAVDepthInfinity DAVGenericLockDB DAVLockDB DAVMinTimeout
modules/debug/mod_dumpio.c
~ dumpio_enable_input: DumpIOInput
~ dumpio_enable_output: DumpIOOutput
modules/echo/mod_echo.c
= echo_on: ProtocolEcho
modules/experimental/mod_case_filter.c
~ CaseFilterEnable: CaseFilter
modules/experimental/mod_case_filter_in.c
= CaseFilterInEnable: CaseFilterIn
modules/experimental/mod_example.c
~ cmd_example: Example
modules/filters/mod_charset_lite.c
= add_charset_default: CharsetDefault
! debug-level add_charset_options: CharsetOptions
= add_charset_source: CharsetSourceEnc
modules/filters/mod_deflate.c
~ deflate_set_buffer_size: DeflateBufferSize
= deflate_set_compressionlevel: DeflateCompressionLevel
~ deflate_set_note: DeflateFilterNote
= deflate_set_inflate_limit: DeflateInflateLimitRequestBody
= deflate_set_inflate_ratio_burst: DeflateInflateRatioBurst
= deflate_set_inflate_ratio_limit: DeflateInflateRatioLimit
= deflate_set_memlevel: DeflateMemLevel
= deflate_set_window_size: DeflateWindowSize
modules/filters/mod_ext_filter.c
= define_filter: ExtFilterDefine
! debug-level add_options: ExtFilterOptions
modules/filters/mod_filter.c
= filter_chain: FilterChain
= filter_declare: FilterDeclare
~ filter_protocol: FilterProtocol
~ filter_provider: FilterProvider
= filter_debug: FilterTrace
modules/filters/mod_include.c
= ap_set_flag_slot: SSIAccessEnable SSIETag SSILastModified
= set_default_end_tag: SSIEndTag
= set_default_error_msg: SSIErrorMsg
= set_default_start_tag: SSIStartTag
= set_default_time_fmt: SSITimeFormat
= set_undefined_echo: SSIUndefinedEcho
= set_xbithack: XBitHack
modules/filters/mod_reqtimeout.c
~ set_reqtimeouts: RequestReadTimeout
modules/filters/mod_substitute.c
~ set_pattern: Substitute
= ap_set_flag_slot: SubstituteInheritBefore
modules/generators/mod_autoindex.c
~ add_alt: AddAlt AddAltByEncoding AddAltByType
= add_desc: AddDescription
~ add_icon: AddIcon AddIconByEncoding AddIconByType
= ap_set_string_slot: DefaultIcon IndexHeadInsert IndexStyleSheet
= ap_set_deprecated: FancyIndexing
= add_ignore: IndexIgnore
~ add_opts: IndexOptions
= set_default_order: IndexOrderDefault
modules/generators/mod_cgi.c
= set_scriptlog: ScriptLog
= set_scriptlog_buffer: ScriptLogBuffer
= set_scriptlog_length: ScriptLogLength
modules/generators/mod_cgid.c
= set_script_timeout: CGIDScriptTimeout
= set_scriptlog: ScriptLog
= set_scriptlog_buffer: ScriptLogBuffer
= set_scriptlog_length: ScriptLogLength
~ set_script_socket: ScriptSock
modules/generators/mod_info.c
= add_module_info: AddModuleInfo
modules/generators/mod_suexec.c
! suexec-user-group set_suexec_ugid: SuexecUserGroup
modules/http/http_core.c
! keep-alive set_keep_alive: KeepAlive
! keep-alive-timeout set_keep_alive_timeout: KeepAliveTimeout
~ set_keep_alive_max: MaxKeepAliveRequests
modules/http/mod_mime.c
= add_extension_info: AddCharset AddEncoding AddHandler AddInputFilter AddLanguage AddOutputFilter AddType
= ap_set_string_slot: DefaultLanguage
= ap_set_flag_slot: ModMimeUsePathInfo
= multiviews_match: MultiviewsMatch
= remove_extension_info: RemoveCharset RemoveEncoding RemoveHandler RemoveInputFilter RemoveLanguage RemoveOutputFilter
= remove_extension_type: RemoveType
= set_types_config: TypesConfig
modules/ldap/util_ldap.c
= util_ldap_set_*: LDAPCacheEntries LDAPCacheTTL LDAPConnectionTimeout LDAPOpCacheEntries LDAPOpCacheTTL LDAPSharedCacheFile LDAPSharedCacheSize LDAPTrustedGlobalCert LDAPTrustedMode LDAPVerifyServerCert
! ldap-trusted-client-cert util_ldap_set_trusted_client_cert: LDAPTrustedClientCert
modules/loggers/mod_log_config.c
= set_buffered_logs_on: BufferedLogs
~ add_custom_log: CustomLog
= log_format: LogFormat
= set_transfer_log: TransferLog
modules/loggers/mod_log_forensic.c
= set_forensic_log: ForensicLog
modules/mappers/mod_actions.c
= add_action: Action
~ set_script: Script
modules/mappers/mod_alias.c
~ add_alias: Alias ScriptAlias
~ add_alias_regex: AliasMatch ScriptAliasMatch
= add_redirect: Redirect
= add_redirect_regex: RedirectMatch
= add_redirect2: RedirectPermanent RedirectTemp
modules/mappers/mod_dir.c
! directory-index-disabled add_index: DirectoryIndex
~ configure_slash: DirectorySlash
= ap_set_string_slot: FallbackResource
modules/mappers/mod_imagemap.c
= ap_set_string_slot: ImapBase ImapDefault ImapMenu
modules/mappers/mod_negotiation.c
= cache_negotiated_docs: CacheNegotiatedDocs
= set_force_priority: ForceLanguagePriority
= set_language_priority: LanguagePriority
modules/mappers/mod_rewrite.c
= cmd_rewritebase: RewriteBase
! rewrite-cond cmd_rewritecond: RewriteCond
= cmd_rewriteengine: RewriteEngine
~ cmd_rewritemap: RewriteMap
~ cmd_rewriteoptions: RewriteOptions
! status-code-refused cmd_rewriterule_setflag: RewriteRule
modules/mappers/mod_so.c
= load_file: LoadFile
= load_module: LoadModule
modules/mappers/mod_speling.c
= ap_set_flag_slot: CheckCaseOnly CheckSpelling
modules/mappers/mod_userdir.c
~ set_user_dir: UserDir
modules/mappers/mod_vhost_alias.c
= vhost_alias_set: VirtualDocumentRoot VirtualDocumentRootIP VirtualScriptAlias VirtualScriptAliasIP
modules/metadata/mod_cern_meta.c
= set_metadir: MetaDir
= set_metafiles: MetaFiles
= set_metasuffix: MetaSuffix
modules/metadata/mod_env.c
= add_env_module_vars_passed: PassEnv
~ add_env_module_vars_set: SetEnv
= add_env_module_vars_unset: UnsetEnv
modules/metadata/mod_expires.c
= set_expiresactive: ExpiresActive
= set_expiresbytype: ExpiresByType
= set_expiresdefault: ExpiresDefault
modules/metadata/mod_headers.c
! regex-replacement header_inout_cmd: Header RequestHeader
! strict-argument parse_format_string: Header RequestHeader
modules/metadata/mod_ident.c
~ set_idcheck: IdentityCheck
~ set_timeout: IdentityCheckTimeout
modules/metadata/mod_mime_magic.c
= set_magicfile: MimeMagicFile
modules/metadata/mod_setenvif.c
= add_browser: BrowserMatch BrowserMatchNoCase
= add_setenvif: SetEnvIf SetEnvIfNoCase
modules/metadata/mod_usertrack.c
~ set_cookie_domain: CookieDomain
~ set_cookie_exp: CookieExpires
~ set_cookie_name: CookieName
= set_cookie_style: CookieStyle
modules/metadata/mod_version.c
~ start_ifversion: IfVersion
modules/proxy/mod_proxy.c
= set_balancer_param: BalancerMember ProxyPass ProxySet
! strict-argument set_proxy_param, set_worker_param: BalancerMember ProxyPass ProxySet
! strict-argument add_member: BalancerMember
! strict-argument set_allowed_ports: AllowCONNECT
= set_*: NoProxy ProxyBadHeader ProxyBlock ProxyDomain ProxyErrorOverride ProxyMaxForwards ProxyPassInterpolateEnv ProxyPassReverseCookieDomain ProxyPassReverseCookiePath ProxyPreserveHost ProxyReceiveBufferSize ProxyRemote ProxyRemoteMatch ProxyRequests ProxyStatus ProxyTimeout ProxyVia
! proxy-section-regex proxysection: Proxy ProxyMatch
! proxy-io-buffer-size set_io_buffer_size: ProxyIOBufferSize
! proxy-pass-in-directory add_pass, add_pass_reverse: ProxyPass ProxyPassReverse
! strict-argument add_pass: ProxyPass ProxyPassMatch
= set_ftp_directory_charset: ProxyFtpDirCharset
modules/proxy/mod_proxy_scgi.c
~ scgi_set_send_file, scgi_set_internal_redirect: ProxySCGIInternalRedirect ProxySCGISendfile
modules/proxy/proxy_util.c
! strict-argument ap_proxy_define_worker, ap_proxy_define_balancer, ap_proxy_update_balancer: BalancerMember ProxyPass ProxySet
= ap_proxy_is_ipaddr, ap_proxy_is_domainname, ap_proxy_is_hostname: NoProxy
modules/ssl/ssl_engine_config.c
= ssl_cmd_*: SSLCADNRequestFile SSLCADNRequestPath SSLCARevocationFile SSLCARevocationPath SSLCertificateChainFile SSLCertificateKeyFile SSLFIPS SSLHonorCipherOrder SSLInsecureRenegotiation SSLOptions SSLPassPhraseDialog SSLRenegBufferSize SSLRequireSSL SSLSessionCacheTimeout SSLSessionTicketKeyFile SSLSessionTickets SSLStrictSNIVHostCheck SSLUserName SSLVerifyClient SSLVerifyDepth
= ssl_cmd_*: SSLProxyCACertificateFile SSLProxyCACertificatePath SSLProxyCheckPeerCN SSLProxyCheckPeerExpire SSLProxyEngine SSLProxyMachineCertificateChainFile SSLProxyMachineCertificateFile SSLProxyMachineCertificatePath
~ ssl_cmd_*: SSLCertificateFile SSLCipherSuite SSLProxyCARevocationFile SSLProxyCARevocationPath SSLProxyCipherSuite SSLProxyVerify SSLProxyVerifyDepth
! strict-argument ssl_cmd_SSLEngine: SSLEngine
! ssl-protocol-sslv2 ssl_cmd_protocol_parse: SSLProtocol SSLProxyProtocol
! ssl-random-seed-egd ssl_cmd_SSLRandomSeed: SSLRandomSeed
! ssl-require ssl_cmd_SSLRequire: SSLRequire
! strict-argument ssl_cmd_SSLCryptoDevice: SSLCryptoDevice
! ssl-compression-on ssl_cmd_SSLCompression: SSLCompression
! ssl-ca-in-section ssl_cmd_SSLCACertificate*: SSLCACertificateFile SSLCACertificatePath
! ssl-session-cache ssl_cmd_SSLSessionCache: SSLSessionCache
server/config.c
! empty-list invoke_cmd: PassEnv and all that take a list
server/core.c
~ set_accf_map: AcceptFilter
= set_accept_path_info: AcceptPathInfo
~ set_access_name: AccessFileName
~ set_add_default_charset: AddDefaultCharset
~ add_ct_output_filters: AddOutputFilterByType
~ set_allow2f: AllowEncodedSlashes
! strict-argument set_allow_opts: AllowOverride
! expression-text command table: AuthName AuthType SetHandler
= ap_set_string_slot: AuthType DefaultType SetInputFilter SetOutputFilter
~ set_content_md5: ContentDigest
~ dirsection: Directory DirectoryMatch
~ set_document_root: DocumentRoot
~ set_enable_mmap: EnableMMAP
~ set_enable_sendfile: EnableSendfile
! status-code-refused set_error_document: ErrorDocument
~ set_server_string_slot: ErrorLog ServerAdmin
~ set_etag_bits: FileETag
~ filesection: Files FilesMatch
= ap_set_string_slot_lower: ForceType SetHandler
~ set_gprof_dir: GprofDir
~ set_hostname_lookups: HostnameLookups
~ set_http_protocol_options: HttpProtocolOptions
~ start_ifdefine: IfDefine
~ start_ifmod: IfModule
! include-pattern include_config: Include
! limit-method ap_limit_section: Limit LimitExcept
~ set_recursion_limit: LimitInternalRecursion
~ set_limit_req_body: LimitRequestBody
~ set_limit_req_fields: LimitRequestFields
~ set_limit_req_fieldsize: LimitRequestFieldSize
~ set_limit_req_line: LimitRequestLine
! strict-argument set_limit_xml_req_body: LimitXMLRequestBody
~ urlsection: Location LocationMatch
! strict-argument set_loglevel: LogLevel
= set_max_ranges: MaxRanges
= set_merge_trailers: MergeTrailers
= ap_set_name_virtual_host: NameVirtualHost
! options set_options: Options
= ap_set_deprecated: Port
~ set_protocol: Protocol
= set_http_method: RegisterHttpMethod
! order-allow-deny require: Require
~ set_limit_cpu: RLimitCPU
= no_set_limit: RLimitCPU RLimitMEM RLimitNPROC
~ set_limit_mem: RLimitMEM
~ set_limit_nproc: RLimitNPROC
~ satisfy: Satisfy
= set_server_alias: ServerAlias
! server-name-pattern server_hostname_port: ServerName
~ set_serverpath: ServerPath
~ set_server_root: ServerRoot
~ set_signature_flag: ServerSignature
! server-tokens set_serv_tokens: ServerTokens
~ set_timeout: TimeOut
~ set_trace_enable: TraceEnable
~ set_use_canonical_name: UseCanonicalName
~ set_use_canonical_phys_port: UseCanonicalPhysicalPort
~ virtualhost_section: VirtualHost
server/log.c
! strict-argument open_error_log: ErrorLog
server/mpm/experimental/event/event.c
~ set_max_clients: MaxClients
= set_max_spare_threads: MaxSpareThreads
~ set_min_spare_threads: MinSpareThreads
~ set_server_limit: ServerLimit
= set_daemons_to_start: StartServers
~ set_thread_limit: ThreadLimit
~ set_threads_per_child: ThreadsPerChild
server/mpm/prefork/prefork.c
~ set_max_clients: MaxClients
= set_max_free_servers: MaxSpareServers
~ set_min_free_servers: MinSpareServers
~ set_server_limit: ServerLimit
= set_daemons_to_start: StartServers
server/mpm/winnt/mpm_winnt.c
~ set_thread_limit: ThreadLimit
~ set_threads_per_child: ThreadsPerChild
server/mpm/worker/worker.c
~ set_max_clients: MaxClients
= set_max_spare_threads: MaxSpareThreads
~ set_min_spare_threads: MinSpareThreads
~ set_server_limit: ServerLimit
= set_daemons_to_start: StartServers
~ set_thread_limit: ThreadLimit
~ set_threads_per_child: ThreadsPerChild
server/mpm_common.c
! strict-argument ap_mpm_set_max_mem_free: MaxMemFree
! strict-argument ap_mpm_set_thread_stacksize: ThreadStackSize
`;

export const COMPARED: readonly Compared[] = readTable();

function readTable(): Compared[] {
  let file = '';
  const found: Compared[] = [];
  for (const line of TABLE.trim().split('\n')) {
    const [, sign, rule, name, directives] = /^(?:([=~])|! (\S+)) ([^:]+): (.*)$/.exec(line) ?? [];
    if (name === undefined || directives === undefined) file = line;
    else if (rule !== undefined) found.push({ file, name, directives, verdict: { kind: 'stricter', rule } });
    else found.push({ file, name, directives, verdict: { kind: sign === '=' ? 'same' : 'read' } });
  }
  return found;
}
