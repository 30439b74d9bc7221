import { serversOf } from '../../src/config';
import { removeLine } from '../../src/edit';
import { defineTransform } from '../../src/engine';
import { walk } from '../../src/syntax';
import { isCarriedOver, isAtServerLevel } from '../shared/lines';

/** What looks at the methods of a Limit; neither version has any of these at server level. */
const ACCESS_KEYS = new Set(['allow', 'deny', 'order', 'require', 'satisfy']);

export default defineTransform({
  id: 'limit-at-server-level',
  changes: ['C24'],
  title: 'Limit outside directories',
  why: 'At server level, 2.2 reads the contents of a <Limit> as if the <Limit> were not there: only access rules depend on it, and they are not allowed there. 2.4 refuses it.',
  docs: ['core: Limit', 'server/core.c: ap_limit_section'],
  directives: [],
  run(context) {
    const servers = serversOf(context.tree);
    context.sections(['Limit', 'LimitExcept'], (section, place) => {
      if (!isCarriedOver(place) || !isAtServerLevel(place)) return;
      // A part of a configuration may be for a place inside of a directory.
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
          safety: 'manual',
          message: `2.4 refuses <${section.name}> outside directories: remove it, or move it into a section`,
          edits: [],
        });
      return context.report({
        ...common,
        safety: 'safe',
        message: `2.4 refuses <${section.name}> outside directories; it had no effect on its contents`,
        edits: [removeLine(document, open), removeLine(document, close)],
      });
    });
  },
});
