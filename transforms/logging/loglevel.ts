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

export interface FileEdits {
  readonly file: ConfigFile;
  /** The byte offset that a finding with these edits points at. */
  readonly at: number;
  readonly edits: readonly Edit[];
}

/**
 * Replaces a line of 2.2 with a module's level (`rewrite:trace3`) in the LogLevel of its server. The new level must come last,
 * because a level for all modules resets those of single modules (2.4 server/core.c: set_loglevel). It is appended to the last
 * LogLevel line if that line stands in the same conditionals as the old line. Otherwise it replaces the old line or, if a
 * LogLevel follows, is inserted after it, in copies of the old line's conditionals.
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
  const below = insertionPointFor(servers, server, [['LogLevel']]);
  // In a conditional that is not closed, nothing comes after the line but what stands in there too.
  const insertionPoint =
    below.side === 'after'
      ? below
      : { file: lastLogLevel.place.file, node: lastLogLevel.node, side: 'after' as const };
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

/** The lines that no later line overrides, as one does if all conditionals around it are around the earlier too. */
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
