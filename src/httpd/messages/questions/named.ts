import type { MessageShape } from '../shape';
import { PORT_TAKEN } from '../start';

/** What people ask of one thing that they name: a system, a release, a directive or a program. */
export const NAMED_QUESTIONS: readonly MessageShape[] = [
  {
    pattern:
      /^(?!.*\binvalid command\b)(?=.*(?:\bmod_(?:disk_)?cache\w*|\bCacheEnable\b)).*(?:\bnot (?:be(?:ing)? )?cach\w*|\bdoes not work\b|\bno effect\b|\bMISS\b|\bignored\b)/is,
    rule: 'load-module',
    remedy:
      'load mod_cache_disk, the new name of mod_disk_cache (Debian: a2enmod cache_disk), and write `CacheEnable disk /` with CacheRoot. `CacheDetailHeader on` says in each answer why it is not kept: it needs Expires, max-age, ETag or Last-Modified, and no private or no-store',
  },
  {
    pattern:
      /^(?!.*\b(?:cannot load|prox(?:y|ied)|ProxyPass\w*|backend|upstream|ajp|fcgi|fpm|50[0234]|htaccess|ldap\w*|database|mysql)\b).*(?:\bconnect\w* (?:\w+ )?(?:refused|timed? ?out)\b|\brefused to connect\b|\b(?:can.?t|cannot) be reached\b|\bno route to host\b|\bfirewalld?\b|\biptables\b)/is,
    remedy:
      'see that httpd runs and listens (`ss -ltnp`; Windows: `netstat -ano`): where it does not, `apachectl configtest` says why. Where it answers on this machine alone, open the ports: `firewall-cmd --permanent --add-service=http --add-service=https && firewall-cmd --reload` (since RHEL 7, in place of the rules of iptables), `ufw allow "Apache Full"`; or a Listen line has 127.0.0.1',
  },
  {
    pattern: /\bpiped (?:\w+ ?)?logs?\b|\b(?:Custom|Error|Transfer)Log[ \t]+["']?\|/i,
    rule: 'piped-log',
    remedy:
      'write `|$` in front of the command (`CustomLog "|$COMMAND" combined`): 2.4 starts it without a shell, so that redirections, variables and pipes in it do nothing. One that needs none of them has its whole path there',
  },
  {
    pattern:
      /\bother_vhosts_access\b|^(?!.*\b40[134]\b).*\baccess[._ ]?logs?\b.{0,30}\b(?:empty|nothing)\b/is,
    remedy:
      'write `CustomLog logs/NAME_access combined` into the <VirtualHost> (Debian: `${APACHE_LOG_DIR}/NAME.log`): one without takes that of the main server (Debian: other_vhosts_access.log), and one that has its own writes to no other',
  },
  {
    pattern:
      /^(?!.*\b(?:mac\w*|os ?x|yosemite|el capitan|sierra)\b)(?=.*(?:\buser ?dirs?\b|\bpublic_html\b|~\w))(?=.*\bphp).*\b(?:downloads?|source|plain ?text|not executed)\b/is,
    rule: 'handler-without-module',
    remedy:
      'put a # before each line of the block <IfModule mod_userdir.c> in mods-available/phpX.Y.conf: Debian and Ubuntu write `php_admin_flag engine Off` there for /home/*/public_html. If PHP runs nowhere else either, `httpd -M` shows whether it is loaded at all',
  },
  {
    pattern:
      /^(?=.*\bfile not found\b).*(?:\bphp|\bfpm\b|fcgi|\bProxyPassMatch\b|\bDirectoryIndex\b|\bautoindex\b)|^(?=.*\bProxyPassMatch\b)(?!.*\b50\d\b)(?:.*\bdirectory ?index\b|(?=.*\b(?:fcgi|fpm)\b).*\b(?:404|does not work|(?:mod_)?rewrit\w+|htaccess)\b)/is,
    remedy:
      'write SetHandler "proxy:unix:/run/php/php-fpm.sock|fcgi://localhost" (or proxy:fcgi://127.0.0.1:9000) into `<FilesMatch "\\.php$">` in place of ProxyPassMatch: PHP-FPM has no file at the path that it is given. ProxyPassMatch hands it each name of DirectoryIndex, whether the file is there or not',
  },
  {
    pattern: /^(?!.*#(?:el)?if\b).*\ban error occurred while processing this directive\b/is,
    rule: 'ssi-expr',
    remedy:
      'look into the error log: "Could not parse expr" is a condition of 2.2 (`SSILegacyExprParser on` reads it), "unable to include" a path that is refused or missing; #exec needs `Options +Includes`, which IncludesNOEXEC takes away',
  },
  {
    pattern:
      /^(?!.*\b(?:nginx|docker)\b).*(?:\bbind\b.{0,20}\bports?\b|\bports? \d+\b.{0,20}\b(?:already|in use|taken)\b)/is,
    rule: 'listen-twice',
    remedy: PORT_TAKEN,
  },
  {
    pattern:
      /^(?=.*\/etc\/httpd\/sites-)|^(?=.*(?:httpd\/conf\.d\b|\b(?:centos|rhel|red ?hat|fedora|rocky|alma\w*)\b.*\bconf\.d\b))(?=.*\.conf\b).*\b(?:ignored|wrong|expect\w*|ends? (?:in|with)|ending|suffix|extension)\b/is,
    remedy:
      'give the file a name that ends in .conf (`mv NAME NAME.conf` in /etc/httpd/conf.d), and see that httpd.conf has `IncludeOptional conf.d/*.conf` (for a directory of your own `IncludeOptional sites-enabled/*.conf`), without which nothing of it is read: it takes these names alone; `httpd -S` shows which virtual hosts it has read',
  },
  {
    pattern:
      /\b(?:mod_)?x-?send-?file\b(?!.*\b(?:invalid|cannot load|undefined)\b).*\b(?:0 ?k?b|empty|zero|404|not found)\b/is,
    remedy:
      'write `XSendFile On` and `XSendFilePath DIRECTORY` for the directory of the files: mod_xsendfile sends none that lies outside of that of the program, where no such line names it',
  },
  {
    pattern:
      /^(?=.*\b(?:centos|rhel|red ?hat|fedora|alma|rocky|systemd))(?=.*\b(?:fails? to start|does not start|stops)\b).*\b(?:(?:no|without) (?:\w+ ){0,3}errors?\b|graceful\w* shutdown|sigwinch)/is,
    remedy:
      'write `Include conf.modules.d/*.conf` into httpd.conf, or load mod_systemd: the units of RHEL 7 and later, and of Fedora, are of Type=notify, so that systemd ends an httpd which does not report by that module',
  },
  {
    pattern: /^(?=.*\b2\.4\.\d\b(?![.\d]))(?=.*\bphp).*\bSetHandler\b.*\bproxy:/is,
    remedy:
      'write `ProxyPassMatch ^/(.*\\.php)$ fcgi://127.0.0.1:9000/DOCUMENTROOT/$1` in place of it, or update httpd: SetHandler takes "proxy:…" since 2.4.10',
  },
  {
    pattern: /\bphp\dapache2_4\.dll\b.*\b(?:not exist|missing|no such)\b|\bphp\S*[ -]?nts\b/is,
    remedy:
      'take the thread-safe package (TS) of PHP for Windows, which has php5apache2_4.dll (php7…, php8…) for httpd: the other one (NTS) has none',
  },
  {
    pattern: /\b(?:where is|not find|no|missing|lacks?) (?:the |an? |any )?(?:apache'?s? )?httpd\.conf\b/i,
    remedy:
      'look into /etc/apache2 on Debian and Ubuntu: apache2.conf, ports.conf, sites-available, conf-available and mods-available have what httpd.conf has on RHEL (/etc/httpd/conf/httpd.conf). `httpd -V` (apache2ctl -V) names the file as SERVER_CONFIG_FILE',
  },
  {
    pattern:
      /\bfalls? back to http\b.*prefork\b|^(?!.*\bnginx\b)(?=.*\b(?:mod_)?http\/?2\b).*\b(?:does not work|broken|ignored|disabled|inactive|(?:not|n.t) (?:\w+ )?(?:enabled|active|supported|available|served)|http\/1\.1)\b/is,
    remedy:
      'load mod_http2, write `Protocols h2 http/1.1` (2.4.17 and later; h2c for http:), and run mpm_event or mpm_worker: since 2.4.27 mod_http2 does nothing with mpm_prefork, so that PHP moves to PHP-FPM (Debian: `a2dismod phpX.Y mpm_prefork && a2enmod mpm_event http2 proxy_fcgi`). Browsers ask for it by https alone, with OpenSSL 1.0.2 or later',
  },
  {
    pattern:
      /^(?=.*\b[mwx]amp\w*)(?!.*\b(?:invalid|denied|forbidden|403)\b)(?=.*\b(?:vhosts?|virtual ?hosts?|local domains?|document ?root)\b).*\b(?:does not work|ignored|no longer|(?:up|down)grad\w*|updat\w*|htdocs|dashboard)\b/is,
    remedy:
      'take the # away before `Include conf/extra/httpd-vhosts.conf` in httpd.conf (MAMP: /Applications/MAMP/conf/apache/httpd.conf), where an update has put a new file, and bring your <VirtualHost> sections over into the one that it reads; `httpd -S` shows which are read. Each needs `ServerName`, a line in the hosts file, and `Require all granted` or `Require local` in its <Directory>',
  },
  {
    pattern:
      /^(?=.*(?:\bhttpd-foreground\b|\bapache2-foreground\b|\bcontainers?\b.*\b(?:apache|httpd)|\b(?:apache|httpd)\w*\b.*\bcontainers?\b)).*\b(?:no (?:error|output|message|log)|without (?:an? |any )?(?:error|message|output)|log(?:s|file)? (?:is|are) empty|nothing in (?:the )?logs?)\b/is,
    remedy:
      'write `ErrorLog /proc/self/fd/2` into the server configuration and each virtual host, which sends the message to `docker logs`: it stands in the file of ErrorLog within the container now. `docker run --rm IMAGE httpd -e debug -t`, with the configuration mounted, prints what is refused',
  },
  {
    pattern:
      /\b(?:MaxRequestWorkers\b.*\b256\b|(?:MaxRequestWorkers|MaxClients)\b.*\b(?:ServerLimit|capped|limited to|(?:stays|still) (?:at|on))\b)/is,
    rule: 'max-clients',
    remedy:
      'raise ServerLimit beside MaxRequestWorkers (the new name of MaxClients), in the block of the MPM that runs (`httpd -V`; Debian: mods-available/mpm_*.conf), and stop and start httpd, as a reload does not change it: without the line it is 256 with prefork, and 16 processes of 25 threads, 400 in all, with event and worker',
  },
  {
    pattern:
      /^(?!.*\b(?:a2(?:en|dis)conf|AllowOverride)\b).*\bconf-available\b|cannot create regular file \W{0,3}\/etc\/httpd\/|\binstall-webconf\b|\bwith-httpd-conf\b|\bpoint(?:s|ing)? to (?:\/etc\/)?httpd\b.*\bapache2\b/is,
    rule: 'debian-layout',
    remedy:
      'put the file into /etc/apache2/conf-available under a name that ends in .conf, run `a2enconf NAME`, and reload: Debian and Ubuntu read what is in conf-enabled, where a2enconf makes the link, and have no /etc/httpd (for a `configure` or `make install` that asks: `--with-httpd-conf=/etc/apache2/conf-available`)',
  },
  {
    pattern: /<IfDefine\b/i,
    remedy:
      'write `Define NAME` (as `Define SSL`) above the <IfDefine NAME>, or take both lines of the block away: it is read only where httpd is started with -D NAME, and packages of 2.4 start it with none (Gentoo: APACHE2_OPTS, openSUSE: APACHE_SERVER_FLAGS)',
  },
  {
    pattern:
      /^(?=.*\b(?:mac ?os|os ?x|mojave|catalina|big sur|monterey|ventura|sonoma)\b).*\b(?:(?:foreign|unsigned|third[- ]party|external) (?:libraries|modules)|(?:not|n.t|no longer) (?:\w+ )?(?:signed|include\w* php|ship\w* php))\b/is,
    rule: 'third-party-module',
    remedy:
      "use httpd and PHP of Homebrew (`brew install httpd php`, `brew services start httpd`): Apple's httpd loads no module since macOS 10.14 that is not signed, and macOS 12 has no PHP of its own. Or run PHP by PHP-FPM and mod_proxy_fcgi with Apple's httpd",
  },
  {
    pattern:
      /^(?!.*(?:\b(?:403|forbidden|invalid|permission|denied|Options)\b|~\w)).*\b(?:yosemite|el capitan|sierra|mojave|catalina|big sur|monterey|ventura)\b/is,
    remedy:
      'take your lines over into /etc/apache2/httpd.conf again (LoadModule of php, userdir, rewrite, vhost_alias; `Include /private/etc/apache2/extra/httpd-vhosts.conf`): an update of macOS puts its own file there, and leaves the old one beside it (httpd.conf.pre-update, httpd.conf~previous); then `sudo apachectl configtest`',
  },
  {
    pattern: /\bumlaut|\bcharset\b(?!\.conf)|\bencoding\b.*\b(?:broken|wrong)\b/i,
    remedy:
      'write `AddDefaultCharset ISO-8859-1`, or what the pages are written in, or Off where they say it themselves (Debian: conf-available/charset.conf); of PHP pages it is default_charset in php.ini, which begins with UTF-8 since 5.6',
  },
  {
    pattern:
      /^(?=.*\b(?:suexec|fcgid|suphp)\b).*\b(?:as|under|user) (?:the user )?["'`]?(?:www-data|apache|nobody)\b/is,
    remedy:
      'see which handler runs the .php files: SuexecUserGroup counts for CGI and mod_fcgid alone. Switch off one for the whole server, which takes them first (Debian: `a2disconf phpX.Y-cgi phpX.Y-fpm`, `a2dismod phpX.Y`), and load mod_suexec (Debian: a2enmod suexec)',
  },
  {
    pattern: /\bJkMount\b.*\b(?:404|not found|ignored|does not work)/is,
    rule: 'third-party-module',
    remedy:
      'write JkMount into the <VirtualHost> that answers, or `JkMountCopy On`: it inherits none of the main server',
  },
  {
    pattern:
      /^(?=.*\b(?:500|internal server error)\b).*?\b(?<directive>Header|RequestHeader|Expires(?:Active|ByType|Default)|AddOutputFilterByType)\b/s,
    remedy: '',
  },
  {
    pattern: /\brewrite:trace\d|\brewrite ?log\b/i,
    rule: 'rewrite-log',
    remedy:
      'write `LogLevel warn rewrite:trace3` into the virtual host: its ErrorLog has what was in the RewriteLog, as [rewrite:trace3]',
  },
  {
    pattern: /^(?=.*\b(?:403|denied|forbidden)\b).*[^:\w]::1\b/is,
    rule: 'order-allow-deny',
    remedy: 'write `Require local`, or `Require ip ::1` beside 127.0.0.1: localhost is both',
  },
  {
    pattern:
      /^(?!.*\binvalid command\b)(?:.*\bProxyHTML(?:URLMap|Links|Extended|Interp)\b|.*\bmod_proxy_html\b.*\b(?:does not work|no effect|ignored|nothing|not (?:rewrit|chang)\w+)\b)/is,
    rule: 'third-party-module',
    remedy:
      'load mod_proxy_html and mod_xml2enc (Debian: a2enmod proxy_html xml2enc), write `ProxyHTMLEnable On` in place of `SetOutputFilter proxy-html`, and include proxy-html.conf, whose ProxyHTMLLinks lines say what is a link. What the backend compresses is not looked into: `RequestHeader unset Accept-Encoding`',
  },
  {
    pattern:
      /^(?!.*\b(?:uwsgi|s?cgi|fcgi|ajp|wss?|h2c?):)(?=.*\b(?:500|internal server error|does not work|no effect)\b).*\[(?:[A-Z]{1,3},){0,4}P(?:,[A-Z]{1,3}){0,4}\]/is,
    rule: 'load-module',
    remedy:
      'load mod_proxy and the module for the scheme of the URL (Debian: a2enmod proxy proxy_http, for others proxy_fcgi, proxy_ajp or proxy_wstunnel): the flag P hands the request to them, and the error log has AH01144 where one is missing. https: needs `SSLProxyEngine on` as well; in a .htaccess the URL must begin with its scheme',
  },
  {
    pattern:
      /^(?!.*(?:n.t\b|\b(?:not|no|nobody|never|disabl\w*|without|prevent\w*|forbid\w*|stop\w*|den(?:y|ies|ied))\b))(?=.*\b(?:allow|enabl|permit|want|grant)\w* (?:\w+ ){0,2}anonymous\b)(?=.*\b(?:svn|subversion|commits?|checkouts?)\b).*\b(?:logins?|password|auth\w*|valid-user)\b/is,
    rule: 'order-allow-deny',
    remedy:
      'write `Require method GET HEAD OPTIONS PROPFIND REPORT` and `Require valid-user` side by side into the <Location>, without <LimitExcept> and `Satisfy Any`: one of them is enough, so that only who writes is asked for a password',
  },
  {
    pattern:
      /^(?=.*\/var\/www\b(?!\/(?!index\.)\w))(?!.*\/var\/www\/html\b).*\bdefault page\b(?! (?:never|not|no longer))|\bhtml (?:folder|director\w+)\b.{0,30}\bwww\b|\bwww\b.{0,30}\b(?:new )?html (?:folder|director\w+)\b/is,
    rule: 'debian-layout',
    remedy:
      "move the documents to /var/www/html, or write `DocumentRoot /var/www` into sites-available/000-default.conf: Debian's 2.4 has another DocumentRoot than 2.2. Where the site has a virtual host of its own, its file must be called NAME.conf (`a2ensite NAME`; `httpd -S` shows which one answers)",
  },
  {
    pattern:
      /^(?!.*\b(?:order|allow|deny|require)\b)(?=.*\b(?:403|forbidden|permission)\b).*(?:\blist of (?:the |all )?files|\bfiles (?:are|were|be) (?:\w+ )?listed\b|\bdirectory (?:listings?|index(?:es)?)\b|\+Indexes\b)/is,
    rule: 'options-unset',
    remedy:
      'write `Options +Indexes` and `Require all granted` for the directory whose files are to be listed, with mod_autoindex loaded: AH01276 in the error log means that no list may be made, AH01630 that the request is refused. For `/` itself RHEL takes Indexes away in conf.d/welcome.conf',
  },
  {
    pattern:
      /\b(?:prefork|worker|event)\.c\b.*\b(?:ignored|no effect|does not work|false|not (?:true|met)|defaults?)\b/is,
    rule: 'mpm-block-unread',
    remedy:
      'see which MPM runs (`httpd -V`): a block <IfModule prefork.c> or mpm_prefork_module is passed over where another one is loaded, or is loaded only below it. Write the sizes into the block of the one that runs (Debian: mods-available/mpm_event.conf), or load the other (`a2dismod mpm_event && a2enmod mpm_prefork`); MaxRequestWorkers is the new name of MaxClients',
  },
  {
    pattern: /\blb[ _]?method\b.{0,12}\b(?<word>by\w+|heartbeat)\b/is,
    rule: 'load-module',
    remedy:
      'load mod_lbmethod_$<word> (Debian: a2enmod lbmethod_$<word>), with mod_proxy_balancer and mod_slotmem_shm: in 2.4 each way to choose a backend is a module of its own',
  },
  {
    pattern:
      /\betag\b.*-gzip\b|-gzip\b.*\betag\b|^(?=.*(?:\b|_)(?:deflate|gzip|brotli)\b).*\b(?:304|If-None-Match|etags?)\b/is,
    remedy:
      'write `DeflateAlterETag NoChange` (2.4.58 and later), or `RequestHeader edit* If-None-Match -gzip ""` with mod_headers before that: mod_deflate of 2.4 puts -gzip behind the ETag of what it compresses, so that a browser which sends it back gets no 304',
  },
  {
    pattern:
      /\b(?:password|auth\w*)\b.*\b(?:except(?: for)?|but not|exclud\w+|exempt\w*|other than|apart from)\b.{0,30}\b(?:files?|urls?|paths?|director\w+|folders?|locations?|pages?|\w+\.php)\b|\b(?:exclud\w+|exempt\w*)\b.{0,30}\b(?:files?|urls?|paths?|director\w+|folders?|locations?|pages?)\b.{0,30}\b(?:password|auth\w*)\b/is,
    rule: 'order-allow-deny',
    remedy:
      'write a section for what is to be open within the protected one, with `Require all granted` and without AuthType: <Files "NAME"> in the <Directory> or .htaccess, or a <Location "/PATH"> of the server configuration, which is read later. Its Require lines count in place of `Require valid-user`. It replaces `Allow from all` with `Satisfy Any`',
  },
  {
    pattern: /^(?![^]*\bSetEnv\b)[^]*\bREDIRECT_(?:REMOTE_USER|HTTP_\w{1,40})\b/,
    remedy:
      'have the program read the variable with REDIRECT_ in front as well, or spare the step in between: httpd calls the variables of a request so after it has sent it on within, by a RewriteRule of a .htaccess or by Action (in the virtual host, and with SetHandler "proxy:…|fcgi://localhost", nothing is sent on)',
  },
  {
    pattern: /\brequire local\b.{0,60}\b(?:does not work|no effect|ignored|403|forbidden|denied)\b/is,
    rule: 'order-allow-deny',
    remedy:
      'write `Require ip ADDRESS` with the address that the log names for this client: local is 127.0.0.0/8, ::1 and a client with the address of the server itself, no other machine of the network. Through a container or a proxy another address arrives than that of the browser (mod_remoteip gives it)',
  },
  {
    pattern:
      /\bselinux\b|^(?=.*\b(?:apache|httpd|www-data|centos|rhel|fedora|php)\b).*\b(?:not writ(?:e)?able|write permissions?|(?:cannot|can.t|unable to) write)\b/is,
    remedy:
      'let the user that httpd runs as write in the directory (`chown -R apache DIR`; Debian: www-data), and with SELinux, which no chmod 777 helps against, give it the type for that: `semanage fcontext -a -t httpd_sys_rw_content_t "DIR(/.*)?"`, then `restorecon -R DIR` (httpd_sys_content_t where httpd only reads; `setsebool -P httpd_can_network_connect 1` for connections). `ausearch -m avc -ts recent` shows what it refused',
  },
  {
    pattern: /\bErrorDocument\b.{0,40}\b401\b/is,
    remedy:
      'give ErrorDocument 401 a path of this server (`ErrorDocument 401 /401.html`), no URL, and write `Require all granted` for this page: otherwise no browser asks for the password, or the page itself is refused. A module that sends everybody to a login of its own answers no 401 (mod_auth_openidc: `OIDCUnAuthAction 401`)',
  },
  {
    pattern:
      /^(?=.*\b(?:preflight|CORS)\b)(?=.*\b(?:OPTIONS|preflight)\b).*\b(?:401|password|auth\w*|login)\b/is,
    remedy:
      'write `Require method OPTIONS` beside `Require valid-user`, where one of the two is enough (no `Require ip` or `Require all denied` may stand beside them, which OPTIONS would pass): a browser asks with OPTIONS first, and without a password. The headers of the answer need `Header always set`',
  },
  {
    pattern:
      /^(?!.*\b500\b)(?=.*\b(?:Header (?:set|add|append|edit)|CORS|Access-Control-\w+)\b)(?=.*(?:\bnot?\b|n.t\b|\bmissing\b)).*\b(?:redirect\w*|30[12378]|40\d|errors?)\b/is,
    remedy:
      'write `Header always set NAME VALUE`: without always, mod_headers sets it where the request succeeds, not on redirects and errors of httpd itself. mod_headers must be loaded (Debian: a2enmod headers), and a .htaccess needs `AllowOverride FileInfo` for it',
  },
  {
    pattern:
      /^(?!.*\b(?:401|40[345]|50\d|OPTIONS|preflight|internal server error|invalid command)\b).*\bAccess-Control-Allow-Origin\b|\b(?:enabl\w*|allow\w*|set(?:ting)? ?up|add\w*|how)\b.*\bcors\b|\bcors\b.*\b(?:enabl\w*|htaccess|missing|blocked|does not work)\b/is,
    remedy:
      'load mod_headers (Debian: a2enmod headers), and write `Header always set Access-Control-Allow-Origin "https://PAGE"` for the directory or, with `AllowOverride FileInfo`, into its .htaccess: once, so take it out where the program sends it, too. A request with a password or a header of its own is asked for by OPTIONS first, which must be answered with 200 or 204 and Access-Control-Allow-Headers and -Methods',
  },
  {
    pattern: /\bonlineoffline\b|^(?=.*\bwamp).*\b(?:403|forbidden)\b/is,
    rule: 'order-allow-deny',
    remedy:
      'write `Require ip NETWORK` for those who may see it beside `Require local` (for this machine alone), below "onlineoffline tag" in httpd.conf and in the <Directory> of httpd-vhosts.conf, which counts in WampServer 3; `Require all granted` lets everybody in. The files in alias/ have lines of their own: put Require lines in place of Order, Allow and Deny there',
  },
  {
    pattern:
      /^(?!.*\bproxy)(?=.*\btrailing slash|.*\bslash\b.{0,20}\b(?:added|appended)\b|.*\bDirectorySlash\b).*\b(?:redirect\w*|30[1278]|rewrit\w*)\b/is,
    remedy:
      'write `DirectorySlash Off`, with `Options -Indexes` beside it, where RewriteRule lines or a program answer a name that is a directory as well: mod_dir sends such a name without a slash to the one with it, in 2.2 too. Where the redirect goes to http: or another port, write `ServerName https://NAME`',
  },
  {
    pattern: /\bREMOTE_USER\b.*\b(?:empty|rewrite\w*)/is,
    remedy:
      'write `%{LA-U:REMOTE_USER}` in RewriteCond: in a virtual host, rules run before the user is known',
  },
  {
    pattern: /\binternal dummy connection\b|"-" 408\b|\b408 -/i,
    remedy:
      'nothing: httpd wakes its own processes so, and a 408 is a connection that sent nothing in time (RequestReadTimeout)',
  },
  {
    pattern:
      /^(?=.*\bshib)(?!.*\b(?:undefined symbol|cannot load)).*(?:\b(?:40[13]|50\d|unauthorized|forbidden|does not work)\b|\brequire (?:user|group|valid-user|shib\w*)\b|\bShibRequire\w+)/is,
    rule: 'third-party-module',
    remedy:
      'write `AuthType shibboleth`, `ShibRequestSetting requireSession 1` (for ShibRequireSession On) and `Require shib-session`, `Require shib-user NAME` or `Require shib-attr ATTRIBUTE VALUE`, in the build of mod_shib for 2.4: NAME is all of REMOTE_USER, mostly user@domain. `Require valid-user` and `user` mean it only without `ShibCompatValidUser On`',
  },
];
