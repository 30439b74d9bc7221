import type { MessageShape } from '../shape';

/** What becomes of the access lines of 2.2. */
export const ACCESS_LINES =
  'write `Require all granted` for `Order allow,deny` with `Allow from all`, `Require all denied` for `Order deny,allow` with `Deny from all`, `Require ip ADDRESS`, `Require host NAME` or, for env=NAME, `Require env NAME` for `Allow from` after `Deny from all`, and for `Deny from ADDRESS` <RequireAll> with `Require all granted` and `Require not ip ADDRESS`. Beside `Require valid-user` without `Satisfy Any` both must hold: <RequireAll> around them. httpd-codemod does it for the whole tree, which is needed: old and new lines do not mix';

/** What people see in a browser, or of the system, where they name nothing of httpd. */
export const SYMPTOMS: readonly MessageShape[] = [
  {
    pattern:
      /\boutside (?:of )?(?:the )?\/var\/www\b|^(?=.*\bdocument ?root\b).*\b(?:403|forbidden|permi(?:t|ssion)|not allow|access denied|denied)/is,
    rule: 'order-allow-deny',
    remedy:
      'write `Require all granted` into a <Directory> of the DocumentRoot, in place of its Order and Allow lines: the server configuration refuses all of `/` and grants /var/www alone (Debian: and /usr/share). What runs as httpd must be able to enter each directory on the way (`namei -l PATH`); SELinux wants the type httpd_sys_content_t',
  },
  {
    pattern:
      /^(?!.*\balias\b)(?=.*(?:\breverse[ -]?proxy|\bProxyPass|<Proxy\b|\bproxied\b)).*\b(?:403|forbidden|access (?:is )?denied|client denied)\b/is,
    rule: 'order-allow-deny',
    remedy:
      'write `Require all granted`, or whom it is for, into the <Proxy> or <Location> that covers the URL, in place of its Order, Allow and Deny lines: no <Directory> grants what is no file. If the error log has no AH01630 or AH01797 for the request, the backend itself has refused it, mostly for another Host (`ProxyPreserveHost On`)',
  },
  {
    pattern:
      /^(?=.*\b(?:Options?|MultiViews|FollowSymLinks|followsymlinks)\b).*\b(?:500|internal server error)\b/s,
    rule: 'allow-override-unset',
    remedy:
      'write `AllowOverride Options` (or All, which MultiViews needs) into the <Directory> of the documents, or take the Options line out of the .htaccess: "Options not allowed here" in the error log means this. Where a host lets no FollowSymLinks in, SymLinksIfOwnerMatch in its place does for RewriteRule. "Either all Options must start with + or -" there means a mixture, as `Options -Indexes FollowSymLinks`: give every word a sign',
  },
  {
    // A .htaccess that answers 500 where it is to refuse has a word that 2.4 does not know.
    pattern:
      /^(?!(?=.*\bhtaccess\b).*\b(?:500|internal server error)\b).*(?:\b403\b|\bforbidden\b|permission to access|\bno permissions?\b|access (?:is )?denied|client denied)/is,
    rule: 'order-allow-deny',
    remedy:
      'write `Require all granted`, or whom the directory is for (`Require ip 192.168.0.0/16`), into its <Directory> or .htaccess (one of a directory above refuses as well), in place of Order, Allow and Deny: 2.4 refuses what no Require line grants below `<Directory /> Require all denied` (in the error log AH01630 or AH01797). The log tells other causes: AH00035, the user that httpd runs as cannot enter a directory on the way; AH01276, no index file (DocumentRoot must name the directory that has it, often public); AH00037, a symbolic link',
  },
  {
    pattern:
      /^(?!.*(?:\b(?:centos|rhel|red ?hat|fedora|rocky|alma\w*|suse|opensuse)\b|\/etc\/httpd\b)).*(?<!httpd\/)\bconf\.d\b|^(?=.*\b(?:jessie|trusty)\b)(?=.*\bconfig).*\bignored\b|\bapache2\/httpd\.conf\b|\bhttpd\.conf\b.*\b(?:ignored|gone|missing|anymore|any more|disappeared)/is,
    rule: 'debian-layout',
    remedy:
      "move each file of conf.d, and what httpd.conf had, to /etc/apache2/conf-available/NAME.conf and run `a2enconf NAME`: Debian's 2.4 reads conf-enabled/*.conf alone, and of sites-enabled only what ends in .conf (`httpd-codemod --format sh` prints these commands). RHEL still reads conf.d/*.conf",
  },
  {
    pattern:
      /^(?!.*\b(?:[mwx]amp\w*|windows|expire[ds]?|mac\w*|os ?x)\b).*(?:\bit works(?:!|["'`]| page| message|$)|\b000-default\b|\ba2(?:en|dis)(?:site|conf)\b|default (?:page|site|vhost|host)\b(?!.*\bdoes not start\b)|\.conf (?:file ?(?:name)? )?(?:suffix|extension|ending)|\b(?:suffix|extension|end(?:s|ing)? (?:in|with)) ["'`]?\.conf\b|\b(?:only|just) one\b.{0,20}\b(?:sub-?)?(?:domains?|sites?) works?\b|\b(?:same|wrong|first) (?:site|page|content|domain|v(?:irtual[ -]?)?(?:host|server))|\b(?:sites?|v(?:irtual[ -]?)?hosts?)\b.{0,60}\b(?:gone|ignored|does not work|not (?:found|shown|enabled))|\b(?:ignored|does not work)\b.{0,40}\bv(?:irtual[ -]?)?hosts?\b|sites-(?:available|enabled))/is,
    rule: 'debian-layout',
    remedy:
      "give each file in /etc/apache2/sites-available a name that ends in .conf, and run `a2ensite NAME` for it again: Debian's 2.4 reads no other names (`httpd-codemod --format sh` prints these commands). A name that no ServerName or ServerAlias has gets the first file: `httpd -S` shows which answers, and `a2dissite 000-default` takes the default one out",
  },
  {
    pattern:
      /\bmod_php\d?\b.{0,40}\bmpm[ _-]?(?:event|worker)\b|\bmod::(?:event|worker|prefork)\b|\bmpm[ _-]?(?:event|worker|prefork)\b.{0,120}\b(?:disabl|enabl|switch|chang|replac|activat|reset|configured with|suit|conflict|crash|segfault|thread-?safe)\w*|\b(?:disabl|enabl|switch|chang|replac|activat|reset|configured with|suit|conflict|crash|segfault|thread-?safe)\w*.{0,120}\bmpm[ _-]?(?:event|worker|prefork)\b/is,
    remedy:
      "remove the package of mod_php (Debian: libapache2-mod-php…), which needs mpm_prefork, and run PHP by PHP-FPM (`a2enmod proxy_fcgi setenvif && a2enconf php8.2-fpm`). Then `a2dismod mpm_prefork && a2enmod mpm_event`, and restart; `httpd -V` shows which MPM runs. To keep mod_php: `a2dismod mpm_event && a2enmod mpm_prefork` (Puppet: `mpm_module => 'prefork'`)",
  },
  {
    pattern: /\bmods-(?:enabled|available)\b/i,
    rule: 'load-module',
    remedy:
      "run `a2enmod NAME`, which links NAME.load and NAME.conf of mods-available into mods-enabled: Debian's 2.4 reads both endings there, and a2enmod takes a NAME.conf along only where it is called as NAME.load is. Packages of modules that are built for 2.4 have both under names of their own; rename or merge an old file",
  },
  {
    pattern:
      /^(?!.*\b(?:acme-challenge|certbot|let'?s ?encrypt)\b).*(?:\b401\b|\bunauthorized\b|authori[sz]ation required|\b(?:asks?|prompts?|asking|prompting)\b.*\bpassword\b|\bbasic auth\w*\b)/is,
    rule: 'order-allow-deny',
    remedy:
      'look into the error log, which says why: AH01617, a wrong password or a hash that this system does not know (`htpasswd -B` makes a new one); AH01618, the user is not in the file of AuthUserFile; AH01620 (a 500), this file is not found: write its whole path, which counts from ServerRoot otherwise; AH01631, no Require line admits the user; AH01796 or AH00025, a module is missing (Debian: a2enmod auth_basic authn_file authz_user). Where an address alone was enough (`Satisfy Any`), `Require ip` stands beside `Require valid-user`',
  },
  {
    pattern: /^(?=.*\b(?:mod_)?rewrite).*\b(?:500|internal server error)\b/is,
    rule: 'rewrite-in-alias',
    remedy:
      'look into the error log: AH00124 means a loop, as `RewriteRule ^.*$ index.php` matches index.php itself: put `RewriteCond %{REQUEST_FILENAME} !-f` before it, or write [END] in place of [L]. "Invalid command \'RewriteEngine\'" means that mod_rewrite is not loaded (Debian: a2enmod rewrite); "not allowed here", that AllowOverride lacks FileInfo. `httpd-codemod why LOGFILE` explains its lines',
  },
  {
    pattern: /\b500\b|internal server error/is,
    rule: 'order-allow-deny',
    remedy:
      'look into the error log, which names the .htaccess and the word in it that 2.4 refuses, mostly: Order, Allow, Deny and Satisfy without mod_access_compat (convert them), php_value and php_flag without mod_php (move them to .user.ini), a mixture as `Options -Indexes FollowSymLinks`, a line that AllowOverride does not let in (`AllowOverride Options` for Options, FileInfo for RewriteRule), Header, Expires… or Rewrite… without their modules (`a2enmod headers expires rewrite`), or the old form of FilterProvider. `httpd-codemod why LOGFILE` explains its lines',
  },
  {
    pattern:
      /(?:\b404\b|\bnot found\b|\bdoes not work\b|\bgone\b|\bignored\b)[^]*(?:\/?\b(?:php(?:my|pg)admin|nagios\d?|munin|roundcube|cacti|zabbix|squirrelmail|icinga\d?|awstats|ganglia|mailman|mythweb|zoneminder)\b)|(?:\/?\b(?:php(?:my|pg)admin|nagios\d?|munin|roundcube|cacti|zabbix|squirrelmail|icinga\d?|awstats|ganglia|mailman|mythweb|zoneminder)\b)[^]*(?:\b404\b|\bnot found\b|\bdoes not work\b|\bgone\b|\bignored\b)/i,
    rule: 'debian-layout',
    remedy:
      "run `a2enconf NAME`, where conf-available has no NAME.conf after `ln -s /etc/NAME/apache.conf /etc/apache2/conf-available/NAME.conf` (phpmyadmin, nagios3, munin, …): the package's Alias lines came by conf.d, which Debian's 2.4 does not read. Elsewhere see that the file of the package in conf.d ends in .conf",
  },
  {
    pattern:
      /\b404\b|\bdocument ?root\b.*\/var\/www\/html|(?<!\bconfig(?:uration)? )\b(?:url|page|path|link|file|site|image|permalink)s?\b.*\bnot found\b|^not found\b/is,
    remedy:
      "see which virtual host answers (`httpd -S`). If it is not the one that is meant, its file is not read: of sites-enabled Debian's 2.4 reads only what ends in .conf (rename it, and run a2ensite again), and of conf.d nothing. Else look at DocumentRoot and Alias: packages of 2.4 moved the documents (Debian: /var/www to /var/www/html). If the page comes by RewriteRule lines of a .htaccess, they need `AllowOverride FileInfo` and mod_rewrite",
  },
  {
    pattern: /\b400\b|\bbad request\b/is,
    rule: 'request-header-underscore',
    remedy:
      'look into the error log, which says what is wrong with the request: since 2.4.25 httpd refuses what the standard forbids (a blank in a header, a line that ends in LF alone). For an old client of your own write `HttpProtocolOptions Unsafe`; where a name of a host has an underscore, give it one without',
  },
  {
    pattern:
      /^(?=.*\bupload).*\b(?:(?:mod_)?reqtimeout|reset|aborted|interrupted|breaks? off|cut off|after (?:a few|some|\d+) ?s(?:ec\w*)?)\b/is,
    rule: 'request-read-timeout-unset',
    remedy:
      'write `RequestReadTimeout body=0` (AH01382 in the error log): mod_reqtimeout breaks off a body that takes longer than 20 s and comes slower than 500 bytes a second; 2.4.39 broke off each after 20 s, so update that one. 2.2 waited as long as Timeout says',
  },
  {
    pattern:
      /^(?!(?!.*\btoo large\b).*\bupload_max_filesize\b)(?:.*(?:\b413\b|\b(?:request )?(?:entity )?too large\b|\bupload\w*\b.*\b(?:fail\w*|large|big|limit|does not work)))/is,
    rule: 'limit-request-body-unset',
    remedy:
      'write `LimitRequestBody 0` (or the size in bytes) for the path of the upload: since 2.4.54 it begins with 1 GiB, where 2.2 had no limit. A smaller upload meets FcgidMaxRequestLen, SSLRenegBufferSize or the limits of PHP: the error log says which',
  },
  {
    pattern: /\b504\b|gateway time-?out|\btime(?:s|d)? ?out\b/is,
    rule: 'timeout-unset',
    remedy:
      'write `Timeout 300` (for backends ProxyTimeout, or timeout= of ProxyPass): without a line 2.4 waits 60 s where 2.2 waited 300 s',
  },
  {
    pattern: /\b50[23]\b|bad gateway|service unavailable/is,
    remedy:
      'look into the error log: the backend that a proxy asks does not answer. Start it (PHP-FPM, Tomcat, the program), correct the address or socket, and with SELinux `setsebool -P httpd_can_network_connect 1`',
  },
  {
    pattern:
      /\b(?:slow(?:er|ly)?|performance|response times?|load average|(?:high|100 ?%) (?:cpu|load|memory))\b|\b(?:cpu|load|memory)\b.{0,20}\bhigh\b/is,
    remedy:
      'see which MPM runs (`httpd -V`), and write the sizes for that one (Debian: mods-available/mpm_NAME.conf): another package may bring another. AH00484 and AH00161 in the error log mean that MaxRequestWorkers is reached; `HostnameLookups Off` and `Require ip` in place of names save look-ups',
  },
  {
    pattern: /\bApache shutdown unexpectedly\b|due to a blocked port, missing dependencies/is,
    remedy:
      'open a command prompt and run `C:\\xampp\\apache\\bin\\httpd.exe -t`, and read the end of C:\\xampp\\apache\\logs\\error.log: they name the line that 2.4 does not take, or the port that another program holds (`netstat -ano | findstr :80`, and :443: IIS, Skype, VMware). Give what they say: httpd-codemod why explains it',
  },
  {
    pattern: /\b(?:blank|white|empty) (?:white |blank )?(?:pages?|screens?)\b/i,
    remedy:
      'look into the error log, and that of PHP-FPM: a program that breaks off shows nothing, as an old script under a newer PHP (`display_errors = On` in php.ini shows why). Where PHP is not run at all, the source of the page has its text',
  },
  {
    pattern: /\bVCRUNTIME\d+\.dll\b|\bMSVC[PR]\d+\.dll\b|\bside-by-side configuration is incorrect\b/i,
    remedy:
      'install the Visual C++ runtime (vc_redist) of the release and bits, x64 or x86, for which this httpd is built, as its download page says: VCRUNTIME140.dll is of 2015 to 2022, MSVCR110.dll of 2012, MSVCR90.dll of 2008',
  },
  {
    pattern: /\bdoes not start\b|\bservice terminated with\b/is,
    general: true,
    remedy:
      'run `apachectl configtest` (Debian: apache2ctl; Windows: `httpd -t`), which names the file, the line and the word that 2.4 does not take; where it says "Syntax OK", look at the end of the error log and `journalctl -u apache2` (httpd on RHEL). Give what they say: httpd-codemod why explains it',
  },
  {
    pattern:
      /\b(?:deny|allow|block|restrict|protect|limit|permit|ban|reject|blacklist|whitelist|except)\w*\b.{0,60}(?:\b(?:access|ips?|addresses|hosts?|files?|director\w+|folders?|subnets?|networks?)\b| \/\w|\d\.\d)/is,
    rule: 'order-allow-deny',
    remedy:
      'write `Require all denied` for nobody, `Require ip ADDRESS` or `Require host NAME` for some, and <RequireAll> with `Require all granted` and `Require not ip ADDRESS` for all but some, into the <Directory> or .htaccess; for single files into <Files "NAME"> within, whose lines count in place of those of the directory (`Require all granted` in <Files "index.php"> leaves that one open). A .htaccess needs `AllowOverride AuthConfig`',
  },
  {
    pattern:
      /^(?!.*\b(?:modules?|authenticat\w*|mod_(?!a(?:ccess|uthz))\w+)\b)(?:(?=.*\bhtaccess\b)(?=.*\b(?:upgrad|updat|chang)).*\bv?2\.4\b|.*?(?:\b(?:support\w*|(?:in)?compatib\w*|syntax|works? (?:with|on|under)|adapt\w*|convert\w*|migrat\w*|deprecated)\b.*\b(?:apache|httpd)?(?:2|24)?\W*2\.4\b|\b2\.4\b.*\b(?:support\w*|(?:in)?compatib\w*|syntax|directives?|changes|deprecated)\b))/is,
    rule: 'order-allow-deny',
    general: true,
    remedy: ACCESS_LINES,
  },
];
