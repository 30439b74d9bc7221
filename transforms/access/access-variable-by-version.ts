import { type Place, placeCondition } from '../../src/config';
import { defineTransform, type TransformContext } from '../../src/engine';
import { addTo } from '../../src/maps';
import type { Directive } from '../../src/syntax';
import { flagsOf, rewriteWords } from '../common/words';
import { type AccessVariable, accessVariables } from './access-variables';

/** Lines that set variables before access is checked, with the number of arguments in front of the names. */
const SETTING: Readonly<Record<string, number>> = {
  SetEnvIf: 2,
  SetEnvIfNoCase: 2,
  SetEnvIfExpr: 1,
  BrowserMatch: 1,
  BrowserMatchNoCase: 1,
  RewriteRule: 0,
};

const ARGUMENTS = new Map(Object.entries(SETTING).map(([name, count]) => [name.toLowerCase(), count]));

/** A line that one version alone may read. */
interface LineOfOne {
  readonly node: Directive;
  readonly place: Place;
  readonly variable: AccessVariable;
  readonly isFor24: boolean;
  /** The line takes the variable away. */
  readonly isUnset: boolean;
}

export default defineTransform({
  id: 'access-variable-by-version',
  changes: [],
  title: 'Access by a variable that one version alone sets',
  why: 'A block that only 2.2 or only 2.4 reads sets a variable by which Allow or Deny decides, so that the two versions let in others.',
  docs: ['mod_setenvif: SetEnvIf', 'mod_authz_host: Allow', 'core: <IfModule>, <IfVersion>'],
  advisory: true,
  onlyWhenUpgrading: true,
  run(context) {
    for (const { node, place, variable, isFor24, isUnset } of linesOfOne(context)) {
      const { name, letsIn, keepsOut } = variable;
      const isOpened = isFor24 === isUnset ? keepsOut : letsIn;
      const decided = (isOpened ?? letsIn ?? keepsOut)!;
      const { line } = decided.file.document.positionAt(decided.node.from);
      const where = decided.file === place.file ? `line ${line}` : `${decided.file.name}:${line}`;
      const who = isOpened === undefined ? '2.4 refuses whom 2.2 let in' : '2.4 lets in whom 2.2 refused';
      context.report({
        file: place.file,
        at: node.from,
        level: 'error',
        changesAccess: true,
        message: `${name} decides about access (${where}), and only ${isFor24 ? '2.4' : '2.2'} reads this line, so that ${who}: write it for both versions, or take it out`,
      });
    }
  },
});

/** The lines of which the other version has no twin. */
function linesOfOne(context: TransformContext): readonly LineOfOne[] {
  const asked = accessVariables(context);
  const byText = new Map<string, LineOfOne[]>();
  if (asked.size > 0)
    context.directives(Object.keys(SETTING), (node, place) => {
      const { on22, on24 } = placeCondition(place.chain);
      if (on22 === on24 || place.root.role === 'unreached') return;
      const isFor24 = on22 === false || on24 === true;
      for (const word of namesSet(node)) {
        const name = word.replace(/^!/, '').toLowerCase();
        const variable = asked.get(name);
        if (variable === undefined) continue;
        const line = { node, place, variable, isFor24, isUnset: word.startsWith('!') };
        addTo(byText, `${name} ${node.key} ${node.args.map(({ value }) => value).join(' ')}`, line);
      }
    });
  const isOfBoth = (lines: readonly LineOfOne[]): boolean =>
    lines.some(({ isFor24 }) => isFor24) && lines.some(({ isFor24 }) => !isFor24);
  return [...byText.values()].flatMap((lines) => (isOfBoth(lines) ? [] : lines));
}

/** The variables that a line sets, and with `!` those that it takes away. */
function namesSet(node: Directive): readonly string[] {
  const words =
    node.key === 'rewriterule'
      ? flagsOf(rewriteWords(node)[2]).flatMap(({ key, value }) =>
          key === 'e' || key === 'env' ? [value] : [],
        )
      : node.args.slice(ARGUMENTS.get(node.key)).map(({ value }) => value);
  return words.map((word) => word.replace(/[=:].*$/s, ''));
}
