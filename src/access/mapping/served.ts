import type { Section } from '../../syntax';
import { isTemplatePath, getOrInsert, memo } from '../primitives';
import {
  type AbsolutePath,
  type Route,
  type UserDirSettings,
  ROUTES,
  noteUserDir,
  serverPath,
} from './routes';

export interface DocumentRootLine {
  /** The path of the directory; undefined where it is not known. */
  readonly path: string | undefined;
  readonly asWritten: string;
  readonly sure: boolean;
}

/** What one server, main or virtual, says itself about what it serves from where. */
interface HostLines {
  /** The DocumentRoot lines of the host in their order; one in a conditional may not be read. */
  readonly roots: DocumentRootLine[];
  readonly routes: Route[];
  /** The ServerPath lines of the host, which it does not take from the main server. */
  readonly serverPaths: string[];
  userDir: UserDirSettings | undefined;
}

/** What a server serves, with what the main server hands down. */
export interface Served {
  /** Where the DocumentRoot may be: one place, unless conditionals decide; undefined where it may be anywhere. */
  readonly documentRoots: readonly string[] | undefined;
  readonly routes: readonly Route[];
}

/**
 * httpd's own document root, where no DocumentRoot is in force (server/core.c: DOCUMENT_LOCATION): below what `httpd -V` prints
 * as HTTPD_ROOT, which no configuration shows. No section names this directory, and messages do.
 */
const DEFAULT_ROOT = '/HTTPD_ROOT/htdocs';

/** Directives that say what is served from where. */
export const SERVING = new Set(['documentroot', 'serverpath', ...ROUTES.keys()]);

/** What the main server and each virtual host serve from where, by all lines but those of mod_rewrite. */
export class ServedByHost {
  readonly #lines = new Map<Section | undefined, HostLines>();
  /** A document root may be made of the name that is asked for. */
  hasVirtualRoots = false;

  /** @param isComplete as in `UrlMapping` */
  constructor(
    private readonly isComplete: boolean,
    private readonly absolute: AbsolutePath,
  ) {}

  /**
   * Takes note of a line; all of them, before anything is asked.
   * @param args variables in them have their values
   * @param sure false in a conditional that cannot be decided
   */
  add(key: string, args: readonly string[], vhost: Section | undefined, sure: boolean): void {
    const make = (): HostLines => ({ roots: [], routes: [], serverPaths: [], userDir: undefined });
    const lines = getOrInsert(this.#lines, vhost, make);
    const [first = ''] = args;
    if (key === 'documentroot') {
      const path = isTemplatePath(first) ? undefined : this.absolute(first);
      lines.roots.push({ path, asWritten: first, sure });
    } else if (key === 'serverpath') lines.serverPaths.push(first);
    else {
      if (key === 'userdir')
        noteUserDir((lines.userDir ??= { disabled: undefined, enablesUsers: false }), args, sure);
      this.hasVirtualRoots ||= key.startsWith('virtualdocumentroot');
      lines.routes.push(...ROUTES.get(key)!(args, this.absolute));
    }
  }

  /** The DocumentRoot lines of a server; those of the main server where it has none. */
  rootLines(vhost: Section | undefined): readonly DocumentRootLine[] {
    const { roots = [] } = this.#lines.get(vhost) ?? {};
    return roots.length > 0 || vhost === undefined ? roots : this.rootLines(undefined);
  }

  /** The directories that DocumentRoot and Alias lead to, of any host. */
  directories(): string[] {
    return [...this.#lines.values()].flatMap(({ roots, routes }) => [
      ...roots.flatMap(({ path }) => path ?? []),
      ...routes.flatMap(({ follows, target }) =>
        follows && target?.kind === 'directory' ? target.path : [],
      ),
    ]);
  }

  /** With what the main server hands down. */
  readonly of = memo((vhost: Section | undefined): Served => {
    const lines = this.#lines.get(vhost);
    const main = this.#lines.get(undefined);
    const documentRoots = this.#rootsOf(vhost);
    const mapped = [...(lines?.routes ?? []), ...(vhost === undefined ? [] : (main?.routes ?? []))];
    const isLate = ({ by }: Route): boolean => by === 'WSGIScriptAlias';
    const routes = [
      // mod_alias comes before mod_wsgi, wherever their lines stand.
      ...mapped.filter((route) => !isLate(route)),
      ...mapped.filter(isLate),
      // mod_alias and the others come before the core.
      ...(lines?.serverPaths ?? []).flatMap(
        (url) => documentRoots?.map((root) => serverPath(url, root)) ?? [],
      ),
    ];
    const disabled = lines?.userDir?.disabled ?? main?.userDir?.disabled;
    // Users that the main server names are not handed down to a virtual host with UserDir lines (mod_userdir.c:
    // merge_userdir_config).
    const hasNoHomes = disabled === true && (lines?.userDir ?? main?.userDir)?.enablesUsers !== true;
    return { documentRoots, routes: hasNoHomes ? routes.filter(({ toHomes }) => toHomes !== true) : routes };
  }, new Map());

  /** Where DocumentRoot may be: the last one that is surely read, and those after it; undefined where it may be anywhere. */
  #rootsOf(vhost: Section | undefined): readonly string[] | undefined {
    const { roots = [] } = this.#lines.get(vhost) ?? {};
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
    const saysWhere = [...this.#lines.values()].some(
      ({ roots, routes }) => roots.length > 0 || routes.some(({ url, follows }) => follows && url === ''),
    );
    return this.isComplete && saysWhere ? [DEFAULT_ROOT] : undefined;
  }
}
