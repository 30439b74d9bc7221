import type { MessageShape } from './shape';

/** What 2.4 says about single requests: files, redirects, rewriting, programs, limits. */
export const REQUEST_MESSAGES: readonly MessageShape[] = [
  {
    pattern: /\bname_bind\b/,
    remedy:
      'let httpd use the port: `semanage port -a -t http_port_t -p tcp PORT`. SELinux refuses those that its policy does not name',
  },
  {
    pattern: /\bUnit (?<word>[\w@-]+)(?:\.service)? is masked/,
    remedy:
      'run `systemctl unmask $<word>`, then start it: somebody, or a package that was removed, has switched the service off',
  },
  {
    pattern:
      /\bUnit (?:\S+\.service )?(?:not found|could not be found|failed to load: No such file)|: unrecognized service$/,
    remedy:
      'start it by the name that it has here: apache2 on Debian and SUSE, httpd on RHEL, apache24 on FreeBSD; where that is not there either, its package is not installed',
  },
  {
    pattern: /\b(?:avc: +denied\b.*|SELinux is preventing\b.*\bhttpd\b.*)\bname_connect\b/,
    remedy:
      'let httpd open connections: `setsebool -P httpd_can_network_connect 1` for backends and PHP-FPM, httpd_can_network_connect_db for databases, httpd_can_connect_ldap for LDAP, httpd_can_sendmail for mail',
  },
  {
    pattern: /\bapparmor="DENIED"/,
    remedy:
      'let the profile of AppArmor read the path: add `PATH/** r,` to /etc/apparmor.d/local/ for the profile that the line names (usr.sbin.apache2) and run `apparmor_parser -r /etc/apparmor.d/PROFILE`; `aa-complain PROFILE` shows whether it was that',
  },
  {
    pattern: /\bavc: +denied\b.*\bhttpd|\bSELinux is preventing\b.*\bhttpd\b/,
    remedy:
      'give the files the type that SELinux lets httpd read: `restorecon -R PATH` below /var/www, else `semanage fcontext -a -t httpd_sys_content_t "PATH(/.*)?"` and then restorecon (httpd_sys_rw_content_t where it writes); or switch on what it may do: httpd_enable_homedirs for home directories, httpd_can_network_connect for backends',
  },
  {
    pattern: /\bAH01228\b|exec used but not allowed/,
    rule: 'options-unset',
    remedy:
      'write `Options +Includes` for this directory: IncludesNOEXEC allows no #exec. Without an Options line 2.2 had All, 2.4 has FollowSymLinks',
  },
  {
    pattern: /\bAH01374\b|Options \+Includes \(or IncludesNoExec\) wasn't set/,
    rule: 'options-unset',
    remedy:
      'write `Options +Includes` (without #exec: +IncludesNOEXEC) for this directory: without an Options line it had All in 2.2, and has FollowSymLinks in 2.4. Until then httpd sends the page as it is',
  },
  {
    pattern: /\bAH012(?:38|57)\b|unable to connect to cgi daemon|cgid daemon failed to initialize/,
    rule: 'script-sock',
    remedy:
      'restart httpd, and see that its cgid daemon runs and its socket is there: ScriptSock must lie in a directory that exists at each start and that the user that httpd runs as may enter (without the line: DefaultRuntimeDir, such as /run/apache2 or /run/httpd), and no other httpd may use the same',
  },
  {
    pattern:
      /\bremote_(?:ip|addr)\b.*\b(?:Apache2::Connection|mod_?perl)\b|\bconnection->remote_(?:ip|addr)\b/,
    rule: 'third-party-module',
    remedy:
      'call `$r->useragent_ip` (or `$r->connection->client_ip`) in place of `$r->connection->remote_ip` in the program for mod_perl, and client_addr for remote_addr: 2.4 has renamed them. Newer releases of the program have that mostly',
  },
  {
    pattern:
      /\bAH(?:01139|01092|0054[01])\b|TRACE forbidden by|no HTTP 0\.9 request|\bXML parser error|File name too long/i,
    remedy:
      'nothing: a client sent TRACE, which `TraceEnable off` refuses, no Host header, no whole XML, or a name longer than the file system takes',
  },
  {
    pattern: /Invalid method in request \\x16\\x03/,
    remedy:
      'a client speaks TLS to a port or virtual host that does not: set SSLEngine on, with a certificate, in the <VirtualHost> of that port, and see that mod_ssl is loaded; `httpd -S` shows which virtual host answers',
  },
  {
    pattern: /\bAH00128\b|\bFile does not exist: /,
    remedy:
      'copy the file, or correct DocumentRoot or Alias: packages of 2.4 moved the documents (Debian: /var/www to /var/www/html). A name that only RewriteRule lines know needs RewriteEngine and AllowOverride FileInfo here, one without its ending (`/browse/` for browse.php) `Options +MultiViews`',
  },
  {
    pattern: /\bAH00690\b|no acceptable variant/,
    remedy:
      'write `ForceLanguagePriority Prefer Fallback` and a LanguagePriority with the languages that there are, so that a client whose languages or types do not fit gets one of them, not 406; or leave MultiViews out of Options, where names should mean one file',
  },
  {
    pattern: /\bAH00687\b|Negotiation: discovered file\(s\) matching request/,
    remedy:
      'give the files a type for MultiViews to choose: `MultiviewsMatch Any`, or AddType for names such as .php, which have none where FPM runs them by SetHandler; or leave MultiViews out of Options',
  },
  {
    pattern:
      /\bPHP (?:Fatal error|Parse error|Warning|Notice|Deprecated):|\bfailed to open stream: |\bsession_start\(\): /,
    remedy:
      'it is a message of PHP, not of httpd: look at the script that it names, what it asks of PHP (`php -v`, `php -m`), and php.ini',
  },
  {
    pattern:
      /\bAH00(?:035|132|529|036)\b|search permissions are missing|Permission denied: access to \S+ denied|file permissions deny server access|unable to (?:check|read) htaccess file/,
    remedy:
      'let the user that httpd runs as enter every directory on the way and read the file (`namei -l PATH`, then `chmod o+x` for directories, /home/NAME too). With SELinux: `restorecon -R PATH`, or httpd_enable_homedirs; with systemd, ProtectHome and PrivateTmp hide /home and /tmp',
  },
  {
    pattern: /\bAH00(?:032|037)\b|Symbolic link not allowed or link target not accessible/,
    rule: 'options-unset',
    remedy:
      'set Options FollowSymLinks for the directory of the link, or SymLinksIfOwnerMatch where link and target have one owner: without an Options line 2.2 had All, 2.4 has FollowSymLinks; the user must be able to enter the target',
  },
  {
    pattern: /\bAH00124\b|Request exceeded the limit of (?:\d+|%d|x)(?: internal redirects|\W*$)/,
    rule: 'rewrite-in-alias',
    remedy:
      'end the loop of RewriteRule lines: with [END] in place of [L], or a RewriteCond that leaves out what is rewritten already (`RewriteCond %{ENV:REDIRECT_STATUS} ^$`). A target that is no file loops as well: write its path below this DocumentRoot, or a RewriteBase; so do ErrorDocument pages that fail',
  },
  {
    pattern: /\bAH(?:00126|10244|00127)\b|Invalid URI in request|invalid URI path|Cannot map \S+ .*to file/,
    remedy:
      'mostly nothing: scanners send such requests, and newer releases of 2.4 refuse what 2.2 passed on (`//`, `/../`, encoded slashes, control characters). For a program that needs them see MergeSlashes and AllowEncodedSlashes',
  },
  {
    pattern: /\bAH00026\b|found %2f \(encoded '\/'\) in URI/i,
    remedy: 'set AllowEncodedSlashes NoDecode in this virtual host: it is not inherited from the main server',
  },
  {
    pattern:
      /\bAH00(?:135|550|566|567|568|569)\b|Invalid method in request|request failed: malformed request line|[Mm]alformed Host header|request without hostname/,
    rule: 'request-header-underscore',
    remedy:
      'mostly nothing: scanners send such requests, and since 2.4.25 httpd refuses what the standard forbids. For an old client of your own write `HttpProtocolOptions Unsafe`',
  },
  {
    pattern: /Not exporting header with invalid name/,
    rule: 'request-header-underscore',
    remedy:
      'have the client send the header with hyphens for its underscores (`csrf-name`): since 2.4.0 httpd hands to CGI, FastCGI and PHP no header whose name has anything but letters, digits and hyphens. For a client that cannot: `SetEnvIfNoCase ^csrf.name$ ^(.*)$ fixed=$1` and `RequestHeader set csrf-name %{fixed}e env=fixed`',
  },
  {
    pattern: /\bAH02(?:428|429|430)\b|Response header (?:name )?'[^']*' .*contains invalid characters/,
    remedy:
      'correct the program or the Header line that sets it: since 2.4.25 httpd answers 500 where a header has a blank in its name or a line end in its value. A name such as <!-- or <html is no header: the program has printed a page, mostly an error, before its headers',
  },
  {
    pattern: /\bscript '[^']*' not found or unable to stat/,
    remedy:
      'mostly nothing: somebody asked for a program that is not there, as scanners do. If it was there on the old server, copy it, or correct DocumentRoot or Alias. Where a program answers all URLs by RewriteRule lines, its .htaccess is not read (`AllowOverride All`), lacks them, or mod_rewrite is not loaded',
  },
  {
    pattern: /not found(?: or unable to stat)?: \S{1,200}cgi-bin[^\s/,:'"]/,
    remedy:
      'write ScriptAlias with a slash at the end of both, or of neither (`ScriptAlias /cgi-bin/ /usr/lib/cgi-bin/`): the path and the name are put together as they stand',
  },
  {
    pattern: /\bAH0(?:1264|2811|1233)\b|script not found or unable to stat/,
    remedy:
      'copy the program to the path that the message names, or correct ScriptAlias: distributions moved cgi-bin (/usr/lib/cgi-bin on Debian)',
  },
  {
    pattern: /\bAH0(?:1262|1268|2809)\b|Options ExecCGI is off/,
    rule: 'options-unset',
    remedy:
      'write `Options +ExecCGI` for the directory of the program: without an Options line it had All in 2.2, and has FollowSymLinks in 2.4; a ScriptAlias needs none',
  },
  {
    pattern: /exec of '[^']*\.(?:png|gif|jpe?g|svg|ico|css|js|html?|txt|pdf)' failed/i,
    remedy:
      'put the file into a directory that Alias names: all that lies in one of ScriptAlias is run as a program, and this is none',
  },
  {
    pattern:
      /\bAH0(?:1222|1223|1226|1227|1252|1267|3194)\b|couldn't spawn (?:child|cmd child) process|file permissions deny server execution|cannot execute|exec of '[^']*' failed/,
    remedy:
      'make the program executable for the user that httpd runs as (`chmod 755`), see that its first line names an interpreter that this machine has (/usr/bin/perl, /usr/bin/python no longer), and that it has no CR at line ends',
  },
  {
    pattern:
      /\bAH01220\b|Timeout waiting for output from CGI script|Script timed out before returning headers/,
    remedy:
      'raise Timeout (or CGIDScriptTimeout) in the section of the program: it took longer than 60 s, with which Timeout begins in 2.4; 2.2 waited 300 s',
  },
  {
    pattern:
      /\bcommand not in docroot\b|cannot get docroot information|target uid\/gid \([^)]{1,60}\) mismatch|\buser mismatch \(|\b(?:directory|file) is writable by others: \(|cannot run as forbidden [ug]id|file has no execute permission: \(/,
    rule: 'suexec-user-group',
    remedy:
      'meet what suexec asks for: the program lies below its document root (`suexec -V`; apache2-suexec-custom: /etc/apache2/suexec/www-data), it and its directory belong to the user and group of SuexecUserGroup, nobody else may write there, and httpd runs as AP_HTTPD_USER. Without need of another user take SuexecUserGroup out',
  },
  {
    pattern: /ModSecurity: (?:Access denied|Warning)\b/,
    remedy:
      'it is a rule of mod_security that refuses, not httpd: `[id "NUMBER"]` names it. Newer sets of rules refuse more; where the request is a good one, write `SecRuleRemoveById NUMBER` into the <Location> of the path, or try with `SecRuleEngine DetectionOnly`',
  },
  {
    pattern: /Found another rule with the same id/,
    remedy:
      'include the rules of mod_security once: their file is read twice, mostly by an Include beside the one that the package has (Debian: mods-available/security2.conf reads /etc/modsecurity/*.conf and the CRS; RHEL: conf.d/mod_security.conf), or by a link and its file; `grep -rn "id:NUMBER"` finds a number that two rules of your own have',
  },
  {
    pattern: /No action id present within the rule|Rules must have at least id action/,
    remedy:
      'give each SecRule and SecAction a number of its own (`"id:1001,phase:1,…"`): mod_security asks for one since release 2.7, and 1 to 99999 are for your own. Take sets of rules anew, from a release that has them',
  },
  {
    pattern:
      /ModSecurity: (?:Loaded \w+ do(?:es)? not match|\w+ compiled version=|StatusEngine|ModSecurity for Apache)/,
    general: true,
    remedy:
      'nothing: mod_security says with what it was built, and runs with another release of the library as well. If it crashes, take its build for this system',
  },
  {
    pattern: /suexec (?:failure|policy violation)/i,
    rule: 'suexec-user-group',
    remedy:
      'read the log of suexec (/var/log/apache2/suexec.log, /var/log/httpd/suexec.log), which says why it refused: user, owner or mode of the program, or a directory outside of its document root (`suexec -V`)',
  },
  {
    pattern: /\bAH0(?:1265|1266|2812|2813)\b|attempt to invoke directory as script/,
    remedy:
      'ask for the program by its name, or set Alias instead of ScriptAlias: the path leads to a directory, or on behind the program, and what ScriptAlias names is run, not listed',
  },
  {
    pattern:
      /End of script output before headers|Premature end of script headers|\bAH0(?:1070|2660)\b|Error parsing script headers|malformed header from script|Script headers apparently ASCII/i,
    remedy:
      'run the program by hand as the user of httpd: it ended with an error, or printed something, before its headers (interpreter missing, module of Perl or Python missing, another release of the language; it is not executable, or the user may not enter its directory). Its own message stands beside this one as AH01215, what suexec refuses in suexec.log',
  },
  {
    pattern: /\bAH01215\b/,
    remedy:
      'it is what a CGI program wrote to its error output, not a message of httpd: read it as that of the program (a module of its language that this machine lacks, a newer release of the language)',
  },
  {
    pattern: /Can't locate \S+\.pm in @INC|Can't load Perl (?:module|file) \S+/,
    remedy:
      'install the module of Perl that the message names (Debian: `apt-get install lib…-perl`; RHEL: `dnf install "perl(NAME)"`), or name its directory in PerlSwitches or PERL5LIB: httpd itself is not in question. Apache2:: is of mod_perl, in its build for 2.4, Apache2::Request of libapreq2 (libapache2-request-perl, perl-libapreq2). The lines before say what failed where it is there',
  },
  {
    pattern: /\bAH00669\b|attempt to make remote request from mod_rewrite without proxy enabled/,
    rule: 'load-module',
    remedy: 'load mod_proxy and mod_proxy_http: a RewriteRule with [P] needs them',
  },
  {
    pattern:
      /\bAH00(?:65[456]|66[123])\b|can't (?:access|open) (?:text|DBM) RewriteMap|could not start RewriteMap program|RewriteMap: (?:file for map|bad path to)/,
    remedy:
      'copy the file or program of the RewriteMap from the old server, readable (a program: executable) for the user that httpd runs as; make a DBM file again on this one with httxt2dbm',
  },
  {
    pattern: /\bAH00671\b|will probably never match because it overlaps an earlier/,
    remedy:
      'put the longer path first: of two Alias lines the first that fits counts, in 2.2 as well. Where both have the same path, remove one: a file that is included twice has its lines twice. httpd starts all the same',
  },
  {
    pattern: /\bAH00523\b|handler "[^"]*" not found for/,
    rule: 'handler-without-module',
    remedy:
      'load the module of this handler, or remove the AddHandler or SetHandler line: without it httpd sends the file itself, sources too',
  },
  {
    pattern: /\bAH00539\b|XML request body is larger/,
    remedy: 'raise LimitXMLRequestBody (0 for no limit of its own): the body of the client is larger',
  },
  {
    pattern: /\bAH00524\b|Handler for \S+ returned invalid result code/,
    remedy:
      'report it to those who make the module of this handler, or look for its build for this release of 2.4',
  },
  {
    pattern: /unable to include potential exec/,
    rule: 'options-unset',
    remedy:
      'write `Options +Includes` for the directory, in place of IncludesNOEXEC, which includes only what is text: this URL is a program, or has another type',
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
    remedy:
      'set RequestReadTimeout header=0 body=0 to wait as long as 2.2 did (a "handshake" in the message: handshake=0 as well, 2.4.39 and later)',
  },
  {
    pattern: /is larger than the configured limit/,
    rule: 'limit-request-body-unset',
    remedy: 'set LimitRequestBody 0 to accept bodies of any size, as 2.2 did',
  },
  {
    pattern: /\bAH1041[01]\b|Rewritten query string contains control char/,
    rule: 'rewrite-rule-unsafe',
    remedy:
      'give the rule that writes the query the flag B, which escapes what it takes over with $1 and %1, or BCTLS (since 2.4.57), which leaves &, + and letters beyond ASCII alone and escapes only blanks and control characters. A variable goes through a RewriteCond first: `RewriteCond %{REQUEST_URI} (.*)`, then %1 in its place',
  },
  {
    pattern: /\bAH10508\b|Unsafe URL with %3f/,
    rule: 'rewrite-rule-unsafe',
    remedy:
      'give the rule the flag B, or UnsafeAllow3F if an encoded ? of the request is meant to act as one',
  },
  {
    pattern:
      /(?:\bAH01276\b.*)?(?:Cannot serve directory|Directory index forbidden by Options directive:) (?<directory>\/[^: ]*)|\bAH01276\b|Cannot serve directory|forbidden by Options directive/,
    rule: 'options-unset',
    remedy:
      'put a file into the directory that DirectoryIndex names (`DirectoryIndex index.php`), let DocumentRoot or Alias name the directory that has it (a newer program may keep it in public, web or htdocs), or, where the list of its files is to be seen, write `Options +Indexes` for it: 2.2 began with All, 2.4 with FollowSymLinks. Where a program is to answer (WSGIScriptAlias, ProxyPass, Passenger), its line does not cover this path, or another virtual host answers (`httpd -S`); Passenger 5 and later want a start file (config.ru, passenger_wsgi.py) in the directory above public. Where nobody is to see such a list, nothing: it is refused rightly',
  },
  {
    pattern: /\bAH00670\b|Options FollowSymLinks (?:and|or) SymLinksIfOwnerMatch (?:are both|is) off/,
    rule: 'options-unset',
    remedy:
      'write `Options +FollowSymLinks` (or +SymLinksIfOwnerMatch) for this directory: RewriteRule in a directory or .htaccess works only with one of them, and a line `Options None` or `Options -FollowSymLinks` has taken it away',
  },
  {
    pattern: /\bAH00576\b|DBM driver could not be loaded|\(20019\)DSO load failed/,
    remedy:
      'install the driver of this type of DBM for APR (Debian: libaprutil1; RHEL: apr-util-bdb; Alpine: apr-util-dbm_db, and where it has none an httpd with another default, as the image on Debian): the library of httpd is there, and what it loads to open such files is not',
  },
  {
    pattern: /(?:lock|prop)\w* database|DavLock|lockdb/i,
    remedy:
      'let DavLockDB name a file in a directory that the user that httpd runs as can write (Debian: /var/lock/apache2 or /var/lib/dav, owned by www-data), and start with an empty one: that of the old server may have another format',
  },
  {
    pattern:
      /Unable to (?:PUT|MKCOL|DELETE|COPY|MOVE|LOCK|PROPPATCH)\b|could not (?:create|open) (?:the )?resource|insufficient permission for adding an object/i,
    remedy:
      'let the user that httpd runs as write in this directory (www-data on Debian, apache on RHEL; with SELinux the type httpd_sys_rw_content_t), and see that Require lines, also those in <Limit> and <LimitExcept>, admit the user for this method',
  },
  {
    pattern: /set up mount namespacing|status=226\/NAMESPACE|at step NAMESPACE/,
    remedy:
      'let the container of this system have namespaces of its own (Proxmox: `pct set ID -features nesting=1`; LXD: `security.nesting=true`), or run `systemctl edit apache2` (httpd on RHEL), write `[Service]` and `PrivateTmp=false`: systemd cannot give httpd its own /tmp there. If a directory is named, it is missing',
  },
  {
    pattern: /\[Errno 13\] Permission denied/,
    remedy:
      'let programs that httpd runs open connections where SELinux forbids it (`setsebool -P httpd_can_network_connect 1`, for databases httpd_can_network_connect_db), if the line is about a connection; for a file, let the user that httpd runs as enter each directory on the way and read or write it (`namei -l PATH`, `restorecon -R PATH`)',
  },
  {
    pattern: /\(13\)Permission denied:|: Permission denied$|\bPermission denied - \//,
    remedy:
      'let the user that httpd runs as (www-data on Debian, apache on RHEL) use what the message names: enter each directory on the way (`namei -l PATH`), read the file, or write there (`chown`, `chmod`). With SELinux `restorecon -R PATH`, and `ausearch -m avc -ts recent` tells what it refused',
  },
];
