import { overlay } from '../../config';
import type { ConfigTree } from '../../config/types';
import { applyEdits, type Edit } from '../../edit';
import { withEdits, type WrittenByHand } from '../../engine';
import type { Change, Finding, Outcome, Plan } from '../../engine/types';
import type { Io, Services } from '../io';
import { DEFAULTS, freezeOptions } from '../options';
import { placeText } from '../../report';
import { changedSince, planFor, type SavedPlan } from '../parts';
import { Trouble } from '../trouble';
import { compute, type Computed } from './compute';
import { type LeftFiles, otherAt } from './unwritable';

/** What of a plan can be written as the files are now. */
export interface WritablePlan {
  readonly changes: Plan;
  /** Why directories of users who have changed their files are shut, beside what was planned: a line for each. */
  readonly shut: readonly string[];
  /** What is left to a person about who gets in by files that have changed, which nobody has seen yet: a line for each error. */
  readonly open: readonly string[];
}

/** So often the files of a user are left one by one; then all of that user are. */
const MAX_ROUNDS = 4;

/**
 * Whatever a `.htaccess` says, no other is worse: by it 2.2 lets nobody in, and 2.4 everybody. What holds beside this text holds
 * beside any other.
 */
const WORST =
  '<IfModule !mod_authz_core.c>\nOrder allow,deny\nDeny from all\n</IfModule>\n<IfModule mod_authz_core.c>\nRequire all granted\n</IfModule>\n';

/**
 * Makes the changes of a plan again from the files as they are now. Files of other users that they have changed since are left.
 * Where the rules then make something else for others, the directories of these files are shut, and what is in them does not
 * matter.
 * @param left gets the files that are left
 * @throws Trouble where the plan is not to be written
 */
export function writablePlan(plan: SavedPlan, left: LeftFiles, io: Io, services: Services): WritablePlan {
  const isOfOthers = (path: string): boolean => otherAt(path, services.source, io.uid) !== undefined;
  const isLeft = (path: string): boolean => left.reasonFor(path) !== undefined;
  const hash = (bytes: string): string => services.hash(bytes);
  let worst: ReadonlyMap<string, string> | undefined;
  let open: readonly Outcome[] = [];
  for (let round = 0; ;) {
    const computed = computeAgain(plan, left, io, services, worst);
    const { tree } = computed.result;
    const since = changedSince(plan, tree, hash);
    const more = new Map([...since].filter(([path]) => !isLeft(path)));
    if (more.size > 0) {
      // Whoever changes a file of theirs keeps nothing of others from being written.
      if (![...more.keys()].every(isOfOthers) || !left.add(more))
        throw new Trouble(...linesOf(new Map([...left.why, ...more])), NOTHING_WRITTEN);
      continue;
    }
    const changes = planFor(plan, isLeft, tree, hash);
    if (worst === undefined) open = errorsIn(computed.result, since, services);
    const asked = plan.run.interactive ? left : undefined;
    const made = madeAgain(changes, computed, asked, worst !== undefined, services);
    if ('changes' in made) {
      const shut = shutBy(made.changes, computed.result);
      const isOpen = ({ file }: Outcome): boolean => !shut.some((path) => file.path.startsWith(path));
      return { ...made, open: open.filter(isOpen).map((error) => `${placeText(error)}: ${error.message}`) };
    }
    if (left.why.size === 0) throw new Trouble(made.why, NOTHING_WRITTEN);
    const ofUsers = made.differing.filter((path) => left.isOfSameUser(path));
    const isForOthers = ofUsers.length < made.differing.length;
    if (isForOthers && worst === undefined) {
      worst = worstTexts(tree, since);
      if (worst !== undefined) continue;
    }
    if (isForOthers || ofUsers.length === 0 || round > MAX_ROUNDS)
      throw new Trouble(
        ...linesOf(left.why),
        ...made.differing.map((path) => `${path}: the rules do not make the planned change without these`),
        NOTHING_WRITTEN,
      );
    round++;
    left.leaveToo(ofUsers, round < MAX_ROUNDS);
  }
}

const NOTHING_WRITTEN = 'nothing written: make a new plan';

/** A line for each file that is left. */
export const linesOf = (why: ReadonlyMap<string, string>): readonly string[] =>
  [...why].map(([path, line]) => `${path}: ${line}`);

/** The errors about who gets in at lines of changed files. */
function errorsIn(
  { outcomes }: Computed['result'],
  since: ReadonlyMap<string, string>,
  { transforms }: Services,
): readonly Outcome[] {
  const access = new Set(transforms.flatMap(({ id, isAboutAccess }) => (isAboutAccess === true ? id : [])));
  return outcomes.filter(
    ({ rule, level, status, changesAccess, file }) =>
      level === 'error' &&
      status === 'none' &&
      since.has(file.path) &&
      (changesAccess === true || access.has(rule)),
  );
}

/** How the paths of files begin whose directories the server's own files shut. */
function shutBy(changes: Plan, { outcomes }: Computed['result']): readonly string[] {
  const made = new Map(changes.map(({ file, edits }) => [file.path, edits]));
  return outcomes.flatMap((outcome) =>
    isShut(outcome) && isIn(outcome, made.get(outcome.file.path)) ? `${outcome.about}/` : [],
  );
}

/** @param worst what to read in place of what stands in files of other users */
function computeAgain(
  { cwd, run }: SavedPlan,
  refused: LeftFiles,
  io: Io,
  services: Services,
  worst: ReadonlyMap<string, string> | undefined,
): Computed {
  const { release, modules, ...given } = run;
  const options = { ...freezeOptions(run.paths, DEFAULTS, {}), ...given, plan: '' };
  // What there is to say was said when the plan was made.
  const silent: Io['stderr'] = { write: () => undefined, isTTY: false };
  const there = Object.create(io, { cwd: { value: cwd }, stderr: { value: silent } }) as Io;
  const source = worst === undefined ? services.source : overlay(services.source, worst);
  const before = { refused, consent: { given: run.follow }, target: { release, modules } };
  return compute(options, there, { ...services, source }, before);
}

/** The worst text for each file that is not as it was; undefined where one is read in another way than a `.htaccess`. */
function worstTexts(
  { files, htaccess }: ConfigTree,
  since: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> | undefined {
  const changed = files.filter(({ path }) => since.has(path));
  if (changed.length === 0 || !changed.every((file) => htaccess.includes(file))) return undefined;
  return new Map(changed.map(({ path }) => [path, WORST]));
}

const EDITED = 'it was edited';
const NOT_MADE = `the rules do not make the changes of this plan (${EDITED}, or made by another version)`;

type Made = Pick<WritablePlan, 'changes' | 'shut'>;

interface NotMade {
  readonly why: string;
  /** Paths of the files whose text would be another. */
  readonly differing: readonly string[];
}

/**
 * A plan holds what the rules make of the files. Where a person was asked (`-i`), it holds what they accepted of that; what they
 * wrote in an editor is judged once more.
 * @param left the files left, where a person was asked
 * @param isOfWorst whether the worst was read in place of files that have changed
 */
function madeAgain(
  changes: Plan,
  computed: Computed,
  left: LeftFiles | undefined,
  isOfWorst: boolean,
  services: Services,
): Made | NotMade {
  const planned = new Map(changes.map((change) => [change.file.path, change]));
  if (left === undefined) return compared(computed.result, planned, NOT_MADE);
  const accepted = computed.runWith(acceptedIn(planned));
  // What the rules now make for the sake of a changed file is no text of a person, nor is what goes together with it.
  const differing = accepted.outcomes.flatMap(({ why, file: { path } }) =>
    why === NOT_ACCEPTED && planned.has(path) ? path : [],
  );
  const ofUsers = differing.filter((path) => left.isOfSameUser(path));
  if (ofUsers.length > 0) return { why: EDITED, differing: isOfWorst ? ofUsers : differing };
  const made = compared(accepted, planned, EDITED);
  if ('changes' in made) return made;
  const shut = accepted.outcomes.filter(isShut).flatMap(({ edits }) => edits);
  const isPart = accepted.plan.every(({ file, edits }) =>
    isIn({ edits: edits.filter((edit) => !includes(shut, edit)) }, planned.get(file.path)?.edits),
  );
  const base = isPart ? accepted : computed.runWith(() => NOT_ACCEPTED);
  const known = new Map(base.plan.map(({ file, edits }) => [file, edits]));
  const written = changes.flatMap(({ file, edits }): WrittenByHand[] => {
    const [first, ...others] = edits.filter((edit) => !includes(known.get(file), edit));
    if (first === undefined) return [];
    const message = 'text of a person';
    return [{ rule: 'plan', file, at: first.start, level: 'info', message, edits: [first, ...others] }];
  });
  const judged = withEdits(base, written, services.transforms, computed.reread);
  return typeof judged === 'string' ? { ...made, why: judged } : compared(judged, planned, EDITED);
}

/** Holds what was made against what was planned. What only shuts a directory may stand beside it. */
function compared(
  { plan, outcomes }: Computed['result'],
  planned: ReadonlyMap<string, Change>,
  why: string,
): Made | NotMade {
  const shut = outcomes.filter(
    (outcome) => isShut(outcome) && !isIn(outcome, planned.get(outcome.file.path)?.edits),
  );
  const texts = new Map(plan.map((change) => [change.file.path, textWithout(change, shut)]));
  const differing = [...new Set([...texts.keys(), ...planned.keys()])].filter((path) => {
    const change = planned.get(path) ?? plan.find(({ file }) => file.path === path)!;
    const before = change.file.document.text;
    return (texts.get(path) ?? before) !== (planned.get(path)?.text ?? before);
  });
  return differing.length > 0
    ? { why, differing }
    : { changes: plan, shut: shut.map(({ message }) => message) };
}

const isShut = ({ shuts, status }: Outcome): boolean => shuts === true && status === 'applied';

function textWithout({ file, edits, text }: Change, shut: readonly Outcome[]): string {
  const without = shut.filter((outcome) => outcome.file === file);
  if (without.length === 0) return text;
  return applyEdits(
    file.document.text,
    edits.filter((edit) => !without.some((outcome) => includes(outcome.edits, edit))),
  );
}

const NOT_ACCEPTED = 'not accepted';

/** Declines what a plan does not hold, but for what only shuts directories. */
function acceptedIn(planned: ReadonlyMap<string, Change>): (finding: Finding) => string | undefined {
  return (finding) =>
    finding.shuts === true || isIn(finding, planned.get(finding.file.path)?.edits) ? undefined : NOT_ACCEPTED;
}

const isIn = ({ edits }: Pick<Finding, 'edits'>, all: readonly Edit[] | undefined): boolean =>
  edits.every((edit) => includes(all, edit));

function includes(edits: readonly Edit[] = [], wanted: Edit): boolean {
  return edits.some(
    ({ start, end, text }) => start === wanted.start && end === wanted.end && text === wanted.text,
  );
}
