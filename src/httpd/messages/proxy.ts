import type { MessageShape } from './shape';

const BACKEND_DOWN =
  'start the backend and see that it answers at this address from this machine (`curl`): localhost may mean ::1 here, so write 127.0.0.1. After a failure httpd asks it again only after 60 s, unless `retry=0` stands behind its URL in ProxyPass';

/** What mod_proxy and its backends say, PHP-FPM among them. */
export const PROXY_MESSAGES: readonly MessageShape[] = [
  {
    pattern: /\bAH01136\b|ignoring unsafe nocanon/,
    remedy:
      'nothing, in most cases: the path of the request matched ProxyPass only once it was unescaped, so it goes to the backend without nocanon. Where the backend needs it as it was sent, write the path of ProxyPass as clients send it, and `AllowEncodedSlashes NoDecode`',
  },
  {
    pattern: /HTTP upgrade is not supported by the AJP protocol/,
    rule: 'load-module',
    remedy:
      'pass the paths of WebSockets to the HTTP connector of the backend, before the line with ajp: (`ProxyPass /ws ws://127.0.0.1:8080/ws`, with mod_proxy_wstunnel; from 2.4.47 on http: with `upgrade=websocket`): AJP carries none',
  },
  {
    pattern: /ProxySet can not find '(?<word>[^']*)' (?:Worker|Balancer)/,
    remedy:
      'write ProxySet into `<Proxy "$<word>">`, without the URL, or below a ProxyPass or BalancerMember line with the very same URL: it sets what such a line has made, and makes none',
  },
  {
    pattern: /\bFastCgi\w+: redefinition of previously defined class/i,
    rule: 'third-party-module',
    remedy:
      'define each file once: two virtual hosts, mostly those for ports 80 and 443, have the line for one file. Give each a file name of its own, or write the line once, outside of both; SetHandler "proxy:unix:/PATH|fcgi://localhost" of mod_proxy_fcgi needs no such line',
  },
  {
    pattern: /\bAH10034\b|mpm module \(prefork\.c\) is not supported by mod_http2/,
    rule: 'load-module',
    remedy:
      'nothing must be done, httpd serves HTTP/1.1; for HTTP/2 load mpm_event in place of mpm_prefork, with PHP by PHP-FPM, or else take mod_http2 out (Debian: a2dismod http2)',
  },
  {
    pattern: /Invalid ProxyPass\|ProxyPassMatch parameter|Parameter must be in the form 'key=value'/,
    rule: 'strict-argument',
    remedy:
      'write behind the URL only words with an equals sign (`retry=0 timeout=60 nocanon`): here stands another, mostly the rest of a path or URL with a blank in it, a comment behind the line, or a second URL. A blank in the path needs quotation marks',
  },
  {
    pattern:
      /\bscript unknown|^File not found\.$|No input file specified|\bAH01071\b.*Unable to open primary script/,
    remedy:
      'PHP-FPM was given a path at which it finds no file: let SetHandler "proxy:unix:/run/php/php-fpm.sock|fcgi://localhost" name it (not ProxyPassMatch with another root), see that the user of FPM can enter the directories, and that FPM has no chroot of its own. For names that do not exist put `<If "-f %{REQUEST_FILENAME}">` around SetHandler: httpd answers 404 then. Where only names that are rewritten fail, of a site below a path, write `RewriteBase /PATH/` into its .htaccess',
  },
  {
    pattern: /security\.limit_extensions|Access to the script '[^']*' has been denied/,
    remedy:
      'have only files of PHP handed to PHP-FPM (SetHandler within `<FilesMatch "\\.php$">`): it was given one with another ending, or a directory, which it refuses. Where others are to be run, name their endings in security.limit_extensions of its pool',
  },
  {
    pattern: /\bAH01071\b/,
    remedy:
      'it is what the FastCGI program (PHP) wrote to its error output, not a message of httpd: an old script under a new release of PHP, mostly. Read it as a message of PHP',
  },
  {
    pattern: /Unix domain socket \S*\blisten[ =]/,
    remedy:
      'take the word `listen =` out of the path in SetHandler or ProxyPass: it was copied from the pool of PHP-FPM, and httpd looks for a file of that name (`proxy:unix:/run/php/php8.2-fpm.sock|fcgi://localhost`)',
  },
  {
    pattern:
      /\bAH0245[34]\b|attempt to connect to Unix domain socket|FastCGI: failed to connect to server|\bAH10292\b|Invalid proxy UDS filename/,
    remedy:
      'start PHP-FPM (or the program behind the socket), and name the socket that it listens on (`listen` in its pool; Debian: /run/php/php8.2-fpm.sock, RHEL: /run/php-fpm/www.sock) as `proxy:unix:/PATH|fcgi://localhost` (mod_fastcgi: -socket). "Permission denied": set listen.owner and listen.group in its pool to the user of httpd, with listen.mode 0660',
  },
  {
    pattern: /\bAH00952\b|error creating fam \d+ socket/,
    remedy:
      'let httpd open sockets: "Permission denied" comes from what confines httpd: AppArmor, SELinux (`ausearch -m avc`), a container, or Android, where its user must be in the group inet; "Address family not supported" means that IPv6 is off (write 127.0.0.1), or RestrictAddressFamilies of systemd; "Too many open files" asks for LimitNOFILE',
  },
  {
    pattern: /\(13\).*\bAH00957\b/,
    remedy:
      'let httpd connect: SELinux forbids it (`setsebool -P httpd_can_network_connect 1`). For a socket in the file system, give the user that httpd runs as the right to write to it',
  },
  {
    pattern: /FCGI: attempt to connect to \S+:\d+/,
    remedy:
      'start PHP-FPM, and have its pool listen at this address (`listen = 127.0.0.1:9000`); or name the socket that it listens on as packages have it (Debian: /run/php/php8.2-fpm.sock, RHEL: /run/php-fpm/www.sock): SetHandler "proxy:unix:/PATH|fcgi://localhost"',
  },
  {
    pattern:
      /^(?!.*timeout specified).*(?:\bAH010(?:67|75)\b|Failed to read FastCGI header|FastCGI: (?:comm with server|incomplete headers)|Error dispatching request to)/,
    remedy:
      'look into the log of the FastCGI program (PHP-FPM: `catch_workers_output = yes` in the pool): it ended, crashed or took too long. "Connection reset" is a crash mostly (an extension of PHP for another release), "timeout" asks for more of Timeout or ProxyTimeout (60 s in 2.4, 300 s in 2.2; -idle-timeout of mod_fastcgi) and of request_terminate_timeout; with "FastCGI:" see that the program at this path is there and runs',
  },
  {
    pattern: /\bAH0106[89]\b|Got bogus (?:version|rid)/,
    remedy:
      'name the address or socket of a FastCGI program, such as PHP-FPM: what answers there speaks something else, mostly HTTP (then write http: for fcgi:)',
  },
  {
    pattern: /timeout specified has expired.*(?:Error dispatching request|AH01075)/,
    remedy:
      'raise ProxyTimeout, or timeout= of the ProxyPass or <Proxy> line: the program took longer than the 60 s with which Timeout begins in 2.4 (2.2: 300 s). Its own log, of PHP-FPM its slowlog, says what takes so long',
  },
  {
    pattern: /\bAH01079\b/,
    general: true,
    remedy:
      'start PHP-FPM (or the program behind fcgi:), and see that it listens where the ProxyPass or SetHandler line says: the line before (AH00957, AH02454) names the address or socket, and why it was refused',
  },
  {
    pattern: /\bAH0(?:0957|0939|2452|0960)\b|\bAH10101\b|attempt to connect to .* failed/,
    remedy: BACKEND_DOWN,
  },
  {
    pattern:
      /\bAH0(?:1114|0940|0941|0959|0866|0896)\b|failed to make connection to backend|disabl(?:ing worker|ed connection) for/,
    general: true,
    remedy: BACKEND_DOWN,
  },
  {
    pattern: /\[warn\] proxy: No protocol handler was valid for the URL \S*\.php\b/,
    remedy:
      'run PHP as a module (mod_php) or by mod_fcgid, or take a 2.4: a 2.2 writes this message so, and it has no mod_proxy_fcgi, which ProxyPass to fcgi: and PHP-FPM need',
  },
  {
    pattern: /No protocol handler was valid for the URL \S*\.php\b(?!.*\(scheme)/,
    rule: 'load-module',
    remedy:
      'load mod_proxy_fcgi beside mod_proxy (Debian: a2enmod proxy_fcgi): a backend for PHP is mostly PHP-FPM, with fcgi:; mod_proxy_http where its URL begins with http:. If it is loaded, the scheme in ProxyPass or SetHandler is misspelled (`proxy:fcgi://127.0.0.1:9000`)',
  },
  {
    pattern: /No protocol handler was valid for the URL (?:.*\(scheme ')?(?<scheme>[a-z0-9]*)/,
    rule: 'load-module',
    remedy: '',
  },
  {
    pattern: /End of file found.*error reading status line from remote server/,
    remedy:
      "look at the backend: it closed the connection without an answer. If that happens to connections that stood idle, give ProxyPass a ttl= below the backend's keep-alive timeout",
  },
  {
    pattern:
      /Error reading from remote server|\bAH0(?:1102|1110)\b|error reading (?:status line|response) from remote server/,
    remedy:
      'look at the log of the backend: it took the request and gave no whole answer in time. ProxyTimeout begins with 60 s in 2.4 where 2.2 waited 300 s; connections that stood idle need ttl= below the keep-alive timeout of the backend, or `disablereuse=on` behind its URL where it fails now and then. A WebSocket needs mod_proxy_wstunnel, and a backend of https a URL with https:',
  },
  {
    pattern: /DNS lookup failure for: ?[\w.-]+(?::\d+[^\d\s:]|[a-z](?:api|index|static|assets)\b)/,
    remedy:
      'end the URL of ProxyPass with a slash as its path ends with one (`ProxyPass / http://BACKEND:8080/`), and ProxyPassReverse alike: what stands behind the path is put to the end of the URL, here to the port or name',
  },
  {
    pattern: /DNS lookup failure/,
    remedy:
      'see that this machine resolves the name of the backend, from the moment httpd starts: 2.4 answers 502 or 503 until then. A name of one word is mostly that of a container: it must run (`docker ps`, its log), in the same network, and be called so in its compose file',
  },
  {
    pattern: /\bAH0(?:1084|1086|1095|1096|1097)\b|\bAH10154\b|(?:pass|prefetch) request body failed/,
    remedy:
      'see the words in front: "(32)Broken pipe" and "(104)Connection reset" say that the backend closed before it had the whole body (its log tells why; for an idle connection `ttl=` or `disablereuse=on` behind the URL of ProxyPass), "End of file" and "timeout" that the client went away or was slow. Timeout and ProxyTimeout begin with 60 s in 2.4, 300 s in 2.2',
  },
  {
    pattern:
      /\bAH1040[89]\b|\bAH104(?:06|1[4-9])\b|To be forwarded (?:query string|path) contains control characters/,
    rule: 'rewrite-rule-unsafe',
    remedy:
      'give the RewriteRule that makes this URL the flag B, or BCTLS, so that blanks of the request stay encoded: 2.4 refuses them since its fixes of 2022 and 2024',
  },
  {
    pattern: /Target WSGI script not found or unable to stat/,
    remedy:
      'correct the path in WSGIScriptAlias, and let the user that httpd runs as enter every directory on the way and read the file (`namei -l PATH`; `restorecon -R` with SELinux); its <Directory> needs `Require all granted`',
  },
  {
    pattern: /No WSGI daemon process called '(?<word>[^']{1,80})' has been configured/,
    remedy:
      'give WSGIProcessGroup (process-group= of WSGIScriptAlias) the name of a WSGIDaemonProcess line that is read, in the same virtual host or outside of all of them: there is none called $<word>. A `;` or a quote at its end belongs to the name',
  },
  {
    pattern: /Unable to connect to WSGI daemon process/,
    remedy:
      'write `WSGISocketPrefix /run/httpd/wsgi` (Debian: /run/apache2/wsgi) outside of any virtual host: the directory of the socket must exist, and the user that httpd runs as must be able to enter it, which logs below ServerRoot does not allow on RHEL',
  },
  {
    pattern:
      /Truncated or oversized response headers received from daemon|Failed to proxy response from daemon/,
    remedy:
      'write `WSGIApplicationGroup %{GLOBAL}` for this program: its process of Python has ended too early, mostly by a module in C (numpy, lxml, cryptography) that bears no second interpreter. AH00051 or "segmentation fault" in the main error log shows it; a mod_python or mod_php beside it, and request-timeout=, end it as well',
  },
  {
    pattern: /Unable to (?:stat|determine) Python (?:home|path)|No module named ['"]?encodings/,
    remedy:
      'let python-home= (WSGIPythonHome) name the directory of a virtual environment, which has bin and lib, made with the release of Python that mod_wsgi is built for; the user that httpd runs as must be able to enter it and every directory above',
  },
  {
    pattern:
      /Passenger(?:Agent| ?Root\b| watchdog\b).*\b(?:not compiled|does not|not seem|wrong|start|incorrect)|PassengerAgent binary/,
    rule: 'third-party-module',
    remedy:
      'install Passenger for this httpd anew (Debian: libapache2-mod-passenger; the gem: `passenger-install-apache2-module`), and write the LoadModule, PassengerRoot and PassengerDefaultRuby lines that it prints in place of the old ones',
  },
  {
    pattern: /\bajp_ilink_receive|\bajp_read_header\b|\bAH0(?:0992|0878|1030)\b/,
    remedy:
      'with "Connection reset" or "End of file": write `secret=WORD` behind the URL in ProxyPass (2.4.42) and the same at the AJP connector of Tomcat, which since 2020 wants one and listens on 127.0.0.1 alone (`address="0.0.0.0"` beside the secret for a container or another machine; `secretRequired="false"` for an older httpd on the same one); see that its port speaks AJP. With "timeout": the program took longer than ProxyTimeout (60 s in 2.4, 300 s in 2.2)',
  },
  {
    pattern: /No module named '?(?:\w+\.)*(?:mod_?python)\b|handlers\.modpython/,
    rule: 'third-party-module',
    remedy:
      'run the program by mod_wsgi (WSGIScriptAlias with its wsgi.py) in place of mod_python (PythonHandler): Django has no handler for mod_python since 1.5, and newer systems have no mod_python',
  },
  {
    pattern: /ImportError: (?:No module|cannot import)|ModuleNotFoundError/,
    remedy:
      'install the modules of Python for the release that mod_wsgi is built for (`WSGIDaemonProcess … python-home=` names a virtual environment); the program may still be of Python 2. httpd itself is not in question',
  },
  {
    pattern: /Target WSGI script|mod_wsgi \(pid=|\bmod_wsgi\b.*\b[A-Z]\w*(?:Error|Exception): /,
    remedy:
      'read the last line of the traceback in the error log: it is the program that fails, not httpd. After a move it is mostly a module of Python that is missing for the release that mod_wsgi is built for (`WSGIDaemonProcess … python-home=` names a virtual environment; the paths show the release, /usr/lib/python2.6 as the case may be, and another one needs another build of mod_wsgi), a file that the user of the process may not read, or a program of Python 2',
  },
  {
    pattern: /mod_fcgid: HTTP request length \d+/,
    remedy:
      'raise FcgidMaxRequestLen (it begins with 131072 bytes since mod_fcgid 2.3.6; MaxRequestLen is its old name): an upload is larger',
  },
  {
    pattern: /\bWrapper \S+ cannot be accessed/,
    remedy:
      'install the program that FcgidWrapper names (php-cgi: Debian `apt-get install php-cgi`), or correct the path',
  },
  {
    pattern: /can ?not have (?:a|two) paths? when defined in a location|can not have a path when defined in/,
    rule: 'proxy-pass-in-directory',
    remedy:
      'write the URL of the backend alone (`ProxyPass http://127.0.0.1:8080/`): inside of <Location> its path is that of the section',
  },
  {
    pattern: /mod_fcgid: (?:error reading data|read data timeout|can't apply process slot)/,
    remedy:
      'look at the log of the program (and suexec.log): with "Connection reset" it ended at once (PHP: php-cgi or the wrapper is missing, of another release than its php.ini and extensions, or not allowed to run), with a timeout it needs more of FcgidIOTimeout or FcgidBusyTimeout, with "process slot" more of FcgidMaxProcesses. The names without Fcgid are of old releases',
  },
  {
    pattern: /Invalid mimetype: should contain a slash/,
    rule: 'strict-argument',
    remedy: 'write a type such as text/html: 2.2 refused this line, too',
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
    pattern: /<?Proxy>? arguments are not supported for (?:non|wildchar) url/,
    rule: 'proxy-section-regex',
    remedy: 'write <ProxyMatch> for <Proxy ~>',
  },
  {
    pattern: /ProxyIOBufferSize must be/,
    rule: 'proxy-io-buffer-size',
    remedy: 'write 8192, which 2.2 used for any smaller number',
  },
  {
    pattern: /\bAH01170\b|All workers are in error state/,
    remedy:
      'start the backends of this balancer: each has failed, and is left out for the seconds of its `retry` (60). The lines before this one (AH00957, AH01102, AH01114) say which failed, and why',
  },
  {
    pattern: /Unable to parse URL|URL must be absolute/,
    rule: 'strict-argument',
    remedy:
      'write the whole URL of the backend, with scheme and host (`http://127.0.0.1:8080/`, `balancer://NAME/`): it has none, or a variable or template in it was not filled in',
  },
  {
    pattern: /Failed to lookup provider 'shm'/,
    rule: 'load-module',
    remedy: 'load mod_slotmem_shm: balancers store their state with it',
  },
  {
    pattern: /Couldn't (?:create|bind|listen on) unix domain socket/,
    rule: 'script-sock',
    remedy: 'give ScriptSock an absolute path: in 2.4 a relative one is below DefaultRuntimeDir',
  },
  {
    pattern: /Cannot find LB Method|unknown lbmethod|Can't find '\w+' lb ?method/i,
    rule: 'load-module',
    remedy:
      'load mod_proxy_balancer, mod_slotmem_shm and mod_lbmethod_byrequests, or the lbmethod that the balancer names: in 2.4 each is a module of its own',
  },
  {
    pattern: /ProxyPass\w* cannot occur within <(?:Directory|Files)/,
    rule: 'proxy-pass-in-directory',
    remedy: 'move it to the server level, or into the <Location> of its URL',
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
