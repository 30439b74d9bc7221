const mutex = 'use Mutex, or remove the line: the default suits nearly every server';
const memCache = 'mod_mem_cache is gone; mod_cache_disk and mod_cache_socache replace it';
const authoritative =
  'Require lines and the blocks around them decide in 2.4: remove the line once they say what is meant';

/** What became of the directives of 2.2 that 2.4 does not know (2.4 server/core.c, modules/**; manual: upgrading). */
const reasons: Readonly<Record<string, string>> = {
  __proto__: null!,
  acceptmutex: mutex,
  lockfile: mutex,
  rewritelock: mutex,
  sslmutex: mutex,
  rewritelog: 'its messages go to the error log: use LogLevel with rewrite:trace1 to rewrite:trace8',
  rewriteloglevel: 'use LogLevel with rewrite:trace1 to rewrite:trace8',
  dumpiologlevel: 'use LogLevel with dumpio:trace7',
  cookielog: 'use CustomLog with the format "%{Cookie}n \\"%r\\" %t"',
  ssiaccessenable: 'the test -A of <!--#if --> is always available: remove the line',
  win32disableacceptex: 'use "AcceptFilter http none" and "AcceptFilter https none"',
  maxrequestsperthread: 'the MPM for BeOS is gone',
  mcachemaxobjectcount: memCache,
  mcachemaxobjectsize: memCache,
  mcachemaxstreamingbuffer: memCache,
  mcacheminobjectsize: memCache,
  mcacheremovalalgorithm: memCache,
  mcachesize: memCache,
  authdefaultauthoritative:
    'mod_authn_default is gone, and a user whom no provider knows is refused: remove the line',
  authzdefaultauthoritative:
    'mod_authz_default is gone, and what no Require line grants is refused: remove the line',
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
