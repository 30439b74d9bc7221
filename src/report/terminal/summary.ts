import type { ConfigFile } from '../../config/types';
import type { Outcome } from '../../engine/types';
import { oneLine } from '../encoding';
import { type ReportedRun, sortedOutcomes, isBlocker, stateOf } from '../content';
import { getOrInsert } from '../../maps';

/** Rows of a table that are printed unless all are asked for. */
const ROWS = 20;

export interface SummaryOptions {
  /** Names the server that a place belongs to: a byte string. */
  readonly serverAt: (file: ConfigFile, at: number) => string;
  /** Print all rows. */
  readonly verbose: boolean;
}

interface SummaryRow {
  readonly name: string;
  exact: number;
  review: number;
  open: number;
  blockers: number;
}

/** Counts of findings by state, by rule, file and virtual host: a table each, most first. A byte string. */
export function summaryReport(result: ReportedRun, { serverAt, verbose }: SummaryOptions): string {
  const outcomes = sortedOutcomes(result);
  const tables: readonly (readonly [heading: string, rows: readonly SummaryRow[]])[] = [
    ['By rule', rowsBy(outcomes, ({ rule }) => rule)],
    ['By file', rowsBy(outcomes, ({ file }) => file.name)],
    ['By virtual host', rowsBy(outcomes, ({ file, at }) => serverAt(file, at))],
  ];
  return tables.map(([heading, rows]) => table(heading, rows, verbose)).join('');
}

function rowsBy(outcomes: readonly Outcome[], nameOf: (outcome: Outcome) => string): readonly SummaryRow[] {
  const rows = new Map<string, SummaryRow>();
  for (const outcome of outcomes) {
    const state = stateOf(outcome);
    if (state === 'ignored' || state === 'note' || state === 'left' || state === 'script') continue;
    const name = oneLine(nameOf(outcome));
    const row = getOrInsert(rows, name, () => ({ name, exact: 0, review: 0, open: 0, blockers: 0 }));
    if (isBlocker(outcome)) row.blockers++;
    else if (state === 'applied') row.exact++;
    else row[state]++;
  }
  return [...rows.values()].sort((a, b) => b.blockers - a.blockers || total(b) - total(a));
}

function total({ exact, review, open }: SummaryRow): number {
  return exact + review + open;
}

const COLUMNS = ['exact', 'review', 'open', 'blockers'] as const;

function table(heading: string, rows: readonly SummaryRow[], verbose: boolean): string {
  const shown = verbose ? rows : rows.slice(0, ROWS);
  const cells = (values: readonly string[], name: string): string =>
    `${values.map((value, i) => value.padStart(COLUMNS[i]!.length)).join('  ')}  ${name}\n`;
  const lines = shown.map((row) =>
    cells(
      COLUMNS.map((column) => (row[column] === 0 ? '-' : String(row[column]))),
      row.name,
    ),
  );
  const more = rows.length > shown.length ? `and ${rows.length - shown.length} more (-v lists them)\n` : '';
  return `${cells(COLUMNS, heading)}${lines.join('')}${more}`;
}
