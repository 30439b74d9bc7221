import type { DualProblem } from '../../edit';
import type { Task } from '../types';

/** Why edits have no form under `--dual`. */
export type DualReason =
  | DualProblem
  /** The lines load modules, before which nothing can ask for the version. */
  | 'loads-modules'
  /** The lines stand above the LoadModule lines. */
  | 'above-load-module'
  /** A version would read something else than it must. */
  | { readonly misreadBy: '2.2' | '2.4' }
  /** A second run would make them again. */
  | 'repeated';

/** Why a finding's edits are not applied. */
export type Reason =
  /** The group has a finding in something that is left alone. @param source of that request, in words */
  | { readonly kind: 'ignored-group'; readonly source: string }
  /** The file may not be written. @param why in words, from the file */
  | { readonly kind: 'outside'; readonly why: string }
  /** The finding, or another of its group, is in a file that cannot be written. @param name of that */
  | { readonly kind: 'unwritable'; readonly name: string }
  | { readonly kind: 'not-safe' }
  /** The finding, or another of its group, is in the strictest form, and --exact was given. */
  | { readonly kind: 'not-exact' }
  /** The edits of the finding are not wanted. @param why in words */
  | { readonly kind: 'declined'; readonly why: string }
  /** An edit of its group is not wanted. @param place of that */
  | { readonly kind: 'declined-group'; readonly place: string; readonly rule: string; readonly why: string }
  /** An earlier finding changes the same text. */
  | { readonly kind: 'overlap'; readonly rule: string }
  /** 2.4 joins its line with the one above. */
  | { readonly kind: 'joined' }
  /** The check of its own transform refuses it. @param why in the transform's words */
  | { readonly kind: 'check'; readonly why: string }
  /** The judge of the result, or a check of what others change, refuses it. @param why in words that name a request */
  | { readonly kind: 'judge'; readonly why: string }
  /** An exception in its file, or in its rule. */
  | { readonly kind: 'trouble' }
  /** A second run would change the result again. */
  | { readonly kind: 'not-final' }
  /** Tentative, and a second run would change the lines beside it. */
  | { readonly kind: 'unsettled' }
  | { readonly kind: 'dual'; readonly reason: DualReason }
  /** A finding of its group has no form under `--dual`. @param place of that */
  | { readonly kind: 'dual-group'; readonly place: string; readonly reason: DualReason };

/** A reason in words, as messages have it. */
export function reasonText(reason: Reason): string {
  switch (reason.kind) {
    case 'ignored-group':
      return `it goes together with what is left alone: ${reason.source}`;
    case 'outside':
    case 'declined':
    case 'check':
    case 'judge':
      return reason.why;
    case 'unwritable':
      return `${reason.name} cannot be written`;
    case 'declined-group':
      return `it goes together with a change at ${reason.place} (${reason.rule}): ${reason.why}`;
    case 'not-safe':
      return 'it is not proven safe, and only safe rewrites were asked for';
    case 'not-exact':
      return 'it needs the strictest form, which --exact keeps from being written';
    case 'overlap':
      return `it overlaps a change of ${reason.rule}`;
    case 'joined':
      return 'the line above ends in a backslash, and 2.4 joins the two';
    case 'trouble':
      return 'a fault of the rule itself is reported for it';
    case 'not-final':
      return 'a second run would change the result again';
    case 'unsettled':
      return 'it waits for what is left as it is beside it: resolve that, then run again';
    case 'dual':
      return `--dual: ${dualReasonText(reason.reason)}`;
    case 'dual-group':
      return `--dual: it goes together with what stands at ${reason.place}: ${dualReasonText(reason.reason)}`;
  }
}

/** What a person does about it; undefined where the reason says so, or nothing is to be done. */
export function remedyText(reason: Reason): string | undefined {
  switch (reason.kind) {
    case 'check':
    case 'judge':
      return 'write by hand what these lines are to say in 2.4, then run again';
    case 'overlap':
      return `run again once the change of ${reason.rule} is written`;
    case 'joined':
      return 'end the line above in another way, then run again';
    case 'not-safe':
      return 'leave out --safe-only, if what it assumes is so';
    case 'not-exact':
      return 'leave out --exact, if it may refuse more than 2.2 did';
    case 'trouble':
    case 'not-final':
      return 'make the change by hand';
    default:
      return undefined;
  }
}

/** What a person does about lines that have no form under `--dual`, and about those that go together with them: one item. */
const DUAL_TASKS: ReadonlyMap<DualReason, Task> = new Map([
  ['above-load-module', { text: 'move these lines below the LoadModule lines: above them, no block of --dual can ask for the version', option: '-v', saysWhy: true }],
  ['loads-modules', { text: 'keep a file of LoadModule lines for each version: before the modules are loaded, no block of --dual can ask for it', option: '-v', saysWhy: true }],
]); // prettier-ignore

/** What a person does about changes that wait for other items. */
const WAITING: Task = {
  text: 'run this again once the items about who gets in are resolved: until then these sections are left as they are, for they meet what stays there',
  option: '-v',
  saysWhy: true,
  waits: true,
};

/** What a person does about it, together with all that has the same cause; undefined for what is an item of its rule. */
export function taskFor(reason: Reason): Task | undefined {
  if (reason.kind === 'unsettled') return WAITING;
  if (reason.kind !== 'dual' && reason.kind !== 'dual-group') return undefined;
  const task = DUAL_TASKS.get(reason.reason);
  if (task === undefined || reason.kind === 'dual') return task;
  return { ...task, subject: `what goes together with ${reason.place}` };
}

/** Why edits are not applied under `--dual`, as a text for people. */
export function dualReasonText(reason: DualReason): string {
  switch (reason) {
    case 'not-configuration':
      return 'it changes text that is not httpd configuration';
    case 'unbalanced':
      return 'a block for one version cannot be put around a section that is not closed, or around text that is not configuration';
    case 'loads-modules':
      return 'no block can ask for the version before the modules are loaded; keep a file of LoadModule lines for each version';
    case 'above-load-module':
      return 'it stands above the LoadModule lines, where no block can ask for the version; move it below them';
    case 'repeated':
      return 'a second run would make the change again';
    default:
      return `with a block for each version, this file would mean something else to ${reason.misreadBy}`;
  }
}
