/** Directives of httpd's own modules that only some builds have (server/core.c, server/mpm_common.c: #ifdef). */
const builds: Readonly<Record<string, string | undefined>> = {
  __proto__: null!,
  cgimapextension: 'for NetWare',
  scriptinterpretersource: 'for Windows',
  gprofdir: 'for profiling (GPROF)',
  enableexceptionhook: 'configured with --enable-exception-hook',
};

/** Which builds of httpd have a directive, where it is not all of them. */
export function buildOf(name: string): string | undefined {
  return builds[name.toLowerCase()];
}
