/** A message of httpd 2.4 that an upgrade brings about, and what it means. */
export interface MessageShape {
  /** Its groups `directive`, `module`, `path` and `file` (of the configuration) are what the message names. */
  readonly pattern: RegExp;
  /** Id of the rule that says more; undefined where the directive's own rule does, or no rule. */
  readonly rule?: string;
  /** Where a rule looks after the directive that is named, that one says more than `rule`. */
  readonly owned?: true;
  /** What to do, for a person. */
  readonly remedy: string;
}

const ACCESS =
  'convert the access lines of 2.2 with httpd-codemod, for the whole tree at once; do not load mod_access_compat instead';

/** The first that fits counts. The messages are those with which the sources of 2.4 refuse what 2.2 accepted, or warn of it. */
export const MESSAGES: readonly MessageShape[] = [
  {
    pattern: /Invalid command '<?(?<directive>Order|Allow|Deny|Satisfy)'/i,
    rule: 'order-allow-deny',
    remedy: ACCESS,
  },
  {
    pattern:
      /(?:(?<file>\/[^:]*): )?\b(?<directive>RewriteRule|RewriteCond): cannot compile regular expression|(?:[Rr]egular expression|[Rr]egex|pattern)(?: for \w+)? could not be compiled|(?:Failed|could not|Unable) to compile regular expression|could not compile regex/,
    rule: 'regex-pcre2',
    remedy:
      'write \\- for a hyphen beside \\w or the like in brackets, and no backslash before a letter that has no meaning with one: since 2.4.53 httpd may be built with PCRE2, which refuses some of what PCRE 8 accepted',
  },
  {
    pattern:
      /invalid range in character class|range out of order in character class|unrecognized character follows \\|escape sequence is invalid in character class|reference to non-existent subpattern|\\K is not allowed in lookarounds/,
    rule: 'regex-pcre2',
    remedy:
      'write \\- for a hyphen beside \\w or the like in brackets, no backslash before a letter that has no meaning with one, and no \\K in an assertion',
  },
  { pattern: /Invalid command '<?(?<directive>[^'>]*)>?'/, remedy: '' },
  {
    pattern: /Ignoring deprecated use of DefaultType/,
    rule: 'default-type',
    remedy: 'remove the line: name the types that matter with AddType, or with ForceType in a section',
  },
  {
    pattern: /couldn't check (?:user|access)/,
    rule: 'load-module',
    remedy:
      'load mod_authn_core and mod_authz_core: without them, no module checks who the user is, or what the user may do',
  },
  {
    pattern: /AH01797: client denied by server configuration: (?<path>.*?)(?:, referer: .*)?$/,
    rule: 'order-allow-deny',
    remedy:
      'convert the access lines of the whole tree at once, and do not load mod_access_compat: it is loaded here, and its Order, Allow and Deny lines refuse the request, whatever Require lines say',
  },
  {
    pattern: /AH01630: client denied by server configuration: (?<path>.*?)(?:, referer: .*)?$/,
    rule: 'order-allow-deny',
    remedy:
      'ask --explain which Require line refuses: it stands in the last section on the way of the request that has one, and where none is nearer that may be the Require all denied of <Directory />',
  },
  {
    pattern: /client denied by server configuration: (?<path>.*?)(?:, referer: .*)?$/,
    rule: 'order-allow-deny',
    remedy:
      'ask --explain which section refuses; where lines for 2.2 and for 2.4 meet, mod_access_compat decides first: convert all of them at once',
  },
  {
    pattern: /No MPM loaded/,
    rule: 'load-module',
    remedy: 'load one of mod_mpm_prefork, mod_mpm_worker and mod_mpm_event: an MPM is a module in 2.4',
  },
  {
    pattern: /module \S+ is built-in and can't be loaded/,
    rule: 'load-module',
    remedy: 'remove this LoadModule line: the module is compiled in here',
  },
  {
    pattern:
      /(?:(?:mod_|lib|structure ')(?<module>[\w.-]+?)(?:\.so\b|\.c\b|_module').*?)?(?:undefined symbol: _?(?:ap_|unixd_)\w*|is garbled|is not compatible with this version)/,
    rule: 'third-party-module',
    remedy: 'the module is built for 2.2, and 2.4 cannot load that: install its build for 2.4',
  },
  {
    pattern: /undefined symbol/,
    rule: 'third-party-module',
    remedy:
      'load the module or the library that has this symbol before it; if 2.2 loaded this same file, install its build for 2.4',
  },
  {
    pattern: /Cannot load \S+\.so(?:\.[0-9]+)+ into server/,
    rule: 'third-party-module',
    remedy:
      'remove the LoadFile line where no module needs the library any more, or correct its path: it is not there',
  },
  {
    pattern: /(?:Cannot load|cannot open shared object file).*?(?:mod_|lib)(?<module>[a-z0-9_.-]+?)\.so\b/i,
    rule: 'load-module',
    remedy:
      'remove the LoadModule line, or use the name that 2.4 has for the module: it may be gone or renamed',
  },
  {
    pattern: /Either all Options must start with \+ or -, or no Option may/,
    rule: 'options',
    remedy: 'write words with a sign and words without one in separate lines',
  },
  {
    pattern: /NameVirtualHost has no effect/,
    rule: 'name-virtual-host',
    remedy: 'remove the line: virtual hosts that share an address are always told apart by name',
  },
  {
    pattern: /KeepAlive must be one of|KeepAlive must be On or Off/i,
    rule: 'keep-alive',
    remedy: 'write On or Off',
  },
  { pattern: /KeepAliveTimeout has wrong format/, rule: 'keep-alive-timeout', remedy: 'write whole seconds' },
  {
    pattern: /ServerTokens takes 1 argument/,
    rule: 'server-tokens',
    remedy: 'write one of its words, or Full',
  },
  {
    pattern:
      /Peer certificate is expired|Peer certificate does not match|Peer certificate CN mismatch|Error during SSL Handshake with remote server/,
    rule: 'ssl-proxy-check-peer',
    remedy:
      'correct the certificate of the backend, or set SSLProxyCheckPeerCN, SSLProxyCheckPeerName and SSLProxyCheckPeerExpire to off, which was their value in 2.2',
  },
  {
    pattern: /Invalid ServerName/,
    rule: 'server-name-pattern',
    remedy: 'move the pattern to ServerAlias: ServerName names one host',
  },
  {
    pattern: /Cannot access directory '(?<path>[^']*)' for/,
    remedy: 'create the directory, or write the log elsewhere: 2.4 looks for it in the configuration test',
  },
  {
    pattern: /Mutex type mpm-accept is not valid/,
    rule: 'accept-mutex',
    remedy: 'remove the line: this MPM has no accept mutex',
  },
  {
    pattern: /Invalid Mutex directory/,
    rule: 'accept-mutex',
    remedy: 'give Mutex a directory that exists, not a file',
  },
  {
    pattern: /Illegal protocol 'SSLv2'|SSLv2 is no longer supported/i,
    rule: 'ssl-protocol-sslv2',
    remedy: 'remove SSLv2 from the line',
  },
  {
    pattern: /'shm(?:ht)?' session cache not supported/,
    rule: 'ssl-session-cache',
    remedy: 'write shmcb: instead, and load mod_socache_shmcb',
  },
  {
    pattern: /'\S+' session cache not supported/,
    rule: 'load-module',
    remedy: 'load the mod_socache module of that name: each kind of cache is a module in 2.4',
  },
  {
    pattern: /Setting Compression mode unsupported/,
    rule: 'ssl-compression-on',
    remedy: 'write SSLCompression off, or remove the line: this OpenSSL cannot compress',
  },
  {
    pattern: /does not support the Entropy Gathering Daemon/,
    rule: 'ssl-random-seed-egd',
    remedy: 'use builtin or file:/dev/urandom',
  },
  {
    pattern: /does not have support for per-directory CA/,
    rule: 'ssl-ca-in-section',
    remedy: 'move the line out of the section, into the virtual host',
  },
  {
    pattern: /unable to get certificate CRL/,
    rule: 'ssl-revocation-check',
    remedy:
      'set SSLCARevocationCheck chain no_crl_for_cert_ok to accept certificates for which there is no list, as 2.2 did',
  },
  {
    pattern: /alias provider name must be different|alias provider \S+ has already be/,
    rule: 'authn-provider-alias-taken',
    remedy: 'give the alias another name, here and where it is used',
  },
  {
    pattern: /AuthDigestQop auth-int is not|AuthDigestQop is deprecated: only 'auth'/,
    rule: 'auth-digest-auth-int',
    remedy: 'write auth: 2.4 supports no other',
  },
  {
    pattern: /AH10560: invalid or missing qop value/,
    rule: 'auth-digest-client-without-qop',
    remedy: 'replace the client: it uses the Digest of RFC 2069, which httpd does not accept since 2.4.69',
  },
  {
    pattern: /algorithm `MD5-sess'|Unsupported algorithm in AuthDigestAlgorithm: MD5-sess/,
    rule: 'auth-digest-md5-sess',
    remedy: 'write MD5: the passwords stay valid',
  },
  {
    pattern: /Unsupported HTTP response code|invalid HTTP response code '[^']*' for flag 'R'/,
    rule: 'status-code-refused',
    remedy:
      'remove the line, or write a status code that 2.4 knows: 2.2 accepted 306, 418, 420, 425 and 509 too',
  },
  {
    pattern: /Illegal option \S+/,
    rule: 'strict-argument',
    remedy:
      'remove the word, which is no option: after AllowOverride Options= 2.2 ignored it and all words behind it',
  },
  {
    pattern: /LimitXMLRequestBody must not exceed/,
    rule: 'strict-argument',
    remedy: 'write 0: that is the largest limit that 2.4 has',
  },
  {
    pattern:
      /Log level keyword must be one of|Cannot find module (?:emerg|alert|crit|error|warn|notice|info|debug) /i,
    rule: 'strict-argument',
    remedy: 'write the level alone: 2.2 read only the first word in the quotes',
  },
  {
    pattern: /Can't parse value expression/,
    rule: 'strict-argument',
    remedy: 'write expr= twice to send a value that begins with it: 2.4 reads what follows as an expression',
  },
  {
    pattern: /SSLEngine optional' is no longer supported/,
    rule: 'strict-argument',
    remedy: 'write off, and set SSLEngine on in a separate virtual host for TLS',
  },
  {
    pattern: /\bIOBufferSize must be >= 512 bytes/,
    rule: 'strict-argument',
    remedy: 'write 8192: 2.2 used that for any smaller iobuffersize',
  },
  {
    pattern: /LoadFactor must be a number between/,
    rule: 'strict-argument',
    remedy: 'write a number from 1 to 100: 2.2 ignored what follows the whole number',
  },
  {
    pattern: /BalancerMember must define remote proxy server/,
    rule: 'strict-argument',
    remedy: 'write the URL without an equals sign: 2.4 reads each word with one as a parameter',
  },
  {
    pattern:
      /(?:worker (?:name|scheme|hostname)|balancer (?:safe-)?name) \(.*\) too long|front-end virtual-path \(.*\) too long/,
    rule: 'strict-argument',
    remedy:
      'shorten it: the name of a balancer may have 95 characters and a path to one 63; the host and URL of a backend may be longer from 2.4.30 on',
  },
  {
    pattern: /Cannot parse '[^']*' as port number/,
    rule: 'strict-argument',
    remedy:
      'write numbers with blanks between them, or first-last: 2.2 read the number that a word begins with',
  },
  {
    pattern: /SSLCryptoDevice: Invalid argument/,
    rule: 'strict-argument',
    remedy: 'write builtin, if that device holds no key: the installed OpenSSL has no such engine',
  },
  {
    pattern: /SSLSessionCache: Invalid argument/,
    rule: 'ssl-session-cache',
    remedy:
      'write shmcb:/path(512000): a number alone in the parentheses, 8192 or more, and nothing behind them',
  },
  {
    pattern: /SSLRequire: /,
    rule: 'ssl-require',
    remedy:
      'write the expression as 2.4 reads it: no quotation marks around the whole, PeerExtList() for OID(), and file() in no .htaccess',
  },
  {
    pattern: /<?Proxy>? arguments are not supported for (?:non|wildchar) url/,
    rule: 'proxy-section-regex',
    remedy: 'write <ProxyMatch> for <Proxy ~>',
  },
  {
    pattern: /Cannot define multiple Listeners on the same IP:port/,
    rule: 'listen-twice',
    remedy: 'remove one of the two Listen lines for this address',
  },
  {
    pattern: /No comments are allowed here/,
    rule: 'host-list-comment',
    remedy: 'put the comment on a separate line, or convert the access lines with httpd-codemod',
  },
  {
    pattern: /Cannot parse expression in require line/,
    rule: 'require-expression',
    remedy: 'put a backslash before %{, $1 and backslashes in the names: 2.4 reads them as an expression',
  },
  {
    pattern: /CacheDisable must specify a path or an URL/,
    rule: 'cache-disable',
    remedy: 'remove the line: it had no effect in 2.2',
  },
  {
    pattern: /suEXEC isn't supported|suEXEC is disabled/,
    rule: 'suexec-user-group',
    remedy: 'install the suexec program, or remove the line: 2.2 only warned',
  },
  {
    pattern: /ProxyIOBufferSize must be/,
    rule: 'proxy-io-buffer-size',
    remedy: 'write 8192, which 2.2 used for any smaller number',
  },
  {
    pattern: /Unknown filter provider (?<word>\S+)/,
    rule: 'load-module',
    remedy:
      'load the module that has this filter before this line (mod_deflate for DEFLATE, mod_include for INCLUDES)',
  },
  {
    pattern: /Failed to lookup provider 'shm'/,
    rule: 'load-module',
    remedy: 'load mod_slotmem_shm: balancers store their state with it',
  },
  {
    pattern: /No protocol handler was valid for the URL/,
    rule: 'load-module',
    remedy: 'load mod_proxy_http, or the one for the scheme of that URL',
  },
  {
    pattern: /Couldn't (?:create|bind|listen on) unix domain socket/,
    rule: 'script-sock',
    remedy: 'give ScriptSock an absolute path: in 2.4 a relative one is below DefaultRuntimeDir',
  },
  {
    pattern: /Could not parse expr "/,
    rule: 'ssi-expr',
    remedy: 'set SSILegacyExprParser on: pages are then read as in 2.2',
  },
  {
    pattern: /Line too long, URI/,
    rule: 'substitute-long-line',
    remedy: 'raise SubstituteMaxLineLength: 2.2 had no limit',
  },
  {
    pattern: /Request (?:header|body|handshake) read timeout/,
    rule: 'request-read-timeout-unset',
    remedy: 'set RequestReadTimeout header=0 body=0 to wait as long as 2.2 did',
  },
  {
    pattern: /is larger than the configured limit/,
    rule: 'limit-request-body-unset',
    remedy: 'set LimitRequestBody 0 to accept bodies of any size, as 2.2 did',
  },
  {
    pattern: /Rewritten query string contains control char|Unsafe URL with %3f/,
    rule: 'rewrite-rule-unsafe',
    remedy:
      'give the rule the flag B, or UnsafeAllow3F if an encoded ? of the request is meant to act as one',
  },
  {
    pattern: /Unknown Authz provider: (?<word>\S+)/,
    rule: 'order-allow-deny',
    remedy:
      'correct the word after Require, or load its module: it is misspelled, in capitals, or of a module that is not loaded',
  },
  {
    pattern: /Unknown (?:Authn|Auth) provider: (?<word>\S+)/i,
    rule: 'load-module',
    remedy: 'load the module that has this provider',
  },
  {
    pattern: /Cannot find LB Method/i,
    rule: 'load-module',
    remedy: 'load mod_lbmethod_byrequests, or the one that the balancer names, and mod_slotmem_shm',
  },
  {
    pattern: /No matches for the wildcard|Include\/IncludeOptional: Could not open/,
    rule: 'include-pattern',
    remedy: 'write IncludeOptional: Include refuses a pattern that matches nothing',
  },
  {
    pattern: /Can(?:not|'t) parse (?:value )?expression/i,
    rule: 'expression-text',
    remedy: 'escape %{, $1 and backslashes in the text: 2.4 reads it as an expression',
  },
  {
    pattern: /(?<file>\/[^:]*): <?(?<directive>[^\s<>]+)>? not allowed (?:here|in <\S+ context)/,
    rule: 'allow-override-unset',
    remedy:
      'set AllowOverride for this directory so that a .htaccess may have the line, or remove the line: where no section sets AllowOverride, 2.4 accepts none',
  },
  {
    pattern: /<Limit(?:Except)?>? not allowed here/,
    rule: 'limit-at-server-level',
    remedy: 'move the lines out of the <Limit>, which limits nothing outside of directories',
  },
  {
    pattern: /ProxyPass\w* cannot occur within <(?:Directory|Files)/,
    rule: 'proxy-pass-in-directory',
    remedy: 'move it to the server level, or into the <Location> of its URL',
  },
  {
    pattern: /was not closed/,
    rule: 'backslash-line-end',
    remedy:
      'add the closing line; if it is there, a backslash at the end of the line above joins the two: remove the backslash',
  },
  {
    pattern: /<?(?<directive>[^\s<>]+)>? (?:not allowed (?:here|in <\S+ context)|cannot occur within)/,
    rule: 'misplaced-directive',
    owned: true,
    remedy: 'move the line to a place where 2.4 accepts it, or remove it',
  },
  {
    pattern: /(?<directive>\S+) (?:takes (?:one|two|three|1|2|no|at least)|requires )/,
    rule: 'misplaced-directive',
    owned: true,
    remedy: 'correct the arguments: 2.4 does not accept these',
  },
  {
    pattern:
      /(?:Cannot serve directory|Options FollowSymLinks and SymLinksIfOwnerMatch are both off|Options ExecCGI is off)/,
    rule: 'options-unset',
    remedy:
      'set Options for this directory: without such a line it had All in 2.2, and has FollowSymLinks in 2.4',
  },
  {
    pattern:
      /No authentication done but request not allowed|AuthType \S+ configured without corresponding module/,
    rule: 'order-allow-deny',
    remedy:
      'convert the whole tree: a section asks for a user without AuthType, or has AuthType without Require',
  },
  {
    pattern: /could not open dbm \(type [^)]*\) auth (?:group )?file/,
    remedy:
      'make the file again with htdbm, or name its type with AuthDBMType or AuthzDBMType: the library of this httpd may have another default type of DBM than that of the old one had',
  },
  {
    pattern: /End of file found.*error reading status line from remote server/,
    remedy:
      "look at the backend: it closed the connection without an answer. If that happens to connections that stood idle, give ProxyPass a ttl= below the backend's keep-alive timeout",
  },
  {
    pattern: /End of file found.*Error dispatching request to/,
    remedy: 'look at the log of the FastCGI program: it closed the connection before its answer was complete',
  },
  {
    pattern: /End of file found/,
    remedy:
      'no file of the configuration ended too early (that message is "was not closed"): a connection did. What stands behind it says which: one of a client is harmless, for one of a backend or program see its log',
  },
];
