const mutex = 'use Mutex, or nothing: its default serves nearly every server';
const memCache = 'mod_mem_cache is gone; mod_cache_disk and mod_cache_socache take its place';
const authoritative =
  'the order of Require lines and their Require blocks decide now, so remove it once they say what is meant';

/** What became of the directives of 2.2 that 2.4 does not know (2.4 server/core.c, modules/**; manual: upgrading). */
const reasons: Readonly<Record<string, string>> = {
  acceptmutex: mutex,
  lockfile: mutex,
  rewritelock: mutex,
  sslmutex: mutex,
  rewritelog: 'the error log takes its messages now: see LogLevel',
  rewriteloglevel: 'use LogLevel with rewrite:trace1 to rewrite:trace8',
  dumpiologlevel: 'use LogLevel with dumpio:trace7',
  cookielog: 'use CustomLog with the format "%{Cookie}n \\"%r\\" %t"',
  ssiaccessenable: 'the access test of <!--#if --> is always at hand now, so that this line can go',
  win32disableacceptex: 'use "AcceptFilter http none" and "AcceptFilter https none"',
  maxrequestsperthread: 'the MPM for BeOS is gone',
  mcachemaxobjectcount: memCache,
  mcachemaxobjectsize: memCache,
  mcachemaxstreamingbuffer: memCache,
  mcacheminobjectsize: memCache,
  mcacheremovalalgorithm: memCache,
  mcachesize: memCache,
  authdefaultauthoritative: 'mod_authn_default is gone: who no provider knows is refused',
  authzdefaultauthoritative: 'mod_authz_default is gone: what no Require line grants is refused',
  authzdbmauthoritative: authoritative,
  authzgroupfileauthoritative: authoritative,
  authzldapauthoritative: authoritative,
  authzownerauthoritative: authoritative,
  authzuserauthoritative: authoritative,
};

/** Why 2.4 does not know a directive of 2.2, or what replaces it. */
export function reasonGone(name: string): string | undefined {
  return reasons[name.toLowerCase()];
}
