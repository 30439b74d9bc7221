import { defineTransform } from '../../src/engine';
import type { Section } from '../../src/syntax';
import { walk } from '../../src/syntax';
import { isCarriedOver } from '../shared/lines';

/** Of sections with these the rule for access says what is to be done. */
const ACCESS_DIRECTIVES = new Set(['allow', 'deny', 'order', 'require', 'satisfy']);

export default defineTransform({
  id: 'directory-match-end',
  changes: ['C26'],
  title: 'DirectoryMatch that ends in $',
  why: 'In 2.2, $ never matches in a regular expression for directories, so that the section has no effect. In 2.4 it matches, and it matches whole file names too.',
  docs: ['core: DirectoryMatch', 'server/request.c: ap_directory_walk'],
  advisory: true,
  directives: [],
  onlyWhenUpgrading: true,
  run(context) {
    context.sections(['Directory', 'DirectoryMatch'], (section, place) => {
      if (!isCarriedOver(place) || !neverMatchedIn22(section)) return;
      if (
        [...walk(section.body)].some(([node]) => node.kind === 'directive' && ACCESS_DIRECTIVES.has(node.key))
      )
        return;
      context.report({
        file: place.file,
        at: section.open.from,
        level: 'warning',
        safety: 'manual',
        message: `2.2 never used this section, because $ never matched; 2.4 does: remove it, unless it is wanted`,
        edits: [],
      });
    });
  },
});

/** Whether every match of the regular expression needs an end; `(/|$)` has another way. */
function neverMatchedIn22({ key, args }: Section): boolean {
  const isRegexSection = args[0]?.value === '~';
  if (key === 'directory' && !isRegexSection) return false;
  const regex = args[isRegexSection ? 1 : 0]?.value ?? '';
  const unconditional = regex
    .replace(/\((?:\?:)?(?:\/\|\$|\$\|\/)\)/g, '')
    .replace(/\\.|\[\^?\]?[^\]]*\]/gs, '');
  return unconditional.includes('$') && !unconditional.includes('|');
}
