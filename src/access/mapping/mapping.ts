import type { Directive, Section } from '../../syntax';
import { isTemplatePath, isWithin, locationCovers, normalisePath } from '../primitives';

/** What one server, main or virtual, serves from where. */
interface Served {
  /** Its DocumentRoot lines in their order; one in a conditional may not be read. */
  readonly roots: { readonly path: string; readonly sure: boolean }[];
  readonly aliases: { readonly url: string; readonly target: string }[];
  /** Something else maps URLs too, in ways the configuration does not spell out: any directory may be reached. */
  open: boolean;
  /** Its RewriteRule lines: they are read once somebody asks where they lead. */
  readonly rewrites: Directive[];
  /** RewriteOptions inherit: those of the main server are its own too. */
  inherits: boolean;
}

/** What a server serves, with what the main server hands down. */
interface Merged {
  /** Where its DocumentRoot may be: one, unless conditionals decide. */
  readonly documentRoots: readonly string[];
  readonly aliases: Served['aliases'];
}

const ALIAS = new Set(['alias', 'scriptalias']);
const REWRITE = new Set(['rewriterule', 'rewriteoptions']);
const OPEN = new Set([
  'aliasmatch', 'scriptaliasmatch', 'userdir',
  'virtualdocumentroot', 'virtualdocumentrootip', 'virtualscriptalias', 'virtualscriptaliasip',
]); // prettier-ignore
const PROXY = new Set(['proxypass', 'proxypassmatch', 'proxyrequests']);

/** Which directories a request of a virtual host can come to, as DocumentRoot and Alias say (mod_alias, core: ap_core_translate). */
export class UrlMapping {
  #hasProxyLine = false;
  #hasProxyRule: boolean | undefined;
  /** The first parts of the directories served and named, and what is known of each host; made when first asked for. */
  #firstParts: Set<string | undefined> | undefined;
  readonly #known = new Map<Section | undefined, Merged | undefined>();
  readonly #served = new Map<Section | undefined, Served>();
  readonly #named: readonly (readonly string[])[];

  /** @param named lists of absolute paths that sections and `.htaccess` files are for; more may come later */
  constructor(...named: readonly (readonly string[])[]) {
    this.#named = named;
  }

  /**
   * Takes note of a directive at server or virtual host level; all of them, before anything is asked.
   * @param sure false in a conditional that cannot be decided
   */
  add(node: Directive, vhost: Section | undefined, sure: boolean): void {
    const { key } = node;
    const served = this.#of(vhost);
    if (key === 'rewriterule') {
      served.rewrites.push(node);
      return;
    }
    const args = node.args.map((arg) => arg.value);
    const [first = '', second = ''] = args;
    if (key === 'documentroot') {
      if (first.startsWith('/') && !isTemplatePath(first))
        served.roots.push({ path: normalisePath(first), sure });
      else served.open = true;
    } else if (ALIAS.has(key)) {
      // What follows the URL is put behind the target as it is: without its slash the target is the beginning of any name.
      const inside = second.endsWith('/') || !first.endsWith('/');
      if (second.startsWith('/') && inside && !isTemplatePath(first) && !isTemplatePath(second))
        served.aliases.push({ url: first.replace(/\/+/g, '/'), target: normalisePath(second) });
      else served.open = true;
    } else if (key === 'rewriteoptions')
      served.inherits ||= args.some((word) => word.toLowerCase().startsWith('inherit'));
    else if (OPEN.has(key)) served.open = true;
  }

  /** Takes note of a directive of mod_proxy, wherever it stands. */
  addProxy(): void {
    this.#hasProxyLine = true;
  }

  /** Requests may be proxied: then no Directory applies to them (2.2 mod_proxy.c: proxy_map_location). */
  get proxied(): boolean {
    this.#hasProxyRule ??= [...this.#served.values()].some(({ rewrites }) =>
      rewrites.some(({ args }) => /[[,]P(?:roxy)?[\],]/i.test(args[2]?.value ?? '')),
    );
    return this.#hasProxyLine || this.#hasProxyRule;
  }

  static concerns(key: string): boolean {
    return key === 'documentroot' || ALIAS.has(key) || REWRITE.has(key) || OPEN.has(key) || PROXY.has(key);
  }

  /** The main server, and the virtual hosts that say where they serve files from: all but those of a list. */
  hostsExcept(excluded: ReadonlySet<Section | undefined>): readonly (Section | undefined)[] {
    return [
      undefined,
      ...[...this.#served.keys()].filter((vhost) => vhost !== undefined && !excluded.has(vhost)),
    ];
  }

  /** The directories that DocumentRoot and Alias lead to, of any host. */
  served(): string[] {
    return [...this.#served.values()].flatMap(({ roots, aliases }) => [
      ...roots.map(({ path }) => path),
      ...aliases.map(({ target }) => target),
    ]);
  }

  /** The directories that URLs of any of these hosts map into; undefined where the configuration does not say. */
  targetsOfAll(hosts: readonly (Section | undefined)[]): readonly string[] | undefined {
    return union(hosts, (vhost) => this.targets(vhost));
  }

  /** The same for URLs at or below `url`. */
  targetsFromAll(hosts: readonly (Section | undefined)[], url: string): readonly string[] | undefined {
    return union(hosts, (vhost) => this.targetsFrom(vhost, url));
  }

  /** The directories that URLs map into; undefined where the configuration does not say. */
  targets(vhost: Section | undefined): readonly string[] | undefined {
    const all = this.#merged(vhost);
    return all && [...all.documentRoots, ...all.aliases.map((alias) => alias.target)];
  }

  /** The same for URLs at or below `url`. */
  targetsFrom(vhost: Section | undefined, url: string): readonly string[] | undefined {
    const all = this.#merged(vhost);
    if (all === undefined) return undefined;
    const path = url.replace(/\/+$/, '');
    const targets = all.documentRoots.map((root) => normalisePath(`${root}/${path}`));
    for (const { url: from, target } of all.aliases) {
      const prefix = from.replace(/\/+$/, '');
      if (locationCovers(path, prefix)) targets.push(target);
      else if (locationCovers(prefix, path))
        targets.push(normalisePath(`${target}/${path.slice(prefix.length)}`));
    }
    return targets;
  }

  /** The URL of a file; undefined where none maps to it, or the configuration does not say. */
  urlOf(vhost: Section | undefined, filename: string): string | undefined {
    const all = this.#merged(vhost);
    if (all === undefined) return undefined;
    const alias = all.aliases.find((candidate) => isWithin(filename, candidate.target));
    const target = alias?.target ?? all.documentRoots.find((root) => isWithin(filename, root));
    if (target === undefined) return undefined;
    return `${alias?.url.replace(/\/+$/, '') ?? ''}${filename.slice(target === '/' ? 0 : target.length)}`;
  }

  /**
   * The file that DocumentRoot or Alias give for a URL, and which of them; undefined without a DocumentRoot.
   * `sure` is false where something else maps URLs too.
   */
  fileOf(
    vhost: Section | undefined,
    url: string,
  ): { filename: string; by: string; sure: boolean } | undefined {
    const main = this.#of(undefined);
    const ofHost = this.#of(vhost);
    const roots = this.#rootsOf(vhost);
    const sure = !ofHost.open && !main.open && roots?.length === 1;
    const aliases = vhost === undefined ? ofHost.aliases : [...ofHost.aliases, ...main.aliases];
    const alias = aliases.find((candidate) => locationCovers(candidate.url, url));
    const root = alias?.target ?? (ofHost.roots.at(-1) ?? main.roots.at(-1))?.path;
    if (root === undefined) return undefined;
    const rest = alias === undefined ? url : url.slice(alias.url.length);
    const filename = normalisePath(`${root}/${rest}`);
    const slash = url.endsWith('/') && filename !== '/' ? '/' : '';
    return {
      filename: filename + slash,
      by: alias === undefined ? 'DocumentRoot' : `Alias ${alias.url}`,
      sure,
    };
  }

  /** Whether RewriteRule lines of the virtual host, or of the main server, may lead a URL elsewhere. */
  rewrites(vhost: Section | undefined): boolean {
    return this.#rewritesOf(vhost).length > 0;
  }

  /** With what the main server hands down; undefined where any directory may be reached. */
  #merged(vhost: Section | undefined): Merged | undefined {
    if (!this.#known.has(vhost)) this.#known.set(vhost, this.#merge(vhost));
    return this.#known.get(vhost);
  }

  #merge(vhost: Section | undefined): Merged | undefined {
    const main = this.#of(undefined);
    const ofHost = this.#of(vhost);
    const documentRoots = this.#rootsOf(vhost);
    if (documentRoots === undefined || ofHost.open || main.open) return undefined;
    if (this.#rewritesOf(vhost).some(({ args }) => this.#escapes(args[1]?.value ?? ''))) return undefined;
    return {
      documentRoots,
      aliases: vhost === undefined ? ofHost.aliases : [...ofHost.aliases, ...main.aliases],
    };
  }

  /** Where DocumentRoot may be: the last one that is surely read, and those after it; undefined where none is. */
  #rootsOf(vhost: Section | undefined): string[] | undefined {
    const { roots } = this.#of(vhost);
    if (roots.length === 1 && roots[0]!.sure) return [roots[0]!.path];
    const last = roots.findLastIndex(({ sure }) => sure);
    const found = roots.slice(Math.max(0, last)).map(({ path }) => path);
    if (last >= 0) return [...new Set(found)];
    const above = vhost === undefined ? undefined : this.#rootsOf(undefined);
    return above && [...new Set([...found, ...above])];
  }

  /** The substitutions in force: those of the main server only where it is asked for (mod_rewrite.c: config_server_merge). */
  #rewritesOf(vhost: Section | undefined): readonly Directive[] {
    const { rewrites, inherits } = this.#of(vhost);
    return vhost !== undefined && inherits ? [...rewrites, ...this.#of(undefined).rewrites] : rewrites;
  }

  /**
   * Whether a substitution may name a file outside the document root: mod_rewrite takes one whose first part is there in the file system
   * for a file name (mod_rewrite.c: prefix_stat).
   */
  #escapes(substitution: string): boolean {
    if (!substitution.startsWith('/')) {
      if (/^(?:-$|[a-z]+:)/i.test(substitution)) return false;
      if (/^%\{DOCUMENT_ROOT\}(?:\/|$)/i.test(substitution)) return substitution.split('/').includes('..');
    }
    const first = /^\/([^/$%]+)/.exec(substitution)?.[1];
    if (first === undefined) return /^\/?(?:[$%]|$)/.test(substitution);
    this.#firstParts ??= new Set([this.served(), ...this.#named].flat().map((path) => path.split('/')[1]));
    return this.#firstParts.has(first) || isTemplatePath(first);
  }

  /** The directories that DocumentRoot and Alias of these hosts lead to, whatever else may; undefined where they may be any. */
  targetDirectories(hosts: readonly (Section | undefined)[]): ReadonlySet<string> | undefined {
    const targets = new Set<string>();
    // What the main server has is handed down to each.
    for (const { target } of this.#of(undefined).aliases) targets.add(target);
    for (const vhost of hosts) {
      const roots = this.#rootsOf(vhost);
      if (roots === undefined) return undefined;
      for (const root of roots) targets.add(root);
      if (vhost !== undefined) for (const { target } of this.#of(vhost).aliases) targets.add(target);
    }
    return targets;
  }

  #of(vhost: Section | undefined): Served {
    let served = this.#served.get(vhost);
    if (served === undefined) {
      served = { roots: [], aliases: [], open: false, rewrites: [], inherits: false };
      this.#served.set(vhost, served);
    }
    return served;
  }
}

function union(
  hosts: readonly (Section | undefined)[],
  targetsOf: (vhost: Section | undefined) => readonly string[] | undefined,
): readonly string[] | undefined {
  const found = new Set<string>();
  for (const vhost of hosts) {
    const targets = targetsOf(vhost);
    if (targets === undefined) return undefined;
    for (const target of targets) found.add(target);
  }
  return [...found];
}
