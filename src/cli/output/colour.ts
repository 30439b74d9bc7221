import type { Io, Output } from '../io';
import { type ConvertOptions } from '../options';

/** Whether an output is coloured: as told, else where a terminal shows it and the user did not opt out (https://no-color.org). */
export function useColour(output: Output, choice: ConvertOptions['color'], env: Io['env']): boolean {
  if (choice !== 'auto') return choice === 'always';
  if ((env['NO_COLOR'] ?? '') !== '' || env['TERM'] === 'dumb') return false;
  return output.isTTY;
}
