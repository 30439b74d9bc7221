import { replaceVariables } from '../../source';

/**
 * Puts in the values of `${NAME}` (2.2 server/util.c, 2.4 server/core.c: ap_resolve_env). A name without a value stays as it is,
 * and a value is not looked into again. There is no way to escape. A line that would grow too long stays as it is.
 */
export function expand(text: string, variables: ReadonlyMap<string, string>): string {
  if (!text.includes('${')) return text;
  let length = 0;
  const expanded = replaceVariables(text, (whole, name) => {
    const value = variables.get(name);
    length += value?.length ?? 0;
    return value === undefined || length > MAX_EXPANDED ? whole : value;
  });
  return length > MAX_EXPANDED ? text : expanded;
}

/** Bytes of values that are put into one line: variables that double each other could fill any memory. */
export const MAX_EXPANDED = 64 * 1024;

/** Whether the variables of a text are left as they are, for their values would make it too long. */
export function isTooLong(text: string, variables: ReadonlyMap<string, string>): boolean {
  let isKnown = false;
  replaceVariables(text, (whole, name) => {
    isKnown ||= variables.has(name);
    return whole;
  });
  return isKnown && expand(text, variables) === text;
}
