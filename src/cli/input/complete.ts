import type { Io, Services } from '../io';
import { checkRequested, type ConvertOptions } from '../options';
import { withListedPaths } from './files-from';
import { withProject } from './project';
import { withServerHere } from './server-here';

/**
 * The options of a run with all that they leave to others: the list of `--files-from`, the project file, and the server that is
 * here where no path is given.
 * @throws Trouble, UsageError, OutputInUseError
 */
export function completeOptions(given: ConvertOptions, io: Io, services: Services): ConvertOptions {
  const { source, transforms } = services;
  const here = withServerHere(given, source, io);
  const options = withProject(withListedPaths(given, source, io), source, io, transforms, here);
  checkRequested(options, transforms);
  return options;
}
