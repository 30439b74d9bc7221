import type { ConfigFile } from '../../config/types';
import type { Outcome } from '../../engine/types';
import { shownLine, shownText } from '../encoding';
import { hunksOf } from '../diff';
import {
  type ReportedRun,
  sortedOutcomes,
  isBlocker,
  notAppliedText,
  omittedTexts,
  type FindingState,
  stateOf,
} from '../content';

/** Whether a version lets a request in. */
export type AudienceAnswer = 'yes' | 'asks for a password' | 'no' | 'error 500' | 'not known';

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
  /** The hunk of its file that its first edit is in. */
  readonly hunk?: number;
  readonly audience?: number;
}

interface PageFile {
  readonly name: string;
  /** Each hunk: the first line and the number of lines on both sides, and the lines with their signs. */
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

/** The files that change or have findings not ignored: first with blockers, then questions, changes, the others. */
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
  const changes = new Map(result.plan.map((change) => [change.file, change]));
  const hunks = new Map([...changes].map(([file, { edits }]) => [file, hunksOf(file.document.text, edits)]));
  const byFile = new Map<ConfigFile, PageFinding[]>();
  for (const outcome of sortedOutcomes(result)) {
    const state = stateOf(outcome);
    if (state === 'ignored') continue;
    const { file, at, level, rule, status, edits } = outcome;
    const list = byFile.get(file) ?? [];
    byFile.set(file, list);
    list.push({
      rule: rules.numberOf(rule),
      server: servers.numberOf(serverAt(file, at)),
      line: file.document.positionAt(at).line,
      level,
      state,
      blocker: isBlocker(outcome),
      message: shownText([outcome.message + notAppliedText(outcome), ...omittedTexts(outcome)].join('; ')),
      ...(status === 'applied' && edits[0] !== undefined && hunkAt(file, edits[0].start, hunks.get(file))),
      ...audienceNumber(outcome),
    });
  }
  const rankOf = (file: ConfigFile): number => {
    const findings = byFile.get(file) ?? [];
    if (findings.some(({ blocker }) => blocker)) return 0;
    if (findings.some(({ state }) => state === 'open')) return 1;
    return changes.has(file) ? 2 : 3;
  };
  const files = [...new Set([...result.tree.files, ...byFile.keys()])]
    .filter((file) => changes.has(file) || byFile.has(file))
    .sort((a, b) => rankOf(a) - rankOf(b));
  return {
    files: files.map((file) => ({
      name: shownText(file.name),
      hunks: (hunks.get(file) ?? []).map(
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

/** Which hunk a place in the old text is in: empty for none. */
function hunkAt(
  { document }: ConfigFile,
  at: number,
  hunks: readonly { readonly oldStart: number }[] = [],
): { hunk?: number } {
  const { line } = document.positionAt(at);
  const hunk = hunks.findLastIndex(({ oldStart }) => oldStart <= line);
  return hunk < 0 ? {} : { hunk };
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
