import type { Directive } from '../../src/syntax';

/** A message for lines that turn on mod_dav_fs, and not for one that turns it off, or names another provider. */
export const whereOnDav =
  (message: string) =>
  ({ args }: Directive): string | undefined =>
    /^(?:on|filesystem)$/i.test(args[0]?.value ?? '') ? message : undefined;
