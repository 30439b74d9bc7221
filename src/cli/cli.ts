import { resolvePath } from '../config';
import { type FileSource, SourceError } from '../config/types';
import { ConfigTestError } from '../configtest/error';
import { GitError } from '../git/error';
import { encode, oneLine } from '../report';
import { WriteError } from '../write/error';
import {
  apply,
  compare,
  completion,
  convert,
  debug,
  hook,
  lsp,
  mergeReports,
  rulesText,
  undo,
  why,
} from './commands';
import type { Io, Services } from './io';
import { documentFormat, isDebugging, outputFile, parseArguments, type Request } from './options';
import { OK, printDocument, TROUBLE, withoutCommands } from './output';
import { OutputInUseError, Trouble, unwrittenTrouble, UsageError } from './trouble';

/** What a run was started with. */
interface Started {
  /** Byte strings, without node and script. */
  readonly argv: readonly string[];
  readonly io: Io;
  readonly services: Services;
}

/**
 * The whole command line.
 * @param argv the arguments as byte strings, without node and script
 * @returns the exit status: 0 nothing left to do, 1 something is, 2 trouble. It has to be waited for where files are written.
 * Never throws: trouble is one line on stderr, and in the document where one was asked for.
 */
export function cli(argv: readonly string[], io: Io, services: Services): number | Promise<number> {
  const started = { argv, io: withSafeErrors(io), services };
  let request: Request;
  try {
    request = parseArguments(argv, services.version, io.stdout.columns);
  } catch (error) {
    return fail(error, started);
  }
  const file = outputFile(request);
  return file === undefined ? act(request, started) : actInto(file, request, started);
}

/** What is said on stderr names files and quotes configurations. */
function withSafeErrors(io: Io): Io {
  const { stderr, env } = io;
  const write = (bytes: string): void => stderr.write(withoutCommands(bytes, env));
  const safe = Object.create(stderr, { write: { value: write } }) as Io['stderr'];
  return Object.create(io, { stderr: { value: safe } }) as Io;
}

function act(request: Request, started: Started): number | Promise<number> {
  try {
    const status = answer(request, started.io, started.services);
    return typeof status === 'number' ? status : status.catch((error: unknown) => fail(error, started));
  } catch (error) {
    return fail(error, started);
  }
}

/** Collects what would go to stdout, and writes it to a file at the end: by then all input has been read. */
function actInto(file: string, request: Request, started: Started): number | Promise<number> {
  const { io, services } = started;
  let text = '';
  const stdout = { write: (bytes: string) => void (text += bytes), isTTY: false };
  const status = act(request, { ...started, io: Object.create(io, { stdout: { value: stdout } }) as Io });
  const close = (reached: number): number => {
    // What the file held is worth more than nothing.
    if (reached === TROUBLE && text === '') return reached;
    const path = resolvePath(io.cwd, file);
    // Perhaps the trouble came before it was known what the configuration is.
    if (reached === TROUBLE && !isReplaceable(path, text, services.source)) {
      io.stdout.write(text);
      return reached;
    }
    try {
      services.writeOutput(path, text);
      return reached;
    } catch (error) {
      return fail(unwrittenTrouble('--output', file, error), started);
    }
  };
  return typeof status === 'number' ? close(status) : status.then(close);
}

/** Whether nothing stands there, or the same kind of document: no configuration begins as one does. */
function isReplaceable(path: string, text: string, source: FileSource): boolean {
  if (source.kind(path) !== 'file') return true;
  try {
    const held = source.read(path);
    const length = text.startsWith('{') || text.startsWith('[') ? 1 : 5;
    return held.slice(0, length) === text.slice(0, length) || held === '';
  } catch {
    return false;
  }
}

function answer(request: Request, io: Io, services: Services): number | Promise<number> {
  switch (request.kind) {
    case 'convert':
      return convert(request.options, io, services);
    case 'debug':
      return debug(request.request, io, services);
    case 'compare':
      return compare(request.request, io, services);
    case 'why':
      return why(request.request, io, services);
    case 'hook':
      return hook(request.request, io, services);
    case 'lsp':
      return lsp(request.options, io, services);
    case 'merge':
      return mergeReports(request.request, io, services);
    case 'undo':
      return undo(request.options, io, services);
    case 'rules':
      io.stdout.write(rulesText(services.transforms, request.id));
      return OK;
    case 'apply':
      return apply(request.request, io, services);
    case 'collect':
      io.stdout.write(services.shippedScript('collect.sh'));
      return OK;
    case 'completion':
      io.stdout.write(completion(request.shell, services));
      return OK;
    case 'print':
      io.stdout.write(request.text);
      return OK;
  }
}

function fail(error: unknown, { argv, io, services }: Started): number {
  try {
    const trouble = bounded(messagesOf(error));
    for (const message of trouble) io.stderr.write(`httpd-codemod: ${oneLine(message)}\n`);
    if (error instanceof Error && (isDebugging(argv) || (io.env['DEBUG'] ?? '') !== ''))
      io.stderr.write(encode(`${error.stack}\n`));
    const format = documentFormat(argv);
    // The file of --output is a file of the configuration then.
    if (format !== undefined && !(error instanceof OutputInUseError))
      printDocument(
        { exitStatus: TROUBLE, trouble },
        { format, diff: false, mode: 'diff', failOn: 'error' },
        io,
        services,
      );
  } catch {
    // Not even stderr takes the message: the exit status must do.
  }
  return TROUBLE;
}

/** Characters of a message, and messages, that a run which fails says. */
const MAX_MESSAGE = 1000;
const MAX_MESSAGES = 100;

/** What a run has read may be repeated in a message, and may be as long as a file. */
function bounded(messages: readonly string[]): readonly string[] {
  const shown = messages
    .slice(0, MAX_MESSAGES)
    .map((message) => (message.length > MAX_MESSAGE ? `${message.slice(0, MAX_MESSAGE)}...` : message));
  return messages.length > MAX_MESSAGES ? [...shown, `and ${messages.length - MAX_MESSAGES} more`] : shown;
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
    syscall === 'write'
      ? 'cannot write the output: '
      : code === undefined
        ? 'internal error (--debug prints where): '
        : '';
  return [prefix + encode(error.message)];
}
