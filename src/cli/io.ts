import type { ConfigTree, FileSource } from '../config/types';
import type { AskedUrl, ServerAnswer } from '../compare';
import type { AskOptions } from '../compare/ask';
import type { ConfigTestOptions, Installed } from '../configtest';
import type { Plan, Transform } from '../engine/types';
import type { LogSink } from '../log';
import type { LogReading } from '../log/stream';
import type { Analyst } from '../lsp/types';
import type { PendingWrite, Store, StoreOptions } from '../write';

/** Where bytes go; text is latin1, one character a byte. */
export interface OutputStream {
  /** A reader that has gone away is no error. @throws the system's error for any other */
  write(bytes: string): void;
  readonly isTTY: boolean;
  /** Columns of the terminal, if it is one and says so. */
  readonly columns?: number | undefined;
}

/** Everything that a run uses of its process, so that a test can replace it. */
export interface Io {
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  /** Decoded text, as node has it. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The working directory: absolute, a byte string. @throws if it was removed */
  readonly cwd: string;
  /** The user that runs it; undefined where the system has no such numbers. */
  readonly uid?: number | undefined;
  /** All of standard input, latin1. @throws the system's error */
  stdin(): string;
  /** A person would have to type standard input. */
  readonly isTyped?: boolean;
  /** Asks the person at the terminal. @returns the answer; undefined where there is no terminal to ask on */
  ask(question: string): string | undefined;
  /**
   * Has the person change a text in an editor: bytes as latin1.
   * @returns undefined where the editor failed.
   * @throws the system's error
   */
  edit?(text: string): string | undefined;
  /** Milliseconds of a clock that only goes forward. */
  now(): number;
}

/** Asks other servers, until somebody asks to stop. */
export interface Network {
  asker(base: URL, options: AskOptions): { ask(url: AskedUrl): Promise<ServerAnswer>; close(): void };
  sleep(ms: number): Promise<void>;
  readonly isStopped: () => boolean;
  /** To be called at the end. */
  end(): void;
}

/** What the commands need; main.ts passes the real implementations. */
export interface Services {
  readonly version: string;
  readonly transforms: readonly Transform[];
  readonly source: FileSource;
  /** SHA-256 of a byte string, in hexadecimal digits. */
  hash(bytes: string): string;
  /** Writes a file that is no configuration: bytes as latin1. @throws the system's error, or Error with a line for a person */
  writeOutput(path: string, text: string): void;
  /**
   * Reads a file that says what is to be written: bytes as latin1.
   * @throws Error with a line for a person, where others could have made it, too
   */
  readPlan(path: string): string;
  /** What writing needs; it is loaded only then. @throws WriteError */
  openStore(options: Pick<StoreOptions, 'cwd' | 'note' | 'progress' | 'recover'>): Promise<Store>;
  /** The access to git; loaded on demand. */
  git(): typeof import('../git');
  /** What runs this: full paths, for a hook to run it again; without a script it is a single executable. */
  readonly program: { readonly node: string; readonly script?: string };
  /** The text of a script for other machines that belongs to the command. @throws Error where the package lacks it */
  shippedScript(name: 'collect.sh' | 'install.sh'): string;
  /** The writes that are under way or were interrupted, so that what is read may be half of one. */
  pendingWrites(): readonly PendingWrite[];
  /** What an httpd 2.4 refuses of the tree as it would be written. @throws ConfigTestError */
  configTest(after: ConfigTree, plan: Plan, test: ConfigTestOptions): readonly string[] | undefined;
  /**
   * Reads logs into what counts them, until they end or somebody asks to stop.
   * @param paths as given: byte strings
   * @returns true where it was stopped before the end
   */
  readLogs(
    paths: readonly string[],
    sink: LogSink,
    reading: Pick<LogReading, 'cwd' | 'onProgress'>,
  ): Promise<boolean>;
  /** The access to other servers; loaded on demand. */
  network(): Network;
  /**
   * Serves an editor on standard input and output; loaded on demand.
   * @param analyst answers it, in a thread of its own; gets what says which check is the newest that was asked for
   * @returns the exit status, once the editor has gone
   */
  serveEditor(analyst: (newestTurn: () => number) => Analyst): Promise<number>;
  /** What an httpd says of itself. @throws ConfigTestError where it is none */
  askInstalled(program: string, cwd: string): Installed;
}
