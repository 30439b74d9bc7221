import type { Directive } from '../../../src/syntax';

/** Lines by which answers go through filters. */
export const FILTER_DIRECTIVES = [
  'SetOutputFilter', 'AddOutputFilter', 'AddOutputFilterByType', 'FilterProvider',
]; // prettier-ignore

/** Whether SetOutputFilter, AddOutputFilter, AddOutputFilterByType or FilterProvider names a filter, in any letter case. */
export function addsFilter({ key, args }: Directive, filter: string): boolean {
  const names = args[key === 'filterprovider' ? 1 : 0]?.value ?? '';
  return names.toUpperCase().split(';').includes(filter);
}

/** Lines by which pages are parsed for server-side includes. */
export const INCLUDES_DIRECTIVES = [...FILTER_DIRECTIVES, 'AddHandler', 'SetHandler', 'XBitHack'];

/** Whether one of these lines has pages parsed for server-side includes. */
export function parsesIncludes(node: Directive): boolean {
  const word = node.args[0]?.value.toLowerCase();
  if (node.key === 'xbithack') return word !== 'off';
  return node.key.endsWith('handler') ? word === 'server-parsed' : addsFilter(node, 'INCLUDES');
}
