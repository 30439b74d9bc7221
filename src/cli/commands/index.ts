import type { Io, Services } from '../io';
import type { HookRequest, WhyRequest } from '../options';

export { convert } from './convert';
export { rulesText } from './rules';
export { undo } from './undo';

// Most runs need neither of these two: each is loaded when it is asked for.

export function hook(request: HookRequest, io: Io, services: Services): number {
  return (require('./hook') as typeof import('./hook')).hook(request, io, services);
}

export function why(request: WhyRequest, io: Io, services: Services): number {
  return (require('./why') as typeof import('./why')).why(request, io, services);
}
