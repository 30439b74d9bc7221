import { type Server, type ServerLine, linesOf } from '../../../src/config';
import type { TreeIndex } from '../../../src/engine';
import type { Directive } from '../../../src/syntax';
import { memo } from '../../../src/maps';

const directiveKeys = memo((server: Server) => new Set(server.lines.map(({ node }) => node.key)));

/** Whether a directive is set directly in a server, for either version. */
export function hasOwnDirective(server: Server, name: string): boolean {
  const key = name.toLowerCase();
  return server.mayHave(key) && directiveKeys(server).has(key);
}

/** Whether the server, or the main server that it inherits from, has a directive. */
export function hasDirective(server: Server | undefined, name: string): boolean {
  return server !== undefined && (hasOwnDirective(server, name) || hasDirective(server.parent, name));
}

const lastLines = memo<Server, Map<string, ServerLine<Directive> | undefined>>(() => new Map());

/** The last line of a directive that 2.2 may read, in the server or else in the one that it inherits from. */
export function lastDirective(server: Server | undefined, name: string): ServerLine<Directive> | undefined {
  if (server === undefined) return undefined;
  if (!hasOwnDirective(server, name)) return lastDirective(server.parent, name);
  const lines = lastLines(server);
  if (!lines.has(name)) lines.set(name, linesOf(server, [name]).at(-1));
  return lines.get(name) ?? lastDirective(server.parent, name);
}

/**
 * Whether a line outside of any section loads a module. Debian has such a line for each module in mods-available, which nothing
 * reads unless the module is enabled.
 */
export function isSurelyLoaded(index: TreeIndex, identifier: string): boolean {
  return index.someDirective(
    ['LoadModule'],
    ({ args }, { chain, root }) =>
      args[0]?.value === identifier && chain.length === 0 && root.role !== 'unreached',
  );
}
