import type { Mapping } from '../mapping';
import { sectionRegex } from '../models';
import { type Scope, testNames } from '../policy';
import type { AccessRequest } from '../primitives';
import { sampleOf, sampleOfGlob } from './sample';

/** Where a request goes: what decides which sections it meets. */
export interface Target {
  readonly uri: string;
  readonly filename: string;
}

const MAX_DIRECTORIES = 12;
const MAX_CONDITIONALS = 4;

/** Targets of requests to a host that reach a scope, alone and together with the sections it can meet. */
export function targetsFor(
  scope: Scope,
  around: readonly Scope[],
  mapping: Mapping,
  vhost: Scope['vhost'] = scope.vhost,
): Target[] {
  const known = mapping.targets(vhost) !== undefined;
  if (!known) return anyTargets(scope, around);
  if (scope.kind === 'location') {
    const url = uriOf(scope);
    const bases = [
      '',
      '/',
      '/w.html',
      ...around.flatMap((one) => (one.kind === 'files' ? `/${baseOf(one) ?? 'w'}` : [])),
    ];
    // What has sections or a .htaccess of its own is a directory, also where the URL does not say so.
    const isDirectory = (path: string): boolean =>
      around.some(({ kind, pattern }) => (kind === 'directory' || kind === 'htaccess') && pattern.kind === 'path' && pattern.path === path); // prettier-ignore
    return (url === undefined ? [] : (mapping.targetsFrom(vhost, url) ?? [])).flatMap((filename) =>
      bases.slice(0, 7).map((base) => ({
        uri: `${url}${base}`,
        filename: `${filename}${base === '' && isDirectory(filename) ? '/' : base}`,
      })),
    );
  }
  return anyTargets(scope, around).flatMap(({ filename }) => {
    const uri = mapping.urlOf(vhost, filename);
    return uri === undefined ? [] : [{ uri, filename }];
  });
}

/** Targets where any URL may map to any file. */
function anyTargets(scope: Scope, around: readonly Scope[]): Target[] {
  const home = scope.kind === 'files' ? scope.parent : scope;
  const directories =
    home === undefined || home.kind === 'location' || home.kind === 'proxy'
      ? ['/', ...new Set(around.flatMap((one) => directoryOf(one) ?? []))].slice(0, MAX_DIRECTORIES)
      : [directoryOf(home)].filter((one) => one !== undefined);
  const bases = [
    'w.html',
    ...new Set(around.filter((one) => one.kind === 'files').flatMap((one) => baseOf(one) ?? [])),
  ];
  const own = scope.kind === 'files' ? [baseOf(scope)].filter((one) => one !== undefined) : bases.slice(0, 5);
  const others = around
    .filter((one) => one.kind === 'location' && one !== scope)
    .flatMap((one) => uriOf(one) ?? []);
  const uris =
    scope.kind === 'location'
      ? [uriOf(scope)].filter((one) => one !== undefined)
      : ['/w-other', ...others.slice(0, 4)];
  return directories.flatMap((directory) =>
    own.flatMap((base) =>
      uris.map((uri) => ({ uri, filename: `${directory === '/' ? '' : directory}/${base}` })),
    ),
  );
}

function directoryOf(scope: Scope): string | undefined {
  const { kind, pattern } = scope;
  if (kind !== 'directory' && kind !== 'htaccess' && kind !== 'directory-match') return undefined;
  if (pattern.kind === 'path') return pattern.path;
  if (pattern.kind === 'glob') return sampleOfGlob(pattern.glob);
  if (kind !== 'directory-match') return undefined;
  const text = sampleOf(sectionRegex(scope) ?? '')?.replace(/\/+$/, '');
  return text === undefined || text === '' ? undefined : text.startsWith('/') ? text : `/${text}`;
}

function baseOf(scope: Scope): string | undefined {
  const { pattern } = scope;
  if (pattern.kind === 'path') return pattern.path;
  return pattern.kind === 'glob' ? sampleOfGlob(pattern.glob) : sampleOf(sectionRegex(scope) ?? '');
}

function uriOf(scope: Scope): string | undefined {
  const { pattern } = scope;
  if (pattern.kind === 'path') return pattern.path.endsWith('/') ? `${pattern.path}w` : pattern.path;
  const text = pattern.kind === 'glob' ? sampleOfGlob(pattern.glob) : sampleOf(sectionRegex(scope) ?? '');
  return text === undefined ? undefined : text.startsWith('/') ? text : `/${text}`;
}

/** Settings of the undecided conditionals on the way: every one of a few; else none holds, all hold, one alone. */
export function settingsOf(met: readonly Scope[]): AccessRequest['config'][] {
  const names = testNames(met);
  if (names.length <= MAX_CONDITIONALS)
    return Array.from(
      { length: 2 ** names.length },
      (_, n) => (one: string) => ((n >> names.indexOf(one)) & 1) === 1 && names.includes(one),
    );
  return [() => false, () => true, ...names.map((name) => (one: string) => one === name)];
}
