import { replaceVariables } from '../../config';
import { appendAll, type Directive, type Section } from '../../syntax';
import {
  EMPTY_LIST,
  EMPTY_SET,
  type ServerTraits,
  absolutePath,
  hasDrive,
  isTemplatePath,
  isWithin,
  lazy,
  locationCovers,
  normalisePath,
  memo,
} from '../primitives';
import { HostNames, NAMING } from './host-names';
import { Listening } from './listening';
import { type AbsolutePath, type Route, literalDirectory } from './routes';
import { REWRITING, RewriteLines, type RewrittenUrls } from './rewrites';
import { SERVING, type Served, ServedByHost } from './served';
import { type Target, directory, targetHolds, keyOf, targetBelow, topFor } from './targets';
import { TlsServers } from './tls';
import { ALL_URLS, type UrlSet, pathStarts, smallStart, startsMeet } from './url-sets';

/** URLs that a RewriteRule sees, by what they begin with in small letters, and where it leads them. */
interface RuleTargets {
  readonly url: string;
  readonly leadsTo: () => readonly Target[] | undefined;
}

/** Directives at server or virtual host level that have a say in which directories requests come to. */
export const MAPPING = new Set([
  ...'listen sslengine protocol proxypass proxypassmatch proxyrequests'.split(' '),
  ...NAMING,
  ...SERVING,
  ...REWRITING,
]);

/**
 * Which directories a request of a server can come to (server/core.c: ap_core_translate; mod_alias, mod_userdir, mod_vhost_alias
 * and mod_rewrite in their translate_name hooks).
 */
export class UrlMapping {
  #hasProxyLine = false;
  readonly #hasProxyRule = lazy(() => this.rewrites.proxies);
  /** The first parts of the directories served and named. */
  readonly #firstParts = lazy(
    () => new Set([this.served(), ...this.#named].flat().map((path) => path.split('/')[1])),
  );
  readonly #served: ServedByHost;
  readonly rewrites = new RewriteLines();
  /** What a home directory does not lie in. */
  readonly #besides = lazy(() => new Set(this.served().filter((path) => path !== '/')));
  readonly #listening = new Listening();
  readonly tls = new TlsServers();
  readonly #names = new HostNames();
  /** What the names of directories begin with that sections with a pattern are for. */
  readonly #patternStarts: string[] = [];
  readonly #vhosts = new Set<Section>();
  readonly #absolute: AbsolutePath = (path) => absolutePath(path, this.serverRoot);
  readonly #named: readonly (readonly string[])[];

  /**
   * @param isComplete the run sees all that the server reads: what is not said is httpd's default
   * @param serverRoot as in {@link absolutePath}
   * @param variables what `${NAME}` stands for
   * @param named lists of absolute paths that sections and `.htaccess` files are for; more may come later
   */
  constructor(
    private readonly isComplete: boolean,
    private readonly serverRoot: string | undefined,
    private readonly variables: ReadonlyMap<string, string>,
    ...named: readonly (readonly string[])[]
  ) {
    this.#named = named;
    this.#served = new ServedByHost(isComplete, this.#absolute);
  }

  /** Takes note of a server-level line; all, before anything is asked. @param sure false in a conditional not decided */
  add(node: Directive, vhost: Section | undefined, sure: boolean): void {
    const { key } = node;
    if (key === 'listen') {
      this.#listening.addListen(node);
      this.tls.addListen(node);
      return;
    }
    if (key === 'sslengine' || key === 'protocol') this.tls.addEngine(node, vhost, sure);
    if (NAMING.has(key)) this.#names.add(node, vhost, sure);
    if (REWRITING.has(key)) this.rewrites.add(node, vhost);
    if (SERVING.has(key)) {
      const args = node.args.map((arg) => this.#expand(arg.value));
      this.#served.add(key, args, vhost, sure);
    }
  }

  /** Takes note of a `<VirtualHost>`. @param sure false where it may not be there */
  addHost(vhost: Section, sure: boolean): void {
    this.#vhosts.add(vhost);
    this.tls.addHost(vhost);
    this.#names.addHost(vhost, sure);
    if (sure) this.#listening.addHost(vhost);
  }

  /** Takes note of the regex of a Directory section. One that is bound to no beginning is for what the server serves, too. */
  addPattern(regex: string): void {
    for (const text of pathStarts(regex)) if (text.startsWith('/')) this.#patternStarts.push(text);
  }

  /** Takes note of a Directory section with wildcards. */
  addGlob(glob: string): void {
    this.#patternStarts.push(glob.slice(0, glob.search(/[*?[]/)));
  }

  /** Takes note of a directive of mod_proxy, wherever it stands. */
  addProxy(): void {
    this.#hasProxyLine = true;
  }

  /** Requests may be proxied: then no Directory applies to them (2.2 mod_proxy.c: proxy_map_location). */
  get proxied(): boolean {
    return this.#hasProxyLine || this.#hasProxyRule();
  }

  /** Whether the main server itself answers any request: not where virtual hosts are there for every address. */
  get reachesMain(): boolean {
    return !this.isComplete || this.#listening.reachesMain;
  }

  /** What shows to a 2.4 that a request has come to this server. */
  readonly traitsOf = memo((vhost: Section | undefined): ServerTraits => {
    if (!this.isComplete) return { documentRoot: undefined, tls: undefined, name: undefined };
    const [root, ...others] = this.#served.rootLines(vhost);
    // httpd takes slashes away, and dots, where the directory is there when it starts.
    const isPlain =
      root?.sure === true &&
      others.length === 0 &&
      root.asWritten.replace(/(?!^)\/$/, '') === root.path &&
      !this.#served.hasVirtualRoots &&
      !/['%\\]/.test(root.asWritten);
    const documentRoot = isPlain ? root.asWritten : undefined;
    return { documentRoot, tls: this.tls.isOver(vhost), name: this.#names.nameTraitsOf(vhost) };
  }, new Map());

  /** The servers that answer requests: the main server, if any is left to it, and the virtual hosts; without `excluded`. */
  hostsExcept(excluded: ReadonlySet<Section | undefined> = EMPTY_SET): readonly (Section | undefined)[] {
    const hosts: (Section | undefined)[] = this.reachesMain ? [undefined] : [];
    for (const vhost of this.#vhosts) if (!excluded.has(vhost)) hosts.push(vhost);
    return hosts;
  }

  /** Whether requests come to users' home directories, which the configuration does not name. */
  get reachesHomes(): boolean {
    return this.hostsExcept().some((vhost) => this.targets(vhost)?.some(({ kind }) => kind === 'home'));
  }

  /** The directories that DocumentRoot and Alias lead to, of any host. */
  served(): string[] {
    return this.#served.directories();
  }

  /** Where URLs of any of these hosts map into; undefined where the configuration does not say. */
  targetsOfAll(hosts: readonly (Section | undefined)[]): readonly Target[] | undefined {
    return union(hosts, (vhost) => this.targets(vhost));
  }

  /** The targets that URLs of these sets lead to. @param without as for {@link targetsFrom} */
  targetsFromAll(
    hosts: readonly (Section | undefined)[],
    sets: readonly UrlSet[],
    without: readonly string[] = EMPTY_LIST,
  ): readonly Target[] | undefined {
    const pairs = hosts.flatMap((vhost) => sets.map((urls) => ({ vhost, urls })));
    return union(pairs, ({ vhost, urls }) => this.targetsFrom(vhost, urls, without));
  }

  /** Where URLs map into; undefined where the configuration does not say. */
  readonly targets = memo((vhost: Section | undefined) => this.targetsFrom(vhost, ALL_URLS), new Map());

  /** @param without Locations: no URL in them is asked about, as far as an Alias leads it somewhere */
  targetsFrom(
    vhost: Section | undefined,
    urls: UrlSet,
    without: readonly string[] = EMPTY_LIST,
  ): readonly Target[] | undefined {
    const served = this.#served.of(vhost);
    const isAsked = ({ url, follows }: Route): boolean =>
      !follows || !without.some((path) => locationCovers(path, url.replace(/\/+$/, '')));
    const routes = without.length === 0 ? served.routes : served.routes.filter(isAsked);
    const targets = this.#targetsAt({ ...served, routes }, urls);
    const rules = this.#ruleTargetsOf(vhost);
    if (rules === undefined || targets === undefined) return undefined;
    const start = smallStart(urls);
    for (const { url, leadsTo } of rules) {
      if (!start.startsWith(url) && !url.startsWith(start)) continue;
      const more = leadsTo();
      if (more === undefined) return undefined;
      appendAll(targets, more);
    }
    return targets;
  }

  /** Where the RewriteRule lines of a server lead URLs with some beginning; undefined where it is not followed. */
  readonly #ruleTargetsOf = memo((vhost: Section | undefined): readonly RuleTargets[] | undefined => {
    const served = this.#served.of(vhost);
    return this.rewrites.rewritten(vhost)?.map((rule) => ({
      url: rule.url.toLowerCase(),
      leadsTo: lazy(() => this.#ofRule(served, rule)),
    }));
  }, new Map());

  #targetsAt({ documentRoots, routes }: Served, urls: UrlSet): Target[] | undefined {
    if (documentRoots === undefined) return undefined;
    const targets: Target[] = documentRoots.flatMap(
      (root) => targetBelow({ kind: 'directory', path: root }, '', urls) ?? [],
    );
    for (const { url, target, follows } of routes) {
      if (!follows) {
        if (!startsMeet(url, smallStart(urls))) continue;
        if (target === undefined) return undefined;
        targets.push(target.kind === 'home' ? { ...target, besides: this.#besides() } : target);
        continue;
      }
      const found = target && targetBelow(target, url.replace(/\/+$/, ''), urls);
      if (found !== undefined) targets.push(found);
    }
    return targets;
  }

  /** Where a substitution leads: below the document root, or to a file of that name (mod_rewrite.c: prefix_stat). */
  #ofRule(served: Served, { substitution, passedThrough }: RewrittenUrls): readonly Target[] | undefined {
    const { documentRoots } = served;
    const inRoot = substitution.replace(/^%\{DOCUMENT_ROOT\}(?=\/|$)/i, '');
    if (inRoot.split('/').includes('..')) return undefined;
    if (hasDrive(substitution)) {
      const path = literalDirectory(substitution, this.#absolute);
      return path === undefined ? undefined : [directory(path)];
    }
    const start = literalDirectory(inRoot) ?? (/^(?:\/|$)/.test(inRoot) ? '/' : undefined);
    if (inRoot !== substitution) {
      // What a variable brings may be any path in the document root.
      return documentRoots?.map((root) =>
        directory(`${root}/${start === undefined || start === '/' ? '' : start}`),
      );
    }
    if (this.#escapes(substitution)) {
      const path = literalDirectory(substitution);
      const inSystem = literalDirectory(substitution, this.#absolute);
      if (path === undefined || inSystem === undefined || documentRoots === undefined) return undefined;
      return [directory(inSystem), ...documentRoots.map((root) => directory(`${root}/${path}`))];
    }
    if (start === undefined) return undefined;
    return passedThrough
      ? this.#targetsAt(served, { kind: 'path', path: start === '/' ? '' : start })
      : documentRoots?.map((root) => directory(`${root}/${start}`));
  }

  /** Where the lines of these hosts say that URLs map into, whatever else may; undefined where a document root is not known. */
  statedTargets(hosts: readonly (Section | undefined)[]): readonly Target[] | undefined {
    return union(hosts, (vhost) => {
      const served = this.#served.of(vhost);
      const routes = served.routes.filter(({ target }) => target !== undefined);
      return this.#targetsAt({ ...served, routes }, ALL_URLS);
    });
  }

  /** The URLs of a file, one for each line that serves it; none where none maps to it, or the configuration does not say. */
  urlsOf(vhost: Section | undefined, filename: string): readonly string[] {
    if (this.targets(vhost) === undefined) return EMPTY_LIST;
    const { documentRoots = [], routes } = this.#served.of(vhost);
    const found = new Set<string>();
    // A URL leads where the first Alias for it says; where each has another one before it, it may still stand in a conditional.
    const hidden = new Set<string>();
    const covering = routes.filter(({ follows }) => follows);
    // mod_alias comes before mod_vhost_alias.
    const ordered = [...covering.filter(isAlias), ...covering.filter((route) => !isAlias(route))];
    const aliasOf = (url: string): Route | undefined =>
      ordered.find((route) => locationCovers(route.url, url));
    for (const route of routes) {
      const { url, target, follows } = route;
      if (target === undefined || !targetHolds(target, filename)) continue;
      if (!follows) {
        found.add(`${url}w`);
        continue;
      }
      const top = topFor(target, filename);
      const whole = `${url.replace(/\/+$/, '')}${below(filename, top)}`;
      (aliasOf(whole) === route ? found : hidden).add(whole);
    }
    for (const root of documentRoots)
      if (isWithin(filename, root)) {
        const whole = below(filename, root);
        (aliasOf(whole) === undefined ? found : hidden).add(whole);
      }
    return found.size > 0 ? [...found] : [...hidden];
  }

  /** The file that DocumentRoot or Alias give for a URL, and which; not `sure` where something else maps URLs, too. */
  fileOf(
    vhost: Section | undefined,
    url: string,
  ): { filename: string; by: string; sure: boolean } | undefined {
    const { documentRoots, routes } = this.#served.of(vhost);
    const root = this.#served.rootLines(vhost).at(-1);
    const alias = routes.find((route) => isAlias(route) && locationCovers(route.url, url));
    const path = alias?.target?.kind === 'directory' ? alias.target.path : root?.path;
    if (path === undefined) return undefined;
    const sure =
      documentRoots?.length === 1 && !routes.some((route) => !isAlias(route) && startsMeet(route.url, url));
    const rest = alias === undefined ? url : url.slice(alias.url.length);
    const filename = normalisePath(`${path}/${rest}`);
    const slash = url.endsWith('/') && filename !== '/' ? '/' : '';
    const by = alias === undefined ? 'DocumentRoot' : `${alias.by ?? 'Alias'} ${alias.url || '/'}`;
    return { filename: filename + slash, by, sure };
  }

  /** The lines that {@link fileOf} goes by, beside DocumentRoot, and what URLs begin with that other lines may lead elsewhere. */
  aliasesOf(vhost: Section | undefined): {
    readonly aliases: readonly { readonly url: string; readonly path: string }[];
    readonly starts: readonly string[];
  } {
    const { routes } = this.#served.of(vhost);
    const aliases = routes.flatMap(({ url, follows, target }) =>
      follows && target?.kind === 'directory' ? { url, path: target.path } : [],
    );
    return { aliases, starts: routes.filter((route) => !isAlias(route)).map(({ url }) => url) };
  }

  /** Whether the first part of a substitution may be there in the file system. */
  #escapes(substitution: string): boolean {
    const first = /^\/([^/$%]+)/.exec(substitution)?.[1];
    if (first === undefined) return /^\/?(?:[$%]|$)/.test(substitution);
    // Which names there are on a drive is not looked at.
    if (hasDrive(this.serverRoot ?? '')) return true;
    const isOfPattern = this.#patternStarts.some((start) => startsMeet(start, `/${first}/`));
    return this.#firstParts().has(first) || isTemplatePath(first) || isOfPattern;
  }

  #expand(value: string): string {
    if (!value.includes('${')) return value;
    return replaceVariables(value, (whole, name) => this.variables.get(name) ?? whole);
  }
}

/** What follows a directory in a file name. */
function below(filename: string, path: string): string {
  return filename.slice(path === '/' ? 0 : path.length);
}

/** Whether a route puts what follows a URL behind one directory. */
function isAlias({ follows, target }: Route): boolean {
  return follows && target?.kind === 'directory';
}

function union<Asked>(
  all: readonly Asked[],
  targetsOf: (item: Asked) => readonly Target[] | undefined,
): readonly Target[] | undefined {
  if (all.length === 1) return targetsOf(all[0]!);
  const found = new Map<string, Target>();
  for (const item of all) {
    const targets = targetsOf(item);
    if (targets === undefined) return undefined;
    for (const target of targets) found.set(keyOf(target), target);
  }
  return [...found.values()];
}
