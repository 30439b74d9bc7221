import { type ConfigFile, isCompleteFor22, type Place, placeCondition, visitTree } from '../../src/config';
import { isRunBy22 } from '../../src/access';
import type { Finding, Transform, TransformContext } from '../../src/engine';
import { findDirective } from '../../src/httpd/directives';
import { findModule } from '../../src/httpd/modules';
import { getOrInsert, memo } from '../../src/maps';
import type { Directive, Section } from '../../src/syntax';

const NEW_SECTIONS = ['Else', 'ElseIf', 'If', 'RequireAll', 'RequireAny', 'RequireNone'];

/** Words after Require that only 2.4 accepts. */
const NEW_PROVIDERS = /^(?:all|env|expr|host|ip|local|method|not)$/i;

/**
 * Whether the server configuration or `.htaccess` of a place was written for 2.4: it has a line that 2.2 refuses, outside of
 * blocks that only 2.4 reads. Lines that the versions read differently then have the meaning of 2.4. A server configuration with
 * a module that no 2.4 has is none: a 2.2 runs it, so that such a line must stand where 2.2 does not refuse it.
 */
export function isWrittenFor24(context: TransformContext, { root }: Place): boolean {
  const roots = rootsWrittenFor24(context);
  if (roots.has(root)) return true;
  // A file that nothing includes counts as a part of the server configuration beside it.
  return root.role === 'unreached' && context.tree.roots.some((serverRoot) => roots.has(serverRoot));
}

const rootsOfIndexes = new WeakMap<TransformContext['index'], ReadonlySet<ConfigFile>>();

function rootsWrittenFor24(context: TransformContext): ReadonlySet<ConfigFile> {
  return getOrInsert(rootsOfIndexes, context.index, () => rootsFor24(context));
}

/** Whether the whole server configuration is written for 2.4: its defaults are then those of 2.4, and nothing changes for it. */
export function isServerFor24(context: TransformContext): boolean {
  return (
    context.tree.roots.some((root) => isWrittenFor24(context, { file: root, chain: [], root })) ||
    loadsModuleOf24(context.index)
  );
}

/** Whether the server loads a module that 2.2 lacks. Other lines may still be of 2.2: it counts for defaults only. */
const loadsModuleOf24 = memo((index: TransformContext['index']): boolean =>
  index
    .directives(['LoadModule'])
    .some(
      ({ node, place }) =>
        place.root.role === 'server' &&
        findModule(node.args[0]?.value ?? '')?.versions === '2.4' &&
        placeCondition(place.chain).on22 !== false,
    ),
);

/**
 * Implements `onlyWhenUpgrading`: in a configuration that was written for 2.4, the lines mean what 2.4 reads, and their author
 * knows the defaults. Only errors are reported as they are.
 */
export function onlyForUpgrades(transform: Transform): Transform {
  return {
    ...transform,
    run: (context) =>
      transform.run({
        ...context,
        report(finding) {
          const { file, level, edits = [] } = finding;
          if (level === 'error') return context.report(finding);
          if (edits.length > 0)
            return context.report(isFileFor24(context, file) ? asWrittenFor24(finding) : finding);
          const isServerFile = file.role === 'server' || file.role === 'included';
          if (!isFileFor24(context, file) && !(isServerFile && isServerFor24(context)))
            context.report(finding);
        },
      }),
  };
}

/**
 * How much it matters that a line is not there, and what its finding begins with. A file that an Include lacks may have it: that
 * file is asked for, and the line once it is there.
 */
export function ofMissingLine(
  { tree }: TransformContext,
  level: Finding['level'],
): { readonly level: Finding['level']; readonly unless: string } {
  return isCompleteFor22(tree)
    ? { level, unless: '' }
    : { level: 'info', unless: 'where no file that is missing here says otherwise, ' };
}

const filesOfIndexes = new WeakMap<TransformContext['index'], ReadonlySet<ConfigFile>>();

function isFileFor24(context: TransformContext, file: ConfigFile): boolean {
  if (rootsWrittenFor24(context).size === 0) return false;
  const filesFor24 = getOrInsert(filesOfIndexes, context.index, () => {
    const found = new Set<ConfigFile>();
    visitTree(context.tree, (_, place) => {
      if (!found.has(place.file) && isWrittenFor24(context, place)) found.add(place.file);
    });
    return found;
  });
  return filesFor24.has(file);
}

/** The finding where {@link isWrittenFor24} holds: without edits, with the reason, in case the line is of 2.2 after all. */
export function asWrittenFor24<T extends Pick<Finding, 'message'>>(
  finding: T,
): T & Pick<Finding, 'level' | 'safety' | 'edits'> {
  return {
    ...finding,
    level: 'info',
    safety: 'manual',
    message: `${finding.message}; nothing is changed, because this configuration has lines for 2.4 already`,
    edits: [],
  };
}

function rootsFor24({ index, tree }: TransformContext): ReadonlySet<ConfigFile> {
  const roots = new Set<ConfigFile>();
  visitLinesFor24(index, (_, { root }) => roots.add(root));
  if (roots.size > 0 && isRunBy22(tree)) for (const root of tree.roots) roots.delete(root);
  return roots;
}

/** Visits the lines and sections that 2.2 refuses, outside of blocks that only 2.4 reads. */
export function visitLinesFor24(
  index: TransformContext['index'],
  visit: (node: Directive | Section, place: Place) => void,
): void {
  const names = [...index.names].filter((name) => name === 'require' || isNewIn24(name));
  index.visitDirectives(names, (node, place) => {
    const [provider] = node.args;
    if (node.key === 'require' && (provider === undefined || !NEW_PROVIDERS.test(provider.value))) return;
    if (placeCondition(place.chain).on22 !== false) visit(node, place);
  });
  for (const { node, place } of index.sections(NEW_SECTIONS))
    if (placeCondition(place.chain).on22 !== false) visit(node, place);
}

/** Whether only 2.4 has a directive. Modules that can be added to 2.2 do not count. */
function isNewIn24(name: string): boolean {
  const directive = findDirective(name);
  return (
    directive !== undefined &&
    directive.owners22.length === 0 &&
    directive.owners24.some((owner) => findModule(`${owner}_module`)?.versions !== 'extra')
  );
}
