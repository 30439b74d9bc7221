import {
  type ConfigFile,
  type Server,
  type ServerLine,
  type Servers,
  conditionIn,
  isConditional,
  insertionPointFor,
} from '../../src/config';
import { type Edit, insertAt, removeLine, replaceLine } from '../../src/edit';
import { type Directive, type Section } from '../../src/syntax';

/** Edits of one file. */
export interface FileEdits {
  readonly file: ConfigFile;
  /** Byte offset that a message about them may name. */
  readonly at: number;
  readonly edits: readonly Edit[];
}

/**
 * Replaces a line of 2.2 by a module's level (`rewrite:trace3`) in the LogLevel of its server. It must come after every general level,
 * which would take it back (2.4 server/core.c: set_loglevel): it is appended to the last LogLevel line if that is read whenever the old
 * line is, else it takes the old line's place or, where a LogLevel comes later, follows that one in the old line's conditionals.
 */
export function moduleLevel(
  servers: Servers,
  server: Server,
  old: ServerLine<Directive>,
  spec: string,
): FileEdits[] {
  const { file } = old.place;
  const { document } = file;
  const last = server.lines.findLast(isLogLevel);
  const argument = last?.node.args.at(-1);
  if (
    last !== undefined &&
    argument !== undefined &&
    sameGuards(last, old) &&
    servers.isReachedOnce(last.place.file)
  ) {
    const append = { start: argument.end, end: argument.end, text: ` ${spec}` };
    const removal = removeLine(document, old.node);
    if (last.place.file === file) return [{ file, at: old.node.from, edits: [removal, append] }];
    return [
      { file, at: old.node.from, edits: [removal] },
      { file: last.place.file, at: last.node.from, edits: [append] },
    ];
  }
  const line = `LogLevel ${spec}`;
  if (last === undefined || server.lines.indexOf(last) < server.lines.indexOf(old))
    return [{ file, at: old.node.from, edits: [replaceLine(document, old.node, [line])] }];
  const spot = insertionPointFor(servers, server, [['LogLevel']]);
  const insertion = insertAt(spot.file.document, spot, guarded(guardsOf(old), line));
  const removal = removeLine(document, old.node);
  if (spot.file === file) return [{ file, at: old.node.from, edits: [removal, insertion] }];
  return [
    { file, at: old.node.from, edits: [removal] },
    { file: spot.file, at: insertion.start, edits: [insertion] },
  ];
}

/** The last of some lines in each situation that their conditionals make: those that no later line overrides. */
export function deciders(lines: readonly ServerLine<Directive>[]): ServerLine<Directive>[] {
  return lines.filter(
    (line, i) =>
      !lines.slice(i + 1).some((later) => guardsOf(later).every((one) => guardsOf(line).includes(one))),
  );
}

function isLogLevel(line: ServerLine): line is ServerLine<Directive> {
  return line.node.kind === 'directive' && line.node.key === 'loglevel' && conditionIn(line).on24 !== false;
}

function sameGuards(a: ServerLine, b: ServerLine): boolean {
  const [one, other] = [guardsOf(a), guardsOf(b)];
  return one.length === other.length && one.every((section, i) => section === other[i]);
}

/** The conditionals around a line inside its server. */
function guardsOf({ path }: ServerLine): Section[] {
  return path
    .slice(0, -1)
    .flatMap(({ node }) => (node.kind === 'section' && isConditional(node) ? [node] : []));
}

function guarded(guards: readonly Section[], line: string): string[] {
  return guards.reduceRight<string[]>(
    (lines, { name, open }) => [`<${name} ${open.rest}>`, ...lines.map((one) => `    ${one}`), `</${name}>`],
    [line],
  );
}
