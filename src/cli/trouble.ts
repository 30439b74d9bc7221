/** The run cannot be done; each message is one line for a person, a byte string. Exit status 2. */
export class Trouble extends Error {
  readonly messages: readonly string[];

  constructor(...messages: readonly string[]) {
    super(messages.join('; '));
    this.messages = messages;
  }
}

/** The command line itself is wrong. */
export class UsageError extends Trouble {}

/** The file that the output is to go to is one that the run reads. */
export class OutputInUseError extends Trouble {}

/** A file that cannot be written. @param error the system's, or one with a line for a person */
export function unwrittenTrouble(option: '--output' | '--plan', file: string, error: unknown): Trouble {
  const { code, message } = error as NodeJS.ErrnoException;
  return new Trouble(`${option} ${file}: cannot be written (${code ?? message})`);
}
