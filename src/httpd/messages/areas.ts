import type { LogMessage } from './log-message';

/**
 * What to do about the numbered messages of a module that have no words of their own here: the module as a pattern, and the
 * remedy. The first that fits counts.
 */
const AREAS: readonly (readonly [RegExp, string])[] = [
  [
    /^ssl$/,
    'read the lines beside this one: "SSL Library Error" gives the reason of OpenSSL. At the start it is a certificate, key, chain, protocol or cipher that this OpenSSL refuses; at a request mostly the client broke off or has no certificate that SSLCACertificateFile covers',
  ],
  [
    /^(?:authnz_ldap|ldap)$/,
    'see that this machine reaches the LDAP server (`ldapsearch -H URL`), by ldaps with its CA in LDAPTrustedGlobalCert, that AuthLDAPBindDN and its password are right, and that LDAPSharedCacheFile, if set, can be written',
  ],
  [
    /dbd$/,
    'install the driver of the database for APR (Debian: libaprutil1-dbd-mysql and the like; RHEL: apr-util-mysql), and see that DBDriver, DBDParams and the query are right and the database answers from this machine',
  ],
  [
    /dbm$/,
    'make the DBM file again on this system (htdbm, httxt2dbm), or name its type (AuthDBMType, AuthzDBMType): the default type of the new library of DBM may be another one; the user that httpd runs as must be able to read it',
  ],
  [
    /^auth_digest$/,
    'mostly nothing: after a restart each client is asked once more, for its nonce is old. Where all are refused, AuthName must be the realm for which htdigest made the file; where httpd does not start, its shared memory needs DefaultRuntimeDir to exist',
  ],
  [
    /^(?:auth_basic|authn_\w+|authz_\w+|access_compat|auth_form)$/,
    'see that the section names AuthType, its provider and a Require line, that their modules are loaded, and that their files exist and can be read by the user that httpd runs as; --explain shows which section decides a request',
  ],
  [
    /^cgid?$/,
    'run the program by hand as the user of httpd: it must exist, be executable, name an interpreter that this machine has, and answer in time. Where mod_cgid itself fails, ScriptSock must lie in a directory that exists, as an absolute path',
  ],
  [
    /^include$/,
    'look at the line of the page that the message names: 2.4 reads the conditions of #if in another way than 2.2 (`SSILegacyExprParser on` keeps the old one), and what it includes must exist',
  ],
  [
    /^rewrite$/,
    'look at the map, file or flag that the message names: the file of a RewriteMap must exist and be readable, a program of prg: runs as the user of httpd, and locks are made by Mutex now. `LogLevel rewrite:trace3` shows what the rules do',
  ],
  [
    /^proxy_balancer$|^slotmem_shm$|^lbmethod/,
    'load mod_slotmem_shm and the module of the lbmethod that the balancer names, and see that DefaultRuntimeDir exists and can be written: balancers keep their state there',
  ],
  [
    /^proxy/,
    'see that the backend answers at this address from this machine (`curl`), speaks the protocol of the URL, and gives its whole answer within ProxyTimeout, which begins with 60 s in 2.4 where 2.2 waited 300 s; its own log says more',
  ],
  [
    /^(?:cache|file_cache|mem_cache)/,
    'see that CacheRoot exists and can be written by the user that httpd runs as; empty it after the upgrade, for 2.4 reads no file that 2.2 has written there',
  ],
  [
    /^socache_|^watchdog$/,
    'see that the directory of the cache or lock exists and can be written (SSLSessionCache, SSLStaplingCache, AuthnCacheSOCache, Mutex), and that a second httpd does not use it',
  ],
  [
    /^dav/,
    'nothing, where an element, a header or a Depth of the request is missing or wrong: the client sent it so. Else see that DavLockDB names a file in a directory that the user that httpd runs as can write, and that this user can write what is published; start with an empty lock database, for that of the old server may have another format',
  ],
  [
    /^(?:deflate|brotli|charset_lite|ext_filter|filter|reflector|sed|substitute|xml2enc|proxy_html|ratelimit|request|data|buffer)$/,
    'look at the filter that the message names: its module must be loaded, its program or character set exist, and its input be what it expects (a body that is compressed already, or broken off by the client)',
  ],
  [
    /^(?:alias|negotiation|mime|mime_magic|autoindex|imagemap|asis|cern_meta|expires|headers|setenvif|usertrack|userdir|speling|dir|vhost_alias|status|info|env|actions)$/,
    'look at the file or line that the message names: it must exist, be readable by the user that httpd runs as, and be written as the manual of 2.4 has it',
  ],
  [
    /^log_/,
    'see that the directory of the log exists and can be written by root, and that a program behind a pipe exists: it runs without a shell unless the line begins with `|$`',
  ],
  [
    /^remoteip$/,
    'write RemoteIPHeader and RemoteIPInternalProxy with the addresses of the proxies in front: a request came with a header or by an address that the lines do not expect',
  ],
  [/^ident$/, 'write `IdentityCheck Off`: hardly any client answers it'],
  [/^so$/, 'link the module into this httpd: the system loads none'],
  [
    /^(?:isapi|win32|privileges)$/,
    'look at the file that the message names: it must exist, be readable and be built for this system',
  ],
  [
    /^unixd$/,
    'load mod_unixd, and set User and Group to an account of this system: httpd changes to it after it has opened its ports and logs, which needs root',
  ],
  [
    /^mpm_/,
    'look at the sizes of the MPM that is loaded (MaxRequestWorkers, ServerLimit, ThreadsPerChild), and at the limits of the system for processes, files and memory (`ulimit`, TasksMax and LimitNOFILE of systemd), which the error in front of the number names',
  ],
  [
    /^core$/,
    'read the error in front of the number ("No such file", "Permission denied", "Address already in use"): it concerns the file, directory or port that the message names, and the user that httpd runs as. Where there is none, and a [client], this request was refused for what the message says',
  ],
];

/** What to do about a numbered message, by the module that logs it. */
export function remedyOfArea({ id, module }: LogMessage): string | undefined {
  if (id === 'AH00526')
    return 'read what stands behind this message or in the next line, which says what is wrong: give both';
  const area = AREAS.find(([pattern]) => pattern.test(module))?.[1];
  return (
    area ??
    `mod_${module} came with 2.4, so no line of 2.2 asks for it: correct the lines of 2.4 that do, or remove its LoadModule line if nothing needs it`
  );
}
