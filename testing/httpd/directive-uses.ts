import { allDirectives, type DirectiveInfo } from '../../src/httpd/directives';

/**
 * Arguments with which 2.2 takes a directive, where those that {@link DEFAULTS} has for its kind would not do. `@ROOT@` is the
 * ServerRoot; the files are those that {@link useFiles} lists.
 */
const ARGUMENTS = `
AcceptFilter http none
AcceptMutex default
AcceptPathInfo On
Action image/gif /cgi-bin/images.cgi
AddCharset UTF-8 .utf8
AddDefaultCharset UTF-8
AddDescription "a picture" *.png
AddEncoding x-gzip .gz
AddHandler cgi-script .cgi
AddInputFilter DEFLATE .gz
AddLanguage en .en
AddModuleInfo mod_dir.c "more about it"
AddOutputFilter INCLUDES .shtml
AddOutputFilterByType DEFLATE text/html
AddType text/html .shtml
Alias /icons/ "@ROOT@/htdocs/"
AliasMatch ^/i/(.*) "@ROOT@/htdocs/$1"
Allow from all
AllowCONNECT 443
AllowEncodedSlashes On
AllowOverride None
AuthBasicProvider file
AuthDBDUserPWQuery "SELECT password FROM authn WHERE user = %s"
AuthDBDUserRealmQuery "SELECT password FROM authn WHERE user = %s AND realm = %s"
AuthDBMGroupFile "@ROOT@/conf/groups.dbm"
AuthDBMType SDBM
AuthDBMUserFile "@ROOT@/conf/users.dbm"
AuthDigestAlgorithm MD5
AuthDigestDomain /private/
AuthDigestProvider file
AuthDigestQop auth
AuthDigestShmemSize 1000000
AuthDigestNcCheck Off
AuthGroupFile "@ROOT@/conf/htgroup"
AuthLDAPBindPassword secret
AuthLDAPCharsetConfig "@ROOT@/conf/charset.conv"
AuthLDAPDereferenceAliases always
AuthLDAPURL "ldap://127.0.0.1/o=Example?uid"
AuthName "Members"
AuthnProviderAlias file staff
AuthType Basic
AuthUserFile "@ROOT@/conf/htpasswd"
AuthzDBMType SDBM
BalancerMember balancer://pool http://127.0.0.1:8001
BrowserMatch ^Mozilla old
BrowserMatchNoCase ^mozilla old
CacheDirLength 2
CacheDirLevels 2
CacheDisable /private
CacheEnable disk /
CacheFile "@ROOT@/htdocs/index.html"
CacheIgnoreHeaders Set-Cookie
CacheIgnoreURLSessionIdentifiers jsessionid
CacheLastModifiedFactor 0.5
CacheLockPath "@ROOT@/run"
CacheMaxFileSize 64000
CacheRoot "@ROOT@/run"
CGIDScriptTimeout 20
CGIMapExtension sys:/perl.nlm .pl
CharsetDefault ISO-8859-1
CharsetOptions ImplicitAdd
CharsetSourceEnc UTF-8
ChrootDir "@ROOT@"
CookieDomain .example.com
CookieExpires "2 weeks"
CookieLog logs/cookies
CookieName track
CookieStyle Cookie
CoreDumpDirectory "@ROOT@/run"
CustomLog logs/access_log common
Dav On
DavGenericLockDB "@ROOT@/run/generic"
DavLockDB "@ROOT@/run/lock"
DBDParams host=127.0.0.1
DBDPrepareSQL "DELETE FROM sessions" cleanup
DBDriver sqlite3
DefaultType text/plain
DeflateCompressionLevel 6
DeflateFilterNote ratio
DeflateMemLevel 9
DeflateWindowSize 15
Deny from all
Directory "@ROOT@/htdocs/a"
DirectoryIndex index.html
DirectoryMatch "/htdocs/[0-9]+/"
DocumentRoot "@ROOT@/htdocs"
DumpIOLogLevel notice
EnableExceptionHook Off
EnableMMAP On
EnableSendfile On
ErrorDocument 404 /missing.html
ErrorLog logs/error_log
ExpiresByType text/html "access plus 1 month"
ExpiresDefault "access plus 1 month"
ExtFilterDefine upper mode=output cmd="/usr/bin/tr a-z A-Z"
ExtFilterOptions LogStderr
FallbackResource /index.html
FileETag MTime Size
Files "*.inc"
FilesMatch "\\.inc$"
FilterChain +DEFLATE
FilterDeclare shrink
FilterProtocol narrow change=yes
FilterProvider shrink DEFLATE resp=Content-Type $text/
FilterTrace traced 1
ForceLanguagePriority Prefer
ForceType text/plain
ForensicLog logs/forensic_log
GprofDir "@ROOT@/run/"
GracefulShutdownTimeout 10
Group nogroup
Header set X-Here yes
HostnameLookups Off
HttpProtocolOptions Strict
IfDefine SOME_NAME
IfModule mod_dir.c
IfVersion >= 2.0
ImapBase map
ImapDefault nocontent
ImapMenu none
Include conf/empty.conf
IndexOptions FancyIndexing
IndexOrderDefault Ascending Name
KeepAlive On
KeepAliveTimeout 5
LanguagePriority en
LDAPSharedCacheFile "@ROOT@/run/ldap"
LDAPTrustedClientCert CERT_BASE64 "@ROOT@/conf/server.crt"
LDAPTrustedGlobalCert CA_BASE64 "@ROOT@/conf/server.crt"
LDAPTrustedMode SSL
Limit GET
LimitExcept GET
LimitInternalRecursion 5
LimitRequestBody 1000000
LimitRequestFields 50
LimitRequestFieldSize 4094
LimitRequestLine 4094
Listen 127.0.0.1:8099
LoadFile modules/mod_dir.so
LoadModule dir_module modules/mod_dir.so
Location /here
LocationMatch ^/here/[0-9]
LockFile logs/accept.lock
LogFormat "%h %l %u" short
LogLevel warn
MaxRanges default
MCacheRemovalAlgorithm LRU
MimeMagicFile conf/magic
MMapFile "@ROOT@/htdocs/index.html"
MultiviewsMatch Any
NameVirtualHost 127.0.0.9
NoProxy .example.com
NWSSLTrustedCerts conf/trusted.der
NWSSLUpgradeable 443 name
Options Indexes FollowSymLinks
Order deny,allow
PidFile run/other.pid
Protocol http
Proxy http://127.0.0.1/
ProxyBadHeader Ignore
ProxyBlock .example.org
ProxyDomain .example.com
ProxyFtpDirCharset UTF-8
ProxyIOBufferSize 8192
ProxyMatch ^http://127
ProxyPass /back http://127.0.0.1:8001/
ProxyPassMatch ^/back2/(.*) http://127.0.0.1:8001/$1
ProxyPassReverse /back http://127.0.0.1:8001/
ProxyPassReverseCookieDomain back.example.com www.example.com
ProxyPassReverseCookiePath /back /
ProxyReceiveBufferSize 4096
ProxyRemote ftp http://127.0.0.1:8001
ProxyRemoteMatch ^ftp http://127.0.0.1:8001
ProxyRequests Off
ProxySCGISendfile Off
ProxySet http://127.0.0.1:8001/ timeout=5
ProxyStatus Off
ProxyVia Off
Redirect /old http://www.example.com/new
RedirectMatch ^/old/(.*) http://www.example.com/$1
RedirectPermanent /old http://www.example.com/new
RedirectTemp /old http://www.example.com/new
RegisterHttpMethod PURGE
RequestHeader set X-Here yes
RequestReadTimeout header=20 body=20
Require valid-user
RewriteBase /
RewriteCond %{HTTPS} off
RewriteLock run/rewrite.lock
RewriteLog logs/rewrite_log
RewriteMap names txt:@ROOT@/conf/map.txt
RewriteOptions inherit
RewriteRule ^a$ /b
RLimitCPU max
RLimitMEM max
RLimitNPROC max
Satisfy All
Script PUT /cgi-bin/put.cgi
ScriptAlias /cgi-bin/ "@ROOT@/htdocs/"
ScriptAliasMatch ^/cgi/(.*) "@ROOT@/htdocs/$1"
ScriptInterpreterSource Script
ScriptLog logs/cgi_log
ScriptSock run/cgisock
SecureListen 443 name
SendBufferSize 4096
ReceiveBufferSize 4096
ServerName www.example.com
ServerPath /domain
ServerRoot "@ROOT@"
ServerSignature Off
ServerTokens Prod
SetEnvIf Host example here
SetEnvIfNoCase Host example here
SetHandler server-status
SetInputFilter DEFLATE
SetOutputFilter INCLUDES
SSLCACertificateFile "@ROOT@/conf/server.crt"
SSLCACertificatePath "@ROOT@/conf"
SSLCADNRequestFile "@ROOT@/conf/server.crt"
SSLCADNRequestPath "@ROOT@/conf"
SSLCARevocationFile "@ROOT@/conf/server.crl"
SSLCARevocationPath "@ROOT@/conf"
SSLCertificateChainFile "@ROOT@/conf/server.crt"
SSLCertificateFile "@ROOT@/conf/server.crt"
SSLCertificateKeyFile "@ROOT@/conf/server.key"
SSLCipherSuite HIGH
SSLCompression Off
SSLCryptoDevice builtin
SSLEngine Off
SSLFIPS Off
SSLMutex default
SSLOptions +StdEnvVars
SSLPassPhraseDialog builtin
SSLProtocol all
SSLProxyCACertificateFile "@ROOT@/conf/server.crt"
SSLProxyCACertificatePath "@ROOT@/conf"
SSLProxyCARevocationFile "@ROOT@/conf/server.crl"
SSLProxyCARevocationPath "@ROOT@/conf"
SSLProxyCipherSuite HIGH
SSLProxyMachineCertificateChainFile "@ROOT@/conf/server.crt"
SSLProxyMachineCertificateFile "@ROOT@/conf/both.pem"
SSLProxyMachineCertificatePath "@ROOT@/conf"
SSLProxyProtocol all
SSLProxyVerify none
SSLRandomSeed startup builtin
SSLRequire %{SSL_CIPHER_USEKEYSIZE} >= 128
SSLSessionCache none
SSLSessionTicketKeyFile "@ROOT@/conf/ticket.key"
SSLUserName SSL_CLIENT_S_DN_CN
SSLVerifyClient none
Substitute s/a/b/
Suexec Off
SuexecUserGroup nobody nogroup
TraceEnable off
TransferLog logs/transfer_log
TypesConfig conf/mime.types
UseCanonicalName Off
UseCanonicalPhysicalPort Off
User nobody
UserDir public_html
VirtualDocumentRoot "@ROOT@/htdocs/%0"
VirtualDocumentRootIP "@ROOT@/htdocs/%0"
VirtualHost 127.0.0.9:8097
VirtualScriptAlias "@ROOT@/htdocs/%0"
VirtualScriptAliasIP "@ROOT@/htdocs/%0"
XBitHack Off
`;

/** By kind of arguments. */
const DEFAULTS: Readonly<Record<string, string>> = {
  '0': '',
  '1': '10',
  '12': 'name',
  '2': 'one two',
  f: 'On',
  r: 'name',
  v: 'name',
  i: 'name',
  j: 'one .two',
  '!': 'On',
};

/** What has to stand before and after, where the place alone would not do. */
const AROUND: Readonly<Record<string, readonly [string, string?] | undefined>> = {
  FilterProtocol: ['FilterDeclare narrow'],
  FilterTrace: ['FilterDeclare traced'],
  ServerAlias: ['<VirtualHost 127.0.0.9:8096>', '</VirtualHost>'],
};

const given = new Map(
  ARGUMENTS.trim()
    .split('\n')
    .map((line) => {
      const blank = line.indexOf(' ');
      return [line.slice(0, blank), line.slice(blank + 1)] as const;
    }),
);

/** What the uses need below ServerRoot, beside what every test server has. */
export const useFiles: Readonly<Record<string, string>> = {
  'conf/charset.conv': 'en en ISO-8859-1\n',
  'conf/empty.conf': '',
  'conf/magic': '0 string GIF image/gif\n',
  'conf/map.txt': 'a b\n',
};

export interface DirectiveUse {
  readonly name: string;
  readonly owners24: readonly string[];
  /** The lines, in the section that they need to be in. */
  readonly lines: readonly string[];
  /** Which of the lines is the directive's own, from 0. */
  readonly ownLine: number;
}

/** Every directive and section of 2.2 in one valid use. */
export function uses22(): DirectiveUse[] {
  return [...allDirectives()].filter(({ owners22 }) => owners22.length > 0).map(useOf);
}

function useOf(info: DirectiveInfo): DirectiveUse {
  const { name, section, owners24, spec22 = '1s' } = info;
  const [, kind = '', places = ''] = /^(\d+|[a-z!])([a-zA-Z*]*)/.exec(spec22) ?? [];
  const args = given.get(name) ?? DEFAULTS[kind];
  if (args === undefined) throw new Error(`${name} needs arguments`);
  const line = `${name} ${args}`.trimEnd();
  const body = section ? [`<${line}>`, `</${name}>`] : [line];
  const use = { name, owners24 };
  const around = AROUND[name];
  if (around !== undefined)
    return {
      ...use,
      lines: [around[0], ...body, ...(around[1] === undefined ? [] : [around[1]])],
      ownLine: 1,
    };
  if (places.includes('s') || places.includes('x')) return { ...use, lines: body, ownLine: 0 };
  return { ...use, lines: [`<Directory "@ROOT@/htdocs/${name}">`, ...body, '</Directory>'], ownLine: 1 };
}
