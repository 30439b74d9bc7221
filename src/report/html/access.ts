import { escapeMarkup, plural } from '../encoding';
import type { AudienceAnswer, AudienceTable, PageData } from './data';

/** Sections that the overview names; the files below have all. */
const MOST = 100;

/** A section that findings are about, and where. */
interface Asked {
  readonly table: AudienceTable;
  readonly file: number;
  readonly line: number;
  places: number;
}

/** Who gets in where, for somebody who decides: a row a section, those that differ first. HTML; empty where nobody was asked about. */
export function accessHtml({ files, audiences }: PageData): string {
  const asked = new Map<number, Asked>();
  for (const [file, { findings }] of files.entries())
    for (const { audience, line } of findings) {
      if (audience === undefined) continue;
      const known = asked.get(audience);
      if (known === undefined) asked.set(audience, { table: audiences[audience]!, file, line, places: 1 });
      else known.places++;
    }
  if (asked.size === 0) return '';
  const all = [...asked.values()].toSorted((a, b) => rankOf(a.table) - rankOf(b.table));
  const count = (rank: number): number => all.filter(({ table }) => rankOf(table) === rank).length;
  const counts = [
    [count(OPENS), 'more get in'],
    [count(DIFFERS), 'answered otherwise'],
    [count(UNKNOWN), 'unknown'],
    [count(SAME), 'as before'],
  ].filter(([number]) => number !== 0);
  const rows = all.slice(0, MOST).map((row) => rowHtml(row, files[row.file]!.name));
  const more =
    all.length > MOST ? `\n<p>${plural(all.length - MOST, 'more section')}: see the files below.</p>` : '';
  return `<h2>Who gets in</h2>
<p>${plural(all.length, 'section')} asked about: ${counts.map(([number, words]) => `${words} in ${number}`).join(', ')}. Sections that no finding is about, and those that nobody can be asked about, are not here. An address that is not listed is one that no line names, as most visitors have.</p>
<div class="scroll" tabindex="0"><table class="who"><thead><tr><th scope="col">Where</th><th scope="col">Who gets in with 2.4</th><th scope="col">With 2.2</th></tr></thead><tbody>
${rows.join('\n')}
</tbody></table></div>${more}`;
}

const OPENS = 0;
const DIFFERS = 1;
const UNKNOWN = 2;
const SAME = 3;

const ADMITTED: Readonly<Record<AudienceAnswer, number>> = {
  'gets in': 2,
  'asked for a password': 1,
  refused: 0,
  'error 500': 0,
  unknown: 0,
};

function rankOf({ rows }: AudienceTable): number {
  const cells = rows.flatMap((row) => row.cells);
  const isKnown = cells.every(({ before, after }) => before !== 'unknown' && after !== 'unknown');
  if (cells.some(({ before, after }) => before !== 'unknown' && ADMITTED[after] > ADMITTED[before])) return OPENS; // prettier-ignore
  if (cells.some(({ before, after }) => before !== after)) return isKnown ? DIFFERS : UNKNOWN;
  return isKnown ? SAME : UNKNOWN;
}

const CLASSES = ['opens', 'differs', 'differs', ''];

function rowHtml({ table, file, line, places }: Asked, name: string): string {
  const rank = rankOf(table);
  const also = places > 1 ? ` <span class="dim">and ${plural(places - 1, 'more place')}</span>` : '';
  const before = rank === SAME ? 'the same' : sideHtml(table, 'before');
  return `<tr><th scope="row">${escapeMarkup(table.section)}<br><a href="#file-${file}">${escapeMarkup(`${name}:${line}`)}</a>${also}</th><td>${sideHtml(table, 'after')}</td><td class="${CLASSES[rank]}">${before}</td></tr>`;
}

/** What each client is answered, a line each. */
function sideHtml({ columns, rows }: AudienceTable, side: 'before' | 'after'): string {
  return rows
    .map(({ client, cells }) => {
      const answers = cells.map((cell) => cell[side]);
      const [first, ...others] = answers;
      const words = others.every((answer) => answer === first)
        ? first!
        : answers.map((answer, i) => `${answer} ${columns[i]}`).join(', ');
      return escapeMarkup(`${client}: ${words}`);
    })
    .join('<br>');
}
