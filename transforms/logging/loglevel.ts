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
export function moduleLevelEdits(
  servers: Servers,
  server: Server,
  oldLine: ServerLine<Directive>,
  spec: string,
): FileEdits[] {
  const { file } = oldLine.place;
  const { document } = file;
  const lastLogLevel = server.lines.findLast(isLogLevel);
  const lastArgument = lastLogLevel?.node.args.at(-1);
  if (
    lastLogLevel !== undefined &&
    lastArgument !== undefined &&
    sameConditionals(lastLogLevel, oldLine) &&
    servers.isReachedOnce(lastLogLevel.place.file)
  ) {
    const append = { start: lastArgument.end, end: lastArgument.end, text: ` ${spec}` };
    const removal = removeLine(document, oldLine.node);
    if (lastLogLevel.place.file === file) return [{ file, at: oldLine.node.from, edits: [removal, append] }];
    return [
      { file, at: oldLine.node.from, edits: [removal] },
      { file: lastLogLevel.place.file, at: lastLogLevel.node.from, edits: [append] },
    ];
  }
  const line = `LogLevel ${spec}`;
  if (lastLogLevel === undefined || server.lines.indexOf(lastLogLevel) < server.lines.indexOf(oldLine))
    return [{ file, at: oldLine.node.from, edits: [replaceLine(document, oldLine.node, [line])] }];
  const insertionPoint = insertionPointFor(servers, server, [['LogLevel']]);
  const insertion = insertAt(
    insertionPoint.file.document,
    insertionPoint,
    wrapInConditionals(conditionalsOf(oldLine), line),
  );
  const removal = removeLine(document, oldLine.node);
  if (insertionPoint.file === file) return [{ file, at: oldLine.node.from, edits: [removal, insertion] }];
  return [
    { file, at: oldLine.node.from, edits: [removal] },
    { file: insertionPoint.file, at: insertion.start, edits: [insertion] },
  ];
}

/** The last of some lines in each situation that their conditionals make: those that no later line overrides. */
export function effectiveLines(lines: readonly ServerLine<Directive>[]): ServerLine<Directive>[] {
  return lines.filter(
    (line, i) =>
      !lines
        .slice(i + 1)
        .some((later) =>
          conditionalsOf(later).every((conditional) => conditionalsOf(line).includes(conditional)),
        ),
  );
}

function isLogLevel(line: ServerLine): line is ServerLine<Directive> {
  return line.node.kind === 'directive' && line.node.key === 'loglevel' && conditionIn(line).on24 !== false;
}

function sameConditionals(a: ServerLine, b: ServerLine): boolean {
  const [conditionalsOfA, conditionalsOfB] = [conditionalsOf(a), conditionalsOf(b)];
  return (
    conditionalsOfA.length === conditionalsOfB.length &&
    conditionalsOfA.every((section, i) => section === conditionalsOfB[i])
  );
}

/** The conditionals around a line inside its server. */
function conditionalsOf({ path }: ServerLine): Section[] {
  return path
    .slice(0, -1)
    .flatMap(({ node }) => (node.kind === 'section' && isConditional(node) ? [node] : []));
}

function wrapInConditionals(conditionals: readonly Section[], line: string): string[] {
  return conditionals.reduceRight<string[]>(
    (lines, { name, open }) => [
      `<${name} ${open.rest}>`,
      ...lines.map((innerLine) => `    ${innerLine}`),
      `</${name}>`,
    ],
    [line],
  );
}
