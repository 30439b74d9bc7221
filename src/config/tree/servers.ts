import type { Directive, Node, Section } from '../../syntax';
import { type Condition, isConditional, placeCondition } from './conditions';
import type { ConfigFile, ConfigTree, Place } from '../types';

/** A directive or section that stands directly in a server: conditionals and Includes around it are seen through. */
export interface ServerLine<T extends Directive | Section = Directive | Section> {
  readonly node: T;
  readonly place: Place;
  /** The way to it from the server's own text: Includes and conditionals, outermost first, and last the line itself. */
  readonly path: readonly PathStep[];
}

export interface PathStep {
  readonly file: ConfigFile;
  readonly node: Directive | Section;
}

/**
 * One server of the tree, or what may be taken for one:
 * `main`: the server level of the files read as the server config; `vhost`: one `<VirtualHost>`; `htaccess`: a `.htaccess`;
 * `fragment`: the outermost level of a file that nothing of the run includes.
 */
export interface Server {
  readonly kind: 'main' | 'vhost' | 'htaccess' | 'fragment';
  /** The `<VirtualHost>`. */
  readonly section: Section | undefined;
  /** The file its own text is in, of `main` the last root: where something goes that stands beside nothing. */
  readonly file: ConfigFile;
  /** The server that a `vhost` inherits from. */
  readonly parent: Server | undefined;
  /** Whether the run knows all of it, so that a missing directive says something: not of a fragment or a `.htaccess`. */
  readonly whole: boolean;
  /** What stands directly in it, in the order httpd reads it. Of two ways to the same virtual host: the last one's. */
  readonly lines: readonly ServerLine[];
  /** Whether a node is one of its lines. */
  readonly has: (node: Directive | Section) => boolean;
  /** False where no server of the run has a line of that name (lower case): most questions end there. */
  readonly mayHave: (key: string) => boolean;
}

/** Where new lines go: see `insertAt` in `src/edit`. Without a node: at the end of the file. */
export interface ServerInsertionPoint {
  readonly file: ConfigFile;
  readonly node: Directive | Section | undefined;
  readonly side: 'before' | 'after' | 'inside';
}

/**
 * The servers of a tree. What transforms ask about "this server": which one a place belongs to, what stands directly in it, what
 * is in force there, and where a new line goes.
 *
 * ```ts
 * const servers = serversOf(context.tree);          // cached: one walk, however many transforms ask
 * const server = servers.of(place);                 // the virtual host, the main server, the .htaccess
 * lastInForce(server, ['LogLevel'])                 // the last line that httpd reads for sure, with file and path
 * linesOf(server, ['LogLevel'])                     // all of them, those in conditionals too
 * const point = insertionPointFor(servers, server, [['LogLevel'], ['ErrorLog', 'CustomLog']]);
 * edits: [insertAt(point.file.document, point, ['LogLevel rewrite:trace3'])]
 * ```
 */
export class Servers {
  /** The main server (if there is one), the virtual hosts and the fragments, as they are read; no `.htaccess`. */
  readonly all: readonly Server[];
  readonly main: Server | undefined;
  readonly #tree: ConfigTree;
  readonly #bySection = new Map<Section, LazyServer>();
  readonly #byRoot = new Map<ConfigFile, LazyServer>();
  /** How often a file is entered below servers. */
  readonly #entered = new Map<ConfigFile, number>();
  /** The names of what stands directly in any of them. */
  readonly #keys = new Set<string>();

  constructor(tree: ConfigTree) {
    this.#tree = tree;
    const all: LazyServer[] = [];
    const last = tree.roots.at(-1);
    if (last !== undefined) {
      const main = this.#growRoot('main', last, tree.isServer);
      all.push(main);
      for (const root of tree.roots) this.#addRoot(main, root, all);
      this.main = main;
    }
    for (const root of tree.unreached) {
      const fragment = this.#growRoot('fragment', root, false);
      all.push(fragment);
      this.#addRoot(fragment, root, all);
    }
    this.all = all;
  }

  /** The server a place belongs to: the innermost `<VirtualHost>` around it, else what its walk began in. */
  of({ chain, root }: Place): Server {
    if (!this.#byRoot.has(root)) this.#addRoot(this.#growRoot('htaccess', root, false), root, []);
    for (let i = chain.length - 1; i >= 0; i--) {
      const host = this.#bySection.get(chain[i]!.section);
      if (host !== undefined) return host;
    }
    return this.#byRoot.get(root)!;
  }

  /** Whether a line at a place stands directly in its server, and is one of that server's `lines`; false in a `.htaccess`. */
  isLine(place: Place): boolean {
    const server = this.of(place);
    if (server.kind === 'htaccess') return false;
    const from = place.chain.findIndex(({ section }) => section === server.section) + 1;
    return place.chain
      .slice(from)
      .every(({ section }) => isConditional(section) || isPassedOver(section, server));
  }

  /** True where a line of this file stands in the server it was reached in and nowhere else. */
  isReachedOnce(file: ConfigFile): boolean {
    return (this.#entered.get(file) ?? 0) <= 1;
  }

  #grow(known: ServerFacts): LazyServer {
    return new LazyServer(known, this.#tree.includes, this.#keys);
  }

  /** One that stands in no other. */
  #growRoot(kind: Server['kind'], file: ConfigFile, whole: boolean): LazyServer {
    return this.#grow({ kind, section: undefined, file, parent: undefined, whole });
  }

  #addRoot(server: LazyServer, root: ConfigFile, all: LazyServer[]): void {
    this.#byRoot.set(root, server);
    server.bodies.push({ nodes: root.document.body, place: { file: root, chain: [], root } });
    this.#enter(root, { file: root, chain: [], root }, server, all);
  }

  #enter(file: ConfigFile, place: Place, server: LazyServer, all: LazyServer[]): void {
    this.#entered.set(file, (this.#entered.get(file) ?? 0) + 1);
    this.#look(file.document.body, place, server, all);
  }

  /** Finds the virtual hosts, and what is included where. What else stands in a server is read once it is asked for. */
  #look(nodes: readonly Node[], place: Place, server: LazyServer, all: LazyServer[]): void {
    for (const node of nodes) {
      if (node.kind === 'directive') {
        this.#keys.add(node.key);
        const files = this.#tree.includes.get(node);
        if (files !== undefined) for (const file of files) this.#enter(file, { ...place, file }, server, all);
      } else if (node.kind === 'section') {
        const { key } = node;
        const conditional = isConditional(node);
        if (!conditional) this.#keys.add(key);
        if (key === 'virtualhost') this.#host(node, inside(place, node), server, all);
        else if (conditional || isPassedOver(node, server))
          this.#look(node.body, inside(place, node), server, all);
        else if (this.#tree.includes.size > 0) this.#count(node.body);
      }
    }
  }

  #host(section: Section, place: Place, parent: LazyServer, all: LazyServer[]): void {
    let host = this.#bySection.get(section);
    if (host === undefined) {
      host = this.#grow({ kind: 'vhost', section, file: place.file, parent, whole: parent.whole });
      this.#bySection.set(section, host);
      all.push(host);
    }
    host.bodies = [{ nodes: section.body, place }];
    this.#look(section.body, place, host, all);
  }

  /** What is included inside of other sections is reached there, too. */
  #count(nodes: readonly Node[]): void {
    for (const node of nodes) {
      if (node.kind === 'section') this.#count(node.body);
      else if (node.kind === 'directive')
        for (const file of this.#tree.includes.get(node) ?? NO_FILES) {
          const known = this.#entered.get(file) ?? 0;
          this.#entered.set(file, known + 1);
          if (known === 0) this.#count(file.document.body);
        }
    }
  }
}

const NO_FILES: readonly ConfigFile[] = [];

type ServerFacts = Omit<Server, 'lines' | 'has' | 'mayHave'>;

/** A server whose lines are read on demand. */
class LazyServer implements Server {
  readonly kind: Server['kind'];
  readonly section: Section | undefined;
  readonly file: ConfigFile;
  readonly parent: Server | undefined;
  readonly whole: boolean;
  /** The parts of the tree that are the server's own text. */
  bodies: { readonly nodes: readonly Node[]; readonly place: Place }[] = [];
  readonly mayHave: (key: string) => boolean;
  readonly #includes: ConfigTree['includes'];
  #lines: ServerLine[] | undefined;
  #nodes: ReadonlySet<Directive | Section> | undefined;

  constructor(known: ServerFacts, includes: ConfigTree['includes'], keys: ReadonlySet<string>) {
    this.kind = known.kind;
    this.section = known.section;
    this.file = known.file;
    this.parent = known.parent;
    this.whole = known.whole;
    this.#includes = includes;
    this.mayHave = (key) => keys.has(key);
  }

  get lines(): readonly ServerLine[] {
    if (this.#lines === undefined) {
      this.#lines = [];
      for (const { nodes, place } of this.bodies) this.#read(nodes, place, [], this.#lines);
    }
    return this.#lines;
  }

  has(node: Directive | Section): boolean {
    this.#nodes ??= new Set(this.lines.map((line) => line.node));
    return this.#nodes.has(node);
  }

  #read(nodes: readonly Node[], place: Place, path: readonly PathStep[], lines: ServerLine[]): void {
    for (const node of nodes) {
      if (node.kind !== 'directive' && node.kind !== 'section') continue;
      const pathToNode = [...path, { file: place.file, node }];
      if (node.kind === 'directive') {
        lines.push({ node, place, path: pathToNode });
        for (const file of this.#includes.get(node) ?? NO_FILES)
          this.#read(file.document.body, { ...place, file }, pathToNode, lines);
      } else if (isConditional(node)) this.#read(node.body, inside(place, node), pathToNode, lines);
      else {
        lines.push({ node, place, path: pathToNode });
        if (isPassedOver(node, this)) this.#read(node.body, inside(place, node), pathToNode, lines);
      }
    }
  }
}

/** At server level 2.2 ignores `<Limit>`. */
function isPassedOver({ key }: Section, { whole, kind }: Server): boolean {
  return (key === 'limit' || key === 'limitexcept') && (whole || kind === 'vhost');
}

function inside({ file, chain, root }: Place, section: Section): Place {
  return { file, chain: [...chain, { file, section }], root };
}

const cache = new WeakMap<ConfigTree, Servers>();

/** The servers of a tree, computed once. */
export function serversOf(tree: ConfigTree): Servers {
  let servers = cache.get(tree);
  if (servers === undefined) cache.set(tree, (servers = new Servers(tree)));
  return servers;
}

/** By their names in small letters, in the order they are asked for. */
const linesByNames = new WeakMap<Server, Map<string, readonly ServerLine<Directive>[]>>();

/** The directives of those names (any letter case) that stand directly in a server and that a 2.2 may read. */
export function linesOf(server: Server, names: readonly string[]): readonly ServerLine<Directive>[] {
  const keys = names.map((name) => name.toLowerCase()).filter(server.mayHave);
  if (keys.length === 0) return [];
  let known = linesByNames.get(server);
  if (known === undefined) linesByNames.set(server, (known = new Map()));
  const asked = keys.join(' ');
  let lines = known.get(asked);
  if (lines === undefined) {
    lines = server.lines.filter(
      (line): line is ServerLine<Directive> =>
        line.node.kind === 'directive' && keys.includes(line.node.key) && conditionIn(line).on22 !== false,
    );
    known.set(asked, lines);
  }
  return lines;
}

/** The last of them that a 2.2 reads for sure: of directives of which the last wins, the one in force. */
export function lastInForce(server: Server, names: readonly string[]): ServerLine<Directive> | undefined {
  return linesOf(server, names).findLast((line) => conditionIn(line).on22 === true);
}

/** Whether the versions read a line, given that they read the server it stands in. */
export function conditionIn({ path }: ServerLine): Condition {
  return placeCondition(
    path.flatMap(({ file, node }) => (node.kind === 'section' ? [{ file, section: node }] : [])),
  );
}

/**
 * Where a new line of a server goes: after the last of the first group of directives that it has any of. A line after one that
 * stands in a conditional goes below the conditional, and one after a line of a file that is included more than once goes below
 * its Include: so it comes later than all of that group, and belongs to this server only. Where it has none: after the last
 * directive before its first section, and in a server without any at its beginning.
 */
export function insertionPointFor(
  servers: Servers,
  server: Server,
  groups: readonly (readonly string[])[],
): ServerInsertionPoint {
  for (const names of groups) {
    const keys = new Set(names.map((name) => name.toLowerCase()));
    const line = server.lines.findLast(({ node }) => keys.has(node.key));
    if (line !== undefined) return insertionPointAfter(servers, line);
  }
  const first = server.lines.findIndex(({ node }) => node.kind === 'section');
  const before = server.lines.slice(0, first < 0 ? undefined : first);
  const line = before.findLast(({ path }) => path.length === 1) ?? before.at(-1);
  if (line !== undefined) return insertionPointAfter(servers, line);
  if (server.section !== undefined) return { file: server.file, node: server.section, side: 'inside' };
  const top = server.lines[0]?.path[0];
  return { file: top?.file ?? server.file, node: top?.node, side: 'before' };
}

/** Below a line, as far out as {@link insertionPointFor} says. */
function insertionPointAfter(servers: Servers, { path }: ServerLine): ServerInsertionPoint {
  let lastStep: PathStep = path[0]!;
  for (const step of path) {
    if (!servers.isReachedOnce(step.file) && step !== path[0]) break;
    lastStep = step;
    if (step.node.kind === 'section') break;
  }
  const { file, node } = lastStep;
  return { file, node, side: node.kind === 'section' && node.close === undefined ? 'before' : 'after' };
}
