import { escapeMarkup, plural } from '../encoding';
import type { AudienceAnswer, AudienceTable, PageData } from './data';
import { addTo } from '../../maps';

/** Tables that the overview has; the files below have all. */
const MOST = 30;
/** Sections that a table names. */
const MOST_NAMES = 6;

/** A section that findings are about, and where. */
interface Asked {
  readonly table: AudienceTable;
  readonly file: number;
  readonly line: number;
}

/**
 * Who gets in where, for somebody who decides: from where × as whom, a table for all sections that answer alike, those that
 * differ first. HTML; empty where nobody was asked about.
 */
export function accessHtml({ files, audiences }: PageData): string {
  const asked = new Map<number, Asked>();
  for (const [file, { findings }] of files.entries())
    for (const { audience, line } of findings)
      if (audience !== undefined && !asked.has(audience))
        asked.set(audience, { table: audiences[audience]!, file, line });
  if (asked.size === 0) return '';
  const tables = new Map<string, Asked[]>();
  for (const section of asked.values()) {
    const { columns, rows } = section.table;
    const key = JSON.stringify([columns, rows]);
    addTo(tables, key, section);
  }
  const all = [...tables.values()].sort((a, b) => rankOf(a[0]!.table) - rankOf(b[0]!.table));
  const count = (rank: number): number =>
    [...asked.values()].filter(({ table }) => rankOf(table) === rank).length;
  const counts = [
    [count(OPENS), 'lets more in', 'let more in'],
    [count(DIFFERS), 'answers differently', 'answer differently'],
    [count(UNKNOWN), 'is not known', 'are not known'],
    [count(SAME), 'answers as before', 'answer as before'],
  ].filter(([number]) => number !== 0);
  const more =
    all.length > MOST ? `\n<p>${plural(all.length - MOST, 'more table')}: see the files below.</p>` : '';
  return `<h2>Who gets in</h2>
<p>${plural(asked.size, 'section')} ${asked.size === 1 ? 'was' : 'were'} asked who gets in: ${counts.map(([number, ofOne, ofSeveral]) => `${number} ${number === 1 ? ofOne : ofSeveral}`).join(', ')}. Where 2.4 answers differently than 2.2, the table has both answers. Sections without a finding are not listed.</p>
<div class="tables">
${all
  .slice(0, MOST)
  .map((sections) => tableHtml(sections, files))
  .join('\n')}
</div>${more}`;
}

const OPENS = 0;
const DIFFERS = 1;
const UNKNOWN = 2;
const SAME = 3;

const ADMITTED: Readonly<Record<AudienceAnswer, number>> = {
  yes: 2,
  'asks for a password': 1,
  no: 0,
  'error 500': 0,
  'not known': 0,
};

function rankOf({ rows }: AudienceTable): number {
  const cells = rows.flatMap((row) => row.cells);
  const isKnown = cells.every(({ before, after }) => before !== 'not known' && after !== 'not known');
  if (cells.some(({ before, after }) => before !== 'not known' && ADMITTED[after] > ADMITTED[before]))
    return OPENS;
  if (cells.some(({ before, after }) => before !== after)) return isKnown ? DIFFERS : UNKNOWN;
  return isKnown ? SAME : UNKNOWN;
}

function tableHtml(sections: readonly Asked[], files: PageData['files']): string {
  const { columns, rows } = sections[0]!.table;
  const names = sections
    .slice(0, MOST_NAMES)
    .map(
      ({ table, file, line }) =>
        `${escapeMarkup(table.section)} <a href="#file-${file}">${escapeMarkup(`${files[file]!.name}:${line}`)}</a>`,
    );
  if (sections.length > MOST_NAMES) names.push(`and ${sections.length - MOST_NAMES} more`);
  const heads = ['From', ...columns].map((name) => `<th scope="col">${escapeMarkup(name)}</th>`).join('');
  const body = rows.map(
    ({ client, cells }) =>
      `<tr><th scope="row">${escapeMarkup(client)}</th>${cells.map(cellHtml).join('')}</tr>`,
  );
  return `<div class="scroll" tabindex="0"><table class="who"><caption>${names.join('<br>')}</caption><thead><tr>${heads}</tr></thead><tbody>${body.join('')}</tbody></table></div>`;
}

function cellHtml({ before, after }: AudienceTable['rows'][number]['cells'][number]): string {
  if (before === after) return `<td>${after}</td>`;
  const isOpened = before !== 'not known' && ADMITTED[after] > ADMITTED[before];
  return `<td class="${isOpened ? 'opens' : 'differs'}">2.2 ${before}, 2.4 ${after}</td>`;
}
