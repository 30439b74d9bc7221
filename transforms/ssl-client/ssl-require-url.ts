import { asksAboutEachUrl } from '../../src/access';
import type { Place } from '../../src/config';
import { insertAfter } from '../../src/edit';
import { defineTransform } from '../../src/engine';
import type { Directive, Section, SectionClose } from '../../src/syntax';
import { OR_ASK_AGAIN } from '../common/access-lines';
import { containersOf, eachLine } from '../common/lines';
import { asWrittenFor24, isWrittenFor24 } from '../common/written-for';
import { readTokens22 } from '../common/words';

/** What is another for a subrequest, or after an internal redirect (ssl_engine_vars.c: ssl_var_lookup). */
const OF_REQUEST = /^(?:REQUEST_(?:URI|FILENAME|METHOD)|SCRIPT_FILENAME|PATH_INFO|QUERY_STRING|ENV:.*)$/i;

/** What is another for a subrequest alone: SERVER_PROTOCOL is INCLUDED there (server/protocol.c: ap_set_sub_req_protocol). */
const OF_SUBREQUEST = /^(?:IS_SUBREQ|SERVER_PROTOCOL)$/i;

/** An empty section that subrequests alone meet: with it, their configuration is another one, and 2.4 asks. */
const ASK_AGAIN = ['<If "-T %{IS_SUBREQ}">', '</If>'];

export default defineTransform({
  id: 'ssl-require-url',
  changes: ['A24'],
  title: 'SSLRequire asks for the URL, and a request leads to others',
  why: 'An index file, a part of a page and what an internal redirect leads to have URLs of their own, and the protocol of what is looked up is INCLUDED. Where a <Location> or a <Files> is met, 2.2 asked SSLRequire about these, too. 2.4 asks only if other sections are met than before, as an empty <If> for lookups alone is.',
  docs: [
    'server/request.c: ap_process_request_internal',
    'server/protocol.c: ap_set_sub_req_protocol',
    'mod_ssl: SSLRequire',
  ],
  onlyWhenUpgrading: true,
  run(context) {
    const done = new Set<object>();
    eachLine(context, ['SSLRequire'], (node, place) => {
      const { file } = place;
      const names = (readTokens22(node.rest) ?? []).flatMap(({ kind, text }) =>
        kind === 'variable' ? text : [],
      );
      const ofRequest = names.find((name) => OF_REQUEST.test(name));
      const asked = ofRequest ?? names.find((name) => OF_SUBREQUEST.test(name));
      if (asked === undefined || !asksAboutEachUrl(context.tree, undefined)) return;
      const section = containersOf(place).at(-1)?.section;
      const end = endOf(place, node);
      const isOwn =
        end !== undefined && section !== undefined && /^(?:location|files)(?:match)?$/.test(section.key);
      if (isOwn && !done.has(section) && !asksAgain(section)) {
        done.add(section);
        const finding = {
          file,
          at: node.from,
          level: 'error',
          safety: 'safe',
          message: `SSLRequire asks for ${asked}: 2.2 also asked about an index file and a part of a page, and an empty <If> for subrequests makes 2.4 do so`,
          edits: [insertAfter(file.document, end, ASK_AGAIN)],
        } as const;
        context.report(isWrittenFor24(context, place) ? asWrittenFor24(finding) : finding);
      }
      if (isOwn && ofRequest === undefined) return;
      context.report({
        file,
        at: node.from,
        level: 'error',
        message: `SSLRequire asks for ${asked}: 2.2 also asked about ${isOwn ? '' : 'an index file, a part of a page and '}what a redirect leads to, and 2.4 does so only where other sections are met; write the limit in a <Location> for the URLs that it is for, ${OR_ASK_AGAIN}`,
      });
    });
  },
});

/** What an <If> can stand below: the line, or the end of the <Limit> around it, in which httpd allows none. */
function endOf({ chain, file }: Place, node: Directive): Directive | SectionClose | undefined {
  const limit = chain.find(({ section }) => /^limit(?:except)?$/.test(section.key));
  if (limit === undefined) return node;
  return limit.file === file ? limit.section.close : undefined;
}

/** Whether a section has such an <If> already. */
function asksAgain({ body }: Section): boolean {
  return body.some(
    (node) => node.kind === 'section' && node.key === 'if' && /%\{IS_SUBREQ\}/i.test(node.open.rest),
  );
}
