import {
  conditionOf,
  type ConfigFile,
  type ConfigTree,
  type Place,
  type Visit,
  isComplete,
  isConditional,
  visitTree,
} from '../../config';
import { findDirective } from '../../httpd/directives';
import { holds } from '../../httpd/facts';
import { NEWEST } from '../../httpd/release';
import type { Directive, Node, Section } from '../../syntax';
import { MAPPING, UrlMapping, placeAccessFiles } from '../mapping';
import { type Reading, type Scope, type SectionProblem, isWrittenFor24, regexArgument } from '../policy';
import { absolutePath, addTo, added, getOrInsert, isGlob, isTemplatePath, memo } from '../primitives';
import { FilledIn } from './filled-in';
import { LINE_KEYS, AccessLineReader, addContainer, addLine, needsCompat, setsState } from './lines';
import { type LineContext, LineContexts } from './line-contexts';
import { overrideLine } from './override-lines';
import { isOldButForAccessFiles } from './own-lines';
import type { ScopeBuilder } from './scope-builder';
import { CONTAINERS, SCOPES, isAllDenied, isForAllRequests, noteSlashes, serverDirectory } from './sections';
import { LoadedModules } from './loaded-modules';
import { Slashes } from './slashes';
import { SslLines } from './ssl';
import { TemplateParts, isTemplate, noteTemplates } from './templates';

/** A line in a block that 2.4 reads for each request. */
export interface PerRequestLine {
  readonly node: Directive;
  readonly place: Place;
}

/** A line of the old access control that stands where no section gives it a meaning. */
export interface MisplacedLine extends PerRequestLine {
  readonly reason: 'no-section' | 'per-request';
}

/** Everything about access that stands in the run. */
export interface Collected {
  readonly reading: Reading;
  /** What 2.2 answers counts: a module is loaded that no 2.4 has, or lines for 2.4 stand in `.htaccess` files alone. */
  readonly shows22: boolean;
  /** A 2.4 with mod_access_compat runs the configuration: it surely loads that module, which no 2.2 has, and starts. */
  readonly showsCompat: boolean;
  /** The server's own lines, or the target's, show a 2.4 without mod_access_compat: it answers 500 to 2.2's words. */
  readonly lacksCompat: boolean;
  /** A line shows that the server runs on Windows. */
  readonly ofWindows: boolean;
  /** The first line that loads such a module. */
  readonly loads22: Directive | undefined;
  /** Every section and `.htaccess` that sets something, in reading order. */
  readonly scopes: readonly Scope[];
  /** The Locations and Files sections that set nothing. Made when first asked for. */
  readonly otherSections: () => readonly Scope[];
  readonly misplaced: readonly MisplacedLine[];
  /** The first UserDir line that names a directory in users' homes. */
  readonly homes: { readonly node: Directive; readonly file: ConfigFile } | undefined;
  /**
   * A Require or AuthMerging that 2.4 reads in a per-request block, which comes after all other sections: the first one that
   * counts for all requests, and the first of each `.htaccess`, which counts there and below.
   */
  readonly perRequest: {
    readonly server: PerRequestLine | undefined;
    readonly byDirectory: ReadonlyMap<string, PerRequestLine>;
  };
  /** Identifiers of the LoadModule lines, in order. */
  readonly loadModules: readonly string[];
  readonly ssl: SslLines;
  /** Absolute paths that `<Directory>`, DocumentRoot and Alias name. */
  readonly servedPaths: readonly string[];
  readonly mapping: UrlMapping;
  readonly slashes: Slashes;
}

/** What a directive is to the walk that files access lines. */
type DirectiveRole = 'line' | 'module' | 'system' | 'ssl' | 'mapping' | 'template' | 'none';

/** Directives of Windows alone, and the one that loads libraries, which end in .dll there. */
const OF_WINDOWS = new Set(['win32disableacceptex', 'scriptinterpretersource', 'loadfile']);

/** @param key the directive in lower case */
function roleOf(key: string): DirectiveRole {
  if (LINE_KEYS.has(key)) return 'line';
  if (key === 'loadmodule') return 'module';
  if (OF_WINDOWS.has(key)) return 'system';
  if (SslLines.concerns(key)) return 'ssl';
  return MAPPING.has(key) ? 'mapping' : 'none';
}

/** A line that refuses a host called none. */
const DENIES_NONE = /^[ \t]*deny[ \t]+from[ \t](?:[^\n]*[ \t"])?none[ \t"\r]*(?:$|[ \t"])/im;

/** Bytes. 2.2 reads 8191 at once, 2.4 sixteen million: what is longer than this has never been a line of a server. */
const MAX_LINE = 256 * 1024;

/** A reading that every line is filed under. */
export type LineReading = Exclude<Reading, 'as-written'>;

const collectors: Readonly<Record<LineReading, (tree: ConfigTree) => Collected>> = {
  '2.2': memo((tree) => new Collector(tree, '2.2').collect()),
  compat: memo((tree) => new Collector(tree, 'compat').collect()),
};

/** Walks the tree, once however often it is asked for, and files every line under the section it stands in. */
export function collect(tree: ConfigTree, reading: LineReading = '2.2'): Collected {
  return collectors[reading](tree);
}

/** Whether a 2.2 surely runs the configuration: it loads a module that no 2.4 has. */
export function isRunBy22(tree: ConfigTree): boolean {
  const { shows22, loads22 } = collect(tree);
  return shows22 && loads22 !== undefined;
}

/** What a walk over the tree gathers. */
class Collector {
  private readonly contexts: LineContexts;
  private readonly reader: AccessLineReader;
  private readonly misplaced: MisplacedLine[] = [];
  private homes: Collected['homes'];
  private readonly templates = new Map<ScopeBuilder, Node[]>();
  /** Places of Location and Files sections. */
  private readonly places: Place[] = [];
  private readonly roles = new Map<string, DirectiveRole>();
  /** Directives of 2.2 that no 2.4 has, of those in the run. */
  private readonly gone = new Set<string>();
  /** With a line that is surely read no 2.4 starts. */
  private isRefusedBy24 = false;
  private readonly modules: LoadedModules;
  private readonly ssl = new SslLines();
  private readonly servedPaths: string[] = [];
  private readonly mapping: UrlMapping;
  private readonly slashes: Slashes;
  private readonly perRequest: {
    server: PerRequestLine | undefined;
    readonly byDirectory: Map<string, PerRequestLine>;
  } = { server: undefined, byDirectory: new Map() };
  /** Where the last line stood: most stand where the one before them does. */
  private place: Place | undefined;
  private context: LineContext | undefined;
  private hasTemplates = false;

  constructor(
    private readonly tree: ConfigTree,
    private readonly reading: LineReading,
  ) {
    this.reader = new AccessLineReader({
      escapes: holds('require-expression', tree.target ?? NEWEST),
      hasHostNone: tree.files.some(({ document }) => DENIES_NONE.test(document.text)),
      filledIn: new FilledIn(tree),
    });
    this.slashes = new Slashes(tree);
    this.modules = new LoadedModules(tree);
    this.contexts = new LineContexts(tree, reading, this.modules.names, this.modules.surely);
    this.mapping = new UrlMapping(
      isComplete(tree),
      tree.serverRoot,
      tree.variables,
      this.contexts.accessDirectories,
      this.servedPaths,
    );
  }

  collect(): Collected {
    const visit: Visit = (node, place) => {
      if (node.kind === 'directive') this.addDirective(node, place);
      else if (node.kind === 'section') this.addSection(node, place);
      else if (node.kind === 'stray') this.addTemplate(node, place);
    };
    visitTree(this.tree, visit);
    // A .htaccess decides about itself alone, even if it cannot be read: what it may say is assumed, as of those not seen.
    for (const file of this.tree.unread)
      if (file.role !== 'htaccess') this.addProblem(this.scopesOf(file), { kind: 'not-read' });
    const { scopes } = this.contexts;
    const { modules } = this;
    const loads22 = modules.of22 !== undefined && !this.waitsForCommands(scopes);
    const shows22 =
      this.reading === '2.2' && (loads22 || isOldButForAccessFiles(scopes, this.tree, modules.names));
    for (const scope of scopes) scope.finishPolicy(shows22);
    noteSlashes(scopes, this.slashes);
    this.ssl.assignChecks(scopes, this.mapping);
    // Another such block may come after it.
    if (this.perRequest.server !== undefined || this.perRequest.byDirectory.size > 0)
      for (const { scope } of scopes) scope.lastDenial = undefined;
    if (this.hasTemplates) noteTemplates(scopes, this.templates, new TemplateParts(this.tree));
    const built = this.build(scopes);
    return {
      reading: this.reading,
      shows22,
      lacksCompat: !shows22 && modules.lacksCompat,
      showsCompat: !shows22 && !this.isRefusedBy24 && modules.hasCompat,
      ofWindows: modules.ofWindows,
      loads22: modules.of22,
      scopes: built,
      otherSections: this.contexts.finish(this.places),
      misplaced: this.misplaced,
      homes: this.homes,
      perRequest: this.perRequest,
      loadModules: modules.names,
      ssl: this.ssl,
      servedPaths: this.servedPaths,
      mapping: this.mapping,
      slashes: this.slashes,
    };
  }

  /**
   * Whether the server has been converted, and only Debian's links still load modules of 2.2: those are left to a2dismod. A
   * server that 2.2 runs has lines in the words of 2.2 somewhere.
   */
  private waitsForCommands(scopes: readonly ScopeBuilder[]): boolean {
    if (!this.modules.areLinks) return false;
    const read = scopes.filter(({ scope }) => scope.unusedPart === undefined);
    return !read.some(({ hasOldLines }) => hasOldLines) && read.some(({ scope }) => isWrittenFor24(scope));
  }

  private build(builders: readonly ScopeBuilder[]): readonly Scope[] {
    const places = placeAccessFiles(this.contexts.accessDirectories, this.servedPaths, this.tree.directories);
    // A file that is served by one of its paths stands on its server: by the others, requests come to it there or not at all.
    const isAtHome = ({ directories }: ConfigFile): boolean =>
      directories.length > 1 && directories.some((directory) => !places.has(serverDirectory(directory)));
    return builders.map((builder) => {
      const { foundIn, scope } = builder;
      const isLiteral = foundIn === undefined || isAtHome(scope.place.root);
      return builder.finish(isLiteral ? undefined : places.get(foundIn), this.tree);
    });
  }

  private contextAt(place: Place): LineContext {
    if (this.context === undefined || place !== this.place) {
      this.place = place;
      this.context = this.contexts.at(place);
    }
    return this.context;
  }

  private addDirective(node: Directive, place: Place): void {
    const { key } = node;
    const role = getOrInsert(this.roles, key, () => {
      const info = findDirective(key);
      if (info !== undefined && info.owners24.length === 0) this.gone.add(key);
      return isTemplate(node) ? 'template' : roleOf(key);
    });
    if (this.gone.has(key) && place.root.role !== 'htaccess' && this.isOfServer(place))
      this.isRefusedBy24 ||= this.isReadBy24(place);
    if (role === 'line') this.addLine(node, place);
    else if (role !== 'none') this.addOther(node, place, role);
  }

  /** What is no access line and yet decides what such lines say. */
  private addOther(node: Directive, place: Place, role: Exclude<DirectiveRole, 'line' | 'none'>): void {
    switch (role) {
      case 'module': {
        if (place.root.role === 'htaccess') return;
        const identifier = this.modules.add(node);
        if (!this.isOfServer(place)) return;
        const context = this.contextAt(place);
        this.ssl.addModule(identifier, context);
        if (context.condition.after === true) this.modules.addReadBy24(node, place);
        if (this.isSurelyRead(place)) this.modules.surely.add(identifier);
        return;
      }
      case 'system':
        if (place.root.role !== 'htaccess') this.modules.addSystemLine(node);
        return;
      case 'ssl': {
        const context = this.contextAt(place);
        const scopes = this.contexts.scopesAt(context, place);
        if (!context.perRequest) this.ssl.add(node, place, context, scopes);
        if (MAPPING.has(node.key)) this.addMapping(node, place);
        return;
      }
      case 'mapping':
        this.addMapping(node, place);
        return;
      case 'template':
        this.addTemplate(node, place);
    }
  }

  /** Whether no conditional stands around a line, or all are known to hold: by -D, for example. */
  private isSurelyRead(place: Place): boolean {
    if (!place.chain.every(({ section }) => isConditional(section))) return false;
    return this.contextAt(place).condition.before === true && this.isReadBy24(place);
  }

  private isReadBy24(place: Place): boolean {
    const { condition, undecided, outer } = this.contextAt(place);
    return condition.after === true && undecided.length + outer.length === 0;
  }

  private addSection(node: Section, place: Place): void {
    if (node.key === 'virtualhost' || SCOPES[node.key]?.startsWith('directory') === true) {
      // httpd refuses one in a .htaccess, which does not say what the server has.
      if (place.root.role === 'htaccess') return;
      if (node.key === 'virtualhost') this.addHost(node, place);
      else this.addDirectory(node);
    } else if (SCOPES[node.key] === 'location' || SCOPES[node.key] === 'files')
      this.places.push({ ...place, chain: [...place.chain, { file: place.file, section: node }] });
    else if (CONTAINERS.has(node.key)) {
      const context = this.contextAt(place);
      const scopes = this.contexts.scopesAt(context, place);
      if (context.perRequest) return;
      for (const scope of scopes) {
        addContainer(scope, node, context);
        scope.addModules(context.assumes);
      }
    }
  }

  /** A file as a whole. */
  private scopesOf(file: ConfigFile): readonly ScopeBuilder[] {
    const place = { file, chain: [], root: file };
    return this.contexts.scopesAt(this.contexts.at(place), place);
  }

  /** What stands there may change who gets in, whatever stands above and below it. */
  private addProblem(scopes: readonly ScopeBuilder[], problem: SectionProblem): void {
    for (const scope of scopes) scope.addProblem(undefined, problem);
  }

  private addTemplate(node: Node, place: Place): void {
    this.hasTemplates = true;
    if (place.chain.length === 0) return;
    for (const scope of this.contexts.scopesAt(this.contextAt(place), place))
      addTo(this.templates, scope, node);
  }

  private addLine(node: Directive, place: Place): void {
    const context = this.contextAt(place);
    const scopes = context.scopes ?? this.contexts.scopesAt(context, place);
    if (scopes.length === 0 || context.perRequest) {
      const isLast = isAllDenied(node) && isForAllRequests(place);
      if (isLast) for (const { scope } of scopes) scope.lastDenial = node;
      else this.addMisplaced(node, place, context, scopes);
      return;
    }
    const isEndless = node.end - node.start > MAX_LINE;
    if (isEndless) for (const scope of scopes) scope.addProblem(node, { kind: 'endless-line' });
    const meaning = isEndless ? this.reader.ofEndless(node) : this.reader.of(node, place.file);
    if (meaning.key.startsWith('allowoverride')) {
      const line = overrideLine(node, context, place.file, meaning, this.modules.surely);
      if (line !== undefined) for (const { scope } of scopes) scope.overrides = added(scope.overrides, line);
      addVersioned(scopes, node, context);
      return;
    }
    for (const builder of scopes) {
      addLine(builder, node, context, place.file, meaning);
      if (place.file !== builder.scope.file) (builder.otherFiles ??= new Set()).add(place.file);
      builder.addModules(context.assumes);
      if (context.lacked !== undefined && setsState(meaning.key))
        builder.addProblem(node, {
          kind: 'guard-without-module',
          guard: `${context.lacked.name} ${context.lacked.open.rest}`,
        });
    }
    if (setsState(meaning.key)) addVersioned(scopes, node, context);
  }

  private addMisplaced(
    node: Directive,
    place: Place,
    { perRequest, condition }: LineContext,
    scopes: readonly ScopeBuilder[],
  ): void {
    if (condition.after === false) return;
    if (perRequest && (node.key === 'require' || node.key === 'authmerging'))
      this.addPerRequest({ node, place }, scopes);
    if (needsCompat(node.key))
      this.misplaced.push({ node, place, reason: perRequest ? 'per-request' : 'no-section' });
  }

  private addPerRequest(line: PerRequestLine, scopes: readonly ScopeBuilder[]): void {
    const { server, byDirectory } = this.perRequest;
    const { root } = line.place;
    if (root.role !== 'htaccess') this.perRequest.server = server ?? line;
    else {
      for (const directory of root.directories)
        if (!byDirectory.has(directory)) byDirectory.set(directory, line);
      this.addProblem(scopes.length > 0 ? scopes : this.scopesOf(root), {
        kind: 'per-request-block',
        node: line.node,
        file: line.place.file,
      });
    }
  }

  private addMapping(node: Directive, place: Place): void {
    if (place.root.role === 'htaccess' || !this.isOfServer(place)) return;
    const { key } = node;
    if (key.startsWith('proxy')) this.mapping.addProxy();
    else if (key === 'usecanonicalname') this.mapping.add(node, undefined, true);
    const { serves, vhost } = this.contextAt(place);
    // In a Directory a rule maps within what has been reached already, or to another URL.
    if (serves === 'within' || serves === 'unread') return;
    this.mapping.add(node, vhost, serves === 'surely');
    if (key === 'userdir' && isInHomes(node) && this.mayBeRead(place))
      this.homes ??= { node, file: place.file };
    if (key === 'documentroot') this.addPath(node.args[0]?.value);
    else if (key === 'alias' || key === 'scriptalias') this.addPath(node.args[1]?.value);
  }

  /** Whether the names that the system starts httpd with, where they are known, leave the place to be read. */
  private mayBeRead({ chain }: Place): boolean {
    const { defines, startNames } = this.tree;
    return (
      startNames === undefined ||
      chain.every(({ section }) => {
        const isNegated = section.args[0]?.value.startsWith('!') === true;
        return section.key !== 'ifdefine' || isNegated || conditionOf(section, defines).on22 === true;
      })
    );
  }

  /** Whether a server reads the place: what nothing includes says nothing about a server that is there. */
  private isOfServer({ root }: Place): boolean {
    return root.role !== 'unreached' || !this.tree.isServer;
  }

  private addHost(node: Section, place: Place): void {
    const { serves } = this.contextAt(place);
    if (serves !== 'unread' && this.isOfServer(place)) this.mapping.addHost(node, serves === 'surely');
  }

  private addDirectory(node: Section): void {
    const regex = regexArgument(node);
    if (regex !== undefined) {
      this.mapping.addPattern(regex.value);
      return;
    }
    const path = node.args[0]?.value;
    this.addPath(path);
    const glob = path !== undefined && isGlob(path) ? absolutePath(path, this.tree.serverRoot) : undefined;
    if (glob !== undefined) this.mapping.addGlob(glob);
  }

  private addPath(value: string | undefined): void {
    const path =
      value === undefined || isTemplatePath(value) ? undefined : absolutePath(value, this.tree.serverRoot);
    if (path !== undefined) this.servedPaths.push(path);
  }
}

/** Notes that only one version reads a line, where a block around it asks for a module that only that loads. */
function addVersioned(scopes: readonly ScopeBuilder[], node: Directive, { ofOneVersion }: LineContext): void {
  if (ofOneVersion === undefined) return;
  const block = `${ofOneVersion.name} ${ofOneVersion.open.rest}`;
  for (const scope of scopes) scope.addProblem(node, { kind: 'module-of-one-version', block });
}

function isInHomes({ args }: Directive): boolean {
  const [first = '', ...others] = args.map(({ value }) => value);
  if (/^(?:en|dis)abled?$/i.test(first)) return false;
  return [first, ...others].some((word) => !word.startsWith('/') && !/^[a-z]+:\/\//i.test(word));
}
