import type { Io, Services } from '../io';
import type {
  ApplyRequest,
  CompareRequest,
  ConvertOptions,
  DebugRequest,
  HookRequest,
  MergeRequest,
  Shell,
  UndoRequest,
  WhyRequest,
} from '../options';

export { convert } from './convert';
export { rulesText } from './rules';

// Most runs need none of these: each is loaded when it is asked for.

/** The script that makes a shell complete the command line. */
export function completion(shell: Shell, { version, transforms }: Services): string {
  const { completionScript } = require('./completion') as typeof import('./completion');
  return completionScript(shell, version, transforms);
}

export function apply(request: ApplyRequest, io: Io, services: Services): Promise<number> {
  return (require('./apply') as typeof import('./apply')).apply(request, io, services);
}

export function debug(request: DebugRequest, io: Io, services: Services): number {
  return (require('./debug') as typeof import('./debug')).debug(request, io, services);
}

export function hook(request: HookRequest, io: Io, services: Services): number | Promise<number> {
  return (require('./hook') as typeof import('./hook')).hook(request, io, services);
}

/** Asks two servers the requests of a log. */
export function compare(request: CompareRequest, io: Io, services: Services): Promise<number> {
  return (require('./compare') as typeof import('./compare')).compare(request, io, services);
}

/** Prints the reports of many hosts as one. */
export function mergeReports(request: MergeRequest, io: Io, services: Services): number {
  const { mergeReports: merge } = require('./merge-reports') as typeof import('./merge-reports');
  return merge(request, io, services);
}

/** Serves an editor. */
export function lsp(options: ConvertOptions, io: Io, services: Services): Promise<number> {
  return (require('./lsp') as typeof import('./lsp')).lsp(options, io, services);
}

/** Takes a write back, or says what can be. */
export function undo(request: UndoRequest, io: Io, services: Services): Promise<number> {
  return (require('./undo') as typeof import('./undo')).undo(request, io, services);
}

export function why(request: WhyRequest, io: Io, services: Services): number {
  return (require('./why') as typeof import('./why')).why(request, io, services);
}
