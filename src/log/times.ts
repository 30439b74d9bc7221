const MONTHS = 'JanFebMarAprMayJunJulAugSepOctNovDec';

/** The day that `[10/Oct/2000:13:55:36 -0700]` is of, as `2000-10-10`; undefined for anything else. */
export function dayOf(time: string): string | undefined {
  const [, day, month = '', year] = /^\[([0-9]{2})\/([A-Z][a-z]{2})\/([0-9]{4}):/.exec(time) ?? [];
  const at = MONTHS.indexOf(month);
  if (day === undefined || at < 0 || at % 3 !== 0) return undefined;
  return `${year}-${String(at / 3 + 1).padStart(2, '0')}-${day}`;
}
