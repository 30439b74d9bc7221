import type { Directive } from '../../src/syntax';

/** What to say of a line that turns on mod_dav_fs; undefined for one that turns it off, or names another provider. */
export function infoOnDav(message: string) {
  return ({ args }: Directive): { readonly level: 'info'; readonly message: string } | undefined =>
    /^(?:on|filesystem)$/i.test(args[0]?.value ?? '') ? { level: 'info', message } : undefined;
}
