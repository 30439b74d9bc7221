import { type ConfigFile, type ConfigTree, isComplete } from '../../config';
import type { Finding } from '../../engine/types';
import { findModule } from '../../httpd/modules';
import { type Node, type Section, firstWhere } from '../../syntax';
import { type Collected, SCOPES, collect, serverDirectory } from '../collect';
import { meetingGroups } from '../inherit';
import { ScopeIndex, hostKey } from '../models';
import {
  type Facts,
  type Scope,
  type ScopeLine,
  hasVersionBlocks,
  isWrittenFor24,
  loadsStockModule,
  setsAccess,
  setsSomething,
} from '../policy';
import { differences } from './compare';
import { type AnswerDifference, type DifferenceKind, firstDifference } from './first-difference';
import { targetsFor } from './test-requests';
import { PathList, getOrInsert, lazy, memo } from '../primitives';

/** A rewrite as it is about to be applied, as far as the check needs it. */
type AppliedRewrite = Pick<Finding, 'file' | 'edits' | 'group' | 'about'> & Partial<Pick<Finding, 'safety'>>;

/** A configuration, what becomes of it, and the rewrites that make the one of the other. */
export type Rewriting = readonly [before: ConfigTree, after: ConfigTree, applied: readonly AppliedRewrite[]];

/** The `.htaccess` files whose directories a rewrite shuts in the server's own files. */
export function filesShut(before: ConfigTree, applied: readonly AppliedRewrite[]): ReadonlySet<ConfigFile> {
  const paths = new Set(
    applied.flatMap(({ safety, about }) => (safety === 'strict' && about !== undefined ? [about] : [])),
  );
  if (paths.size === 0) return new Set();
  return new Set(
    before.htaccess.filter((file) => file.directories.some((path) => paths.has(serverDirectory(path)))),
  );
}

/** The `.htaccess` files that let nobody in from now on, whatever else they say. */
export function filesDenied(before: ConfigTree, applied: readonly AppliedRewrite[]): ReadonlySet<ConfigFile> {
  const strict = applied.filter(({ safety }) => safety === 'strict');
  const files = new Set(strict.length > 0 ? before.htaccess : []);
  return new Set(
    strict.flatMap(({ file, edits }) => {
      if (!files.has(file)) return [];
      const denies = (edit: AppliedRewrite['edits'][number]): boolean =>
        /^[ \t]*Require all denied$/m.test(edit.text) && !isInSection(edit, file.document.body);
      return edits.some(denies) ? file : [];
    }),
  );
}

/**
 * Holds the rewrite against the configuration as it was. What is answered differently is not to be written.
 * @returns the groups to take back, each with a request that the versions answer differently, and with those for which other
 * `.htaccess` files make the difference
 */
export function differingGroups(
  ...[before, after, applied]: Rewriting
): Map<string, readonly AnswerDifference[]> {
  const edits = new AppliedEdits(before, applied);
  const isWanted = (scope: Scope): boolean => edits.touch(scope);
  const counts = (difference: DifferenceKind): boolean =>
    !isOfAuthor(difference, edits) && !isOfStrictForm(difference, edits);
  const found = differences(before, after, isWanted, counts);
  const byGroup = new Map<string, Map<string, AnswerDifference>>();
  for (const difference of found)
    for (const group of edits.groupsOf(difference.met)) {
      const ofGroup = getOrInsert(byGroup, group, () => new Map<string, AnswerDifference>());
      getOrInsert(ofGroup, (difference.madeBy ?? []).join('\n'), () => difference);
    }
  return new Map([...byGroup].map(([group, ofGroup]) => [group, [...ofGroup.values()]]));
}

function firstOfEach<K>(
  found: readonly AnswerDifference[],
  keysOf: (difference: AnswerDifference) => readonly K[],
): Map<K, AnswerDifference> {
  const first = new Map<K, AnswerDifference>();
  for (const difference of found)
    for (const key of keysOf(difference)) if (!first.has(key)) first.set(key, difference);
  return first;
}

/**
 * The requests that the versions answer differently for what no rewrite has touched: lines that their author wrote for one
 * version each, or that both read. One for each section that decides in 2.4, in the order of the run.
 */
export function differencesOutsideRewrites(
  ...[before, after, applied]: Rewriting
): readonly AnswerDifference[] {
  const edits = new AppliedEdits(before, applied);
  const for24 = writtenFor24(before);
  const isNew = lazy(() => isOf22(before));
  const { shows22, scopes } = collect(before);
  // What meets lines of 2.4 may have been restated as another server reads it than the one that runs it.
  const asksAll = shows22 && scopes.some(isWrittenFor24);
  const isWanted = (scope: Scope): boolean => {
    if (for24.has(scope.order) && !isNew()) return false;
    return (
      asksAll || (hasVersionBlocks(scope) && !edits.change(scope.lines.requires24)) || !edits.touch(scope)
    );
  };
  const left = leftAsGiven(before, edits);
  const counts = (difference: DifferenceKind): boolean =>
    isOfStrictForm(difference, edits)
      ? false
      : asksAll ||
        isOfAuthor(difference, edits) ||
        (!left.has(difference.decides.order) && edits.groupsOf(difference.met).length === 0);
  const found = differences(before, after, isWanted, counts, shows22);
  const first = firstOfEach(found, ({ decides }) => [decides.order]);
  return [...first.values()]
    .map((each) => ({ ...each, isOf24: for24.has(each.decides.order) }))
    .sort((a, b) => a.decides.order - b.decides.order);
}

/**
 * Holds what 2.4 reads where blocks for one version each have been made one text against what 2.2 read.
 * @returns the groups to take back, each with a request that the versions answer differently
 */
export function differingBlocks(...[before, after, applied]: Rewriting): Map<string, AnswerDifference> {
  const edits = new AppliedEdits(before, applied);
  const for24 = writtenFor24(before);
  const isWanted = (scope: Scope): boolean =>
    hasVersionBlocks(scope) && !for24.has(scope.order) && edits.touch(scope);
  const found = differences(before, after, isWanted, () => true);
  return firstOfEach(found, (difference) => edits.groupsOf(decidedFor22(difference)));
}

/** Sections whose lines for 2.2 are not replaced by those that decide in 2.4: the same one, or all where it has none. */
function decidedFor22({ met, decides }: AnswerDifference): readonly Scope[] {
  const for22 = met.filter(({ only22Count }) => only22Count > 0);
  if (decides.only24Count === 0) return for22;
  return for22.filter(
    (scope) =>
      scope === decides ||
      (scope.kind === decides.kind && scope.section?.open.rest === decides.section?.open.rest),
  );
}

/** Whether a difference is of lines that the author wrote for one version each, and not of the rewrite. */
function isOfAuthor({ decides, is, met }: DifferenceKind, edits: AppliedEdits): boolean {
  // A 500 for want of an AuthType, which the author has for 2.2 alone, lets nobody in.
  const lacksAuthType =
    met.some(({ policy }) => policy.authType === true) &&
    met.every(({ lines }) => lines.authTypesFor24.length === 0);
  return (
    (is === 'E' && lacksAuthType) ||
    ((hasVersionBlocks(decides) || isWrittenFor24(decides)) &&
      !edits.change([...decides.lines.only22, ...decides.lines.requires24], is === 'P'))
  );
}

/**
 * Whether nobody is let in who was not, and a section in the strictest form has a part in that: it has been said. A check of TLS
 * that stays also refuses in the sections below the one of which that has been said. A `.htaccess` that 2.2 itself refuses lets
 * nobody in.
 */
function isOfStrictForm({ met, takesPart, is, tls, filename }: DifferenceKind, edits: AppliedEdits): boolean {
  if (is === 'P') return false;
  const isOfTls = tls === false && met.some(({ ssl }) => ssl.length > 0);
  // What lets nobody in has a part in the answers of the sections that come after it, too.
  const concerned = isOfTls
    ? met
    : [...takesPart, ...met.filter((scope) => scope.place.root.role === 'htaccess' || edits.deny(scope))];
  return (
    concerned.some((scope) => edits.areStrict(scope)) || edits.denyAt(filename) || met.some(isRefusedByHttpd)
  );
}

/** Whether httpd answers 500 to all below the file, whatever its lines would say: it has one that is no line of httpd's. */
function isRefusedByHttpd({ place: { root } }: Scope): boolean {
  return root.role === 'htaccess' && root.isTemplate !== true && root.document.flaws > 0;
}

/** Whether it is a 2.2's, as lines of the server's own files are, and none is a 2.4's: what only 2.4 reads is then new. */
export function isOf22(tree: ConfigTree): boolean {
  const { scopes, loadModules, shows22 } = collect(tree);
  if (shows22) return true;
  if (!tree.isServer || scopes.some(isWrittenFor24)) return false;
  const isOldOfServer = ({ lines, place }: Scope): boolean =>
    lines.old.length > 0 && place.root.role === 'server';
  const areOf22 = (): boolean =>
    isComplete(tree) &&
    loadsStockModule(loadModules) &&
    !loadModules.some((name) => findModule(name)?.versions === '2.4');
  return scopes.some(isOldOfServer) || areOf22();
}

/** Sections that no 2.2 reads, unless one is seen: they can meet one for 2.4, or none that says anything to 2.2. */
function writtenFor24(tree: ConfigTree): ReadonlySet<number> {
  const { scopes, shows22 } = collect(tree);
  const orders = new Set<number>();
  if (shows22 || !scopes.some((scope) => isWrittenFor24(scope) || scope.only24Count > 0)) return orders;
  for (const group of groupsAsked(scopes)) {
    const isModern = group.some(isWrittenFor24);
    if (isModern || !group.some(setsAccess)) for (const { order } of group) orders.add(order);
  }
  return orders;
}

/** Sections that can meet one with lines for mod_access_compat that stay: it has been said why they are left. */
function leftAsGiven(tree: ConfigTree, edits: AppliedEdits): ReadonlySet<number> {
  const { scopes } = collect(tree);
  const orders = new Set<number>();
  const isLeft = (scope: Scope): boolean => scope.lines.old.length > 0 && !edits.touch(scope);
  if (!scopes.some(isLeft)) return orders;
  for (const group of groupsAsked(scopes))
    if (group.some(isLeft)) for (const { order } of group) orders.add(order);
  return orders;
}

function groupsAsked(scopes: readonly Scope[]): readonly (readonly Scope[])[] {
  return meetingGroups(scopes.filter((scope) => setsSomething(scope) || scope.lines.requires24.length > 0));
}

class AppliedEdits {
  readonly #byFile = new Map<ConfigFile, EditRange[]>();
  readonly #shut: ReadonlySet<ConfigFile>;
  /** The directories of files that let nobody in. */
  readonly #denied: PathList;

  constructor(before: ConfigTree, applied: readonly AppliedRewrite[]) {
    this.#shut = filesShut(before, applied);
    this.#denied = new PathList(
      [...filesDenied(before, applied)].flatMap(({ directories }) =>
        directories.map((path) => serverDirectory(path)),
      ),
    );
    for (const rewrite of applied) {
      const list = getOrInsert(this.#byFile, rewrite.file, () => []);
      for (const edit of rewrite.edits) list.push({ start: edit.start, end: edit.end, rewrite });
    }
    for (const list of this.#byFile.values()) list.sort((a, b) => a.start - b.start);
  }

  touch(scope: Scope): boolean {
    const { file, section, lines } = scope;
    const places = this.#byFile.get(file);
    const { start, end } = section ?? { start: 0, end: Infinity };
    if (places !== undefined && inRange(places, start, end).next().done !== true) return true;
    const isElsewhere = (line: ScopeLine): boolean =>
      line.file !== file && (this.#byFile.get(line.file)?.length ?? 0) > 0;
    return lines.deciding.some(isElsewhere);
  }

  /**
   * Whether one of the lines goes.
   * @param byItself whether by what is written in no group, too: that keeps what its author says, as far as 2.4 takes it
   */
  change(lines: readonly ScopeLine[], byItself = false): boolean {
    return lines.some(({ file, node }) =>
      this.#byFile
        .get(file)
        ?.some(
          ({ start, end, rewrite }) =>
            (byItself || rewrite.group !== undefined) && start <= node.start && node.end <= end,
        ),
    );
  }

  /** Whether lines of a section itself, not of one inside it, are written in the strictest form. */
  areStrict(scope: Scope): boolean {
    // In their place the directory is shut from above.
    if (this.#shut.has(scope.place.root)) return true;
    const { ssl, includes, unanswered, lines } = scope;
    // Beside Auth lines alone the new ones stand somewhere near them, and in place of words that no module answers.
    if (lines.deciding.length + ssl.length === 0)
      return (lines.beside !== undefined || unanswered.length > 0) && this.#isStrictByItself(scope);
    // A Require can take the place of a check of TLS alone, of lines for 2.2 alone, and of lines of a file that is included.
    return [...lines.deciding, ...ssl, ...includes].some(({ file, node }) =>
      this.#byFile
        .get(file)
        ?.some(
          ({ start, end, rewrite }) => rewrite.safety === 'strict' && start <= node.end && node.start <= end,
        ),
    );
  }

  /** Whether something is written in the strictest form in a section, and in none that it holds. */
  #isStrictByItself({ file, section }: Scope): boolean {
    const { start, end, body } = section ?? { start: 0, end: Infinity, body: file.document.body };
    const isOwn = (edit: EditRange): boolean =>
      (section === undefined || isInside(edit, section)) && !isInSection(edit, body);
    return [...inRange(this.#byFile.get(file) ?? [], start, end)].some(
      (edit) => edit.rewrite.safety === 'strict' && isOwn(edit),
    );
  }

  /** Whether a `.htaccess` above a path, or beside it, lets nobody in. */
  denyAt(path: string): boolean {
    return this.#denied.covers(path);
  }

  /** Whether all that is written of a section is that nobody gets in. */
  deny(scope: Scope): boolean {
    const written = this.#touching(scope).flatMap(({ safety, edits }) => (safety === 'strict' ? edits : []));
    const requires = written.flatMap(({ text }) => text.match(/^[ \t]*(?:Require\b|<).*$/gm) ?? []);
    const areDenied = requires.every((line) => line.trim() === 'Require all denied');
    return requires.length > 0 && areDenied && this.areStrict(scope);
  }

  /** The groups of findings with an edit in one of the sections. */
  groupsOf(met: readonly Scope[]): string[] {
    const groups = met.flatMap((scope) => this.#touching(scope).flatMap(({ group }) => group ?? []));
    return [...new Set(groups)];
  }

  #touching({ file: sectionFile, section, lines }: Scope): AppliedRewrite[] {
    const files = new Set([sectionFile, ...lines.deciding.map(({ file }) => file)]);
    const found = new Set<AppliedRewrite>();
    for (const file of files) {
      const { start, end } = (file === sectionFile ? section : undefined) ?? { start: 0, end: Infinity };
      for (const { rewrite } of inRange(this.#byFile.get(file) ?? [], start, end)) found.add(rewrite);
    }
    return [...found];
  }
}

/** Whether an edit lies in a section: what is put in front of one, or behind it, does not. */
function isInside({ start, end }: Pick<EditRange, 'start' | 'end'>, section: Section): boolean {
  const isBeside = start === end && (start === section.start || end === section.end);
  return section.start <= start && end <= section.end && !isBeside;
}

/** Whether an edit lies in one of the sections in a body that count by themselves, in whatever blocks they stand. */
function isInSection(edit: Pick<EditRange, 'start' | 'end'>, body: readonly Node[]): boolean {
  const inner = sectionsIn(body);
  const around = inner[firstWhere(inner, ({ end }) => edit.end <= end)];
  return around !== undefined && isInside(edit, around);
}

/** The sections in a body that count by themselves. Each edit in a file is looked for among them. */
const sectionsIn = memo((body: readonly Node[]): readonly Section[] =>
  body.flatMap((node) => {
    if (node.kind !== 'section') return [];
    return SCOPES[node.key] === undefined ? sectionsIn(node.body) : [node];
  }),
);

interface EditRange {
  readonly start: number;
  readonly end: number;
  readonly rewrite: AppliedRewrite;
}

/** The edits, of places in order, that lie inside `[start, end)`. */
function* inRange(places: readonly EditRange[], start: number, end: number): Generator<EditRange> {
  const first = firstWhere(places, (place) => place.start >= start);
  for (let i = first; i < places.length && places[i]!.start < end; i++)
    if (places[i]!.end <= end) yield places[i]!;
}

/** How much is asked of all groups together; each group is asked something. */
const BUDGET = 60_000;
const MAX_TARGETS = 40;
const MAX_CLIENTS = 300;

/** Holds what a configuration says to 2.2 against what it says to 2.4, where blocks for one version each stand in it. */
export class VersionBlocks {
  /** The sections by place, made on demand: most runs have no such blocks. */
  readonly #index = lazy(() => new ScopeIndex(this.scopes));
  readonly #share = lazy(() => Math.max(1, this.scopes.filter(hasVersionBlocks).length));

  constructor(
    private readonly scopes: readonly Scope[],
    private readonly run: { readonly facts: Facts; readonly collected: Collected },
  ) {}

  /** A request to one of these that the versions answer differently; none where 2.4 needs mod_access_compat. */
  difference(group: readonly Scope[]): AnswerDifference | undefined {
    const { facts, collected } = this.run;
    const places = Math.max(4, Math.min(MAX_TARGETS, Math.floor(BUDGET / 100 / this.#share())));
    const clients = Math.max(40, Math.min(MAX_CLIENTS, Math.floor(BUDGET / this.#share() / places)));
    const around = group.slice(0, 100);
    const seen = new Set<string>();
    for (const scope of group)
      for (const target of targetsFor(scope, around, collected.mapping).slice(0, places)) {
        const key = `${hostKey(scope.vhost)} ${target.uri} ${target.filename}`;
        if (seen.has(key)) continue;
        seen.add(key);
        const met = this.#index().met(target, scope.vhost);
        if (met.some((other) => other.lines.old.length + other.problems.length > 0)) continue;
        const found = firstDifference(met, met, target, facts, { most: clients });
        if (found !== undefined) return found;
      }
    return undefined;
  }
}
