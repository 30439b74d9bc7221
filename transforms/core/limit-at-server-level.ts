import { serversOf } from '../../src/config';
import { removeLine } from '../../src/edit';
import { defineTransform } from '../../src/engine';
import { walk } from '../../src/syntax';
import { isCarriedOver, isAtServerLevel } from '../common/lines';

/** Directives that depend on the methods of a `<Limit>`. Neither version allows them at server level. */
const ACCESS_KEYS = new Set(['allow', 'deny', 'order', 'require', 'satisfy']);

export default defineTransform({
  id: 'limit-at-server-level',
  changes: ['C24'],
  title: 'Limit and LimitExcept at server level',
  stops: true,
  why: 'At server level, 2.2 reads the contents of a <Limit> as if the <Limit> were not there: only access rules depend on it, and they are not allowed there. 2.4 refuses the <Limit>.',
  docs: ['core: Limit', 'server/core.c: ap_limit_section'],
  run(context) {
    const servers = serversOf(context.tree);
    context.sections(['Limit', 'LimitExcept'], (section, place) => {
      if (!isCarriedOver(place) || !isAtServerLevel(place)) return;
      // A file that nothing includes may be meant for the inside of a <Directory>.
      const server = servers.of(place);
      if (server.kind !== 'vhost' && !server.whole) return;
      const { open, close, body } = section;
      const { document } = place.file;
      const common = { file: place.file, at: open.from, level: 'error' as const };
      const hasNoAccessRules = [...walk(body)].every(
        ([node]) => node.kind !== 'section' && (node.kind !== 'directive' || !ACCESS_KEYS.has(node.key)),
      );
      if (close === undefined || !hasNoAccessRules)
        return context.report({
          ...common,
          message: `2.4 refuses <${section.name}> at server level: remove it, or move it into a section`,
        });
      return context.report({
        ...common,
        safety: 'safe',
        message: `2.4 refuses <${section.name}> at server level; it had no effect in 2.2, so its contents stay without it`,
        edits: [removeLine(document, open), removeLine(document, close)],
      });
    });
  },
});
