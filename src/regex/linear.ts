import { RE2JS, RE2JSException } from 're2js';

/** @returns whether a text has what the regex says, in linear time; undefined for what RE2 refuses */
export function compileLinear(source: string): ((text: string) => boolean) | undefined {
  try {
    const regex = RE2JS.compile(source);
    return (text) => regex.test(text);
  } catch (error) {
    if (error instanceof RE2JSException) return undefined;
    throw error;
  }
}
