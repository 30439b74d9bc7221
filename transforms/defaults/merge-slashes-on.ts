import { type Place, conditionIn, isMerging, serversOf, slashesLines } from '../../src/config';
import { replaceArgument } from '../../src/edit';
import { type TreeIndex, defineTransform } from '../../src/engine';
import { FACTS } from '../../src/httpd/facts';
import type { Directive } from '../../src/syntax';
import { isServerFor24 } from '../common/written-for';
import { lineOfAlias, lineOfRefusal, patternForAccess, patternWithSlashes } from './configuration-use';

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
      // Lines of the main server are met in each virtual host, and its MergeSlashes counts in each that has none.
      const isMet = (at: Place): boolean => {
        const other = servers.of(at);
        return server.kind === 'main' || [server, servers.main].includes(other) || other.kind === 'htaccess';
      };
      const effect = effectOf(context.index, isMet);
      if (effect === undefined) continue;
      for (const { node, place } of lines) {
        const [word] = node.args;
        if (word === undefined || seen.has(node)) continue;
        seen.add(node);
        const { document } = place.file;
        context.report({
          file: place.file,
          at: node.start,
          level: 'warning',
          changesAccess: true,
          safety: effect.mayLetIn ? 'safe' : 'manual',
          message: `with MergeSlashes On, 2.4 takes several slashes of a URL for one, which 2.2 did not, so that ${effect.text}${effect.mayLetIn ? ': it is made Off' : ': write Off if that is not meant'}`,
          edits: effect.mayLetIn ? [replaceArgument(document, word, 'Off')] : [],
        });
      }
    }
  },
});

/** What merged slashes do to who gets in; undefined for nothing. */
function effectOf(
  index: TreeIndex,
  isMet: (place: Place) => boolean,
): { readonly text: string; readonly mayLetIn: boolean } | undefined {
  const section = patternForAccess(index.ofServer, isMet);
  const letsIn = section?.mayLetIn === true;
  const line = letsIn
    ? undefined
    : (lineOfRefusal(index, isMet) ?? patternWithSlashes(index.ofServer, isMet) ?? lineOfAlias(index, isMet));
  if (line !== undefined) return { text: `the pattern at ${line} is for other URLs`, mayLetIn: true };
  return (
    section && {
      text: `the section at ${section.line} decides about other URLs who gets in`,
      mayLetIn: letsIn,
    }
  );
}
