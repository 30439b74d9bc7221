import type { Outcome } from '../engine/types';
import {
  type ContentOptions,
  contentOf,
  countLevels,
  isBlocker,
  type ReportedRun,
  sortedOutcomes,
  stateOf,
  type TaskOfRun,
} from './content';
import { decode, InPieces, eachAs, jsonPieces } from './encoding';
import { argumentLists } from './script';

/** The shape of the document; raised when a field changes its meaning or goes. */
const VERSION = 1;

export interface JsonOptions extends ContentOptions {
  readonly exitStatus: number;
  /** The unified diff of a changed file by its real path; empty where diffs are not asked for. */
  readonly diffs: ReadonlyMap<string, string>;
  /** Why the run could not be done, a line each: byte strings. */
  readonly trouble?: readonly string[];
}

/**
 * The run as one JSON document, in pieces, as {@link jsonPieces} makes them. Texts are decoded as UTF-8 where they are valid
 * UTF-8, else as latin1; `offset`, `column` and the edits' offsets count bytes of the file.
 */
export function jsonReport(result: ReportedRun, options: JsonOptions): Iterable<string> {
  const changed = new Set(result.plan.map((change) => change.file));
  const counts = countLevels(result.outcomes);
  const { state, verdict, questions, steps, assumptions, plan } = contentOf(result, options);
  const outcomes = sortedOutcomes(result);
  const report = new InPieces({
    version: VERSION,
    state: state && { text: decode(state.text), evidence: decode(state.evidence) },
    // A run that failed has judged nothing.
    verdict: options.trouble === undefined ? verdict.map(decode) : undefined,
    tasks: [...questions, ...steps].map(taskObject(outcomes)),
    files: result.tree.files.map((file) => ({
      path: decode(file.name),
      changed: changed.has(file),
      diff: decodeSome(options.diffs.get(file.path)),
    })),
    unvisited: result.tree.unvisited.map(({ name, message }) => ({
      path: decode(name),
      message: decode(message),
    })),
    findings: new InPieces(eachAs(outcomes, findingObject)),
    assumptions: assumptions.map(({ key, text, remedy, findings }) => ({
      key,
      text: decode(text),
      remedy: decodeSome(remedy),
      findings,
    })),
    summary: {
      filesRead: result.tree.files.length,
      filesChanged: result.plan.length,
      errors: counts.error,
      warnings: counts.warning,
      infos: counts.info,
      changes: plan.changes,
      toReview: plan.toReview,
      blockers: plan.blockers.length,
    },
    unmet: result.unmet && {
      answers: result.unmet.answers.map(({ key, place }) => ({ key, place: decodeSome(place) })),
      accepted: result.unmet.accepted.map(decode),
    },
    trouble: options.trouble?.map(decode),
    exitStatus: options.exitStatus,
  });
  return jsonPieces(report);
}

/** @param outcomes the findings as the document lists them */
function taskObject(outcomes: readonly Outcome[]): (task: TaskOfRun) => object {
  const numbers = new Map(outcomes.map((outcome, number) => [outcome, number]));
  return ({ text, command, isBlocker: blocker, outcomes: about }) => ({
    text: decode(text),
    command: decodeSome(command),
    blocker,
    findings: about.map((outcome) => numbers.get(outcome)),
  });
}

function findingObject(outcome: Outcome): object {
  const { line, column } = outcome.file.document.positionAt(outcome.at);
  return {
    rule: decode(outcome.rule),
    path: decode(outcome.file.name),
    line,
    column,
    offset: outcome.at,
    level: outcome.level,
    safety: outcome.safety,
    status: outcome.status,
    state: stateOf(outcome),
    blocker: isBlocker(outcome),
    message: decode(outcome.message),
    remedy: decodeSome(outcome.remedy),
    why: decodeSome(outcome.why),
    group: decodeSome(outcome.group),
    assumes: outcome.assumes ?? [],
    answers: outcome.answers?.map(({ key, value, reason }) => ({ key, value, reason: decode(reason) })),
    fingerprint: outcome.fingerprint,
    accepted: decodeSome(outcome.accepted),
    commands: argumentLists(outcome)?.map((command) => command.map(decode)),
    edits: outcome.edits.map(({ start, end, text }) => ({ start, end, text: decode(text) })),
  };
}

function decodeSome(bytes: string | undefined): string | undefined {
  return bytes === undefined ? undefined : decode(bytes);
}
