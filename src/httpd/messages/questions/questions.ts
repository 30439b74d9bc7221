import { NAMED_QUESTIONS } from './named';
import { PROGRAM_QUESTIONS } from './programs';
import type { MessageShape } from '../shape';
import { ACCESS_LINES } from './symptoms';
import { LEVEL_ALONE, NEW_FILTER_PROVIDER, NO_BLANK_IN_FLAGS } from '../syntax';
import { TLS_QUESTIONS } from './tls';
import { USAGE_QUESTIONS } from './usage';

const OPTIONS_SIGNS =
  'give every word of Options a sign, which changes what the directory inherits (`Options +Indexes -FollowSymLinks`), or none, which sets these options and no other (`Options Indexes`): 2.4 refuses a mixture, which 2.2 took, so that a word without a sign anywhere made the line absolute. For `All -Indexes` write `-Indexes`';

/**
 * What people ask in words of their own, or see in a browser, where no message of httpd is given. They are tried last, in any
 * letter case, over all lines at once, with `plainWords` in place of what different people say for one thing.
 */
export const QUESTIONS: readonly MessageShape[] = [
  ...PROGRAM_QUESTIONS,
  ...USAGE_QUESTIONS,
  ...TLS_QUESTIONS,
  ...NAMED_QUESTIONS,
  {
    pattern:
      /%25(?:\d\d|2f|%)|\bdouble[ -]?(?:\w+[ -])?(?:en|es)cod\w*|\b(?:encod|escap)e[sd]? (?:it |them )?(?:again|twice)\b/i,
    remedy:
      'give the RewriteRule the flag NE (`[P,NE]`, `[R,NE]`), and ProxyPass the word nocanon: httpd encodes a path anew that it hands on or redirects to, so that %20 becomes %2520. With `AllowEncodedSlashes NoDecode` beside it, %2F stays as it is',
  },
  {
    pattern:
      /^(?!.*\b403\b).*(?:%2f|\bencoded slash)|^(?!.*\b(?:403|not allowed)\b).*\bAllowEncodedSlashes\b/is,
    remedy:
      'write `AllowEncodedSlashes On`, or NoDecode, into the virtual host that answers: without it httpd answers 404 for a URL with %2F (in its error log AH00026), and a virtual host does not inherit it. ProxyPass needs nocanon beside it',
  },
  {
    pattern:
      /^(?!.*\bphp_(?:admin_)?(?:value|flag))(?=.*\b(?:fpm|proxy_fcgi|fcgi|fastcgi)\b)(?=.*\b(?:ignor\w*|bypass\w*|not (?:apply|applied))\b).*htaccess\b(?!.*\bphp_)/is,
    rule: 'order-allow-deny',
    remedy:
      'write SetHandler "proxy:unix:/run/php/php-fpm.sock|fcgi://localhost" into `<FilesMatch "\\.php$">` in place of ProxyPassMatch: for what ProxyPassMatch hands over no .htaccess and no <Directory> counts, their access lines neither. Only php_value and php_flag are of mod_php alone (.user.ini has them)',
  },
  {
    pattern: /\b403\b.{0,60}\b401\b|\b401\b.{0,60}\b(?:now|becomes?|turn\w*)\b.{0,20}\b403\b/is,
    rule: 'order-allow-deny',
    remedy:
      'take out what refuses before a password is asked for, which is a 403: `Require all denied`, or an address that does not hold, in <RequireAll> beside `Require valid-user`, or a `Deny from all` that mod_access_compat reads (AH01797; convert it). Where one of both is enough (`Satisfy Any`), put them into <RequireAny>; --explain with the path shows what decides',
  },
  {
    pattern: /\bAllowOverride\b.{0,80}(?:<|\bin (?:a |the )?)(?:Location|Files|DirectoryMatch)\b/is,
    remedy:
      'take AllowOverride out of the <Location>, <Files> or <DirectoryMatch>, and write it into a <Directory> whose path is no pattern: only there it counts (AH00114 in the error log is a warning)',
  },
  {
    pattern:
      /\bQualifyRedirectURL\b|^(?=.*\b2\.4\.(?:17|26)\b).*\b(?:fpm|SCRIPT_NAME|PATH_INFO|REDIRECT_URL|(?:clean|pretty) urls?|redirect\w*)\b/is,
    remedy:
      'update httpd: 2.4.17 makes REDIRECT_URL a whole URL, of which PHP by FastCGI makes SCRIPT_NAME and PATH_INFO (since 2.4.18 only `QualifyRedirectURL On` does), and 2.4.26 gives PHP-FPM other paths (`ProxyFCGIBackendType GENERIC` there; 2.4.27 mends it)',
  },
  {
    pattern: /\btesting 123\b|\b(?:apache|centos|rhel|red hat|rocky|alma\w*|fedora)\b.{0,20}\btest page\b/i,
    remedy:
      'give the file of the virtual host a name that ends in .conf in /etc/httpd/conf.d, and see that `httpd -S` lists it for the name that you ask for. The page comes from conf.d/welcome.conf where / of the virtual host that answers has no index file, or is refused: put an index file into its DocumentRoot, with `Require all granted`',
  },
  {
    pattern:
      /\b(?:414|431)\b|\buri too (?:long|large)|request header field exceeds|exceeds LimitRequest(?:Line|Field)/i,
    remedy:
      'raise LimitRequestLine (a long URL: 414) or LimitRequestFieldSize (large cookies, tokens of Kerberos: 400 or 431) above 8190 bytes, in the first virtual host of this address and port: httpd reads these before it knows which of them is meant. As large cookies mostly come from the program, delete them in the browser first',
  },
  {
    pattern: /\b405\b|\bmethod not allowed\b/i,
    remedy:
      'see what answers the URL: httpd itself serves files by GET, HEAD and POST alone, so PUT, DELETE and PROPFIND need `Dav On` with mod_dav_fs, or the program that ProxyPass, SetHandler or a RewriteRule leads to; with AllowOverride None its .htaccess is not read. AllowMethods, <LimitExcept> and a WAF refuse methods as well',
  },
  {
    pattern:
      /\b(?:deny|block|protect|hide|prevent|forbid|restrict)\w*\b.{0,40}(?<!\w)(?:\.git|\.svn|\.htpasswd)\b|(?:\.ht(?:passwd)?|\.git|\.svn)\b.*\b(?:visible|exposed|accessible|public|downloadable)\b|\b(?:every|any)(?:one|body)\b.{0,12}\b(?:see|downloads?|read|open|access)\b.*(?:\.ht(?:passwd)?|\.git|\.svn)\b/is,
    rule: 'order-allow-deny',
    remedy:
      'write `Require all denied` into `<FilesMatch "^\\.ht">` of the server configuration, and for .git and .svn into `<DirectoryMatch "/\\.(git|svn)(/|$)">`, and no `Require all granted` into a <Location> of the same path, which is read later and lets everybody in. --explain with the path of such a file shows which section decides',
  },
  {
    pattern:
      /^(?!.*\b(?:ip|address|either|or|bypass\w*|exclud\w*|except\w*|skip\w*)\b)(?=.*\bsatisfy any\b)(?:.*\b(?:ignored|accessible|unprotected|without a password)\b|.*\b(?:emp\S{1,3}che|prevents?|disables?|breaks?)\b.*\bprot|(?!.*\b(?:superfluous|unnecessary|prompt\w*|asked|requests?)\b)(?=.*\bdoes not work\b).*\b(?:protect|password))/is,
    rule: 'order-allow-deny',
    remedy:
      'remove `Satisfy Any`: with it the address or the user is enough, so that where all addresses are let in nobody is asked for a password, and `Require all denied` keeps nobody out. Where a section above needs it, write `Satisfy All` into the one to be protected. httpd-codemod converts both',
  },
  {
    pattern:
      /^(?=.*\.?htaccess\b)(?=.*\b(?:deny|denied|require|secured?|protect\w*|upload)\b).*\b(?:ignored|no effect|not (?:secured?|protect\w*)|unprotected|accessible|reachable|(?:open|readable) (?:to|for|by) (?:the public|everybody|every ?one|any ?(?:one|body))|still (?:\w+ ){0,4}?(?:open|access\w*|see|read|reach\w*|download\w*|visible|public))\b/is,
    rule: 'allow-override-unset',
    remedy:
      'write `AllowOverride AuthConfig Limit` (or All) into the <Directory> of the documents, and `Require all denied` in place of `Deny from all` into the .htaccess (for single addresses <RequireAll> with `Require all granted` and `Require not ip ADDRESS`): where no section sets AllowOverride, 2.4 reads no .htaccess, and 2.2 read all. If it is read (a wrong word in it gives a 500), --explain shows which section lets the request in',
  },
  {
    pattern: /\bsatisfy any\b.*\ballow from all\b|\ballow from all\b.*\bsatisfy any\b/is,
    rule: 'order-allow-deny',
    remedy:
      'remove `Satisfy Any` and `Allow from all`, and leave `Require valid-user`, if all are to be asked for a password: with `Satisfy Any` one of the two was enough in 2.2 too, so that nobody was asked. If everybody is to get in, write `Require all granted` in place of all these lines',
  },
  {
    pattern:
      /^(?=.*(?:~\w|(?:\b|_)user[ -]?dirs?\b|\buser director|\bpublic_html\b)).*\b(?:40[34]|forbidden|not found|does not work|permission)\b/is,
    rule: 'order-allow-deny',
    remedy:
      'write `Require all granted` into `<Directory /home/*/public_html>` in place of its Order and Allow lines, load mod_userdir (Debian: a2enmod userdir, and mods-available/userdir.conf; RHEL: conf.d/userdir.conf, where `UserDir disabled` gives way to `UserDir public_html`), and let httpd enter the home (`chmod 711 /home/NAME`; with SELinux `setsebool -P httpd_enable_homedirs on`). macOS: /etc/apache2/users/NAME.conf for /Users/NAME/Sites, with mod_userdir and extra/httpd-userdir.conf switched on in httpd.conf',
  },
  {
    pattern:
      /^(?!.*\b(?:404|not found)\b)(?=.*\b(?:php(?:my|pg)admin|nagios\d?|munin|roundcube(?:mail)?|cacti|zabbix|squirrelmail|icinga\d?|awstats|ganglia|mailman|mrtg|backuppc|zoneminder)\b).*\b(?:403|forbidden|permission to access|access denied|local network)\b/is,
    rule: 'order-allow-deny',
    remedy:
      "write `Require local`, `Require ip ADDRESS` for those who may use it, or `Require all granted` with its own password, into the <Directory> of the package's file, in place of its Order, Deny and Allow lines (RHEL: /etc/httpd/conf.d/NAME.conf; Debian: /etc/NAME/apache.conf or conf-available; WAMP: alias/NAME.conf; XAMPP: httpd-xampp.conf). Where it has both forms, 2.4 reads the lines in <IfModule mod_authz_core.c>",
  },
  {
    pattern:
      /^(?=.*\blocalhost\b)(?=.*\b(?:v(?:irtual)?[ -]?hosts?|local domains?)\b).*\b(?:403|forbidden|denied|permission)\b/is,
    rule: 'order-allow-deny',
    remedy:
      'write a <VirtualHost *:80> for localhost as well, before the others (`ServerName localhost`, and its DocumentRoot: httpd-vhosts.conf): the first <VirtualHost> answers what is for none. For each DocumentRoot write a <Directory> with `Require all granted`, or `Require local` for this machine alone',
  },
  {
    pattern: /\bnew xampp security concept\b|\bhttpd-xampp\.conf\b/i,
    rule: 'order-allow-deny',
    remedy:
      'write `Require ip NETWORK` for the machines that may see the page beside `Require local`, which admits this machine alone, into the <LocationMatch> or <Directory> of httpd-xampp.conf that covers it, in place of Order, Deny and Allow lines; `Require all granted` opens phpMyAdmin and the like to everybody',
  },
  {
    pattern:
      /^(?!.*\b(?:50\d|internal server error|not allowed|already loaded|invalid command)\b).*\bmod_php[57]\.c\b/is,
    rule: 'php-settings',
    remedy:
      'write the block for the PHP that is loaded: <IfModule mod_php7.c> is PHP 7, <IfModule mod_php.c> PHP 8, and what stands in one for another release is passed over without a word. With PHP-FPM none of them is loaded: what php_value and php_flag set goes to a .user.ini beside the scripts (`upload_max_filesize = 20M`)',
  },
  {
    pattern: /\bAuthUserFile\s+"?(?:\.|[\w-]+\/|(?:ht)?passw)/,
    remedy:
      'write the whole path, `AuthUserFile /path/to/.htpasswd`: one without a slash at its front counts from ServerRoot (/etc/apache2, /etc/httpd), not from the directory of the .htaccess. The error log says where httpd looked ("Could not open password file")',
  },
  {
    pattern:
      /^(?=.*\b(?:AuthzSVN\w+|svn|subversion)\b).*\b(?:403|forbidden|denied|can (?:not|no longer)|no access)\b/is,
    remedy:
      'look into the error log: "Access denied" is of the file that AuthzSVNAccessFile names (no line for this user below [REPOSITORY:/PATH]; names are told apart by their case), AH01630 of the section of SVNPath, which needs Require lines of 2.4, "Could not open the requested SVN filesystem" of the rights to the files of the repository',
  },
  {
    pattern: /\bphp_(?:admin_)?(?:value|flag)\b/i,
    rule: 'php-settings',
    remedy:
      'move what php_value and php_flag set to a .user.ini beside the scripts (`upload_max_filesize = 20M`), and php_admin_value and php_admin_flag to the pool of PHP-FPM, and remove the lines: only PHP as a module (mod_php) reads them, and 2.4 answers 500 to a .htaccess with one where it is not loaded',
  },
  {
    pattern:
      /^(?=.*\b(?:require(?:all|any| (?:all|ip|not|host|local|rules?|lines?|directives?|syntax))|(?:syntax|rules?|lines?|htaccess|config\w*) (?:for|of) 2\.4)\b).*?(?<!\b(?:fine|works?|worked|ok) )\b(?:on|with|in|under|while|for|my|our|an?) (?:apache|httpd)?[ /]?2\.2\b(?:(?!2\.4)[^]){0,60}\b(?:500|errors?|fail\w*|break\w*|broken|refuse\w*|does not work)\b|^(?=.*\b(?:require(?:all|any| (?:all|ip|not|host|local|rules?|lines?|directives?|syntax))|(?:syntax|rules?|lines?|htaccess|config\w*) (?:for|of) 2\.4)\b).*\b(?:500|errors?|fail\w*|break\w*|does not work|unsupported|not (?:supported|known|recogni[sz]ed|available))\b(?:(?!2\.4|\bfrom\b).){0,30}\b(?:apache|httpd|on|with|in|under|by)[ /]?2\.2\b|\bcompatible\b.*<IfModule !?mod_authz_core\b/is,
    rule: 'order-allow-deny',
    remedy:
      'keep the lines of 2.4 from the 2.2: put them into `<IfModule mod_authz_core.c>`, and `Order`, `Allow` and `Deny` lines into `<IfModule !mod_authz_core.c>` beside it, which `httpd-codemod --dual` does. A 2.2 takes `Require all granted` for names of users (500, "AuthType not set"), and does not start with a <RequireAll>',
  },
  {
    pattern:
      /^(?=.*\b(?:order (?:allow|deny)|(?:allow|deny) from)\b)(?=.*\brequire all granted\b).*\b(?:403|forbidden|denied)\b/is,
    rule: 'order-allow-deny',
    remedy:
      'remove the Order, Allow and Deny lines beside `Require all granted`: where mod_access_compat is loaded, a request must pass both, and `Order allow,deny` or an inherited `Deny from all` refuses it. They count from the directories above, too, so convert the whole tree',
  },
  {
    pattern:
      /^(?!.*\b(?:order|satisfy|require not)\b)(?=.*\brequire all granted\b)(?:.*\b(?:does not work|no effect|ignored)\b|(?=.*\b(?:still|but|yet|despite|although|though|already)\b).*\b(?:403|forbidden|denied|refused)\b)/is,
    rule: 'order-allow-deny',
    remedy:
      'look into the error log for the path that is refused: AH01630, another section decides for it, as one of another DocumentRoot, a <Location>, a <Files> or a .htaccess (--explain PATH shows which; `httpd -S` the virtual host that answers); AH01797, old Order and Deny lines beside it; AH00035, httpd cannot enter a directory (`namei -l PATH`; SELinux: `restorecon -R`); AH01276, no index file. "AuthType not set" comes from a 2.2, which has no such line (`httpd -v`)',
  },
  {
    pattern:
      /\b(?<module>php[57])\b[^.\n]{0,60}?\b(?:cannot|can not|can.t|not) (?:be )?(?:installed|available|found)\b/i,
    rule: 'third-party-module',
    foreign: 'this system has no package of $<name> under this name',
    remedy: '',
  },
  {
    // Words that all have their sign are no mixture.
    pattern:
      /\bOptions\b(?!(?: +[+-]\w+\b)+(?! +(?:[+-]|All|None|Indexes|FollowSymLinks|SymLinksIfOwnerMatch|ExecCGI|Includes|MultiViews)))(?: +[A-Za-z]+){0,6} +["']?[+-]\w+|\ball Options (?:to|must|have to|need to|should) start with\b/,
    rule: 'options',
    remedy: OPTIONS_SIGNS,
  },
  {
    pattern:
      /\b(?:mod_)?(?:fastcgi|fcgid?)\b.*\bphp\W*fpm\b|\bphp\W*fpm\b.*\bmod_(?:fastcgi|fcgid)\b|\b(?:how (?:to|do I)|best way to) (?:\w+ ){0,3}(?:link|connect|use|run|set up|configure)\b.*\bfpm\b/is,
    rule: 'handler-without-module',
    remedy:
      'load mod_proxy_fcgi (Debian: a2enmod proxy_fcgi setenvif, and a2enconf php8.2-fpm or the like), and write `SetHandler "proxy:unix:/run/php/php-fpm.sock|fcgi://localhost"` into `<FilesMatch "\\.php$">` (2.4.10 and later), in place of the lines of mod_fastcgi (FastCgiExternalServer) and mod_fcgid',
  },
  {
    pattern:
      /^(?!.*\b(?:upgrad|updat|migrat))(?=.*\bLogLevel [^\n]{0,40}\b\w+:[a-z]).*\b(?:on|with|in|under|an?) (?:apache |httpd )?2\.2\b/is,
    remedy: LEVEL_ALONE,
  },
  {
    pattern: /^(?!.*\bapxs\b).*(?:\bmodules?\b|\.load\b|\bLoadModule\b).*\bbuilt[- ]in\b(?!\?)/is,
    rule: 'load-module',
    remedy:
      'remove the LoadModule line (Debian: `a2dismod -f NAME`, or delete NAME.load from mods-enabled), and use what the module has as before: it is compiled in (`httpd -l`)',
  },
  {
    pattern: /\bFilterProvider\b/i,
    rule: 'filter-provider',
    remedy: NEW_FILTER_PROVIDER,
  },
  {
    pattern:
      /\[(?:L|NC|R|QSA|OR|F|PT|NE|END|P|N|S|E|C)\b[^\],\n]{0,60}(?:,[^ ,\]\n]{1,60})*(?:, +| +, *)\w+[^\]\n]{0,60}\]/,
    remedy: NO_BLANK_IN_FLAGS,
  },
  {
    pattern:
      /^(?!.*\b(?:40[13]|forbidden|refuse|denie|keeps? out)).*(?:\b(?:every(?:one|body)|any(?:one|body)|without (?:a |the |any )?password|no password|not? asked)\b.*\brequire\b|\brequire\b.*\b(?:every|any) user\b.{0,60}\bnot (?:only|just)\b|\b(?:two|several|multiple) require (?:\w+ )?lines?\b|\brequire\b.*\b(?:every(?:one|body)|any(?:one|body) (?:can|gets)|without (?:a |the |any )?password|no password|not? asked)\b)/is,
    rule: 'order-allow-deny',
    remedy:
      'put the Require lines that must all hold into <RequireAll>: side by side, one of several is enough for 2.4, so that `Require all granted` or `Require ip` beside `Require valid-user` asks nobody for a password. --explain shows who gets in',
  },
  {
    pattern: /^(?!.*\bboth\b).*\b(?:mod_)?access_compat\b/is,
    rule: 'order-allow-deny',
    remedy:
      'convert the Order, Allow, Deny and Satisfy lines of the whole tree with httpd-codemod, and leave mod_access_compat out: with it they are still read, but beside Require lines of other sections they refuse, or let in, otherwise than in 2.2. Load it only as long as some lines are not converted (Debian: a2enmod access_compat)',
  },
  {
    pattern:
      /^(?!.*\b(?:50[234]|bad gateway|redirect\w*)\b).*?(?:\bx-forwarded-for\b|\blog ?formats?\b.*remote_?ip\b|\brpaf\b|\bREMOTE_ADDR\b.{0,60}\b(?:proxy|balancer)\b|\b(?:ips?|address(?:es)?)\b.{0,40}\b(?:of|from) (?:the )?(?:cloudflare|(?:load ?)?balancer|proxy)\b|\baddress is that of (?:the )?(?:cloudflare|(?:load ?)?balancer|proxy)\b|\bbehind (?:a |an |the )?(?:reverse )?(?:proxy|load ?balancer|elb|haproxy|nginx|varnish|cloudflare)\b|\blogs?\b.*\b(?:load ?balancer|proxy|server|nginx|localhost)\W*s? (?:ip|address)|\b(?:not|n.t|no longer|wrong|real|true) (?:\w+ )?(?:client|visitor|user|remote)\W*s? (?:ip|address)\w*\b.*\blogs?\b|\b(?:client|remote|real|visitor)\W*s? ?(?:ip|addr\w*)\b.*\blogs?\b.*\b(?:proxy|load ?balancer)\b)/is,
    rule: 'third-party-module',
    remedy:
      'load mod_remoteip and write `RemoteIPHeader X-Forwarded-For` with the addresses of the proxies in RemoteIPInternalProxy: Require ip, the logs (%a in place of %h) and programs then have the address of the client. Lines of mod_rpaf and `SetEnvIf X-Forwarded-For` with `Require env` are no longer needed',
  },
  {
    pattern:
      /\b(?:header|env(?:ironment)?(?: |-)?var\w*)\w*\b.*\bunderscore|\bunderscore\w*\b.*\bheader|^(?=.*\b(?:missing|empty|ignored|lost|gone|not?)\b|.*n.t\b).*(?:\bheaders? ["'`]?(?!http_|php_|remote_|mod_|redirect_)[a-z]+_[a-z]|\b(?!http_|php_|remote_|mod_|redirect_)[a-z]+_\w+["'`]? (?:http |request )?headers?\b|\bheaders?\b.*\bX_\w)|^(?=.*\bheaders?\b)(?=.*["'`](?!http_|php_|remote_|mod_|redirect_)[a-z]+_\w+["'`]).*\bnot (?:\w+ )?(?:arriv|reach|receiv|com|pass|seen|there)\w*/is,
    rule: 'request-header-underscore',
    remedy:
      'have the client send the header with a hyphen (`X-My-Header` for `X_My_Header`): since 2.4.0 httpd hands none with an underscore to CGI, PHP or SSI. For a client that cannot: `SetEnvIfNoCase ^X.My.Header$ ^(.*)$ fix_header=$1` and `RequestHeader set X-My-Header %{fix_header}e env=fix_header`',
  },
  {
    pattern:
      /\b(?:authorization(?:: basic)?\W? header|HTTP_AUTHORIZATION|PHP_AUTH_USER|PHP_AUTH_PW)\b|^(?=.*\b(?:fcgid?|fpm|fastcgi|cgi)\b).*\b(?:(?:basic|http)[ -]auth\w*|401|unauthorized)\b/is,
    remedy:
      'write `CGIPassAuth On` for the directory (2.4.13 and later), or `SetEnvIf Authorization "(.*)" HTTP_AUTHORIZATION=$1`: httpd hands the Authorization header to no CGI or FastCGI program, and PHP by FPM is one where PHP as a module was none',
  },
  {
    pattern:
      /\bAuthType ["']?(?<module>Kerberos|Negotiate|NTLM|SSPI|CAS|shibboleth|Mellon|openid-connect|GSSAPI)\b/i,
    foreign: 'this AuthType is of $<name>, which is not loaded, or is as built for 2.2',
    rule: 'third-party-module',
    remedy:
      'load the module that has this AuthType, in its build for 2.4: httpd itself has Basic, Digest and Form alone',
  },
  {
    // The first two words are sought once, where they stand first: every further `.*` would try all places of those before it.
    pattern:
      /\b(?:both|either)\b.{0,60}\b2\.[24]\b.{0,30}\b2\.?[24]\b|\bboth\b.{0,40}\bversions\b|\beither version\b|\b2\.2 (?:and|or|&|\+|\/) ?(?:apache )?2\.4 (?:at the same time|simultaneously|side by side|compatible)|^(?=.*\b2\.2\b)(?=.*\b2\.4\b).*\b(?:compatible with|support\w*|works? (?:on|with|in|under)|for|on|under|with) both\b|\bworks? (?:on|with|in) both\b|\bmod_authz_core\b.*\bIfVersion\b|\bIfVersion\b.*\bmod_(?:authz_core|version)\b|^(?=(.*?\b(?:compatible|works?|support\w*|valid)\b.*?\b2\.2\b))\1.*?\b(?:and|or)\b.*\b2\.4\b/is,
    rule: 'order-allow-deny',
    remedy:
      'put the lines of 2.4 into `<IfModule mod_authz_core.c>` and those of 2.2 into `<IfModule !mod_authz_core.c>`: the module exists in 2.4 alone. `httpd-codemod --dual` writes that for the whole tree',
  },
  {
    pattern:
      /\bfail2ban\b|\b(?:format of (?:the )?error.?logs?|error.?log (?:line )?format|ErrorLogFormat)\b/i,
    remedy:
      'write `ErrorLogFormat "[%t] [%l] %7F: %E: [client\\ %a] %M% ,\\ referer\\ %{Referer}i"` for lines near those of 2.2, or teach the program the new ones: 2.4 adds module, process and the number AHnnnnn, and the port behind the address of the client',
  },
  {
    pattern: /^(?=.*\bajp\b).*(?:\bsecret|\brequiredSecret\b|\b403\b|\bforbidden\b)/is,
    remedy:
      'write `secret=WORD` behind the URL in ProxyPass (`ProxyPass /app ajp://127.0.0.1:8009/app secret=WORD`, 2.4.42 and later), and the same `secret="WORD"` at the AJP connector in server.xml; with an older httpd `secretRequired="false"` there, and `address="127.0.0.1"` so that nobody else reaches it: Tomcat asks for one since 2020',
  },
  {
    pattern: /\bweb[ -]?sockets?\b(?!\.c\b)|\bwss?:\/\//i,
    rule: 'load-module',
    remedy:
      'load mod_proxy_wstunnel (Debian: a2enmod proxy_wstunnel), and pass the path of the WebSocket on before the rest: `ProxyPass /ws ws://127.0.0.1:8080/ws` above `ProxyPass / http://127.0.0.1:8080/`. Where both come by one path: `RewriteCond %{HTTP:Upgrade} websocket [NC]` and `RewriteRule ^/?(.*) ws://127.0.0.1:8080/$1 [P]`. Write ws:// for a backend without TLS, also where visitors come by wss://. From 2.4.47 on mod_proxy_http does it, too, with `upgrade=websocket`',
  },
  {
    pattern:
      /^(?=.*\b(?:compress\w*|gzip\w*|deflate)\b).*\b(?:does not work|ignored|not (?:being )?(?:compress|gzip|deflat)\w*|un(?:compress|zipp)ed|AddOutputFilterByType|mod_(?:deflate|filter)|enabl\w*)\b/is,
    rule: 'load-module',
    remedy:
      'load mod_deflate and mod_filter (Debian: a2enmod deflate filter): AddOutputFilterByType is of mod_filter in 2.4. Types have changed with the systems, too: name application/javascript and text/javascript both',
  },
  {
    pattern: /\bserver-(?:status|info)\b/i,
    rule: 'order-allow-deny',
    remedy:
      'load mod_status (mod_info for server-info), and write <Location /server-status> with `SetHandler server-status` and `Require local` or `Require ip ADDRESS` in place of its Order, Allow and Deny lines. A 404 of WordPress and the like comes from RewriteRule lines: put `RewriteCond %{REQUEST_URI} !=/server-status` before theirs. Where the <Location> stands in a <VirtualHost>, another one may answer for localhost (`httpd -S`): put it outside of all',
  },
  {
    pattern:
      /^(?!.*\b(?:500|internal server error|not allowed)\b).*(?:\bMultiViews\b|\brewrit.{0,200}\bsimilar (?:file ?)?names?\b)/is,
    rule: 'options-unset',
    remedy:
      'write `Options -MultiViews` for the directory where RewriteRule lines or a program take names without an ending (`/news/` is then no news.php); for .php files of FPM or FCGID write `MultiviewsMatch Any` beside `Options +MultiViews`. In a .htaccess it needs `AllowOverride All`, or `Options=All,MultiViews` by name: Options alone leaves it out',
  },
  {
    pattern:
      /^(?!.*(?:\bconf\.modules\.d\b|\bIncludeOptional\b))(?=.*\bInclude\b|.*[/ `'"]\*\.conf\b).*\b(?:crash\w*|fail\w*|does not start|empty|no (?:\w+ )?(?:single )?(?:files?|match\w*)|(?:a )?single|missing)\b/s,
    rule: 'include-pattern',
    remedy:
      'write IncludeOptional in place of Include: 2.4 does not start where the pattern of an Include (`*.conf`) matches nothing',
  },
  {
    pattern: /\bconf\.modules\.d\b/i,
    rule: 'load-module',
    remedy:
      'write `Include conf.modules.d/*.conf` at the top of /etc/httpd/conf/httpd.conf: since RHEL 7 the LoadModule lines of all modules, of the MPM as well, are in that directory, and an httpd.conf of 2.2 does not read it. Take its own LoadModule lines out then',
  },
  {
    pattern:
      /^(?=.*\bindex\.(?:html?|php|cgi|pl)\b)(?!.*\brewrite).*\b(?:priority|instead of|rather than|manually|by default|not (?:the )?(?:default|found automatically)|add(?:ed|ing)? (?:the )?index|DirectoryIndex)\b/is,
    remedy:
      'write `DirectoryIndex index.php index.html` for the directory: of the names in this line the first that exists is served, and only these are looked for. Take the index.html of the package away where it still stands beside (Debian: /var/www/html)',
  },
  {
    pattern:
      /^(?=.*\b(?:passenger|rails|wsgi|django|flask|mod_perl)\b).*(?:directory listing|\bindex of\b|list of files|\bsource code\b)/is,
    rule: 'third-party-module',
    remedy:
      'see with `httpd -M` that the module which runs the program (passenger, wsgi, perl) is loaded in its build for 2.4, and with `httpd -S` that the virtual host with its lines answers. For Passenger DocumentRoot is the directory public of the program, with `Require all granted` and no MultiViews; WSGIScriptAlias covers the path that is asked for',
  },
  {
    pattern:
      /^(?!.*\b(?:ReadmeName|HeaderName|IndexOptions|a2dissite|default[ _-]v?(?:irtual)? ?(?:host|site)))(?:.*(?:directory (?:listing|index)|(?:lists?|listing) (?:of )?(?:the )?(?:files|director)|index of \/))/is,
    rule: 'options-unset',
    remedy:
      'name the page in DirectoryIndex (`DirectoryIndex index.php index.html`; mod_dir must be loaded), and keep lists of files from being made with `Options -Indexes`',
  },
  {
    pattern:
      /^(?=.*(?:\bSSI\b|mod_include|\.shtml\b|#if\b)).*(?:#(?:el)?if\b|\bexpressions?\b|\bap_expr\b|\bexpr=|SSILegacyExprParser)/is,
    rule: 'ssi-expr',
    remedy:
      'write `SSILegacyExprParser on` for the directory (2.4 alone knows it), which reads the conditions of #if as 2.2 did, or write them anew as expressions of 2.4: `<!--#if expr="$X = /y/" -->` becomes `expr="v(\'X\') =~ /y/"`',
  },
  {
    pattern: /\b(?:ssi|server[- ]side includes?|html (?:pages?|files?) (?:are|is) not|mod_include|shtml)\b/is,
    rule: 'options-unset',
    remedy:
      'load mod_include (Debian: a2enmod include), and write `Options +Includes` with `AddType text/html .shtml` and `AddOutputFilter INCLUDES .shtml` for the directory: without an Options line it had All in 2.2, and has FollowSymLinks in 2.4.',
  },
  {
    pattern:
      /^(?=.*(?:\bcgid?\b|\.cgi\b|[_-]cgi\.(?:py|pl|sh)\b|\.(?:pl|py)\b|\b(?:perl|python) (?:scripts?|code|programs?|source)\b)).*\b(?:only shows?|not (?:\w+ )?(?:run|executed|work\w*|found|enabled)|does not work|plain text|as text|download\w*|source)\b/is,
    rule: 'options-unset',
    remedy:
      'load mod_cgi, or mod_cgid beside mpm_event and mpm_worker (Debian: a2enmod cgi or cgid, which its 2.4 does not load by itself), and run the programs by ScriptAlias, or by `Options +ExecCGI` with `AddHandler cgi-script .cgi .pl` in their directory, with `Require all granted`',
  },
  {
    pattern:
      /redirect\w{0,12} (?:loop|properly)|too many redirects|\b(?:redirect\w*|rewrit\w*|https)\b.{0,60}\b(?:endless|infinite) loop|(?:rewrite|redirect)\w{0,12} loop|ERR_TOO_MANY/is,
    rule: 'rewrite-in-alias',
    remedy:
      'leave out what is rewritten already: `RewriteCond %{ENV:REDIRECT_STATUS} ^$` or [END] in place of [L]; where all goes to https behind a proxy, ask `%{HTTP:X-Forwarded-Proto}` in place of HTTPS. `curl -I URL` shows each step',
  },
  {
    pattern:
      /^(?!.*\bRewrite(?:Rule|Cond|Engine)\b)(?:.*(?:\b(?:php)\b.*\b(?:download(?:s|ed|ing|able)?|shown?|displayed|displays|plain ?text|unrendered|source|chosen to open|not (?:executed|interpreted|parsed|run(?:ning)?|processed|rendered)|only (?:\w+ )?(?:text|code)|code instead|files? as text)\b|\bphp\d?(?:[ -]\w+){0,4} does not work\b|\b(?:php\d?-script|x-httpd-php\d*)\b.*\b(?:no effect|ignored|does not work)\b|\b(?:downloads?|shows|showing|display(?:s|ing)|returns|raw|chosen to open|see(?:ing)?|plain ?text|unrendered|(?:contents?|text) of (?:the )?)\b.*\bphp\b(?! ?(?:\d|version|info)(?!.*\b(?:code|text|source)\b))))/is,
    rule: 'handler-without-module',
    remedy:
      'give PHP a handler that this server has: `SetHandler "proxy:unix:/run/php/php-fpm.sock|fcgi://localhost"` in <FilesMatch "\\.php$"> with mod_proxy_fcgi and PHP-FPM (2.4.10), or `SetHandler application/x-httpd-php` there where PHP is loaded as a module, as `httpd -M` shows (Debian: `apt-get install libapache2-mod-php`; RHEL: `dnf install php`; macOS: its LoadModule line in httpd.conf has a #). After an upgrade of Debian or Ubuntu the module of the old release may be on still, and the new one off: `a2dismod php7.4 && a2enmod php8.1`, and restart. Lines of the old one (AddHandler php5-script, AddType application/x-httpd-php) lead nowhere without it; until then keep the files from being sent',
  },
  {
    pattern:
      /\bsatisfy\b|\b(?:whitelist\w*|allow\w*)\b.{0,30}\bips?\b.{0,40}\b(?:password|login)\b|\b(?:bypass|skip|omit|avoid|exempt|no need for|want)\w*\b.{0,40}\b(?:authentication|password|login|auth)\b.{0,60}\b(?:ips?|address\w*|lan|local network|internal|intranet|subnet|range)\b|\b(?:authentication|password|login)\b.{0,60}\bfrom (?:the )?(?:outside|internet)\b/is,
    rule: 'order-allow-deny',
    remedy:
      'for `Satisfy Any` put `Require ip ADDRESS` (`Require env NAME` for `Allow from env=NAME`) and `Require valid-user` side by side, or into <RequireAny>: one of them is enough; for `Satisfy All` put them into <RequireAll>. httpd-codemod does it for the whole tree, so that nobody new gets in',
  },
  {
    pattern:
      /\bwithout (?:a|any|the) password\b|\b(?:anybody|anyone|everybody|everyone)\b.{0,40}\b(?:access|enter|get in|open|read|see)\b.{0,40}\b(?:password|protected)\b|\bno longer (?:asks?|asking|prompts?|prompted)\b.{0,30}\b(?:login|password)\b/is,
    rule: 'order-allow-deny',
    remedy:
      'look for one of three: the .htaccess is not read (write `AllowOverride AuthConfig`, or All, into the <Directory>); `Require all granted` or `Require ip` stands beside `Require valid-user`, where one is enough (put them into <RequireAll>); or a <Location>, which is read later, has `Require all granted`. --explain with the path shows which section decides',
  },
  {
    pattern:
      /^(?![^]*\b(?:500|internal server error|not allowed|forbidden|AllowOverride)\b)[^]*(?:\bOptions (?:directive|lines?)|\b[Mm]ix(?:ing|ed|es|ture)?\b(?: of)? [Oo]ptions)\b/,
    rule: 'options',
    remedy: OPTIONS_SIGNS,
  },
  {
    pattern:
      /\b(?:AuthGroupFile|require group|ldap-group|groups?)\b.*\b(?:401|unauthorized|does not work|denied|required)\b/is,
    rule: 'order-allow-deny',
    remedy:
      'load mod_authz_groupfile for AuthGroupFile, or mod_authnz_ldap for LDAP (Debian: a2enmod authz_groupfile), and put the Require lines that must all hold into <RequireAll>: side by side, one is enough. The error log says which line refuses (AH01631)',
  },
  {
    pattern: /\brequire host\b|\breverse (?:dns|lookup)|\bHostnameLookups\b/i,
    rule: 'order-allow-deny',
    remedy:
      'see that the name server of this machine resolves the address of the client to this name and the name back: `Require host` looks up both, as `Allow from NAME` did; for an address write `Require ip`, for a name whose address changes `Require forward-dns` (2.4.19). Behind a proxy it asks for the name of the proxy, unless mod_remoteip is loaded',
  },
  {
    pattern:
      /^(?=.*\brequire all granted\b).*\brequire not\b.*\b(?:(?:nothing|nobody|none|not) (?:is |are |gets? |be(?:ing)? )?(?:blocked|denied|refused)|tests? fail|ignored|no effect|does not work)|\brequire not\b.*\b(?:outvote[sd]?|overr(?:ide|ides|ule[sd]?|idden)|wins)\b|\b(?:outvote[sd]?|overr(?:ide|ides|ule[sd]?|idden)|wins)\b.*\brequire not\b/is,
    rule: 'access-line-refused',
    remedy:
      'put `Require all granted` and the `Require not` lines into one <RequireAll>: side by side without a block, or in <RequireAny>, one line that grants is enough, and a `Require not` refuses nobody there. A Require line outside of the block grants as well: take it out',
  },
  {
    pattern:
      /^(?=.*\brequire(?:all|any|none| (?:not |ip |host |env |expr |method |user |valid-user|group ))).*\b(?:does not work|no effect|ignored)\b/is,
    rule: 'order-allow-deny',
    remedy:
      'put the Require lines, with their blocks, into a <Directory> or <Location> (a <VirtualHost> by itself takes none), or into a .htaccess with `AllowOverride AuthConfig`. `Require not` lines stand in <RequireAll> beside `Require all granted`; without a block, one of several lines is enough; a section that is read later, as <Location>, counts in place of the others (--explain with the path shows which). Behind a proxy, mod_remoteip gives the address of the client',
  },
  {
    pattern:
      /^(?!.*\b(?:invalid|unknown|40[134]|50\d|denied|forbidden|2\.2)\b(?!.{0,9}2\.4)).*\bRequire(?:All|Any|None)\b/s,
    rule: 'order-allow-deny',
    remedy:
      'put what must all hold into <RequireAll>, and what is enough by itself into <RequireAny> within it: `<RequireAll>`, `Require ip 10.0.0.0/8`, `<RequireAny>`, `Require user NAME`, `Require group NAME`, `</RequireAny>`, `</RequireAll>`, each in a line of its own; what must not be is `Require not` in <RequireAll>. Without a block, one line is enough',
  },
  {
    pattern:
      /\border (?:allow|deny)|\border deny|\b(?:allow|deny) from\b|\b(?:allow|deny)\b.*\b(?:rules?|directives?|lines?|syntax)\b|\bdirectives? (?:like|such as) (?:order|allow|deny|satisfy)\b|\brequire all (?:granted|denied)\b|access control|\bauthorization (?:\w+ )?(?:commands?|directives?|syntax|rules?)\b.*\bchanged?\b|\bchanged?\b.*\bauthorization (?:commands?|directives?|syntax|rules?)\b/is,
    rule: 'order-allow-deny',
    general: true,
    remedy: ACCESS_LINES,
  },
  {
    pattern:
      /^(?=.*\b(?:does not work|40[34]|50[0-3]|fail\w*)\b).*\b(?:RewriteRule|ProxyPass\w*|SetHandler|BalancerMember) [^\n]{0,200}?\b(?<scheme>uwsgi|s?cgi|fcgi|ajp|h2c?):\/\//is,
    rule: 'load-module',
    remedy: '',
  },
  {
    pattern:
      /\b(?:clean|pretty|friendly) urls?\b.{0,30}\bfail|\b(?:mod_rewrite|rewrite(?!map)|pretty (?:url|link)|permalink|clean url|laravel|wordpress|drupal|symfony|cakephp|codeigniter|yii2?|joomla|magento)\w*\b.*\b(?:does not work|no effect|ignored|broken|404|stopped|not found)|\b(?:does not work|ignored|broken|404|stopped|not found)\b.*\b(?:mod_rewrite|rewrite(?!map)|pretty (?:url|link)|permalink|clean url|laravel|wordpress|drupal|symfony|cakephp|codeigniter|yii2?|joomla|magento)/is,
    rule: 'allow-override-unset',
    remedy:
      'write `AllowOverride FileInfo` (or All) into the <Directory> of the documents, and load mod_rewrite (Debian: a2enmod rewrite): where no section sets AllowOverride, 2.4 reads no .htaccess, and 2.2 read all. The rules need `Options +FollowSymLinks`, too; `LogLevel rewrite:trace3` shows what they do',
  },
  {
    pattern:
      /\bhtaccess\W+(?<directive>[A-Z][A-Za-z]+)\W{1,3}(?:is |are |was )?not (?:allowed|permitted)\b|(?<asked>[A-Z][a-z]+[A-Z][A-Za-z]+)\W{1,3}(?:is |are )?not (?:allowed|permitted) in (?:a |the |an )?\.?htaccess\b/,
    rule: 'allow-override-unset',
    remedy:
      'set AllowOverride for this directory so that a .htaccess may have the line, or remove the line: where no section sets AllowOverride, 2.4 accepts none',
  },
  {
    pattern:
      /\bignor\w*\b.{0,40}\bOptions [+-]?(?:Indexes|(?:Follow)?SymLinks)|\bOptions [+-]?(?:Indexes|(?:Follow)?SymLinks)\w*\W.{0,40}\b(?:ignored|no effect|does not work)\b/i,
    rule: 'allow-override-unset',
    remedy:
      'write `AllowOverride Options` (or All) into the <Directory> of the documents, if the Options line stands in a .htaccess: where no section sets AllowOverride, 2.4 reads none, and 2.2 read all. In the configuration, look for an Options line in a section of a longer path, or in a <Location>, which is read later',
  },
  {
    pattern:
      /^(?!.*\b(?:403|forbidden)\b).*(?:\bhtaccess\b.*\b(?:404|ignored|no effect|does not work)|\b(?:404|ignored|no effect|does not work)\b.*\.?htaccess|\b(?:enabl|activat|configur|allow)\w* .{0,30}htaccess\b|\bAllowOverride\b)/is,
    rule: 'allow-override-unset',
    remedy:
      'write `AllowOverride All` (or the classes that the file needs: FileInfo for RewriteRule, AuthConfig for Require, Indexes, Options) into the <Directory> of the documents: where no section sets AllowOverride, 2.4 reads no .htaccess, and 2.2 read all. Lines in <IfModule> are passed over where that module is not loaded (`httpd -M`). Order, Allow and Deny lines in it become Require lines, which httpd-codemod writes',
  },
  {
    pattern:
      /%3f\b|^(?=.*\b(?:403|forbidden)\b).*(?:\bquestion mark|\brewrit\w{1,8}\b.{0,200}(?:\bspaces?\b|\bblanks?\b|\bspecial characters?|%20))/is,
    rule: 'rewrite-rule-unsafe',
    remedy:
      'give the RewriteRule the flag B (then the ? stays encoded), or UnsafeAllow3F if it is meant to act as one: since 2.4.60 httpd answers 403 where a rule would make a ? of a %3F of the request (AH10508 in the error log), and since 2.4.56 where one puts a blank into the query (AH10411: B, or BCTLS from 2.4.57)',
  },
  {
    pattern:
      /^(?!.*\bmod_rewrite is (?:\w+ )?enabled\b)(?=.*\b(?:RewriteEngine|RewriteRules?|mod_rewrite|(?:pretty|clean|friendly) urls?|permalinks?)\b).*\b(?:403|forbidden)\b/is,
    rule: 'options-unset',
    remedy:
      'look into the error log: AH00670 means that the rules of a .htaccess need `Options +FollowSymLinks` (or +SymLinksIfOwnerMatch) for their directory; AH01630 and AH01797, that its access lines are to be converted; none of them, that a rule itself refuses (flag F)',
  },
];
