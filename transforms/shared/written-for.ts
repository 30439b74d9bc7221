import { type ConfigFile, type ConfigTree, type Place, placeCondition, visitTree } from '../../src/config';
import type { Finding, Transform, TransformContext } from '../../src/engine';
import { findDirective } from '../../src/httpd/directives';
import { findModule } from '../../src/httpd/modules';

const NEW_SECTIONS = ['Else', 'ElseIf', 'If', 'RequireAll', 'RequireAny', 'RequireNone'];

/** What only 2.4 lets follow Require. */
const NEW_PROVIDERS = /^(?:all|env|expr|host|ip|local|method|not)$/i;

const rootsOfTrees = new WeakMap<ConfigTree, ReadonlySet<ConfigFile>>();

/**
 * Whether the server config or `.htaccess` a place belongs to has a line, outside of what is meant for 2.4 alone, that 2.2 refuses: then
 * it was written for 2.4. What both versions read, but not alike, means there what 2.4 makes of it.
 */
export function isWrittenFor24(context: TransformContext, { root }: Place): boolean {
  let roots = rootsOfTrees.get(context.tree);
  if (roots === undefined) rootsOfTrees.set(context.tree, (roots = rootsFor24(context)));
  if (roots.has(root)) return true;
  // A part that nothing includes is one of the server beside it, if of any.
  return root.role === 'unreached' && context.tree.roots.some((serverRoot) => roots.has(serverRoot));
}

/** The same of the server config as a whole: its defaults are 2.4's then, and nothing has changed for it. */
export function isServerFor24(context: TransformContext): boolean {
  return (
    context.tree.roots.some((root) => isWrittenFor24(context, { file: root, chain: [], root })) ||
    loadsModuleOf24(context)
  );
}

/** Whether it loads what no 2.2 can load. Whoever has come so far may still have 2.2's lines besides: that tells of its defaults alone. */
function loadsModuleOf24({ index }: TransformContext): boolean {
  return index
    .directives(['LoadModule'])
    .some(
      ({ node, place }) =>
        place.root.role === 'server' &&
        findModule(node.args[0]?.value ?? '')?.versions === '2.4' &&
        placeCondition(place.chain).on22 !== false,
    );
}

/**
 * What `onlyWhenUpgrading` asks for. Where the configuration was written for 2.4 the lines mean what 2.4 makes of them, and its operators
 * know the rest.
 */
export function onlyForUpgrades(transform: Transform): Transform {
  return {
    ...transform,
    run: (context) =>
      transform.run({
        ...context,
        report(finding) {
          const { file, level, edits } = finding;
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

const filesOfTrees = new WeakMap<ConfigTree, ReadonlySet<ConfigFile>>();

/** Whether a file is read as part of a configuration that was written for 2.4. */
function isFileFor24(context: TransformContext, file: ConfigFile): boolean {
  let filesFor24 = filesOfTrees.get(context.tree);
  if (filesFor24 === undefined) {
    const found = new Set<ConfigFile>();
    visitTree(context.tree, (_, place) => {
      if (!found.has(place.file) && isWrittenFor24(context, place)) found.add(place.file);
    });
    filesOfTrees.set(context.tree, (filesFor24 = found));
  }
  return filesFor24.has(file);
}

/** The same finding where {@link isWrittenFor24} holds: no edits, and a word for the case that this line is from 2.2 all the same. */
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

function rootsFor24({ index }: TransformContext): Set<ConfigFile> {
  const roots = new Set<ConfigFile>();
  const names = [...index.names].filter((name) => name === 'require' || isNewIn24(name));
  index.visitDirectives(names, (node, place) => {
    if (roots.has(place.root)) return;
    const [provider] = node.args;
    if (node.key === 'require' && (provider === undefined || !NEW_PROVIDERS.test(provider.value))) return;
    if (placeCondition(place.chain).on22 !== false) roots.add(place.root);
  });
  for (const { place } of index.sections(NEW_SECTIONS))
    if (placeCondition(place.chain).on22 !== false) roots.add(place.root);
  return roots;
}

/** Directives of modules that were added to 2.2 servers by hand tell nothing. */
function isNewIn24(name: string): boolean {
  const directive = findDirective(name);
  return (
    directive !== undefined &&
    directive.owners22.length === 0 &&
    directive.owners24.some((owner) => findModule(`${owner}_module`)?.versions !== 'extra')
  );
}
