import { groupBy } from '../../maps';
import type { Level, Outcome } from '../../engine/types';
import { shownText } from '../encoding';
import { briefMessage } from './assumptions';
import { contentOf, type ContentOptions } from './parts';
import { type ReportedRun } from './order';
import { placeText } from './places';
import { type FindingState, isBlocker, notAppliedText, stateOf, stateWord } from './state';

/** A finding as a program shows it at its line: all texts are decoded, for people. */
export interface DescribedFinding {
  readonly rule: string;
  /** The line that it stands at, from 1. */
  readonly line: number;
  readonly level: Level;
  readonly state: FindingState;
  readonly isBlocker: boolean;
  /** What the finding asks of the reader, for instance `to do`. */
  readonly word: string;
  readonly message: string;
  readonly remedy?: string;
  /** The keys of what it takes for granted, for {@link RunSummary.assumptions}. */
  readonly assumes: readonly string[];
}

/** What a report begins with: decoded texts, for people. */
export interface RunSummary {
  /** What changes, and what becomes of the server with it. */
  readonly verdict: readonly [changes: string, outcome: string];
  /** Something keeps 2.4 from answering as 2.2 did: a blocker, or a change that was left out. */
  readonly isBlocked: boolean;
  /** What is taken for granted: an answer `yes` makes its changes exact, `no` takes them back. */
  readonly assumptions: readonly {
    readonly key: string;
    readonly text: string;
    readonly findings: number;
  }[];
  /** What a person has to do, in order. */
  readonly tasks: readonly { readonly text: string; readonly where: string; readonly isBlocker: boolean }[];
  /** What an answer in `answers` of the options settles: its key, and a choice that is possible; `yes` where it alone is. */
  readonly questions: readonly { readonly key: string; readonly choice: string; readonly text: string }[];
}

/** A finding in words: what it asks of the reader, and at which line. */
export function describeFinding(outcome: Outcome): DescribedFinding {
  const { rule, file, at, level, remedy, assuming } = outcome;
  return {
    rule,
    line: file.document.positionAt(at).line,
    level,
    state: stateOf(outcome),
    isBlocker: isBlocker(outcome),
    word: stateWord(outcome),
    message: shownText(briefMessage(outcome) + notAppliedText(outcome)),
    ...(remedy === undefined ? {} : { remedy: shownText(remedy) }),
    assumes: outcome.status === 'applied' ? (assuming?.assumptions ?? []).map(({ key }) => key) : [],
  };
}

/** Places that an item of the summary names. */
const FEW = 4;

/** The verdict, what is to do and what is assumed. */
export function summarize(result: ReportedRun, options: ContentOptions): RunSummary {
  // What a task adds to the command of a run stands in the place of that command.
  const content = contentOf(result, { ...options, commandWith: (option) => option });
  const { verdict, plan, assumptions, questions } = content;
  const asked = questions.flatMap(({ outcomes }) => outcomes.flatMap(({ asks = [] }) => asks));
  return {
    verdict: [shownText(verdict[0]), shownText(verdict[1])],
    isBlocked: plan.blockers.length > 0 || content.isPending,
    assumptions: [
      ...assumptions.map(({ key, text, findings }) => ({ key, text: shownText(text), findings })),
      // The id of the rule is the key of what a message says for itself.
      ...[...groupBy(content.assumed, ({ outcome }) => outcome.rule)].map(([key, findings]) => ({
        key,
        text: shownText(
          findings.map(({ outcome }) => `${outcome.message} (${placeText(outcome)})`).join('; '),
        ),
        findings: findings.length,
      })),
    ],
    tasks: questions.map(({ text, where, isBlocker: blocks }) => ({
      text: shownText(text),
      where: shownText(where(FEW)),
      isBlocker: blocks,
    })),
    questions: [
      ...questions.flatMap(({ text, command = '' }) => {
        const [, key, choice] = /^--answer ([a-z0-9-]+)=(.+)$/.exec(command) ?? [];
        return key === undefined || choice === undefined
          ? []
          : [{ key, choice: shownText(choice), text: shownText(text) }];
      }),
      ...[...groupBy(asked, ({ key }) => key)].map(([key, all]) => ({
        key,
        choice: 'yes',
        text: shownText([...new Set(all.map(({ text }) => text))].join('; ')),
      })),
    ],
  };
}
