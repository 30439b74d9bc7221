import type { Place } from '../../src/config';
import { defineTransform } from '../../src/engine';
import { type LifeSpan, livesIn, nameOf } from '../../src/httpd/release';
import { flagsOf, rewriteWords } from '../common/words';
import { type LineFinding, atoi, isUnknown, reportLines } from '../common/lines';

/** A status code of 2.2's table that some releases of 2.4 do not have. */
interface LostStatus extends LifeSpan {
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

/** The codes that 2.2 has, from each that begins a hundred to the last of that. */
const LAST_OF_22: Readonly<Record<number, number>> = { 1: 102, 2: 207, 3: 307, 4: 426, 5: 510 };

/** Whether some httpd has a status of this code. 103 is of a later 2.4, too. */
function isOfSome(code: number): boolean {
  return code <= (LAST_OF_22[Math.trunc(code / 100)] ?? -1) || code === 103 || NEW_STATUSES.includes(code);
}

const releasesOf = ({ since, until }: LostStatus): string =>
  `${nameOf(since ?? 1)}${until === undefined ? ' and later have' : ` to ${nameOf(until)} have`}`;

export default defineTransform({
  id: 'status-code-refused',
  changes: [],
  title: 'Status codes that 2.4 does not know',
  stops: true,
  why: '2.2 accepts every code in its table, even those without a meaning (306, 418, 419, 420, 425, 509). Since 2.4.3 these are gaps: 2.4 does not start with them in ErrorDocument or the R flag of RewriteRule, or answers 500 if the line is in a .htaccess; Redirect and RedirectMatch with one answer 500.',
  docs: [
    'core: ErrorDocument',
    'rewrite/flags: R',
    'modules/http/http_protocol.c: status_lines',
    'server/core.c: set_error_document',
    'modules/mappers/mod_rewrite.c: cmd_rewriterule_setflag',
  ],
  advisory: true,
  run(context) {
    const lost = LOST_STATUSES.filter((status) => livesIn(status, context.target));
    const refused = (
      code: number,
      { root }: Place,
      remedy: string,
    ): Pick<LineFinding, 'level' | 'message'> | undefined => {
      const status = lost.find((row) => row.code === code);
      const effect = root.role === 'htaccess' ? 'answer 500 here' : 'do not start with this line';
      return (
        status && {
          level: 'error',
          message: `${releasesOf(status)} no status ${code} and ${effect}: ${remedy}`,
        }
      );
    };
    reportLines(context, ['Redirect', 'RedirectMatch'], ({ args }) => {
      const word = args[0]?.value ?? '';
      const status = /^[0-9]+$/.test(word) ? lost.find(({ code }) => code === Number(word)) : undefined;
      return (
        status && {
          level: 'warning',
          message: `${releasesOf(status)} no status ${status.code}, and answer 500 instead: use a code that 2.4 knows, such as 410`,
        }
      );
    });
    reportLines(context, ['ErrorDocument'], ({ args }, place) => {
      const code = args[0]?.value ?? '';
      if (code === '' || isUnknown(code)) return undefined;
      const number = /^[ \t]*\+?[0-9]/.test(code) ? atoi(code) : 0;
      if (isOfSome(number))
        return refused(number, place, 'remove this ErrorDocument, or use a code that 2.4 knows');
      return {
        level: 'error',
        message: `${code} is no status of any httpd: both versions refuse this ErrorDocument; remove it, or correct the code`,
      };
    });
    reportLines(context, ['RewriteRule'], (node, place) => {
      if (!node.rest.includes('=')) return undefined;
      const codes = flagsOf(rewriteWords(node)[2]).flatMap(({ key, value }) =>
        /^r(?:edirect)?$/.test(key) && /^[0-9]/.test(value) && !isUnknown(value) ? [atoi(value)] : [],
      );
      const remedy = 'use a code that 2.4 knows, such as 403 or 410 to refuse a request';
      const unknown = codes.find((code) => !isOfSome(code));
      if (unknown !== undefined)
        return {
          level: 'error',
          message: `${unknown} is no status of any httpd: both versions refuse this RewriteRule; ${remedy}`,
        };
      return codes.map((code) => refused(code, place, remedy)).find((finding) => finding !== undefined);
    });
  },
});
