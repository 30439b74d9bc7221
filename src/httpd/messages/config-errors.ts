// Printed by scripts/httpd-config-errors.mjs from the sources of 2.4.62; config-error.ts parses it.
// A file, then the errors in it, || between two: line, and the text with % for what is filled in.

export const configErrors = `
modules/aaa/mod_access_compat.c
 131 Satisfy either 'any' or 'all'. || 153 allow and deny must be followed by 'from' || 177 An IP address was expected
 191 No comments are allowed here
modules/aaa/mod_allowmethods.c
 113 AllowMethods: No method or 'reset' keyword given || 128 AllowMethods: Invalid Method '%'
modules/aaa/mod_auth_basic.c
 104 Unknown Authn provider: % || 111 The '%' Authn provider doesn't support Basic Authentication
 165 Could not parse fake username expression '%': % || 173 Could not parse fake password expression associated to user '%': %
 189 Invalid algorithm in AuthBasicUseDigestAlgorithm: %
modules/aaa/mod_auth_digest.c
 528 Unknown Authn provider: % || 535 The '%' Authn provider doesn't support Digest Authentication
 567 AuthDigestQop auth-int is not implemented || 586 Invalid time in AuthDigestNonceLifetime: %
 598 AuthDigestNonceFormat is not implemented
 605 AuthDigestNcCheck: ERROR: nonce-count checking is not supported on platforms without shared-memory support
 622 Invalid algorithm in AuthDigestAlgorithm: % || 660 Invalid size in AuthDigestShmemSize: %
 666 size in AuthDigestShmemSize too small: % < %
modules/aaa/mod_auth_form.c
 163 Unknown Authn provider: % || 170 The '%' Authn provider doesn't support Form Authentication
 198 % cannot be empty, or contain '=' or '&'. || 261 AuthCookieFormSize must be a size in bytes, or zero.
 277 Could not parse login required expression '%': % || 294 Could not parse login success expression '%': %
 311 Could not parse logout required expression '%': %
modules/aaa/mod_authn_anon.c
 95 Anonymous string cannot be empty, use Anonymous_NoUserId
modules/aaa/mod_authn_core.c
 221 %> directive missing closing '>' || 228 %> directive requires additional arguments
 242 The alias provider name must be different from the base provider name.
 250 The alias provider % has already be registered previously as either a base provider or an alias provider.
 269 Unknown Authn provider: % || 307 Cannot parse expression '%' in AuthName: % || 324 Cannot parse expression '%' in AuthType: %
modules/aaa/mod_authn_dbd.c
 72 You must load mod_dbd to enable AuthDBD functions
modules/aaa/mod_authnz_fcgi.c
 1067 mod_authnz_fcgi doesn't support restrictions on providers (i.e., multiple require args) || 1097 Options aren't supported with "None"
 1154 %: Unexpected option '%' || 1158 %: Bad argument '%' to option '%' || 1184 %: failed to compile regexec '%'
 1210 %: Invalid provider type % || 1218 %: No provider name given || 1224 %: No backend-address given
 1230 %: backend-address '%' has invalid form || 1245 %: backend-address '%' has invalid port || 1263 %: Error resolving backend address
 1270 %: Unexpected parameter %
modules/aaa/mod_authnz_ldap.c
 1424 Cannot parse expression in require line: % || 1511 Invalid LDAP connection mode setting: must be one of NONE, SSL, or TLS/STARTTLS
 1565 Unrecognized value for AuthLDAPDereferenceAliases directive || 1580 Too many AuthLDAPSubGroupAttribute values
 1594 Too many AuthLDAPSubGroupClass values || 1620 Too many AuthLDAPGroupAttribute directives
 1643 AuthLDAPInitialBindPattern: cannot compile regular expression '%' || 1662 Unable to parse exec arguments from %
 1669 Invalid AuthLDAPBindPassword exec location:% || 1677 Unable to get bind password from exec of %
 1688 Empty passwords are invalid for AuthLDAPBindPassword
modules/aaa/mod_authz_core.c
 265 %> directive missing closing '>' || 272 %> directive requires additional arguments || 328 Unknown Authz provider: %
 336 Can't parse 'Require %': % || 423 The '%' Authz provider is not supported by any of the loaded authorization modules
 449 negative % directive has no effect in % directive || 492 %> directive doesn't take additional arguments
 539 % directive has no effect in % directive || 566 % directive contains no authorization directives
 590 % must be one of: Off | And | Or || 1000 Argument for 'Require all' must be 'granted' or 'denied'
 1097 Cannot parse expression in require line: %
modules/aaa/mod_authz_dbd.c
 90 You must load mod_dbd to enable AuthzDBD functions || 356 Cannot parse expression in require line: %
modules/aaa/mod_authz_dbm.c
 308 Cannot parse expression in require line: %
modules/aaa/mod_authz_groupfile.c
 284 Cannot parse expression in require line: %
modules/aaa/mod_authz_host.c
 105 'require ip' requires an argument || 131 ip address '%' appears to be invalid || 134 ip address '%' appears to be invalid: %
 321 Cannot parse expression in require line: %
modules/aaa/mod_authz_user.c
 106 Cannot parse expression in require line: %
modules/arch/unix/mod_privileges.c
 425 Invalid userid for VHostUser: % || 436 Invalid groupid for VHostGroup: % || 474 VHostCGIMode must be On, Off or Secure
 507 PrivilegesMode in a Directory context must be FAST or SECURE || 516 PrivilegesMode must be FAST, SECURE or SELECTIVE
modules/arch/unix/mod_unixd.c
 219 Error: Apache has not been designed to serve pages while running as root. There are known race conditions that will allow any local user to read any file on the system. If you still desire to serve pages as root then add -DBIG_SECURITY_HOLE to the CFLAGS env variable and then rebuild the server. It is strongly suggested that you instead modify the User directive in your httpd.conf file to list a non-root user.
 275 suEXEC isn't supported: %
modules/arch/win32/mod_win32.c
 90 ScriptInterpreterSource "%" must be "registry", "registry-strict" or "script"
modules/cache/mod_cache.c
 2253 CacheEnable provider (%) is missing an URL. || 2257 When in a Location, CacheEnable must specify a path or an URL below that location.
 2310 CacheDisable must be followed by the word 'on' when in a Location. || 2315 CacheDisable must specify a path or an URL.
 2368 CacheLastModifiedFactor value must be a float || 2412 Invalid CacheLockPath path %
 2430 CacheLockMaxAge value must be a non-zero positive integer || 2495 Could not parse '%' as an URL.
 2499 URL '%' must contain at least one of a scheme, a hostname or a port.
modules/cache/mod_cache_socache.c
 1267 CacheSocacheMaxSize argument must be a integer representing the max size of a cached entry (headers and body), at least 1024 and at most %
 1282 CacheSocacheMaxTime argument must be the maximum amount of time in seconds to cache an entry.
 1296 CacheSocacheMinTime argument must be the minimum amount of time in seconds to cache an entry.
 1310 CacheSocacheReadSize argument must be a non-negative integer representing the max amount of data to cache in go.
 1324 CacheSocacheReadTime argument must be a non-negative integer representing the max amount of time taken to cache in go.
modules/cache/mod_socache_memcache.c
 387 % can only be 0 or up to one hour.
modules/cache/mod_socache_redis.c
 425 % can only be 0 or up to one hour.
modules/cluster/mod_heartbeat.c
 187 HeartbeatAddress: May only be specified once. || 193 HeartbeatAddress: Unable to parse address.
 197 HeartbeatAddress: No host provided in address || 201 HeartbeatAddress: No port provided in address
 208 HeartbeatAddress: apr_sockaddr_info_get failed.
modules/cluster/mod_heartmonitor.c
 857 HeartbeatListen: May only be specified once. || 863 HeartbeatListen: Unable to parse multicast address.
 867 HeartbeatListen: No host provided in multicast address || 871 HeartbeatListen: No port provided in multicast address
 878 HeartbeatListen: apr_sockaddr_info_get failed on multicast address
 896 HeartbeatMaxServers: Should be 0 for file storage, or greater or equal than 10 for slotmem
modules/core/mod_macro.c
 711 > directive missing closing '>' || 715 macro definition: empty name || 728 macro definition: name not found
 788 % contents checking error: % || 814 no macro defined before || 822 no macro name specified with
 841 recursive use of macro '%' is invalid || 850 macro '%' (%) used with % arguments instead of % || 869 % error while substituting: %
 903 cannot remove undefined macro '%'
modules/core/mod_so.c
 171 Cannot load % into server: % || 251 module % is built-in and can't be loaded
modules/core/mod_watchdog.c
 605 Unparse-able WatchdogInterval setting || 607 Invalid WatchdogInterval: minimal value %
modules/database/mod_dbd.c
 181 Can't load driver file dbd%.nlmCan't load driver file apr_dbd_%.so || 190 Failed to load driver apr_dbd_%_driver
 213 Argument must be numeric! || 270 You should specify SQL statement
modules/dav/fs/mod_dav_fs.c
 72 Invalid DAVLockDB path %
modules/dav/lock/mod_dav_lock.c
 73 Invalid DAVGenericLockDB path %
modules/dav/main/mod_dav.c
 278 Unknown DAV provider: % || 339 DAVMinTimeout requires a non-negative integer.
modules/filters/mod_brotli.c
 87 Unknown BrotliFilterNote type '%' || 102 BrotliCompressionQuality must be between 0 and 11
 117 BrotliCompressionWindow must be between 10 and 24 || 132 BrotliCompressionMaxInputBlock must be between 16 and 24
 155 BrotliAlterETag accepts only 'AddSuffix', 'NoChange' and 'Remove'
modules/filters/mod_buffer.c
 326 BufferSize must be a size in bytes, and greater than zero
modules/filters/mod_charset_lite.c
 180 Invalid CharsetOptions option: %
modules/filters/mod_deflate.c
 239 DeflateWindowSize must be between 1 and 15 || 254 DeflateBufferSize should be positive || 296 DeflateMemLevel must be between 1 and 9
 319 DeflateAlterETAG accepts only 'NoChange', 'AddSuffix', and 'Remove' || 336 Compression Level must be between 1 and 9
 351 DeflateInflateLimitRequestBody is not parsable. || 354 DeflateInflateLimitRequestBody requires a non-negative integer.
 369 DeflateInflateRatioLimit must be positive || 385 DeflateInflateRatioBurst must be positive
modules/filters/mod_ext_filter.c
 145 Invalid ExtFilterOptions option: % || 213 Filter name not found || 226 ExtFilter % is already defined
modules/filters/mod_filter.c
 344 FilterProtocol: No such filter || 360 FilterProtocol: No such provider for this filter || 450 Unknown filter provider %
 467 Undeclared smart filter % || 474 Error parsing FilterProvider expression:% || 610 AddOutputFilterByType requires at least two arguments
modules/filters/mod_include.c
 4076 XBitHack must be set to Off, On, or Full || 4091 SSIStartTag may not contain any whitespaces
 4111 SSIEndTag may not contain any whitespaces
modules/filters/mod_reqtimeout.c
 590 Invalid RequestReadTimeout parameter. Parameter must be in the form 'key=value' || 599 RequestReadTimeout: %=%: %
modules/filters/mod_request.c
 359 KeptBodySize must be a valid size in bytes, or zero.
modules/filters/mod_sed.c
 496 Failed to compile sed expression. %
modules/filters/mod_substitute.c
 623 Bad Substitute format, must be an s/// pattern || 649 Bad Substitute format, must be a complete s/// pattern
 664 Bad Substitute flag, only s///[infq] are supported || 676 Substitute could not compile regex
 732 SubstituteMaxLineLength must be a non-negative integer optionally suffixed with 'b', 'k', 'm' or 'g'.
modules/generators/mod_autoindex.c
 251 missing closing paren || 408 Cannot combine '+' or '-' with 'None' keyword || 424 Cannot combine '-' with IconWidth=n
 438 Cannot combine '-' with IconHeight=n || 444 NameWidth with no value may only appear as '-NameWidth'
 452 Cannot combine '-' with NameWidth=n || 461 NameWidth value must be greater than 5
 469 DescriptionWidth with no value may only appear as '-DescriptionWidth' || 477 Cannot combine '-' with DescriptionWidth=n
 486 DescriptionWidth value must be greater than 12 || 502 Invalid directory indexing option
 519 Cannot combine other IndexOptions keywords with 'None' || 539 First keyword must be 'Ascending' or 'Descending'
 555 Second keyword must be 'Name', 'Date', 'Size', or 'Description'
modules/generators/mod_cgi.c
 135 Invalid ScriptLog path % || 169 CGIScriptTimeout has wrong format
modules/generators/mod_cgid.c
 1116 Invalid ScriptLog path % || 1154 Invalid ScriptSock path% || 1165 CGIDScriptTimeout has wrong format
modules/generators/mod_suexec.c
 69 SuexecUserGroup configured, but suEXEC is disabled: %
modules/http/http_core.c
 62 KeepAliveTimeout has wrong format
modules/http/mod_mime.c
 334 Any is incompatible with NegotiatedOnly, Filters and Handlers || 341 NegotiatedOnly is incompatible with Any, Filters and Handlers
 349 Filters is incompatible with Any and NegotiatedOnly || 356 Handlers is incompatible with Any and NegotiatedOnly
 361 Unrecognized option '%'
modules/http2/h2_config.c
 622 Invalid idle limit value || 647 value must be 0 or larger || 686 value must be On or Off
 710 HTTP/2 WebSockets are not supported on this platform || 712 HTTP/2 WebSockets are not supported in this server version
 734 1st argument must be a mime-type, like 'text/css' or '*' || 751 dependency 'Before' does not allow a weight
 759 dependency must be one of 'After', 'Before' or 'Interleaved' || 764 weight must be a number >= % || 831 value must a power of 2
 880 too many parameter || 889 unknown last parameter || 908 Early Hint header name must not be empty
 910 Early Hint header value must not be empty || 914 Early Hint header value must not be empty/only space
 916 Early Hint header value contains invalid characters || 956 number of bits must be >= 0 || 959 number of bits must be <= 8
 987 Invalid timeout value
modules/ldap/util_ldap.c
 2443 The certificate type % is not recognised. It should be one of CA_DER, CA_BASE64, CA_CERT7_DB, CA_SECMOD, CERT_DER, CERT_BASE64, CERT_KEY3_DB, CERT_NICKNAME, KEY_DER, KEY_BASE64
 2452 Certificate type was not specified. || 2478 Invalid global certificate file path
 2510 The certificate type "%" is not recognised. It should be one of CA_DER, CA_BASE64, CERT_DER, CERT_BASE64, CERT_NICKNAME, CERT_PFX, KEY_DER, KEY_BASE64, KEY_PFX
 2522 The certificate type "%" is only valid within a LDAPTrustedGlobalCert directive. Only CA_DER, CA_BASE64, CERT_DER, CERT_BASE64, CERT_NICKNAME, KEY_DER, and KEY_BASE64 may be used.
 2558 Invalid client certificate file path || 2597 Invalid LDAPTrustedMode setting: must be one of NONE, SSL, or TLS/STARTTLS
 2678 LDAPReferrals must be 'on', 'off', or 'default' || 2699 This directive is not supported with the currently linked LDAP library
 2715 LDAPReferralHopLimit must be greater than zero (Use 'LDAPReferrals Off' to disable referral chasing) || 2755 Timeout not numerical
 2758 Timeout must be non-negative || 2798 LDAPConnectionPoolTTL has wrong format || 2824 LDAPRetryDelay has wrong format
 2828 LDAPRetryDelay must be >= 0 || 2850 LDAPRetries must be >= 0
modules/loggers/mod_log_config.c
 1309 missing environment variable name || 1316 missing condition || 1324 error in condition clause
modules/loggers/mod_log_debug.c
 210 Could not parse message expression '%': % || 241 Could not parse expression '%': %
modules/lua/mod_lua.c
 1011 %> directive missing closing '>' || 1032 %> 2nd argument must be 'early' or 'late' || 1148 Invalid regex pattern!
 1317 Third argument must be 'early' or 'late' || 1476 LuaHookInsertFilter not yet implemented || 1552 Unable to build full path to file, %
 1602 LuaInherit type of '%' not recognized, valid options are 'none', 'parent-first', and 'parent-last'
 1625 LuaCodeCache type of '%' not recognized, valid options are 'never', 'stat', and 'forever'
 1650 Scope type of '%' cannot be used because this server does not have threading support (APR_HAS_THREADS)
 1680 Invalid value for LuaScope, '%', acceptable values are: 'once', 'request', 'conn', 'thread', 'server'
modules/mappers/mod_actions.c
 99 unrecognized option '%' || 127 TRACE not allowed for Script || 130 Could not register method '%' for Script
modules/mappers/mod_alias.c
 161 Regular expression could not be compiled. || 219 Alias must have two arguments when used globally
 226 Cannot parse alias expression '%': % || 289 Redirect: invalid first argument (of three) || 312 Cannot parse redirect expression '%': %
 351 URL to redirect to is missing || 356 Redirect to non-URL || 360 Redirect URL not valid for this status
modules/mappers/mod_dir.c
 116 DirectoryIndexRedirect only accepts values between 300 and 399 || 120 DirectoryIndexRedirect ON|OFF|permanent|temp|seeother|3xx
modules/mappers/mod_negotiation.c
 116 Cannot combine ForceLanguagePriority options with None || 122 Cannot combine ForceLanguagePriority options None and Prefer
 129 Cannot combine ForceLanguagePriority options None and Fallback || 135 Invalid ForceLanguagePriority option %
modules/mappers/mod_rewrite.c
 3132 RewriteOptions: unknown option '%' || 3174 RewriteMap: bad path to txt map: % || 3186 RewriteMap: bad path to rnd map: %
 3219 RewriteMap: bad map:% || 3225 RewriteMap: bad path to dbm map: % || 3233 RewriteMap: dbm type % is invalid
 3240 RewriteMap types dbd and fastdbd require mod_dbd! || 3261 RewriteMap: bad path to prg map: %
 3280 RewriteMap: internal map not found:% || 3300 RewriteMap: file for map % not found:%
 3316 RewriteBase: only valid in per-directory config files || 3319 RewriteBase: empty URL not allowed
 3322 RewriteBase: argument is not a valid URL || 3441 RewriteCond: bad argument line '%'
 3570 RewriteCond: cannot compile regular expression '%' || 3581 RewriteCond: cannot compile expression "%": %
 3889 RewriteRule: bad argument line '%' || 3923 RewriteRule: cannot compile regular expression '%'
modules/mappers/mod_userdir.c
 147 UserDir requires an argument.
modules/mappers/mod_vhost_alias.c
 151 INTERNAL ERROR: unknown command info || 156 format string must be an absolute path, or 'none' || 183 syntax error in format string
modules/md/mod_md_config.c
 298 % is only valid inside a '' context, not here || 316 % is not allowed inside an '' context || 382 > directive missing closing '>'
 387 > section must specify a unique domain name || 401 needs at least one domain name || 572 unknown MDDriveMode %
 637 unrecognized duration format || 640 check interval cannot be less than one second || 671 invalid argument, must be a number > 0
 696 neither 'on', 'off' or a duration specified || 723 invalid argument, must be a 'all' or 'servernames'
 747 unknown '%', supported parameter values are 'temporary' and 'permanent' || 922 needs to specify the private key type
 930 'Default' allows no other parameter || 941 must be % or higher in order to be considered safe.
 946 is too large for an RSA key length. || 949 two keys of type 'RSA' are not possible. || 976 two keys of type '%' are not possible.
 1056 certificate file not found: % || 1073 certificate key file not found: % || 1115 MDStaplingKeepResponse %
 1133 MDStaplingRenewWindow % || 1215 %: error reading JSON file % || 1220 %: JSON does not contain '' element in file %
modules/metadata/mod_expires.c
 321 Invalid mimetype: should contain a slash
modules/metadata/mod_headers.c
 461 first argument must be 'add', 'set', 'setifempty', 'append', 'merge', 'unset', 'echo', 'note', 'edit', or 'edit*'.
 466 Header edit requires a match and a substitution || 470 Header edit regex could not be compiled || 477 Too many arguments to directive
 484 header unset takes two arguments || 495 Header echo takes two arguments || 501 Header echo only valid on Header directives
 506 Header echo regex could not be compiled || 512 Header requires three arguments
 522 error: missing environment variable name. envclause should be in the form env=envar || 531 Can't parse envclause/expression: %
 537 Unknown parameter: % || 579 % has too many arguments
modules/metadata/mod_mime_magic.c
 499 : server structure not allocated
modules/metadata/mod_remoteip.c
 246 RemoteIP: Error parsing IP % the subnet /% is invalid for % || 267 RemoteIP: Error parsing IP % (% error) for %
 288 %: Could not open file %: % || 466 % requires an argument || 482 ip address '%' appears to be invalid
 485 ip address '%' appears to be invalid: %
modules/metadata/mod_setenvif.c
 275 Missing envariable expression for % || 306 Missing regular expression for % || 342 % pattern could not be compiled.
 351 % regex could not be compiled. || 388 % name regex could not be compiled. || 412 Missing header-field name for %
 438 Missing expression for % || 450 Could not parse expression "%": %
modules/metadata/mod_usertrack.c
 331 bad expires code, numeric value expected. || 336 bad expires code, missing <type> || 353 bad expires code, unrecognized type
 376 Regular expression could not be compiled. || 379 Invalid cookie name "%" || 400 CookieDomain values may not be null
 403 CookieDomain values must begin with a dot || 406 CookieDomain values must contain at least one embedded dot
 460 CookieSameSite accepts 'Strict', 'Lax', or 'None'
modules/metadata/mod_version.c
 200 %> directive missing closing '>' || 236 Missing delimiting / of regular expression. || 279 unrecognized operator '%'
modules/proxy/mod_proxy.c
 1771 ProxySourceAddress invalid value || 1877 ProxyRemoteMatch: Bad syntax for a remote proxy server
 1879 ProxyRemote: Bad syntax for a remote proxy server || 1888 ProxyRemoteMatch: Bad syntax for a remote proxy server (bad port number)
 1890 ProxyRemote: Bad syntax for a remote proxy server (bad port number)
 1900 Regular expression for ProxyRemoteMatch could not be compiled. || 1999 ProxyPassMatch invalid syntax ('~' usage).
 2023 ProxyPass|ProxyPassMatch can not have a path when defined in a location.
 2027 Invalid ProxyPass|ProxyPassMatch parameter. Parameter must be in the form 'key=value'.
 2063 ProxyPass|ProxyPassMatch needs a path when not defined in a location || 2066 ProxyPass|ProxyPassMatch uses an invalid "unix:" URL
 2090 Regular expression could not be compiled. || 2200 ProxyPassReverse needs a path when not defined in a location
 2208 ProxyPassReverse can not have a path when defined in a location || 2348 ProxyDomain: domain name must start with a dot.
 2382 ProxyErrorOverride: status codes to intercept must be numeric || 2384 ProxyErrorOverride: status codes must follow a value of 'on'
 2388 ProxyErrorOverride: status codes to intercept must be valid HTTP Status Codes >=400 && <600
 2405 ProxyErrorOverride first parameter must be one of: off | on
 2443 ProxyReceiveBufferSize must be >= 512 bytes, or 0 for system default.
 2458 ProxyIOBufferSize must be >= 512 bytes, or 0 for system default. || 2565 BalancerGrowth must be between 0 and 1000
 2638 BalancerMember can not have a balancer name when defined in a location
 2640 Invalid BalancerMember parameter. Parameter must be in the form 'key=value'
 2649 BalancerMember must define balancer name when outside <Proxy > section || 2651 BalancerMember must define remote proxy server
 2653 BalancerMember uses an invalid "unix:" URL || 2759 ProxySet can not find '%' Balancer. || 2767 ProxySet uses an invalid "unix:" URL
 2781 ProxySet can not find '%' Worker. || 2790 Invalid ProxySet parameter. Parameter must be in the form 'key=value'
 2839 %> directive missing closing '>' || 2847 <ProxyMatch > block must specify a path || 2849 <Proxy > block must specify a path
 2865 Regex could not be compiled || 2891 Multiple <ProxyMatch> arguments not (yet) supported.
 2893 %> arguments are not supported for wildchar url. || 2897 %> arguments are not supported for non url.
 2917 <Proxy/ProxyMatch > uses an invalid "unix:" URL || 2934 %> arguments are supported only for workers.
 2942 Invalid Proxy parameter. Parameter must be in the form 'key=value'
modules/proxy/mod_proxy_connect.c
 94 AllowCONNECT: port numbers must be numeric || 106 Cannot parse '%' as port number
modules/proxy/mod_proxy_express.c
 43 ProxyExpressDBMFile: bad path to file: %
modules/proxy/mod_proxy_fcgi.c
 1276 ProxyFCGIBackendType requires one of the following arguments: 'GENERIC', 'FPM' || 1296 Could not parse expression "%": %
 1303 Third argument ("%") is not allowed when using ProxyFCGISetEnvIf's unset mode (%)
 1309 ProxyFCGISetEnvIf: "!" is not a valid variable name
modules/proxy/mod_proxy_hcheck.c
 249 Missing expression name for % || 253 Expression name limited to % characters || 259 Missing expression for %
 265 Could not parse expression "%": % || 272 error: extra parameter(s) || 292 Missing template name for %
 307 Invalid ProxyHCTemplate parameter. Parameter must be in the form 'key=value'
 333 Invalid ProxyHCTPsize parameter. Parameter must be >= 0
modules/session/mod_session.c
 654 SessionExpiryUpdateInterval must be zero (disable) or a positive value
modules/session/mod_session_cookie.c
 206 % cannot be empty, or contain '=' or '&'.
modules/session/mod_session_crypto.c
 705 Unable to parse exec arguments from % || 712 Invalid SessionCryptoPassphrase exec location:%
 720 Unable to get bind password from exec of % || 747 %: Could not open file %: %
modules/ssl/ssl_engine_config.c
 570 Invalid SSLPassPhraseDialog exec: path % || 578 SSLPassPhraseDialog: file '%' does not exist
 590 SSLPassPhraseDialog: Invalid argument || 701 Invalid SSLRandomSeed path % || 706 SSLRandomSeed: source path '%' does not exist
 717 SSLRandomSeed: byte specification not allowed for builtin seed source || 724 SSLRandomSeed: invalid number of bytes specified
 748 Argument must be On, Off, or Optional || 764 Conflicting SSLFIPS options, cannot be both On and Off
 768 SSLFIPS invalid, rebuild httpd and openssl compiled for FIPS || 800 TLSv1.3 ciphers cannot be set inside a directory context
 806 protocol '%' not supported || 836 %: file '%' does not exist or is empty
 849 This version of OpenSSL does not support enabling SSLCompression within <VirtualHost> sections.
 859 This version of OpenSSL does not have any compression methods available, cannot enable SSLCompression.
 887 This version of OpenSSL does not support using SSLSessionTickets.
 901 The SSLInsecureRenegotiation directive is not available with this SSL library || 922 %: directory '%' does not exist
 1322 SSLSessionCacheTimeout: Invalid argument || 1368 SSLOptions: Illegal option '%' || 1434 Invalid size for SSLRenegBufferSize: %
 1463 SSLProtocol: SSLv2 is no longer supported || 1469 SSLv3 not supported by this version of OpenSSL
 1812 SSLOCSPResponseTimeSkew: invalid argument || 1822 SSLOCSPResponseMaxAge: invalid argument
 1832 SSLOCSPResponderTimeout: invalid argument || 1852 SSLOCSPProxyURL: Cannot parse URL % || 1961 SSLStaplingCache: %
 1980 SSLStaplingResponseTimeSkew: invalid argument || 1991 SSLStaplingResponseMaxAge: invalid argument
 2002 SSLStaplingStandardCacheTimeout: invalid argument || 2013 SSLStaplingErrorCacheTimeout: invalid argument
 2041 SSLStaplingResponderTimeout: invalid argument || 2067 '%': invalid OpenSSL configuration command
modules/ssl/ssl_engine_kernel.c
 1622 'Require ssl' does not take arguments || 1666 'Require ssl-verify-client' does not take arguments
modules/tls/tls_conf.c
 293 %: file '%' does not exist or is empty || 374 %: value must be 'On' or 'Off': '%' || 393 %: unable to find certificate file: '%'
 400 %: unable to find certificate key file: '%' || 430 %: cipher not recognized '%'
server/config.c
 876 % not allowed in %> context || 915 % takes no arguments || 1047 % is improperly configured internally (server bug)
 1211 % without matching <% section || 1220 %> directive missing closing '>'
 1320 Invalid command '%', perhaps misspelled or defined by a module not included in the server configuration
 1675 Expected </%> before end of configuration
server/core.c
 1310 % cannot occur within <VirtualHost> section || 1315 % cannot occur within <Limit> or <LimitExcept> section
 1321 % cannot occur within htaccess files || 1327 % cannot occur within directory context || 1353 % cannot occur within %> section
 1500 Variable name must not contain ':' || 1554 The Error directive was used with no message. || 1625 DocumentRoot must be a directory
 1640 DocumentRoot '%' is not a directory, or is not readable || 1684 Unsupported HTTP response code %
 1734 Cannot parse expression in ErrorDocument: % || 1857 =Override, =Unknown or =All expected after % || 1876 Illegal override option %
 1904 Valid rules for REQUEST_URI are 'current-uri' and 'original-uri' || 1908 Unrecognized CGI variable: "%"
 1955 'None' not allowed with other directives in AllowOverrideList || 2006 Either all Options must start with + or -, or no Option may.
 2043 'Options None' must be the first Option given. || 2046 You may not use 'Options +None' or 'Options -None'.
 2053 'Options All' must be the first option given. || 2056 You may not use 'Options +All' or 'Options -All'.
 2066 Option % not allowed here || 2111 Can't parse expression : % || 2195 Unknown keyword '%' for % directive
 2201 % keyword '%' cannot be used with '+' or '-' || 2265 parameter must be 'on' or 'off'
 2298 parameter must be a number between 0 and %): % || 2338 parameter must be a number between -1 and %: %
 2395 TRACE cannot be controlled by <Limit>, see TraceEnable || 2403 Could not register method '%' for % from .htaccess configuration
 2420 %> directive excludes all methods || 2424 %> directive specifies methods already excluded
 2482 <Directory ~ > block must specify a path || 2485 Regex could not be compiled || 2504 <Directory "%"> path is invalid.
 2542 Multiple %> arguments not (yet) supported. || 2763 <Else> does not take an argument || 2771 Cannot parse condition clause: %
 2788 Multiple %> arguments not supported. || 2964 <VirtualHost> doesn't nest! || 3044 ServerAlias only used in <VirtualHost>
 3152 Invalid ServerName "%" use ServerAlias to set multiple server names.
 3173 The port number "%" is outside the appropriate range (i.e., 1..65535). || 3202 ServerSignature: use one of: off | on | email
 3220 ServerRoot must be a valid directory || 3238 DefaultRuntimeDir must be a valid directory, absolute or relative to ServerRoot
 3270 % must be On, Off, or NoDecode || 3292 parameter must be 'on', 'off', or 'double'
 3334 AcceptPathInfo must be set to on, off or default || 3355 parameter must be 'on', 'off', or 'dns'
 3404 Exceeded maximum include depth of %, There appears to be a recursion. || 3412 Invalid Include path %
 3473 LogLevel requires level keyword or module loglevel specifier || 3489 Module specifier '%' must be followed by a log level keyword
 3505 Cannot find module % || 3684 ServerTokens takes 1 argument: 'Prod(uctOnly)', 'Major', 'Minor', 'Min(imal)', 'OS', or 'Full'
 3702 LimitRequestLine "%" must be a non-negative integer || 3722 LimitRequestFieldsize "%" must be a non-negative integer
 3743 LimitRequestFields "%" must be a non-negative integer (0 = no limit) || 3759 LimitRequestBody argument is not parsable.
 3762 LimitRequestBody requires a non-negative integer. || 3775 LimitXMLRequestBody requires a non-negative integer.
 3779 LimitXMLRequestBody must not exceed % || 3802 MaxRanges requires 'none', 'default', 'unlimited' or a positive integer
 3828 MaxRangeOverlaps requires 'none', 'default', 'unlimited' or a positive integer
 3854 MaxRangeReversals requires 'none', 'default', 'unlimited' or a positive integer || 3935 The recursion limit must be greater than zero.
 4068 TraceEnable must be one of 'on', 'off', or 'extended' || 4110 ProtocolsHonorOrder must be 'on' or 'off'
 4135 HttpProtocolOptions accepts 'Unsafe' or 'Strict' (default), 'RegisteredMethods' or 'LenientMethods' (default), and 'Require1.0' or 'Allow0.9' (default)
 4142 HttpProtocolOptions 'Allow0.9' and 'Require1.0' are mutually exclusive
 4147 HttpProtocolOptions 'Strict' and 'Unsafe' are mutually exclusive
 4152 HttpProtocolOptions 'RegisteredMethods' and 'LenientMethods' are mutually exclusive
server/listen.c
 860 Listen requires 1 or 2 arguments. || 865 Invalid address or port || 874 Scope ID in address '%' not supported with APR
 882 Port must be specified || 914 ListenBacklog must be > 0 || 934 ListenCoresBucketsRatio must be > 0
 953 SendBufferSize must be >= 512 bytes, or 0 for system default. || 972 ReceiveBufferSize must be >= 512 bytes, or 0 for system default.
server/mpm/event/event.c
 4031 error parsing value || 4034 AsyncRequestWorkerFactor argument must be a positive number
server/mpm_common.c
 309 PidFile directive not allowed in <VirtualHost> || 353 Invalid CoreDumpDirectory path % || 357 CoreDumpDirectory % does not exist
 361 CoreDumpDirectory % is not a directory || 393 Invalid MaxMemFree value: % || 413 Invalid ThreadStackSize value: %
server/mpm_unix.c
 945 EnableExceptionHook directive not allowed in <VirtualHost> || 955 parameter must be 'on' or 'off'
server/util_mutex.c
 185 Mutex requires at least a mechanism argument () || 191 Invalid Mutex argument % () || 196 Invalid Mutex directory in argument %
 228 Mutex type % is not valid || 237 None is not allowed for mutex type %
`;
