import type { Frame, Place } from '../../src/config';
import type { TransformContext } from '../../src/engine';
import type { Directive, Section } from '../../src/syntax';
import { containersOf, isCarriedOver } from '../shared/carried-over';

/** A section, or a whole `.htaccess` or server (then without `section`), by what its lines do for server-side includes. */
export interface SsiScope {
  readonly section: Section | undefined;
  readonly place: Place;
  /** The first line that lets includes in: Options, or what puts the filter or the handler in. */
  line: Directive;
  /** Names Includes, IncludesNOEXEC or All in Options. */
  allows: boolean;
  /** Puts the filter or the handler in. */
  filters: boolean;
}

/** Every scope whose lines allow server-side includes or put their filter in; keyed by section or file. */
export function ssiScopes(context: TransformContext): SsiScope[] {
  const scopes = new Map<unknown, SsiScope>();
  const note = (line: Directive, place: Place, what: 'allows' | 'filters'): void => {
    if (!isCarriedOver(place)) return;
    const frame: Frame | undefined = containersOf(place).at(-1);
    const key = frame?.section ?? place.root;
    let scope = scopes.get(key);
    if (scope === undefined)
      scopes.set(
        key,
        (scope = {
          section: frame?.section,
          place,
          line,
          allows: false,
          filters: false,
        }),
      );
    scope[what] = true;
  };
  context.directives(['Options'], (node, place) => {
    const words = node.args.map(({ value }) => value.toLowerCase());
    if (words.some((word) => /^\+?(?:includes|includesnoexec|all)$/.test(word))) note(node, place, 'allows');
  });
  context.directives(['AddOutputFilter', 'SetOutputFilter'], (node, place) => {
    if (/(?:^|;)includes(?:;|$)/i.test(node.args[0]?.value ?? '')) note(node, place, 'filters');
  });
  context.directives(['AddHandler', 'SetHandler'], (node, place) => {
    if (node.args[0]?.value.toLowerCase() === 'server-parsed') note(node, place, 'filters');
  });
  context.directives(['XBitHack'], (node, place) => {
    if (node.args[0]?.value.toLowerCase() !== 'off') note(node, place, 'filters');
  });
  return [...scopes.values()];
}
