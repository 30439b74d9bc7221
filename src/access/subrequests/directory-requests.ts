import { isConditional, placeCondition } from '../../config';
import type { Node } from '../../syntax';
import type { Collected } from '../collect';
import { urlsOf } from '../inherit';
import { type Target, type UrlMapping, reaches } from '../mapping';
import { ScopeIndex, fileMatches, isUnsure, placedScopes, scopesRead, state22 } from '../models';
import type { FilesByHost } from '../override';
import {
  type Facts,
  type Scope,
  type State,
  directoryOf,
  isWrittenFor24,
  linesOfPolicy,
  requireNodes,
  surelyLetIn,
  testNames,
} from '../policy';
import {
  type Config,
  type MethodClass,
  ALL_METHODS,
  EMPTY_LIST,
  OTHER_METHODS,
  PathList,
  areSameLists,
  getOrInsert,
  implies,
} from '../primitives';
import {
  HostsToAsk,
  type RequestTarget,
  conditionalSettings,
  globalScopes,
  neighbours,
  targetsFor,
} from '../verify';

const PLACES = 12;

/** Where there are more virtual hosts than these, a few are tried on a section of the main server. */
const MANY_HOSTS = 40;

/** Locations for patterns, without an access line, that are looked at one by one. */
const MAX_PATTERNS = 200;

/** Names of an index file, one of which a Files section for some files is not for. */
const INDEX_NAMES = ['index.html', 'index.php', 'w'];

/** Whether a directory, whose file name ends in nothing, and its index file may both be among what it is for. */
export function isForMany(scope: Scope): boolean {
  const { kind, pattern } = scope;
  return kind === 'location' || (kind === 'files' && pattern.kind !== 'path' && fileMatches(scope, ''));
}

/** Whether a file, and another that is a part or a variant of it, may both be among what it is for. */
export function isForFiles({ kind, pattern }: Scope): boolean {
  return kind === 'location' || (kind === 'files' && pattern.kind !== 'path');
}

export function isDirectory({ kind }: Scope): boolean {
  return kind === 'directory' || kind === 'htaccess';
}

function asksForOwner({ policy }: Scope): boolean {
  return policy.requires?.some(({ keyword }) => OF_FILES.has(keyword)) === true;
}

/** Whether a Limit stands around a line of it, or it asks whose a file is. */
export function tellsByMethodOrOwner(scope: Scope): boolean {
  const { authz } = scope.policy;
  return (
    asksForOwner(scope) ||
    linesOfPolicy(scope.policy).some(({ mask }) => mask !== ALL_METHODS) ||
    (authz !== undefined && requireNodes(authz.tree).some(({ masks }) => masks.length > 0))
  );
}

const OF_FILES = new Set(['file-owner', 'file-group']);

/** Sections of the main server are looked up for each virtual host, as long as these are so many together. */
const MAX_LOOKED_UP = 20_000;

/** Tells whether a request may meet a section and one of some others, as far as it is seen where requests lead. */
export function mayMeetOneOf(scopes: readonly Scope[], mapping: UrlMapping): (scope: Scope) => boolean {
  let lookedUp = 0;
  const hostsOf = ({ vhost }: Scope): readonly Scope['vhost'][] | undefined => {
    if (vhost !== undefined) return [vhost];
    const hosts = mapping.hostsExcept();
    lookedUp += hosts.length;
    return lookedUp > MAX_LOOKED_UP ? undefined : hosts;
  };
  const targetsOf = (scope: Scope): readonly Target[] | undefined => {
    const path = directoryOf(scope);
    if (path !== undefined) return [{ kind: 'directory', path }];
    const hosts = scope.kind === 'location' ? hostsOf(scope) : undefined;
    return hosts && mapping.targetsFromAll(hosts, urlsOf(scope));
  };
  const places = scopes.map(targetsOf);
  if (places.includes(undefined)) return () => true;
  const targets = places.flatMap((place) => place ?? EMPTY_LIST);
  const paths = new PathList(targets.flatMap((target) => (target.kind === 'directory' ? target.path : [])));
  const others = targets.filter(({ kind }) => kind !== 'directory');
  const mayMeet = (target: Target): boolean =>
    target.kind !== 'directory' ||
    paths.covers(target.path) ||
    paths.liesBelow(target.path) ||
    others.some((other) => reaches(other, target.path));
  return (scope) => targetsOf(scope)?.some(mayMeet) ?? true;
}

/** That more get in by other methods than by GET, or that it is asked whose a file is. */
export interface GapToGet {
  /** {@link OTHER_METHODS} for all that no Limit names. */
  readonly methods: readonly MethodClass[];
  /** The section asks whose the file is, and not only by which method it is asked for. */
  readonly asksForOwner: boolean;
}

/** A request for a directory that 2.2 refuses for the index file, and 2.4 does not, since it does not ask about that. */
interface RequestNotAskedAgain extends GapToGet {
  readonly uri: string;
  /** The sections that the request meets in each version. */
  readonly met: readonly Scope[];
  readonly metIn24: readonly Scope[];
}

/** Requests for a directory and for its index file, of the servers of a run. */
export class DirectoryRequests {
  readonly #positions: ReadonlyMap<Scope, number>;
  readonly #mapping: Collected['mapping'];
  readonly #index: ScopeIndex;
  readonly #otherIndex: ScopeIndex;
  readonly #everywhere: readonly Scope[];
  readonly #allHosts: readonly Scope['vhost'][];
  readonly #hosts: HostsToAsk;
  /** Whether a section that is written for 2.4 is no reason to think that no 2.2 reads it. */
  readonly #shows22: boolean;
  /** By the sections that a directory meets. */
  readonly #gaps = new Map<string, GapToGet | undefined>();

  constructor(
    { mapping, shows22 }: Collected,
    private readonly facts: Facts,
    private readonly live: readonly Scope[],
    others: readonly Scope[],
    private readonly files: FilesByHost,
  ) {
    this.#positions = new Map(live.map((scope, i) => [scope, i]));
    this.#mapping = mapping;
    this.#shows22 = shows22;
    this.#index = new ScopeIndex(live);
    this.#otherIndex = new ScopeIndex(fewPatterns(others));
    this.#everywhere = globalScopes(live);
    this.#allHosts = mapping.hostsExcept();
    this.#hosts = new HostsToAsk(
      this.#allHosts.filter((vhost) => vhost !== undefined),
      mapping,
    );
  }

  /**
   * The requests for directories that meet a section, and are answered otherwise where the index file is not asked about.
   * @param isDone whether 2.4 asks again by itself where it meets a section; the answer may become another from one request to
   * the next
   */
  *of(scope: Scope, isDone: (met: Scope) => boolean): Iterable<RequestNotAskedAgain> {
    for (const vhost of this.#hostsOf(scope))
      for (const directory of this.#directoriesIn(scope, vhost)) {
        if (placedScopes([scope], directory).length === 0) continue;
        const all = this.met(directory, vhost, scope);
        if (!all.some(isForMany)) continue;
        for (const config of conditionalSettings(all)) {
          const met = readBy('2.2', all, config);
          if (!met.some(isForMany) || met.some(({ section }) => isHandled(section?.body ?? EMPTY_LIST)))
            continue;
          const metIn24 = readBy('2.4', all, config);
          if (metIn24.some(isDone)) continue;
          const found = this.gap(all, config);
          if (found === undefined) continue;
          const isAsked = INDEX_NAMES.some((name) => {
            const file = inside(directory, name);
            const byFile = this.met(file, vhost, scope);
            return (
              readBy('2.2', byFile, config).some(isForMany) &&
              areSameLists(readBy('2.4', byFile, config), metIn24)
            );
          });
          if (isAsked) yield { ...found, uri: directory.uri, met, metIn24 };
        }
      }
  }

  /**
   * The requests by POST for files that meet a section, and get what GET is refused: a page may have parts, and stand for its
   * variants.
   * @param isDone as for the requests for directories
   */
  *forFilesOf(scope: Scope, isDone: (met: Scope) => boolean): Iterable<RequestNotAskedAgain> {
    const { classes } = this.facts;
    const post = classes.includes('POST') ? 'POST' : OTHER_METHODS;
    for (const vhost of this.#hostsOf(scope))
      for (const file of this.#filesIn(scope, vhost)) {
        if (placedScopes([scope], file).length === 0) continue;
        const all = this.met(file, vhost, scope);
        if (all.some(({ section }) => isHandled(section?.body ?? EMPTY_LIST))) continue;
        for (const config of conditionalSettings(all)) {
          const [met, metIn24] = [readBy('2.2', all, config), readBy('2.4', all, config)];
          if (!met.some(isForFiles) || metIn24.some(isDone)) continue;
          if (this.gap(all, config)?.methods.includes(post) === true)
            yield { methods: [post], asksForOwner: false, uri: file.uri, met, metIn24 };
        }
      }
  }

  #around(scope: Scope): readonly Scope[] {
    return [...neighbours(scope, this.live, this.#everywhere, this.#positions.get(scope) ?? -1), scope];
  }

  #filesIn(scope: Scope, vhost: Scope['vhost']): readonly RequestTarget[] {
    return targetsFor(scope, this.#around(scope), this.#mapping, vhost)
      .filter(({ filename }) => !filename.endsWith('/'))
      .slice(0, PLACES);
  }

  #hostsOf(scope: Scope): readonly Scope['vhost'][] {
    if (scope.vhost !== undefined || !isForMany(scope) || this.#allHosts.length > MANY_HOSTS)
      return this.#hosts.of(scope, scope.order);
    return this.#allHosts;
  }

  #directoriesIn(scope: Scope, vhost: Scope['vhost']): readonly RequestTarget[] {
    const around = this.#around(scope);
    // Files are asked about in the directories that they may lie in.
    const holders =
      scope.kind !== 'files' ? [scope] : scope.parent ? [scope.parent] : around.filter(isDirectory);
    return directoriesOf(holders.flatMap((holder) => targetsFor(holder, around, this.#mapping, vhost)));
  }

  /** The sections met, in merge order; those that set nothing about access last. @param suspect is met if it may be */
  met(target: RequestTarget, vhost: Scope['vhost'], suspect: Scope): readonly Scope[] {
    return [this.#index, this.#otherIndex]
      .flatMap((index) => index.met(target, vhost))
      .filter((scope) => this.files.isRead(scope, vhost) && (scope === suspect || !isUnsure(scope, target)));
  }

  /** By which methods more get in than by GET; undefined if that is nobody, and nobody is asked whose the file is. */
  gap(all: readonly Scope[], config: Config): GapToGet | undefined {
    const met = all.filter((scope) => this.#positions.has(scope));
    const key = `${met.map(({ order }) => order).join(' ')} ${testNames(met).filter(config).join('\n')}`;
    return getOrInsert(this.#gaps, key, () => {
      if (!this.#shows22 && met.some(isWrittenFor24)) return undefined;
      return gapOfState(state22(scopesRead(met, config, '2.2'), this.facts, config), this.facts);
    });
  }
}

/** By which methods more get in than by GET in a state; undefined if that is nobody, and nobody is asked whose the file is. */
export function gapOfState(state: State, facts: Facts): GapToGet | undefined {
  const { classes } = facts;
  const exprs = surelyLetIn(state, facts);
  const byGet = exprs[classes.indexOf(classes.includes('GET') ? 'GET' : OTHER_METHODS)]!;
  const methods = classes.filter((method, i) => method !== 'GET' && !implies(exprs[i]!, byGet));
  const asksOwner = state.requires?.some(({ keyword }) => OF_FILES.has(keyword)) === true;
  return methods.length > 0 || asksOwner ? { methods, asksForOwner: asksOwner } : undefined;
}

function readBy(version: '2.2' | '2.4', met: readonly Scope[], config: Config): readonly Scope[] {
  return scopesRead(met, config, version).filter(({ place: { chain }, section }) => {
    const at = chain.findIndex((frame) => frame.section === section);
    const { on22, on24 } = placeCondition(at < 0 ? chain : chain.slice(0, at));
    return (version === '2.2' ? on22 : on24) !== false;
  });
}

/** Without Locations for patterns where there are many: each is held against each request, and 2.4 may ask there anyway. */
function fewPatterns(others: readonly Scope[]): readonly Scope[] {
  const literal = others.filter(({ pattern }) => pattern.kind === 'path');
  return others.length - literal.length > MAX_PATTERNS ? literal : others;
}

/** The directories that some requests lead to or into. */
function directoriesOf(targets: readonly RequestTarget[]): readonly RequestTarget[] {
  const found = new Map<string, RequestTarget>();
  for (const target of targets) {
    const [uri, filename] = [target.uri, target.filename].map((path) =>
      path.slice(0, path.lastIndexOf('/') + 1),
    );
    if (uri !== '' && filename !== '')
      found.set(`${uri} ${filename}`, { ...target, uri: uri!, filename: filename! });
    if (found.size === PLACES) break;
  }
  return [...found.values()];
}

export function inside(directory: RequestTarget, name: string): RequestTarget {
  return { ...directory, uri: directory.uri + name, filename: directory.filename + name };
}

/** Whether it sets a handler, so that 2.2 looks for no index file (2.2 mod_dir.c: fixup_dir; mod_dav.c: dav_fixups). */
export function isHandled(body: readonly Node[]): boolean {
  return body.some((node) =>
    node.kind === 'section'
      ? isConditional(node) && isHandled(node.body)
      : node.kind === 'directive' &&
        (node.key === 'dav' || node.key === 'sethandler') &&
        !/^(?:off|none)$/i.test(node.args[0]?.value ?? ''),
  );
}
