import { type GivenLines, givenLines } from './given-lines';
import { HOST_LINES } from './hosts';
import { REWRITE_LINES } from './rewriting';
import { misnamedModule, openBesideUser, openedLater, openProxy, SECTION_LINES } from './sections';
import { ALWAYS, type Finder, listed } from './finder';

/** What lines of a configuration have in common that are wrong by themselves: what to write, and why. */
type TellingLine = readonly [pattern: RegExp, remedy: string, about?: RegExp];

/** What says that lines do not do what they should. */
const IS_MISSED =
  /\b(?:not|n.t|never|no|none|nothing|ignor\w*|fail\w*|wrong|broken|without|still|only|why|problem|issue|errors?|loops?|instead|missing|40[045]|50\d|every ?(?:thing|one|body)|stopp?(?:s|ed)?|any ?(?:one|body)|how|should|want|trying|need)\b/i;

/** What other lines decide. */
const IS_REFUSAL = /\b(?:40[13]|forbidden|unauthorized|client denied)\b/i;

const WRONG_SITE =
  /\b(?:default|wrong|other|another|same|first|main) (?:\w+ ){0,2}(?:site|page|host|domain|director\w+|content|folder|website|one)\b|\bv(?:irtual)?[ -]?hosts?\b|\balias|\bwww\b|\b404\b|\bsubdomains?\b/i;

/** Lines that httpd refuses: it does not start, or answers 500 where they stand in a .htaccess. */
const REFUSED: readonly TellingLine[] = [
  [/^Require (?:all|granted|denied|all (?:grant|granting|allow|allowed|deny|denie|from|yes)|(?:from|granted|denied) all)$/im,
    'write both words in one line, `Require all granted` (or denied)'],
  [/^Order (?:deny|allow)(?: ?, | , ?| )(?:deny|allow)\b/im,
    'write no blank beside the comma of `Order deny,allow`, which takes one word (both versions answer 500 in a .htaccess), or for 2.4 the Require lines that httpd-codemod makes of it'],
  [/^(?:Allow|Deny) (?:all|env=\S+|\d+\.[\d./]+)$/im,
    'write `from` behind Allow and Deny (`Deny from all`), or for 2.4 the Require line (`Require all denied`): httpd refuses the line without it'],
  [/^Require valid(?:[ _]users?|-users|users?)$/im,
    'write `Require valid-user`, with the hyphen and without an s: any other word is an unknown provider, and httpd refuses the line'],
  [/^Require (?:not )?ip (?:\S+ )*\d[\d.]*\.\*/im,
    'write the first numbers alone (`Require ip 192.168.1`), or a network (`192.168.1.0/24`): Require ip knows no `*`, and httpd refuses the line'],
  [/^Require (?:not )?ip (?:\S+ )*(?:localhost|(?:[a-z][\w-]*\.)+(?:com|net|org|edu|gov|io|info|local|lan|de|fr|uk|nl|it|es|ch|at|eu|us))(?: |$)/im,
    'write `Require host NAME`, or `Require forward-dns NAME` (2.4.19) for one whose address changes, and `Require local` for this machine: `Require ip` takes addresses alone, and httpd refuses a name'],
  [/(?<![^])(?=[^]*^AuthType\b)[^]*^AuthName (?!["'])\S+ \S/im,
    'put the words of AuthName into quotation marks (`AuthName "Restricted area"`): it takes one argument, and httpd refuses the line'],
  [/^ServerName (?:[\w*-]+\.)+[\w:]+ (?:[\w*-]+\.)+\w/im,
    'write one name into ServerName, and the others into `ServerAlias NAME NAME`: ServerName takes one argument, and httpd refuses more'],
  [/^ServerName ["']?\S*\*/im,
    'write a plain name into ServerName, and the one with a `*` into ServerAlias: ServerName knows no patterns, and 2.4 refuses the line'],
  [/^Options (?:(?!All|None)[A-Z]\w+ (?:\S+ )*[+-][A-Z]|[+-]\w+ (?:\S+ )*[A-Z])/im,
    'give every word of Options a sign, which changes what the directory inherits (`Options +ExecCGI -Indexes`), or none, which sets these and no other: 2.4 refuses a mixture'],
  [/^Options (?:\S+ )*[+-]?(?:FollowSymLink|FollowSymbolicLinks?|SymLinks?|Index|MultiView|Include|ExecCGIs|DirectoryListing)(?: |$)/im,
    'write the words of Options as httpd knows them (Indexes, FollowSymLinks, SymLinksIfOwnerMatch, MultiViews, Includes, ExecCGI, All, None): each other one is an illegal option, and it refuses the line'],
  [/^AllowOverride (?:on|off|yes|no|true|false|granted|allow|enabled?)$/im,
    'write `AllowOverride All`, None, or the classes that a .htaccess may use (AuthConfig, FileInfo, Indexes, Limit, Options): httpd refuses other words'],
  [/^php_(?:admin_)?value \w[\w.]* ?= ?\S/im,
    'write the line without the `=` (`php_value memory_limit 128M`): that sign is of php.ini, and php_value takes a name and a value'],
  [/^php_(?:admin_)?value [\w.]+ \d+ [KMG]B?$/im,
    'write the value as one word (`php_value upload_max_filesize 20M`): php_value takes two arguments, and httpd refuses more'],
  [/^php_(?:admin_)?value [\w.]+ ["']?\d+[KMG]B\b/im,
    'write K, M or G without the B (`php_value upload_max_filesize 20M`): PHP reads the last letter alone, so that 20MB are 20 bytes'],
  [/^(?:Request)?Header (?:always |onsuccess )?(?:set|append|add|merge|setifempty) [\w-]+:? (?!["']|expr=)(?:\S+[;,]|[\w-]+=\S*|[\w-]+(?= ["'])) (?!["']?(?:env=|expr=|early\b))\S/im,
    'put the value into quotation marks (`Header always set Strict-Transport-Security "max-age=31536000; includeSubDomains"`): what stands behind the first blank of it is read as a condition, and httpd refuses the line'],
  [/^Redirect(?:Match)? ["']?\^?\/\S* ["']?(?:https?:\/\/|\/)\S+ \[?(?:R=?)?30[1278]\b/im,
    'write the status in front (`Redirect 301 /old https://example.com/new`): Redirect takes it as its first word, and has no flags in brackets; httpd refuses the line'],
  [/^Redirect (?:(?:permanent|temp|seeother|30\d) )?["']?\/\S* ["']?(?:www\.|[\w-]+\.(?:html?|php|com|org|net)\b)/im,
    'write the whole URL as the target (`Redirect 301 /old https://www.example.com/new`), or a path that begins with a slash: httpd refuses anything else ("Redirect to non-URL")'],
  [/^RewriteRule [^\n]*\[(?:[^\]\n]*,)?R30\d[,\]]/im,
    'write the flag as `[R=301]`: R301 is a flag that mod_rewrite does not know, and it refuses the rule'],
  [/^(?:(?:RewriteRule|<(?:Files|Directory|Location)Match|AliasMatch|ScriptAliasMatch|ProxyPassMatch|RedirectMatch(?: (?:30\d|permanent))?|RewriteCond %\{\w+\}) ["']?!?|SetEnvIf(?:NoCase)? \w+ ["']?)[*+](?!$)/im,
    'write `.*` in place of the `*` at the begin of the pattern (for names that end in .php `\\.php$`): it is a regular expression, where a `*` repeats what stands before it, and httpd refuses one that begins with it'],
  [/^<(?:Directory|Files|Location) (?![~<])(?:"[^"\n]*"|'[^'\n]*'|[^\s"'>]+) [^\s>]/im,
    'write one section for each path, or one of a pattern (`<FilesMatch "\\.(php|inc)$">`): <Directory>, <Files> and <Location> take one argument, and httpd refuses more'],
  [/^<(?:If|ElseIf) (?!["'])[^\s>]+ [^\n]*>|^<(?:If|ElseIf) "[^"\n]*"(?! *>)[^\n]*>/im,
    'put the whole condition into quotation marks, and what is in it into the other kind (`<If "%{HTTP_HOST} == \'example.com\'">`): httpd reads one word of it, and refuses the half'],
  [/^ExpiresByType \S+ (?!["'])(?:access|modification|now) \S/im,
    'put the time into quotation marks (`ExpiresByType text/css "access plus 1 month"`): ExpiresByType takes two arguments, and httpd refuses more'],
  [/^CustomLog (?:"[^"\n|]+"|[^\s"|]+)$/im,
    'write the format behind the file (`CustomLog logs/access.log combined`): CustomLog takes two or three arguments, and httpd refuses one'],
  [/^(?:LimitRequest(?:Body|Line|FieldSize|Fields)|LimitXMLRequestBody|SSLRenegBufferSize) ["']?\d+ ?[KMG]B?\b/im,
    'write the number of bytes (`LimitRequestBody 104857600` for 100 MB): httpd knows no K or M there, and refuses the line or reads the digits alone'],
  [/^RewriteBase (?!\/|["'])\S/im,
    'write the path of the URL, with a slash in front (`RewriteBase /shop/`): httpd refuses anything else'],
  [/^ProxyPass(?:Match)? (?:\/\S*|\^\S*) ["']?(?:localhost|\d+\.\d+\.\d+\.\d+|[\w-]+\.\w[\w.-]*):\d+/im,
    'write the scheme in front of the target (`ProxyPass / http://localhost:8080/`): without it httpd refuses the line ("URL must be absolute"), or takes the name for a scheme that it has no handler for'],
  [/^SSLProtocol (?:\S+ )*[+-]?(?:TLS(?:v?1_[0-3]|v1[1-3]|1(?:\.\d)?|)|SSL[23]|SSLv[23]\.0)(?: |$)/im,
    'write the protocols as mod_ssl knows them: all, TLSv1, TLSv1.1, TLSv1.2, TLSv1.3, SSLv3, with + or - in front (`SSLProtocol -all +TLSv1.2 +TLSv1.3`); it refuses other words'],
  [/^(?:ServerTokens (?:off|none|no|hide)|ServerSignature (?:none|no|prod)|SSLVerifyClient (?:yes|true|no|false)|LogLevel (?:warning|verbose|all|on|off|err|fatal))$/im,
    'write a word that the directive knows: `ServerTokens Prod`, `ServerSignature Off`, `SSLVerifyClient none`, optional or require, `LogLevel warn`, error, info or debug; httpd refuses others'],
  [/^<?\w[^\n]* ["'][A-Za-z]:\\[^"'\n]*\\["']/m,
    'write slashes in paths on Windows (`"C:/Apache24/htdocs"`), and none at the end: a backslash in front of the closing quotation mark makes that a part of the path'],
]; // prettier-ignore

/** Lines that httpd takes, and that never do what they say, whatever else there is. */
const USELESS: readonly TellingLine[] = [
  [/^(?:Allow|Deny) from (?:[^\n]+ )?\d[\d.]*\.\*/im,
    'write the first numbers alone (`Allow from 192.168.1`; for 2.4 `Require ip 192.168.1`): Allow and Deny know no `*`, and take a word with it for the name of a host that nobody has', ALWAYS],
  [/^(?:Allow|Deny) from (?:\*$|[^\n]*\*\.\w)/im,
    'write `all` for everybody, and a name with a dot in front for all hosts of a domain (`Allow from .example.com`; for 2.4 `Require all granted`, `Require host example.com`): Allow and Deny know no `*`', ALWAYS],
  [/^Require (?:not )?host (?:\S+ )*\d+\.\d+\.\d+(?:\.\d+)?(?:\/\d+)?(?: |$)/im,
    'write `Require ip ADDRESS`: Require host compares names, which no address is', ALWAYS],
  [/(?<![^])(?=(?:[^]*^Require (?!all )){2})(?![^]*^(?:Order|Allow|Deny|<Require)\b)[^]*^Satisfy all$/im,
    'put the Require lines that must all hold into `<RequireAll>` and `</RequireAll>`, and remove Satisfy: it says how Allow and Deny go together with Require, not one Require line with another. Of several side by side one is enough in 2.4 (and in 2.2)', /\b(?:and|both|all|every|only|enough|two)\b/i],
  [/^ServerName ["']?(?:https?:\/\/)?[\w.-]+(?::\d+)?\/(?!\/)/im,
    'write the name alone (`ServerName www.example.com`), and give the path by DocumentRoot, Alias or ProxyPass: a name with a slash is that of no request, so that the first virtual host answers'],
  [/^ServerAlias (?:\S+ )*(?:https?:\/\/|[\w.*-]+:\d|[\w.*-]+\/)/im,
    'write names alone into ServerAlias (`ServerAlias www.example.com *.example.com`), without http://, port or path: a request never has such a name', WRONG_SITE],
  [/^Require (?:not )?env ["']?!\w/im,
    'write `Require env NAME` for those whom the variable lets in (beside `Require valid-user` one of both is enough), or, within <RequireAll>, `Require not env NAME` beside the line that lets the others in: Require env knows no `!`, which it takes for a letter of the name', ALWAYS],
  [/^DirectoryIndex (?:"[^"\n,]*,[^"\n]*"|\S+,)/im, listed('DirectoryIndex index.php index.html'), ALWAYS],
  [/^ServerAlias [^\n]*,/im, listed('ServerAlias example.com www.example.com'), WRONG_SITE],
  [/^Require (?:not )?(?:user|group) [^\n]*\w,/im, listed('Require user alice bob'), ALWAYS],
  [/^(?:Require (?:not )?ip|(?:Allow|Deny) from) [^\n]*[\da-z],/im, listed('Require ip 192.0.2.1 192.0.2.2'), ALWAYS],
  [/^(?:Options|SSLProtocol|AddOutputFilterByType) [^\n]*\w, ?[-+\w]/im, listed('Options Indexes FollowSymLinks'), ALWAYS],
  [/^AllowOverride (?!Options=|Nonfatal)\w+, ?\w/im, listed('AllowOverride AuthConfig FileInfo'), ALWAYS],
  [/^<Limit(?:Except)? [^\n]*\w, ?\w/im, listed('<LimitExcept GET POST>'), ALWAYS],
  [/^AddOutputFilterByType \S+ (?:[^\n]+ )?(?:[a-z]+\/\*|\*\/\*|\*)(?: |$)/im,
    'name each type (`AddOutputFilterByType DEFLATE text/html text/css application/javascript`): AddOutputFilterByType knows no `*`'],
  [/(?<![^])(?![^]*\bimage\/jpeg\b)(?![^]*^AddType image\/jpg)[^]*^(?:ExpiresByType|AddOutputFilterByType \S+) (?:[^\n]+ )?image\/jpg\b/im,
    'write `image/jpeg`: that is the type of .jpg files, and image/jpg that of none', /\b(?:jpe?g|images?|cach\w*|expir\w*|compress\w*)\b/i],
  [/^ErrorDocument 401 ["']?https?:\/\//im,
    'write a path (`ErrorDocument 401 /login.html`): httpd passes over a full URL there, because a redirect in place of a 401 would keep the browser from asking for the password', ALWAYS],
  [/^ErrorDocument [45]\d\d ["']?(?:\/(?:var\/www|srv\/(?:www|http)|home\/\w+\/(?:public_html|www|htdocs|html)|usr\/(?:share|local|lib)|opt\/(?:lampp|bitnami)|Applications\/[MX]AMPP?)\/|[A-Z]:[\\/])/im,
    'write the path of the URL (`ErrorDocument 404 /errors/404.html`), not that of the file: httpd asks itself for it as for any URL, below DocumentRoot', ALWAYS],
  [/^ErrorDocument [45]\d\d ["']?(?!https?:)[\w.-][\w./-]*\.(?:html?|php|shtml|jsp|cgi)["']?$/im,
    'write the path with a slash in front (`ErrorDocument 404 /404.html`): without it the word itself is the text that the browser shows', ALWAYS],
  [/^Redirect(?:Permanent|Temp)? (?:(?:permanent|temp|seeother|30\d) )?["']?https?:\/\/\S+ ["']?\S/im,
    'write the path alone as what is redirected (`Redirect 301 /old https://example.com/new`): Redirect compares the path of the URL. For one of several names write a <VirtualHost> of its own, or a RewriteCond with %{HTTP_HOST}', ALWAYS],
  [/^Redirect (?:(?:permanent|temp|seeother|30\d) )["']?[\w-][\w./-]*\.(?:html?|php|aspx?|jsp)["']? ["']?(?:https?:|\/)/im,
    'begin the path that is redirected with a slash (`Redirect 301 /old.html https://example.com/new`): every path does, and Redirect compares from its begin', ALWAYS],
  [/^Redirect(?:Match|Permanent|Temp)? (?:(?:permanent|temp|seeother|30\d) )?["']?\^?\/[^\s[]*(?:\.\w{2,5}|\/)\\?\?[\w-]+=/im,
    'write `RewriteCond %{QUERY_STRING} ^id=1$` and behind it `RewriteRule ^/?page\\.php$ /new? [R=301,L]`: Redirect and RedirectMatch compare the path alone, so that one with a ? is never asked for', ALWAYS],
  [/^Redirect(?:Permanent|Temp)? (?:(?:permanent|temp|seeother|30\d) )?["']?(?:\^\S*|\/\S*(?:\(\.[*+]|\*)\S*)["']? \S/im,
    'write RedirectMatch (`RedirectMatch 301 ^/old/(.*)$ https://example.com/new/$1`): Redirect takes a path as it stands, and no pattern. What stands behind the path it hands on by itself (`Redirect 301 /old/ https://example.com/new/`)', ALWAYS],
  [/^(?:RedirectMatch(?: (?:\d{3}|permanent|temp|seeother|gone))?|ProxyPassMatch|(?:Script)?AliasMatch|<LocationMatch) ["']?\^\(?(?:\w(?![*?{])|\[[\w-]+\]\+)[^|\s]*["']?(?: |>|$)/im,
    'begin the pattern with a slash (`RedirectMatch 301 ^/old/(.*)$ https://example.com/$1`): the path of every URL does, also in a .htaccess, where the pattern of a RewriteRule alone has none', ALWAYS],
  [/^(?:Script)?Alias ["']?(?!\/|[A-Z]:)[\w-]+[\w/-]*["']? ["']?(?:\/|[A-Z]:)/im,
    'begin the path of Alias with a slash (`Alias /docs /srv/docs`): the path of every URL does', ALWAYS],
  [/^(?:Script)?Alias \S+ ["']?https?:\/\//im,
    'write Redirect to send the browser to a URL, or ProxyPass to hand the request on: Alias leads to files alone', ALWAYS],
  [/^(?:Script)?Alias (["']?)\/\S*[^\s/"']\/\1 (["']?)\/(?:[^\s"'/]+\/)*[^\s"'/]+\2$/im,
    'end both paths of Alias with a slash, or none (`Alias /docs/ /srv/docs/`): what stands behind the first is put behind the second as it is, so that /docs/a becomes /srv/docsa'],
  [/^DocumentRoot ["']?(?:https?:\/\/|\/\S+\.(?:html?|php|asp|jsp)["']?$)/im,
    'write the directory of the files into DocumentRoot, and the name of the first page into DirectoryIndex (`DirectoryIndex home.html`): it is neither a file nor a URL', ALWAYS],
  [/^SetHandler ["']?proxy:unix:(?!\/)[^|\n]{0,20}=/im,
    'write the path alone (`SetHandler "proxy:unix:/run/php/php-fpm.sock|fcgi://localhost"`): `listen =` is of the configuration of PHP-FPM, and is taken for a part of the path here', ALWAYS],
  [/^(?:SetHandler|ProxyPass(?:Match)? \S+) ["']?(?:proxy:)?unix:[^|\n]+$/im,
    'write the protocol behind the socket (`SetHandler "proxy:unix:/run/php/php-fpm.sock|fcgi://localhost"`; for a program that speaks HTTP `|http://localhost/`): without it no handler is found', ALWAYS],
  [/^Header (?:always |onsuccess )?(?:set|add|append|setifempty) ["']?(?:X-Forwarded-(?:Proto|For|Host|Port|Ssl|Server)|X-Real-IP|X-Client-IP|Host)\b(?![^]*^RequestHeader (?:set|add|append) ["']?X-Forwarded-Proto)/im,
    'write RequestHeader in place of Header (`RequestHeader set X-Forwarded-Proto "https"`): Header sets headers of the answer to the browser, so that the program behind the proxy does not get them. X-Forwarded-For and X-Forwarded-Host mod_proxy sets by itself, and ProxyPreserveHost On hands the name on', /\b(?:prox\w*|forward\w*|behind|backend|https?|login|origin|csrf|redirect\w*|client|address|ip)\b/i],
  [/^RequestHeader (?:set|add|append|setifempty) ["']?(?:Access-Control-Allow-\w+|Strict-Transport-Security|X-Frame-Options|Content-Security-Policy|X-Content-Type-Options|Cache-Control|Set-Cookie)\b/im,
    'write `Header always set` in place of RequestHeader: that sets headers of the request, for the program behind httpd, and the browser never gets them', ALWAYS],
  [/^Header (?:always )?(?:set|add|append|merge) ["']?Access-Control-Allow-Origin["']? (?:"[^"\n]*(?:[, ]+\w|\/\/\*\.)|'[^'\n]*(?:[, ]+\w|\/\/\*\.)|\S*\/\/\*\.)/im,
    'name one origin, that of the request if it is among those allowed: `SetEnvIf Origin "^https://(www|app)\\.example\\.com$" ORIGIN=$0`, and `Header always set Access-Control-Allow-Origin %{ORIGIN}e env=ORIGIN` with `Header merge Vary Origin`: browsers take neither a list nor a pattern', ALWAYS],
  [/(?<![^])(?=[^]*^Header (?:always )?(?:set|add) ["']?Access-Control-Allow-Origin["']? ["']?\*)[^]*^Header (?:always )?(?:set|add) ["']?Access-Control-Allow-Credentials["']? ["']?true/im,
    'name the origin in Access-Control-Allow-Origin in place of `*`: browsers refuse `*` beside Access-Control-Allow-Credentials', /\b(?:cors|origin|credentials|browser|cookies?|fetch|xhr|ajax)\b/i],
  [/^Header (?:always )?(?:set|append|add|merge) ["']?Set-Cookie["']? ["']?;? ?(?:HttpOnly|Secure|SameSite)\b/im,
    'write `Header edit Set-Cookie ^(.*)$ "$1; HttpOnly; Secure"`, and the same line with `always` behind Header for what CGI programs set: set replaces the cookies by that word, and append makes one of its own; edit changes those that there are', ALWAYS],
  [/(?<![^])(?![^]*^SSLCertificateFile (\S+)$[^]*^SSLCertificateKeyFile \1$)[^]*(?:^SSLCertificateFile ["']?\S*(?:privkey\w*\.pem|\.key)["']?$|^SSLCertificateKeyFile ["']?\S*(?:fullchain\w*\.pem|\/cert\d*\.pem|chain\d*\.pem|\.crt|\.cer)["']?$)/im,
    'write the certificate into SSLCertificateFile (fullchain.pem, a .crt file), and its private key into SSLCertificateKeyFile (privkey.pem, a .key file): the names say that they stand the wrong way round', ALWAYS],
  [/^SSLCertificateFile ["']?\S*\.csr["']?$/im,
    'write the certificate that the authority has made of it into SSLCertificateFile: a .csr is the request for one', ALWAYS],
  [/(?<![^])(?![^]*^SSLCertificateChainFile)[^]*^SSLCertificateFile ["']?\S*\/live\/\S*\/cert\.pem/im,
    'write `SSLCertificateFile …/fullchain.pem` in place of cert.pem: that has the certificate alone, without those between it and the authority, and who does not know these does not trust it', /\b(?:chain|trust\w*|untrusted|unknown|verif\w*|incomplete|android|issuer|curl|intermediate)\b/i],
  [/^<Location ["']?\/(?:var\/www|srv\/(?:www|http)|home\/\w+\/(?:public_html|www|htdocs|html)|usr\/(?:share|local|lib)|opt\/(?:lampp|bitnami)|Applications\/[MX]AMPP?)\//im,
    'write `<Directory PATH>` in place of <Location>: that compares the path of the URL, and this one is the path of a directory', ALWAYS],
  [/(?<![^])(?![^]*^ProxyRequests on)[^]*^<Location ["']?https?:\/\//im,
    'write the path alone (`<Location /admin>`), within the <VirtualHost> of that name: only requests to a forward proxy have a whole URL', ALWAYS],
  [/^<Directory ["']?https?:\/\//im,
    'write `<Location /path>` for a path of a URL, or the path of the directory into <Directory>: no directory has a name that begins with http://', ALWAYS],
  [/^<Files (?:"[^"\n~]*\/[^"\n]*"|[^\s"~>]*\/[^\s>]*)>/im,
    'write the name of the file alone (`<Files "config.php">`) within a <Directory> of its path, or <Location> with the path of the URL: <Files> compares what stands behind the last slash, where none is left', ALWAYS],
  [/^<FilesMatch ["']?\^?\/?\w[\w./-]*\/[^|[\n]*>/im,
    'write a pattern of the name alone (`<FilesMatch "\\.php$">`) within a <Directory> of its path, or <LocationMatch> with the path of the URL: <FilesMatch> compares what stands behind the last slash', ALWAYS],
  [/^<(?:Files|Directory|Location) (?!~)["']?(?:\^|[^~\n]*(?:\\\.|\(\?|\w\|\w|\$["']?>))/im,
    'write <FilesMatch>, <DirectoryMatch> or <LocationMatch> (or a `~` in front of the pattern): <Files>, <Directory> and <Location> take it as it stands, with `*` and `?` alone as patterns', ALWAYS],
  [/^RewriteBase ["']?\/(?:var\/www|srv\/(?:www|http)|home\/\w+\/(?:public_html|www|htdocs|html)|usr\/(?:share|local|lib)|opt\/(?:lampp|bitnami)|Applications\/[MX]AMPP?)(?:\/|["']?$)/im,
    'write the path of the URL into RewriteBase (`RewriteBase /` or `/shop/`): the path of the directory is put into the URL as it stands'],
  [/^RewriteRule ["']?!?[^\s[]*\\\?|^RewriteRule ["']?!?\^?[^\s[]*\.(?:php|html?|aspx?|jsp|cgi)\?\w+=/im,
    'write `RewriteCond %{QUERY_STRING} ^id=(\\d+)$` and behind it `RewriteRule ^page\\.php$ /new/%1? [R=301,L]`: the pattern of a RewriteRule gets the path alone, never what stands behind the ?', ALWAYS],
  [/^RewriteRule ["']?!?\^?\(?(?:https?(?::|\(|\?:)|www\\?\.[\w-]+\\?\.(?:com|org|net|de|fr|uk)\b)/im,
    'write `RewriteCond %{HTTP_HOST} ^www\\.example\\.com$ [NC]` and behind it a RewriteRule of the path: its pattern gets neither scheme nor name', ALWAYS],
  [/^RewriteRule \S+ ["']?(?:www\.[\w-]+\.[a-z]+|[\w-]+\.(?:com|org|net))(?:\/\S*)? ?(?:\[|$)/im,
    'write the target with its scheme (`RewriteRule ^old$ https://www.example.com/new [R=301,L]`): without it the name is a path of this server', ALWAYS],
  [/^RewriteCond ["']?%\{REQUEST_URI\}["']? ["']?!?\^(?:\w|\\\.)[^\s|(]*(?:\([^()\s]*\)[^\s|(]*)*(?:"|'| |$)/im,
    'begin the pattern with a slash (`RewriteCond %{REQUEST_URI} !^/\\.well-known/`): %{REQUEST_URI} does, also in a .htaccess, so that `^` without it never matches (with ! always). The pattern of a RewriteRule in a .htaccess has none'],
  [/^RewriteCond ["']?%\{REQUEST_URI\}["']? ["']?!?[^\s[]*\\\?[\w(]/im,
    'write `RewriteCond %{QUERY_STRING}` for what stands behind the ?: %{REQUEST_URI} is the path alone. %{THE_REQUEST} has both'],
  [/^RewriteCond ["']?%\{QUERY_STRING\}["']? ["']?!?\^\\\?/im,
    'leave the ? out (`RewriteCond %{QUERY_STRING} ^id=1$`): %{QUERY_STRING} begins behind it'],
  [/^RewriteCond ["']?%\{HTTP_HOST\}["']? ["']?!?(?:\^?\(?https?(?::|\?:|\()|\^?[\w\\.-]+\/)/im,
    'write the name alone (`RewriteCond %{HTTP_HOST} ^www\\.example\\.com$ [NC]`): %{HTTP_HOST} has neither scheme nor path; the scheme is %{HTTPS} (on or off), the path %{REQUEST_URI}'],
  [/^RewriteCond ["']?%\{HTTPS\}["']? ["']?!?[=^]?(?:1|0|true|false|yes|no|https?)\$?["']?(?: |$)/im,
    'write `RewriteCond %{HTTPS} off` (or on): these are its two values', ALWAYS],
  [/^RewriteCond ["']?%\{HTTP_(?!(?:HOST|ACCEPT|COOKIE|REFERER|FORWARDED|USER_AGENT|PROXY_CONNECTION)\})[A-Z_]+\}/im,
    'write `%{HTTP:NAME}` for the header (`RewriteCond %{HTTP:X-Forwarded-Proto} !=https`): mod_rewrite knows seven names with HTTP_ (HOST, USER_AGENT, REFERER, COOKIE, ACCEPT, FORWARDED, PROXY_CONNECTION), and each other one is empty', ALWAYS],
  [/^RewriteCond ["']?%\{HTTP:X-Forwarded-Proto\}["']? ["']?!?\^?http["']?(?: |$)/im,
    'write `RewriteCond %{HTTP:X-Forwarded-Proto} =http` (or `!=https`): as a regular expression http also matches https', ALWAYS],
  [/^RewriteRule \S+ ["']?[^\s[]*(?<!\\)%(?:[23][\dA-F]|[4-7][A-F])/im,
    'write a backslash in front of each % that is meant as it stands (`\\%3A\\%2F`), with the flag NE where the rule redirects: in the target of a RewriteRule %2 and %3 are what the groups of the last RewriteCond matched', ALWAYS],
  [/^RewriteRule \S+ ["']?\/[\w/.-]*\.php\b/im,
    'write the target without the slash in front (`RewriteRule ^(.*)$ index.php [L]`), and `RewriteBase /~user/directory/` above it: with it the target is a path of the whole server, and none of the home of a user', /\/~\w|\buserdir\b|\bpublic_html\b/i],
  [/^(?:RewriteCond ["']?%\{REMOTE_ADDR\}["']? ["']?!?|SetEnvIf(?:NoCase)? Remote_Addr ["']?)\^?\d+\\?\.\d+\\?\.\d+\\?\.\d+\/\d+/im,
    "write a condition that knows networks: `RewriteCond expr \"! %{REMOTE_ADDR} -ipmatch '192.0.2.0/24'\"` (without ! for those in it), `<If \"-R '192.0.2.0/24'\">` or `Require ip 192.0.2.0/24`: there it is a regular expression, which no address with /24 matches", ALWAYS],
  [/^ProxyPass ["']?\/(?:\S*\/)?["']? ["']?(?:https?|ajp|fcgi|wss?):\/\/[\w.-]+:\d+["']?(?: |$)/im,
    'end both with a slash, or none (`ProxyPass / http://localhost:8080/`): what stands behind the path is put behind the URL as it is, so that /a becomes http://localhost:8080a, which is no port'],
  [/^ProxyPass ["']?\/\S*[^\s/"']["']? ["']?(?:https?|ajp|wss?):\/\/[\w.-]+(?::\d+)?\/["']?(?: |$)/im,
    'end both with a slash, or none (`ProxyPass /app/ http://localhost:8080/`, with `Redirect /app /app/` where it is asked for without): what stands behind the path is put behind the URL as it is, so that /app/a becomes //a', /\bdouble slash|\b(?:css|images?|static|assets?|scripts?)\b/i],
  [/^WSGIDaemonProcess (?!.*\bpython-home=).*\bpython-path=\S*site-packages/im,
    'name the virtual environment by python-home (`WSGIDaemonProcess site python-home=/srv/venv python-path=/srv/site`), its directory without lib/…/site-packages: python-path only adds directories to those of the Python of the system. It must be of the version for which mod_wsgi is built', /^(?![^]*\b(?:hangs?|stalls?|timed? ?out)\b)[^]*(?:\bno module named\b|\bModuleNotFound|\bglobal\b|\bsystem\b|\b(?:not|n.t) (?:being )?(?:use|using|used|find|found|see|picked|activated?)\b)/i],
  [/(?<![^])(?=[^]*^WSGIScriptAlias )[^]*^AddHandler ["']?cgi-script\b[^\n]*\.(?:wsgi|py)\b/im,
    'take .py and .wsgi out of `AddHandler cgi-script`: it counts after WSGIScriptAlias, so that these files run as CGI programs, and not by mod_wsgi', ALWAYS],
  [/^(?:WSGIProcessGroup|WSGIDaemonProcess|DocumentRoot|Server(?:Name|Alias|Admin)|Listen|ProxyPass\w*|Require|Allow|Deny|Order|DirectoryIndex|Options|AllowOverride|Auth\w+File|AuthType|ErrorLog|Include\w*|LoadModule|SSL\w*(?:File|Engine)|RewriteEngine|RewriteBase|Alias|ScriptAlias|AddType|AddHandler|Redirect|SetHandler|WSGIScriptAlias|SSLProtocol|ProxyPreserveHost) [^\n]*\S;$/im,
    'take the `;` from the end of the line: that is the habit of nginx, and httpd takes it for a part of the last word', ALWAYS],
  [/^(?:ServerName|DocumentRoot|Require|Options|Order|Listen|AllowOverride|ProxyPass|ErrorLog|RewriteEngine|RewriteRule (?!.*\])|Alias|Include|SSL\w+|php_(?:value|flag)) [^\n"']*[^\s"'] #+ ?\w/im,
    'put the comment into a line of its own: only a line that begins with # is one, and behind a directive httpd takes it for arguments', /\b(?:500|internal server error|invalid|syntax|takes|fail\w*|start\w*|refuse\w*|illegal|errors?)\b/i],
]; // prettier-ignore

/** Typographers' quotation marks in a line, where the words around the lines have none. */
function isTypeset({ text, prose }: GivenLines): string | undefined {
  return / \xe2\x80[\x98-\x9f]/.test(text) && !/\xe2\x80[\x98-\x9f]/.test(prose)
    ? 'type the quotation marks of the line again, as " on the keyboard: those that a word processor or a web page makes are letters of the word for httpd'
    : undefined;
}

const FINDERS: readonly Finder[] = [...REWRITE_LINES, ...HOST_LINES, ...SECTION_LINES];

/** What to write where lines that somebody gives are wrong by themselves, whatever is asked of them. @param question bytes */
export function tellingLine(question: string): string | undefined {
  return misnamedModule(question) ?? wrongLine(question) ?? openBesideUser(question) ?? openedLater(question);
}

function wrongLine(question: string): string | undefined {
  const given = givenLines(question);
  const found = firstWrong(given, question);
  const open = found === undefined ? undefined : openProxy(given);
  return open === undefined || open === found ? found : `${found}. And ${open}`;
}

function firstWrong(given: GivenLines, question: string): string | undefined {
  const { text, prose } = given;
  const isAsked = (about = IS_MISSED): boolean =>
    about === IS_MISSED
      ? !/[a-z]{3}/i.test(prose) || (IS_MISSED.test(question) && !IS_REFUSAL.test(question))
      : about.test(question);
  const refused = REFUSED.find(([pattern]) => pattern.test(text))?.[1];
  if (refused !== undefined) return refused;
  for (const { finds, about } of FINDERS) {
    const found = isAsked(about) ? finds(given, question) : undefined;
    if (found !== undefined) return found;
  }
  return USELESS.find(([pattern, , about]) => isAsked(about) && pattern.test(text))?.[1] ?? isTypeset(given);
}
