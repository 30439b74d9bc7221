import type { ScopeKind } from '../policy';

/** Sections that access lines belong to. */
export const SCOPES: Readonly<Record<string, ScopeKind>> = {
  directory: 'directory',
  directorymatch: 'directory-match',
  files: 'files',
  filesmatch: 'files',
  location: 'location',
  locationmatch: 'location',
  proxy: 'proxy',
  proxymatch: 'proxy',
};

/** Nothing but Files may stand inside another section, and it only in these (server/core.c: the NOT_IN_… flags). */
export const HOLDS_FILES = new Set<ScopeKind>(['directory', 'directory-match', 'htaccess']);

/** Decided when the configuration is read. */
export const CONDITIONALS = new Set([
  'ifmodule',
  'ifdefine',
  'ifversion',
  'iffile',
  'ifdirective',
  'ifsection',
]);
/** Of 2.4's authorization. */
export const CONTAINERS = new Set(['requireall', 'requireany', 'requirenone', 'authzprovideralias']);
/** Decided anew for each request, in 2.4. */
export const PER_REQUEST = new Set(['if', 'elseif', 'else']);
