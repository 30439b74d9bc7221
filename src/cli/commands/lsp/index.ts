import type { Io, Services } from '../../io';
import type { ConvertOptions } from '../../options';
import { RunAnalyst } from './analyst';

/** Serves an editor on standard input and output, until it goes. @returns the exit status */
export function lsp(options: ConvertOptions, io: Io, services: Services): Promise<number> {
  return services.serveEditor((newestTurn) => new RunAnalyst(options, io, services, newestTurn));
}
