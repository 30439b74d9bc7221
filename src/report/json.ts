import type { Outcome } from '../engine/types';
import {
  type ContentOptions,
  contentOf,
  countLevels,
  logSummary,
  isBlocker,
  type ReportedRun,
  sortedOutcomes,
  stateOf,
  type TaskOfRun,
} from './content';
import { decode, InPieces, eachAs, jsonPieces } from './encoding';
import { argumentLists } from './script';
import type { LogExample, LogReport } from '../log/types';

/** The shape of the document; raised when a field changes its meaning or goes. */
const VERSION = 1;

export interface JsonOptions extends ContentOptions {
  readonly exitStatus: number;
  /** SHA-256 of a byte string, in hexadecimal digits. */
  readonly hash: (bytes: string) => string;
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
      sha256: options.hash(file.document.text),
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
    log: result.log && logObject(result.log),
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
    answers: outcome.answers?.map(({ key, value, choice, reason }) => ({
      key,
      value,
      choice,
      reason: decode(reason),
    })),
    fingerprint: outcome.fingerprint,
    accepted: decodeSome(outcome.accepted),
    harmless: decodeSome(outcome.harmless),
    requests: outcome.requests,
    commands: argumentLists(outcome)?.map((command) => command.map(decode)),
    edits: outcome.edits.map(({ start, end, text }) => ({ start, end, text: decode(text) })),
  };
}

/** What logs say, as the document has it. */
function logObject(log: LogReport): object {
  const exampleObject = (example: LogExample): object => ({
    log: decode(example.log),
    line: example.line,
    text: decode(example.text),
  });
  const sectionObject = (section: LogReport['differences'][number]['section']): object | undefined =>
    section && {
      name: decode(section.name),
      path: decode(section.file.name),
      line: section.file.document.positionAt(section.at).line,
    };
  return {
    ...logSummary(log),
    logs: log.logs.map(({ name, requests, format, unread, firstUnread, problem }) => ({
      path: decode(name),
      requests,
      format: decodeSome(format),
      unread,
      firstUnread,
      problem: decodeSome(problem),
    })),
    differences: log.differences.map(({ section, examples, ...counts }) => ({
      ...counts,
      section: sectionObject(section),
      examples: examples.map(exampleObject),
    })),
    contradictions: log.contradictions.map(({ section, examples, ...counts }) => ({
      ...counts,
      section: sectionObject(section),
      examples: examples.map(exampleObject),
    })),
    concerns: log.concerns.map(({ rule, file, at, requests, examples }) => ({
      rule,
      path: decode(file.name),
      line: file.document.positionAt(at).line,
      requests,
      examples: examples.map(exampleObject),
    })),
    malformed: { requests: log.malformed.requests, examples: log.malformed.examples.map(exampleObject) },
    notShown: log.notShown.map(decode),
  };
}

function decodeSome(bytes: string | undefined): string | undefined {
  return bytes === undefined ? undefined : decode(bytes);
}
