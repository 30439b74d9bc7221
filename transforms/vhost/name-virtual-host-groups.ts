import type { ConfigFile } from '../../src/config';
import type { TransformContext } from '../../src/engine';
import { type Line, readLines } from './name-virtual-host-read';

export type NameLine = Extract<Line, { kind: 'name' }>;

/** Lines that are judged together: those of the server, or of a fragment. */
export interface Group {
  readonly lines: readonly Line[];
  readonly names: readonly NameLine[];
  /** The whole server is seen, so that what is not there is nowhere. */
  readonly whole: boolean;
}

export function readGroups(context: TransformContext): Group[] {
  const { tree, index } = context;
  const lines = readLines(context);
  const byRoot = new Map<ConfigFile | undefined, Line[]>();
  for (const line of lines) {
    // The roots together are one server.
    const root = line.root.role === 'unreached' ? line.root : undefined;
    const list = byRoot.get(root);
    if (list === undefined) byRoot.set(root, [line]);
    else list.push(line);
  }
  // The virtual hosts of a macro, or of Perl, are not seen.
  const hidden = index.someDirective(['Use'], () => true) || index.someSection(['Perl', 'Macro'], () => true);
  const sees = tree.isServer && !hidden && !tree.problems.some(({ code }) => code.startsWith('include-'));
  return [...byRoot].map(([root, own]): Group => {
    const names = own.filter((line) => line.kind === 'name');
    // A fragment without virtual hosts is for those of its neighbours.
    const alone = tree.isServer || own.some((line) => line.kind === 'host');
    return { lines: alone ? own : lines, names, whole: sees && root === undefined };
  });
}
