import { resolvePath, SourceError } from '../../config';
import type { FileSource } from '../../config/types';
import { encode } from '../../report';
import type { Io } from '../io';
import type { ConvertOptions } from '../options';
import { Trouble } from '../trouble';
import { checkOutput } from './output-file';

/**
 * The options with the paths that `--files-from` lists, behind those given.
 * @throws Trouble for a list that cannot be read, or that names nothing: the run must not fall back to other paths then;
 * OutputInUseError where the output would replace the list
 */
export function withListedPaths(options: ConvertOptions, source: FileSource, io: Io): ConvertOptions {
  const { filesFrom, nullEnds, output } = options;
  if (filesFrom === undefined) return options;
  if (output !== undefined && filesFrom !== '-')
    checkOutput(
      '--output',
      output,
      [resolvePath(io.cwd, filesFrom)],
      'the list of --files-from',
      source,
      io.cwd,
    );
  const names = readList(filesFrom, source, io).split(nullEnds ? '\0' : '\n');
  const listed = names.filter((name) => name !== '');
  if (listed.length === 0) throw new Trouble(`${nameOf(filesFrom)}: names no file`);
  const nul = nullEnds ? undefined : listed.find((name) => name.includes('\0'));
  if (nul !== undefined) throw new Trouble(`${nameOf(filesFrom)}: its names end with NUL: give --null (-0)`);
  // In the list it is the name of a file.
  const paths = listed.map((name) => (name === '-' ? './-' : name));
  return Object.freeze({ ...options, paths: [...options.paths, ...paths] });
}

function nameOf(file: string): string {
  return file === '-' ? 'standard input' : file;
}

function readList(file: string, source: FileSource, io: Io): string {
  try {
    return file === '-' ? io.stdin() : source.read(resolvePath(io.cwd, file));
  } catch (error) {
    const { message } = error as Error;
    throw new Trouble(`${nameOf(file)}: ${error instanceof SourceError ? message : encode(message)}`);
  }
}
