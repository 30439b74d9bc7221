import { type ConfigTree, conditionOf, isConditional } from '../../config';
import type { Node, Section } from '../../syntax';
import { type Collected, collect, factsOf } from '../collect';
import { ScopeIndex, isUnsure, placedScopes, scopesRead, state22 } from '../models';
import { type FilesByHost, splitUnreadFiles } from '../override';
import { type Facts, type Scope, type State, includedScopes, surelyLetIn } from '../policy';
import { type AccessRequest, EMPTY_LIST, type MethodClass, OTHER_METHODS, implies } from '../primitives';
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
}

/** Directories that are tried of one section, and virtual hosts of one Location of the main server. */
const PLACES = 12;

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
  const { scopes, otherLocations, mapping } = collected;
  const facts = factsOf(collected, tree);
  if (facts.classes.length === 1 && !scopes.some(asksForOwner)) return [];
  const { live, overrides } = splitUnreadFiles(includedScopes(scopes), mapping, tree);
  const others = includedScopes(otherLocations());
  // In the order in which they would be changed: what decides by itself, then what does not.
  const suspects = [...live.filter(isForMany), ...others].filter(hasText);
  if (suspects.length === 0) return [];
  const requests = new DirectoryRequests(collected, facts, live, others, overrides.files);
  const isForBoth = live.some(hasVersionBlocks);
  const found = new Map<Scope, AskedAgain>();
  for (const scope of suspects) {
    if (asksAgain(scope)) continue;
    const asked = requests.firstOf(scope, (met) => found.has(met) || asksAgain(met));
    if (asked !== undefined) found.set(scope, { ...asked, scope, isForBoth });
  }
  return [...found.values()];
}

/** Whether it is for many files, so that a directory and its index file may both be among them. */
function isForMany({ kind, pattern }: Scope): boolean {
  return kind === 'location' || (kind === 'files' && pattern.kind !== 'path');
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

const OF_FILES = new Set(['file-owner', 'file-group']);

/** By which methods more get in than by GET; undefined if that is nobody, and nobody is asked whose the file is. */
type GapToGet = Pick<AskedAgain, 'methods' | 'asksForOwner'> | undefined;

/** Requests for a directory and for its index file, of the servers of a run. */
class DirectoryRequests {
  readonly #facts: Facts;
  readonly #live: readonly Scope[];
  readonly #mapping: Collected['mapping'];
  readonly #files: FilesByHost;
  readonly #index: ScopeIndex;
  readonly #otherIndex: ScopeIndex;
  readonly #everywhere: readonly Scope[];
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
    this.#hosts = new HostsToAsk(
      [...mapping.hostsExcept(new Set())].filter((vhost) => vhost !== undefined),
      mapping,
    );
  }

  /** The first request for a directory in a section that is answered otherwise where its index file is not asked about. */
  firstOf(
    scope: Scope,
    isDone: (met: Scope) => boolean,
  ): Omit<AskedAgain, 'scope' | 'isForBoth'> | undefined {
    for (const vhost of this.#hosts.of(scope, scope.order))
      for (const directory of this.#directoriesIn(scope, vhost)) {
        if (placedScopes([scope], directory).length === 0) continue;
        const decide = this.#met(this.#index, directory, vhost, scope);
        const found = this.#gap(decide);
        if (found === undefined) continue;
        const met = [...decide, ...this.#met(this.#otherIndex, directory, vhost, scope)];
        if (met.some((other) => isDone(other) || isHandled(other.section?.body ?? EMPTY_LIST))) continue;
        if (INDEX_NAMES.some((name) => this.#isMetAlike(met, inside(directory, name), vhost, scope)))
          return { ...found, uri: directory.uri };
      }
    return undefined;
  }

  #directoriesIn(scope: Scope, vhost: Scope['vhost']): readonly RequestTarget[] {
    const around = [...neighbours(scope, this.#live, this.#everywhere), scope];
    // Files are asked about in the directories that they may lie in.
    const holders =
      scope.kind !== 'files' ? [scope] : scope.parent ? [scope.parent] : around.filter(isDirectory);
    return directoriesOf(holders.flatMap((holder) => targetsFor(holder, around, this.#mapping, vhost)));
  }

  #isMetAlike(met: readonly Scope[], file: RequestTarget, vhost: Scope['vhost'], asked: Scope): boolean {
    const metByFile = [this.#index, this.#otherIndex].flatMap((index) =>
      this.#met(index, file, vhost, asked),
    );
    return metByFile.length === met.length && metByFile.every((scope, i) => scope === met[i]);
  }

  /** @param asked is met if it may be */
  #met(index: ScopeIndex, target: RequestTarget, vhost: Scope['vhost'], asked: Scope): readonly Scope[] {
    return placedScopes(index.candidates(target, vhost), target).filter(
      (scope) => this.#files.isRead(scope, vhost) && (scope === asked || !isUnsure(scope, target)),
    );
  }

  #gap(met: readonly Scope[]): GapToGet {
    const key = met.map(({ order }) => order).join(' ');
    if (!this.#gaps.has(key)) this.#gaps.set(key, this.#gapIn(met));
    return this.#gaps.get(key);
  }

  #gapIn(met: readonly Scope[]): GapToGet {
    if (!this.#shows22 && met.some(({ modern }) => modern !== undefined)) return undefined;
    const { classes } = this.#facts;
    for (const config of conditionalSettings(met)) {
      const state = stateOf(met, this.#facts, config);
      const exprs = surelyLetIn(state, this.#facts);
      const byGet = exprs[classes.indexOf(classes.includes('GET') ? 'GET' : OTHER_METHODS)]!;
      const methods = classes.filter((method, i) => method !== 'GET' && !implies(exprs[i]!, byGet));
      const asksOwner = state.requires?.some(({ keyword }) => OF_FILES.has(keyword)) === true;
      if (methods.length > 0 || asksOwner) return { methods, asksForOwner: asksOwner };
    }
    return undefined;
  }
}

/** Locations for patterns are held against each request: of many of them none is, and 2.4 may be made to ask where it does already. */
function fewPatterns(others: readonly Scope[]): readonly Scope[] {
  const literal = others.filter(({ pattern }) => pattern.kind === 'path');
  return others.length - literal.length > MAX_PATTERNS ? literal : others;
}

function stateOf(met: readonly Scope[], facts: Facts, config: AccessRequest['config']): State {
  return state22(scopesRead(met, config, '2.2'), facts, config);
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

function inside(directory: RequestTarget, name: string): RequestTarget {
  return { ...directory, uri: directory.uri + name, filename: directory.filename + name };
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
