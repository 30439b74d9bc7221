import { groupBy } from '../../maps';
import type { Outcome, Task, Transform } from '../../engine/types';
import { encode, plural } from '../encoding';
import { briefMessage } from './assumptions';
import { mergeEqualFindings, type MergedFinding } from './order';
import { placesText, placeText } from './places';
import { isBlocker, notAppliedText, stateOf } from './state';

/** An item of the list of what to do: findings that ask for the same, or a step that every run ends with. */
export interface TaskOfRun {
  /** One sentence: a byte string. */
  readonly text: string;
  /** What to type for it; undefined where the text says all. */
  readonly command: string | undefined;
  readonly isBlocker: boolean;
  /** The findings that it is about. */
  readonly outcomes: readonly Outcome[];
  /** The findings that it is about, those with one message merged into one. */
  readonly findings: readonly MergedFinding[];
  /** The text is the message of the first finding, and says nothing of the others. */
  readonly isOfFirst: boolean;
  /**
   * Where they stand, with what each is about: at most so many, and how many more. A byte string, empty where nothing is to be
   * named.
   * @param rest what stands behind the count of the others
   */
  readonly where: (most: number, rest?: string) => string;
}

/** What the items are made with. */
export interface TaskOptions {
  readonly transforms: readonly ReportedRule[];
  /** The command of this run with an option more: a byte string. */
  readonly commandWith?: ((option: string) => string) | undefined;
}

/** What a rule is about, in words. A byte string. */
export function titleOf(rule: string, rules: readonly ReportedRule[]): string {
  const title = rules.find(({ id }) => id === rule)?.title;
  return title === undefined ? rule : encode(title);
}

/** What a report says of a rule. */
export type ReportedRule = Pick<Transform, 'id' | 'title' | 'why' | 'task' | 'isAboutAccess'>;

/** Puts findings that ask for the same together, in the order in which a person does the work. */
export function tasksOf(outcomes: readonly Outcome[], options: TaskOptions): TaskOfRun[] {
  const { transforms, commandWith = TO_BE_COMPLETED } = options;
  const rules = new Map(transforms.map((transform) => [transform.id, transform]));
  const ownTask = (outcome: Outcome): Task | undefined =>
    outcome.task ?? rules.get(outcome.rule)?.task?.(outcome);
  const taskBefore = ({ after }: Outcome): Task | undefined => {
    if (after === undefined) return undefined;
    const asked = outcomes.filter((other) => other.rule === after.rule && isBlocker(other)).map(ownTask);
    const task = asked.find((each) => each !== undefined);
    return task && { ...task, subject: after.subject };
  };
  const taskOf = (outcome: Outcome): Task | undefined => ownTask(outcome) ?? taskBefore(outcome);
  // What is done afterwards stands behind what it waits for, and what another rule does about it behind that.
  const turnOf = ({ rule, after }: Outcome): number =>
    after === undefined ? 0 : after.rule === rule ? 1 : 2;
  const inOrder = [...outcomes].sort((a, b) => turnOf(a) - turnOf(b));
  const groups = groupBy(inOrder, (outcome) => {
    const task = taskOf(outcome);
    return task === undefined
      ? `${outcome.rule} ${isBlocker(outcome)} ${outcome.remedy ?? ''}`
      : (task.joint ?? task.text);
  });
  return [...groups.values()]
    .map((group): TaskOfRun & { readonly rank: number } => {
      const first = group[0]!;
      const task = taskOf(first);
      const { rule } = first;
      const parts = [
        ...groupBy(
          group.flatMap((outcome) => taskOf(outcome) ?? []),
          ({ text }) => text,
        ).values(),
      ].map(([part]) => part!);
      const isKnown = rules.get(rule) !== undefined;
      return {
        text: parts.map(({ text }) => text).join('; ') || briefMessage(first) + notAppliedText(first),
        command:
          task?.option !== undefined
            ? commandWith(parts.flatMap(({ option }) => option ?? []).join(' '))
            : isKnown
              ? `httpd-codemod rules ${rule}`
              : undefined,
        isBlocker: group.some(isBlocker),
        outcomes: group,
        findings: mergeEqualFindings(group),
        isOfFirst: task === undefined,
        where: (most, rest) =>
          placesText(group, most, { subjectOf: (outcome) => taskOf(outcome)?.subject, rest }) +
          (task === undefined ? '' : leftText(group.filter((outcome) => taskOf(outcome)?.saysWhy !== true))),
        rank: group.reduce((lowest, outcome) => {
          const isAboutAccess =
            outcome.changesAccess === true || rules.get(outcome.rule)?.isAboutAccess === true;
          return Math.min(lowest, rankOf(outcome, isAboutAccess, task));
        }, Infinity),
      };
    })
    .sort((a, b) => a.rank - b.rank);
}

/** Why the first change of these that was not made was not, where the item says nothing of that; empty where all were made. */
function leftText(outcomes: readonly Outcome[]): string {
  const left = outcomes.find(({ status, why }) => status === 'not-applied' && why !== undefined);
  return left === undefined ? '' : `; ${placeText(left)} is left as it was: ${left.why}`;
}

const LEVELS = { error: 4, warning: 5, info: 6 } as const;

/** What is missing is given first; then who gets in, what can be answered, what else blocks, and what may matter. */
function rankOf(outcome: Outcome, isAboutAccess: boolean, task: Task | undefined): number {
  if (!isBlocker(outcome)) return LEVELS[outcome.level];
  if (outcome.unread === true) return 0;
  if (task?.waits === true) return 3.5;
  if (isAboutAccess) return 1;
  return task?.option === undefined ? 3 : 2;
}

/** The item for what a script does, if anything is. */
export function scriptTask(
  outcomes: readonly Outcome[],
  { transforms, commandWith = TO_BE_COMPLETED }: TaskOptions,
): TaskOfRun | undefined {
  const steps = outcomes.filter((outcome) => stateOf(outcome) === 'script');
  if (steps.length === 0) return undefined;
  return {
    text: `save the script of ${plural(steps.length, 'more step')}, for the new server after the changes`,
    command: `${commandWith('--format sh')} > steps.sh`,
    isBlocker: false,
    outcomes: steps,
    findings: mergeEqualFindings(steps),
    isOfFirst: false,
    where: () => countsByRule(steps, transforms),
  };
}

/** Makes one item, which names rules and places, of several that block nothing and for which no command does anything. */
export function mergeRemarks(
  tasks: readonly TaskOfRun[],
  { transforms, commandWith = TO_BE_COMPLETED }: TaskOptions,
): readonly TaskOfRun[] {
  const isRemark = ({ isBlocker: blocks, isOfFirst }: TaskOfRun): boolean => !blocks && isOfFirst;
  const remarks = tasks.filter(isRemark);
  if (remarks.length < 2) return tasks;
  const outcomes = remarks.flatMap((task) => task.outcomes);
  const merged: TaskOfRun = {
    text: 'see whether any of these differences in 2.4 matters to you',
    command: commandWith('-v'),
    isBlocker: false,
    outcomes,
    findings: mergeEqualFindings(outcomes),
    isOfFirst: false,
    where: (most, rest) =>
      remarks
        .map((task) => `${remarkOf(task.outcomes[0]!, transforms)} (${task.where(most, rest)})`)
        .join('; '),
  };
  return [...tasks.filter((task) => !isRemark(task)), merged];
}

/**
 * What several findings have in common that ask for no task by name. The title of the rule about access says what becomes of the
 * lines that it converts: these stay.
 */
export function headingOf({ rule }: Outcome, rules: readonly ReportedRule[]): string {
  return rules.find(({ id }) => id === rule)?.isAboutAccess === true
    ? 'Access lines to change by hand'
    : titleOf(rule, rules);
}

/** What a remark is about. The title of the rule about access says nothing of it, and what its message begins with does. */
function remarkOf(outcome: Outcome, rules: readonly ReportedRule[]): string {
  const { rule } = outcome;
  const isGeneral = rules.find(({ id }) => id === rule)?.isAboutAccess === true;
  return isGeneral ? briefMessage(outcome).split(': ', 1)[0]! : titleOf(rule, rules);
}

/**
 * At most so many items: what has no place of its own is one item, which names the rules. Blockers come first.
 * @param most at least 2
 * @param places of each rule that are named: with one alone, many rules are named by their ids; with none, without a place
 */
export function foldTasks(
  tasks: readonly TaskOfRun[],
  most: number,
  { transforms, commandWith = TO_BE_COMPLETED }: TaskOptions,
  places = 1,
): readonly TaskOfRun[] {
  if (tasks.length <= most) return tasks;
  const rest = tasks.slice(most - 1);
  const outcomes = rest.flatMap((task) => task.outcomes);
  const blocking = rest.filter((task) => task.isBlocker).flatMap((task) => task.outcomes);
  const others = rest.filter((task) => !task.isBlocker).flatMap((task) => task.outcomes);
  const parts = [
    ...(blocking.length === 0 ? [] : [`${plural(blocking.length, 'point')} more that block${blocking.length === 1 ? 's' : ''}: ${countsByRule(blocking, transforms, places)}`]),
    ...(others.length === 0 ? [] : [`${plural(others.length, 'point')} that may matter: ${countsByRule(others, transforms, places)}`]),
  ]; // prettier-ignore
  const folded: TaskOfRun = {
    text: `look at ${parts.join('; at ')}`,
    command: commandWith('-v'),
    isBlocker: blocking.length > 0,
    outcomes,
    findings: mergeEqualFindings(outcomes),
    isOfFirst: false,
    where: () => '',
  };
  return [...tasks.slice(0, most - 1), folded];
}

/** For a report that is not printed by a command. */
const TO_BE_COMPLETED = (option: string): string => `httpd-codemod ${option} ...`;

/** For instance `Regular expressions that httpd refuses (a.conf:3); Modules that are not part of httpd (b.conf:7 and 2 more)`. */
function countsByRule(outcomes: readonly Outcome[], rules: readonly ReportedRule[], places = 1): string {
  const groups = [...groupBy(outcomes, ({ rule }) => rule)];
  if (groups.length <= MOST_TITLES || places > 1)
    return groups
      .map(([rule, list]) => `${titleOf(rule, rules)} (${placesText(list, Math.max(places, 1))})`)
      .join('; ');
  if (places === 0)
    return groups.map(([rule, { length }]) => (length === 1 ? rule : `${rule} (${length})`)).join(', ');
  return groups.map(([rule, list]) => `${rule} (${placesText(list, places)})`).join(', ');
}

/** Titles that an item has room for: more rules than that are named by their ids. */
const MOST_TITLES = 4;
