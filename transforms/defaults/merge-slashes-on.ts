import { type Server, conditionIn, isMerging, serversOf, slashesLines } from '../../src/config';
import { replaceArgument } from '../../src/edit';
import { defineTransform } from '../../src/engine';
import { FACTS } from '../../src/httpd/facts';
import type { Directive } from '../../src/syntax';
import { isServerFor24 } from '../common/written-for';
import { patternForAccess } from './configuration-use';

export default defineTransform({
  id: 'merge-slashes-on',
  changes: ['C29'],
  title: 'MergeSlashes On where patterns decide who gets in',
  why: 'A line that only 2.4 reads makes several slashes of a URL one, which 2.2 never did for <LocationMatch>. Such a section is then met by other URLs: /a//b is /a/b. MergeSlashes Off keeps what 2.2 answered.',
  docs: ['core: MergeSlashes', 'server/request.c: ap_location_walk'],
  lifeSpan: FACTS['merge-slashes'],
  run(context) {
    const servers = serversOf(context.tree);
    if (servers.main?.whole !== true || isServerFor24(context)) return;
    const seen = new Set<Directive>();
    for (const server of servers.all) {
      if (server.kind === 'fragment') continue;
      const lines = slashesLines(server).filter((line) => isMerging(line) && conditionIn(line).on22 !== true);
      if (lines.length === 0) continue;
      // Sections of the main server are met in each virtual host, and its line counts in each that has none.
      const isMetIn = (other: Server): boolean =>
        server.kind === 'main' || other === server || other === servers.main;
      const section = patternForAccess(context.index, (place) => isMetIn(servers.of(place)));
      if (section === undefined) continue;
      for (const { node, place } of lines) {
        const [word] = node.args;
        if (word === undefined || seen.has(node)) continue;
        seen.add(node);
        const { document } = place.file;
        context.report({
          file: place.file,
          at: node.start,
          level: 'warning',
          safety: section.mayLetIn ? 'safe' : 'manual',
          message: `with MergeSlashes On, 2.4 takes several slashes of a URL for one, which 2.2 did not, so that the section at ${section.line} decides about other URLs who gets in${section.mayLetIn ? ': it is made Off' : ': write Off if that is not meant'}`,
          edits: section.mayLetIn ? [replaceArgument(document, word, 'Off')] : [],
        });
      }
    }
  },
});
