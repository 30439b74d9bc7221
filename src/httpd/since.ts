// Printed by scripts/httpd-releases.mjs from the sources of releases of 2.4; lifespan.ts parses it.
// `since-until: names`, N for 2.4.N: an empty side is the first or the last release.

export const directiveSpans = `
-68: AuthDigestNonceFormat
-7: SSLPKCS7CertificateFile
2-: DefaultRuntimeDir
3-: LuaAuthzProvider SSLCompression
4-: BalancerPersist SSLSRPUnknownUserSeed SSLSRPVerifierFile
5-: <Macro AuthBasicFake BalancerInherit CacheSocache CacheSocacheMaxSize CacheSocacheMaxTime CacheSocacheMinTime
    CacheSocacheReadSize CacheSocacheReadTime LuaCodeCache LuaInputFilter LuaMapHandler LuaOutputFilter MacroIgnoreBadNesting
    MacroIgnoreEmptyArgs ProxyPassInherit SSLProxyCheckPeerName UndefMacro Use
7-: AuthBasicUseDigestAlgorithm LuaHookLog
8-: DirectoryCheckHandler SSLOpenSSLConfCmd
10-: AuthnzFcgiCheckAuthnProvider AuthnzFcgiDefineProvider CGIDScriptTimeout DeflateInflateLimitRequestBody
    DeflateInflateRatioBurst DeflateInflateRatioLimit SSLOCSPUseRequestNonce
11-: MergeTrailers SSLSessionTickets SubstituteMaxLineLength
13-: CGIPassAuth LogIOTrackTTFB
17-: H2Direct H2MaxSessionStreams H2MaxWorkerIdleSeconds H2MaxWorkers H2MinWorkers H2SerializeHeaders H2SessionExtraFiles
    H2StreamMaxMemSize H2WindowSize ListenCoresBucketsRatio MemcacheConnTTL Protocols ProtocolsHonorOrder SubstituteInheritBefore
17-54: H2AltSvc H2AltSvcMaxAge
18-: H2ModernTLSOnly H2Push H2PushPriority H2TLSCoolDownSecs H2TLSWarmUpSize H2Upgrade QualifyRedirectURL
19-: GlobalLog H2PushDiarySize SSLOCSPProxyURL
21-: CGIVar ProxyHCExpr ProxyHCTPsize ProxyHCTemplate
24-: H2CopyFiles H2EarlyHints H2PushResource HttpProtocolOptions RegisterHttpMethod
26-: BrotliAlterETag BrotliCompressionMaxInputBlock BrotliCompressionQuality BrotliCompressionWindow BrotliFilterNote
    ProxyFCGIBackendType ProxyFCGISetEnvIf SSLOCSPNoVerify SSLOCSPResponderCertificateFile
30-: <MDomainSet MDBaseServer MDCAChallenges MDCertificateAgreement MDCertificateAuthority MDCertificateProtocol MDDriveMode
    MDHttpProxy MDMember MDMembers MDMustStaple MDNotifyCmd MDPortMap MDPrivateKeys MDRenewWindow MDRequireHttps MDStoreDir
    MDomain RegexDefaultOptions RemoteIPProxyProtocol RemoteIPProxyProtocolExceptions
30-39: <ManagedDomain ManagedDomain
34-: <IfDirective <IfFile <IfSection
39-: H2Padding MergeSlashes RedisConnPoolTTL RedisTimeout
40-: <MDomain MDCertificateFile MDCertificateKeyFile MDCertificateStatus MDChallengeDns01 MDMessageCmd MDRenewMode MDServerStatus
    MDWarnWindow Proxy100Continue
41-: SessionExpiryUpdateInterval
42-: CookieHttpOnly CookieSameSite CookieSecure MDActivationDelay MDCertificateCheck MDContactEmail MDStapleOthers MDStapling
    MDStaplingKeepResponse MDStaplingRenewWindow
47-: FlushMaxPipelined FlushMaxThreshold H2OutputBuffering ReadBufferSize
48-: MDCACertificateFile ProxyWebsocketFallbackToProxyHttp
49-: <LuaHookPreTranslateName LuaHookPreTranslateName StrictHostCheck
50-: CheckBasenameMatch
52-: MDExternalAccountBinding
52-62: TLSCertificate TLSCiphersPrefer TLSCiphersSuppress TLSClientCA TLSClientCertificate TLSEngine TLSHonorClientOrder
    TLSOptions TLSProtocol TLSProxyCA TLSProxyCiphersPrefer TLSProxyCiphersSuppress TLSProxyEngine TLSProxyMachineCertificate
    TLSProxyProtocol TLSSessionCache TLSStrictSNI TLSUserName
54-: MDRetryDelay MDRetryFailover
55-: DAVLockDiscovery H2StreamTimeout MDStoreLocks
58-: AliasPreservePath DAVBasePath DeflateAlterEtag H2EarlyHint H2MaxDataFrameLen H2ProxyRequests H2WebSockets
    MDChallengeDns01Version MDMatchNames RedirectRelative
59-: CGIScriptTimeout
60-: MDCheckInterval UNCList
64-: H2MaxHeaderBlockLen MDProfile MDProfileMandatory
66-: H2MaxStreamErrors ListenTCPDeferAccept MDInitialDelay MDRenewViaARI SSLVHostSNIPolicy
71-: MDHttpProxyCACertificateFile
`;

/** How a directive was taken up to a release, in the code of tables.ts. */
export const earlierSpecs = `
4: AuthGroupFile=12A AuthUserFile=12A
6: LDAPReferrals=fA
9: ServerTokens=12s-g
10: Substitute=1*
12: Alias=2s AliasMatch=2s ProxySCGIInternalRedirect=fsd Redirect=23F ScriptAlias=2s ScriptAliasMatch=2s
15: Alias=12sd-df AliasMatch=2s-dfu Redirect=123F ScriptAlias=12sd-df ScriptAliasMatch=2s-dfu
18: Alias=2s AliasMatch=2s Redirect=23F ScriptAlias=2s ScriptAliasMatch=2s
20: SSLCARevocationCheck=1s SSLProxyCARevocationCheck=1s
25: ProxyHCTPsize=1F-h
28: RewriteMap=2s
29: <Directory=rs-dfu <DirectoryMatch=rs-dfu <Location=rs-dfu <LocationMatch=rs-dfu <Proxy=rs-dfu <ProxyMatch=rs-dfu
    AccessFileName=rs-dfu AliasMatch=2s-dfu DocumentRoot=1s-dfu ErrorLog=1s-dfu GprofDir=1s-dfu IdentityCheckTimeout=1sd-dfu
    KeepAlive=fs-dfu KeepAliveTimeout=1s-dfu LimitRequestFields=1s-dfu LimitRequestFieldsize=1s-dfu LimitRequestLine=1s-dfu
    MaxKeepAliveRequests=1s-dfu Protocol=1s-dfu Protocols=is-dfu ProtocolsHonorOrder=1s-dfu SSLProxyCACertificateFile=1s
    SSLProxyCACertificatePath=1s SSLProxyCARevocationCheck=rs SSLProxyCARevocationFile=1s SSLProxyCARevocationPath=1s
    SSLProxyCheckPeerCN=fs SSLProxyCheckPeerExpire=fs SSLProxyCheckPeerName=fs SSLProxyCipherSuite=1s SSLProxyEngine=fs
    SSLProxyMachineCertificateChainFile=1s SSLProxyMachineCertificateFile=1s SSLProxyMachineCertificatePath=1s SSLProxyProtocol=rs
    SSLProxyVerify=1s SSLProxyVerifyDepth=1s ScriptAliasMatch=2s-dfu ServerAdmin=1s-dfu ServerName=1s-dfu ServerPath=1s-dfu
    SuexecUserGroup=2s-dfu Timeout=1s-dfu
33: MDNotifyCmd=1s-g SSLOCSPEnable=fs
34: <IfDefine=1x* <IfDirective=1x* <IfFile=1x* <IfModule=1x* <IfSection=1x*
35: SSLCipherSuite=1sA SSLProxyCipherSuite=1sp
38: H2Push=1s H2PushResource=123F H2Upgrade=1s
41: <MDomain=rs-g <MDomainSet=rs-g MDBaseServer=1s-g MDCAChallenges=vs-g MDCertificateAgreement=1s-g MDCertificateAuthority=1s-g
    MDCertificateProtocol=1s-g MDCertificateStatus=1s-g MDChallengeDns01=rs-g MDDriveMode=1s-g MDHttpProxy=1s-g MDMessageCmd=rs-g
    MDMustStaple=1s-g MDNotifyCmd=rs-g MDPortMap=12s-g MDPrivateKeys=vs-g MDRenewMode=1s-g MDRenewWindow=1s-g MDRequireHttps=1s-g
    MDServerStatus=1s-g MDStoreDir=1s-g MDWarnWindow=1s-g MDomain=vs-dfu
46: ProxyErrorOverride=fsd
53: MDCertificateAuthority=1s
58: ProxyRemote=2s ProxyRemoteMatch=2s
62: UNCList=vs-v
`;

export const moduleSpans = `
-19: proxy_balancer_rr
5-: cache_socache macro proxy_wstunnel
10-: authnz_fcgi
17-: http2
21-: proxy_hcheck proxy_http2
26-: brotli
30-: md proxy_uwsgi
39-: socache_redis
42-: systemd
52-62: tls
`;

/** Functions and unary operators of ap_expr. */
export const functionSpans = `
4-: req_novary
5-: base64 md5 sha1 unbase64
53-: ldap
`;

/** Variables of ap_expr. */
export const variableSpans = `
4-: SSL_SRP_USER SSL_SRP_USERINFO
13-: SSL_CLIENT_CERT_RFC4523_CEA
19-: HTTP2
26-: REMOTE_PORT
`;

/** Words after Require. */
export const providerSpans = `
19-: forward-dns
63-: ldap-search
`;
