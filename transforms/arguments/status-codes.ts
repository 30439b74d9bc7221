import type { LifeSpan } from '../../src/httpd/release';

/** A status that 2.2 has in its table, and releases of 2.4 have not. */
export interface LostStatus extends LifeSpan {
  readonly code: number;
}

/** What tells it, in either version. */
export const STATUS_SOURCE22 =
  'modules/http/http_protocol.c: status_lines, whose gaps are filled with codes that nobody uses';
export const STATUS_SOURCE24 = 'modules/http/http_protocol.c: status_lines, where a gap is NULL';

/** 2.4.1 and 2.4.2 have the table of 2.2. */
export const LOST_STATUSES: readonly LostStatus[] = [
  ...[306, 418, 419, 420, 425, 509].map((code) => ({ code, since: 3 })),
  { code: 421, since: 3, until: 16 },
];

/** What 2.2 refuses and 2.4 takes: 451 since 2.4.21, all others since 2.4.3. No configuration of 2.2 has them. */
export const NEW_STATUSES: readonly number[] = [208, 226, 308, 428, 429, 431, 451, 511];
