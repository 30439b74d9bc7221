import { type Section, walk } from '../../src/syntax';

/** Lines that decide who gets in. */
const ACCESS_LINES = /^(?:allow|deny|order|require|satisfy)$/;

/** Whether a section holds lines that decide who gets in. */
export function isForAccess({ body }: Section): boolean {
  return [...walk(body)].some(([node]) => node.kind === 'directive' && ACCESS_LINES.test(node.key));
}
