import type { Finding, RequestTest } from '../../src/engine';
import type { Directive } from '../../src/syntax';

/**
 * What to say of a line that turns on mod_dav_fs, and which requests it is about; undefined for one that turns it off, or names
 * another provider.
 */
export function infoOnDav(message: string, concerns: RequestTest) {
  return ({ args }: Directive): Pick<Finding, 'level' | 'message' | 'concerns'> | undefined =>
    /^(?:on|filesystem)$/i.test(args[0]?.value ?? '') ? { level: 'info', message, concerns } : undefined;
}
