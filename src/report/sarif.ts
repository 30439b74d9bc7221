import type { ConfigFile } from '../config/types';
import type { Edit } from '../edit';
import type { Level, Outcome, Transform } from '../engine/types';
import { decode, InPieces, eachAs, jsonPieces, type Decoding, decodingOf } from './encoding';
import {
  type ReportedRun,
  LOG_RULE,
  addedText,
  findingsWithLog,
  isBlocker,
  logSummary,
  stateOf,
} from './content';

export interface SarifOptions {
  readonly version: string;
  readonly exitStatus: number;
  /** What explains the rules. */
  readonly transforms: readonly Pick<Transform, 'id' | 'title' | 'why' | 'docs'>[];
  /** False where the changes are on disk already: nothing is left to fix then. */
  readonly fixes: boolean;
  /** Why the run could not be done, a line each: byte strings. */
  readonly trouble?: readonly string[];
}

const LEVELS: Readonly<Record<Level, string>> = { error: 'error', warning: 'warning', info: 'note' };

/**
 * The run as a SARIF 2.1.0 log, in pieces, as {@link jsonPieces} makes them. Findings that are only right together have one fix,
 * at the first of them, that holds the edits of all. Columns count UTF-16 units of the text as its artifact's encoding reads it.
 */
export function sarifReport(result: ReportedRun, options: SarifOptions): Iterable<string> {
  const outcomes = findingsWithLog(result);
  const files = new Map(result.tree.files.map((file, index) => [file, artifactOf(file, index)]));
  const rules = [
    ...new Set([...options.transforms.map(({ id }) => id), ...outcomes.map(({ rule }) => rule)]),
  ];
  const ruleIndex = new Map(rules.map((id, index) => [id, index]));
  const described = new Map(options.transforms.map((transform) => [transform.id, transform]));
  const fixes = options.fixes ? fixesOf(outcomes) : NO_FIXES;
  const sarifRun = new InPieces({
    tool: {
      driver: {
        name: 'httpd-codemod',
        semanticVersion: options.version,
        rules: rules.map((id) => ruleOf(id, described.get(id))),
      },
    },
    columnKind: 'utf16CodeUnits',
    properties: result.log && { log: logSummary(result.log) },
    invocations: [
      {
        executionSuccessful: options.trouble === undefined,
        exitCode: options.exitStatus,
        ...(options.trouble && {
          toolExecutionNotifications: options.trouble.map((line) => ({
            level: 'error',
            message: { text: decode(line) },
          })),
        }),
      },
    ],
    artifacts: [...files.values()].map(({ location, decoding }) => ({
      location,
      encoding: decoding.name,
    })),
    results: new InPieces(
      eachAs(outcomes, (outcome) => ({
        ruleId: decode(outcome.rule),
        ruleIndex: ruleIndex.get(outcome.rule),
        level: LEVELS[outcome.level],
        message: { text: decode(outcome.message + addedText(outcome)) },
        locations: [locationOf(outcome, files.get(outcome.file) ?? artifactOf(outcome.file))],
        ...(fixes.has(outcome) ? { fixes: [fixOf(fixes.get(outcome)!, files)] } : {}),
        ...(outcome.fingerprint === undefined
          ? {}
          : { partialFingerprints: { [FINGERPRINT]: outcome.fingerprint } }),
        ...suppressionOf(outcome),
        properties: {
          safety: outcome.safety,
          status: outcome.status,
          state: stateOf(outcome),
          blocker: isBlocker(outcome),
          requests: outcome.requests,
          harmless: outcome.harmless && decode(outcome.harmless),
        },
      })),
    ),
  });
  return jsonPieces(
    new InPieces({
      $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
      version: '2.1.0',
      runs: new InPieces([sarifRun]),
    }),
  );
}

/** What a fingerprint is made of: raised when that changes, so that no reader takes a finding for another. */
const FINGERPRINT = 'httpdCodemodFinding/v1';

/** What the user asked to leave alone, in the files or by accepting it. */
function suppressionOf(outcome: Outcome): object {
  if (stateOf(outcome) !== 'ignored') return {};
  const { accepted, why = accepted } = outcome;
  const kind = accepted === undefined ? 'inSource' : 'external';
  return { suppressions: [{ kind, ...(why === undefined ? {} : { justification: decode(why) }) }] };
}

interface Artifact {
  readonly location: { readonly uri: string; readonly index?: number };
  readonly decoding: Decoding;
}

function artifactOf(file: ConfigFile, index?: number): Artifact {
  const uri = uriOf(file.name);
  return { location: index === undefined ? { uri } : { uri, index }, decoding: decodingOf(file.document) };
}

function ruleOf(id: string, transform: SarifOptions['transforms'][number] | undefined): object {
  if (id === LOG_RULE) return { id, shortDescription: { text: 'What requests of the access logs show' } };
  if (transform === undefined) return { id: decode(id) };
  const { title, why, docs } = transform;
  const see = docs.length === 0 ? '' : ` See ${docs.join('; ')}.`;
  return {
    id,
    shortDescription: { text: title },
    fullDescription: { text: why },
    help: { text: why + see },
  };
}

function locationOf(outcome: Outcome, { location, decoding }: Artifact): object {
  const { line, column } = decoding.placeAt(outcome.at);
  return {
    physicalLocation: { artifactLocation: location, region: { startLine: line, startColumn: column } },
  };
}

/** Finding → what is fixed with it: itself, or for the first of a group, the whole group. */
type Fixes = ReadonlyMap<Outcome, readonly Outcome[]>;

const NO_FIXES: Fixes = new Map();

function fixesOf(outcomes: readonly Outcome[]): Fixes {
  const fixes = new Map<Outcome, Outcome[]>();
  const byGroup = new Map<string, Outcome[]>();
  for (const outcome of outcomes) {
    if (outcome.status !== 'applied') continue;
    const { group } = outcome;
    const list = group === undefined ? undefined : byGroup.get(group);
    if (list !== undefined) {
      list.push(outcome);
      continue;
    }
    const first = [outcome];
    fixes.set(outcome, first);
    if (group !== undefined) byGroup.set(group, first);
  }
  return fixes;
}

function fixOf(list: readonly Outcome[], files: ReadonlyMap<ConfigFile, Artifact>): object {
  const edits = new Map<ConfigFile, Edit[]>();
  for (const outcome of list) {
    const known = edits.get(outcome.file) ?? [];
    edits.set(outcome.file, known);
    for (const edit of outcome.edits) known.push(edit);
  }
  return {
    description: { text: decode(list[0]!.message) },
    artifactChanges: [...edits].map(([file, all]) => changeOf(files.get(file) ?? artifactOf(file), all)),
  };
}

function changeOf({ location, decoding }: Artifact, edits: readonly Edit[]): object {
  return {
    artifactLocation: location,
    replacements: edits.map(({ start, end, text }) => {
      const from = decoding.placeAt(start);
      const to = decoding.placeAt(end);
      return {
        deletedRegion: {
          startLine: from.line,
          startColumn: from.column,
          endLine: to.line,
          endColumn: to.column,
        },
        ...(text === '' ? {} : { insertedContent: { text: decoding.decode(text) } }),
      };
    }),
  };
}

/**
 * A file's name as a URI reference: absolute names as `file:` URIs, others relative. Every byte that a path segment may not hold
 * is written %XX, so that any file name can be named.
 */
function uriOf(name: string): string {
  const path = name.replace(/[^A-Za-z0-9._~!$&'()*+,;=@/-]/g, escapeByte);
  if (path.startsWith('/')) return `file://${path}`;
  return path;
}

function escapeByte(char: string): string {
  return `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}
