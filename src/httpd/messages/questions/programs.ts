import type { MessageShape } from '../shape';

/** What people ask of programs behind httpd: which URL leads to them, what they are told, and the files beside them. */
export const PROGRAM_QUESTIONS: readonly MessageShape[] = [
  {
    pattern:
      /^(?=.*(?:\b404\b|\bnot found\b|\b(?:no|none of the) other (?:urls?|pages?|links?|routes?)\b.*\bwork))(?!.*(?:~\w|\buser ?dir))(?!.*\b(?:icons?\/|htaccess\b))(?:.*\bonly (?:the )?(?:\/|home|front|main|start|index|root)|.*\b(?:home|front|main|start|index)(?: ?page)?\b.{0,20}\b(?:works?|ok|fine|loads?)\b|.*\b(?:(?:all )?other|sub) ?(?:\w+ )?(?:routes?|pages?|urls?|links?|views?)\b|.*\brefresh\w*|.*\bhistory(?:[ -]?mode)?\b|.*\bdeep links?\b|.*\brout(?:es?|ing|er)\b|.*\b(?:angular|react|vue|symfony|slim|single[ -]page)\b)/is,
    rule: 'allow-override-unset',
    remedy:
      'write `FallbackResource /index.html` (`/index.php` for a program of PHP) into the <Directory> of DocumentRoot: no file stands behind such a URL, and httpd must hand it to the one that knows it. A program with RewriteRule lines of its own for that in a .htaccess needs this file (Symfony: `composer require symfony/apache-pack`) in the directory that DocumentRoot names (often public), `AllowOverride All` for it, and mod_rewrite (Debian: a2enmod rewrite)',
  },
  {
    pattern: /\bicons?\b(?: |\/).*\b(?:404|not found)\b|\b(?:404|not found)\b.*\/?icons\//is,
    remedy:
      'call the directory other than icons, or take `Alias /icons/` out (Debian: mods-available/alias.conf; RHEL: conf.d/autoindex.conf; else extra/httpd-autoindex.conf): httpd takes this path for the pictures of its own lists of files',
  },
  {
    pattern:
      /^(?=.*\b(?:django|flask|rails|wsgi|gunicorn|passenger|debug ?= ?false)\b)(?=.*\b(?:static|css|assets?|media)\b).*\b(?:404|403|not found|not (?:\w+ )?(?:load|serv|show)\w*|missing|forbidden|does not work)\b/is,
    remedy:
      'write `Alias /static/ /path/of/static/` above WSGIScriptAlias (or `ProxyPass /static/ !` above ProxyPass), with `Require all granted` in a <Directory> of that path, and fill it (Django: `collectstatic` into STATIC_ROOT): outside of its debug mode a program serves no files itself',
  },
  {
    pattern:
      /^(?=.*\b(?:wsgi|flask|django|python)\b)(?=.*\bimport\w*\b).*\b(?:hangs?|hanging|stall\w*|deadlock\w*|time-?outs?|time(?:s|d) out|freez\w*|never (?:returns?|ends?|finish\w*|respon\w*)|504)\b/is,
    remedy:
      'write `WSGIApplicationGroup %{GLOBAL}` for the program (application-group=%{GLOBAL} of WSGIScriptAlias): modules in C (numpy, scipy, theano, lxml) stop for ever in one of the further interpreters that mod_wsgi makes, and run in the first one alone',
  },
  {
    pattern:
      /^(?=.*\b(?:mod_?wsgi|django|flask|wsgi|venv|virtual ?env\w*)\b).*(?:\bno module named\b|\bmodule not found\b|\bimport ?error\b|\bvirtual ?env\w*\b|\bvenv\b|\bwrong python\b|\b(?:not|instead of|back to|always|wrong|uses?)\b.{0,30}\bpython ?\d)/is,
    rule: 'third-party-module',
    remedy:
      'write `WSGIDaemonProcess NAME python-home=/path/of/venv python-path=/path/of/project` with `WSGIProcessGroup NAME` (python-home names the virtual environment, python-path its site-packages no more), and install mod_wsgi as built for the release of Python that the environment has (`pip install mod_wsgi` in it, then `mod_wsgi-express module-config`; Debian: libapache2-mod-wsgi-py3): it runs the one Python that it is built for',
  },
  {
    pattern:
      /\bwsgi\.py\b.*\b(?:in|from|out of) (?:the |my )?urls?\b|\bwsgi(?:\.py)?\b.*\b(?:download\w*|plain text|source)\b|\b(?:download\w*|source)\b.*\bwsgi\.py\b|\bAddHandler cgi-script\b[^\n]*\.(?:py|wsgi)\b[^]*\bWSGI|\bWSGI[^]*\bAddHandler cgi-script\b[^\n]*\.(?:py|wsgi)\b/is,
    remedy:
      'ask for the path of WSGIScriptAlias (`WSGIScriptAlias /app /srv/app/wsgi.py`: /app, or / for all), not for the name of the file, keep the file outside of DocumentRoot, and take .py and .wsgi out of `AddHandler cgi-script` and SetHandler lines, which run them as CGI or hand them out',
  },
  {
    pattern:
      /^(?!.*\b(?:fpm|fcgi\w*|cgi|wsgi)\b)(?=.*\bbasic(?: http)? auth\w*)(?=.*\b(?:api|bearer|tokens?|jwt|authorization header|oauth\w*)\b).*\b(?:401|unauthorized|conflict\w*|fail\w*|does not work|broken|overw\w*)\b/is,
    rule: 'order-allow-deny',
    remedy:
      'leave what has its own login out of Basic, by a <Location "/api"> with `AuthType None` and `Require all granted`, or by `Require expr "%{REQUEST_URI} =~ m#^/api/#"` beside `Require valid-user` (one of them is enough): a request has one Authorization header, which cannot hold the password for httpd and the program\'s token',
  },
  {
    pattern:
      /^(?=.*\b(?:flask|django|wsgi|gunicorn|rails|program|app(?:lication)?s?|local machine|my machine|development)\b).*\b(?:(?:prompt|dialog|login|window)\b.{0,20}\b(?:keeps?|again|popping|reappear\w*|repeated\w*)|keeps? (?:asking|prompting|popping))\b/is,
    remedy:
      'write `WSGIPassAuthorization On` (mod_wsgi), or `CGIPassAuth On` for the directory (CGI, FastCGI, PHP-FPM; 2.4.13): the program that asks for the password does not get it, as httpd hands the Authorization header to no program by itself. If httpd itself asks, the error log says why it refuses (AH01617, AH01618, AH01620)',
  },
  {
    pattern:
      /\bLA-U:|^(?!.*\brewrit).*\bREMOTE_USER\b.*\b(?:header|missing|empty|not|null|none|backend|pass(?:ed|ing)?)\b/is,
    remedy:
      'write `RequestHeader set X-Remote-User expr=%{REMOTE_USER}` for a backend behind ProxyPass (mod_headers; 2.4.10), in place of rules with %{LA-U:REMOTE_USER}, and `RequestHeader unset X-Remote-User early` against clients that send it. A program of CGI, WSGI or PHP has REMOTE_USER as a variable of its environment, not as a header',
  },
  {
    pattern:
      /^(?=.*\b(?:server-sent|sse|event[ -]?streams?|eventsource|streaming|long[ -]polling|output buffer\w*)\b).*\b(?:fpm|fcgi|prox(?:y|ied)|ProxyPass|apache|httpd|backend)\b/is,
    remedy:
      'have the proxy pass on each piece at once: `flushpackets=on` behind the URL of ProxyPass, or `<Proxy "fcgi://localhost/">` with `ProxySet flushpackets=on` for PHP-FPM by SetHandler (the name behind | there), and `SetEnv no-gzip 1` for the path, as mod_deflate collects what it compresses',
  },
  {
    pattern: /^(?=.*\bpost\b)(?=.*\bslash\b|.*"\/").*\b(?:param\w*|data|body|empty|lost|get)\b/is,
    remedy:
      'send the request to the URL with the slash at its end, or write `DirectorySlash Off` where a program answers it: mod_dir sends the name of a directory without its slash to the one with it by a 301, and the client comes back by GET without the data',
  },
  {
    pattern: /\bquery for "?jenkins|\bjenkins\b.*\breverse proxy\b|\breverse proxy set ?up is broken\b/is,
    remedy:
      'write `AllowEncodedSlashes NoDecode` into the virtual host, `ProxyPass / http://127.0.0.1:8080/ nocanon` with ProxyPassReverse, `ProxyPreserveHost On`, and behind TLS `RequestHeader set X-Forwarded-Proto "https"` and X-Forwarded-Port: Jenkins tries a URL with an encoded slash, and its own name',
  },
  {
    pattern:
      /^(?=.*\b(?:prox(?:y|ied)|ProxyPass|apache\d?|reverse)\b)(?!.*\b(?:502|503|504|refused|AH\d{5}|fcgi|fpm)\b)(?=.*\b(?:links?|urls?|loads?|load it|through|points? to|attachments?|redirect\w*)\b).*\b(?:localhost|127\.0\.0\.1):\d{4,5}\b/is,
    remedy:
      'write `ProxyPreserveHost On` beside ProxyPass, so that the program makes its URLs with the name that visitors ask for, with ProxyPassReverse for its redirects, or set its public URL (base URL, root URL) in its own settings',
  },
  {
    pattern:
      /\berror (?:messages?|pages?|documents?)\b.*\b(?:from|of|by) the (?:backend|application|app|proxy)\b|\bProxyErrorOverride\b/is,
    remedy:
      'write `ProxyErrorOverride Off` where the error pages of the backend are to be handed through, which is so without the line; `On` puts those of httpd, and of ErrorDocument, in their place (from 2.4.47 on with the statuses: `ProxyErrorOverride On 502 503`)',
  },
  {
    pattern:
      /^(?=.*\b(?:apache2?|httpd|proxy|server)\b).*\b(?:unable|not able|cannot|can not|can.?t|could not|couldn.?t|fails?|does not) (?:to )?(?:connect|reach|talk|forward)\w*(?: to)?(?: the| our| my)? (?:tomcat|backend|node|jboss|wildfly|gunicorn|upstream|application|app|jetty)\b/is,
    remedy:
      'let httpd open connections where SELinux runs (`setsebool -P httpd_can_network_connect 1`), and see that the backend answers at the address of the ProxyPass line from this machine (`curl -I http://127.0.0.1:8080/`; localhost may mean ::1). The error log has the reason: AH00957 with "Permission denied" is SELinux, "Connection refused" the backend',
  },
  {
    pattern:
      /\b(?:read[ -]protected|protected against reading|not readable by the server|cannot be read by the server)\b/is,
    rule: 'order-allow-deny',
    remedy:
      'let the user that httpd runs as enter every directory on the way and read the files (`chmod -R u=rwX,go=rX DIRECTORY`; XAMPP on a Mac and Linux runs as daemon), name an index file that is there, and write `Require all granted` or `Require ip NETWORK` in place of `Require local` where others ask: the page of XAMPP says the same for all three, the error log which (AH00035 or AH00132, AH01276, AH01630)',
  },
  {
    pattern:
      /^(?=.*(?:~\w|(?:\b|_)user[_ ]?dir(?:s|\b|ector)|\bpublic_html\b)).*\bindex\.php\b.*\b(?:404|not found)\b/is,
    remedy:
      'write `RewriteBase /~NAME/PROJECT/` into the .htaccess, and the target without a slash in front (`RewriteRule ^(.*)$ index.php?/$1 [L,QSA]`): with one it is a URL below the DocumentRoot of the server, not below the home',
  },
  {
    pattern:
      /^(?=.*\b2\.2(?:\.\d+)?\b)(?!.*\b2\.4\b).*(?:<IfModule mod_filter\.c>[^]*AddOutputFilterByType|\bgzip\b.*\bmod_filter\b)/is,
    remedy:
      'take the block <IfModule mod_filter.c> away from around AddOutputFilterByType on a 2.2: there it is a directive of the core, mod_filter is mostly not loaded, and the lines are passed over. On 2.4 it is of mod_filter, which must be loaded (Debian: a2enmod filter deflate)',
  },
];
