import type { ConfigFile } from '../../config/types';
import type { Outcome } from '../../engine/types';
import { shownLine, shownText } from '../display';
import { hunksOf } from '../hunks';
import { type ReportedRun, sortedOutcomes } from '../order';
import { isBlocker, notAppliedText, type FindingState, stateOf } from '../state';

/** An answer of a version to one request, in words. */
export type AudienceAnswer = 'gets in' | 'asked for a password' | 'refused' | 'error 500' | 'unknown';

/** Who got into a section before, and gets in after: all texts are byte strings. */
export interface AudienceTable {
  readonly section: string;
  /** The request that was asked, for people. */
  readonly request: string;
  readonly columns: readonly string[];
  readonly rows: readonly {
    readonly client: string;
    readonly cells: readonly { readonly before: AudienceAnswer; readonly after: AudienceAnswer }[];
  }[];
}

export interface PageOptions {
  /** Names the server that a place belongs to: a byte string. */
  readonly serverAt: (file: ConfigFile, at: number) => string;
  /** Undefined where a finding is not about access, or its section is not known. */
  readonly audienceOf: (outcome: Outcome) => AudienceTable | undefined;
}

/** A finding as the page's script reads it: decoded texts, numbers that point into the lists of {@link PageData}. */
interface PageFinding {
  readonly rule: number;
  readonly server: number;
  readonly line: number;
  readonly level: Outcome['level'];
  readonly state: FindingState;
  readonly blocker: boolean;
  readonly message: string;
  readonly audience?: number;
}

interface PageFile {
  readonly name: string;
  /** Of each: the first line and the number of lines on both sides, and the lines with their signs. */
  readonly hunks: readonly (readonly [oldStart: number, newStart: number, lines: readonly string[]])[];
  readonly findings: readonly PageFinding[];
}

/** What the page's script shows file by file; the overview links to a file by its number. */
export interface PageData {
  readonly rules: readonly string[];
  readonly servers: readonly string[];
  readonly audiences: readonly AudienceTable[];
  readonly files: readonly PageFile[];
}

/** The files that change or have findings that are not ignored, in the order of the run. */
export function pageData(
  result: ReportedRun,
  { serverAt, audienceOf }: PageOptions,
): PageData & { readonly order: readonly ConfigFile[] } {
  const rules = new NumberedTexts();
  const servers = new NumberedTexts();
  const audiences: AudienceTable[] = [];
  const known = new Map<string, number>();
  const audienceNumber = (outcome: Outcome): { audience?: number } => {
    const table = audienceOf(outcome);
    if (table === undefined) return {};
    const key = JSON.stringify(table);
    const number = known.get(key) ?? audiences.length;
    if (number === audiences.length) {
      audiences.push(decodedTable(table));
      known.set(key, number);
    }
    return { audience: number };
  };
  const byFile = new Map<ConfigFile, PageFinding[]>();
  for (const outcome of sortedOutcomes(result)) {
    const state = stateOf(outcome);
    if (state === 'ignored') continue;
    const { file, at, level, rule } = outcome;
    const list = byFile.get(file) ?? [];
    byFile.set(file, list);
    list.push({
      rule: rules.numberOf(rule),
      server: servers.numberOf(serverAt(file, at)),
      line: file.document.positionAt(at).line,
      level,
      state,
      blocker: isBlocker(outcome),
      message: shownText(outcome.message + notAppliedText(outcome)),
      ...audienceNumber(outcome),
    });
  }
  const changes = new Map(result.plan.map((change) => [change.file, change]));
  const files = [...new Set([...result.tree.files, ...byFile.keys()])].filter((file) => changes.has(file) || byFile.has(file)); // prettier-ignore
  return {
    files: files.map((file) => ({
      name: shownText(file.name),
      hunks: hunksOf(file.document.text, changes.get(file)?.edits ?? []).map(
        ({ oldStart, newStart, lines }) => [oldStart, newStart, lines.map(shownLine)] as const,
      ),
      findings: byFile.get(file) ?? [],
    })),
    order: files,
    rules: rules.texts,
    servers: servers.texts,
    audiences,
  };
}

/** Texts that many findings share. */
class NumberedTexts {
  readonly texts: string[] = [];
  readonly #numbers = new Map<string, number>();

  numberOf(bytes: string): number {
    let number = this.#numbers.get(bytes);
    if (number === undefined) {
      this.#numbers.set(bytes, (number = this.texts.length));
      this.texts.push(shownText(bytes));
    }
    return number;
  }
}

function decodedTable({ section, request, columns, rows }: AudienceTable): AudienceTable {
  return {
    section: shownText(section),
    request: shownText(request),
    columns: columns.map(shownText),
    rows: rows.map(({ client, cells }) => ({ client: shownText(client), cells })),
  };
}
