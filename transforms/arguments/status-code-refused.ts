import type { Place } from '../../src/config';
import { defineTransform } from '../../src/engine';
import { livesIn, nameOf } from '../../src/httpd/release';
import type { Directive } from '../../src/syntax';
import { flagsOf, rewriteWords } from '../shared/rewrite-words';
import { LOST_STATUSES, type LostStatus } from './status-codes';
import { atoi, eachLine, isUnknown } from '../shared/lines';

export default defineTransform({
  id: 'status-code-refused',
  changes: [],
  title: 'Status codes that 2.4 does not know',
  why: '2.2 accepts every code in its table for ErrorDocument and for the R flag of RewriteRule, even codes without a meaning (306, 418, 419, 420, 425, 509). Since 2.4.3 these are gaps in the table: 2.4 does not start with such a line, or answers 500 if it is in a .htaccess.',
  docs: [
    'core: ErrorDocument',
    'rewrite/flags: R',
    'modules/http/http_protocol.c: status_lines',
    'server/core.c: set_error_document',
    'modules/mappers/mod_rewrite.c: cmd_rewriterule_setflag',
  ],
  advisory: true,
  directives: [],
  run(context) {
    const lostStatuses = new Map(
      LOST_STATUSES.filter((status) => livesIn(status, context.target)).map((status) => [
        status.code,
        status,
      ]),
    );
    const reportStatus = (
      node: Directive,
      place: Place,
      status: LostStatus | undefined,
      remedy: string,
    ): void => {
      if (status === undefined) return;
      context.report({
        file: place.file,
        at: node.from,
        level: 'error',
        safety: 'manual',
        message: `${nameOf(status.since ?? 1)}${status.until === undefined ? ' and later have' : ` to ${nameOf(status.until)} have`} no status ${status.code} and ${place.root.role === 'htaccess' ? 'answer 500 here' : 'do not start with this line'}: ${remedy}`,
        edits: [],
      });
    };
    eachLine(context, ["ErrorDocument"], (node, place) => {
      const code = node.args[0]?.value ?? '';
      if (/^[ \t]*\+?[0-9]/.test(code))
        reportStatus(node, place, lostStatuses.get(atoi(code)), 'remove this ErrorDocument, or use a code that 2.4 knows');
    }); // prettier-ignore
    eachLine(context, ['RewriteRule'], (node, place) => {
      if (!node.rest.includes('=')) return;
      for (const { key, value } of flagsOf(rewriteWords(node)[2]))
        if ((key === 'r' || key === 'redirect') && /^[0-9]/.test(value) && !isUnknown(value))
          reportStatus(node, place, lostStatuses.get(atoi(value)), 'use a code that 2.4 knows, such as 403 or 410 to refuse a request');
    }); // prettier-ignore
  },
});
