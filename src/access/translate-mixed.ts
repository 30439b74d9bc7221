import type { Answer, ConfigFile, ConfigTree } from '../config';
import { sameEdits } from '../edit';
import { collect, factsOf } from './collect';
import { Decisions } from './decisions';
import {
  InheritedStates,
  type MixedReading,
  type MixedSections,
  answerAbout,
  isRunByCompat,
  meetingGroups,
  questionAbout,
  wantedAsWritten,
} from './inherit';
import { type Scope, isWrittenFor24, setsSomething } from './policy';
import { type AccessRun, type Refusal, questionRefusal, settledFinding } from './report';
import { memo } from './primitives';
import { checksAmongMixed, planTlsLines } from './rewrite';
import { NewlyRefused, VersionBlocks } from './verify';

/** The run before it is known which of its sections are decided together. */
export type RunWithoutSections = Omit<AccessRun, 'versionBlocks' | 'newlyRefused' | 'keptChecks' | 'tls'>;

/**
 * Decides the sections that a 2.4 with mod_access_compat is running today, as those in which lines of both kinds meet; what their
 * authors wrote is what a person may want instead. Where both are one text, it is written; where they differ, nobody but a person
 * knows which is meant.
 * @param plain the sections as a 2.2 reads them
 */
export function decideMixed(
  mixed: MixedSections,
  toRewrite: readonly Scope[],
  outer: RunWithoutSections,
  decisions: Decisions,
  plain: ReadRun,
): void {
  const targets = new Set(toRewrite.map(({ order }) => order).filter((order) => mixed.orders.has(order)));
  const today = runOfReading(mixed.today, outer);
  const isAllOld = !plain.groups.some((group) => group.some(isWrittenFor24));
  const asWritten = isAllOld ? plain : runOfReading(mixed.asWritten(), outer);
  for (const orders of joined([...today.groups, ...asWritten.groups], targets))
    settle(orders, today, asWritten, outer, decisions);
}

/** Decides sections of which a request can meet several. */
function settle(
  orders: ReadonlySet<number>,
  today: ReadRun,
  asWritten: ReadRun,
  { tree, dual }: RunWithoutSections,
  decisions: Decisions,
): void {
  const [now, then] = [today.decide(orders), asWritten.decide(orders)];
  const sections = collect(tree).scopes.filter(({ order }) => orders.has(order));
  // For both versions lines of both kinds have no text either way.
  const isNeither = dual && sections.some(isWrittenFor24);
  const unanswered = filesNeitherAnswers(tree);
  const isInQuestion = ({ order, place }: Scope): boolean =>
    unanswered.has(place.root) || !isSameText(now, then, order);
  const differing = isNeither ? [] : sections.filter(isInQuestion);
  if (differing.length === 0) {
    decisions.add(now, []);
    return;
  }
  const wanted = wantedAsWritten(tree);
  const questions = openQuestions(sections, differing, now, then, tree);
  if (questions.size === 0) {
    const answers = answersTo(differing, tree);
    const decided = together(differing, now, then, wanted);
    decisions.add(decided, answers);
    for (const scope of differing)
      if (answers.length > 0 && decided.edits.get(scope.order)?.length === 0)
        decisions.findings.add(settledFinding(scope, answers));
    return;
  }
  const settled = differing.filter(({ order }) => !questions.has(order));
  const isWritten = settled.length > 0 && settled.every(({ order }) => wanted.has(order));
  decisions.add((isWritten ? asWritten : today).decide(orders, questions), answersTo(settled, tree));
}

/**
 * The `.htaccess` files with lines of both kinds below a 2.4 without mod_access_compat: 2.2 does not know the ones, and the 2.4
 * not the others, so that nobody has ever been let in by them.
 */
const filesNeitherAnswers = memo((tree: ConfigTree): ReadonlySet<ConfigFile> => {
  const { lacksCompat, scopes } = collect(tree);
  const ofUsers = lacksCompat ? scopes.filter(({ place: { root } }) => root.role === 'htaccess') : [];
  const rootsOf = (those: readonly Scope[]): Set<ConfigFile> =>
    new Set(those.map(({ place: { root } }) => root));
  const old = rootsOf(ofUsers.filter(({ lines }) => lines.old.length > 0));
  return rootsOf(ofUsers.filter((scope) => isWrittenFor24(scope) && old.has(scope.place.root)));
});

/**
 * The sections about which nobody has answered yet. Whoever may write a `.htaccess` decides about that file alone: where lines of
 * both kinds meet only by way of such files, the server's own sections keep what they answer today.
 */
function openQuestions(
  sections: readonly Scope[],
  differing: readonly Scope[],
  now: Decisions,
  then: Decisions,
  tree: ConfigTree,
): ReadonlyMap<number, Refusal> {
  const isOfServer = ({ place }: Scope): boolean => place.root.role !== 'htaccess';
  const isAmongLinesFor24 = sections.some(isWrittenFor24);
  const isServerMixed = isRunByCompat(sections.filter(isOfServer), tree);
  const open = differing.filter(
    (scope) => answerAbout(scope, tree) === undefined && (isServerMixed || !isOfServer(scope)),
  );
  return new Map(
    open.map((scope) => {
      const isAnsweredByNone = filesNeitherAnswers(tree).has(scope.place.root);
      const [today, asWritten] = [now, then].map((decisions) => decisions.editsIn(scope));
      const question = questionAbout(scope);
      const section = { scope, question, isAmongLinesFor24, isAnsweredByNone, today, asWritten };
      return [scope.order, questionRefusal(section)];
    }),
  );
}

function answersTo(scopes: readonly Scope[], tree: ConfigTree): readonly Answer[] {
  return [...new Set(scopes.flatMap((scope) => answerAbout(scope, tree) ?? []))];
}

/** What the sections say, each as answered; where one of the two readings has no text for the group, that one. */
function together(
  differing: readonly Scope[],
  now: Decisions,
  then: Decisions,
  wanted: ReadonlySet<number>,
): Decisions {
  const isWritten = ({ order }: Scope): boolean => wanted.has(order);
  if (differing.every(isWritten)) return then;
  if (!differing.some(isWritten)) return now;
  for (const whole of [now, then])
    if ([...whole.edits.values()].some((edits) => edits === undefined)) return whole;
  return Decisions.mixed(now, then, wanted);
}

function isSameText(now: Decisions, then: Decisions, order: number): boolean {
  const [a, b] = [now.edits.get(order), then.edits.get(order)];
  return a === undefined || b === undefined ? a === b : sameEdits(a, b);
}

function runOfReading({ collected, scopes, overrides }: MixedReading, outer: RunWithoutSections): ReadRun {
  const run = { ...outer, facts: factsOf(collected, outer.tree), collected, overrides };
  return new ReadRun(scopes, scopes.filter(setsSomething), checksAmongMixed(scopes), run, true);
}

/** One reading of the sections, as it would be converted. */
export class ReadRun {
  readonly groups: readonly (readonly Scope[])[];
  private readonly inherited: InheritedStates;
  private readonly run: AccessRun;

  /** @param setters those of the sections that have a say; `isMixed` lines of both kinds meet in them */
  constructor(
    scopes: readonly Scope[],
    setters: readonly Scope[],
    keptChecks: AccessRun['keptChecks'],
    outer: RunWithoutSections,
    isMixed: boolean,
  ) {
    const { facts, collected, overrides, dual } = outer;
    this.groups = meetingGroups(setters);
    this.inherited = new InheritedStates(setters, facts, collected.mapping, overrides.files);
    const tlsGroups = isMixed ? [] : this.groups;
    const tls = planTlsLines(tlsGroups, this.inherited, facts, collected.ssl.isLogin, dual);
    this.run = {
      ...outer,
      versionBlocks: new VersionBlocks(scopes, outer),
      newlyRefused: new NewlyRefused(scopes, facts, collected.mapping),
      keptChecks: new Map([...keptChecks, ...tls.checks]),
      tls,
    };
  }

  /** @param orders the sections to rewrite. @param questions as in {@link AccessRun} */
  decide(
    orders: ReadonlySet<number>,
    questions?: AccessRun['openQuestions'],
    decisions = new Decisions(),
  ): Decisions {
    const run = questions === undefined ? this.run : { ...this.run, openQuestions: questions };
    for (const group of this.groups) {
      // Most often all of it.
      const isWhole = group.every(({ order }) => orders.has(order));
      const targets = isWhole ? group : group.filter(({ order }) => orders.has(order));
      if (targets.length > 0) decisions.decide({ met: group, targets, inherited: this.inherited, run });
    }
    return decisions;
  }
}

/** The sections that hang together in any of these groups, of those that are to be rewritten. */
function joined(groups: readonly (readonly Scope[])[], targets: ReadonlySet<number>): ReadonlySet<number>[] {
  let sets: Set<number>[] = [];
  for (const group of groups) {
    const orders = group.map(({ order }) => order).filter((order) => targets.has(order));
    if (orders.length === 0) continue;
    const whole = new Set(orders);
    const [met, apart] = [true, false].map((is) =>
      sets.filter((set) => orders.some((order) => set.has(order)) === is),
    ) as [Set<number>[], Set<number>[]];
    for (const set of met) for (const order of set) whole.add(order);
    sets = [...apart, whole];
  }
  return sets;
}
