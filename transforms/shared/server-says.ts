import { type Server, type ServerLine, linesOf } from '../../src/config';
import type { Directive } from '../../src/syntax';

const known = new WeakMap<Server, ReadonlySet<string>>();

/** Whether a directive stands directly in a server, whichever version reads it. */
export function saysItself(server: Server, name: string): boolean {
  const key = name.toLowerCase();
  if (!server.mayHave(key)) return false;
  let keys = known.get(server);
  if (keys === undefined) known.set(server, (keys = new Set(server.lines.map(({ node }) => node.key))));
  return keys.has(key);
}

/** The same of the server, or of the main server that it inherits from. */
export function says(server: Server | undefined, name: string): boolean {
  return server !== undefined && (saysItself(server, name) || says(server.parent, name));
}

const lastLines = new WeakMap<Server, Map<string, ServerLine<Directive> | undefined>>();

/** The last line of that name that a 2.2 may read, in the server or else in the one that it inherits from. */
export function lastSaid(server: Server | undefined, name: string): ServerLine<Directive> | undefined {
  if (server === undefined) return undefined;
  if (!saysItself(server, name)) return lastSaid(server.parent, name);
  let lines = lastLines.get(server);
  if (lines === undefined) lastLines.set(server, (lines = new Map()));
  if (!lines.has(name)) lines.set(name, linesOf(server, [name]).at(-1));
  return lines.get(name) ?? lastSaid(server.parent, name);
}
