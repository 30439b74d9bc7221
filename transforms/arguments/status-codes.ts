import type { LifeSpan } from '../../src/httpd/release';

/** A status code of 2.2's table that some releases of 2.4 do not have. */
export interface LostStatus extends LifeSpan {
  readonly code: number;
}

/** The sources of these facts. */
export const STATUS_SOURCE22 =
  'modules/http/http_protocol.c: status_lines, where the gaps hold codes without a meaning';
export const STATUS_SOURCE24 = 'modules/http/http_protocol.c: status_lines, where a gap is NULL';

/** 2.4.1 and 2.4.2 have the table of 2.2. */
export const LOST_STATUSES: readonly LostStatus[] = [
  ...[306, 418, 419, 420, 425, 509].map((code) => ({ code, since: 3 })),
  { code: 421, since: 3, until: 16 },
];

/** Codes that 2.2 refuses and 2.4 accepts: 451 since 2.4.21, the others since 2.4.3. No configuration that 2.2 reads has them. */
export const NEW_STATUSES: readonly number[] = [208, 226, 308, 428, 429, 431, 451, 511];
