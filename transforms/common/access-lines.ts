import { type Section, walk } from '../../src/syntax';

/** How to make 2.4 ask as 2.2 did: one module that decides unconditionally is enough (mod_allowmethods.c: register_hooks). */
export const OR_ASK_AGAIN = 'or load mod_allowmethods, with which 2.4 asks as 2.2 did';

/** Lines that decide who gets in. */
const ACCESS_LINES = /^(?:allow|deny|order|require|satisfy)$/;

/** Whether a section holds lines that decide who gets in. */
export function isForAccess({ body }: Section): boolean {
  return [...walk(body)].some(([node]) => node.kind === 'directive' && ACCESS_LINES.test(node.key));
}
