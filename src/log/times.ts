const MONTHS = 'JanFebMarAprMayJunJulAugSepOctNovDec';

/** The years that a server may have written a log in: others are no times. */
const FIRST_YEAR = '1995';
const LAST_YEAR = '2199';

/** The day that `[10/Oct/2000:13:55:36 -0700]` is of, as `2000-10-10`; undefined for anything else. */
export function dayOf(time: string): string | undefined {
  const [, day, month = '', year] = /^\[([0-9]{2})\/([A-Z][a-z]{2})\/([0-9]{4}):/.exec(time) ?? [];
  const at = MONTHS.indexOf(month);
  if (day === undefined || at < 0 || at % 3 !== 0) return undefined;
  if (year === undefined || year < FIRST_YEAR || year > LAST_YEAR) return undefined;
  const text = `${year}-${String(at / 3 + 1).padStart(2, '0')}-${day}`;
  const date = new Date(`${text}T00:00:00Z`);
  // The 31st of a month that has 30 days is the first of another, or none.
  return Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== text ? undefined : text;
}
