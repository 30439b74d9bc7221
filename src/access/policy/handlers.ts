import { memo } from '../primitives';
import type { Scope } from './scope';

/** Handlers that make a page of their own: modules/generators/mod_status.c, mod_info.c and the like. */
const WITHOUT_FILES = new Set(
  'server-status server-info balancer-manager ldap-status status cacheinfo'.split(' '),
);

/**
 * Whether a Location sets a handler that needs no file. It says nothing of the name that requests have behind the last slash of
 * their file: a file may stand there all the same, and be what Files sections are asked about.
 */
export const setsHandlerWithoutFile = memo(({ kind, pattern, section }: Scope): boolean => {
  if (kind !== 'location' || pattern.kind !== 'path' || pattern.path === '/') return false;
  const handler = section?.body.findLast((node) => node.kind === 'directive' && node.key === 'sethandler');
  return handler?.kind === 'directive' && WITHOUT_FILES.has(handler.args[0]?.value.toLowerCase() ?? '');
});
