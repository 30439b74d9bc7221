import type { MessageShape } from './shape';

/** What package managers say while they replace 2.2 by 2.4. */
export const PACKAGE_MESSAGES: readonly MessageShape[] = [
  {
    pattern:
      /Package apache2-mpm-\S+ is not available|\bapache2-mpm-\w+ : Depends:|(?:\bE: |\bDepends: ).*?\bapache2-mpm-\w/,
    rule: 'load-module',
    remedy:
      "install apache2 alone: with Debian's 2.4 each MPM is a module of that package, and one is enabled (`a2dismod mpm_event && a2enmod mpm_prefork`; mod_php needs prefork). Only mpm_itk has a package of its own, libapache2-mpm-itk",
  },
  {
    pattern: /apache2_switch_mpm|Could not switch to prefork MPM|MPM \w+ not found/,
    rule: 'load-module',
    remedy:
      'install apache2 first and by itself (2.4: its MPMs are modules that a2enmod knows), then enable both: `a2dismod mpm_event; a2enmod mpm_prefork` and `a2enmod phpX.Y` (`dpkg --configure -a` ends a broken installation). Where an apache2 of 2.2 is left, it goes first',
  },
  {
    pattern: /\bapache2-(?:threaded|prefork)-dev\b/,
    rule: 'third-party-module',
    remedy:
      'install apache2-dev: in 2.4 it has apxs and the headers for all MPMs. A module that was built with those of 2.2 must be built again',
  },
  {
    pattern:
      /(?:\b(?:libapache2-mod-|mod_)(?<module>[\w-]+?)(?:-\d\S*)? .*)?(?:\bapache2\.2-(?:common|bin)\b|\bapache2-api-20051115\b|\bhttpd-mmn = 20051115)(?!.*not configured yet)/,
    foreign: 'this package of $<name> is built for 2.2',
    rule: 'third-party-module',
    remedy:
      'remove the packages that are built for 2.2 (apache2.2-common, apache2.2-bin, and each module that asks for them), and install their builds for 2.4. On Debian `apt-get remove`, not purge: purging apache2.2-common may take files of /etc/apache2 along',
  },
  {
    pattern:
      /(?:Unable to locate package|\bPackage(?=.* (?:candidate|not available))|\bNo package|find a match:|for argument:|nothing provides) '?(?:libapache2-mod-|mod_)(?<module>[\w-]+)/i,
    foreign: 'this system has no package of $<name> under this name',
    rule: 'third-party-module',
    remedy:
      'look for the name that the package has in this release (`apt-cache search libapache2-mod`, `dnf search mod_`): it may be called otherwise, be part of the package of httpd itself, or be gone with 2.2',
  },
  {
    pattern:
      /Configuration file [`']+\/etc\/apache2\/|\/(?:apache2|httpd)\/\S+\.(?:rpmnew|rpmsave|dpkg-(?:dist|old|new)|ucf-dist)\b/,
    remedy:
      'keep a copy of the old files, convert that with httpd-codemod, and carry your own lines over into the new files of the package (.dpkg-dist, .rpmnew, or those in place where the old ones became .dpkg-old, .rpmsave): the main file of 2.2 loads no MPM, and names files and modules that 2.4 does not have',
  },
  {
    pattern:
      /\bconfig_vars\.mk: No such file|\bapxs2?(?: *: *(?:Error: Config file \S+ |(?:command )?)not found| (?:was )?not found)|\b(?:find|locate) apxs/i,
    rule: 'third-party-module',
    remedy:
      'install the development files of the httpd that runs (Debian: apache2-dev; RHEL: httpd-devel; of an image or an own build the directory build beside its modules), and build with its apxs (`--with-apxs=PATH`): the one that is called is not there, or belongs to another httpd that is gone',
  },
  {
    pattern: /\bconfigure: error: (?<word>APR(?:-util)?|pcre\S*)\b.*\bnot found\b/i,
    remedy:
      'install $<word> with its headers (Debian: libapr1-dev, libaprutil1-dev, libpcre2-dev; RHEL: apr-devel, apr-util-devel, pcre2-devel), or unpack APR and APR-util into srclib and say `--with-included-apr`: the sources of 2.4 no longer bring them along',
  },
  {
    pattern: /\b(?<word>\w+) only allowed once\b/,
    remedy:
      'leave one $<word> line: another file that httpd reads has it as well (mod_jk on Debian: mods-enabled/jk.conf)',
  },
  {
    pattern: /\bCould not find worker with name '(?<word>[^']{1,80})'/,
    rule: 'third-party-module',
    remedy:
      'name $<word> in `worker.list=` of the file that JkWorkersFile names, or remove the JkMount lines with it',
  },
  {
    pattern:
      /\b(?:no member named|implicit declaration of function|undeclared|unknown type name)\W.{0,3}(?:remote_(?:ip|addr)|loglevel|ap_\w+|unixd_\w+|require_line)\b|\bunixd_\w+' undeclared|\bconn_rec\b.*\bremote_(?:ip|addr)\b|^(?=.*\b(?:apache|httpd)[ /-]?2\.4\b).*\b(?:not able to|unable to|fails? to|cannot|can.t|does not|doesn.t|not) (?:re)?(?:build|compile)\b(?!.*thread)/,
    rule: 'third-party-module',
    remedy:
      'take a release of this module that is for 2.4: its sources are for 2.2. What 2.2 called remote_ip and remote_addr in conn_rec is client_ip and client_addr in 2.4; behind mod_remoteip, useragent_ip of the request is that of the client',
  },
  {
    pattern: /^(?=.*\bapache22\b)(?=.*\bapache24\b).*\bconflicts\b/is,
    remedy:
      'keep a copy of the configuration, remove apache22 with the modules that were built for it (ap22-…), and install apache24 with theirs (ap24-…); ports need `DEFAULT_VERSIONS+=apache=2.4`',
  },
];
