import type { MessageShape } from '../shape';

/**
 * What people ask about the use of httpd, whatever its release: proxies and the scheme of a URL, rewriting, headers, who runs as
 * what. Each needs the words that decide, so that these questions can be tried before those that a common word is enough for.
 */
export const USAGE_QUESTIONS: readonly MessageShape[] = [
  {
    pattern:
      /^(?=.*(?:\bprox(?:y|ies|ied)\b|\breverse[ -]?proxy\w*|\bbehind\b|\bterminat\w*|\bbackend\b|\bProxyPass\w*|\bload ?balancer\b|\bcloudflare\b))(?=.*\bhttps|.*\bx-forwarded-proto\b).*(?:\bhttp(?::\/\/)?(?: \w+){0,3} (?:instead of|rather than|not) https\b|\bmixed content\b|\bwrong (?:scheme|protocol)\b|\bbase_url\b|\b(?:ProxyPass\w*|reverse)\b.*\b(?:loop|too many redirect)|\b(?:loop|too many redirect\w*)\b.*\b(?:ProxyPass\w*|reverse)\b|\b(?:redirects?|links?|urls?|forms?)\b(?: \S+){0,5} http(?:\b(?!s)|:\/\/)|\bx-forwarded-proto\b(?=.*\b(?:ignored|does not work|how|wrong|http\b)))/is,
    remedy:
      'write `RequestHeader set X-Forwarded-Proto "https"` into the <VirtualHost *:443> that has ProxyPass, with `ProxyPreserveHost On` (mod_headers; a Header line changes the answer, not what the backend gets), and have the program trust it (Tomcat: RemoteIpValve; WordPress, Django, Rails and others: their setting for proxies). Where httpd itself stands behind the proxy that ends TLS, ask `%{HTTP:X-Forwarded-Proto}` in place of `%{HTTPS}` in RewriteCond, which otherwise redirects for ever, and write `SetEnvIf X-Forwarded-Proto https HTTPS=on` for programs',
  },
  {
    pattern:
      /\bmust have the same scheme\b|^(?=.*\b(?:web ?dav|dav|svn|subversion|caldav|carddav)\b)(?=.*\b(?:copy|copies|copying|moves?|moving|renam\w*)\b).*\b(?:502|bad gateway|https?)\b/is,
    remedy:
      'write `RequestHeader edit Destination ^https: http: early` into the virtual host that ends TLS and passes the request on (mod_headers): COPY and MOVE name their target in the header Destination with https:, and a DAV server that is asked by http: refuses it with a 502',
  },
  {
    pattern: /^(?=.*\b(?:sub)?svn\b|.*\bsubversion\b).*'?\bfile:\/\/\//is,
    general: true,
    remedy:
      'it is a message of Subversion itself, not of httpd, which a file:// URL does not ask: see that the repository is there (`svnadmin verify PATH`), and that you may read it',
  },
  {
    pattern:
      /^(?=.*\b(?:ProxyPass\w*|prox(?:y|ied)|backend)\b)(?=.*\b(?:redirect\w*|location|address bar|shows?|url)\b).*\b(?:internal (?:host|name|url|address|port)\w*|localhost:\d+|127\.0\.0\.1:\d+|(?:host|port)\w* of the backend)\b(?!.*\b(?:502|503|refused|fail\w*)\b)/is,
    remedy:
      'write ProxyPassReverse with the same path and URL as ProxyPass, so that redirects of the backend get the name of this server, and `ProxyPreserveHost On`, so that it makes none with its own. Names within pages come from the program: its setting for the public URL, or mod_proxy_html',
  },
  {
    pattern: /^(?=.*\bcookies?\b).*(?:\bProxyPass\w*|\breverse[ -]?proxy|\bprox(?:y|ied)\b)/is,
    remedy:
      'write `ProxyPassReverseCookiePath /backend/ /public/`, and ProxyPassReverseCookieDomain for another name, beside ProxyPass: the browser sends no cookie back whose path or name is not that of the URL it sees',
  },
  {
    pattern:
      /\b(?:exclud\w*|except\w*|not (?:be )?prox(?:y|ied)|skip\w*|bypass\w*)\b.*\bProxyPass(?!\w)|\bProxyPass(?!\w).*\b(?:exclud\w*|except\w*|skip\w*|bypass\w*)\b|\bprox(?:y|ied)\b.*\b(?:all|everything) (?:but|except)\b/is,
    remedy:
      'write `ProxyPass /PATH !` above the `ProxyPass /` line: of several that match, the first counts. A directory of files then needs an Alias and a <Directory> with `Require all granted`',
  },
  {
    pattern:
      /^(?=.*\b(?:ProxyPass\w*|prox(?:y|ied)|reverse[ -]?proxy)\b)(?=.*\b(?:css|js|javascript|images?|assets?|static|styles?|links?)\b).*\b(?:404|not found|broken|missing|prefix|sub-?(?:path|dir\w*|folder))\b/is,
    remedy:
      'pass the program on under the path that it has itself (`ProxyPass /app http://127.0.0.1:8080/app`), or tell it its public path (context path, base URL, root_url): links that begin with / in its pages leave out the prefix of `ProxyPass /app http://…/`. Without such a setting, mod_proxy_html rewrites them',
  },
  {
    pattern:
      /^(?=.*\b(?:vagrant|virtualbox|vbox\w*|shared folders?|nfs|cifs|samba|smb|vmware|network (?:drive|share|file system))\b).*\b(?:stale|cached?|caching|outdated|old (?:\w+ ){0,2}(?:files?|versions?|contents?)|not (?:\w+ )?(?:refresh|updat|chang|visible|seen)\w*|truncat\w*|corrupt\w*|garbled|cut off|same (?:file|content)|zeros?|null bytes?)\b/is,
    remedy:
      'write `EnableSendfile Off` and `EnableMMAP Off` for the directory: files of a shared folder or a network file system change without the kernel of this machine seeing it, so that httpd sends the old text, or its old length. In 2.2 EnableSendfile began with On',
  },
  {
    pattern:
      /^(?!.*\bPluginError\b)(?:(?=.*(?:\.well-known\b|\bacme\b)).*\b(?:40[135]|forbidden|denied|rewrit\w*|RewriteRule|redirect\w*|htaccess|ProxyPass\w*|alias)\b|(?=.*\b(?:certbot|let'?s ?encrypt)\b).*\b(?:40[13]|forbidden|denied|htaccess|ProxyPass\w*|alias)\b)/is,
    remedy:
      'let /.well-known/acme-challenge/ pass before all other rules: `RewriteRule ^/?\\.well-known/acme-challenge/ - [L]` as the first rule of the .htaccess or virtual host of port 80 (a RewriteCond on REQUEST_URI needs the slash in front: `!^/\\.well-known/`), `ProxyPass /.well-known/acme-challenge/ !` above other ProxyPass lines, and `<Location "/.well-known/acme-challenge/">` with `Require all granted` where the site is closed. A rule or section for names with a dot in front refuses it as well; the DocumentRoot of `httpd -S` is the one that certbot must write to',
  },
  {
    pattern: /\bPluginError\b|\bcould not parse file\b.*\bcertbot|\bcertbot\b.*\berror (?:in )?parsing\b/is,
    remedy:
      "look into the file that it names for a quote or a section that is not closed, a name of a section in other letters than its end, and a blank behind a \\ at the end of a line: it is certbot's own reader that fails, and takes less than httpd does (`apachectl configtest` may say Syntax OK). Or let it leave the configuration alone: `certbot certonly --webroot -w DOCUMENTROOT -d NAME`",
  },
  {
    pattern:
      /\bunable to find (?:a|any) (?:virtual ?host|vhost)|^(?=.*\b(?:certbot|let'?s ?encrypt)\b)(?=.*\b(?:virtual ?host|vhost)\b).*\bport 80\b/is,
    remedy:
      'write a <VirtualHost *:80> with `ServerName NAME` and DocumentRoot for the name that the certificate is for, in a file that is read (`httpd -S` lists it; Debian: a2ensite): certbot takes the virtual host of port 80 by its name',
  },
  {
    pattern:
      /\bError response from daemon\b|\bPorts are not available\b|\bfailed programming external connectivity\b|\bdriver failed\b.*\bendpoint\b/is,
    general: true,
    remedy:
      'it is a message of Docker, not of httpd in the container: stop what holds the port on the machine itself (`ss -ltnp`; Windows: IIS, `net stop http`), or publish another one (`-p 8080:80`)',
  },
  {
    pattern:
      /\bpath[_ ]?info\b|^(?!.*\b(?:want|remove|without)\b)(?:.*\.php\/[\w-].*\b(?:404|not found)\b|.*\b(?:404|not found)\b.*\.php\/[\w-])/is,
    remedy:
      'write `AcceptPathInfo On` for the directory: what follows the name of a file in the URL (index.php/a/b) is refused with a 404 where its handler does not ask for it. With PHP-FPM let SetHandler in `<FilesMatch "\\.php$">` hand it over, or let the pattern of ProxyPassMatch go on behind the name (`^/(.*\\.php(/.*)?)$`); a URL without the name of the file needs RewriteRule or FallbackResource',
  },
  {
    pattern: /\badditionally, an? \d{3}\b|\bwhile trying to use an ErrorDocument\b/i,
    rule: 'order-allow-deny',
    remedy:
      'let everybody in to the page of the error itself: `<Location "/errors/">` with `Require all granted`, or take it out of the RewriteRule that refuses it. ErrorDocument names it by its URL (`ErrorDocument 403 /errors/403.html` below DocumentRoot); an additional 404 means that nothing is there',
  },
  {
    pattern: /^(?=.*\bErrorDocument\b).*\b(?:fpm|fcgi|ProxyPass\w*|prox(?:y|ied)|backend|tomcat)\b/is,
    remedy:
      'write `ProxyErrorOverride On` beside ProxyPass or SetHandler "proxy:…": without it the error page of the backend, PHP-FPM as well, is handed through, and ErrorDocument counts for errors of httpd alone',
  },
  {
    pattern:
      /^(?=.*\bRewrite(?:Rule|Cond|Engine|s|\b))(?=.*\b(?:virtual ?hosts?|vhosts?|main server|server config|httpd\.conf|<?Directory>? section)\b).*\b(?:htaccess|does not work|ignored|(?:not|never) (?:match|appl|inherit|reach)\w*|not apply|REQUEST_FILENAME)\b/is,
    remedy:
      'write the pattern with an optional slash, `RewriteRule ^/?name`: in a <VirtualHost> it is held against the whole path (`/name`), in a .htaccess or <Directory> against what follows the directory (`name`). In a <VirtualHost> %{REQUEST_FILENAME} is the URL still: ask `%{DOCUMENT_ROOT}%{REQUEST_URI} !-f`. Each virtual host needs its own `RewriteEngine On`, and takes no rules of the main server without `RewriteOptions Inherit`',
  },
  {
    pattern:
      /^(?=.*\bRewrite(?:Rule|Cond)?\b)(?=.*\b(?:query[ _-]?strings?|parameters?)\b).*\b(?:match\w*|pattern|never|twice|append\w*|remove\w*|keep\w*|lost)\b/is,
    remedy:
      'ask for it by `RewriteCond %{QUERY_STRING} ^id=(\\d+)$` above the rule, where %1 is what it has matched: a RewriteRule sees the path alone. A ? at the end of its target (or QSD) takes the query away, and QSA puts it behind one that the target has itself',
  },
  {
    pattern:
      /^(?!.*\b(?:a2ensite|sites-enabled|conf\.d)\b)(?=.*\b(?:by|via|with|on|of|over|through) (?:the |its |my )?(?:bare )?(?:ip(?: address)?|https)\b|.*\b(?:unknown|other|unconfigured|not (?:\w+ )?configured)\b.{0,30}\b(?:domains?|host ?names?|names?)\b|.*\b(?:second|no|without (?:a|an)?) (?:ssl|certificate|https|entry|site|vhost)).*\b(?:(?:first|wrong|another|other|same|a)(?: \w+){0,4} (?:v(?:irtual )?hosts?|sites?|web ?sites?|pages?|entry|source|content)|second certificate)\b/is,
    remedy:
      'put a <VirtualHost> for all other names in front of the others (its file first in the alphabet: 000-default.conf), on *:80, and on *:443 with a certificate of its own: what no ServerName or ServerAlias names, a bare IP too, gets the first one of the address and port (`httpd -S`). Each site needs its own ServerName in both; a 2.2 also `NameVirtualHost *:80` and `NameVirtualHost *:443`',
  },
  {
    pattern:
      /^(?=.*\b(?:v(?:irtual)?[ -]?hosts?|sites?)\b)(?!.*\b(?:40[134]|forbidden|denied|timed out)\b).*\blocalhost\b.{0,40}\b(?:works?|working|fine|ok)\b/is,
    remedy:
      'give the machine that asks the names (a line `127.0.0.1 site1.local` in /etc/hosts, or C:\\Windows\\System32\\drivers\\etc\\hosts), and see that `httpd -S` lists a <VirtualHost *:80> with each as ServerName. In a container the port must be published, and the file be one that an Include line reads',
  },
  {
    pattern:
      /^(?=.*\b(?:apache2?|httpd)\b)(?=.*\b(?:nginx|varnish|haproxy|lighttpd|iis|caddy)\b).*\bports?\b.*\b(?:allocated|already|in use|taken|occupied|held|conflict\w*|used)\b/is,
    rule: 'listen-twice',
    remedy:
      'switch off the server that is not to have the port (`systemctl disable --now nginx`), or put httpd behind it: `Listen 127.0.0.1:8080` (Debian: ports.conf) and <VirtualHost *:8080>. Two programs cannot listen on one port; `ss -ltnp` shows who does',
  },
  {
    pattern:
      /\b(?:listen|run\w*)\b.{0,40}\b(?:port )?(?:80[0-9]{2}|81|88)\b.{0,60}\b(?:80|default|only|instead)\b|\bchang\w* (?:the )?(?:\w+ )?port\b|\bports\.conf\b.*\b8\d{3}\b/is,
    remedy:
      'write `Listen 8080` in place of `Listen 80` (Debian: /etc/apache2/ports.conf), <VirtualHost *:8080> in each site, and restart: a reload opens no other port. With SELinux `semanage port -a -t http_port_t -p tcp 8080`; the module of Puppet writes Listen lines itself (`default_vhost => false` leaves port 80 out)',
  },
  {
    pattern:
      /\b(?:increas\w*|rais\w*|more)\b.*\b(?:apache|httpd)\w* (?:\w+ )?(?:requests?|connections?|clients?|workers?)\b.*\blimits?\b|\b(?:apache|httpd)\w* (?:requests?|connections?) limit\b|\bserver reached max/is,
    rule: 'max-clients',
    remedy:
      'raise MaxRequestWorkers (MaxClients of 2.2), and with it ServerLimit, in the block of the MPM that runs (`httpd -V`; Debian: mods-available/mpm_*.conf), and restart: without the lines it is 256 with prefork and 400 with event and worker. Behind a proxy PHP-FPM (pm.max_children) and max= of ProxyPass have limits, too',
  },
  {
    pattern:
      /^(?=.*\b(?:leading|forward|first|beginning|initial)\b.{0,20}\bslash).*\b(?:htaccess|RewriteRules?|rewrite rules?|redirection)\b/is,
    remedy:
      'leave the slash at the front of the pattern away in a .htaccess or <Directory> (`RewriteRule ^old-name$ /new-name [R=301,L]`), or write `^/?`: there a rule sees the path behind the directory. In a <VirtualHost> it sees the whole path with its slash',
  },
  {
    pattern: /\bnon-?www\b|\bwww\b.*\b(?:redirect\w*|remov\w*|without)\b|\bredirect\w*\b.*\bwww\b/is,
    remedy:
      'give the other name a <VirtualHost> of its own with `Redirect permanent / https://NAME/`; in a .htaccess write `RewriteCond %{HTTP_HOST} ^www\\.(.+)$ [NC]` and `RewriteRule ^ https://%1%{REQUEST_URI} [R=301,L]` above all other rules of the outermost one: behind a rule that leads to index.php, that is the path which goes into the redirect',
  },
  {
    pattern: /\bRewriteRule\b[^\n]{0,300}[?=/]\S{0,200}%\d[0-9A-Fa-f]/i,
    remedy:
      'put a backslash before each % of the target (`\\%3A\\%2F`), and add the flag NE: in the target of a RewriteRule %1 to %9 stand for what the RewriteCond above has matched, and without NE a % is encoded once more',
  },
  {
    pattern:
      /^(?=.*\bhtaccess\b)(?=.*\b(?:sub-?(?:dir\w*|folders?)|parent|child)\b).*\b(?:rewrit\w*|RewriteRules?)\b(?=.*\b(?:parent|overrid\w*|inherit\w*|ignored|both)\b)/is,
    remedy:
      'write `RewriteOptions Inherit` (2.4 also has InheritBefore) into the .htaccess below: one with `RewriteEngine On` of its own takes the place of the rules above it',
  },
  {
    pattern:
      /\bRewriteBase\b|^(?=.*\brewrit\w*)(?=.*\b(?:alias|sub-?(?:dir\w*|folders?|path))\b).*\b(?:404|not found|wrong path|does not work)\b/is,
    remedy:
      'write `RewriteBase /PATH/` into the .htaccess, the URL under which its directory is seen: where that is not the path below DocumentRoot, as behind an Alias, the target of a rule is put behind the path of the disk otherwise, which is a 404',
  },
  {
    pattern: /\bdouble slash|\bmultiple slashes|\bslashes\b.*\bmerge|\bMergeSlashes\b|\/\/\w+.*\bslashes\b/is,
    rule: 'merge-slashes-unset',
    remedy:
      'write `MergeSlashes Off` for a virtual host whose programs need them: since 2.4.39 httpd takes several slashes of a URL for one, before <Location> and RewriteRule are asked, so that a pattern with two (`^//`) matches nothing any more. %{THE_REQUEST} has the URL as it came',
  },
  {
    pattern: /\bstrict-transport-security\b|\bhsts\b/i,
    remedy:
      'write `Header always set Strict-Transport-Security "max-age=31536000"` into the <VirtualHost *:443> (mod_headers): without always it is not sent with redirects and errors, and browsers pass over it in answers by http',
  },
  {
    pattern:
      /\b(?:hide|remove|disable|unset|suppress|change)\w*\b.*\b(?:server (?:header|version|signature|banner|token)|apache version)|\bserver (?:header|version|banner)\b.*\b(?:hid\w*|remove\w*|disclos\w*)\b/is,
    remedy:
      'write `ServerTokens Prod` and `ServerSignature Off` into the server configuration (Debian: conf-available/security.conf): "Apache" alone stays, which mod_headers cannot take out',
  },
  {
    pattern:
      /^(?=.*\b(?:block|deny|denied|ban|refuse|reject|forbid)\w*\b).*\b(?:user[ -]?agents?|bots?|crawlers?|spiders?|scrapers?|referr?ers?|BrowserMatch\w*)\b/is,
    rule: 'order-allow-deny',
    remedy:
      'write `BrowserMatchNoCase "badbot|other" unwanted` (SetEnvIfNoCase Referer for links), and <RequireAll> with `Require all granted` and `Require not env unwanted` in the <Directory> or .htaccess, in place of `Deny from env=unwanted`; or `RewriteCond %{HTTP_USER_AGENT} badbot [NC]` and `RewriteRule ^ - [F]`',
  },
  {
    pattern:
      /^(?=.*\b(?:active directory|ad|ldap\w*|AuthLDAP\w+)\b).*\b(?:operations error|referrals?|slow|hangs?|timeouts?|time-?outs?)\b/is,
    remedy:
      'ask the global catalogue, port 3268 (`AuthLDAPURL "ldap://SERVER:3268/DC=example,DC=org?sAMAccountName?sub?(objectClass=*)"`; ldaps: 3269), or a base below an OU, and write `LDAPReferrals Off` outside of sections: Active Directory answers a search from the top with referrals, which end in "Operations error" or a long wait. AuthLDAPBindDN needs a user, as it knows no anonymous one',
  },
  {
    pattern:
      /\b(?:SetEnv)\b(?!If).*\b(?:RewriteCond|SetEnvIf\w*|Require env|(?:deny|allow) from env|CustomLog)\b|\b(?:RewriteCond|SetEnvIf\w*|Require env)\b.*\b(?:set by|from|with) SetEnv\b(?!If)/is,
    remedy:
      'write SetEnvIf in place of SetEnv (`SetEnvIf Host "^" NAME=value`): SetEnv sets a variable after access has been decided and RewriteRule has been asked, for programs and logs alone',
  },
  {
    pattern:
      /\bPrivateTmp\b|^(?=.*\/(?:var\/)?tmp\b)(?=.*\b(?:apache|httpd|php|cgi)\w*).*\b(?:not (?:\w+ )?(?:found|visible|there|see|seen|exist)|disappear\w*|missing|systemd-private)/is,
    remedy:
      'use another directory than /tmp, or run `systemctl edit apache2` (httpd on RHEL), write `[Service]` and `PrivateTmp=false`, and restart: systemd gives httpd a /tmp and /var/tmp of its own (/tmp/systemd-private-…)',
  },
  {
    pattern:
      /\bsym(?:bolic[ -]?)?links?\b.*\b(?:403|forbidden|not allowed|not accessible|ignored|does not work|denied|follow\w*)\b|\bFollowSymLinks\b.*\bSymLinksIfOwnerMatch\b/is,
    rule: 'options-unset',
    remedy:
      'write `Options +FollowSymLinks` for the directory that has the link (SymLinksIfOwnerMatch where link and target must have one owner), and let the user that httpd runs as enter every directory of the target (`namei -l TARGET`; with SELinux the type httpd_sys_content_t): AH00037 in the error log is either. Access is decided by the path of the link, not of the target',
  },
  {
    pattern:
      /^(?=.*\bmod_?security\b|.*\bmodsec\w*).*\b(?:403|406|block\w*|false positives?|denied|forbidden)\b/is,
    remedy:
      'read the line of ModSecurity in the error log, and write `SecRuleRemoveById ID`, the number behind `[id` there, into a <Location> of that path (mod_security2): one of its rules refuses the request, no Require line. `SecRuleEngine DetectionOnly` for the path shows all that would be refused',
  },
  {
    pattern:
      /\b(?:limit|restrict|allow|disabl|block|deny|forbid)\w*\b(?: \w+){0,3} \b(?:http )?(?:methods?|verbs?)\b|\bAllowMethods\b/i,
    rule: 'order-allow-deny',
    remedy:
      'write `AllowMethods GET POST` (HEAD comes with GET) with mod_allowmethods into the <Directory> or <Location>, or `Require method GET POST` where others are allowed in by another Require line; <LimitExcept GET POST> with `Require all denied` is the way for both versions in the form that each reads',
  },
  {
    pattern:
      /^(?!.*(?:too[ _]many|\bloop))(?=.*\b(?:redirect|forc|rewrit|enforc)\w*\b).*(?:\bhttp\b(?: traffic| requests?)? (?:to|into|->) https\b|\bforc\w* (?:ssl|https|tls)\b|\ball (?:traffic|requests?|urls?) to https\b)/is,
    remedy:
      'write `Redirect permanent / https://NAME/` into the <VirtualHost *:80> of this name, and all else into that of *:443. In a .htaccess: `RewriteCond %{HTTPS} off` and `RewriteRule ^ https://%{HTTP_HOST}%{REQUEST_URI} [R=301,L]` as the first rule, where behind a proxy that ends TLS `RewriteCond %{HTTP:X-Forwarded-Proto} !https` takes the place of the condition; for an exception another RewriteCond before it (`%{REQUEST_URI} !^/path`)',
  },
  {
    pattern:
      /^(?=.*\b(?:disabl\w*|turn(?:ing)? off|remov\w*|only|enabl\w*|support\w*)\b).*\b(?:ssl ?v?3|tls ?v?1\.?[01]?\b(?!\.[23])|tls ?v?1\.[23]|SSLProtocol)\b/is,
    remedy:
      'write `SSLProtocol -all +TLSv1.2 +TLSv1.3` (TLSv1.3 from 2.4.36 on, with OpenSSL 1.1.1) outside of the virtual hosts, or into the first one of each address and port, whose line decides for all of them with an OpenSSL before 1.1.1; old clients need `SSLProtocol all`, and a system whose policy for OpenSSL lets TLS 1.0 in. Another file may have a line of its own (`grep -rn SSLProtocol` in all that is read). `openssl s_client -tls1_1 -connect NAME:443` tries it',
  },
  {
    pattern:
      /^(?!.*\b(?:AH\d{5}|client cert\w*)\b)(?=.*\b(?:chain|intermediate)\b).*\b(?:incomplete|missing|untrusted|not trusted|unknown authority|unable to (?:get|verify))\b/is,
    remedy:
      'append the certificates of the authority in between to the file of SSLCertificateFile, behind the own one (certbot: fullchain.pem), or name them in SSLCertificateChainFile where httpd is older than 2.4.8, and reload. `openssl s_client -connect NAME:443 -servername NAME` shows what is sent',
  },
  {
    pattern:
      /^(?!.*\bexpire).*(?:\b(?:wrong|other|another|first|default) (?:ssl )?certificate\b|\bcertificate (?:of|for) (?:the )?(?:wrong|another|other|first|different)\b|\bcertificate (?:name )?mismatch\b)/is,
    remedy:
      'give each <VirtualHost *:443> its own ServerName, `SSLEngine on`, SSLCertificateFile and SSLCertificateKeyFile, and see with `httpd -S` that it is read: a name that none has gets the first one and its certificate. Write *:443 in all of them: one with an address goes before those with *; a client without SNI gets the first, too',
  },
  {
    pattern:
      /\brestart\w*\b.*\b(?:every (?:night|day|week)|daily|weekly|nightly|6:25)\b|\b(?:every night|6:25)\b.*\bapache|\bafter (?:the )?log ?rotat\w*|\blogrotate\b/is,
    remedy:
      'look at /etc/logrotate.d/apache2 (httpd on RHEL): it has httpd reopen its logs by a reload each night or week (AH00171, "Graceful restart requested", AH00493 are no errors), without which they stay empty. What ends httpd then is in its way: a configuration that no longer passes `apachectl configtest`, or a module that does not bear a reload',
  },
  {
    pattern:
      /^(?=.*\bMaxRequestWorkers\b|.*\bMaxClients\b).*\b(?:how many|calculat\w*|should|tun(?:e|ing)|memory|swap\w*|oom|best|recommended)\b/is,
    rule: 'max-clients',
    remedy:
      'divide the memory that httpd may have by the size of one process (RSS in `ps -ylC apache2`, httpd on RHEL): that is MaxRequestWorkers with mpm_prefork; with mpm_event it is processes times ThreadsPerChild, and ServerLimit must be at least MaxRequestWorkers / ThreadsPerChild. More than fits swaps, and ends in the OOM killer; MaxConnectionsPerChild renews processes that grow',
  },
  {
    pattern:
      /\b(?:mime[ -]?types?|content[ -]types?)\b.*\b(?:wrong|incorrect|missing|not set|text\/plain|octet-stream|no longer|nosniff)\b|\b(?:served|sent|delivered) (?:as|with) (?:text\/plain|application\/octet-stream)\b|\bAddType\b.*\b(?:ignored|does not work|no effect)\b/is,
    rule: 'default-type',
    remedy:
      'write `AddType TYPE .ENDING` (`AddType font/woff2 .woff2`) for the ending, and see that TypesConfig names a file that exists and mod_mime is loaded: for an ending that is not in it 2.4 sends no Content-Type at all, where DefaultType of 2.2 sent text/plain; `ForceType TYPE` in <Files> is for names without an ending. A type that a program sends is its own',
  },
  {
    pattern:
      /^(?!.*\b(?:timed? ?out|403|forbidden|denied)\b).*(?:\b(?:other|another|remote|external|outside|different) (?:\w+ )?(?:computers?|machines?|devices?|pcs?|phones?)\b.*\b(?:access|reach|connect|open|see|work)\w*\b|\bonly (?:\w+ )?(?:from|on|by|at|via) (?:the )?(?:localhost|local machine|same machine)\b)/is,
    remedy:
      'write `Listen 80` where a Listen line has 127.0.0.1, open the port in the firewall (`firewall-cmd --permanent --add-service=http && firewall-cmd --reload`, `ufw allow "Apache Full"`, Windows: a rule for httpd.exe), and, if the answer is a 403, `Require ip NETWORK` or `Require all granted` in place of `Require local` for what others may see (XAMPP, WAMP: httpd-xampp.conf, httpd-vhosts.conf)',
  },
  {
    pattern:
      /\b(?:apache2ctl|apache2)\b['"`:]? (?:: )?(?:command )?(?:not found|does not exist|is missing)|\bunable to run the command: apache2ctl\b/is,
    remedy:
      'call it `apachectl` (the program itself: httpd) on RHEL, Fedora, Arch, macOS and the like: apache2ctl and apache2 are names of Debian and SUSE. certbot takes `--apache-ctl apachectl`, or is to be installed from the packages of this system',
  },
  {
    pattern:
      /\b(?:httpd|apachectl)\b['"`:]? (?:: )?(?:command )?(?:not found|does not exist|is missing)|\bUnit httpd(?:\.service)? (?:could not be |not )found/is,
    remedy:
      'call it `apache2ctl` and `systemctl restart apache2` on Debian and Ubuntu, as root, where the package is called apache2; on RHEL and Fedora install httpd. What you have built yourself is in its own directory (/usr/local/apache2/bin)',
  },
  {
    pattern:
      /^(?=.*\b(?:both|and|together|combin\w*|AND)\b).*\b(?:require|verify|check)\b.*\b(?:claim|ldap-group|ldap-filter|group|valid-user|ip)\b.*\b(?:AND|both|all of|and also|as well)\b/s,
    rule: 'order-allow-deny',
    remedy:
      'put the Require lines that must all hold into <RequireAll> and </RequireAll>: side by side one of them is enough for 2.4, and Satisfy does not combine them. What is enough by itself goes into <RequireAny> within',
  },
];
