/** The headers that variables name (modules/mappers/mod_rewrite.c: lookup_variable; server/util_expr_eval.c). */
const HEADERS: Readonly<Record<string, string>> = {
  __proto__: null!,
  HTTP_ACCEPT: 'Accept',
  HTTP_COOKIE: 'Cookie',
  HTTP_FORWARDED: 'Forwarded',
  HTTP_HOST: 'Host',
  HTTP_PROXY_CONNECTION: 'Proxy-Connection',
  HTTP_REFERER: 'Referer',
  HTTP_USER_AGENT: 'User-Agent',
};

/** The header of a request that a variable such as `HTTP_ACCEPT` or `HTTP:Accept` has the value of. */
export function headerOf(variable: string): string | undefined {
  const named = /^HTTP:(.+)/i.exec(variable)?.[1] ?? HEADERS[variable.toUpperCase()];
  return named?.toLowerCase() === 'host' ? 'Host' : named;
}
