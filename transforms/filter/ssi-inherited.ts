import type { Place } from '../../src/config';
import { defineTransform } from '../../src/engine';
import type { Directive } from '../../src/syntax';
import { containersOf, isCarriedOver } from '../shared/lines';

const NAMES = ['XBitHack', 'SSIErrorMsg', 'SSITimeFormat', 'SSIUndefinedEcho', 'SSILastModified', 'SSIEtag'];

/** A directive of server-side includes and its place. */
interface SsiLine {
  readonly node: Directive;
  readonly place: Place;
}

export default defineTransform({
  id: 'ssi-inherited',
  changes: ['F04'],
  title: 'Settings of server-side includes are inherited separately',
  why: 'In 2.2, a section with one of these directives has the defaults of all others; in 2.4 it inherits the others.',
  docs: ['modules/filters/mod_include.c: merge_includes_dir_config'],
  advisory: true,
  directives: [],
  onlyWhenUpgrading: true,
  run(context) {
    const scopes = new Map<unknown, SsiLine[]>();
    context.directives(NAMES, (node, place) => {
      if (!isCarriedOver(place)) return;
      const key = containersOf(place).at(-1)?.section ?? place.root;
      const scopeLines = scopes.get(key);
      if (scopeLines === undefined) scopes.set(key, [{ node, place }]);
      else scopeLines.push({ node, place });
    });
    if (scopes.size < 2) return;
    for (const [scope, scopeDirectives] of scopes) {
      const names = new Set(scopeDirectives.map(({ node }) => node.key));
      const others = [...scopes].flatMap(([otherScope, lines]) => (otherScope === scope ? [] : lines));
      const other = others.find(({ node }) => !names.has(node.key));
      // The server level inherits nothing.
      if (
        other === undefined ||
        (scopeDirectives[0]!.place.root.role !== 'htaccess' &&
          containersOf(scopeDirectives[0]!.place).length === 0)
      )
        continue;
      const { node, place } = scopeDirectives[0]!;
      const { line } = other.place.file.document.positionAt(other.node.from);
      context.report({
        file: place.file,
        at: node.from,
        level: 'info',
        safety: 'manual',
        message: `where ${other.node.name} of ${other.place.file.name}:${line} applies too, 2.2 used the default here and 2.4 inherits the value: set ${other.node.name} here as well if that matters`,
        edits: [],
      });
    }
  },
});
