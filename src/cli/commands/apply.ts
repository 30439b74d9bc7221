import { resolvePath } from '../../config';
import type { Edit } from '../../edit';
import { withEdits, type WrittenByHand } from '../../engine';
import type { Change, Finding, Plan } from '../../engine/types';
import { oneLine } from '../../report';
import type { Io, Services } from '../io';
import { type ApplyRequest, DEFAULTS, freezeOptions } from '../options';
import { OPEN, withStore } from '../output';
import { changedSince, PlanError, planFor, readPlan, type SavedPlan } from '../parts';
import { Trouble } from '../trouble';
import { compute, type Computed } from './compute';
import { LeftFiles, otherAt, writeWhatCanBe } from './unwritable';

/**
 * Writes what a saved plan says, byte for byte, if all files that were read for it are as they were, and a run would write that
 * again: whoever edits a plan decides no more than whoever runs the program.
 * @returns the exit status
 * @throws Trouble, SourceError, WriteError: nothing is written then
 */
export async function apply(request: ApplyRequest, io: Io, services: Services): Promise<number> {
  try {
    return await write(request, readPlan(readText(request.file, io, services)), io, services);
  } catch (error) {
    throw error instanceof PlanError ? new Trouble(`${request.file}: ${error.message}`) : error;
  }
}

async function write(
  { check, backup }: ApplyRequest,
  plan: SavedPlan,
  io: Io,
  services: Services,
): Promise<number> {
  if (check) {
    const left = new LeftFiles(services.source, io.uid);
    const names = changesNow(plan, left, io, services).map(({ file }) => `${oneLine(file.name)}\n`);
    io.stdout.write(names.join(''));
    return names.length > 0 ? OPEN : plan.status;
  }
  return withStore(io, services, 'yes', async (store, progress) => {
    const left = new LeftFiles(services.source, io.uid);
    const planned = plan.changes.map(({ path }) => path);
    const options = { paths: plan.run.paths, ...(backup === undefined ? {} : { backup }) };
    const written = await writeWhatCanBe(
      left,
      async () => {
        // Read only now: another run may have been about to change it.
        const changes = changesNow(plan, left, io, services);
        if (changes.length > 0) await store.write(changes, options);
        return changes.length;
      },
      () => planned,
    );
    progress.end();
    for (const line of linesOf(left.allOf(planned)))
      io.stderr.write(`httpd-codemod: ${oneLine(line)}: left as it is\n`);
    const status = left.why.size > 0 ? OPEN : plan.status;
    io.stderr.write(doneText(written, status));
    return status;
  });
}

function readText(path: string, io: Io, services: Services): string {
  try {
    return services.readPlan(resolvePath(io.cwd, path));
  } catch (error) {
    throw new Trouble(`${path}: ${(error as Error).message}`);
  }
}

const linesOf = (why: ReadonlyMap<string, string>): readonly string[] =>
  [...why].map(([path, line]) => `${path}: ${line}`);

/**
 * @param left gets the files of other users that they have changed since
 * @throws Trouble where the plan is not to be written
 */
function changesNow(plan: SavedPlan, left: LeftFiles, io: Io, services: Services): readonly Change[] {
  const { cwd, run } = plan;
  const { release, modules, ...given } = run;
  const options = { ...freezeOptions(run.paths, DEFAULTS, {}), ...given, plan: '' };
  // What there is to say was said when the plan was made.
  const silent: Io['stderr'] = { write: () => undefined, isTTY: false };
  const there = Object.create(io, { cwd: { value: cwd }, stderr: { value: silent } }) as Io;
  const before = { consent: { given: run.follow }, target: { release, modules } };
  const hash = (bytes: string): string => services.hash(bytes);
  const isLeft = (path: string): boolean => left.reasonFor(path) !== undefined;
  for (;;) {
    const computed = compute(options, there, services, { ...before, refused: left });
    const since = changedSince(plan, computed.result.tree, hash);
    const more = new Map([...since].filter(([path]) => !isLeft(path)));
    if (more.size === 0) {
      const changes = planFor(plan, isLeft, computed.result.tree, hash);
      checkMadeAgain(changes, computed, run.interactive, services, linesOf(left.why));
      return changes;
    }
    // Whoever changes a file of theirs keeps nothing of others from being written.
    const isOfOthers = [...more.keys()].every((path) => otherAt(path, services.source, io.uid) !== undefined);
    if (run.interactive || !isOfOthers || !left.add(more))
      throw new Trouble(...linesOf(new Map([...left.why, ...more])), 'nothing written: make a new plan');
  }
}

/**
 * A plan holds what the rules make of the files. Where a person was asked (`-i`), it holds what they accepted of that; what they
 * wrote in an editor is judged once more.
 * @throws Trouble where it holds anything else
 */
function checkMadeAgain(
  changes: Plan,
  computed: Computed,
  wasAsked: boolean,
  services: Services,
  left: readonly string[],
): void {
  if (isSame(computed.result.plan, changes)) return;
  if (!wasAsked)
    throw new Trouble(
      ...left,
      'the rules do not make the changes of this plan (it was edited, or made by another version)',
      'nothing written: make a new plan',
    );
  const accepted = computed.runWith(acceptedIn(changes));
  if (isSame(accepted.plan, changes)) return;
  const known = new Map(accepted.plan.map(({ file, edits }) => [file, edits]));
  const isPart = accepted.plan.every((change) => isWithin(change, changes));
  const base = isPart ? accepted : computed.runWith(() => NOT_ACCEPTED);
  const written = changes.flatMap(({ file, edits }): WrittenByHand[] => {
    const [first, ...others] = edits.filter((edit) => !isPart || !includes(known.get(file), edit));
    if (first === undefined) return [];
    const message = 'text of a person';
    return [{ rule: 'plan', file, at: first.start, level: 'info', message, edits: [first, ...others] }];
  });
  const judged = withEdits(base, written, services.transforms, computed.reread);
  const why =
    typeof judged === 'string' ? judged : isSame(judged.plan, changes) ? undefined : 'it was edited';
  if (why !== undefined) throw new Trouble(why, 'nothing written: make a new plan');
}

const NOT_ACCEPTED = 'not accepted';

/** Declines what a plan does not hold. */
function acceptedIn(changes: Plan): (finding: Finding) => string | undefined {
  const accepted = new Map(changes.map(({ file, edits }) => [file.path, edits]));
  return ({ file, edits }) =>
    edits.every((edit) => includes(accepted.get(file.path), edit)) ? undefined : NOT_ACCEPTED;
}

function isWithin({ file, edits }: Change, changes: Plan): boolean {
  const all = changes.find((change) => change.file === file)?.edits;
  return edits.every((edit) => includes(all, edit));
}

function includes(edits: readonly Edit[] = [], wanted: Edit): boolean {
  return edits.some(
    ({ start, end, text }) => start === wanted.start && end === wanted.end && text === wanted.text,
  );
}

function isSame(some: Plan, others: Plan): boolean {
  const texts = new Map(others.map(({ file, text }) => [file.path, text]));
  return some.length === texts.size && some.every(({ file, text }) => texts.get(file.path) === text);
}

function doneText(files: number, status: 0 | 1): string {
  const written =
    files === 0
      ? 'The plan has nothing to write.'
      : `Written as planned: ${files} ${files === 1 ? 'file' : 'files'}; httpd-codemod undo takes the write back.`;
  return status === 0 ? `${written}\n` : `${written} The run that made the plan has left findings to you.\n`;
}
