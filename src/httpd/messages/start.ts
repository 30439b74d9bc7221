import type { MessageShape } from './shape';

/** Who has the port that httpd wants. */
export const PORT_TAKEN =
  'stop what holds the port (`ss -ltnp`): the old server, a second Listen line for it (ports.conf and ssl.conf), or another program. "Permission denied" means that httpd was not started as root, or that SELinux does not allow the port (`semanage port`)';

/** What keeps 2.4 from starting, or makes it complain at the start: MPM, files, ports, logs, the layout of packages. */
export const START_MESSAGES: readonly MessageShape[] = [
  {
    pattern: /More than one MPM loaded/,
    rule: 'load-module',
    remedy:
      'leave one LoadModule line of an MPM (mpm_event, mpm_worker, mpm_prefork) in what httpd reads (Debian: `a2dismod mpm_event && a2enmod mpm_prefork`; RHEL: conf.modules.d/00-mpm.conf); mod_php needs prefork',
  },
  {
    pattern: /Module (?<word>mpm_\w+) is enabled - cannot proceed due to conflicts/,
    rule: 'load-module',
    remedy:
      'run `a2dismod $<word>` first, then a2enmod again, and restart: of the MPMs only one can be enabled. A mod_php needs mpm_prefork and goes first, too (`a2dismod phpX.Y`), where another MPM is wanted',
  },
  {
    pattern:
      /\bModule \S+ already (?:enabled|disabled)|\b(?:Site|Conf) \S+ already (?:enabled|disabled)|a2(?:en|dis)mod\b.*(?:not|already) present|^"\w+" (?:not|already) present/,
    remedy:
      'nothing must be done here: it is in the state already that was asked for (`apache2ctl -M` shows what is loaded, also what is built in). Restart httpd if it has not been since',
  },
  {
    pattern: /Module (?<word>\w+) is enabled - cannot proceed due to conflicts/,
    rule: 'load-module',
    remedy: 'run `a2dismod $<word>` first, then a2enmod again: the two modules exclude each other',
  },
  {
    pattern: /\bAH01574\b|module \S+ is already loaded, skipping/,
    rule: 'load-module',
    remedy:
      'leave one LoadModule line for this module: httpd starts, and takes the file of the line that it reads first. Mostly the one of the package is right (Debian: mods-enabled, RHEL: conf.modules.d), and that which was carried over goes; where another PHP or the like is wanted, switch off that of the package (`a2dismod NAME`)',
  },
  {
    pattern: /running a threaded MPM\b.*\bPHP module is not compile\w* (?:to be )?thread-?safe/i,
    remedy:
      'run PHP by PHP-FPM, which suits every MPM, or load mpm_prefork instead of mpm_event or mpm_worker (Debian: `a2dismod mpm_event && a2enmod mpm_prefork`)',
  },
  {
    pattern: /\$\{APACHE_\w+\}.*\/etc\/httpd\b|\/etc\/httpd\b.*\$\{APACHE_\w+\}/,
    remedy:
      'write the path itself in place of the variable (`ErrorLog logs/NAME_error_log`, which is /var/log/httpd here): Debian sets ${APACHE_LOG_DIR} and the like in its envvars, and RHEL none of them. `Define APACHE_LOG_DIR /var/log/httpd` above the Include lines does as well',
  },
  {
    pattern:
      /\bAH00111\b|Config variable \$\{[^}]*\} is not defined|(?:bad|[Ii]nvalid|[Cc]annot|could not|does not exist|must be|No such).*\$\{\w+\}/,
    remedy:
      'start and test httpd by its control program (`apache2ctl configtest`, not `apache2 -t`): Debian sets APACHE_RUN_USER, APACHE_LOG_DIR and the like in /etc/apache2/envvars. Where the variable is your own, carry it over from the old envvars or sysconfig file, or write `Define NAME value`. RHEL sets none of these: write the path itself there (`ErrorLog logs/error_log`)',
  },
  {
    pattern:
      /envvars: No such file|Could not open configuration file \/etc\/apache2\/apache2\.conf|Can't open \/etc\/apache2\/envvars|needs to be defined in \/etc\/apache2\/envvars/,
    remedy:
      'install the files of the package again (`apt-get -o Dpkg::Options::=--force-confmiss install --reinstall apache2`), then bring your lines of 2.2 over: /etc/apache2/apache2.conf is read first, and envvars sets APACHE_PID_FILE, APACHE_RUN_USER and the like, without which nothing starts',
  },
  {
    pattern:
      /processes named '?(?:apache2|httpd)'? running which do not match your pid file|httpd \(pid (?<word>\d+)\?*\) not running/,
    remedy:
      'stop the old processes (`pgrep -a apache2`, or httpd; `pkill` by that name), then start httpd: one that was started before the upgrade, or by hand, holds the port, and its pid file is gone',
  },
  {
    pattern: /bad (?:user|group) name\b(?: (?<word>\S+))?/,
    remedy:
      'write a user and group that this system has (www-data on Debian, apache on RHEL, www on FreeBSD, wwwrun on SUSE), or create the old ones; files that the old user owned go to the new one',
  },
  {
    pattern: /NameVirtualHost \S+ has no VirtualHosts/,
    rule: 'name-virtual-host',
    remedy:
      'write the same address and port into NameVirtualHost and <VirtualHost> (`*:80` in both), or remove the line: it is a warning of a 2.2 (`httpd -v` shows what runs), and 2.4 needs no such line',
  },
  {
    pattern: /VirtualHost overlaps? |VirtualHost \S+ overlaps with/,
    rule: 'name-virtual-host',
    remedy:
      'it is of a 2.2, which needs `NameVirtualHost ADDRESS` for virtual hosts that share one (`httpd -v` shows what runs). 2.4 tells them apart by ServerName without it: start the new httpd',
  },
  {
    pattern: /Name duplicates previous WSGI daemon definition/,
    remedy:
      'give each WSGIDaemonProcess line a name of its own, and its WSGIProcessGroup the same: two virtual hosts, mostly those for ports 80 and 443, define one name; or write it once, outside of both',
  },
  {
    pattern: /python_init: Python version mismatch|mod_wsgi: (?:Compiled for|Runtime using) Python/,
    rule: 'third-party-module',
    remedy:
      'install the build of mod_wsgi (or mod_python) for the Python of this system: it was built with another release of it. Where it only warns, nothing must be done',
  },
  {
    pattern: /\bAH0055[678]\b|Could not reliably determine the server's fully qualified domain name/,
    remedy:
      'nothing must be done, httpd starts; to end the message, write `ServerName` with the name of this machine outside of any virtual host. What else is wrong stands in a line of its own',
  },
  {
    pattern: /Apache has not been designed to serve pages while/,
    remedy:
      'write User and Group with an account other than root (www-data on Debian, apache on RHEL), and start httpd as root all the same: it changes to that account itself. mod_wsgi-express takes --user and --group. 2.2 refused it, too',
  },
  {
    pattern: /Could not open config(?:uration)? (?:file|directory) .*: Permission denied/,
    remedy:
      'start and test httpd as root (`sudo apachectl configtest`), or let it read what the message names, and enter each directory on the way (`namei -l PATH`; with SELinux `restorecon -R` on the directory): the file is there',
  },
  {
    pattern: /Could not open configuration file (?<path>\S*apache2\/conf\.d\b\S*)/,
    rule: 'debian-layout',
    remedy:
      "remove the Include of conf.d: Debian's 2.4 has conf-available instead (a file that is named may be a link to nothing: remove it). Move each of its files to conf-available/NAME.conf and run `a2enconf NAME`; `httpd-codemod --format sh` prints these commands for all of them",
  },
  {
    pattern: /Could not open configuration file \S*mods-enabled\/(?<word>[\w.-]+?)\.(?:load|conf)\b/,
    rule: 'load-module',
    remedy:
      'the link in mods-enabled leads nowhere: `a2dismod -f $<word>` takes it away; where the module is still wanted, install its package and run `a2enmod $<word>`',
  },
  {
    pattern:
      /(?:\/s?bin\/|\benv: ['‘]?)(?:apache2|httpd|apachectl)\w*['’]?: (?:(?:command )?not found|No such file or directory)/,
    remedy:
      'install the program again (Debian: `apt-get install --reinstall apache2 apache2-bin`; RHEL: `dnf reinstall httpd`), and remove packages of 2.2 that are left (apache2.2-common): a part of the new one is missing',
  },
  {
    pattern:
      /^(?!.*\bon line \d).*\b(?:httpd|apache2)(?:\.exe)?: Could not open configuration file (?!\/etc\/apache2\/)\S*httpd\.conf\b/,
    remedy:
      'put the file there, or name the one that there is: `httpd -f FILE`, or `httpd -d SERVERROOT` (on Windows also `Define SRVROOT` in it, and a service is installed anew with `httpd -k install -f FILE`). It is the first file that httpd reads',
  },
  {
    pattern: /Could not open config(?:uration)? (?:file|directory)|\bInclude directory '[^']*' not found/,
    rule: 'include-pattern',
    remedy:
      'copy the file to the path that the message names (or install the package that has it), or correct or remove the Include line (where it is an old link that leads nowhere, `rm` it; a stock Debian of 2.4 has no httpd.conf, ports.conf it has). A path that it does not write begins at ServerRoot: /etc/apache2 or /etc/httpd, not the documents. IncludeOptional takes a pattern that matches nothing, but no plain name that is missing',
  },
  {
    pattern: /ERROR: Conf \S+ does not exist/i,
    rule: 'debian-layout',
    remedy:
      "put the file into /etc/apache2/conf-available under a name that ends in .conf (`mv /etc/apache2/conf.d/NAME /etc/apache2/conf-available/NAME.conf`; a package's file: `ln -s /etc/NAME/apache.conf /etc/apache2/conf-available/NAME.conf`), then run a2enconf again: Debian's 2.4 reads no conf.d. `httpd-codemod --format sh` prints these commands for all files",
  },
  {
    pattern:
      /\ba2(?:en|dis)(?:mod|site|conf)(?: \S+)?['’"]?(?:: | (?:is |was )?(?=not found)|: bash: )(?:command |Kommando |commande )?(?:not found|nicht gefunden|introuvable)|\ba2(?:en|dis)(?:mod|site|conf): orden no encontrada/,
    remedy:
      'call it as root with its path (/usr/sbin/a2ensite), and see that the package apache2 is installed: only Debian and Ubuntu have it. Elsewhere write the LoadModule line by hand (RHEL: /etc/httpd/conf.modules.d), and put the file of a site where an Include line reads it (RHEL: /etc/httpd/conf.d/NAME.conf)',
  },
  {
    pattern: /Failed to create shared memory segment on file \/|\bAH01762\b/,
    remedy:
      'create the directory of the file that the message names, for the user that httpd runs as, or let DefaultRuntimeDir name one that exists: /run and /var/run are empty after each start of the system, so let systemd make it (RuntimeDirectory= of the service, or a line in /etc/tmpfiles.d: `d /run/httpd 0710 root apache`)',
  },
  {
    pattern: /ERROR: Site \S+ does not exist/i,
    rule: 'debian-layout',
    remedy:
      "give the file a name that ends in .conf (`mv NAME NAME.conf` in /etc/apache2/sites-available), then run a2ensite again: Debian's 2.4 takes no other; the default site is called 000-default now. `httpd-codemod --format sh` prints these commands for all sites",
  },
  {
    pattern:
      /ERROR: Module mod_(?!auth[nz]_default|authn_alias|mem_cache|disk_cache)(?<word>\S+) does not exist/i,
    remedy: 'run `a2enmod $<word>`: a2enmod takes the name of a module without mod_ in front',
  },
  {
    pattern: /(?<tool>ERROR: Module) (?:mod_)?(?<module>\S+) does not exist/i,
    rule: 'load-module',
    remedy:
      '2.4 has no module of this name, or its package is not installed: authn_default, authz_default and mem_cache are gone, authn_alias is in authn_core, disk_cache is cache_disk, others come in libapache2-mod- packages',
  },
  {
    pattern:
      /\bAH00112\b|DocumentRoot (?:\[[^\]]*\] does not exist|must be a directory|'[^']*' is not a directory)/,
    remedy:
      'copy the documents to this path, correct DocumentRoot (without a slash in front it is below ServerRoot), or remove the virtual host that needs it no more. If it is there, httpd cannot read it: a directory on the way, SELinux (`restorecon -R PATH`), or a file system that is mounted later',
  },
  {
    pattern: /DefaultRuntimeDir must be a valid directory/,
    remedy:
      'create the directory, or start httpd by its control program, which sets the variable in it (apache2ctl on Debian)',
  },
  {
    pattern: /ServerRoot must be a valid directory/,
    remedy:
      'write the directory of the new server (/etc/apache2 on Debian, /etc/httpd on RHEL), or remove the line',
  },
  {
    pattern: /Cannot assign requested address.*(?:\bAH00072\b|could not bind to address)/,
    remedy:
      'write Listen with the port alone (`Listen 80`), or with an address that this machine has (`ip addr`): the one in the Listen line is that of the old server, or not up yet when httpd starts (after=network-online.target)',
  },
  {
    pattern: /\bAH00076\b|Failed to enable APR_TCP_DEFER_ACCEPT/,
    remedy:
      'nothing must be done, httpd starts; to end the message, write `AcceptFilter http none` and `AcceptFilter https none`: this system (WSL, a container) cannot wait for data before it hands on a connection',
  },
  {
    pattern: /\bAH00056\b|connect to listener on/,
    remedy:
      'nothing, if it comes at a stop or a graceful restart: httpd wakes its own processes so. Where they linger, write Listen for an address that works here (`Listen 0.0.0.0:80` where IPv6 is off)',
  },
  {
    pattern: /Permission denied.*(?:\bAH00072\b|could not bind to address)/,
    remedy:
      'start httpd as root (`sudo`; in a container without root, write Listen with a port above 1023): others may not listen on ports below 1024. If it was root, SELinux does not allow this port: `semanage port -a -t http_port_t -p tcp PORT`. On Windows, and in its WSL, another program holds it (IIS: `net stop w3svc`)',
  },
  {
    pattern: /(?:\(OS 100(?:48|13)\)|Only one usage of each socket address)(?!.*attempt to connect)/,
    rule: 'listen-twice',
    remedy:
      'stop what holds the port (`netstat -ano | findstr :80` shows its process: IIS, which is the service W3SVC, Skype, VMware, another httpd), or write another port into Listen (httpd.conf; extra/httpd-ssl.conf for 443) and ServerName',
  },
  {
    pattern: /\bAH000(?:69|72|73|75|77|78)\b|could not bind to address/,
    rule: 'listen-twice',
    remedy: PORT_TAKEN,
  },
  {
    pattern: /\(24\)Too many open files/,
    remedy:
      "raise the number of files that httpd may have open (`LimitNOFILE=` of its systemd unit; Debian's apache2ctl: APACHE_ULIMIT_MAX_FILES in envvars), or open fewer: one log with %v for many virtual hosts",
  },
  {
    pattern:
      /\(28\)No space left on device(?!.*(?:mutex|[Ll]ock\b|\bAH000(?:2[1-4]|0[1-5])\b|\bAH02478\b|[Ss]hared|scoreboard))/,
    remedy:
      'make room where the message says (`df -h`, and `df -i`: the number of files has a limit, too); old logs that httpd still has open are freed by a restart',
  },
  {
    pattern: /no listening sockets available|\bAH00451\b|\bAH00015\b|\bAH00019\b|Unable to open logs/,
    general: true,
    remedy:
      'read the line before this one: either a port is taken (AH00072): stop what holds the port (`ss -ltnp`), or remove the second Listen line for it; or a log cannot be opened (AH00089, AH00091): create the directory of the log',
  },
  {
    pattern:
      /(?:Permission denied|not permitted|Text file busy|No such device).*(?:\bAH00(?:089|09[01]|649)\b|could not open (?:error|transfer) log)/,
    rule: 'piped-log',
    remedy:
      'start and test httpd as root (`sudo apachectl configtest`): it opens its logs before it changes its user, and others may not write there. If it was root, let SELinux know the file (`restorecon -R` on the directory of the log, or a type httpd_log_t for one elsewhere); in a container, where /dev/stderr and /proc/self/fd/2 may be refused as well, write `ErrorLog "|/bin/cat"`',
  },
  {
    pattern:
      /\bAH00(?:08[69]|09[0-2]|103|104|106|107|108|648|649)\b|\bAH10036\b|could not open (?:error|transfer) log|piped log program (?:'[^']*' )?failed|Couldn't start (?:ErrorLog|piped log)/,
    rule: 'piped-log',
    remedy:
      'create the directory of the log, writable by root, or correct the path or program: 2.4 does not start without its logs. A program behind a pipe must exist, and runs in no shell unless the line begins with `|$`',
  },
  {
    pattern: /\bAH00(?:099|100)\b|could not (?:create \S+\.pid|log pid to file)/,
    remedy:
      'create the directory of PidFile (systems keep it in /run, which is empty after each start), or remove the PidFile line',
  },
  {
    pattern: /No space left on device.*(?:\bAH000(?:21|22|23|24)\b|\bAH02478\b|mutex|[Ll]ock\b)/,
    rule: 'accept-mutex',
    remedy:
      'remove the semaphores that a crashed httpd has left: stop httpd, and `ipcrm -s ID` for each that `ipcs -s` shows of its user; or raise kernel.sem, or write `Mutex pthread default`. The system has no more semaphores, mostly the disk is not full',
  },
  {
    pattern: /No such file or directory.*\bAH00023\b.*\(file (?<path>\/[^)]*)\/[^)/]*\)/,
    rule: 'accept-mutex',
    remedy:
      'create the directory $<path>, writable by the user that httpd runs as (`mkdir -p $<path>`), or write `Mutex file:DIRECTORY default` or DefaultRuntimeDir with one that exists; directories in /run and /var/run are gone after a start of the system',
  },
  {
    pattern: /\bAH00024\b|Couldn't set permissions on the \S+ mutex/,
    remedy:
      'set User and Group to accounts that this system has, and start httpd as root: it hands its locks over to them. Where it is not started as root, take the User and Group lines out',
  },
  {
    pattern:
      /\bAH00(?:021|022|023)\b|\bAH02478\b|Couldn't create the \S+ mutex|apr_proc_mutex_\w+ failed|[Ff]ailed to create \S+ mutex/,
    rule: 'accept-mutex',
    remedy:
      'remove the Mutex line, or write one of a kind that this system has (`Mutex posixsem`, where that is not supported `Mutex fcntl:DIRECTORY` with one that httpd may write); left-over semaphores are shown by `ipcs -s`',
  },
  {
    pattern: /\bAH00526: Syntax error on line [^\d\s]\S{0,9} of /,
    general: true,
    remedy: 'give the next line, which says what is wrong',
  },
  {
    pattern: /could(?:n't| not) create accept (?:mutex|lock)/,
    rule: 'accept-mutex',
    general: true,
    remedy:
      'remove the Mutex line, or write one of a kind that this system has (`Mutex posixsem`, where that is not supported `Mutex fcntl:DIRECTORY` with one that httpd may write); left-over semaphores are shown by `ipcs -s`',
  },
  {
    pattern: /\bAH02155\b|couldn't determine user name from uid/,
    rule: 'load-module',
    remedy:
      'load mod_unixd and set User and Group, outside of any virtual host, to an account of this system (www-data on Debian, apache on RHEL, www on FreeBSD)',
  },
  {
    pattern: /\bAH00136\b|Server MUST relinquish startup privileges/,
    rule: 'load-module',
    remedy: 'load mod_unixd: User and Group are its directives in 2.4',
  },
  {
    pattern: /of \d+ is not an integer multiple of ThreadsPerChild/,
    rule: 'max-clients',
    remedy:
      'write a multiple of ThreadsPerChild into MaxRequestWorkers (150 with 25, the default), or take both lines out: httpd starts with the next smaller multiple',
  },
  {
    pattern:
      /(?:MaxRequestWorkers|MaxClients)\b.{0,40}\b(?:higher|greater|larger) than (?:the )?ServerLimit|(?:MaxRequestWorkers|MaxClients|ServerLimit|ThreadLimit|ThreadsPerChild) of \d+ (?:exceeds|is not an integer|is less than|would require|would exceed)|\bAH00(?:17[5-9]|180|181|49[7-9]|50\d|51[0-6])\b/,
    rule: 'max-clients',
    remedy:
      'raise ServerLimit, or lower MaxRequestWorkers: it is at most ServerLimit times ThreadsPerChild, and a multiple of ThreadsPerChild (event, worker), or at most ServerLimit (prefork). httpd starts, with the smaller number',
  },
  {
    pattern:
      /\bAH00(?:161|286|484)\b|[Ss]erver reached Max(?:RequestWorkers|Clients)|\bAH10159\b|\bAH03490\b/,
    rule: 'max-clients',
    remedy:
      'raise MaxRequestWorkers and ServerLimit in the block of the MPM that is loaded (Debian: mods-available/mpm_*.conf): a block for prefork is not read where event is loaded, and event begins with 400. Where each connection waits for the same slow program, look at that instead',
  },
  {
    pattern: /\bAH00(?:288|485)\b|scoreboard is full, not at MaxRequestWorkers/,
    remedy:
      'update to 2.4.25 or later, and raise ServerLimit above MaxRequestWorkers divided by ThreadsPerChild: old processes that still finish long requests (after each graceful restart, or by a low MaxConnectionsPerChild) hold places that new ones need',
  },
  {
    pattern: /\b(?:httpd|apache2|apachectl|apache2ctl)\[\d+\]: \[\w{3} \w{3} +\d+ [\d:.]+ \d{4}\]$/,
    general: true,
    remedy:
      'get the whole line, and give that: systemd has cut it off behind its time. `apachectl configtest` (Debian: apache2ctl) prints it, or `journalctl -l --no-pager -u apache2` (RHEL: -u httpd)',
  },
  {
    pattern: /\bAH00546\b|no record of generation/,
    general: true,
    remedy: 'look for the line before this one: a process of httpd has ended too early, by a crash mostly',
  },
  {
    pattern: /\b(?:httpd|apache2)\b.{0,30}: segfault at .* in (?:mod_|lib)(?<module>[\w.-]+?)\.so\b/,
    foreign: '$<name> crashes',
    rule: 'third-party-module',
    remedy:
      'a module crashes, or a library of one, and this line names it: take it and httpd from one source, in one release, or leave the module out; with CoreDumpDirectory and gdb the dump tells where',
  },
  {
    pattern:
      /\bAH000(?:5[12]|60)\b|\b(?:httpd|apache2)\S*: .*(?:\bstatus=11\/SEGV|\bsignal=SEGV)|\b(?:apachectl|apache2ctl)\b.{0,20}: line \d+: +\d+ (?:Segmentation fault|Abort|Bus error|Illegal instruction)|\bfatal signal was delivered to the control process|seg fault or similar|exit signal (?:Segmentation fault|Aborted|Bus error)|\b(?:httpd|apache2)\b.{0,30}: (?:segfault at|double free|free\(\): invalid|malloc\(\): |corrupted size)/,
    remedy:
      'a module crashes, mostly one that is not of httpd or is built for another release (PHP and its extensions, mod_wsgi, mod_security): install its build for this httpd, or leave the modules out one by one; with CoreDumpDirectory and gdb the dump names it',
  },
  {
    pattern: /caught SIGWINCH/,
    general: true,
    remedy:
      'nothing, if httpd was told to stop (`systemctl stop`, `docker stop`). Where it stops by itself: a service of Type=notify needs mod_systemd, without which systemd takes it as not started (RHEL: `LoadModule systemd_module modules/mod_systemd.so`, in conf.modules.d/00-systemd.conf); a container with a terminal gets the signal when its window changes (run it without -t)',
  },
  {
    pattern:
      /\bAH0(?:0094|0163|0292|0455|0489|0169|0170|0171|0173|0292|0295|0297|0460|0491|0492|0493|0494|0045|0046|0047|1232|1628|1757|1759|1886|1887|1876|2282)\b|configured -- resuming normal operations|caught SIGTERM|Graceful restart requested/,
    general: true,
    remedy:
      'nothing: httpd says that it has started, stopped or read its configuration again. If something is wrong, another message says so',
  },
  {
    pattern: /File exists: .*[Ss]hared memory|[Ss]hared memory.*: File exists|shmget.*File exists/,
    remedy:
      'stop httpd and start it again, no reload: a segment of shared memory of the run before is still there (`ipcs -m`, and `ipcrm -m ID` where no httpd runs). If each reload brings it, update the module that the message is of, or have the log rotation restart',
  },
  {
    pattern: /\bAH0000[1-5]\b|scoreboard ".*shared memory failure|[Uu]nable to create or access scoreboard/,
    remedy:
      'create the directory that ScoreBoardFile names, or remove the line: without it httpd keeps its scoreboard in memory. If the system refuses that, raise its limits for shared memory (kernel.shmmax), or stop the httpd that holds it',
  },
  {
    pattern: /Permission denied.*(?:\bAH000(?:57|58)\b|Error retrieving pid file)/,
    remedy:
      'start httpd as root, or where it is to run as another user (a container), let that user write the directory of the pid file, or write PidFile with a path that it may write',
  },
  {
    pattern: /\bAH000(?:57|58)\b|Error retrieving pid file/,
    remedy:
      'remove the pid file that the message names, if no httpd runs: it is empty or broken; and see that PidFile is the path that the script which stops httpd expects (/run/apache2/apache2.pid on Debian, /run/httpd/httpd.pid on RHEL)',
  },
  {
    pattern: /\bAH0054[79]\b|Could not resolve host name|Failed to resolve server name/,
    remedy:
      'write * or the address into <VirtualHost>, and the name into ServerName: the name server did not answer when httpd started, and this virtual host is left out. Else enter the name in /etc/hosts',
  },
  {
    pattern: /\bAH00098\b|pid file \S+ overwritten/,
    remedy: 'nothing, if httpd was killed; else see that only one httpd uses this PidFile',
  },
  {
    pattern: /(?:httpd|apache2) \(pid \d+\) already running/,
    remedy:
      'stop the one that runs (`kill PID`; where it is the old server, by its own control program) and start the new one; to have it read its configuration again, write restart or graceful in place of start. Where the process of this number is no httpd, as in a container that was started again, remove the file that PidFile names (there before each start: `rm -f /run/apache2/apache2.pid`)',
  },
  {
    pattern: /(?:httpd|apache2) \(no pid file\) not running|(?:httpd|apache2) \(pid \d+\?\) not running/,
    remedy:
      'start httpd: it was told to stop or to read its configuration again, and none runs. If it does not start, `apachectl configtest` and the error log say why; if one runs that this program does not see, PidFile is not the path that it expects',
  },
  {
    pattern: /\b(?:dead but (?:subsys locked|pid file exists))\b/,
    remedy:
      'read the end of the error log: httpd has ended without its script, by a crash, or as it cannot write its pid file or a lock (create the directory that PidFile names, as /var/run/httpd, and remove a /var/lock/subsys/httpd that is left). Then start it again',
  },
  {
    pattern: /\bAH02291\b|Cannot access directory '[^']*' for/,
    remedy: 'create the directory, or write the log elsewhere: 2.4 looks for it in the configuration test',
  },
  {
    pattern: /Mutex type mpm-accept is not valid/,
    rule: 'accept-mutex',
    remedy: 'remove the line: this MPM has no accept mutex',
  },
  {
    pattern: /Invalid Mutex directory/,
    rule: 'accept-mutex',
    remedy:
      'give Mutex a directory that exists, not a file, or create the one that it names: directories in /run are gone after a start of the system, unless the unit of httpd or tmpfiles.d makes them',
  },
  {
    pattern: /Cannot define multiple Listeners on the same IP:port/,
    rule: 'listen-twice',
    remedy: 'remove one of the two Listen lines for this address',
  },
  {
    pattern:
      /suEXEC isn't supported|suEXEC is disabled|requires SUEXEC wrapper|\bsuexec (?:command|program|binary|wrapper) (?:was |is )?not found/,
    rule: 'suexec-user-group',
    remedy:
      'install the suexec program (Debian: apache2-suexec-pristine, or apache2-suexec-custom for directories other than /var/www; RHEL: it is in httpd), or remove the line: 2.2 only warned',
  },
  {
    pattern:
      /Failed to parse PID from file|(?:PID file|pid file) \S+ (?:not readable|\(yet\?\))|PIDFile= .*not/i,
    general: true,
    remedy:
      "write the path that the unit's PIDFile= names as PidFile (Debian: `PidFile ${APACHE_PID_FILE}`), and start httpd by systemctl alone; RHEL's unit reads none. Where httpd ended at once, its error log says why",
  },
  {
    pattern: /No matches for the wild(?: )?card|Include\/IncludeOptional: Could not open/,
    rule: 'include-pattern',
    remedy:
      "write IncludeOptional: Include refuses a pattern that matches nothing. Where files are missing, carry them over (Debian's 2.4 has conf-enabled/*.conf in place of conf.d)",
  },
];
