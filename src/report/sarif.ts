import type { ConfigFile } from '../config/types';
import type { Edit } from '../edit';
import type { Level, Outcome, Transform } from '../engine/types';
import { decode, jsonBytes } from './display';
import { type ReportedRun, sortedOutcomes } from './order';
import { isBlocker, notAppliedText, stateOf } from './state';
import { type Decoding, decodingOf } from './text-place';

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
 * The run as a SARIF 2.1.0 log, in UTF-8, as a byte string. Findings that are only right together have one fix, at the first of them,
 * that holds the edits of all. Columns count UTF-16 units of the text as its artifact's encoding reads it.
 */
export function sarifReport(result: ReportedRun, options: SarifOptions): string {
  const outcomes = sortedOutcomes(result);
  const files = new Map(result.tree.files.map((file, index) => [file, artifactOf(file, index)]));
  const rules = [
    ...new Set([...options.transforms.map(({ id }) => id), ...outcomes.map(({ rule }) => rule)]),
  ];
  const ruleIndex = new Map(rules.map((id, index) => [id, index]));
  const described = new Map(options.transforms.map((transform) => [transform.id, transform]));
  const fixes = options.fixes ? fixesOf(outcomes, files) : new Map<Outcome, object>();
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'httpd-codemod',
            semanticVersion: options.version,
            rules: rules.map((id) => ruleOf(id, described.get(id))),
          },
        },
        columnKind: 'utf16CodeUnits',
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
        results: outcomes.map((outcome) => ({
          ruleId: decode(outcome.rule),
          ruleIndex: ruleIndex.get(outcome.rule),
          level: LEVELS[outcome.level],
          message: { text: decode(outcome.message + notAppliedText(outcome)) },
          locations: [locationOf(outcome, files.get(outcome.file) ?? artifactOf(outcome.file))],
          ...(fixes.has(outcome) ? { fixes: [fixes.get(outcome)] } : {}),
          ...(outcome.fingerprint === undefined
            ? {}
            : { partialFingerprints: { [FINGERPRINT]: outcome.fingerprint } }),
          ...suppressionOf(outcome),
          properties: {
            safety: outcome.safety,
            status: outcome.status,
            state: stateOf(outcome),
            blocker: isBlocker(outcome),
          },
        })),
      },
    ],
  };
  return jsonBytes(log);
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

/** Finding → fix: of its own, or for the first of a group, of the whole group. */
function fixesOf(
  outcomes: readonly Outcome[],
  files: ReadonlyMap<ConfigFile, Artifact>,
): Map<Outcome, object> {
  const parts = new Map<string | Outcome, Outcome[]>();
  for (const outcome of outcomes) {
    if (outcome.status !== 'applied') continue;
    const key = outcome.group ?? outcome;
    const list = parts.get(key);
    if (list === undefined) parts.set(key, [outcome]);
    else list.push(outcome);
  }
  const fixes = new Map<Outcome, object>();
  for (const list of parts.values()) {
    const edits = new Map<ConfigFile, Edit[]>();
    for (const { file, edits: more } of list) edits.set(file, [...(edits.get(file) ?? []), ...more]);
    fixes.set(list[0]!, {
      description: { text: decode(list[0]!.message) },
      artifactChanges: [...edits].map(([file, all]) => changeOf(files.get(file) ?? artifactOf(file), all)),
    });
  }
  return fixes;
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
 * A file's name as a URI reference: absolute names as `file:` URIs, others relative. Every byte that a path segment may not hold is
 * written %XX, so that any file name can be named.
 */
function uriOf(name: string): string {
  const path = name.replace(/[^A-Za-z0-9._~!$&'()*+,;=@/-]/g, escapeByte);
  if (path.startsWith('/')) return `file://${path}`;
  return path;
}

function escapeByte(char: string): string {
  return `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}
