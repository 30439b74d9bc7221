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
