import { type Server, type ServerLine, linesOf } from '../../../src/config';
import type { Directive } from '../../../src/syntax';
import { getOrInsert } from '../../../src/maps';

const directiveKeys = new WeakMap<Server, ReadonlySet<string>>();

/** Whether a directive is set directly in a server, for either version. */
export function hasOwnDirective(server: Server, name: string): boolean {
  const key = name.toLowerCase();
  if (!server.mayHave(key)) return false;
  const keys = getOrInsert(directiveKeys, server, () => new Set(server.lines.map(({ node }) => node.key)));
  return keys.has(key);
}

/** Whether the server, or the main server that it inherits from, has a directive. */
export function hasDirective(server: Server | undefined, name: string): boolean {
  return server !== undefined && (hasOwnDirective(server, name) || hasDirective(server.parent, name));
}

const lastLines = new WeakMap<Server, Map<string, ServerLine<Directive> | undefined>>();

/** The last line of a directive that 2.2 may read, in the server or else in the one that it inherits from. */
export function lastDirective(server: Server | undefined, name: string): ServerLine<Directive> | undefined {
  if (server === undefined) return undefined;
  if (!hasOwnDirective(server, name)) return lastDirective(server.parent, name);
  const lines = getOrInsert(lastLines, server, () => new Map());
  if (!lines.has(name)) lines.set(name, linesOf(server, [name]).at(-1));
  return lines.get(name) ?? lastDirective(server.parent, name);
}
