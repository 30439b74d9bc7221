import { asksAboutEachUrl } from '../../src/access';
import { defineTransform } from '../../src/engine';
import { OR_ASK_AGAIN } from '../common/access-lines';
import { eachLine } from '../common/lines';
import { readTokens22 } from './ssl-require-22';

/** What is another for a subrequest, or after an internal redirect (ssl_engine_vars.c: ssl_var_lookup). */
const OF_REQUEST =
  /^(?:REQUEST_(?:URI|FILENAME|METHOD)|SCRIPT_FILENAME|PATH_INFO|QUERY_STRING|IS_SUBREQ|ENV:.*)$/i;

export default defineTransform({
  id: 'ssl-require-url',
  changes: ['A24'],
  title: 'SSLRequire asks for the URL, and a request leads to others',
  why: 'An index file, a part of a page and what an internal redirect leads to have URLs of their own. Where a <Location> or a <Files> is met, 2.2 asked SSLRequire about these, too. 2.4 asks only if other sections are met than before.',
  docs: ['server/request.c: ap_process_request_internal', 'mod_ssl: SSLRequire'],
  advisory: true,
  onlyWhenUpgrading: true,
  directives: [],
  run(context) {
    eachLine(context, ['SSLRequire'], (node, { file }) => {
      const asked = readTokens22(node.rest)?.find(
        ({ kind, text }) => kind === 'variable' && OF_REQUEST.test(text),
      );
      if (asked === undefined || !asksAboutEachUrl(context.tree, undefined)) return;
      context.report({
        file,
        at: node.from,
        level: 'error',
        safety: 'manual',
        message: `SSLRequire asks for ${asked.text}: 2.2 also asked about an index file, a part of a page and what a redirect leads to, and 2.4 does so only where other sections are met; write the limit in a <Location> for the URLs that it is for, ${OR_ASK_AGAIN}`,
        edits: [],
      });
    });
  },
});
