import type { ConfigFile } from '../config/types';

/** A line of a log that stands for others, as it may be shown: a byte string. */
export interface LogExample {
  readonly log: string;
  readonly line: number;
  readonly text: string;
}

/** Requests that the versions do not answer alike, or of which that is not known, at one section. */
export interface LogDifference {
  /** See `AccessKind`: `refused` who got in, `opened` who did not, `otherwise` refused by another status, `unknown`. */
  readonly verdict: 'refused' | 'opened' | 'otherwise' | 'unknown';
  /** What 2.2 and 2.4 answer: a status, or 200 for who gets in; undefined where it is not known. */
  readonly before: number | undefined;
  readonly after: number | undefined;
  readonly requests: number;
  /** The section that decides, and where it stands; undefined where none does. */
  readonly section: { readonly name: string; readonly file: ConfigFile; readonly at: number } | undefined;
  /** What the log does not show and the answer hangs on: keys. */
  readonly open: readonly string[];
  readonly examples: readonly LogExample[];
}

/** Requests of which the log says something else than the configuration does. */
export interface LogContradiction {
  /** `let-in`: served, though the configuration refuses them; `refused`: asked for a password for which nothing there asks. */
  readonly kind: 'let-in' | 'refused';
  readonly requests: number;
  readonly section: LogDifference['section'];
  readonly examples: readonly LogExample[];
}

/** How many requests a finding is about. */
export interface LogConcern {
  readonly rule: string;
  readonly file: ConfigFile;
  readonly at: number;
  readonly requests: number;
  readonly examples: readonly LogExample[];
}

/** A log that was read. */
export interface ReadLog {
  readonly name: string;
  readonly requests: number;
  /** The format that its lines have, as it is called; undefined where none fits. */
  readonly format: string | undefined;
  /** Lines that could not be read, and the number of the first. */
  readonly unread: number;
  readonly firstUnread: number | undefined;
  /** Why it was not read to the end. */
  readonly problem: string | undefined;
}

/** A run, with what its logs say of it. */
export interface WithLog {
  /** Undefined where no log was read. */
  readonly log?: LogReport;
}

/** What the requests of logs say of a run. All texts are byte strings. */
export interface LogReport {
  readonly logs: readonly ReadLog[];
  readonly requests: number;
  /** Days, as `2026-11-23`; undefined where no line has a time. */
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly same: number;
  readonly refused: number;
  readonly opened: number;
  readonly otherwise: number;
  readonly unknown: number;
  /** The most first; those that were let in before all others. */
  readonly differences: readonly LogDifference[];
  readonly contradictions: readonly LogContradiction[];
  readonly concerns: readonly LogConcern[];
  /** Requests that no 2.4 takes for such, and 2.2 did (HttpProtocolOptions). */
  readonly malformed: { readonly requests: number; readonly examples: readonly LogExample[] };
  /** Sentences about what the log cannot show. */
  readonly notShown: readonly string[];
  /** Strictest forms of the run, and those that none of the requests is refused by. */
  readonly strict: number;
  readonly harmless: number;
  /** Somebody has stopped the reading. */
  readonly isPartial: boolean;
}

/** One log, to be handed over in pieces. */
export interface LogFile {
  /** Bytes as latin1, one character a byte. */
  add(bytes: string): void;
  /** @param problem why it ends before its end: a byte string; undefined where it does not */
  end(problem?: string): void;
}

/** What logs are read into. */
export interface LogSink {
  /** How many requests have been read so far. */
  readonly requests: number;
  /** Begins a log. @param name as it was given */
  open(name: string): LogFile;
}

/** Counts the requests of logs by what both versions make of them. */
export interface LogTally extends LogSink {
  /** What the requests say that were read so far. @param isPartial somebody has stopped the reading */
  report(isPartial?: boolean): LogReport;
}
