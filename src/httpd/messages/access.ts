import type { MessageShape } from './shape';

const ACCESS =
  'convert the access lines of 2.2 with httpd-codemod, for the whole tree at once: `Order allow,deny` with `Allow from all` becomes `Require all granted`, `Deny from all` alone `Require all denied`, `Allow from ADDRESS` after `Deny from all` `Require ip ADDRESS`; do not load mod_access_compat instead. A 2.2 that says this lacks mod_authz_host';

/** A 2.4 without mod_access_compat does not know the lines of 2.2. */
export const OLD_ACCESS: MessageShape = {
  pattern: /Invalid command '<?(?<directive>Order|Allow|Deny|Satisfy)(?:'| |$)/i,
  rule: 'order-allow-deny',
  remedy: ACCESS,
};

/** What 2.4 says about who gets in: access, users, passwords and groups. */
export const ACCESS_MESSAGES: readonly MessageShape[] = [
  {
    pattern: /\b(?:Order|Allow) takes (?:one argument|at least one argument)|\bunknown order\b/i,
    rule: 'order-allow-deny',
    remedy:
      'write `Order allow,deny` in one word, without a blank at the comma; for 2.4 write Require lines instead (`Require all granted`, `Require all denied`, `Require ip ADDRESS`), which httpd-codemod does for the whole tree',
  },
  {
    pattern: /couldn't check (?:user|access)/,
    rule: 'load-module',
    remedy:
      'load mod_authn_core and mod_authz_core: without them, no module checks who the user is, or what the user may do',
  },
  {
    pattern: /(?:\bAH01(?:630|797)\b.*|client denied by server configuration): proxy:/,
    rule: 'order-allow-deny',
    remedy:
      'nothing, if the URL is none of yours: somebody looks for an open proxy (`ProxyRequests Off`). For a backend of your own write `Require all granted`, or whom it is for, into the <Proxy> or <Location> that covers this URL, in place of Order, Allow and Deny: no <Directory> grants what is no file',
  },
  {
    pattern: /(?:\bAH01(?:630|797)\b|client denied by server configuration: ).*\/\.well-known(?:\/|$)/,
    rule: 'order-allow-deny',
    remedy:
      'leave .well-known out of the section that refuses names with a dot in front (`<DirectoryMatch "/\\.(?!well-known)">`), or write `Require all granted` into a <Location /.well-known/acme-challenge>, which is read after it: certificates are fetched by this path',
  },
  {
    pattern:
      /(?:\bAH01(?:630|797)\b|client denied by server configuration: ).*\/\.(?:ht\w*|git(?!\/(?:info\/refs|git-))|svn|hg|env)(?:[/,. ]|$)/,
    remedy:
      'nothing: somebody, mostly a scanner, asks for a file that is to be hidden (`<FilesMatch "^\\.ht"> Require all denied`). Let nobody read it; where documents are meant to lie below a directory of such a name, give that another name',
  },
  {
    pattern:
      /(?:\bAH01(?:630|797)\b|client denied by server configuration: ).*(?:php(?:my|pg)admin|\/pma\b|\badminer|\/(?:server-(?:status|info)|xampp|webalizer)\b)/i,
    rule: 'order-allow-deny',
    remedy:
      'nothing, if the client is none of yours: scanners ask for such pages, and are refused. For those who may use it write `Require ip ADDRESS`, `Require local` for this machine, or a password with `Require valid-user`, into its section, in place of its Order, Allow and Deny lines',
  },
  {
    pattern:
      /client denied by server configuration: ["'`]?[^ ,"'`]*(?:\.(?:ini|db|sqlite3?|sql|log|conf|cfg|config|inc|bak|pem|key|ya?ml|lock|tpl|twig)|\/composer\.json|\/wp-config\.php|\/htaccesstest\.txt|\/(?:config|vendor|private|backups?|data)\/?|\/(?:VERSION|README|CHANGELOG|LICENSE|INSTALL)(?:\.\w+)?|\/\.\w[\w-]*)(?:[, "'`)]|$)/,
    remedy:
      'nothing, if nobody is to read this file: its section refuses it on purpose, and who asks is a scanner, or the program itself, which tries whether its files are safe. If it is meant for visitors, write `Require all granted` for it into <Files "NAME">, in place of old Order and Deny lines',
  },
  {
    pattern:
      /client denied by server configuration: [^ ,"'`]*\/index\.(?:cgi|pl|xhtml?|shtml|php\d|phtml|jsp|aspx?)(?:[, "'`)]|$)/,
    rule: 'order-allow-deny',
    remedy:
      'nothing, if the page itself comes: DirectoryIndex has each of its names tried, and a section refuses this one (name only what is there: `DirectoryIndex index.php`). If the whole directory is refused, write `Require all granted`, or whom it is for, into its section, in place of its Order, Allow and Deny lines',
  },
  {
    pattern: /\bAH01797\b/,
    rule: 'order-allow-deny',
    remedy:
      'convert the access lines of the whole tree at once, and do not load mod_access_compat: it is loaded here, and its Order, Allow and Deny lines refuse the request, whatever Require lines say. Where the path is of another site, see which virtual host answers (`apachectl -S`). If nobody is to get in there (a list of addresses, a directory of data), nothing: it refuses on purpose',
  },
  {
    pattern:
      /\[authz_svn:error\].*\bAccess denied: |^(?!.*\bAH\d).*\bAccess denied: (?:'[^']*'|-) [A-Z]+ \S+:/,
    remedy:
      'let the file of AuthzSVNAccessFile grant it: this user (- is nobody) has no r or rw for the path [REPOSITORY:/PATH], nor * or a group of [groups]. Names are told apart by their case (AuthzForceUsernameCase), and a user must have been asked for (Require valid-user)',
  },
  {
    pattern:
      /Could not (?:open the requested|fetch resource information|find the requested) SVN|Expected FS format|\bE(?:160043|720005|000013)\b/,
    remedy:
      'let the user that httpd runs as enter and write the repository that SVNPath or SVNParentPath names (`chown -R`, with SELinux `chcon -R -t httpd_sys_rw_content_t`); "Expected FS format" means that a newer Subversion has written it: update mod_dav_svn, or `svnadmin upgrade`',
  },
  {
    pattern:
      /^(?!.*\bAH01(?:630|797)\b|.*'file:\/\/).*(?:\/!svn\/\S{1,80}.{0,20}\b(?:40\d|500|forbidden)\b|\bsvn: E17\d{4}\b|\bUnexpected HTTP status \d{3} ')/,
    remedy:
      'look into the error log of the server: "Could not open the requested SVN filesystem" (httpd may not enter or write the repository), "Access denied" (AuthzSVNAccessFile), AH01630 (the section of SVNPath needs Require lines of 2.4), a method that <Limit>, AllowMethods or a proxy refuses. Where only commits or paths with `!svn` fail, `SVNAdvertiseV2Protocol Off`',
  },
  {
    pattern: /Failed to load the (?:mod_authz_svn config|AuthzSVNAccessFile|'AuthzSVNAccessFile')/,
    remedy:
      'correct the file that AuthzSVNAccessFile names (the end of the message tells the line or the error): groups and paths stand below a [section] in brackets, it must be readable by the user that httpd runs as, and its path be absolute: mod_authz_svn of another Subversion reads a relative one otherwise',
  },
  {
    pattern: /\bAH01630\b/,
    rule: 'order-allow-deny',
    remedy:
      'write `Require all granted`, or whom the directory is for, into its section: it has only lines of 2.2 or none, so that the Require all denied of <Directory /> counts. Where it has Require lines, ask --explain which of them refuses; where the path is of another site, see which virtual host answers (`apachectl -S`). If nobody is to read what the path names (data, settings), nothing: a .htaccess or section refuses it on purpose',
  },
  {
    pattern: /client denied by server configuration/,
    general: true,
    rule: 'order-allow-deny',
    remedy:
      'write `Require all granted`, or whom the directory is for, into its section, in place of its Order, Allow and Deny lines: 2.4 refuses what no Require line admits below `<Directory /> Require all denied`, and where mod_access_compat is loaded, old lines refuse as well; --explain shows which section decides',
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
    pattern: /(?:Unsupported|Invalid) algorithm in AuthDigestAlgorithm/,
    rule: 'strict-argument',
    remedy: 'write MD5, the only one that httpd has',
  },
  {
    pattern: /No comments are allowed here/,
    rule: 'host-list-comment',
    remedy: 'put the comment on a separate line, or convert the access lines with httpd-codemod',
  },
  {
    pattern: /Cannot parse expression in require line|\bAH02320\b/,
    rule: 'require-expression',
    remedy: 'put a backslash before %{, $1 and backslashes in the names: 2.4 reads them as an expression',
  },
  {
    pattern: /Unknown Authz provider: (?:valid-user|user)\b/,
    rule: 'load-module',
    remedy: 'load mod_authz_user: Require user and valid-user are its words (Debian: a2enmod authz_user)',
  },
  {
    pattern: /Unknown Authz provider: file-owner\b/,
    rule: 'load-module',
    remedy: 'load mod_authz_owner: Require file-owner is its word (Debian: a2enmod authz_owner)',
  },
  {
    pattern: /Unknown Authz provider: (?:group|file-group)\b/,
    rule: 'load-module',
    remedy:
      'load mod_authz_groupfile for Require group, and mod_authz_owner beside it for file-group (Debian: a2enmod authz_groupfile)',
  },
  {
    pattern: /Unknown Authz provider: (?:ip|host|local|forward-dns)\b/,
    rule: 'load-module',
    remedy:
      'load mod_authz_host: Require ip, host, local and forward-dns are its words (Debian: a2enmod authz_host)',
  },
  {
    pattern: /Unknown Authz provider: (?<word>ldap|dbm|dbd)-/,
    rule: 'load-module',
    remedy:
      'load the module of this word: mod_authnz_ldap for ldap-…, mod_authz_dbm for dbm-…, mod_authz_dbd for dbd-… (Debian: a2enmod authnz_ldap; RHEL: dnf install mod_ldap)',
  },
  {
    pattern: /Unknown Authz provider: (?:all[-_.,])?(?<small>granted|denied)\b/i,
    rule: 'order-allow-deny',
    remedy: 'write `Require all $<small>`, all three words in one line and with blanks between them',
  },
  {
    pattern:
      /Unknown Authz provider: (?=\S*[A-Z])(?<small>[Vv]alid-[Uu]ser|[Uu]ser|[Gg]roup|[Ii][Pp]|[Hh]ost|[Ll]ocal|[Ee]nv|[Ee]xpr|[Mm]ethod|[Ss]hibboleth|[Ll][Dd][Aa][Pp]-\w+)(?![\w-])/i,
    remedy: 'write `Require $<small>`, in small letters: 2.4 tells these words apart by their case',
  },
  {
    pattern: /Unknown Authz provider: (?<word>(?:[0-9a-f]+[.:]){1,7}[0-9a-f./]*)(?!\w)/,
    rule: 'order-allow-deny',
    remedy: 'write `Require ip $<word>`: the first word behind Require says of what kind the rest is',
  },
  {
    pattern: /Unknown Authz provider: (?<word>from|all)(?![\w-])/,
    rule: 'order-allow-deny',
    remedy:
      'write `Require ip ADDRESS` or `Require host NAME` for what `Allow from` had, and `Require all granted` for all: no kind is called $<word>',
  },
  {
    pattern: /Unknown Authz provider: cas-attribute\b/,
    rule: 'third-party-module',
    remedy:
      'install mod_auth_cas 1.1 or later, which has `Require cas-attribute` (`apt-cache policy libapache2-mod-auth-cas`: Debian 8, Ubuntu 16.04 and older have 1.0.9, so build it there), and take CASValidateServer out, which it does not know any more',
  },
  {
    pattern:
      /Unknown Authz provider: (?<module>claims?(?:_expr)?|wsgi-group|shib(?:boleth|-\w+)|pam-account|external-\w+)(?![\w-])/,
    foreign:
      'this word after Require is of $<name>, which is not loaded, is as built for 2.2, is older than the word, or is built without it',
    rule: 'third-party-module',
    remedy: 'load the module that has this word, in its build for 2.4, above this line',
  },
  {
    pattern: /Unknown Authz provider: (?<word>\S+)/,
    rule: 'order-allow-deny',
    remedy:
      'write `Require user $<word>` or `Require group $<word>` if it is the name of one, or correct the word: 2.4 has `all granted`, `all denied`, `local` (this machine), `ip ADDRESS`, `host NAME`, `user NAME`, `valid-user`, `group NAME`, `env NAME`, `method NAME`, `expr …`',
  },
  {
    pattern: /Unknown DAV provider: filesystem\b/,
    rule: 'load-module',
    remedy:
      'load mod_dav_fs before this line: `Dav On` means its provider, filesystem (Debian: a2enmod dav_fs)',
  },
  {
    pattern: /Unknown DAV provider: (?<module>\w+)/,
    rule: 'load-module',
    foreign: 'the provider is of $<name>, which is not loaded',
    remedy:
      'load the module that has this provider before this line: mod_dav_fs has filesystem, mod_dav_svn has svn',
  },
  {
    pattern: /Unknown (?:Authn|Auth) provider: (?<word>file|dbm|dbd|anon|socache)(?![\w-])/i,
    rule: 'load-module',
    remedy: 'load mod_authn_$<word> before this line (Debian: a2enmod authn_$<word>)',
  },
  {
    pattern: /Unknown (?:Authn|Auth) provider: ldap(?![\w-])/i,
    rule: 'load-module',
    remedy:
      'load mod_authnz_ldap and mod_ldap before this line (Debian: a2enmod authnz_ldap; RHEL: dnf install mod_ldap)',
  },
  {
    pattern: /Unknown (?:Authn|Auth) provider: (?<word>\S+)/i,
    rule: 'load-module',
    remedy:
      'load the module that has this provider, or define the name: an <AuthnProviderAlias> stands above the line that uses it, outside of virtual hosts, and needs mod_authn_core',
  },
  {
    pattern: /AuthType (?<small>basic|digest|form) configured without corresponding module/i,
    rule: 'load-module',
    remedy:
      'load mod_auth_$<small> (Debian: a2enmod auth_$<small>) with its provider, such as mod_authn_file',
  },
  {
    pattern: /Invalid (?:Auth|Group)External keyword/,
    remedy:
      'write AddExternalAuth or DefineExternalAuth (AddExternalGroup, DefineExternalGroup) into the <VirtualHost> in which AuthExternal names it: a virtual host has none of those that stand outside',
  },
  {
    pattern: /AuthType (?<module>\S+) configured without corresponding module/,
    foreign:
      'this AuthType is of $<name>, which is not loaded, is as built for 2.2, or, where `httpd -M` shows it, is an older release that answers nothing beside `Satisfy Any` or several Require lines',
    rule: 'third-party-module',
    remedy:
      'load the module that has this AuthType, in its build for 2.4: httpd itself has Basic, Digest and Form alone',
  },
  {
    pattern: /No authentication done but request not allowed/,
    rule: 'order-allow-deny',
    remedy:
      'give the section that asks for a user its AuthType, and load the module of that type (mod_auth_basic, mod_auth_digest) with its provider; a section that asks for nobody needs `Require all granted`. Where the type is of a module of others, that one has passed the request on: write its own switch as well (`MellonEnable auth`), `Require all granted` for the paths where it answers itself (MellonEndpointPath), or take a newer release of it',
  },
  {
    pattern: /AH01624|contains only negative authorization directives/,
    rule: 'access-line-refused',
    remedy:
      'add `Require all granted` to this section, and put it and the `Require not` lines into <RequireAll>: lines that only refuse let nobody in',
  },
  {
    pattern:
      /negative Require directive has no effect in <RequireAny>|Require directive negative has no effect/,
    rule: 'access-line-refused',
    remedy:
      'put the line, with the lines that grant, into <RequireAll>: where one of several is enough, it refuses nobody',
  },
  {
    pattern: /couldn't perform authentication|\bAuthType not set\b/,
    rule: 'order-allow-deny',
    remedy:
      'a 2.2 reads this file, and takes `Require all …` for the name of a user: convert the file with --dual, or take the lines for 2.4 out again on that server',
  },
  {
    pattern: /\bAH01627\b|AuthType configured with no corresponding authorization directives/,
    remedy:
      'add a Require line (`Require valid-user`) beside AuthType: without one nobody is asked for a password',
  },
  {
    pattern: /\bAH01623\b|client method denied by server configuration/,
    remedy: 'add the method to AllowMethods, or remove AllowMethods: 2.2 had no such line',
  },
  {
    pattern: /\bAH01614\b|client used wrong authentication scheme/,
    remedy:
      'nothing, if it is rare: the client sent the password in another way than AuthType asks. If all are refused, AuthType is not that of the old server (Basic, Digest)',
  },
  {
    pattern: /\bAH0179[0-4]\b|user [`']\S+' in realm|realm mismatch - got|auth_digest\S* .*password mismatch/,
    remedy:
      'look into the file that AuthUserFile names: each line of it is USER:REALM:HASH, and REALM must be what AuthName says here, to the letter. Make the entry again with `htdigest FILE REALM USER`; a file of htpasswd is of no use to AuthType Digest. If only some are refused, it is a wrong password',
  },
  {
    pattern: /\bAH01617\b|Password Mismatch|password mismatch:/,
    remedy:
      'a wrong password, or a hash that this system cannot check: make the entry again with `htpasswd -B FILE USER` (crypt() of the old system may know other forms)',
  },
  {
    pattern: /\bAH01695\b.*Operations error|ldap_search_ext_s\(\) for user failed.*Operations error/,
    remedy:
      'write `LDAPReferrals Off`, or the port of the global catalogue (ldap://SERVER:3268, ldaps://SERVER:3269) into AuthLDAPURL: Active Directory refers a search at the top of the domain elsewhere, where httpd is nobody. It also needs AuthLDAPBindDN with its password, and `sAMAccountName` in place of uid',
  },
  {
    pattern:
      /\[(?:User not found|User is not unique[^\]]{0,80}|Empty password[^\]]{0,40}|ldap_\w{1,40}\(\) to check user credentials failed)\]/,
    remedy:
      'ask the LDAP server the same (`ldapsearch` with the base, attribute and filter of AuthLDAPURL), which has answered: "User not found" means that it has nobody of this name there, by this attribute (uid; in Active Directory sAMAccountName), "not unique" that it has several, "to check user credentials" that the password is wrong',
  },
  {
    pattern: /\bldap initialization failed\b/i,
    remedy:
      'install the part of APR-util for LDAP (Debian: libaprutil1-ldap; RHEL and Alpine: apr-util-ldap), which mod_ldap loads when the first user is asked for. Where it is there, see that it finds its library (`ldd`), and that the CA of LDAPTrustedGlobalCert can be read',
  },
  {
    pattern:
      /\bGSS ERROR\b|\bgss_(?:acquire_cred|accept_sec_context)\b|\bNO AUTH DATA\b|[Kk]ey table entry\b/,
    remedy:
      'let the user that httpd runs as read the keytab of GssapiCredStore (`keytab:FILE`; Krb5KeyTab of mod_auth_kerb), and see that it has HTTP/NAME@REALM for the name that the browser asks for, with the key number that the KDC has now (`klist -ke FILE`). "NO AUTH DATA" is nothing: the first request of a browser brings none',
  },
  {
    pattern: /\bAH01695\b|Can't contact LDAP server|LDAP: ldap_(?:simple_bind|start_tls)/,
    remedy:
      'see that this machine reaches the LDAP server (`ldapsearch -H URL`), by ldaps with its CA in LDAPTrustedGlobalCert; "Invalid credentials" comes from AuthLDAPBindDN and AuthLDAPBindPassword. With SELinux: `setsebool -P httpd_can_connect_ldap 1`',
  },
  {
    pattern: /\bAH01618\b|\buser \S+ not found: \//,
    remedy:
      'look into the file that AuthUserFile names on this server: the user is not in it. Was the file copied, and whole? For users who are elsewhere write their provider (`AuthBasicProvider ldap`, with mod_authnz_ldap): without the line httpd asks the file alone; with several names all are asked, in order',
  },
  {
    pattern: /\bAH0(?:1619|1621)\b|AuthUserFile not specified/,
    remedy:
      'add AuthUserFile for this directory, or name the provider that holds the users in AuthBasicProvider',
  },
  {
    pattern: /\bAH0(?:1620|1622|1665|1669)\b|Could not open (?:password|group) file/,
    remedy:
      'copy the file from the old server to this path, or make it (`htpasswd -c`), and let the user that httpd runs as read it and enter the directories above (www-data on Debian, apache on RHEL, www on FreeBSD; `restorecon -R` with SELinux); without it nobody gets in. AuthUserFile counts a path without a slash at its front from ServerRoot, not from the .htaccess: write the whole path',
  },
  {
    pattern: /\bAH0(?:1616|1770)\b|No Authn provider configured/,
    rule: 'load-module',
    remedy: 'load mod_authn_file, or the module of the provider that AuthBasicProvider names',
  },
  {
    pattern: /\bAH0(?:1664|1668|1798)\b|No group file was specified/,
    remedy: 'add AuthGroupFile for this directory, or remove `Require group`',
  },
  {
    pattern: /authorization result of .*: granted\b/,
    general: true,
    remedy:
      'nothing: with LogLevel debug, httpd says of each Require line and container what it answers, and this one lets the request in. What refuses it, if anything does, is another line of the log, at level error. If it should ask for a password, the innermost section that has Require lines counts alone: take `Require all granted` out of it, or write AuthType and `Require valid-user` there',
  },
  {
    pattern: /\bAH01626\b|authorization result of .*denied/,
    rule: 'order-allow-deny',
    general: true,
    remedy:
      'read which Require line denies: with LogLevel debug each is told in turn, and "no authenticated user yet" means that the password is asked for next. If nothing asks for it, AuthType, AuthName or their modules are missing',
  },
  {
    pattern: /\bAH01629\b|authorization failure \(no authenticated user\)/,
    rule: 'order-allow-deny',
    remedy:
      'the section asks for a user, and nobody was asked for a password: give it AuthType, AuthName and AuthUserFile (or the provider), with their modules loaded. Where some addresses need no password (`Satisfy Any` in 2.2), put `Require ip` beside `Require valid-user`, or both into <RequireAny>',
  },
  {
    pattern:
      /\bAH0(?:1631|1663|1670)\b|authorization failure|doesn't appear in group file|reason: user is not part of/,
    rule: 'order-allow-deny',
    remedy:
      'the password is right, and no Require line admits this user: ask --explain with `user=USER` which line decides. Groups need mod_authz_groupfile and AuthGroupFile, ldap-group and ldap-user mod_authnz_ldap and an AuthLDAPURL that finds the user by the name in this line (mod_auth_kerb and mod_auth_gssapi add the realm to it); several Require lines admit whoever meets one of them, unless they stand in <RequireAll>',
  },
  {
    pattern: /\bAH0(?:1615|1780|0572)\b|need AuthName/,
    remedy: 'add AuthName: 2.4 asks nobody for a password without it',
  },
  {
    pattern: /\bAH01753\b|unable to get the remote host name/,
    remedy:
      'write the address (`Require ip`), or see that the name server of this machine resolves the address and the name back to it: `Require host` looks up both, as `Allow from NAME` did',
  },
  {
    pattern: /\bAH1012[01]\b|ignoring comment in 'Require host|dubious empty 'Require host/,
    rule: 'host-list-comment',
    remedy: 'put the comment on a line of its own',
  },
  {
    pattern: /\bAH01749\b|Module mod_ldap missing/,
    rule: 'load-module',
    remedy: 'load mod_ldap before mod_authnz_ldap (RHEL: dnf install mod_ldap; Debian: a2enmod authnz_ldap)',
  },
  {
    pattern: /\bAH01320\b|LDAP: SSL support unava/,
    remedy:
      'install the part of APR-util for LDAP (Debian and the images of Docker: libaprutil1-ldap; RHEL: apr-util-ldap), and the certificates of authorities for ldaps (ca-certificates, or LDAPTrustedGlobalCert); then restart httpd',
  },
  {
    pattern: /could not open dbm \(type [^)]*\) auth (?:group )?file/,
    remedy:
      'make the file again with htdbm, or name its type with AuthDBMType or AuthzDBMType: the library of this httpd may have another default type of DBM than that of the old one had',
  },
];
