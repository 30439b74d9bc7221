import { type ConfigTree, conditionOf, isConditional, placeCondition } from '../../config';
import type { Node, Section } from '../../syntax';
import { type Collected, collect, factsOf } from '../collect';
import { ScopeIndex, fileMatches, isUnsure, placedScopes, scopesRead, state22 } from '../models';
import { type FilesByHost, splitUnreadFiles } from '../override';
import { type Facts, type Scope, includedScopes, requireNodes, surelyLetIn, testNames } from '../policy';
import {
  ALL_METHODS,
  type AccessRequest,
  EMPTY_LIST,
  type MethodClass,
  OTHER_METHODS,
  implies,
} from '../primitives';
import { hasVersionBlocks } from './check';
import { HostsToAsk, globalScopes, neighbours } from './surroundings';
import { type RequestTarget, conditionalSettings, targetsFor } from './test-requests';

/** A section for which 2.2 asked again about the index file of a directory, where 2.4 does not, and that decides otherwise of who gets it. */
export interface AskedAgain {
  /** A Location, or a Files section that names no single file. */
  readonly scope: Scope & { readonly section: Section };
  /** By which of these requests for the directory come in that are refused by GET; {@link OTHER_METHODS} for all that no Limit names. */
  readonly methods: readonly MethodClass[];
  /** Of such a directory. */
  readonly uri: string;
  /** It asks whose the file is, and not only by which method it is asked for. */
  readonly asksForOwner: boolean;
  /** The run has blocks for one version each: 2.2 is to read what is written, too. */
  readonly isForBoth: boolean;
  /** It is for 2.2 alone, and 2.4 reads none in its place: there is none in which it could be made to ask. */
  readonly isOnlyFor22: boolean;
}

/** Directories that are tried of one section. */
const PLACES = 12;

/** Of more virtual hosts than these, a few are tried on a section of the main server. */
const MANY_HOSTS = 40;

/** Locations for patterns, without an access line, that are looked at one by one. */
const MAX_PATTERNS = 200;

/** Names of an index file, one of which a Files section for some files is not for. */
const INDEX_NAMES = ['index.html', 'index.php', 'w'];

/**
 * Where 2.2 asked again about what a request leads to by way of a subrequest, which is a GET, and 2.4 does not. 2.2 made a new
 * configuration of the Locations that are for the new URL, and of the Files sections for the new name, even if they were the same as before;
 * 2.4 asks only where other sections are met, if all modules that check access agree (server/request.c: ap_process_request_internal,
 * ap_location_walk, ap_file_walk). That counts where a request gets in by a method for which more is allowed than for GET.
 * @returns the sections in which 2.4 must be made to ask again, in the order of the run
 */
export function sectionsAskedAgain(tree: ConfigTree): readonly AskedAgain[] {
  const collected = collect(tree);
  const { scopes, otherSections, mapping } = collected;
  const facts = factsOf(collected, tree);
  if (facts.classes.length === 1 && !scopes.some(asksForOwner)) return [];
  const included = includedScopes(scopes);
  const set = new Set(included);
  const unset = includedScopes(otherSections()).filter(isForMany);
  const inFiles = unset.filter(({ place }) => place.root.role === 'htaccess');
  const split = splitUnreadFiles(inFiles.length === 0 ? included : [...included, ...inFiles], mapping, tree);
  const read = new Set(split.live);
  const live = split.live.filter((scope) => set.has(scope));
  const others = unset.filter((scope) => read.has(scope) || scope.place.root.role !== 'htaccess');
  // In the order in which they would be changed: what decides by itself, then what does not.
  const suspects = [...live.filter(isForMany), ...others].filter(hasText);
  if (suspects.length === 0) return [];
  const requests = new DirectoryRequests(collected, facts, live, others, split.overrides.files);
  const isForBoth = live.some(hasVersionBlocks);
  const found = new Map<Scope, AskedAgain>();
  const isDone = (met: Scope): boolean => found.get(met)?.isOnlyFor22 === false || asksAgain(met);
  // What tells GET from other methods may stand in one of more directories than are tried of a suspect.
  const telling = live.filter(
    (scope) => !isForMany(scope) && (asksForOwner(scope) || tellsMethodsApart(scope)),
  );
  for (const scope of [...suspects, ...telling]) {
    if (asksAgain(scope)) continue;
    const all = isForMany(scope) && hasText(scope) ? [scope, ...suspects] : suspects;
    for (const { met, metIn24, ...asked } of requests.of(scope, isDone)) {
      const for24 = all.find((other) => metIn24.includes(other));
      const place = for24 ?? all.find((other) => met.includes(other));
      if (place !== undefined && (for24 !== undefined || !found.has(place)))
        found.set(place, { ...asked, scope: place, isForBoth, isOnlyFor22: for24 === undefined });
      // What is met by each request to it has been found.
      if (for24 === scope && scope.outer.length === 0) break;
    }
  }
  return suspects.flatMap((scope) => found.get(scope) ?? []);
}

/**
 * The same for an index file that DirectoryIndex names in one directory for others, where Directory sections alone decide: 2.2 asked in each
 * other directory (2.2 server/request.c: ap_directory_walk).
 * @param name as the line has it: with a slash
 * @param vhost the virtual host that the line stands in; undefined for a line that holds for all
 * @returns the methods by which it is sent to whom GET is refused
 */
export function indexNotAskedAgain(
  tree: ConfigTree,
  name: string,
  vhost: Section | undefined,
): readonly MethodClass[] | undefined {
  const collected = collect(tree);
  const { scopes, otherSections, mapping } = collected;
  const facts = factsOf(collected, tree);
  if (facts.classes.length === 1) return undefined;
  const { live, overrides } = splitUnreadFiles(includedScopes(scopes), mapping, tree);
  const others = includedScopes(otherSections()).filter(({ kind }) => kind === 'location');
  const requests = new DirectoryRequests(collected, facts, live, others, overrides.files);
  for (const scope of live.filter(isDirectory)) {
    if (vhost !== undefined && scope.vhost !== undefined && scope.vhost !== vhost) continue;
    const found = requests.firstWithIndexElsewhere(scope, name, vhost);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Whether a directory, whose file name ends in nothing, and its index file may both be among what it is for. */
function isForMany(scope: Scope): boolean {
  const { kind, pattern } = scope;
  return kind === 'location' || (kind === 'files' && pattern.kind !== 'path' && fileMatches(scope, ''));
}

function isDirectory({ kind }: Scope): boolean {
  return kind === 'directory' || kind === 'htaccess';
}

function hasText(scope: Scope): scope is Scope & { readonly section: Section } {
  return scope.section?.close !== undefined && scope.section.open.complete;
}

function asksForOwner({ policy }: Scope): boolean {
  return policy.requires?.some(({ keyword }) => OF_FILES.has(keyword)) === true;
}

/** Whether a Limit stands around a line of it. */
function tellsMethodsApart({ policy: { hosts, requires, satisfy, authz } }: Scope): boolean {
  const lines = [hosts?.orders, hosts?.lines, requires, satisfy];
  return (
    lines.some((list) => list?.some(({ mask }) => mask !== ALL_METHODS) === true) ||
    (authz !== undefined && [...requireNodes(authz.tree)].some(({ masks }) => masks.length > 0))
  );
}

const OF_FILES = new Set(['file-owner', 'file-group']);

/** By which methods more get in than by GET; undefined if that is nobody, and nobody is asked whose the file is. */
type GapToGet = Pick<AskedAgain, 'methods' | 'asksForOwner'> | undefined;

/** A request for a directory that 2.2 refuses for the index file, and 2.4 does not, since it does not ask about that. */
interface RequestNotAskedAgain extends Omit<AskedAgain, 'scope' | 'isForBoth' | 'isOnlyFor22'> {
  /** What it meets in each version. */
  readonly met: readonly Scope[];
  readonly metIn24: readonly Scope[];
}

/** Requests for a directory and for its index file, of the servers of a run. */
class DirectoryRequests {
  readonly #facts: Facts;
  readonly #live: readonly Scope[];
  readonly #mapping: Collected['mapping'];
  readonly #files: FilesByHost;
  readonly #index: ScopeIndex;
  readonly #otherIndex: ScopeIndex;
  readonly #everywhere: readonly Scope[];
  readonly #allHosts: readonly Scope['vhost'][];
  readonly #hosts: HostsToAsk;
  /** Whether a section that is written for 2.4 is no reason to think that no 2.2 reads it. */
  readonly #shows22: boolean;
  /** By the sections that a directory meets. */
  readonly #gaps = new Map<string, GapToGet>();

  constructor(
    { mapping, shows22 }: Collected,
    facts: Facts,
    live: readonly Scope[],
    others: readonly Scope[],
    files: FilesByHost,
  ) {
    this.#facts = facts;
    this.#live = live;
    this.#mapping = mapping;
    this.#shows22 = shows22;
    this.#files = files;
    this.#index = new ScopeIndex(live);
    this.#otherIndex = new ScopeIndex(fewPatterns(others));
    this.#everywhere = globalScopes(live);
    this.#allHosts = mapping.hostsExcept(new Set());
    this.#hosts = new HostsToAsk(
      this.#allHosts.filter((vhost) => vhost !== undefined),
      mapping,
    );
  }

  /**
   * The requests for directories that meet a section, and are answered otherwise where the index file is not asked about.
   * @param isDone whether 2.4 asks again by itself where it meets a section; the answer may become another from one request to the next
   */
  *of(scope: Scope, isDone: (met: Scope) => boolean): Iterable<RequestNotAskedAgain> {
    for (const vhost of this.#hostsOf(scope))
      for (const directory of this.#directoriesIn(scope, vhost)) {
        if (placedScopes([scope], directory).length === 0) continue;
        const decide = this.#met(this.#index, directory, vhost, scope);
        const all = [...decide, ...this.#met(this.#otherIndex, directory, vhost, scope)];
        if (!all.some(isForMany)) continue;
        for (const config of conditionalSettings(all)) {
          const met = readBy('2.2', all, config);
          if (!met.some(isForMany) || met.some(({ section }) => isHandled(section?.body ?? EMPTY_LIST)))
            continue;
          const metIn24 = readBy('2.4', all, config);
          if (metIn24.some(isDone)) continue;
          const found = this.#gap(decide, config);
          if (found === undefined) continue;
          const isAsked = INDEX_NAMES.some((name) => {
            const file = inside(directory, name);
            const byFile = [this.#index, this.#otherIndex].flatMap((index) =>
              this.#met(index, file, vhost, scope),
            );
            return (
              readBy('2.2', byFile, config).some(isForMany) && areSame(readBy('2.4', byFile, config), metIn24)
            );
          });
          if (isAsked) yield { ...found, uri: directory.uri, met, metIn24 };
        }
      }
  }

  #hostsOf(scope: Scope): readonly Scope['vhost'][] {
    if (scope.vhost !== undefined || !isForMany(scope) || this.#allHosts.length > MANY_HOSTS)
      return this.#hosts.of(scope, scope.order);
    return this.#allHosts;
  }

  /** The first request for a directory in a section that leads to a file in another directory where nothing but Directory sections is met. */
  firstWithIndexElsewhere(
    scope: Scope,
    name: string,
    ofHost: Scope['vhost'],
  ): readonly MethodClass[] | undefined {
    for (const vhost of ofHost === undefined ? this.#hosts.of(scope, scope.order) : [ofHost])
      for (const directory of withOneBelow(this.#directoriesIn(scope, vhost))) {
        const file = this.#fileAt(name, directory, vhost);
        if (file === undefined || isIn(file, directory)) continue;
        const decide = this.#met(this.#index, directory, vhost, scope);
        const all = [...decide, ...this.#met(this.#otherIndex, directory, vhost, scope)];
        if (all.some((other) => isForMany(other) || isHandled(other.section?.body ?? EMPTY_LIST))) continue;
        const byFile = [this.#index, this.#otherIndex].flatMap((index) =>
          this.#met(index, file, vhost, scope),
        );
        if (!areSame(byFile, all)) continue;
        for (const config of conditionalSettings(all)) {
          const { methods = EMPTY_LIST } = this.#gap(decide, config) ?? {};
          if (methods.length > 0) return methods;
        }
      }
    return undefined;
  }

  #fileAt(name: string, directory: RequestTarget, vhost: Scope['vhost']): RequestTarget | undefined {
    if (!name.startsWith('/')) return inside(directory, name);
    const filename = this.#mapping.fileOf(vhost, name)?.filename;
    return filename === undefined ? undefined : { ...directory, uri: name, filename };
  }

  #directoriesIn(scope: Scope, vhost: Scope['vhost']): readonly RequestTarget[] {
    const around = [...neighbours(scope, this.#live, this.#everywhere), scope];
    // Files are asked about in the directories that they may lie in.
    const holders =
      scope.kind !== 'files' ? [scope] : scope.parent ? [scope.parent] : around.filter(isDirectory);
    return directoriesOf(holders.flatMap((holder) => targetsFor(holder, around, this.#mapping, vhost)));
  }

  /** @param asked is met if it may be */
  #met(index: ScopeIndex, target: RequestTarget, vhost: Scope['vhost'], asked: Scope): readonly Scope[] {
    return placedScopes(index.candidates(target, vhost), target).filter(
      (scope) => this.#files.isRead(scope, vhost) && (scope === asked || !isUnsure(scope, target)),
    );
  }

  #gap(met: readonly Scope[], config: AccessRequest['config']): GapToGet {
    const key = `${met.map(({ order }) => order).join(' ')} ${testNames(met).filter(config).join('\n')}`;
    if (!this.#gaps.has(key)) this.#gaps.set(key, this.#gapIn(met, config));
    return this.#gaps.get(key);
  }

  #gapIn(met: readonly Scope[], config: AccessRequest['config']): GapToGet {
    if (!this.#shows22 && met.some(({ modern }) => modern !== undefined)) return undefined;
    const { classes } = this.#facts;
    const state = state22(scopesRead(met, config, '2.2'), this.#facts, config);
    const exprs = surelyLetIn(state, this.#facts);
    const byGet = exprs[classes.indexOf(classes.includes('GET') ? 'GET' : OTHER_METHODS)]!;
    const methods = classes.filter((method, i) => method !== 'GET' && !implies(exprs[i]!, byGet));
    const asksOwner = state.requires?.some(({ keyword }) => OF_FILES.has(keyword)) === true;
    return methods.length > 0 || asksOwner ? { methods, asksForOwner: asksOwner } : undefined;
  }
}

/** Those of some sections that a version reads. */
function readBy(
  version: '2.2' | '2.4',
  met: readonly Scope[],
  config: AccessRequest['config'],
): readonly Scope[] {
  return scopesRead(met, config, version).filter(({ place: { chain }, section }) => {
    const at = chain.findIndex((frame) => frame.section === section);
    const { on22, on24 } = placeCondition(at < 0 ? chain : chain.slice(0, at));
    return (version === '2.2' ? on22 : on24) !== false;
  });
}

function areSame(a: readonly Scope[], b: readonly Scope[]): boolean {
  return a.length === b.length && a.every((scope, i) => scope === b[i]);
}

/** Locations for patterns are held against each request: of many of them none is, and 2.4 may be made to ask where it does already. */
function fewPatterns(others: readonly Scope[]): readonly Scope[] {
  const literal = others.filter(({ pattern }) => pattern.kind === 'path');
  return others.length - literal.length > MAX_PATTERNS ? literal : others;
}

/** The directories that some requests lead to or into. */
function directoriesOf(targets: readonly RequestTarget[]): readonly RequestTarget[] {
  const found = new Map<string, RequestTarget>();
  for (const target of targets) {
    const [uri, filename] = [target.uri, target.filename].map((path) => path.slice(0, path.lastIndexOf('/') + 1));
    if (uri !== '' && filename !== '') found.set(`${uri} ${filename}`, { ...target, uri: uri!, filename: filename! });
    if (found.size === PLACES) break;
  }
  return [...found.values()];
} // prettier-ignore

/** With a directory in each of which no section tells. */
function withOneBelow(directories: readonly RequestTarget[]): readonly RequestTarget[] {
  return directories.flatMap((directory) => [directory, inside(directory, 'w/')]);
}

function inside(directory: RequestTarget, name: string): RequestTarget {
  return { ...directory, uri: directory.uri + name, filename: directory.filename + name };
}

/** Whether a file lies in a directory itself. */
function isIn(file: RequestTarget, directory: RequestTarget): boolean {
  return file.filename.slice(0, file.filename.lastIndexOf('/') + 1) === directory.filename;
}

/** Whether it sets a handler, so that 2.2 looks for no index file (2.2 mod_dir.c: fixup_dir; mod_dav.c: dav_fixups). */
function isHandled(body: readonly Node[]): boolean {
  return body.some((node) =>
    node.kind === 'section'
      ? isConditional(node) && isHandled(node.body)
      : node.kind === 'directive' &&
        (node.key === 'dav' || node.key === 'sethandler') &&
        !/^(?:off|none)$/i.test(node.args[0]?.value ?? ''),
  );
}

/** Whether a section has an `<If>` for subrequests: then 2.4 finds other sections there, and asks again. */
function asksAgain({ section }: Scope): boolean {
  return section !== undefined && hasIfForSubrequests(section.body);
}

function hasIfForSubrequests(body: readonly Node[]): boolean {
  return body.some(
    (node) =>
      node.kind === 'section' &&
      (isConditional(node)
        ? conditionOf(node).on24 !== false && hasIfForSubrequests(node.body)
        : node.key === 'if' && /\bIS_SUBREQ\b/i.test(node.open.rest)),
  );
}
