import { isDeadRegex, refusesEverybody } from '../../src/access';
import { defineTransform } from '../../src/engine';
import type { Section } from '../../src/syntax';
import { walk } from '../../src/syntax';
import { isCarriedOver } from '../common/lines';

/** Sections with these directives are left to order-allow-deny. */
const ACCESS_DIRECTIVES = new Set(['allow', 'deny', 'order', 'require', 'satisfy']);

const NEVER_APPLIED =
  '2.2 never applied this section, because $ did not match a directory; 2.4 applies it to such a directory without the slash behind it, and to files of such names, but not to what is in the directory: remove the section, or write (/|$) for $ if it is wanted';

/** A file that everybody who looks for such directories asks for, by what a pattern calls them. */
const SOUGHT: Readonly<Record<string, string>> = {
  __proto__: null!,
  svn: '/.svn/entries',
  git: '/.git/config',
  hg: '/.hg/hgrc',
  CVS: '/CVS/Entries',
};

/** 2.4 refuses what it names; what is in there, 2.4 sends as 2.2 did. */
function neverRefused({ open }: Section): string {
  const [name = ''] = /svn|git|hg|CVS/.exec(open.rest) ?? [];
  const sought = SOUGHT[name];
  return `2.2 never applied this section, because $ did not match a directory; 2.4 refuses what it names, and still sends the files in there${sought === undefined ? '' : `, such as ${sought}`}: write (/|$) for $ to keep them out`;
}

export default defineTransform({
  id: 'directory-match-end',
  changes: ['C26'],
  title: 'DirectoryMatch that ends in $',
  why: 'In 2.2, $ never matches in a regular expression for directories, so the section has no effect. In 2.4 it matches, and it also matches at the end of file names.',
  docs: ['core: DirectoryMatch', 'server/request.c: ap_directory_walk'],
  advisory: true,
  onlyWhenUpgrading: true,
  run(context) {
    context.sections(['Directory', 'DirectoryMatch'], (section, place) => {
      if (!isCarriedOver(place) || !neverMatchedIn22(section)) return;
      const refuses = refusesEverybody(section);
      if (
        !refuses &&
        [...walk(section.body)].some(([node]) => node.kind === 'directive' && ACCESS_DIRECTIVES.has(node.key))
      )
        return;
      context.report({
        file: place.file,
        at: section.open.from,
        level: 'warning',
        changesAccess: true,
        message: refuses ? neverRefused(section) : NEVER_APPLIED,
      });
    });
  },
});

/** Whether it is for directories by a regular expression that cannot match without `$`. With `(/|$)`, it can. */
function neverMatchedIn22({ key, args }: Section): boolean {
  const isRegexSection = args[0]?.value === '~';
  if (key === 'directory' && !isRegexSection) return false;
  return isDeadRegex(args[isRegexSection ? 1 : 0]?.value ?? '');
}
