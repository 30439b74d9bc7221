// Printed by scripts/httpd-data.mjs, which says what the codes mean; directives.ts and modules.ts take it apart.

export const directiveTable = `
>alias: AliasPreservePath=fF RedirectRelative=fF
>allowmethods: AllowMethods=vd
>auth_basic: AuthBasicFake=12A AuthBasicUseDigestAlgorithm=1A
>auth_form: AuthFormAuthoritative=fA AuthFormBody=1A AuthFormDisableNoStore=fA AuthFormFakeBasicAuth=fA AuthFormLocation=1A
    AuthFormLoginRequiredLocation=1A AuthFormLoginSuccessLocation=1A AuthFormLogoutLocation=1A AuthFormMethod=1A
    AuthFormMimetype=1A AuthFormPassword=1A AuthFormProvider=iA AuthFormSitePassphrase=1A AuthFormSize=1d AuthFormUsername=1A
>authn_socache: AuthnCacheContext=1d AuthnCacheEnable=rs-g AuthnCacheProvideFor=iA AuthnCacheSOCache=1s-g AuthnCacheTimeout=1A
>authnz_fcgi: AuthnzFcgiCheckAuthnProvider=vF AuthnzFcgiDefineProvider=vs-g
>authnz_ldap: AuthLDAPAuthorizePrefix=1A AuthLDAPCompareAsUser=fA AuthLDAPInitialBindAsUser=fA AuthLDAPInitialBindPattern=2A
    AuthLDAPMaxSubGroupDepth=1A AuthLDAPSearchAsUser=fA AuthLDAPSubGroupAttribute=iA AuthLDAPSubGroupClass=iA
>authz_core: <AuthzProviderAlias=rs-g <RequireAll=rA <RequireAny=rA <RequireNone=rA AuthMerging=1A AuthzSendForbiddenOnFailure=fA
>authz_dbd: AuthzDBDLoginToReferer=fd AuthzDBDQuery=1d-h AuthzDBDRedirectQuery=1d-h
>autoindex: IndexIgnoreReset=fI
>brotli: BrotliAlterETag=1s BrotliCompressionMaxInputBlock=1s BrotliCompressionQuality=1s BrotliCompressionWindow=1s
    BrotliFilterNote=12s
>buffer: BufferSize=1d
>cache: CacheDetailHeader=fsd CacheHeader=fsd CacheKeyBaseURL=1s CacheMinExpire=1sd CacheQuickHandler=fs CacheStaleOnError=fsd
    CacheStoreExpired=fsd
>cache_disk: CacheReadSize=1sd CacheReadTime=1sd
>cache_socache: CacheSocache=1s CacheSocacheMaxSize=1sd CacheSocacheMaxTime=1sd CacheSocacheMinTime=1sd CacheSocacheReadSize=1sd
    CacheSocacheReadTime=1sd
>cgi: CGIScriptTimeout=1sd
>core: <Else=r*-l <ElseIf=r*-l <If=r*-l <IfDirective=rx* <IfFile=rx* <IfSection=rx* AllowOverrideList=vd-h CGIPassAuth=fA
    CGIVar=2F DefaultRuntimeDir=1xs-g Define=12xsd-h Error=r* ErrorLogFormat=12s FlushMaxPipelined=1s FlushMaxThreshold=1s
    IncludeOptional=1xsd MaxRangeOverlaps=1sd MaxRangeReversals=1sd MergeSlashes=fs Mutex=rs-g Protocols=is-c
    ProtocolsHonorOrder=1s-c QualifyRedirectURL=fF ReadBufferSize=1sd RegexDefaultOptions=rs-g StrictHostCheck=fs UNCList=vxs-v
    UnDefine=1xsd-h
>dav: DavBasePath=1d
>dav_fs: DavLockDiscovery=fsd
>dbd: DBDInitSQL=1s
>deflate: DeflateAlterETag=1s
>dialup: ModemStandard=?
>dir: DirectoryCheckHandler=fI DirectoryIndexRedirect=1I
>heartbeat: HeartbeatAddress=1s-g
>heartmonitor: HeartbeatListen=1s-g HeartbeatMaxServers=1s-g
>heartmonitor,lbmethod_heartbeat: HeartbeatStorage=1s-g
>http2: H2CopyFiles=1F H2Direct=1s H2EarlyHint=2FA H2EarlyHints=1s H2MaxDataFrameLen=1s H2MaxHeaderBlockLen=?
    H2MaxSessionStreams=1s H2MaxStreamErrors=? H2MaxWorkerIdleSeconds=1s H2MaxWorkers=1s H2MinWorkers=1s H2ModernTLSOnly=1s
    H2OutputBuffering=1s H2Padding=1s H2ProxyRequests=1F H2Push=1sA H2PushDiarySize=1s H2PushPriority=23s H2PushResource=123FA
    H2SerializeHeaders=1s H2SessionExtraFiles=1s H2StreamMaxMemSize=1s H2StreamTimeout=1s H2TLSCoolDownSecs=1s H2TLSWarmUpSize=1s
    H2Upgrade=1sA H2WebSockets=1s H2WindowSize=1s
>include: SSILegacyExprParser=fL
>ldap: LDAPConnectionPoolTTL=1s LDAPLibraryDebug=1s-g LDAPReferralHopLimit=1A LDAPReferrals=1A LDAPRetries=1s-g
    LDAPRetryDelay=1s-g LDAPTimeout=1s-g
>log_config: GlobalLog=23s-g
>log_debug: LogMessage=123sd
>logio: LogIOTrackTTFB=f*
>lua: <LuaHookAccessChecker=rx* <LuaHookAuthChecker=rx* <LuaHookCheckUserID=rx* <LuaHookFixups=rx* <LuaHookMapToStorage=rx*
    <LuaHookPreTranslateName=rx* <LuaHookTranslateName=rx* <LuaHookTypeChecker=rx* <LuaQuickHandler=rx* LuaAuthzProvider=3xs-g
    LuaCodeCache=1* LuaHookAccessChecker=23* LuaHookAuthChecker=23* LuaHookCheckUserID=23* LuaHookFixups=2* LuaHookInsertFilter=2*
    LuaHookLog=2* LuaHookMapToStorage=2* LuaHookPreTranslate=? LuaHookPreTranslateName=2* LuaHookTranslateName=23*-dfh
    LuaHookTypeChecker=2* LuaInherit=1* LuaInputFilter=3*-dfh LuaMapHandler=23*-dfh LuaOutputFilter=3*-dfh LuaPackageCPath=1*
    LuaPackagePath=1* LuaQuickHandler=2*-dfh LuaRoot=1* LuaScope=123*
>macro: <Macro=? MacroIgnoreBadNesting=? MacroIgnoreEmptyArgs=? UndefMacro=? Use=?
>md: <MDomain=? <MDomainSet=? MDActivationDelay=1s MDBaseServer=1s MDCACertificateFile=1s MDCAChallenges=vs
    MDCertificateAgreement=1s MDCertificateAuthority=vs MDCertificateCheck=2s MDCertificateFile=1s MDCertificateKeyFile=1s
    MDCertificateMonitor=? MDCertificateProtocol=1s MDCertificateStatus=1s MDChallengeDns01=rs MDChallengeDns01Version=1s
    MDCheckInterval=1s MDContactEmail=1s MDDriveMode=1s MDExternalAccountBinding=12s MDHttpProxy=1s MDHttpProxyCACertificateFile=?
    MDInitialDelay=? MDMatchNames=1s MDMember=vs MDMembers=vs MDMessageCmd=rs MDMustStaple=1s MDNotifyCmd=rs MDPortMap=12s
    MDPrivateKeys=vs MDProfile=? MDProfileMandatory=? MDRenewMode=1s MDRenewViaARI=? MDRenewWindow=1s MDRequireHttps=1sA
    MDRetryDelay=1s MDRetryFailover=1s MDServerStatus=1s MDStapleOthers=1s MDStapling=1s MDStaplingKeepResponse=1s
    MDStaplingRenewWindow=1s MDStoreDir=1s MDStoreLocks=1s MDWarnWindow=1s MDomain=vs
>mpm_event: AsyncRequestWorkerFactor=1s-g ListenTCPDeferAccept=?
>mpm_event,mpm_mpmt_os2,mpm_netware,mpm_prefork,mpm_winnt,mpm_worker: MaxConnectionsPerChild=1s-g
>mpm_event,mpm_prefork,mpm_worker: ListenCoresBucketsRatio=1s-g MaxRequestWorkers=1s-g
>privileges: DTracePrivileges=fs-g PrivilegesMode=1sd VHostCGIMode=1s VHostCGIPrivs=is VHostGroup=1s VHostPrivs=is VHostSecure=fs
    VHostUser=1s
>proxy: BalancerGrowth=1s BalancerInherit=fs BalancerPersist=fs Proxy100Continue=fsd ProxyAddHeaders=fsd ProxyPassInherit=fs
    ProxySourceAddress=1s
>proxy_express: ProxyExpressDBMFile=1F ProxyExpressDBMType=1F ProxyExpressEnable=fF
>proxy_fcgi: ProxyFCGIBackendType=1F ProxyFCGISetEnvIf=23F
>proxy_ftp: ProxyFtpEscapeWildcards=fsd ProxyFtpListOnWildcard=fsd
>proxy_hcheck: ProxyHCExpr=rF-h ProxyHCTPsize=1s-g ProxyHCTemplate=rF-h
>proxy_html: ProxyHTMLBufSize=1sd ProxyHTMLCharsetOut=1sd ProxyHTMLDocType=12sd ProxyHTMLEnable=fsd ProxyHTMLEvents=isd
    ProxyHTMLExtended=fsd ProxyHTMLFixups=isd ProxyHTMLInterp=fsd ProxyHTMLLinks=jsd ProxyHTMLMeta=fsd ProxyHTMLStripComments=fsd
    ProxyHTMLURLMap=rsd
>proxy_wstunnel: ProxyWebsocketFallbackToProxyHttp=fsd
>reflector: ReflectorHeader=12O
>remoteip: RemoteIPHeader=1s RemoteIPInternalProxy=is RemoteIPInternalProxyList=1xs RemoteIPProxiesHeader=1s
    RemoteIPProxyProtocol=fs RemoteIPProxyProtocolExceptions=vs RemoteIPTrustedProxy=is RemoteIPTrustedProxyList=1xs
>request: KeptBodySize=1d
>sed: InputSed=1d OutputSed=1d
>session: Session=fsA SessionEnv=fsA SessionExclude=1sA SessionExpiryUpdateInterval=1sA SessionHeader=1sA SessionInclude=1sA
    SessionMaxAge=1sA
>session_cookie: SessionCookieName2=rsA SessionCookieName=rsA SessionCookieRemove=fsA
>session_crypto: SessionCryptoCipher=1sA SessionCryptoDriver=rs-g SessionCryptoPassphrase=isA SessionCryptoPassphraseFile=1sd
>session_dbd: SessionDBDCookieName2=rsA SessionDBDCookieName=rsA SessionDBDCookieRemove=fsA SessionDBDDeleteLabel=1sA
    SessionDBDInsertLabel=1sA SessionDBDPerUser=fsA SessionDBDSelectLabel=1sA SessionDBDUpdateLabel=1sA
>setenvif: SetEnvIfExpr=rF
>socache_memcache: MemcacheConnTTL=1s
>socache_redis: RedisConnPoolTTL=1s RedisTimeout=1s
>speling: CheckBasenameMatch=fO
>ssl: SSLCARevocationCheck=rs SSLOCSPDefaultResponder=1s SSLOCSPEnable=rs SSLOCSPNoverify=fs SSLOCSPOverrideResponder=fs
    SSLOCSPProxyURL=1s SSLOCSPResponderCertificateFile=1s SSLOCSPResponderTimeout=1s SSLOCSPResponseMaxAge=1s
    SSLOCSPResponseTimeSkew=1s SSLOCSPUseRequestNonce=fs SSLOpenSSLConfCmd=2s SSLProxyCARevocationCheck=rsp
    SSLProxyCheckPeerName=fsp SSLSRPUnknownUserSeed=1s SSLSRPVerifierFile=1s SSLStaplingCache=1s-g SSLStaplingErrorCacheTimeout=1s
    SSLStaplingFakeTryLater=fs SSLStaplingForceURL=1s SSLStaplingResponderTimeout=1s SSLStaplingResponseMaxAge=1s
    SSLStaplingResponseTimeSkew=1s SSLStaplingReturnResponderErrors=fs SSLStaplingStandardCacheTimeout=1s SSLUseStapling=fs
    SSLVHostSNIPolicy=?
>substitute: SubstituteMaxLineLength=1F
>usertrack: CookieHTTPOnly=fF CookieSameSite=1F CookieSecure=fF
>watchdog: WatchdogInterval=1s-g
>xml2enc: xml2EncAlias=js-g xml2EncDefault=1* xml2StartParse=i*
actions: Action=23F Script=2sd
alias: Alias=2s>12sd-df AliasMatch=2s>2s-c Redirect=23F>123F RedirectMatch=23F RedirectPermanent=2F RedirectTemp=2F
    ScriptAlias=2s>12sd-df ScriptAliasMatch=2s>2s-c
auth_basic: AuthBasicAuthoritative=fA AuthBasicProvider=iA
auth_digest: AuthDigestAlgorithm=1A AuthDigestDomain=iA AuthDigestNcCheck=fA AuthDigestNonceFormat=!A AuthDigestNonceLifetime=1A
    AuthDigestProvider=iA AuthDigestQop=iA AuthDigestShmemSize=1s
authn_alias>authn_core: <AuthnProviderAlias=rs-g
authn_anon: Anonymous=iA Anonymous_LogEmail=fA Anonymous_MustGiveEmail=fA Anonymous_NoUserID=fA Anonymous_VerifyEmail=fA
authn_dbd: AuthDBDUserPWQuery=1d>1d-h AuthDBDUserRealmQuery=1d>1d-h
authn_dbm: AuthDBMType=1A AuthDBMUserFile=1A
authn_default>: AuthDefaultAuthoritative=fA
authn_file: AuthUserFile=12A>1A
authnz_ldap: AuthLDAPBindAuthoritative=fA AuthLDAPBindDN=1A AuthLDAPBindPassword=1A AuthLDAPCharsetConfig=1s
    AuthLDAPCompareDNOnServer=fA AuthLDAPDereferenceAliases=1A AuthLDAPGroupAttribute=iA AuthLDAPGroupAttributeIsDN=fA
    AuthLDAPRemoteUserAttribute=1A AuthLDAPRemoteUserIsDN=fA AuthLDAPURL=12A
authnz_ldap>: AuthzLDAPAuthoritative=fA
authz_dbm: AuthDBMGroupFile=1A AuthzDBMType=1A
authz_dbm>: AuthzDBMAuthoritative=fA
authz_default>: AuthzDefaultAuthoritative=fA
authz_groupfile: AuthGroupFile=12A>1A
authz_groupfile>: AuthzGroupFileAuthoritative=fA
authz_host>access_compat: Allow=jL Deny=jL Order=1L
authz_owner>: AuthzOwnerAuthoritative=fA
authz_user>: AuthzUserAuthoritative=fA
autoindex: AddAlt=jI AddAltByEncoding=jI AddAltByType=jI AddDescription=jI AddIcon=jI AddIconByEncoding=jI AddIconByType=jI
    DefaultIcon=1I FancyIndexing=!* HeaderName=1I IndexHeadInsert=1I IndexIgnore=iI IndexOptions=vI IndexOrderDefault=2I
    IndexStyleSheet=1I ReadmeName=1I
cache: CacheDefaultExpire=1s>1sd CacheDisable=1s>1sd CacheEnable=2s>12sd CacheIgnoreCacheControl=fs CacheIgnoreHeaders=is
    CacheIgnoreNoLastMod=fs>fsd CacheIgnoreQueryString=fs CacheIgnoreURLSessionIdentifiers=is CacheLastModifiedFactor=1s>1sd
    CacheLock=fs CacheLockMaxAge=1s CacheLockPath=1s CacheMaxExpire=1s>1sd CacheStoreNoStore=fs>fsd CacheStorePrivate=fs>fsd
case_filter: CaseFilter=fs
case_filter_in: CaseFilterIn=fs
cern_meta: MetaDir=1I MetaFiles=fI MetaSuffix=1I
cgi,cgid: ScriptLog=1s ScriptLogBuffer=1s ScriptLogLength=1s
cgid: CGIDScriptTimeout=1sd ScriptSock=1s-g
charset_lite: CharsetDefault=1F CharsetOptions=iF CharsetSourceEnc=1F
core: <Directory=rs-dflu>rs-c <DirectoryMatch=rs-dflu>rs-c <Files=r*-lu <FilesMatch=r*-lu <IfDefine=1x*>rx* <IfModule=1x*>rx*
    <Limit=r*-l>rLA <LimitExcept=r*-l>rLA <Location=rs-dflu>rs-c <LocationMatch=rs-dflu>rs-c <VirtualHost=rs-g AcceptPathInfo=1F
    AccessFileName=rs-dflu>rs-c AddDefaultCharset=1F-l>1F AllowEncodedSlashes=1s-l>1s AllowOverride=rd-l>rd-h CGIMapExtension=23F
    ContentDigest=fO-l>fO DefaultType=1F DocumentRoot=1s-dflu>1s-c EnableMMAP=1F-l>1F EnableSendfile=1F-l>1F ErrorDocument=2F-l>2F
    ErrorLog=1s-dflu>1s-c FileETag=rF ForceType=1F GprofDir=1s-dflu>1s-c HostnameLookups=1sd-l>1sd HttpProtocolOptions=is
    Include=1xsd KeepAlive=1s-dflu>fs-c KeepAliveTimeout=1s-dflu>1s-c LimitInternalRecursion=12s LimitRequestBody=1*-l>1*
    LimitRequestFieldSize=1s-dflu>1s-c LimitRequestFields=1s-dflu>1s-c LimitRequestLine=1s-dflu>1s-c LimitXMLRequestBody=1*-l>1*
    LogLevel=1s-dflu>isd MaxKeepAliveRequests=1s-dflu>1s-c MaxRanges=1sd MergeTrailers=fs NameVirtualHost=1s Options=rO Port=!s
    Protocol=1s-dflu>1s-c RLimitCPU=12* RLimitMEM=12* RLimitNPROC=12* RegisterHttpMethod=is-g ScriptInterpreterSource=1F
    ServerAdmin=1s-dflu>1s-c ServerAlias=rs ServerName=1s-dflu>1s-c ServerPath=1s-dflu>1s-c ServerRoot=1xs-g
    ServerSignature=1*-l>1* ServerTokens=1s-g SetHandler=1F SetInputFilter=1F SetOutputFilter=1F TimeOut=1s-dflu>1s-c
    TraceEnable=1s UseCanonicalName=1sd-l>1sd UseCanonicalPhysicalPort=1sd-l>1sd
core>access_compat: Satisfy=1A
core>authn_core: AuthName=1A AuthType=1A
core>authz_core: Require=rA
core>core,mpm_winnt: AcceptFilter=2s-g
core>filter: AddOutputFilterByType=jF>vF
core>unixd: Suexec=fs-g
dav: Dav=1d DavDepthInfinity=fsd DavMinTimeout=1sd
dav_fs: DavLockDB=1s
dav_lock: DavGenericLockDB=1d
dbd: DBDExptime=1s DBDKeep=1s DBDMax=1s DBDMin=1s DBDParams=1s DBDPersist=fs DBDPrepareSQL=12s DBDriver=1s
deflate: DeflateBufferSize=1s DeflateCompressionLevel=1s DeflateFilterNote=12s DeflateInflateLimitRequestBody=1*
    DeflateInflateRatioBurst=1* DeflateInflateRatioLimit=1* DeflateMemLevel=1s DeflateWindowSize=1s
dir: DirectoryIndex=iI>rI DirectorySlash=fI FallbackResource=1I
disk_cache>cache_disk: CacheDirLength=1s CacheDirLevels=1s CacheMaxFileSize=1s>1sd CacheMinFileSize=1s>1sd CacheRoot=1s
dumpio: DumpIOInput=fs DumpIOOutput=fs
dumpio>: DumpIOLogLevel=1s-dflu
echo: ProtocolEcho=fs
env: PassEnv=iF SetEnv=12F UnsetEnv=iF
example>example_hooks: Example=rO
expires: ExpiresActive=fI ExpiresByType=2I ExpiresDefault=1I
ext_filter: ExtFilterDefine=rs ExtFilterOptions=id
file_cache: CacheFile=is MMapFile=is
filter: FilterChain=iO FilterDeclare=12O FilterProtocol=23O FilterProvider=rO>3O FilterTrace=2sd
headers: Header=rF RequestHeader=rF
ident: IdentityCheck=fsd-l>fsd IdentityCheckTimeout=1sd-l>1sd
imagemap: ImapBase=1I ImapDefault=1I ImapMenu=1I
include: SSIETag=fL SSIEndTag=1s SSIErrorMsg=1* SSILastModified=fL SSIStartTag=1s SSITimeFormat=1* SSIUndefinedEcho=1* XBitHack=1O
include>: SSIAccessEnable=fL SSIEnableAccess=?
info: AddModuleInfo=2s
isapi: ISAPIAppendLogToErrors=fF ISAPIAppendLogToQuery=fF ISAPICacheFile=is ISAPIFakeAsync=fF ISAPILogNotSupported=fF
    ISAPIReadAheadBuffer=1F
ldap: LDAPCacheEntries=1s-g LDAPCacheTTL=1s-g LDAPConnectionTimeout=1s-g LDAPOpCacheEntries=1s-g LDAPOpCacheTTL=1s-g
    LDAPSharedCacheFile=1s-g LDAPSharedCacheSize=1s-g LDAPTrustedClientCert=23s>23A LDAPTrustedGlobalCert=23s-g LDAPTrustedMode=1s
    LDAPVerifyServerCert=fs-g
log_config: BufferedLogs=fs CustomLog=23s LogFormat=12s TransferLog=1s
log_config>: CookieLog=1s
log_forensic: ForensicLog=1s
mem_cache>: MCacheMaxObjectCount=1s MCacheMaxObjectSize=1s MCacheMaxStreamingBuffer=1s MCacheMinObjectSize=1s
    MCacheRemovalAlgorithm=1s MCacheSize=1s
mime: AddCharset=jF AddEncoding=jF AddHandler=jF AddInputFilter=jF AddLanguage=jF AddOutputFilter=jF AddType=jF DefaultLanguage=1F
    ModMimeUsePathInfo=fd MultiviewsMatch=iF-u RemoveCharset=iF RemoveEncoding=iF RemoveHandler=iF RemoveInputFilter=iF
    RemoveLanguage=iF RemoveOutputFilter=iF RemoveType=iF TypesConfig=1s
mime_magic: MimeMagicFile=1s
mpm_beos,mpm_event,mpm_mpmt_os2,mpm_netware,mpm_prefork,mpm_winnt,mpm_worker>mpm_event,mpm_mpmt_os2,mpm_netware,mpm_prefork,mpm_winnt,mpm_worker:
    Listen=vs-g ListenBackLog=1s-g SendBufferSize=1s-g
mpm_beos,mpm_event,mpm_mpmt_os2,mpm_netware,mpm_worker>mpm_event,mpm_mpmt_os2,mpm_netware,mpm_worker: MaxSpareThreads=1s-g
    MinSpareThreads=1s-g
mpm_beos,mpm_event,mpm_mpmt_os2,mpm_prefork,mpm_winnt,mpm_worker>mpm_event,mpm_mpmt_os2,mpm_prefork,mpm_winnt,mpm_worker:
    PidFile=1s-g
mpm_beos,mpm_event,mpm_mpmt_os2,mpm_prefork,mpm_worker>mpm_event,mpm_mpmt_os2,mpm_prefork,mpm_worker,unixd: Group=1s-g User=1s-g
mpm_beos,mpm_event,mpm_netware,mpm_prefork,mpm_winnt,mpm_worker>mpm_event,mpm_netware,mpm_prefork,mpm_winnt,mpm_worker:
    MaxMemFree=1s-g
mpm_beos,mpm_event,mpm_prefork,mpm_winnt,mpm_worker>mpm_event,mpm_prefork,mpm_winnt,mpm_worker: CoreDumpDirectory=1s-g
    ScoreBoardFile=1s-g
mpm_beos,mpm_event,mpm_prefork,mpm_worker>mpm_event,mpm_prefork,mpm_worker: MaxClients=1s-g
mpm_beos,mpm_mpmt_os2,mpm_netware,mpm_prefork,mpm_winnt,mpm_worker>mpm_event,mpm_mpmt_os2,mpm_netware,mpm_prefork,mpm_winnt,mpm_worker:
    ReceiveBufferSize=1s-g
mpm_beos,mpm_netware>mpm_netware: StartThreads=1s-g
mpm_beos>: MaxRequestsPerThread=1s-g
mpm_event,mpm_mpmt_os2,mpm_netware,mpm_prefork,mpm_winnt,mpm_worker>core: MaxRequestsPerChild=1s-g
mpm_event,mpm_mpmt_os2,mpm_prefork,mpm_worker: StartServers=1s-g
mpm_event,mpm_netware,mpm_winnt,mpm_worker>mpm_event,mpm_mpmt_os2,mpm_netware,mpm_winnt,mpm_worker: ThreadStackSize=1s-g
mpm_event,mpm_prefork,mpm_worker: EnableExceptionHook=1s-g GracefulShutdownTimeout=1s-g ServerLimit=1s-g
mpm_event,mpm_prefork,mpm_worker>: AcceptMutex=1s-g LockFile=1s-g
mpm_event,mpm_prefork,mpm_worker>unixd: ChrootDir=1s-g
mpm_event,mpm_winnt,mpm_worker: ThreadLimit=1s-g ThreadsPerChild=1s-g
mpm_netware: MaxThreads=1s-g
mpm_prefork: MaxSpareServers=1s-g MinSpareServers=1s-g
mpm_winnt>: Win32DisableAcceptEx=rs-g
negotiation: CacheNegotiatedDocs=fs ForceLanguagePriority=iF LanguagePriority=iF
nwssl: NWSSLTrustedCerts=is NWSSLUpgradeable=2s-g SecureListen=23s-g
proxy: <Proxy=rs-dflu>rs-c <ProxyMatch=rs-dflu>rs-c BalancerMember=rsd>rsd-h NoProxy=is ProxyBadHeader=1s ProxyBlock=is
    ProxyDomain=1s ProxyErrorOverride=fs>isd ProxyIOBufferSize=1s ProxyMaxForwards=1s ProxyPass=rsd>rsd-df
    ProxyPassInterpolateEnv=fsd ProxyPassMatch=rsd>rsd-df ProxyPassReverse=123sd>123sd-df ProxyPassReverseCookieDomain=23sd
    ProxyPassReverseCookiePath=23sd ProxyPreserveHost=fs>fsd ProxyReceiveBufferSize=1s ProxyRemote=2s>23s ProxyRemoteMatch=2s>23s
    ProxyRequests=fs ProxySet=rsd>rsd-h ProxyStatus=1s ProxyTimeout=1s ProxyVia=1s
proxy>proxy_connect: AllowCONNECT=is
proxy>proxy_ftp: ProxyFtpDirCharset=1sd
proxy_scgi: ProxySCGIInternalRedirect=fsd>1sd ProxySCGISendfile=1sd
reqtimeout: RequestReadTimeout=rs
rewrite: RewriteBase=1F RewriteCond=rF RewriteEngine=fF RewriteMap=2s>23s RewriteOptions=iF RewriteRule=rF
rewrite>: RewriteLock=1s-g RewriteLog=1s RewriteLogLevel=1s
setenvif: BrowserMatch=rF BrowserMatchNoCase=rF SetEnvIf=rF SetEnvIfNoCase=rF
so: LoadFile=ixs LoadModule=2xs
speling: CheckCaseOnly=fO CheckSpelling=fO
ssl: SSLCACertificateFile=1sA SSLCACertificatePath=1sA SSLCADNRequestFile=1s SSLCADNRequestPath=1s SSLCARevocationFile=1s
    SSLCARevocationPath=1s SSLCertificateChainFile=1s SSLCertificateFile=1s SSLCertificateKeyFile=1s SSLCipherSuite=1sA>12sA
    SSLCompression=fs SSLCryptoDevice=1s-g SSLEngine=1s SSLFIPS=fs-g SSLHonorCipherOrder=fs SSLInsecureRenegotiation=fs SSLLog=!*
    SSLLogLevel=!* SSLOptions=rO SSLPassPhraseDialog=1s-g SSLProtocol=rs SSLProxyCACertificateFile=1s>1sp
    SSLProxyCACertificatePath=1s>1sp SSLProxyCARevocationFile=1s>1sp SSLProxyCARevocationPath=1s>1sp SSLProxyCheckPeerCN=fs>fsp
    SSLProxyCheckPeerExpire=fs>fsp SSLProxyCipherSuite=1s>12sp SSLProxyEngine=fs>fsp SSLProxyMachineCertificateChainFile=1s>1sp
    SSLProxyMachineCertificateFile=1s>1sp SSLProxyMachineCertificatePath=1s>1sp SSLProxyProtocol=rs>rsp SSLProxyVerify=1s>1sp
    SSLProxyVerifyDepth=1s>1sp SSLRandomSeed=23s-g SSLRenegBufferSize=1A SSLRequire=rA SSLRequireSSL=rA SSLSessionCache=1s-g
    SSLSessionCacheTimeout=1s SSLSessionTicketKeyFile=1s SSLSessionTickets=fs SSLStrictSNIVHostCheck=fs SSLUserName=1sA
    SSLVerifyClient=1sA SSLVerifyDepth=1sA
ssl>: SSLMutex=1s-g
status>core: ExtendedStatus=fs-g SeeRequestTail=fs-g
substitute: Substitute=1*>1F SubstituteInheritBefore=fF
suexec: SuexecUserGroup=2s-dflu>2s-c
userdir: UserDir=rs
usertrack: CookieDomain=1F CookieExpires=1F CookieName=1F CookieStyle=1F CookieTracking=fF
version: <IfVersion=123x*
vhost_alias: VirtualDocumentRoot=1s VirtualDocumentRootIP=1s VirtualScriptAlias=1s VirtualScriptAliasIP=1s
`;

export const moduleTable = `
both: actions alias asis auth_basic auth_digest authn_anon authn_dbd authn_dbm authn_file authnz_ldap authz_dbm authz_groupfile
    authz_host authz_owner authz_user autoindex bucketeer cache case_filter case_filter_in cern_meta cgi cgid charset_lite
    core=core.c dav dav_fs dav_lock dbd deflate dir dumpio echo env expires ext_filter file_cache filter headers http=http_core.c
    ident imagemap include info isapi ldap=util_ldap.c log_config log_forensic logio mime mime_magic mpm_event=event.c
    mpm_mpmt_os2=mpmt_os2.c mpm_netware=mpm_netware.c mpm_prefork=prefork.c mpm_winnt=mpm_winnt.c mpm_worker=worker.c negotiation
    netware nwssl=mod_nw_ssl.c proxy proxy_ajp proxy_balancer proxy_connect proxy_ftp proxy_http proxy_scgi reqtimeout rewrite
    setenvif so speling ssl status substitute suexec unique_id userdir usertrack version vhost_alias win32
2.2: authn_alias authn_default authz_default disk_cache example mem_cache mpm_beos=beos.c
2.4: access_compat allowmethods auth_form authn_core authn_socache authnz_fcgi authz_core authz_dbd brotli buffer cache_disk
    cache_socache data dialup example_hooks heartbeat heartmonitor http2 lbmethod_bybusyness lbmethod_byrequests
    lbmethod_bytraffic lbmethod_heartbeat log_debug md privileges proxy_express proxy_fdpass proxy_hcheck proxy_http2 reflector
    request session session_cookie session_crypto session_dbd slotmem_plain slotmem_shm socache_dbm socache_dc socache_memcache
    socache_redis socache_shmcb systemd unixd watchdog
extra: lua macro proxy_fcgi proxy_html proxy_uwsgi proxy_wstunnel ratelimit remoteip sed xml2enc
`;
