import { writesTar } from './collected-path';
import { FORMATS } from './options';
import type { CliRequest } from './request';

/** Whether `--debug` is given: to be known of arguments that cannot be parsed, too. */
export function isDebugging(argv: readonly string[]): boolean {
  return beforeDashes(argv).includes('--debug');
}

/** The last `--format` of arguments that perhaps cannot be parsed, as far as it is one. */
export function documentFormat(argv: readonly string[]): (typeof FORMATS)[number] | undefined {
  const args = beforeDashes(argv);
  const given = args.flatMap((arg, index) => {
    if (arg === '--format') return [args[index + 1]];
    return arg.startsWith('--format=') ? [arg.slice('--format='.length)] : [];
  });
  return FORMATS.find((format) => format === given.at(-1));
}

function beforeDashes(argv: readonly string[]): readonly string[] {
  const end = argv.indexOf('--');
  return end < 0 ? argv : argv.slice(0, end);
}

/** The file of `--output`, as given. */
export function outputFile(request: CliRequest): string | undefined {
  // The tar of a converted server is no output of text.
  if (request.kind === 'convert') return writesTar(request.options) ? undefined : request.options.output;
  if (request.kind === 'collect') return request.output;
  if (request.kind === 'merge') return request.request.output;
  if (request.kind === 'debug') return request.request.options.output;
  return request.kind === 'hook' && request.request.action === 'run'
    ? request.request.options.output
    : undefined;
}
