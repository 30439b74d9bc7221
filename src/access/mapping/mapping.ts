import type { Directive, Section } from '../../syntax';
import {
  EMPTY_LIST,
  type ServerMarks,
  absolutePath,
  hasDrive,
  isTemplatePath,
  isWithin,
  locationCovers,
  normalisePath,
} from '../primitives';
import { HostNames } from './host-names';
import { Listening } from './listening';
import {
  type Route,
  literalDirectory,
  makesRoutes,
  noteUserDir,
  rewrittenUrls,
  routesOf,
  serverPath,
} from './routes';
import { type Served, mayMatch } from './served';
import { type Target, directory, holds, keyOf, targetBelow, topFor } from './targets';
import { TlsServers } from './tls';
import { ALL_URLS, type UrlSet, mayStart, pathStarts, smallStart, startsMeet } from './url-sets';

/** What a server serves, with what the main server hands down. */
interface Merged {
  /** Where its DocumentRoot may be: one, unless conditionals decide; undefined where it may be anywhere. */
  readonly documentRoots: readonly string[] | undefined;
  /** All but DocumentRoot. */
  readonly routes: readonly Route[];
}

/** URLs that a RewriteRule sees, by what they begin with in small letters, and where it leads them. */
interface RuleTargets {
  readonly url: string;
  readonly leadsTo: () => readonly Target[] | undefined;
}

const REWRITE = new Set(['rewriterule', 'rewriteoptions']);
const PROXY = new Set(['proxypass', 'proxypassmatch', 'proxyrequests']);

/** A directory that nobody else names: httpd's own document root, where no DocumentRoot is in force (server/core.c: DOCUMENT_LOCATION). */
const DEFAULT_ROOT = '/\0/htdocs';

/**
 * Which directories a request of a server can come to (server/core.c: ap_core_translate; mod_alias, mod_userdir, mod_vhost_alias and
 * mod_rewrite in their translate_name hooks).
 */
export class UrlMapping {
  #hasProxyLine = false;
  #hasProxyRule: boolean | undefined;
  /** The first parts of the directories served and named, and what is known of each host; made when first asked for. */
  #firstParts: Set<string | undefined> | undefined;
  readonly #marks = new Map<Section | undefined, ServerMarks>();
  readonly #merged = new Map<Section | undefined, Merged>();
  readonly #targets = new Map<Section | undefined, readonly Target[] | undefined>();
  readonly #ruleTargets = new Map<Section | undefined, readonly RuleTargets[] | undefined>();
  readonly #served = new Map<Section | undefined, Served>();
  #servedDirectories: ReadonlySet<string> | undefined;
  readonly #listening = new Listening();
  readonly #tls = new TlsServers();
  readonly #names = new HostNames();
  /** What the names of directories begin with that sections with a pattern are for. */
  readonly #patternStarts: string[] = [];
  /** A document root may be made of the name that is asked for. */
  #hasVirtualRoots = false;
  readonly #vhosts = new Set<Section>();
  readonly #isComplete: boolean;
  readonly #serverRoot: string | undefined;
  readonly #absolute = (path: string): string | undefined => absolutePath(path, this.#serverRoot);
  readonly #variables: ReadonlyMap<string, string>;
  readonly #named: readonly (readonly string[])[];

  /**
   * @param isComplete the run sees all that the server reads: what is not said is httpd's default
   * @param serverRoot as in {@link absolutePath}
   * @param variables what `${NAME}` stands for
   * @param named lists of absolute paths that sections and `.htaccess` files are for; more may come later
   */
  constructor(
    isComplete: boolean,
    serverRoot: string | undefined,
    variables: ReadonlyMap<string, string>,
    ...named: readonly (readonly string[])[]
  ) {
    this.#isComplete = isComplete;
    this.#serverRoot = serverRoot;
    this.#variables = variables;
    this.#named = named;
  }

  /**
   * Takes note of a directive at server or virtual host level; all of them, before anything is asked.
   * @param sure false in a conditional that cannot be decided
   */
  add(node: Directive, vhost: Section | undefined, sure: boolean): void {
    const { key } = node;
    if (key === 'listen') {
      this.#listening.addListen(node);
      this.#tls.addListen(node);
      return;
    }
    if (HostNames.concerns(key)) {
      this.#names.add(node, vhost, sure);
      if (key === 'serverpath') this.#of(vhost).serverPaths.push(this.#expand(node.args[0]?.value ?? ''));
      return;
    }
    if (key === 'sslengine') {
      this.#tls.addEngine(node, vhost, sure);
      return;
    }
    const served = this.#of(vhost);
    if (key === 'rewriterule') {
      served.rewrites.push(node);
      return;
    }
    const args = node.args.map((arg) => this.#expand(arg.value));
    const [first = ''] = args;
    if (key === 'documentroot') {
      const path = isTemplatePath(first) ? undefined : absolutePath(first, this.#serverRoot);
      served.roots.push({ path, asWritten: first, sure });
    } else if (key === 'rewriteoptions')
      served.inherits ||= args.some((word) => word.toLowerCase().startsWith('inherit'));
    else if (makesRoutes(key)) {
      if (key === 'userdir')
        noteUserDir((served.userDir ??= { disabled: undefined, enablesUsers: false }), args, sure);
      this.#hasVirtualRoots ||= key.startsWith('virtualdocumentroot');
      served.routes.push(...routesOf(key, args, this.#absolute));
    }
  }

  /** Takes note of a `<VirtualHost>`. @param sure false where it may not be there */
  addHost(vhost: Section, sure: boolean): void {
    this.#vhosts.add(vhost);
    this.#tls.addHost(vhost);
    this.#names.addHost(vhost, sure);
    if (sure) this.#listening.addHost(vhost);
  }

  /** Takes note of the regex of a Directory section. One that is bound to no beginning is for what the server serves, too. */
  addPattern(regex: string): void {
    this.#patternStarts.push(...pathStarts(regex).filter((text) => text.startsWith('/')));
  }

  /** The same of a Directory with wildcards. */
  addGlob(glob: string): void {
    this.#patternStarts.push(glob.slice(0, glob.search(/[*?[]/)));
  }

  /** Takes note of a directive of mod_proxy, wherever it stands. */
  addProxy(): void {
    this.#hasProxyLine = true;
  }

  /** Takes note of a `UseCanonicalName`, wherever it stands. */
  addCanonicalName(node: Directive): void {
    this.#names.add(node, undefined, true);
  }

  /** Requests may be proxied: then no Directory applies to them (2.2 mod_proxy.c: proxy_map_location). */
  get proxied(): boolean {
    this.#hasProxyRule ??= [...this.#served.values()].some(({ rewrites }) =>
      rewrites.some(({ args }) => /[[,]P(?:roxy)?[\],]/i.test(args[2]?.value ?? '')),
    );
    return this.#hasProxyLine || this.#hasProxyRule;
  }

  static concerns(key: string): boolean {
    return (
      key === 'documentroot' ||
      key === 'listen' ||
      key === 'sslengine' ||
      HostNames.concerns(key) ||
      makesRoutes(key) ||
      REWRITE.has(key) ||
      PROXY.has(key)
    );
  }

  /** Whether the main server itself answers any request: not where virtual hosts are there for every address. */
  get reachesMain(): boolean {
    return !this.#isComplete || this.#listening.reachesMain;
  }

  /** Whether every request that a virtual host answers has come over TLS. */
  isOverTls(vhost: Section): boolean {
    return this.#isComplete && this.#tls.isOver(vhost) === true;
  }

  /** What shows to a 2.4 that a request has come to this server. */
  marksOf(vhost: Section | undefined): ServerMarks {
    let marks = this.#marks.get(vhost);
    if (marks === undefined) this.#marks.set(vhost, (marks = this.#readMarks(vhost)));
    return marks;
  }

  #readMarks(vhost: Section | undefined): ServerMarks {
    if (!this.#isComplete) return { documentRoot: undefined, tls: undefined, name: undefined };
    const lines = [vhost, undefined].map((host) => this.#of(host).roots);
    const [root, ...others] = lines.find((roots) => roots.length > 0) ?? [];
    // httpd takes slashes away, and dots, where the directory is there when it starts.
    const isPlain = root !== undefined && root.sure && others.length === 0 && root.asWritten.replace(/(?!^)\/$/, '') === root.path; // prettier-ignore
    return {
      documentRoot:
        isPlain && !this.#hasVirtualRoots && !/['%\\]/.test(root.asWritten) ? root.asWritten : undefined,
      tls: this.#tls.isOver(vhost),
      name: this.#names.markOf(vhost),
    };
  }

  /** The servers that answer requests: the main server, if any request is left to it, and the virtual hosts; all but those of a list. */
  hostsExcept(excluded: ReadonlySet<Section | undefined>): readonly (Section | undefined)[] {
    const hosts: (Section | undefined)[] = this.reachesMain ? [undefined] : [];
    for (const vhost of this.#vhosts) if (!excluded.has(vhost)) hosts.push(vhost);
    return hosts;
  }

  /** Whether requests come to users' home directories, which the configuration does not name. */
  get reachesHomes(): boolean {
    return this.hostsExcept(new Set()).some(
      (vhost) => this.targets(vhost)?.some(({ kind }) => kind === 'home') === true,
    );
  }

  /** The directories that DocumentRoot and Alias lead to, of any host. */
  served(): string[] {
    return [...this.#served.values()].flatMap(({ roots, routes }) => [
      ...roots.flatMap(({ path }) => path ?? []),
      ...routes.flatMap(({ follows, target }) =>
        follows && target?.kind === 'directory' ? target.path : [],
      ),
    ]);
  }

  /** Where URLs of any of these hosts map into; undefined where the configuration does not say. */
  targetsOfAll(hosts: readonly (Section | undefined)[]): readonly Target[] | undefined {
    return union(hosts, (vhost) => this.targets(vhost));
  }

  /** The same for URLs of these sets. */
  targetsFromAll(
    hosts: readonly (Section | undefined)[],
    sets: readonly UrlSet[],
  ): readonly Target[] | undefined {
    const asked = hosts.flatMap((vhost) => sets.map((urls) => ({ vhost, urls })));
    return union(asked, ({ vhost, urls }) => this.targetsFrom(vhost, urls));
  }

  /** Where URLs map into; undefined where the configuration does not say. */
  targets(vhost: Section | undefined): readonly Target[] | undefined {
    if (!this.#targets.has(vhost)) this.#targets.set(vhost, this.targetsFrom(vhost, ALL_URLS));
    return this.#targets.get(vhost);
  }

  /** The same for URLs of a set. */
  targetsFrom(vhost: Section | undefined, urls: UrlSet): readonly Target[] | undefined {
    const { documentRoots, routes } = this.#mergedOf(vhost);
    const targets = this.#targetsAt(documentRoots, routes, urls);
    const rules = this.#ruleTargetsOf(vhost);
    if (rules === undefined || targets === undefined) return undefined;
    const start = smallStart(urls);
    for (const { url, leadsTo } of rules) {
      if (!start.startsWith(url) && !url.startsWith(start)) continue;
      const more = leadsTo();
      if (more === undefined) return undefined;
      targets.push(...more);
    }
    return targets;
  }

  /** Where the RewriteRule lines of a server lead URLs with some beginning; undefined where it is not followed. */
  #ruleTargetsOf(vhost: Section | undefined): readonly RuleTargets[] | undefined {
    if (!this.#ruleTargets.has(vhost)) {
      const { documentRoots, routes } = this.#mergedOf(vhost);
      const rules = rewrittenUrls(this.#rewritesOf(vhost))?.map(({ url, substitution, passedThrough }) => {
        let known: { readonly targets: readonly Target[] | undefined } | undefined;
        const leadsTo = (): readonly Target[] | undefined =>
          (known ??= { targets: this.#targetsOfRule(documentRoots, routes, substitution, passedThrough) }).targets; // prettier-ignore
        return { url: url.toLowerCase(), leadsTo };
      });
      this.#ruleTargets.set(vhost, rules);
    }
    return this.#ruleTargets.get(vhost);
  }

  #targetsAt(
    documentRoots: readonly string[] | undefined,
    routes: readonly Route[],
    urls: UrlSet,
  ): Target[] | undefined {
    if (documentRoots === undefined) return undefined;
    const targets: Target[] = documentRoots.flatMap(
      (root) => targetBelow({ kind: 'directory', path: root }, '', urls) ?? [],
    );
    for (const { url, target, follows } of routes) {
      if (!follows) {
        if (!mayStart(urls, url)) continue;
        if (target === undefined) return undefined;
        targets.push(target.kind === 'home' ? { ...target, besides: this.#besides() } : target);
        continue;
      }
      const found = target && targetBelow(target, url.replace(/\/+$/, ''), urls);
      if (found !== undefined) targets.push(found);
    }
    return targets;
  }

  /**
   * Where a substitution leads: below the document root or, as its first part may be there in the file system, to the file of that name
   * (mod_rewrite.c: prefix_stat).
   */
  #targetsOfRule(
    documentRoots: readonly string[] | undefined,
    routes: readonly Route[],
    substitution: string,
    passedThrough: boolean,
  ): readonly Target[] | undefined {
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
      ? this.#targetsAt(documentRoots, routes, { kind: 'path', path: start === '/' ? '' : start })
      : documentRoots?.map((root) => directory(`${root}/${start}`));
  }

  /** Where the lines of these hosts say that URLs map into, whatever else may; undefined where a document root is not known. */
  statedTargets(hosts: readonly (Section | undefined)[]): readonly Target[] | undefined {
    return union(hosts, (vhost) => {
      const { documentRoots, routes } = this.#mergedOf(vhost);
      const stated = routes.filter(({ target }) => target !== undefined);
      return this.#targetsAt(documentRoots, stated, ALL_URLS);
    });
  }

  /** A URL of a file; undefined where none maps to it, or the configuration does not say. */
  urlOf(vhost: Section | undefined, filename: string): string | undefined {
    return this.urlsOf(vhost, filename)[0];
  }

  /** The URLs of a file, one for each line that serves it; none where none maps to it, or the configuration does not say. */
  urlsOf(vhost: Section | undefined, filename: string): readonly string[] {
    if (this.targets(vhost) === undefined) return EMPTY_LIST;
    const { documentRoots = [], routes } = this.#mergedOf(vhost);
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
      if (target === undefined || !holds(target, filename)) continue;
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

  /**
   * The file that DocumentRoot or Alias give for a URL, and which of them; undefined without a DocumentRoot.
   * `sure` is false where something else maps URLs too.
   */
  fileOf(
    vhost: Section | undefined,
    url: string,
  ): { filename: string; by: string; sure: boolean } | undefined {
    const { documentRoots, routes } = this.#mergedOf(vhost);
    const root = this.#of(vhost).roots.at(-1) ?? this.#of(undefined).roots.at(-1);
    const alias = routes.find((route) => isAlias(route) && locationCovers(route.url, url));
    const path = alias?.target?.kind === 'directory' ? alias.target.path : root?.path;
    if (path === undefined) return undefined;
    const sure =
      documentRoots?.length === 1 && !routes.some((route) => !isAlias(route) && startsMeet(route.url, url));
    const rest = alias === undefined ? url : url.slice(alias.url.length);
    const filename = normalisePath(`${path}/${rest}`);
    const slash = url.endsWith('/') && filename !== '/' ? '/' : '';
    return {
      filename: filename + slash,
      by: alias === undefined ? 'DocumentRoot' : `${alias.by ?? 'Alias'} ${alias.url}`,
      sure,
    };
  }

  /** Whether RewriteRule lines of the virtual host, or of the main server, may lead a URL elsewhere. */
  rewrites(vhost: Section | undefined): boolean {
    return this.#rewritesOf(vhost).length > 0;
  }

  /** With what the main server hands down. */
  #mergedOf(vhost: Section | undefined): Merged {
    let merged = this.#merged.get(vhost);
    if (merged === undefined) {
      const served = this.#of(vhost);
      const main = this.#of(undefined);
      const documentRoots = this.#rootsOf(vhost);
      const all = [
        ...served.routes,
        ...(vhost === undefined ? [] : main.routes),
        // mod_alias and the others come before the core.
        ...served.serverPaths.flatMap((url) => documentRoots?.map((root) => serverPath(url, root)) ?? []),
      ];
      const disabled = served.userDir?.disabled ?? main.userDir?.disabled;
      // Users that the main server names are not handed down to a virtual host with UserDir lines (mod_userdir.c: merge_userdir_config).
      const hasNoHomes = disabled === true && (served.userDir ?? main.userDir)?.enablesUsers !== true;
      merged = {
        documentRoots,
        routes: hasNoHomes ? all.filter(({ toHomes }) => toHomes !== true) : all,
      };
      this.#merged.set(vhost, merged);
    }
    return merged;
  }

  /** Where DocumentRoot may be: the last one that is surely read, and those after it; undefined where it may be anywhere. */
  #rootsOf(vhost: Section | undefined): readonly string[] | undefined {
    const { roots } = this.#of(vhost);
    const last = roots.findLastIndex(({ sure }) => sure);
    const found = new Set<string>();
    for (const { path } of roots.slice(Math.max(0, last))) {
      if (path === undefined) return undefined;
      found.add(path);
    }
    if (last < 0) {
      const above = vhost === undefined ? this.#defaultRoots() : this.#rootsOf(undefined);
      if (above === undefined) return undefined;
      for (const path of above) found.add(path);
    }
    return [...found];
  }

  /** Where no server says what it serves, the lines are part of a configuration: the rest would say it. */
  #defaultRoots(): readonly string[] | undefined {
    const saysWhere = [...this.#served.values()].some(
      ({ roots, routes }) => roots.length > 0 || routes.some(({ url, follows }) => follows && url === ''),
    );
    return this.#isComplete && saysWhere ? [DEFAULT_ROOT] : undefined;
  }

  /** The patterns of the RewriteRule lines of a server that a URL matches, or may match. */
  rulesFor(vhost: Section | undefined, url: string): string[] {
    return this.#rewritesOf(vhost).flatMap(({ args }) => {
      const [pattern = ''] = args.map(({ value }) => value);
      return mayMatch(pattern, args[2]?.value ?? '', url) ? [pattern] : [];
    });
  }

  /** The RewriteRule lines in force: those of the main server only where it is asked for (mod_rewrite.c: config_server_merge). */
  #rewritesOf(vhost: Section | undefined): readonly Directive[] {
    const { rewrites, inherits } = this.#of(vhost);
    return vhost !== undefined && inherits ? [...rewrites, ...this.#of(undefined).rewrites] : rewrites;
  }

  /** Whether the first part of a substitution may be there in the file system. */
  #escapes(substitution: string): boolean {
    const first = /^\/([^/$%]+)/.exec(substitution)?.[1];
    if (first === undefined) return /^\/?(?:[$%]|$)/.test(substitution);
    // Which names there are on a drive is not looked at.
    if (hasDrive(this.#serverRoot ?? '')) return true;
    this.#firstParts ??= new Set([this.served(), ...this.#named].flat().map((path) => path.split('/')[1]));
    const isOfPattern = this.#patternStarts.some((start) => startsMeet(start, `/${first}/`));
    return this.#firstParts.has(first) || isTemplatePath(first) || isOfPattern;
  }

  /** What a home directory does not lie in. */
  #besides(): ReadonlySet<string> {
    return (this.#servedDirectories ??= new Set(this.served().filter((path) => path !== '/')));
  }

  #expand(value: string): string {
    if (!value.includes('${')) return value;
    return value.replace(/\$\{([^}]*)\}/g, (whole, name: string) => this.#variables.get(name) ?? whole);
  }

  #of(vhost: Section | undefined): Served {
    let served = this.#served.get(vhost);
    if (served === undefined) {
      served = { roots: [], routes: [], userDir: undefined, rewrites: [], inherits: false, serverPaths: [] };
      this.#served.set(vhost, served);
    }
    return served;
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
  targetsOf: (asked: Asked) => readonly Target[] | undefined,
): readonly Target[] | undefined {
  if (all.length === 1) return targetsOf(all[0]!);
  const found = new Map<string, Target>();
  for (const asked of all) {
    const targets = targetsOf(asked);
    if (targets === undefined) return undefined;
    for (const target of targets) found.set(keyOf(target), target);
  }
  return [...found.values()];
}
