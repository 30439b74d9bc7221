import type { MessageShape } from './shape';

/** What OCSP stapling needs. */
const CHAIN_FOR_STAPLING =
  'put the certificates between this one and its root behind it in SSLCertificateFile, and let this machine reach the address that they name for OCSP; for a certificate without either, `SSLUseStapling off`';

/** What mod_ssl says. */
export const TLS_MESSAGES: readonly MessageShape[] = [
  {
    pattern: /\bAH02(?:219|229|265)\b|SSL (?:connection required|requirement expression not fulfilled)/,
    rule: 'ssl-require',
    remedy:
      'nothing, if plain HTTP (SSLRequireSSL) or a client without the right certificate (SSLRequire) is to be refused, as 2.2 did; else correct that line: the message tells the URL. Behind a proxy that ends TLS, the request comes as plain HTTP',
  },
  {
    pattern:
      /\bAH0(?:2039|2040)\b|Certificate Verification: (?:Error(?!.*certificate CRL)|Certificate Chain too long)/,
    remedy:
      'put the authority that signed the certificate of the client into SSLCACertificateFile (that of a backend into SSLProxyCACertificateFile), with those between (SSLVerifyDepth counts them), and renew what has expired: the number in parentheses is the reason of OpenSSL (`openssl verify`)',
  },
  {
    pattern: /\bAH01899\b|CRL checking has been enabled, but neither/,
    rule: 'ssl-revocation-check',
    remedy:
      'name the lists in SSLCARevocationFile or SSLCARevocationPath, or write `SSLCARevocationCheck none`',
  },
  {
    pattern: /\bAH0(?:2208|2252|2326)\b|client cert configured for SSL proxy|proxy client certificate/,
    remedy:
      'put the certificate and its key, unencrypted and in PEM, one after the other into the file that SSLProxyMachineCertificateFile names',
  },
  {
    pattern: /\bAH0(?:0961|1961)\b|failed to enable ssl support/,
    remedy:
      'write `SSLProxyEngine on` into this virtual host and load mod_ssl: the URL of the backend begins with https:',
  },
  {
    pattern: /\bAH01958\b|no stapling cache available/,
    remedy:
      'write `SSLStaplingCache shmcb:NAME(512000)` outside of any virtual host and load mod_socache_shmcb: SSLUseStapling needs it; or `SSLUseStapling off`',
  },
  {
    pattern: /stapling.*\[subject: (?<name>[^/]{1,300}) \/ issuer: \k<name> \//,
    remedy:
      'nothing, httpd serves the certificate without stapling: it is signed by itself, so that there is nobody to ask. To end the message write `SSLUseStapling off` for this virtual host; "Apache Managed Domain Fallback" goes by itself once mod_md has the certificate',
  },
  {
    pattern:
      /\bAH0(?:2217|2218|1941|1979|1985)\b|ssl_stapling_init_cert|stapling_renew_response|stapling.*(?:issuer|responder)/i,
    remedy: CHAIN_FOR_STAPLING,
  },
  {
    pattern: /\bAH0(?:2235|2567|2604)\b|Unable to configure (?:server )?certificate .*for stapling/,
    general: true,
    remedy: CHAIN_FOR_STAPLING,
  },
  {
    pattern:
      /Server should be SSL-aware but has no certificate configured|no (?:RSA|RSA, DSA or ECC|RSA or DSA) server certificate found|\bAH01910\b/,
    rule: 'ssl-engine-inherited',
    remedy:
      'give this virtual host SSLCertificateFile and SSLCertificateKeyFile, or take `SSLEngine on` out of it: it may be inherited from the main server. Before 2.4.34, `Listen 443` may switch it on for what has no SSLEngine line: write `SSLEngine off` there',
  },
  {
    pattern:
      /Peer certificate is expired|Peer certificate does not match|Peer certificate CN mismatch|Error during SSL Handshake with remote server/,
    rule: 'ssl-proxy-check-peer',
    remedy:
      'correct the certificate of the backend, or set SSLProxyCheckPeerCN, SSLProxyCheckPeerName and SSLProxyCheckPeerExpire to off, which was their value in 2.2',
  },
  {
    pattern: /Illegal protocol 'SSLv2'|SSLv2 is no longer supported/i,
    rule: 'ssl-protocol-sslv2',
    remedy: 'remove SSLv2 from the line',
  },
  {
    pattern: /Illegal protocol '[+-]?SSLv3'|SSLv3 (?:is )?(?:not|no longer) supported/i,
    rule: 'ssl-protocol-old',
    remedy:
      'take SSLv3 out of the line: the OpenSSL that this httpd is built with has none (`SSLProtocol all` means what there is, `-SSLv3` is then not needed)',
  },
  {
    pattern: /Illegal protocol '(?<word>TLSv1\.[123])'/,
    rule: 'ssl-protocol-old',
    remedy:
      'take $<word> out of the line, or update: this httpd, or the OpenSSL that it is built with, does not know it. TLSv1.3 needs httpd 2.4.37 with OpenSSL 1.1.1, TLSv1.1 and TLSv1.2 need OpenSSL 1.0.1 (`SSLProtocol all -SSLv3` means what there is)',
  },
  {
    pattern: /Illegal protocol '(?<word>[^']*)'/,
    rule: 'strict-argument',
    remedy:
      'correct the word $<word>: SSLProtocol takes all, SSLv3, TLSv1, TLSv1.1, TLSv1.2 and TLSv1.3, each with + or - in front or none, and blanks between them',
  },
  {
    pattern: /'shm(?:ht)?' session cache not supported/,
    rule: 'ssl-session-cache',
    remedy: 'write shmcb: instead, and load mod_socache_shmcb',
  },
  {
    pattern: /Setting Compression mode unsupported/,
    rule: 'ssl-compression-on',
    remedy:
      'remove the line: this OpenSSL cannot compress, so that nothing is compressed without it, and some releases of 2.4 refuse `SSLCompression off` as well then',
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
    pattern: /SSLVerifyClient: Invalid argument/,
    rule: 'strict-argument',
    remedy: 'write none, optional, require or optional_no_ca',
  },
  {
    pattern: /SSLEngine optional' is no longer supported/,
    rule: 'strict-argument',
    remedy: 'write off, and set SSLEngine on in a separate virtual host for TLS',
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
    pattern: /SSLRequire: (?!Failed to compile)/,
    rule: 'ssl-require',
    remedy:
      'write the expression as 2.4 reads it: no quotation marks around the whole, PeerExtList() for OID(), and file() in no .htaccess',
  },
  {
    pattern: /ee key too small|dh key too small|ca md too weak|ca key too small/i,
    remedy:
      'replace the certificate or its chain: this OpenSSL takes no RSA key below 2048 bits, no SHA-1 signature and no DH group below 2048 bits (append that of `openssl dhparam 2048` to the file of SSLCertificateFile). Until then `SSLCipherSuite DEFAULT@SECLEVEL=1` (0 for SHA-1) lets httpd start with them',
  },
  {
    pattern: /\bAH0256[12]: .*check \S*(?:priv|\bkey\b|\.key\b)/,
    remedy:
      'let SSLCertificateFile name the certificate (certbot: fullchain.pem), and SSLCertificateKeyFile the key (privkey.pem): by its name the file that is read as certificate is a key',
  },
  {
    pattern: /no start line|bad base64 decode|bad end line|not enough data|wrong tag|\bunsupported format\b/i,
    remedy:
      'look at the file with `openssl x509 -noout -text -in FILE` (a key: `openssl pkey -noout -in FILE`): it is empty, not PEM, has bytes in front, or holds a key where the certificate is expected',
  },
  {
    pattern: /SSLCertificate(?:Key|Chain)?File: file '[^']*' does not exist or is empty/,
    remedy:
      'copy the certificate, key and chain from the old server to this path, the key readable by root alone, or correct the path. One of certbot that is gone (`certbot certificates` lists them) is made anew, or its virtual host taken out. A certificate to try with: RHEL `/usr/libexec/httpd-ssl-gencerts`, Debian `make-ssl-cert generate-default-snakeoil`',
  },
  {
    pattern: /\bAH02292\b|Name-based SSL virtual hosts only work/,
    remedy:
      'nothing: only clients without SNI, which are older than 2010, get the first virtual host of the address',
  },
  {
    pattern:
      /key values mismatch|Unable to configure (?:RSA|DSA|EC\w*) server private key|Certificate and private key \S+ .*do not match|\bAH02565\b/,
    remedy:
      'give SSLCertificateKeyFile the key of this certificate: `openssl x509 -noout -pubkey -in CERT` and `openssl pkey -pubout -in KEY` must print the same. In SSLCertificateFile the own certificate stands first, the chain after it',
  },
  {
    pattern: /\bAH02559\b|SSLCertificateChainFile directive .*is deprecated/,
    remedy:
      'nothing must be done, the line still works; to end the message, append the chain to the file of SSLCertificateFile, after the certificate, and remove the line',
  },
  {
    pattern: /(?:\bAH02572\b|Failed to configure at least one certificate)(?:.* for (?<host>[^\s:]+))?/,
    general: true,
    remedy:
      'give the virtual host that the message names both SSLCertificateFile and SSLCertificateKeyFile, or take `SSLEngine on` out of it, which it may inherit from the main server. Where it has both, copy certificate, key and chain from the old server to these paths, in PEM: the next line of the log has the reason',
  },
  {
    pattern:
      /\bAH0(?:1891|1903|2201|223[3478]|2241|2561|2562|2566|2573|2574|2579|2581)\b|\bAH101(?:30|37)\b|Failed to configure certificate|Can't open server private key|Init: Private key not found|Unable to read server (?:certificate|private key)|SSLCertificate(?:Key|Chain)?File: file '[^']*' does not exist/,
    general: true,
    remedy:
      'copy the certificate, key and chain from the old server to the paths that SSLCertificateFile and its like name, readable by root alone (key), PEM, unbroken; a virtual host with SSLEngine on needs both. The next line of the log has the reason of OpenSSL',
  },
  {
    pattern: /\bAH02564\b|Failed to configure encrypted \(\?\) private key/,
    rule: 'ssl-pass-phrase-dialog',
    remedy:
      'look at the key with `openssl pkey -noout -in KEY`. If it asks for a pass phrase, write it without one (`openssl pkey -in KEY -out NEWKEY`, mode 0600), or name a program with `SSLPassPhraseDialog exec:`; if it says that it cannot, the file is no key, not PEM or not whole: copy it again',
  },
  {
    pattern:
      /\bAH02(?:577|578|580)\b|SSLPassPhraseDialog|Enter (?:SSL )?pass ?phrase|Pass phrase incorrect|Unable to read pass phrase/,
    rule: 'ssl-pass-phrase-dialog',
    remedy:
      'give the key without a pass phrase (`openssl pkey -in KEY -out NEWKEY`, mode 0600), or name a program with `SSLPassPhraseDialog exec:`: a service that systemd starts cannot ask',
  },
  {
    pattern: /\bAH02569\b|Illegal attempt to re-initialise SSL/,
    rule: 'ssl-engine-inherited',
    remedy: 'move SSLEngine on from the main server into the virtual hosts for TLS',
  },
  {
    pattern: /\bAH0(?:2231|3378)\b|No SSL protocols available/,
    rule: 'ssl-protocol-old',
    remedy:
      'write `SSLProtocol all -SSLv3`, or remove the line: what it leaves, the installed OpenSSL does not have',
  },
  {
    pattern: /\bAH02407\b|SSLOpenSSLConfCmd \S+ .*failed/,
    remedy:
      'look at the word and value behind SSLOpenSSLConfCmd: for DHParameters make the file that it names (`openssl dhparam -out FILE 2048`, PEM), or remove the line, for httpd has parameters of its own; another word or value is none that this OpenSSL has',
  },
  {
    pattern: /\bAH0188[12]\b|this version of mod_ssl was compiled against a newer library/,
    remedy:
      'restart httpd, not only reload it, after each update of OpenSSL; if the message stays, bring the library to the release that mod_ssl was built with (`apt full-upgrade`, `dnf upgrade`), from the same source as httpd: one of an own build in /usr/local may stand before it (`ldd mod_ssl.so`). httpd starts all the same',
  },
  {
    pattern: /\bAH0231[12]\b|Fatal error initialising mod_ssl/,
    general: true,
    remedy:
      'read the error log of this virtual host, one or two lines before: the reason is there (key, certificate, protocol, cipher)',
  },
  {
    pattern: /\bAH02031\b|provided via SNI, but no hostname provided in HTTP request/,
    remedy:
      'nothing, if it is rare: a client of HTTP/1.0 named the host in the handshake and not in its request, and gets 400. A monitor or proxy of your own must send a Host header',
  },
  {
    pattern: /default host as no SNI was provided/,
    rule: 'ssl-host-not-sni',
    remedy:
      'have what stands in front of httpd send the name in the TLS handshake: nginx `proxy_ssl_server_name on; proxy_ssl_name $host;`, HAProxy `sni req.hdr(host)` at the server, httpd `ProxyPreserveHost On`. Without a name the first virtual host of the address does the handshake, and since 2.4.64 a Host that leads to one with other SSL lines gets 421',
  },
  {
    pattern: /\bAH02033\b|No hostname was provided via SNI for a name based virtual host/,
    rule: 'ssl-host-not-sni',
    remedy:
      'write `SSLStrictSNIVHostCheck off`, or have the client (a monitor, a proxy in front) send the name in the TLS handshake: with `on` httpd answers 403 to who sends none',
  },
  {
    pattern:
      /\bAH02032\b|provided via SNI|^(?!\[|.*(?:\bAH\d{5}\b|\bon line \d|\w\[421\])).*\b421\b|\bMisdirected Request\b|Server Name Indication \(SNI\) in use/,
    rule: 'ssl-host-not-sni',
    remedy:
      'give the virtual hosts that share this address the same SSLVerifyClient, SSLCACertificateFile, SSLCipherSuite and SSLProtocol, or each its own address: 2.4 answers 421 where Host leads to another of them than the handshake. A proxy in front must send the name that it asks for in the handshake, too (nginx: `proxy_ssl_server_name on;`, `proxy_ssl_name $host;`; httpd: `ProxyPreserveHost On`)',
  },
  {
    pattern: /\bAH10158\b|cannot perform post-handshake authentication/,
    rule: 'ssl-verify-client-in-section',
    remedy:
      'write `SSLProtocol all -SSLv3 -TLSv1.3` in this virtual host, or move SSLVerifyClient out of the section into the virtual host: with TLS 1.3 browsers do not send a certificate later on',
  },
  {
    pattern:
      /\bAH0(?:2225|2261|2262|2263|2257|2018)\b|[Rr]e-negotiation (?:handshake|request) failed|could not buffer message body/,
    rule: 'ssl-verify-client-in-section',
    remedy:
      'ask for the certificate of the client in the virtual host, not in a section; where that cannot be, see that the client sends one that SSLCACertificateFile covers, and raise SSLRenegBufferSize for uploads',
  },
  {
    pattern:
      /\bAH0(?:1906|1909)\b|server certificate (?:is a CA certificate|does NOT include an ID which matches|(?:CommonName|wildcard CommonName) \(CN\) .*does NOT match server name)/,
    remedy:
      'nothing, httpd starts; browsers warn unless the certificate names this ServerName (subjectAltName). To end the message write the ServerName that the certificate has, or take a certificate for this name that is none of an authority (CA:FALSE)',
  },
  {
    pattern: /\bAH01873\b|Session Cache is not configured/,
    rule: 'ssl-session-cache',
    remedy:
      'write `SSLSessionCache shmcb:NAME(512000)` in the main server and load mod_socache_shmcb; httpd runs without it, a little slower',
  },
  {
    pattern:
      /\bAH0(?:2210|2211|1895|1896)\b|Failed to load SSLCACertificateFile|Unable to configure verify locations|SSL(?:Proxy)?CA\w+(?:File|Path): (?:file|directory) '[^']*' does not exist/,
    remedy:
      'copy the file or directory of certificate authorities from the old server; a directory needs `openssl rehash DIRECTORY` on this machine',
  },
  {
    pattern:
      /\bAH(?:01898|10127)\b|Unable to configure permitted SSL ciphers|CIPHER_PROCESS_RULESTR|no cipher match/i,
    rule: 'ssl-protocol-old',
    remedy:
      'write `SSLCipherSuite HIGH:!aNULL:!MD5`, or remove the line: in the present one this OpenSSL knows no cipher or reads a word that is none (SSLv2, EXP, RC4, blanks in place of colons)',
  },
  {
    pattern: /\bAH02042\b|rejecting client initiated renegotiation/,
    remedy: 'nothing: mod_ssl refuses what a client tried, mostly a scanner',
  },
  {
    pattern:
      /wrong version number|http request\)|HELLO:http request|SERVER_HELLO:unknown protocol|(?:HTTP spoken on|speaking (?:HTTP|not SSL) to) HTTPS port|speaking plain HTTP to an SSL|\bAH01996\b|\bAH00134\b|record_too_long|record that exceeded|ERR_SSL_PROTOCOL_ERROR|sent an invalid response|No secure protocols supported/i,
    remedy:
      'one side speaks plain HTTP where the other expects TLS: the virtual host of port 443 lacks SSLEngine on, or is not read, as `httpd -S` shows (Debian: `a2enmod ssl`, a file that ends in .conf, and `a2ensite default-ssl` or the own site; RHEL: `dnf install mod_ssl`), or a proxy asks https:// where http:// answers',
  },
  {
    pattern: /alert (?:certificate unknown|unknown ca|bad certificate|certificate expired|no certificate)/i,
    remedy:
      'it is the client that breaks off, for it does not trust the certificate: put the certificates between it and its root behind it in SSLCertificateFile (`openssl s_client -connect HOST:443 -servername NAME` shows the chain), renew what has expired, and see that it names this host. A self-signed one must be imported by the client',
  },
  {
    pattern:
      /ERR_CERT_AUTHORITY_INVALID|UNKNOWN_ISSUER|(?<!\bAH02039\b.*)unable to (?:get local issuer|verify the first) certificate/i,
    remedy:
      'put the certificates between this one and its root behind it in the file of SSLCertificateFile (fullchain.pem), and see that the virtual host that answers names it: `openssl s_client -connect HOST:443 -servername HOST` shows what is sent. A certificate that httpd or the system made for itself is known to no client',
  },
  {
    pattern:
      /ERR_SSL_VERSION_OR_CIPHER_MISMATCH|NO_CYPHER_OVERLAP|SSL_ERROR_UNSUPPORTED_VERSION|OBSOLETE_VERSION/i,
    rule: 'ssl-protocol-old',
    remedy:
      'write `SSLProtocol all -SSLv3` and `SSLCipherSuite HIGH:!aNULL:!MD5` in place of the lines of 2.2: what these leave (TLSv1, RC4, 3DES) browsers refuse',
  },
  {
    pattern:
      /(?<!ProxyProtocol: )unsupported protocol|unknown protocol|tlsv1 alert protocol version|alert handshake failure|handshake_failure|no shared cipher|no protocols available|legacy sigalg disallowed/i,
    rule: 'ssl-protocol-old',
    remedy:
      'the client or backend speaks only TLS or ciphers that this OpenSSL refuses (TLS 1.0 and 1.1, SHA-1, RC4, 3DES): renew it, or `SSLCipherSuite DEFAULT@SECLEVEL=0` (for a backend SSLProxyCipherSuite) with the old protocols named',
  },
];
