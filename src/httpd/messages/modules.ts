import type { MessageShape } from './shape';

/** Modules that 2.4 cannot load, and libraries that they need. */
export const MODULE_MESSAGES: readonly MessageShape[] = [
  {
    pattern: /\bAH00534\b|No MPM loaded/,
    rule: 'load-module',
    remedy:
      'load one of mod_mpm_prefork, mod_mpm_worker and mod_mpm_event: an MPM is a module in 2.4 (Debian: `a2enmod mpm_event`; RHEL: `Include conf.modules.d/*.conf` in httpd.conf, whose 00-mpm.conf loads one). A container on overlay2 with `Supports d_type: false` (`docker info`) loses the links of mods-enabled: xfs needs ftype=1',
  },
  {
    pattern: /(?:Cannot load|shared object).*(?:Permission denied|Operation not permitted)/,
    rule: 'third-party-module',
    remedy:
      'let httpd read the file (`namei -l FILE`), and give it its type again (`restorecon -R` on the directory of the modules; elsewhere `chcon -t httpd_modules_t FILE`). "failed to map segment" comes from a file system that is mounted noexec as well; "segment prot" needs the type textrel_shlib_t, "executable stack" a build of the library without one (`execstack -c FILE`)',
  },
  {
    pattern: /cannot allocate memory in static TLS block/,
    rule: 'third-party-module',
    remedy:
      'load what the message names before the other modules: a `LoadFile` line with its path, or the LoadModule line of the module, at the top of all, or LD_PRELOAD in the environment of httpd; a newer C library has more room',
  },
  {
    pattern:
      /code signature (?:in|invalid|not valid)|Library Validation|[Cc]ode signing (?:authority|absent|blocked)/,
    rule: 'third-party-module',
    remedy:
      'run the httpd of the same source as the module (Homebrew\'s `brew services start httpd` for its PHP), or PHP by PHP-FPM and mod_proxy_fcgi: the httpd of macOS loads only modules that are signed. Else sign the file (`codesign -s NAME FILE`) and name the signer behind it: `LoadModule php_module FILE "NAME"`',
  },
  {
    pattern: /module \S+ is built-in and can't be loaded/,
    rule: 'load-module',
    remedy: 'remove this LoadModule line: the module is compiled in here',
  },
  {
    pattern: /expected signature 4150323[5-9]/,
    rule: 'third-party-module',
    remedy:
      'build the module against the httpd that runs here (with its own apxs): that one is a development version (2.5), and the module is built for an older one; or run the 2.4 that the module is for (`which -a httpd apache2`)',
  },
  {
    pattern: /expected signature 41503232|need 20051115/,
    rule: 'third-party-module',
    remedy:
      'the httpd that runs here is a 2.2, and the module is built for 2.4: start the new httpd (`which -a httpd apache2 apachectl`), or install the build of the module for 2.2',
  },
  {
    pattern: /\/lib(?:64)?\/libphp[\d.]*\.so: undefined symbol: \w+_module\b/,
    rule: 'third-party-module',
    remedy:
      'install PHP as a module of httpd, and let its package write the LoadModule line (Debian: `apt-get install libapache2-mod-php`, `a2enmod phpX.Y`; RHEL: php): this libphp.so is a library for other programs, and no module. PHP 8 is called php_module',
  },
  {
    pattern:
      /Can't locate API module structure [`'](?:mod_(?<word>\w+?)(?:_module)?|(?<bare>(?!\w*_module')\w+))' in file (?:\S*\/)?(?<file>[^\s/:]+)/,
    rule: 'third-party-module',
    remedy:
      'write `LoadModule $<word>$<bare>_module` and the path of $<file>: this is what it is mostly called within (`nm -D FILE | grep _module` shows it), without mod_ in front and with _module behind',
  },
  {
    pattern: /Can't locate API module structure [`']php\d?_module' in file (?:\S*\/)?(?<file>[^\s/:]+)/,
    rule: 'third-party-module',
    remedy:
      'write the name that this release of PHP has: `LoadModule php_module` for PHP 8 and later, php7_module for PHP 7 and php5_module for PHP 5, with the path of $<file>',
  },
  {
    pattern: /Can't locate API module structure [`'](?<word>[^']*)' in file (?:\S*\/)?(?<file>[^\s/:]+)/,
    rule: 'third-party-module',
    remedy:
      'LoadModule calls the module $<word>, and $<file> has none of this name: write the name that `nm -D FILE | grep _module` shows. If it shows none, the file is a library and no module of httpd (libmodsecurity is not mod_security3), or was built wrongly: take that of the package',
  },
  {
    pattern:
      /(?:(?:mod_|lib|structure ')(?<module>[\w.-]+?)(?:\.so\b|\.c\b|_module').*?)?(?:(?:undefined symbol|symbol not found) ?: _?(?:unixd_\w+|ap_(?:requires|log_[cpr]?error|default_type|my_generation|rputs|escape_html|threads_per_child|max_daemons_limit|lock_fname|mpm_(?:run|set_\w+)|accept_lock_mech|get_scoreboard_lb|get_server_version|graceful_stop_signalled))(?!\w)|is garbled|is not compatible with this version)/i,
    rule: 'third-party-module',
    foreign: '2.4 cannot load $<name> as built for 2.2',
    remedy:
      'the module is built for 2.2, and 2.4 cannot load that: install its build for 2.4, or build it by the apxs of this httpd (`apxs -q INCLUDEDIR`), from a release of its sources that is for 2.4',
  },
  {
    pattern:
      /(?<module>[\w.-]{1,80})\.so(?: into server)?: (?:undefined symbol|symbol not found) ?: _?(?:ap_proxy_\w+|proxy_(?:module|(?:hook|balancer)_\w+))/i,
    rule: 'load-module',
    remedy:
      'load mod_proxy, and mod_proxy_balancer for what balances, before this module: the symbol is of mod_proxy (Debian: a2enmod proxy proxy_balancer). Where they are loaded, this file is of another release of httpd than they are',
  },
  {
    pattern: /(?:undefined symbol|symbol not found) ?: _?(?<word>pcre_\w+)/i,
    rule: 'third-party-module',
    remedy:
      'install the build of this module for this httpd: it uses PCRE 8 ($<word>), and the httpd that loads it brings PCRE 10 alone (since 2.4.53). Where the module has none yet, leave it out, or stay with the httpd of the same source',
  },
  {
    pattern:
      /version [`']?(?<word>[\w.]+)'? not (?:found|defined in file)|with link time reference|(?:undefined symbol|[Ss]ymbol not found): _?(?:SSL|TLS|EVP|OPENSSL|CRYPTO|X509|BIO|BN|EC|DH|RSA|PEM|nghttp2|ldap|curl|xml|pcre2)_\w+/,
    rule: 'third-party-module',
    remedy:
      'another library is loaded than the module was built with (`ldd FILE` shows which): take httpd, its modules and the library from one source, or build the module again on this system; a LoadFile line, LD_LIBRARY_PATH or an own OpenSSL in /usr/local may stand before the one of the system',
  },
  {
    pattern: /(?:undefined symbol|symbol not found) ?: _?(?:ap|proxy)_\w+/i,
    rule: 'third-party-module',
    remedy:
      'the module is built for a newer httpd than the one that loads it, which `httpd -v` shows (a 2.2 still, or an older release of 2.4): start the new httpd, or install the build for this one',
  },
  {
    pattern: /(?:undefined symbol|symbol not found):? ["'`]?_?(?<word>\w+_module)\b/i,
    rule: 'third-party-module',
    remedy:
      'LoadModule calls the module $<word>, and the file has none of this name: write the name of its package or source there (`nm -D FILE | grep _module` shows it)',
  },
  {
    pattern: /(?:undefined symbol|symbol not found) ?: _?(?:apr|apu)_\w+/i,
    rule: 'third-party-module',
    remedy:
      'install httpd, APR, APR-util and this module from one source, in one release: the APR that is loaded (`ldd FILE`, `otool -L FILE`) is older than the one that this file was built with, or one left over in /usr/local',
  },
  {
    pattern: /(?:undefined symbol|symbol not found) ?: _?apreq_\w+/i,
    rule: 'third-party-module',
    remedy:
      'load mod_apreq2, which has the symbol (`LoadModule apreq_module modules/mod_apreq2.so`; Debian: a2enmod apreq2; RHEL: libapreq2): APR::Request::Apache2 and Apache2::Request work in a httpd that has it alone, so that `perl -MApache2::Request` fails in any case',
  },
  {
    pattern: /(?:undefined symbol|symbol not found) ?: _?dav_svn_\w+/i,
    rule: 'third-party-module',
    remedy:
      'load mod_dav_svn before mod_authz_svn, and mod_dav before both: the symbol is of mod_dav_svn (Debian: `a2enmod dav dav_svn`, and no LoadModule line of mod_authz_svn in a file that is read before dav_svn.load)',
  },
  {
    pattern: /(?:undefined symbol|symbol not found) ?: _?dav_\w+/i,
    rule: 'third-party-module',
    remedy:
      'load mod_dav before this module: load the module or the library that has this symbol before it (Debian: a2enmod dav)',
  },
  {
    pattern: /(?:(?:mod_|lib)(?<module>[\w.-]+?)\.so\b.*?)?(?:undefined symbol|symbol not found)/i,
    rule: 'third-party-module',
    foreign: 'this file of $<name> is made for another httpd or system, or is not whole',
    remedy:
      'load the module or the library that has this symbol before it, in a version that has it (`ldd FILE`); if nothing has, install the build of this module for this httpd and system, or build it again: this file was made for others, or is not whole',
  },
  {
    pattern: /Library not loaded: (?<word>[^\s\\]+)/,
    rule: 'third-party-module',
    remedy:
      'install $<word>, or the module again for what this system has now: the module is there, and the library that it was built with is not',
  },
  {
    pattern: /rebuild shared object with (?:IBT|SHSTK|BTI) support enabled/,
    rule: 'third-party-module',
    remedy:
      'install the build of the module, and of the library that the message names, from the packages of this release of the system: the loader refuses a library that was built without the protection that this program has (IBT, SHSTK)',
  },
  {
    pattern:
      /(?:mod_(?<module>[\w-]+?)\.so\b.*?)?(?:invalid ELF header|wrong ELF class|file too short|Exec format error(?!: exec of)|incompatible architecture|not a valid Win32 application)/i,
    rule: 'third-party-module',
    foreign: 'this file of $<name> is not whole, or is made for another processor or system',
    remedy:
      'install the build of this module for this system again (`file FILE` shows what it is): the file is not whole, no library (a text, an archive, an object file .o), or made for another processor, 32 bits in place of 64 or another system',
  },
  {
    pattern: /Cannot load (?:[a-z]:)?[^:]*php(?<word>\d*)apache2(?:_2)?\.dll/i,
    rule: 'third-party-module',
    remedy:
      'name the file of PHP that is for 2.4 (php$<word>apache2_4.dll; php8apache2_4.dll for PHP 8): the one in this line is for 2.2. It is in the thread-safe package (TS) of PHP for Windows, of the same bits and Visual C++ runtime as httpd, with its directory in PATH',
  },
  {
    pattern:
      /Cannot load (?!\S*mod_auth[nz]_default).* (?:The specified procedure|Die angegebene Prozedur|La proc\S+ sp|No se \w+ el proc)/,
    rule: 'third-party-module',
    remedy:
      'install the module as built for 2.4, with the Visual C++ runtime of this httpd: the file is there, and asks for a function that httpd or a library does not have, as one that is built for 2.2 does',
  },
  {
    pattern:
      /Cannot load (?!\S*mod_(?:auth[nz]_default|authn_alias|(?:disk|mem)_cache)\.)(?:[A-Za-z]:)?[^:]*(?:\.dll\b|\.\w+ into server: (?:The specified module|Das angegebene Modul|Le module sp|No se (?:puede encontrar|encuentra)|%1 ))/,
    rule: 'third-party-module',
    remedy:
      'see that the file exists at this path, is built for 2.4 with the same bits as httpd (32 or 64), and that the Visual C++ runtime and the libraries that it needs are installed and in PATH: Windows says the same of a missing file and of a missing library',
  },
  {
    pattern: /Cannot load \S+\.so(?:\.[0-9]+)+ into server/,
    rule: 'third-party-module',
    remedy:
      'remove the LoadFile line where no module needs the library any more, or correct its path: it is not there',
  },
  {
    pattern:
      /(?:: |"| )(?:\/\S*\/)?(?<word>(?!mod_|libphp|libmod)lib[\w+-]+\.so(?:\.\d+)*): cannot open shared object file/,
    rule: 'third-party-module',
    remedy:
      'install the library $<word> for this system (`ldd FILE` names all that are missing), or the module again as built for this one: the module is there, and what it needs is not. Where it is in /usr/local/lib, let the loader know (`ldconfig` after a line in /etc/ld.so.conf.d, or LD_LIBRARY_PATH in envvars)',
  },
  {
    pattern: /(?:Cannot load|cannot open shared object file).*?(?:mod_access_compat)\.so\b/,
    rule: 'order-allow-deny',
    remedy:
      'remove the LoadModule line (Debian: `a2dismod -f access_compat`), and convert the access lines of 2.2 with httpd-codemod: nothing needs the module then. The file is of 2.4; if it is missing here, the httpd that starts may still be a 2.2 (`httpd -v`)',
  },
  {
    pattern: /Cannot load \S*?(?:mod_|lib)(?<module>[a-z0-9_.-]+?)\.so\b[^:]*(?:\.{3}(?!\/)|\xe2\x80\xa6)/i,
    foreign: '$<name> is not installed in this place, or not as built for 2.4',
    remedy:
      'get the whole line, and give that: the reason is cut off here. `apachectl configtest` (Debian: apache2ctl) prints it, or `journalctl -l --no-pager -u apache2` (RHEL: -u httpd)',
  },
  {
    pattern: /(?:Cannot load|cannot open shared object file)\b.*?\/(?:lib|mod_)php(?<word>\d[\d.]*?)\.so\b/,
    rule: 'third-party-module',
    remedy:
      'PHP is not installed in this place as release $<word>: load the one that is (Debian: `a2dismod php$<word>`, after `apt-get install libapache2-mod-php` `a2enmod phpX.Y`; RHEL: `dnf install php`), and take the LoadModule line and the file of the old release out. LoadModule calls PHP 5 and 7 php5_module and php7_module, PHP 8 php_module. Or run PHP by PHP-FPM and mod_proxy_fcgi',
  },
  {
    pattern: /(?:Cannot load|cannot open shared object file).*?(?:mod_|lib)(?<module>[a-z0-9_.-]+?)\.so\b/i,
    foreign:
      '$<name> is not installed in this place, or not as built for 2.4 (where its package put the file elsewhere, correct the path of the LoadModule line)',
    rule: 'load-module',
    remedy:
      'remove the LoadModule line, or use the name that 2.4 has for the module: it may be gone or renamed',
  },
  {
    pattern: /Cannot load \S[^:]*(?::[\\/][^:]*)? into server: ./,
    rule: 'third-party-module',
    remedy:
      'see that the file is at this path, with the libraries that it needs (`ldd FILE`), and is a module that was built for this httpd (2.4, of the same architecture): what the loader of the system says of it stands behind "into server". Install its package for this system, or remove the LoadModule line',
  },
  {
    pattern:
      /'PassengerRoot' configuration option|'PassengerRoot' directive is set|Phusion Passenger watchdog/,
    rule: 'third-party-module',
    remedy:
      'write PassengerRoot with the path of the Passenger that this server has (`passenger-config --root`), and PassengerRuby or PassengerDefaultRuby with its Ruby, as the file of its package does (passenger.conf): it must be of the same release as mod_passenger.so, and the path of the old server leads nowhere',
  },
  {
    pattern: /Invalid LoadModule path/,
    remedy:
      'correct the path in the LoadModule or LoadFile line: it has an unescaped backslash, no closing quotation mark, or letters beyond ASCII in a directory (on Windows install httpd below a path of plain letters, as C:/Apache24, and write / for \\)',
  },
  {
    pattern: /^(?:[Ll]ine \d+ ?: ?)?LoadFile "?[^"\s]+"?$/,
    general: true,
    remedy:
      'correct the path: the file that LoadFile names must exist on this machine, with its drive on Windows (C:/xampp/php/php8ts.dll), and be of the same architecture and build as httpd. `httpd -t` says which of these is not so',
  },
];
