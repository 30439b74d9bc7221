import { awakesIn24 } from '../collect';
import { type Target, type UrlMapping, examplesOf, targetHolds } from '../mapping';
import { fileMatches, placedScopes } from '../models';
import { type Scope, regexOf, testNames, testNames24 } from '../policy';
import {
  type Config,
  type AccessRequest,
  EMPTY_LIST,
  areSameLists,
  globEndings,
  globPrefixMatches,
  isWithin,
  lazy,
  locationCovers,
  memo,
  regexEndings,
  subsetsOf,
} from '../primitives';
import { sampleOfGlob, samplesOf } from './pattern-samples';

/** Where a request goes: what decides which sections it meets. */
export type RequestTarget = Pick<AccessRequest, 'uri' | 'filename' | 'server'>;

const MAX_DIRECTORIES = 12;
const MAX_URLS = 6;
const MAX_CONDITIONALS = 4;
/** Stands for any URL that no section is for. */
const OTHER_URL = '/w-other';

/** Targets of requests to a host that reach a scope, alone and together with the sections it can meet. */
export function targetsFor(
  scope: Scope,
  around: readonly Scope[],
  mapping: UrlMapping,
  vhost: Scope['vhost'] = scope.vhost,
): RequestTarget[] {
  const server = mapping.traitsOf(vhost);
  return targetsIn(scope, around, mapping, vhost).map((target) => ({ ...target, server }));
}

function targetsIn(
  scope: Scope,
  around: readonly Scope[],
  mapping: UrlMapping,
  vhost: Scope['vhost'],
): RequestTarget[] {
  const leadsTo = (url: string): readonly Target[] | undefined =>
    mapping.targetsFrom(vhost, { kind: 'path', path: url });
  // What is not followed for all URLs may be known for those that are asked about.
  const isKnown =
    mapping.targets(vhost) !== undefined ||
    (scope.kind === 'location' && urisOf(scope).every((url) => leadsTo(url) !== undefined));
  if (!isKnown)
    return anyTargets(scope, around).filter(
      ({ uri, filename }) =>
        uri === OTHER_URL || (leadsTo(uri)?.some((target) => targetHolds(target, filename)) ?? true),
    );
  const locations = around.filter(({ kind }) => kind === 'location');
  // What has sections or a .htaccess of its own is a directory, also where the URL does not say so.
  const byName = around.filter(({ kind }) => kind === 'directory' || kind === 'htaccess');
  const directories = new Set(byName.flatMap((other) => directoriesOf(other)));
  const asThere = (path: string): string => (directories.has(path) ? `${path}/` : path);
  // Other URLs of a file lead to the same decision, unless a Location is for some of them.
  const served = (path: string): readonly RequestTarget[] => {
    const filename = asThere(path);
    const all = mapping
      .urlsOf(vhost, path)
      .slice(0, MAX_URLS)
      .map((uri) => ({ uri, filename }));
    if (all.length < 2) return all;
    const met = all.map((target) => placedScopes(locations, target));
    return all.filter((_, i) => met.findIndex((other) => areSameLists(other, met[i]!)) === i);
  };
  const roots = directoriesIn(mapping.targets(vhost));
  if (scope.kind === 'location') {
    const files = around.filter(({ kind }) => kind === 'files');
    const endings = ['', '/', '/w.html', ...files.map((section) => `/${basesOf(section)[0] ?? 'w'}`)];
    const listed = around.flatMap(directoriesOf);
    const { aliases } = mapping.aliasesOf(vhost);
    const aliasesBelow = (path: string): readonly string[] =>
      aliases.flatMap(({ url }) => (url !== path && locationCovers(path, url) ? url : []));
    // What an Alias below it serves has the URL of that one.
    const from = (url: string): readonly RequestTarget[] =>
      (mapping.targetsFrom(vhost, { kind: 'path', path: url }, aliasesBelow(url)) ?? EMPTY_LIST)
        .flatMap((target) => examplesOf(target, listed))
        .flatMap((filename) =>
          endings.slice(0, 7).map((base) => ({
            uri: `${url}${base}`,
            filename: asThere(`${filename}${base}`),
          })),
        );
    const uris = urisOf(scope);
    const [direct = EMPTY_LIST, ...others] = uris.map(from);
    const ownRoots = uris.flatMap((url) => directoriesIn(leadsTo(url)));
    const inDirectories = [...filesIn(scope, around, ownRoots), ...samplesBelow(scope, [...roots, ...listed])]
      .flatMap(served)
      .filter((target) => placedScopes([scope], target).length > 0);
    const below = uris.flatMap(aliasesBelow).slice(0, MAX_URLS);
    const first = [
      ...direct.slice(0, 7),
      ...others.flatMap((targets) => targets.slice(0, 3)),
      ...[...urisCovered(scope, locations), ...below].flatMap((url) => from(url).slice(0, 2)),
    ];
    return [...first, ...inDirectories, ...direct.slice(7), ...others.flatMap((targets) => targets.slice(3))];
  }
  return filesIn(scope, around, roots).flatMap(served);
}

/** Targets of which the URL is asked with several slashes, too. */
const MAX_DOUBLED = 4;

/** Targets in other directories, by URLs with two slashes at the end, everywhere, or first: they lead to the same files. */
export function withDoubledSlashes(targets: readonly RequestTarget[]): readonly RequestTarget[] {
  const places = new Map<string, RequestTarget>();
  for (const target of targets) {
    const directory = target.filename.slice(0, target.filename.lastIndexOf('/'));
    if (!places.has(directory)) places.set(directory, target);
    if (places.size === MAX_DOUBLED) break;
  }
  return [...places.values()].flatMap((target) => {
    const last = target.uri.lastIndexOf('/');
    const inside = [
      `${target.uri.slice(0, last)}/${target.uri.slice(last)}`,
      `/${target.uri.slice(1).replaceAll('/', '//')}`,
    ];
    // Both servers take slashes at the beginning for one, but in `GET http://host//a` (server/protocol.c: ap_parse_uri).
    const uris = [...inside.filter((uri) => !uri.startsWith('//')), `/${target.uri}`];
    return [...new Set(uris)].map((uri) => ({ ...target, uri }));
  });
}

function directoriesIn(targets: readonly Target[] | undefined): readonly string[] {
  return (targets ?? []).flatMap((target) => (target.kind === 'directory' ? target.path : []));
}

/** Files in directories whose URL may end as a Location says that has a pattern. */
function samplesBelow(location: Scope, directories: readonly string[]): readonly string[] {
  if (location.pattern.kind === 'path') return EMPTY_LIST;
  const ends = urisOf(location);
  return [...new Set(directories)]
    .slice(0, MAX_DIRECTORIES)
    .flatMap((directory) => ends.map((end) => `${directory === '/' ? '' : directory}${end}`));
}

/** Targets where any URL may map to any file. */
export function anyTargets(scope: Scope, around: readonly Scope[]): RequestTarget[] {
  const others = around.filter((section) => section.kind === 'location' && section !== scope);
  const uris =
    scope.kind === 'location'
      ? [...urisOf(scope), ...urisCovered(scope, others)]
      : [OTHER_URL, ...others.flatMap(urisOf).slice(0, 4)];
  return filesIn(scope, around).flatMap((filename) => uris.map((uri) => ({ uri, filename })));
}

const MAX_FILE_NAMES = 8;
const MAX_BELOW = 8;

/**
 * Files that a scope is met for, alone and with the sections around it: in each directory first one, then the next.
 * @param roots directories that a server serves: one of them may lie below the scope, where no section tells of it
 */
function filesIn(scope: Scope, around: readonly Scope[], roots: readonly string[] = EMPTY_LIST): string[] {
  const holder = scope.kind === 'files' ? scope.parent : scope;
  const named = [...new Set([...roots, ...around.flatMap(directoriesOf)])];
  const isAnywhere = holder === undefined || holder.kind === 'location' || holder.kind === 'proxy';
  // Of a section for directories its own, and those below them that have sections of their own.
  const covered = isAnywhere
    ? [...roots, '/']
    : [...directoriesOf(holder), ...named.flatMap((path) => directoriesBelow(holder, path))];
  const inside = named.filter((path) => isAnywhere || covered.some((above) => isWithin(path, above)));
  const directories = [...new Set([...covered, ...inside])].slice(0, MAX_DIRECTORIES);
  // Sections for a pattern are met below these by other paths than their samples.
  const patterns = around.filter((other) => other !== holder && isForDirectoriesByPattern(other));
  const below = patterns.flatMap((other) => directories.flatMap((path) => directoriesBelow(other, path)));
  const all = new Set([...directories, ...below.slice(0, MAX_BELOW)]);
  // What ends as such a regex says is a file in 2.4. One that lets nobody in is told of by another rule.
  const whole = holder !== undefined && awakesIn24(holder) ? directories : EMPTY_LIST;
  const files = fileNamesFor(scope, around).flatMap((base) =>
    [...all].map((directory) => `${directory === '/' ? '' : directory}/${base}`),
  );
  return [...whole, ...files];
}

function isForDirectoriesByPattern({ kind, pattern }: Scope): boolean {
  return kind === 'directory-match' || (kind === 'directory' && pattern.kind === 'glob');
}

function directoriesBelow(section: Scope, path: string): readonly string[] {
  if (!isForDirectoriesByPattern(section)) return EMPTY_LIST;
  const { pattern } = section;
  const start = path === '/' ? [] : path.split('/').slice(1);
  // What the pattern says of the parts that the directory has need not be what it is called.
  const behind = (sample: string): string =>
    `/${[...start, ...sample.split('/').slice(1 + start.length)].join('/')}`;
  if (pattern.kind === 'glob')
    return globPrefixMatches(path, pattern.glob) ? [behind(sampleOfGlob(pattern.glob))] : EMPTY_LIST;
  const samples = samplesFor(section).map((text) => `/${text.replace(/^\/+|\/+$/g, '')}`);
  const paths = samples.flatMap((sample) => [behind(sample), `${path === '/' ? '' : path}${sample}`]);
  return paths.filter((at) => placedScopes([section], { uri: '/', filename: `${at}/w.html` }).length > 0);
}

/** Names of files: of a Files section those that it matches, its own first, then what others match too. */
function fileNamesFor(scope: Scope, around: readonly Scope[]): readonly string[] {
  const found = new Set<string>();
  for (const name of candidateNames(scope, around)) {
    found.add(name);
    if (found.size === MAX_FILE_NAMES) break;
  }
  return [...found];
}

function* candidateNames(scope: Scope, around: readonly Scope[]): Iterable<string> {
  const isFor = (name: string): boolean => scope.kind !== 'files' || fileMatches(scope, name);
  const names = namesAround(around);
  yield* scope.kind === 'files' ? basesOf(scope) : names.ordinary;
  for (const sample of names.samples) if (isFor(sample)) yield sample;
  for (const stem of names.stems())
    for (const ending of names.endings()) if (isFor(`${stem}${ending}`)) yield `${stem}${ending}`;
}

/** Names for which no Files section may be: one without an ending, one with, and a directory's. */
const PLAIN_NAMES = ['w', 'w.w', ''];

/** The names that the Files sections around a scope suggest: all scopes of a large group have the same around them. */
const namesAround = memo((around: readonly Scope[]) => {
  const sections = around.filter(({ kind }) => kind === 'files');
  const samples = new Set(sections.flatMap(basesOf));
  const isForNone = (name: string): boolean => !sections.some((section) => fileMatches(section, name));
  const plain = isForNone('w.html') ? undefined : PLAIN_NAMES.find(isForNone);
  return {
    samples,
    // Names that any file may have; and where a Files section is for such a name, one that none is for.
    ordinary: plain === undefined ? ['w.html'] : ['w.html', plain],
    // Most scopes have names enough without.
    stems: lazy(() => new Set([...samples].map((sample) => sample.replace(/\.[^.]*$/, '')))),
    endings: lazy(() => new Set(sections.flatMap(endingsOf))),
  };
});

/** What names that a Files section matches end with, as far as it says so. */
function endingsOf(scope: Scope): readonly string[] {
  const { pattern } = scope;
  if (pattern.kind === 'path') return EMPTY_LIST;
  const found = pattern.kind === 'glob' ? globEndings(pattern.glob) : regexEndings(regexOf(scope) ?? '');
  return (found ?? EMPTY_LIST).filter((ending) => /^\.[\w.-]+$/.test(ending));
}

function directoriesOf(scope: Scope): readonly string[] {
  const { kind, pattern } = scope;
  if (kind !== 'directory' && kind !== 'htaccess' && kind !== 'directory-match') return EMPTY_LIST;
  if (pattern.kind === 'path') return [pattern.path];
  if (pattern.kind === 'glob') return [sampleOfGlob(pattern.glob)];
  if (kind !== 'directory-match') return EMPTY_LIST;
  const texts = samplesFor(scope).map((text) => text.replace(/\/+$/, ''));
  return texts.flatMap((text) => (text === '' ? [] : text.startsWith('/') ? text : `/${text}`));
}

/** Texts that the regex of a section matches; where what it is for is not known, one that it may be for. */
function samplesFor(scope: Scope): readonly string[] {
  const regex = regexOf(scope);
  return regex === undefined ? ['w'] : samplesOf(regex);
}

function basesOf(scope: Scope): readonly string[] {
  const { pattern } = scope;
  if (pattern.kind === 'path') return [pattern.path];
  return pattern.kind === 'glob' ? [sampleOfGlob(pattern.glob)] : samplesFor(scope);
}

function urisOf(scope: Scope): readonly string[] {
  const { pattern } = scope;
  if (pattern.kind === 'path') return [pattern.path.endsWith('/') ? `${pattern.path}w` : pattern.path];
  const texts = pattern.kind === 'glob' ? [sampleOfGlob(pattern.glob)] : samplesFor(scope);
  return texts.map((text) => (text.startsWith('/') ? text : `/${text}`));
}

/** URLs of other Locations that one is for, too. */
function urisCovered(location: Scope, others: readonly Scope[]): readonly string[] {
  const uris = others.filter((other) => other !== location).flatMap(urisOf);
  return [...new Set(uris)]
    .filter((uri) => placedScopes([location], { uri, filename: '/' }).length > 0)
    .slice(0, MAX_URLS);
}

/** Settings of the undecided conditionals on the way: every one of a few; else none holds, all hold, one alone. */
export function conditionalSettings(met: readonly Scope[]): Config[] {
  const names = [...new Set([...testNames(met), ...testNames24(met)])];
  if (names.length <= MAX_CONDITIONALS)
    return subsetsOf(names).map((held) => (asked: string) => held.has(asked));
  return [() => false, () => true, ...names.map((name) => (asked: string) => asked === name)];
}
