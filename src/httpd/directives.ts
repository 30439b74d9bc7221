/**
 * Every directive and section of httpd 2.2 and 2.4, derived from the command tables of httpd 2.2.x and 2.4.x: which modules define it in
 * which version. Loaded on every start, so it is one string that is taken apart when first asked.
 *
 * A line is `<owners>: <names>`; `a>b` gives the owners in 2.2 and in 2.4 where they differ, an empty side means that this version does
 * not know the directive. Modules are written without `_module`. `<Name` is a section, `Name*` a directive that gets the rest of its
 * line unsplit (RAW_ARGS).
 */
const table = `
>alias: AliasPreservePath RedirectRelative
>allowmethods: AllowMethods
>auth_basic: AuthBasicFake AuthBasicUseDigestAlgorithm
>auth_form: AuthFormAuthoritative AuthFormBody AuthFormDisableNoStore AuthFormFakeBasicAuth AuthFormLocation
    AuthFormLoginRequiredLocation AuthFormLoginSuccessLocation AuthFormLogoutLocation AuthFormMethod AuthFormMimetype
    AuthFormPassword AuthFormProvider AuthFormSitePassphrase AuthFormSize AuthFormUsername
>authn_socache: AuthnCacheContext AuthnCacheEnable AuthnCacheProvideFor AuthnCacheSOCache AuthnCacheTimeout
>authnz_fcgi: AuthnzFcgiCheckAuthnProvider AuthnzFcgiDefineProvider
>authnz_ldap: AuthLDAPAuthorizePrefix AuthLDAPCompareAsUser AuthLDAPInitialBindAsUser AuthLDAPInitialBindPattern
    AuthLDAPMaxSubGroupDepth AuthLDAPSearchAsUser AuthLDAPSubGroupAttribute AuthLDAPSubGroupClass
>authz_core: <AuthzProviderAlias* <RequireAll* <RequireAny* <RequireNone* AuthMerging AuthzSendForbiddenOnFailure
>authz_dbd: AuthzDBDLoginToReferer AuthzDBDQuery AuthzDBDRedirectQuery
>autoindex: IndexIgnoreReset
>brotli: BrotliAlterETag BrotliCompressionMaxInputBlock BrotliCompressionQuality BrotliCompressionWindow
    BrotliFilterNote
>buffer: BufferSize
>cache: CacheDetailHeader CacheHeader CacheKeyBaseURL CacheMinExpire CacheQuickHandler CacheStaleOnError
    CacheStoreExpired
>cache_disk: CacheReadSize CacheReadTime
>cache_socache: CacheSocache CacheSocacheMaxSize CacheSocacheMaxTime CacheSocacheMinTime CacheSocacheReadSize
    CacheSocacheReadTime
>cgi: CGIScriptTimeout
>core: <Else* <ElseIf* <If* <IfDirective* <IfFile* <IfSection* AllowOverrideList CGIPassAuth CGIVar DefaultRuntimeDir
    Define Error* ErrorLogFormat FlushMaxPipelined FlushMaxThreshold IncludeOptional MaxRangeOverlaps
    MaxRangeReversals MergeSlashes Mutex* Protocols ProtocolsHonorOrder QualifyRedirectURL ReadBufferSize
    RegexDefaultOptions* StrictHostCheck UNCList UnDefine
>dav: DavBasePath
>dav_fs: DavLockDiscovery
>dbd: DBDInitSQL
>deflate: DeflateAlterETag
>dialup: ModemStandard
>dir: DirectoryCheckHandler DirectoryIndexRedirect
>heartbeat: HeartbeatAddress
>heartmonitor: HeartbeatListen HeartbeatMaxServers
>heartmonitor,lbmethod_heartbeat: HeartbeatStorage
>http2: H2CopyFiles H2Direct H2EarlyHint H2EarlyHints H2MaxDataFrameLen H2MaxHeaderBlockLen H2MaxSessionStreams
    H2MaxStreamErrors H2MaxWorkerIdleSeconds H2MaxWorkers H2MinWorkers H2ModernTLSOnly H2OutputBuffering H2Padding
    H2ProxyRequests H2Push H2PushDiarySize H2PushPriority H2PushResource H2SerializeHeaders H2SessionExtraFiles
    H2StreamMaxMemSize H2StreamTimeout H2TLSCoolDownSecs H2TLSWarmUpSize H2Upgrade H2WebSockets H2WindowSize
>include: SSILegacyExprParser
>ldap: LDAPConnectionPoolTTL LDAPLibraryDebug LDAPReferralHopLimit LDAPReferrals LDAPRetries LDAPRetryDelay
    LDAPTimeout
>log_config: GlobalLog
>log_debug: LogMessage
>logio: LogIOTrackTTFB
>lua: <LuaHookAccessChecker* <LuaHookAuthChecker* <LuaHookCheckUserID* <LuaHookFixups* <LuaHookMapToStorage*
    <LuaHookPreTranslateName* <LuaHookTranslateName* <LuaHookTypeChecker* <LuaQuickHandler* LuaAuthzProvider
    LuaCodeCache LuaHookInsertFilter LuaHookLog LuaHookPreTranslate LuaInherit LuaInputFilter LuaMapHandler
    LuaOutputFilter LuaPackageCPath LuaPackagePath LuaRoot LuaScope
>macro: <Macro MacroIgnoreBadNesting MacroIgnoreEmptyArgs UndefMacro Use
>md: <MDomain <MDomainSet MDActivationDelay MDBaseServer MDCACertificateFile MDCAChallenges MDCertificateAgreement
    MDCertificateAuthority MDCertificateCheck MDCertificateFile MDCertificateKeyFile MDCertificateMonitor
    MDCertificateProtocol MDCertificateStatus MDChallengeDns01* MDChallengeDns01Version MDCheckInterval MDContactEmail
    MDDriveMode MDExternalAccountBinding MDHttpProxy MDHttpProxyCACertificateFile MDInitialDelay MDMatchNames MDMember
    MDMembers MDMessageCmd* MDMustStaple MDNotifyCmd* MDPortMap MDPrivateKeys MDProfile MDProfileMandatory MDRenewMode
    MDRenewViaARI MDRenewWindow MDRequireHttps MDRetryDelay MDRetryFailover MDServerStatus MDStapleOthers MDStapling
    MDStaplingKeepResponse MDStaplingRenewWindow MDStoreDir MDStoreLocks MDWarnWindow
>mpm_event: AsyncRequestWorkerFactor ListenTCPDeferAccept
>mpm_event,mpm_mpmt_os2,mpm_netware,mpm_prefork,mpm_winnt,mpm_worker: MaxConnectionsPerChild
>mpm_event,mpm_prefork,mpm_worker: ListenCoresBucketsRatio MaxRequestWorkers
>privileges: DTracePrivileges PrivilegesMode VHostCGIMode VHostCGIPrivs VHostGroup VHostPrivs VHostSecure VHostUser
>proxy: BalancerGrowth BalancerInherit BalancerPersist Proxy100Continue ProxyAddHeaders ProxyPassInherit
    ProxySourceAddress
>proxy_express: ProxyExpressDBMFile ProxyExpressDBMType ProxyExpressEnable
>proxy_fcgi: ProxyFCGIBackendType ProxyFCGISetEnvIf
>proxy_ftp: ProxyFtpEscapeWildcards ProxyFtpListOnWildcard
>proxy_hcheck: ProxyHCExpr* ProxyHCTPsize ProxyHCTemplate*
>proxy_html: ProxyHTMLBufSize ProxyHTMLCharsetOut ProxyHTMLDocType ProxyHTMLEnable ProxyHTMLEvents ProxyHTMLExtended
    ProxyHTMLFixups ProxyHTMLInterp ProxyHTMLLinks ProxyHTMLMeta ProxyHTMLStripComments ProxyHTMLURLMap*
>proxy_wstunnel: ProxyWebsocketFallbackToProxyHttp
>reflector: ReflectorHeader
>remoteip: RemoteIPHeader RemoteIPInternalProxy RemoteIPInternalProxyList RemoteIPProxiesHeader RemoteIPProxyProtocol
    RemoteIPProxyProtocolExceptions RemoteIPTrustedProxy RemoteIPTrustedProxyList
>request: KeptBodySize
>sed: InputSed OutputSed
>session: Session SessionEnv SessionExclude SessionExpiryUpdateInterval SessionHeader SessionInclude SessionMaxAge
>session_cookie: SessionCookieName* SessionCookieName2* SessionCookieRemove
>session_crypto: SessionCryptoCipher SessionCryptoDriver* SessionCryptoPassphrase SessionCryptoPassphraseFile
>session_dbd: SessionDBDCookieName* SessionDBDCookieName2* SessionDBDCookieRemove SessionDBDDeleteLabel
    SessionDBDInsertLabel SessionDBDPerUser SessionDBDSelectLabel SessionDBDUpdateLabel
>setenvif: SetEnvIfExpr*
>socache_memcache: MemcacheConnTTL
>socache_redis: RedisConnPoolTTL RedisTimeout
>speling: CheckBasenameMatch
>ssl: SSLCARevocationCheck* SSLOCSPDefaultResponder SSLOCSPEnable* SSLOCSPNoverify SSLOCSPOverrideResponder
    SSLOCSPProxyURL SSLOCSPResponderCertificateFile SSLOCSPResponderTimeout SSLOCSPResponseMaxAge
    SSLOCSPResponseTimeSkew SSLOCSPUseRequestNonce SSLOpenSSLConfCmd SSLProxyCARevocationCheck* SSLProxyCheckPeerName
    SSLSRPUnknownUserSeed SSLSRPVerifierFile SSLStaplingCache SSLStaplingErrorCacheTimeout SSLStaplingFakeTryLater
    SSLStaplingForceURL SSLStaplingResponderTimeout SSLStaplingResponseMaxAge SSLStaplingResponseTimeSkew
    SSLStaplingReturnResponderErrors SSLStaplingStandardCacheTimeout SSLUseStapling SSLVHostSNIPolicy
>substitute: SubstituteMaxLineLength
>usertrack: CookieHTTPOnly CookieSameSite CookieSecure
>watchdog: WatchdogInterval
>xml2enc: xml2EncAlias xml2EncDefault xml2StartParse
actions: Action Script
alias: Alias AliasMatch Redirect RedirectMatch RedirectPermanent RedirectTemp ScriptAlias ScriptAliasMatch
auth_basic: AuthBasicAuthoritative AuthBasicProvider
auth_digest: AuthDigestAlgorithm AuthDigestDomain AuthDigestNcCheck AuthDigestNonceFormat AuthDigestNonceLifetime
    AuthDigestProvider AuthDigestQop AuthDigestShmemSize
authn_alias>authn_core: <AuthnProviderAlias*
authn_anon: Anonymous Anonymous_LogEmail Anonymous_MustGiveEmail Anonymous_NoUserID Anonymous_VerifyEmail
authn_dbd: AuthDBDUserPWQuery AuthDBDUserRealmQuery
authn_dbm: AuthDBMType AuthDBMUserFile
authn_default>: AuthDefaultAuthoritative
authn_file: AuthUserFile
authnz_ldap: AuthLDAPBindAuthoritative AuthLDAPBindDN AuthLDAPBindPassword AuthLDAPCharsetConfig
    AuthLDAPCompareDNOnServer AuthLDAPDereferenceAliases AuthLDAPGroupAttribute AuthLDAPGroupAttributeIsDN
    AuthLDAPRemoteUserAttribute AuthLDAPRemoteUserIsDN AuthLDAPURL
authnz_ldap>: AuthzLDAPAuthoritative
authz_dbm: AuthDBMGroupFile AuthzDBMType
authz_dbm>: AuthzDBMAuthoritative
authz_default>: AuthzDefaultAuthoritative
authz_groupfile: AuthGroupFile
authz_groupfile>: AuthzGroupFileAuthoritative
authz_host>access_compat: Allow Deny Order
authz_owner>: AuthzOwnerAuthoritative
authz_user>: AuthzUserAuthoritative
autoindex: AddAlt AddAltByEncoding AddAltByType AddDescription AddIcon AddIconByEncoding AddIconByType DefaultIcon
    FancyIndexing* HeaderName IndexHeadInsert IndexIgnore IndexOptions IndexOrderDefault IndexStyleSheet ReadmeName
cache: CacheDefaultExpire CacheDisable CacheEnable CacheIgnoreCacheControl CacheIgnoreHeaders CacheIgnoreNoLastMod
    CacheIgnoreQueryString CacheIgnoreURLSessionIdentifiers CacheLastModifiedFactor CacheLock CacheLockMaxAge
    CacheLockPath CacheMaxExpire CacheStoreNoStore CacheStorePrivate
case_filter: CaseFilter
case_filter_in: CaseFilterIn
cern_meta: MetaDir MetaFiles MetaSuffix
cgi,cgid: ScriptLog ScriptLogBuffer ScriptLogLength
cgid: CGIDScriptTimeout ScriptSock
charset_lite: CharsetDefault CharsetOptions CharsetSourceEnc
core: <Directory* <DirectoryMatch* <Files* <FilesMatch* <IfDefine* <IfModule* <Limit* <LimitExcept* <Location*
    <LocationMatch* <VirtualHost* AcceptPathInfo AccessFileName* AddDefaultCharset AllowEncodedSlashes AllowOverride*
    CGIMapExtension ContentDigest DefaultType DocumentRoot EnableMMAP EnableSendfile ErrorDocument ErrorLog FileETag*
    ForceType GprofDir HostnameLookups HttpProtocolOptions Include KeepAlive KeepAliveTimeout LimitInternalRecursion
    LimitRequestBody LimitRequestFieldSize LimitRequestFields LimitRequestLine LimitXMLRequestBody LogLevel
    MaxKeepAliveRequests MaxRanges MergeTrailers NameVirtualHost Options* Port Protocol RLimitCPU RLimitMEM
    RLimitNPROC RegisterHttpMethod ScriptInterpreterSource ServerAdmin ServerAlias* ServerName ServerPath ServerRoot
    ServerSignature ServerTokens SetHandler SetInputFilter SetOutputFilter TimeOut TraceEnable UseCanonicalName
    UseCanonicalPhysicalPort
core>access_compat: Satisfy
core>authn_core: AuthName AuthType
core>authz_core: Require*
core>core,mpm_winnt: AcceptFilter
core>filter: AddOutputFilterByType
core>unixd: Suexec
dav: Dav DavDepthInfinity DavMinTimeout
dav_fs: DavLockDB
dav_lock: DavGenericLockDB
dbd: DBDExptime DBDKeep DBDMax DBDMin DBDParams DBDPersist DBDPrepareSQL DBDriver
deflate: DeflateBufferSize DeflateCompressionLevel DeflateFilterNote DeflateInflateLimitRequestBody
    DeflateInflateRatioBurst DeflateInflateRatioLimit DeflateMemLevel DeflateWindowSize
dir: DirectoryIndex* DirectorySlash FallbackResource
disk_cache>cache_disk: CacheDirLength CacheDirLevels CacheMaxFileSize CacheMinFileSize CacheRoot
dumpio: DumpIOInput DumpIOOutput
dumpio>: DumpIOLogLevel
echo: ProtocolEcho
env: PassEnv SetEnv UnsetEnv
example>example_hooks: Example
expires: ExpiresActive ExpiresByType ExpiresDefault
ext_filter: ExtFilterDefine* ExtFilterOptions
file_cache: CacheFile MMapFile
filter: FilterChain FilterDeclare FilterProtocol FilterProvider* FilterTrace
headers: Header* RequestHeader*
ident: IdentityCheck IdentityCheckTimeout
imagemap: ImapBase ImapDefault ImapMenu
include: SSIETag SSIEndTag SSIErrorMsg SSILastModified SSIStartTag SSITimeFormat SSIUndefinedEcho XBitHack
include>: SSIAccessEnable
info: AddModuleInfo
isapi: ISAPIAppendLogToErrors ISAPIAppendLogToQuery ISAPICacheFile ISAPIFakeAsync ISAPILogNotSupported
    ISAPIReadAheadBuffer
ldap: LDAPCacheEntries LDAPCacheTTL LDAPConnectionTimeout LDAPOpCacheEntries LDAPOpCacheTTL LDAPSharedCacheFile
    LDAPSharedCacheSize LDAPTrustedClientCert LDAPTrustedGlobalCert LDAPTrustedMode LDAPVerifyServerCert
log_config: BufferedLogs CustomLog LogFormat TransferLog
log_config>: CookieLog
log_forensic: ForensicLog
mem_cache>: MCacheMaxObjectCount MCacheMaxObjectSize MCacheMaxStreamingBuffer MCacheMinObjectSize
    MCacheRemovalAlgorithm MCacheSize
mime: AddCharset AddEncoding AddHandler AddInputFilter AddLanguage AddOutputFilter AddType DefaultLanguage
    ModMimeUsePathInfo MultiviewsMatch RemoveCharset RemoveEncoding RemoveHandler RemoveInputFilter RemoveLanguage
    RemoveOutputFilter RemoveType TypesConfig
mime_magic: MimeMagicFile
mpm_beos,mpm_event,mpm_mpmt_os2,mpm_netware,mpm_prefork,mpm_winnt,mpm_worker>mpm_event,mpm_mpmt_os2,mpm_netware,mpm_prefork,mpm_winnt,mpm_worker:
    Listen ListenBackLog SendBufferSize
mpm_beos,mpm_event,mpm_mpmt_os2,mpm_netware,mpm_worker>mpm_event,mpm_mpmt_os2,mpm_netware,mpm_worker: MaxSpareThreads
    MinSpareThreads
mpm_beos,mpm_event,mpm_mpmt_os2,mpm_prefork,mpm_winnt,mpm_worker>mpm_event,mpm_mpmt_os2,mpm_prefork,mpm_winnt,mpm_worker:
    PidFile
mpm_beos,mpm_event,mpm_mpmt_os2,mpm_prefork,mpm_worker>mpm_event,mpm_mpmt_os2,mpm_prefork,mpm_worker,unixd: Group User
mpm_beos,mpm_event,mpm_netware,mpm_prefork,mpm_winnt,mpm_worker>mpm_event,mpm_netware,mpm_prefork,mpm_winnt,mpm_worker:
    MaxMemFree
mpm_beos,mpm_event,mpm_prefork,mpm_winnt,mpm_worker>mpm_event,mpm_prefork,mpm_winnt,mpm_worker: CoreDumpDirectory
    ScoreBoardFile
mpm_beos,mpm_event,mpm_prefork,mpm_worker>mpm_event,mpm_prefork,mpm_worker: MaxClients
mpm_beos,mpm_mpmt_os2,mpm_netware,mpm_prefork,mpm_winnt,mpm_worker>mpm_event,mpm_mpmt_os2,mpm_netware,mpm_prefork,mpm_winnt,mpm_worker:
    ReceiveBufferSize
mpm_beos,mpm_netware>mpm_netware: StartThreads
mpm_beos>: MaxRequestsPerThread
mpm_event,mpm_mpmt_os2,mpm_netware,mpm_prefork,mpm_winnt,mpm_worker>core: MaxRequestsPerChild
mpm_event,mpm_mpmt_os2,mpm_prefork,mpm_worker: StartServers
mpm_event,mpm_netware,mpm_winnt,mpm_worker>mpm_event,mpm_mpmt_os2,mpm_netware,mpm_winnt,mpm_worker: ThreadStackSize
mpm_event,mpm_prefork,mpm_worker: EnableExceptionHook GracefulShutdownTimeout ServerLimit
mpm_event,mpm_prefork,mpm_worker>: AcceptMutex LockFile
mpm_event,mpm_prefork,mpm_worker>unixd: ChrootDir
mpm_event,mpm_winnt,mpm_worker: ThreadLimit ThreadsPerChild
mpm_netware: MaxThreads
mpm_prefork: MaxSpareServers MinSpareServers
mpm_winnt>: Win32DisableAcceptEx
negotiation: CacheNegotiatedDocs ForceLanguagePriority LanguagePriority
nw_ssl: NWSSLTrustedCerts NWSSLUpgradeable SecureListen
proxy: <Proxy* <ProxyMatch* BalancerMember* NoProxy ProxyBadHeader ProxyBlock ProxyDomain ProxyErrorOverride
    ProxyIOBufferSize ProxyMaxForwards ProxyPass* ProxyPassInterpolateEnv ProxyPassMatch* ProxyPassReverse
    ProxyPassReverseCookieDomain ProxyPassReverseCookiePath ProxyPreserveHost ProxyReceiveBufferSize ProxyRemote
    ProxyRemoteMatch ProxyRequests ProxySet* ProxyStatus ProxyTimeout ProxyVia
proxy>proxy_connect: AllowCONNECT
proxy>proxy_ftp: ProxyFtpDirCharset
proxy_scgi: ProxySCGIInternalRedirect ProxySCGISendfile
reqtimeout: RequestReadTimeout*
rewrite: RewriteBase RewriteCond* RewriteEngine RewriteMap RewriteOptions RewriteRule*
rewrite>: RewriteLock RewriteLog RewriteLogLevel
setenvif: BrowserMatch* BrowserMatchNoCase* SetEnvIf* SetEnvIfNoCase*
so: LoadFile LoadModule
speling: CheckCaseOnly CheckSpelling
ssl: SSLCACertificateFile SSLCACertificatePath SSLCADNRequestFile SSLCADNRequestPath SSLCARevocationFile
    SSLCARevocationPath SSLCertificateChainFile SSLCertificateFile SSLCertificateKeyFile SSLCipherSuite SSLCompression
    SSLCryptoDevice SSLEngine SSLFIPS SSLHonorCipherOrder SSLInsecureRenegotiation SSLLog* SSLLogLevel* SSLOptions*
    SSLPassPhraseDialog SSLProtocol* SSLProxyCACertificateFile SSLProxyCACertificatePath SSLProxyCARevocationFile
    SSLProxyCARevocationPath SSLProxyCheckPeerCN SSLProxyCheckPeerExpire SSLProxyCipherSuite SSLProxyEngine
    SSLProxyMachineCertificateChainFile SSLProxyMachineCertificateFile SSLProxyMachineCertificatePath
    SSLProxyProtocol* SSLProxyVerify SSLProxyVerifyDepth SSLRandomSeed SSLRenegBufferSize SSLRequire* SSLRequireSSL
    SSLSessionCache SSLSessionCacheTimeout SSLSessionTicketKeyFile SSLSessionTickets SSLStrictSNIVHostCheck
    SSLUserName SSLVerifyClient SSLVerifyDepth
ssl>: SSLMutex
status>core: ExtendedStatus SeeRequestTail
substitute: Substitute SubstituteInheritBefore
suexec: SuexecUserGroup
userdir: UserDir*
usertrack: CookieDomain CookieExpires CookieName CookieStyle CookieTracking
version: <IfVersion
vhost_alias: VirtualDocumentRoot VirtualDocumentRootIP VirtualScriptAlias VirtualScriptAliasIP
`;

export interface DirectiveInfo {
  /** As the command table spells it. */
  readonly name: string;
  readonly section: boolean;
  /** Takes its arguments apart itself: quoting may mean something else there. */
  readonly raw: boolean;
  /** The modules that define it, by identifier without `_module`; empty where that version does not know it. */
  readonly owners22: readonly string[];
  readonly owners24: readonly string[];
}

let byName: ReadonlyMap<string, DirectiveInfo> | undefined;

/** Finds a directive or section by name, in any letter case; undefined for what neither version ships. */
export function findDirective(name: string): DirectiveInfo | undefined {
  return (byName ??= read()).get(name.toLowerCase());
}

/** What both versions ship, in no order that matters. */
export function allDirectives(): Iterable<DirectiveInfo> {
  return (byName ??= read()).values();
}

function read(): Map<string, DirectiveInfo> {
  const found = new Map<string, DirectiveInfo>();
  for (const group of table.trim().split(/\n(?! )/)) {
    const [owners = '', names = ''] = group.split(': ');
    const [owners22 = '', owners24 = owners22] = owners.split('>');
    const modules = { owners22: split(owners22, ','), owners24: split(owners24, ',') };
    for (const word of split(names, /[ \n]+/)) {
      const name = word.replace(/[<*]/g, '');
      const info = { name, section: word.startsWith('<'), raw: word.endsWith('*'), ...modules };
      found.set(name.toLowerCase(), info);
    }
  }
  return found;
}

function split(list: string, separator: string | RegExp): string[] {
  return list === '' ? [] : list.split(separator);
}
