import type { Directive } from '../../src/syntax';

/** Lines that may {@link keepsOutByItself keep requests out by themselves}, beside RewriteRule. */
export const REFUSING = ['Redirect', 'RedirectMatch', 'SSLRequire', 'SSLRequireSSL', 'SSLVerifyClient'];

/**
 * Whether a line keeps requests out by itself, beside what Order, Allow, Deny and Require say (mod_ssl: SSLRequire, SSLRequireSSL
 * and SSLVerifyClient; mod_rewrite: the flags F, G and R; mod_alias: Redirect with a status of 4xx).
 */
export function keepsOutByItself({ key, args }: Directive): boolean {
  const words = args.map(({ value }) => value.toLowerCase());
  switch (key) {
    case 'sslrequire':
    case 'sslrequiressl':
      return true;
    case 'sslverifyclient':
      return words[0] === 'require';
    case 'rewriterule':
      return /^\[(?:.*,)?[ \t]*(?:f|forbidden|g|gone|r(?:edirect)?=4[0-9]{2})[ \t]*(?:,.*)?\]$/.test(
        words[2] ?? '',
      );
    case 'redirect':
    case 'redirectmatch':
      return /^(?:gone|4[0-9]{2})$/.test(words[0] ?? '');
    default:
      return false;
  }
}

/** Whom a line keeps out that {@link keepsOutByItself}: another that does so for the same URLs stands for it. */
export function whatItRefuses({ key, args }: Directive): string {
  const urls = { rewriterule: args[0], redirect: args[1] ?? args[0], redirectmatch: args[1] ?? args[0] }[key];
  return `${key} refuses ${urls?.value ?? ''}`.trimEnd();
}
