import { SourceError } from '../config/types';
import { ConfigTestError } from '../configtest/error';
import { GitError } from '../git/error';
import { encode, oneLine } from '../report';
import { WriteError } from '../write/error';
import { convert, debug, hook, rulesText, undo, why } from './commands';
import type { Io, Services } from './io';
import { parseArguments, type Request } from './options';
import { OK, TROUBLE } from './output';
import { Trouble, UsageError } from './trouble';

/**
 * The whole command line.
 * @param argv the arguments as byte strings, without node and script
 * @returns the exit status: 0 nothing left to do, 1 something is, 2 trouble. It has to be waited for where files are written. Never
 * throws: trouble is one line on stderr.
 */
export function cli(argv: readonly string[], io: Io, services: Services): number | Promise<number> {
  try {
    const status = answer(parseArguments(argv, services.version), io, services);
    return typeof status === 'number' ? status : status.catch((error: unknown) => fail(error, io));
  } catch (error) {
    return fail(error, io);
  }
}

function answer(request: Request, io: Io, services: Services): number | Promise<number> {
  switch (request.kind) {
    case 'convert':
      return convert(request.options, io, services);
    case 'debug':
      return debug(request.request, io, services);
    case 'why':
      return why(request.request, io, services);
    case 'hook':
      return hook(request.request, io, services);
    case 'undo':
      return undo(request.options, io, services);
    case 'rules':
      io.stdout.write(rulesText(services.transforms, request.id));
      return OK;
    case 'print':
      io.stdout.write(request.text);
      return OK;
  }
}

function fail(error: unknown, io: Io): number {
  try {
    complain(error, io);
  } catch {
    // Not even stderr takes the message: the exit status must do.
  }
  return TROUBLE;
}

function complain(error: unknown, io: Io): void {
  for (const message of messagesOf(error)) io.stderr.write(`httpd-codemod: ${oneLine(message)}\n`);
  if ((io.env['DEBUG'] ?? '') !== '' && error instanceof Error) io.stderr.write(encode(`${error.stack}\n`));
}

function messagesOf(error: unknown): readonly string[] {
  if (error instanceof UsageError)
    return error.messages.map((message) => `${message} (see httpd-codemod --help)`);
  if (error instanceof Trouble) return error.messages;
  if ([WriteError, ConfigTestError, GitError].some((kind) => error instanceof kind))
    return [(error as Error).message];
  if (error instanceof SourceError) return [`${error.path}: ${error.message}`];
  if (!(error instanceof Error)) return [`internal error: ${encode(String(error))}`];
  const { code, syscall } = error as NodeJS.ErrnoException;
  const prefix =
    syscall === 'write' ? 'cannot write the output: ' : code === undefined ? 'internal error: ' : '';
  return [prefix + encode(error.message)];
}
