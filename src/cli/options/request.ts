import type { HookRequest } from '../commands/hook';
import { type ConvertOptions, freezeOptions } from './options';
import type { WhyRequest } from '../commands/why';
import { readPlain } from './plain';
import type { UndoRequest } from '../commands/undo';

/** What the arguments ask for. */
export type Request =
  | { readonly kind: 'convert'; readonly options: ConvertOptions }
  | { readonly kind: 'rules'; readonly id: string | undefined }
  | { readonly kind: 'undo'; readonly options: UndoRequest }
  | { readonly kind: 'why'; readonly request: WhyRequest }
  | { readonly kind: 'hook'; readonly request: HookRequest }
  /** Help or version: text for stdout. */
  | { readonly kind: 'print'; readonly text: string };

/**
 * @param argv the arguments, byte strings, without node and script
 * @throws UsageError
 */
export function parseArguments(argv: readonly string[], version: string): Request {
  const plain = readPlain(argv);
  if (plain !== undefined) return { kind: 'convert', options: freezeOptions(plain.paths, plain.raw, {}) };
  const { parseProgram } = require('./program') as typeof import('./program');
  return parseProgram(argv, version);
}
