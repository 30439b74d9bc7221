import type { Directive, Node, Section } from '../syntax';
import { type Condition, isConditional, placeCondition } from './conditions';
import type { ConfigFile, ConfigTree, Frame, Place } from './types';

/** A directive or section that stands directly in a server: conditionals and Includes around it are seen through. */
export interface ServerLine<T extends Directive | Section = Directive | Section> {
  readonly node: T;
  readonly place: Place;
  /** The way to it from the server's own text: Includes and conditionals, outermost first, and last the line itself. */
  readonly path: readonly Step[];
}

export interface Step {
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
  /** Of a `vhost`: what it inherits from. */
  readonly parent: Server | undefined;
  /**
   * Whether the run knows all of it. Not of a `.htaccess` or a fragment, nor of a `main` without ServerRoot, Listen or LoadModule: there
   * nothing follows from a directive that is missing.
   */
  readonly whole: boolean;
  /** What stands directly in it, in the order httpd reads it. Of two ways to the same virtual host: the last one's. */
  readonly lines: readonly ServerLine[];
}

interface Growing extends Server {
  readonly lines: ServerLine[];
}

/** Where new lines go: see `insertAt` in `src/edit`. Without a node: at the end of the file. */
export interface Spot {
  readonly file: ConfigFile;
  readonly node: Directive | Section | undefined;
  readonly side: 'before' | 'after' | 'inside';
}

/**
 * The servers of a tree. What transforms ask about "this server": which one a place belongs to, what stands directly in it, what is in
 * force there, and where a new line goes.
 *
 * ```ts
 * const servers = serversOf(context.tree);          // cached: one walk, however many transforms ask
 * const server = servers.of(place);                 // the virtual host, the main server, the .htaccess
 * lastInForce(server, ['LogLevel'])                 // the last line that httpd reads for sure, with file and path
 * linesOf(server, ['LogLevel'])                     // all of them, those in conditionals too
 * const spot = spotFor(servers, server, [['LogLevel'], ['ErrorLog', 'CustomLog']]);
 * edits: [insertAt(spot.file.document, spot, ['LogLevel rewrite:trace3'])]
 * ```
 */
export class Servers {
  /** The main server (if there is one), the virtual hosts and the fragments, as they are read; no `.htaccess`. */
  readonly all: readonly Server[];
  readonly main: Server | undefined;
  private readonly tree: ConfigTree;
  private readonly bySection = new Map<Section, Growing>();
  private readonly byRoot = new Map<ConfigFile, Growing>();
  /** How often a file is entered below servers. */
  private readonly entered = new Map<ConfigFile, number>();

  constructor(tree: ConfigTree) {
    this.tree = tree;
    const all: Growing[] = [];
    const last = tree.roots.at(-1);
    if (last !== undefined) {
      const main = growing('main', undefined, last, undefined, tree.isServer);
      all.push(main);
      for (const root of tree.roots) {
        this.byRoot.set(root, main);
        this.enter(root, { file: root, chain: [], root }, [], main, all);
      }
      this.main = main;
    }
    for (const root of tree.unreached) all.push(this.addRoot('fragment', root, all));
    this.all = all;
  }

  /** The server a place belongs to: the innermost `<VirtualHost>` around it, else what its walk began in. */
  of({ chain, root }: Place): Server {
    for (let i = chain.length - 1; i >= 0; i--) {
      const host = this.bySection.get(chain[i]!.section);
      if (host !== undefined) return host;
    }
    return this.byRoot.get(root) ?? this.addRoot('htaccess', root, []);
  }

  /** True where a line of this file stands in the server it was reached in and nowhere else. */
  isReachedOnce(file: ConfigFile): boolean {
    return (this.entered.get(file) ?? 0) <= 1;
  }

  private addRoot(kind: Server['kind'], root: ConfigFile, all: Growing[]): Growing {
    const server = growing(kind, undefined, root, undefined, false);
    this.byRoot.set(root, server);
    this.enter(root, { file: root, chain: [], root }, [], server, all);
    return server;
  }

  private enter(
    file: ConfigFile,
    place: Place,
    path: readonly Step[],
    server: Growing,
    all: Growing[],
  ): void {
    this.entered.set(file, (this.entered.get(file) ?? 0) + 1);
    this.body(file.document.body, place, path, server, all);
  }

  private body(
    nodes: readonly Node[],
    place: Place,
    path: readonly Step[],
    server: Growing,
    all: Growing[],
  ): void {
    for (const node of nodes) {
      if (node.kind !== 'directive' && node.kind !== 'section') continue;
      const here = [...path, { file: place.file, node }];
      if (node.kind === 'section') {
        const inner = { ...place, chain: [...place.chain, { file: place.file, section: node }] };
        if (isConditional(node)) this.body(node.body, inner, here, server, all);
        else {
          server.lines.push({ node, place, path: here });
          if (node.key === 'virtualhost') this.host(node, inner, server, all);
          // At server level 2.2 took no notice of them.
          else if (isLimit(node) && (server.whole || server.kind === 'vhost'))
            this.body(node.body, inner, here, server, all);
          else this.count(node.body);
        }
        continue;
      }
      server.lines.push({ node, place, path: here });
      for (const file of this.tree.includes.get(node) ?? [])
        this.enter(file, { ...place, file }, here, server, all);
    }
  }

  private host(section: Section, place: Place, parent: Growing, all: Growing[]): void {
    let host = this.bySection.get(section);
    if (host === undefined) {
      host = growing('vhost', section, place.file, parent, parent.whole);
      this.bySection.set(section, host);
      all.push(host);
    }
    host.lines.length = 0;
    this.body(section.body, place, [], host, all);
  }

  /** What is included inside of other sections is reached there, too. */
  private count(nodes: readonly Node[]): void {
    for (const node of nodes) {
      if (node.kind === 'section') this.count(node.body);
      else if (node.kind === 'directive')
        for (const file of this.tree.includes.get(node) ?? []) {
          const known = this.entered.get(file) ?? 0;
          this.entered.set(file, known + 1);
          if (known === 0) this.count(file.document.body);
        }
    }
  }
}

function isLimit({ key }: Section): boolean {
  return key === 'limit' || key === 'limitexcept';
}

function growing(
  kind: Server['kind'],
  section: Section | undefined,
  file: ConfigFile,
  parent: Server | undefined,
  whole: boolean,
): Growing {
  return { kind, section, file, parent, whole, lines: [] };
}

const cache = new WeakMap<ConfigTree, Servers>();

/** The servers of a tree, worked out once. */
export function serversOf(tree: ConfigTree): Servers {
  let servers = cache.get(tree);
  if (servers === undefined) cache.set(tree, (servers = new Servers(tree)));
  return servers;
}

/** The directives of those names (any letter case) that stand directly in a server and that a 2.2 may read. */
export function linesOf(server: Server, names: readonly string[]): ServerLine<Directive>[] {
  const keys = new Set(names.map((name) => name.toLowerCase()));
  return server.lines.filter(
    (line): line is ServerLine<Directive> =>
      line.node.kind === 'directive' && keys.has(line.node.key) && conditionIn(line).on22 !== false,
  );
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

/** The conditionals around a place, outermost first. */
export function conditionalsAround({ chain }: Place): readonly Frame[] {
  return chain.filter(({ section }) => isConditional(section));
}

/**
 * Where a new line of a server goes: after the last of the first group of directives that it has any of. A line after one that stands in
 * a conditional goes below the conditional, and one after a line of a file that is included more than once goes below its Include: so it
 * comes later than all of that group, and belongs to this server only.
 * Where it has none: after the last directive before its first section, and in a server without any at its beginning.
 */
export function spotFor(servers: Servers, server: Server, kin: readonly (readonly string[])[]): Spot {
  for (const names of kin) {
    const keys = new Set(names.map((name) => name.toLowerCase()));
    const line = server.lines.findLast(({ node }) => keys.has(node.key));
    if (line !== undefined) return spotAfter(servers, line);
  }
  const first = server.lines.findIndex(({ node }) => node.kind === 'section');
  const before = server.lines.slice(0, first < 0 ? undefined : first);
  const line = before.findLast(({ path }) => path.length === 1) ?? before.at(-1);
  if (line !== undefined) return spotAfter(servers, line);
  if (server.section !== undefined) return { file: server.file, node: server.section, side: 'inside' };
  const top = server.lines[0]?.path[0];
  return { file: top?.file ?? server.file, node: top?.node, side: 'before' };
}

/** Below a line, as far out as {@link spotFor} says. */
export function spotAfter(servers: Servers, { path }: ServerLine): Spot {
  let spot: Step = path[0]!;
  for (const step of path) {
    if (!servers.isReachedOnce(step.file) && step !== path[0]) break;
    spot = step;
    if (step.node.kind === 'section') break;
  }
  return { file: spot.file, node: spot.node, side: 'after' };
}
