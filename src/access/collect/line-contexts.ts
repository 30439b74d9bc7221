import {
  type ConfigFile,
  type ConfigTree,
  type Frame,
  type Place,
  asksForOneVersion,
  bothRead,
  conditionOf,
  isConditional,
  mayHaveCompat,
  moduleLacked,
  moduleTakenForBuiltIn,
} from '../../config';
import { appendAll, type Section } from '../../syntax';
import {
  type ReadCondition,
  type Reading,
  type Scope,
  type ScopeKind,
  asksForCompat,
  conditionUnder,
  guardOf,
  missingGuardModule,
  guardedModule,
} from '../policy';
import {
  ALL_METHODS,
  EMPTY_LIST,
  type SectionPattern,
  methodMask,
  normalisePath,
  getOrInsert,
  lazy,
} from '../primitives';
import type { ScopeContext } from './lines';
import { ScopeBuilder } from './scope-builder';
import { CONTAINERS, HOLDS_FILES, PER_REQUEST, SCOPES, accessFileDirectories, patternOf } from './sections';

/** What the sections around a line make of it: one for all lines that stand in the same, from the top of the root down. */
export interface LineContext extends ScopeContext {
  readonly parent: LineContext | undefined;
  /** The innermost section and the file it stands in; of the top of a root undefined, and the root. */
  readonly section: Section | undefined;
  readonly file: ConfigFile;
  /** What access lines in the section belong to; undefined where that is what they belong to around it. */
  readonly kind: ScopeKind | undefined;
  readonly vhost: Section | undefined;
  /** The lines there belong to a section or a `.htaccess`. */
  readonly isInScope: boolean;
  readonly perRequest: boolean;
  /** Modules that the guards around it ask for. */
  readonly assumes: readonly string[];
  /** A guard around it that asks for a module that 2.2 may or may not have had. */
  readonly lacked: Section | undefined;
  /** A block around it that asks for a module that is loaded for one version alone. */
  readonly ofOneVersion: Section | undefined;
  /** Whether a line here says what a server serves: in a section of a server it says something else. */
  readonly serves: 'surely' | 'maybe' | 'unread' | 'within';
  /** Whether no conditional stands around a line but such as ask for a module that is surely loaded, or hold anyway. */
  readonly isSurelyRead: boolean;
  /** Whether 2.2 surely reads a line there, whatever 2.4 does. */
  readonly isSurelyReadBy22: boolean;
  /** The condition itself asks for such a module. */
  readonly isLacking: boolean;
  /** What no server reads that the section belongs to: a file that nothing includes, a block for a module that is not loaded. */
  readonly unusedPart: Scope['unusedPart'];
  /** The contexts in its sections; made with the first. */
  sections: Map<Section, LineContext> | undefined;
  /** Made when the first line about access is found. */
  scopes: readonly ScopeBuilder[] | undefined;
}

const UNKNOWN: ReadCondition = { before: undefined, after: undefined };
const READ: ReadCondition = { before: true, after: true };
const UNREAD: ReadCondition = { before: false, after: false };

/** The contexts of all lines of a tree, and the scopes that the lines belong to. */
export class LineContexts {
  /** In reading order. */
  scopes: ScopeBuilder[] = [];
  /** Directories whose `.htaccess` is a scope. */
  readonly accessDirectories: string[] = [];
  private readonly roots = new Map<ConfigFile, LineContext>();
  private count = 0;
  private isFinished = false;
  private readonly mayHaveCompat: boolean;

  /** @param loadModules of the LoadModule lines read so far; `surelyLoaded` of those in no conditional */
  constructor(
    private readonly tree: ConfigTree,
    private readonly reading: Reading,
    private readonly loadModules: readonly string[],
    private readonly surelyLoaded: ReadonlySet<string>,
  ) {
    this.mayHaveCompat = reading === '2.2' && mayHaveCompat(tree);
  }

  /**
   * All lines have been read: what else is asked about adds no directory to those of `.htaccess` files that are scopes. All is
   * let go that the sections do not need in which no line was found: it is most of what was gathered.
   * @param places each in such a section, or in another
   * @returns those sections, made when they are asked for
   */
  finish(places: readonly Place[]): () => readonly Scope[] {
    this.isFinished = true;
    const count = this.count;
    const others = places
      .map((place) => ({ place, context: this.at(place) }))
      .filter(({ context }) => context.scopes === undefined);
    for (const { context } of others)
      for (let around = context.parent; around?.sections !== undefined; around = around.parent)
        around.sections = undefined;
    this.roots.clear();
    this.scopes = [];
    if (others.length === 0) return noSections;
    return lazy(() =>
      others
        .flatMap(({ context, place }) => this.scopesAt(context, place))
        .flatMap(({ scope }) => (scope.order >= count ? scope : [])),
    );
  }

  at({ chain, root }: Place): LineContext {
    let context = getOrInsert(this.roots, root, () => rootContext(root));
    for (let i = 0; i < chain.length; i++) context = this.inside(context, chain[i]!);
    return context;
  }

  private inside(parent: LineContext, frame: Frame): LineContext {
    const { section } = frame;
    const isLacking =
      section.key === 'ifmodule' && missingGuardModule(section, this.loadModules) !== undefined;
    parent.sections ??= new Map();
    let context = parent.sections.get(section);
    // Where a file is included once more, a LoadModule line may have come in between.
    if (context === undefined || context.isLacking !== isLacking)
      parent.sections.set(section, (context = this.enter(parent, frame, isLacking)));
    return context;
  }

  private enter(parent: LineContext, frame: Frame, isLacking: boolean): LineContext {
    const { section, file } = frame;
    const { key } = section;
    const kind = key === 'directory' && section.args[0]?.value === '~' ? 'directory-match' : SCOPES[key];
    // Until something in it says otherwise, its lines are read as those around it.
    const context: MutableLineContext = {
      ...parent,
      parent,
      section,
      file,
      kind,
      isLacking,
      sections: undefined,
      scopes: undefined,
    };
    if (kind !== undefined) {
      if (parent.undecided.length > 0) context.outer = parent.outer.concat(parent.undecided);
      context.inner = context.undecided = EMPTY_LIST;
      context.isInScope = true;
      context.serves = 'within';
      return context;
    }
    if (parent.isInScope) context.inner = parent.inner.concat(frame);
    if (key === 'virtualhost') {
      context.vhost = section;
      // Whoever comes to the host has shown that what is asked around it is so.
      context.outer = parent.outer.filter((around) => this.mayDiffer(around));
      context.undecided = parent.undecided.filter((around) => this.mayDiffer(around));
      // A conditional around a virtual host decides whether there is one, not what it serves.
      if (parent.serves !== 'within') context.serves = 'surely';
    } else if (key === 'limit' || key === 'limitexcept') {
      context.nestedLimit = parent.nestedLimit || parent.mask !== ALL_METHODS;
      context.mask = methodMask(
        section.args.map((arg) => arg.value),
        key === 'limitexcept',
      );
    } else if (CONTAINERS.has(key)) context.container = section;
    else if (PER_REQUEST.has(key)) context.perRequest = true;
    else if (isConditional(section)) this.enterConditional(context, section, isLacking);
    return context;
  }

  /** Whether one version may read a conditional that cannot be decided, and the other not. */
  private mayDiffer(section: Section): boolean {
    return conditionOf(section).on24 !== undefined || asksForOneVersion(this.tree, section);
  }

  /**
   * Whether lines behind a conditional are for mod_access_compat, as {@link ScopeContext.compat} says it.
   * @param compat what the conditional asks of mod_access_compat
   * @param isRead false where no 2.4 without mod_access_compat comes to the conditional
   * @param holds whether it holds on a 2.4
   */
  private compatIn(
    around: boolean | undefined,
    compat: boolean | undefined,
    isRead: boolean,
    holds: boolean | undefined,
  ): boolean | undefined {
    // In a block for mod_access_compat a further one is read where both are.
    const isReadWithIt = around === true && compat !== false;
    if (!this.mayHaveCompat || (!isRead && !isReadWithIt)) return undefined;
    return compat ?? (holds === false ? undefined : around);
  }

  /** What a conditional makes of the lines in it. */
  private enterConditional(context: MutableLineContext, section: Section, isLacking: boolean): void {
    if (!isLacking && this.enterBlockOfLacked(context, section)) {
      context.isSurelyRead = context.isSurelyReadBy22 = false;
      return;
    }
    // Inside a section both texts are written: what is right with the name alone would be wrong once the server is started
    // without it.
    const defines = context.isInScope ? undefined : this.tree.defines;
    const { before, after } = context.condition;
    const isOfOneVersion = before !== false && after !== false && asksForOneVersion(this.tree, section);
    if (isOfOneVersion) context.ofOneVersion ??= section;
    const isLoaded = !isOfOneVersion && this.isOfLoaded(section);
    const read = this.readCondition(section, defines, isLoaded);
    const condition = isLacking || isOfOneVersion ? UNKNOWN : read;
    const compat = asksForCompat(section);
    context.condition = {
      before: bothRead(before, condition.before),
      after: bothRead(after, this.reading === '2.2' && compat === false ? true : condition.after),
    };
    context.compat = this.compatIn(context.compat, compat, after !== false, read.after);
    if (isUndecided(condition)) context.undecided = [...context.undecided, section];
    this.noteGuard(context, section);
    if (isLacking) context.lacked ??= section;
    // What a LoadModule line loads for both versions is there, whatever else a block could find.
    const holds = isRead(read) || isLoaded;
    context.isSurelyRead &&= holds;
    context.isSurelyReadBy22 &&= holds || condition.before === true;
    if (context.serves !== 'surely' && context.serves !== 'maybe') return;
    if (isUnread(read)) context.serves = 'unread';
    else if (!holds) context.serves = 'maybe';
  }

  /** Notes the module that a block asks for, where 2.2 is taken to have had it. */
  private noteGuard(context: MutableLineContext, section: Section): void {
    const guard = guardOf(section);
    // What asks for its absence, too, is read by one version alone if 2.2 did not have it.
    const builtIn = guard === undefined ? moduleTakenForBuiltIn(this.tree, section) : undefined;
    const identifier = guard?.negated === false ? guard.identifier : builtIn;
    if (identifier !== undefined) context.assumes = [...context.assumes, identifier];
  }

  /** A module that every 2.4 has (mod_version) is there in both where a LoadModule line brings it into 2.2. */
  private readCondition(
    section: Section,
    defines: ConfigTree['defines'] | undefined,
    isLoaded: boolean,
  ): ReadCondition {
    const read = conditionUnder(section, defines, this.reading);
    return isLoaded && read.after === true ? READ : read;
  }

  /** Whether an `<IfModule>` asks for a module of both versions that a LoadModule line before it surely loads. */
  private isOfLoaded(section: Section): boolean {
    const { module, negated } = guardedModule(section) ?? {};
    return negated === false && module?.versions === 'both' && this.surelyLoaded.has(module.identifier);
  }

  /**
   * What a block that asks for a module that 2.2 did not have makes of the lines in it: sections in it are converted as what they
   * would be if it were read, and lines in it that stand in a section say nothing.
   * @returns whether it is such a block
   */
  private enterBlockOfLacked(context: MutableLineContext, section: Section): boolean {
    if (context.unusedPart !== undefined || moduleLacked(this.tree, section) === undefined) return false;
    // What it is there for is another server than this one: both stay told apart.
    if (section.args[0]!.value.startsWith('!')) return false;
    if (context.isInScope) {
      // Nor is what stands beside a block that asks for its absence: the rewrite writes such pairs, and both are read or neither.
      if (standsBesideNegation(section, context.parent?.section)) return false;
      context.condition = UNREAD;
    } else {
      context.unusedPart = section;
      context.serves = 'unread';
    }
    return true;
  }

  /** The scopes that lines in a context belong to: several where links lead to one `.htaccess`, none at server level. */
  scopesAt(context: LineContext, place: Place): readonly ScopeBuilder[] {
    return (context.scopes ??= this.scopesOf(context, place));
  }

  private scopesOf(context: LineContext, place: Place): readonly ScopeBuilder[] {
    const { parent, section, kind } = context;
    if (parent === undefined || section === undefined) return this.accessFileScopes(context, place);
    const around = this.scopesAt(parent, place);
    if (kind === undefined) return around;
    // Both versions answer 500 to such a file: it says nothing of what the section is for.
    if (kind !== 'files' && place.root.role === 'htaccess') {
      for (const scope of around)
        scope.addProblem(section, { kind: 'misplaced-section', name: section.name });
      return around;
    }
    const pattern = patternOf(kind, section, this.tree);
    const scopes =
      kind === 'files' && around.length > 0
        ? around.map((enclosing) => this.add(kind, pattern, context, place, holderIn(enclosing)))
        : [this.add(kind, pattern, context, place, undefined)];
    const [holder] = around;
    const wrong =
      context.mask !== ALL_METHODS ||
      (holder !== undefined && (kind !== 'files' || !HOLDS_FILES.has(holder.scope.kind)));
    if (wrong)
      for (const scope of scopes)
        scope.addProblem(section, { kind: 'misplaced-section', name: section.name });
    return scopes;
  }

  private accessFileScopes(root: LineContext, place: Place): readonly ScopeBuilder[] {
    const paths = accessFileDirectories(root.file);
    if (paths.length === 0) return EMPTY_LIST;
    if (!this.isFinished) appendAll(this.accessDirectories, paths);
    return paths.map((path) =>
      this.add('htaccess', { kind: 'path', path: normalisePath(path) }, root, place, undefined),
    );
  }

  private add(
    kind: ScopeKind,
    pattern: SectionPattern,
    context: LineContext,
    place: Place,
    parent: ScopeBuilder | undefined,
  ): ScopeBuilder {
    const { file, section, vhost, outer, unusedPart } = context;
    const { reading } = this;
    const order = this.count++;
    const identity = { kind, pattern, file, place, section, vhost, parent, order, unusedPart, reading };
    const scope = new ScopeBuilder(identity, outer);
    if (!this.isFinished) this.scopes.push(scope);
    return scope;
  }
}

/** What a Files section in another one lies in: httpd asks it of the files of the same directory, after that one. */
function holderIn(around: ScopeBuilder): ScopeBuilder | undefined {
  return around.scope.kind === 'files' ? around.parent : around;
}

/** One for all runs: a function of their own would hold on to what was gathered. */
const noSections = (): readonly Scope[] => EMPTY_LIST;

type MutableLineContext = { -readonly [K in keyof LineContext]: LineContext[K] };

const isRead = ({ before, after }: ReadCondition): boolean => before === true && after === true;

const isUndecided = ({ before, after }: ReadCondition): boolean =>
  before === undefined || (after === undefined && before);

const isUnread = ({ before, after }: ReadCondition): boolean => before === false && after === false;

function rootContext(file: ConfigFile): LineContext {
  return {
    parent: undefined,
    section: undefined,
    file,
    kind: undefined,
    vhost: undefined,
    isInScope: accessFileDirectories(file).length > 0,
    perRequest: false,
    inner: EMPTY_LIST,
    mask: ALL_METHODS,
    nestedLimit: false,
    condition: READ,
    undecided: EMPTY_LIST,
    outer: EMPTY_LIST,
    container: undefined,
    assumes: EMPTY_LIST,
    lacked: undefined,
    ofOneVersion: undefined,
    compat: undefined,
    isSurelyRead: true,
    isSurelyReadBy22: true,
    isLacking: false,
    unusedPart: file.role === 'unreached' ? file : undefined,
    serves: 'surely',
    sections: undefined,
    scopes: undefined,
  };
}

/** Whether a section holds, beside an `<IfModule>`, one that is read where this one is not. */
function standsBesideNegation(section: Section, around: Section | undefined): boolean {
  const word = `!${section.args[0]!.value}`;
  return (
    around?.body.some(
      (node) => node.kind === 'section' && node.key === 'ifmodule' && node.args[0]?.value === word,
    ) ?? false
  );
}
