import { type ConfigFile, conditionOf, isModuleLacked, placeCondition } from '../../src/config';
import { replaceArgument } from '../../src/edit';
import { type TransformContext, defineTransform } from '../../src/engine';
import { findDirective } from '../../src/httpd/directives';
import { findModule, nameIn24, reasonModuleGone } from '../../src/httpd/modules';
import type { Node, Section } from '../../src/syntax';
import { plainName } from './module-lines';

export default defineTransform({
  id: 'if-module-name',
  changes: ['R03', 'R04', 'R05', 'R14'],
  title: '<IfModule> with module names of 2.2',
  why: '2.4 renamed mod_disk_cache and mod_example, moved mod_authn_alias into mod_authn_core, and removed three modules. A block that asks for an old name is silently skipped.',
  docs: ['upgrading', 'core: <IfModule>'],
  run(context) {
    context.sections(['IfModule'], (node, place) => {
      const [arg] = node.args;
      if (arg === undefined || placeCondition(place.chain).on24 === false) return;
      const [, negation = '', name = ''] = /^(!?)(.*)$/s.exec(arg.value) ?? [];
      const module = findModule(name);
      if (module === undefined) return;
      const { file } = place;
      const at = node.open.from;
      const newName = nameIn24(name);
      if (newName !== name) {
        // Under its new name, every 2.4 would read the block, or none: version-block collapses it instead.
        if (context.dual === false && conditionOf(node).on24 !== undefined) return;
        const message = `${name} is called ${newName} in 2.4`;
        const edits = [replaceArgument(file.document, arg, negation + newName)];
        context.report({ file, at, level: 'warning', safety: 'safe', message, edits });
      } else reportRemovedModule(context, node, place.file, name, negation !== '');
    });
  },
});

/** Reports a block for a module that 2.4 does not have, if it holds more than directives of that module. */
function reportRemovedModule(
  context: TransformContext,
  node: Section,
  file: ConfigFile,
  name: string,
  negated: boolean,
): void {
  const module = findModule(name)!;
  if (reasonModuleGone(module.identifier) === undefined) return;
  if (!node.body.some((child) => isForAnotherModule(child, plainName(module.identifier)))) return;
  // What no line loads, 2.2 did not read either.
  if (!negated && isModuleLacked(context.tree, module.identifier)) return;
  const message = negated
    ? `2.4 has no ${name} and always reads this block: check that its lines are wanted`
    : `2.4 has no ${name} and never reads this block: move out what is still needed`;
  context.report({ file, at: node.open.from, level: 'warning', message });
}

function isForAnotherModule(node: Node, owner: string): boolean {
  if (node.kind !== 'directive' && node.kind !== 'section') return node.kind === 'raw';
  return findDirective(node.key)?.owners22.includes(owner) !== true;
}
