import { type ConfigFile, type ConfigTree, type Place, placeCondition, visitTree } from '../../src/config';
import type { Finding, Transform, TransformContext } from '../../src/engine';
import { findDirective } from '../../src/httpd/directives';
import { findModule } from '../../src/httpd/modules';

const SECTIONS = ['Else', 'ElseIf', 'If', 'RequireAll', 'RequireAny', 'RequireNone'];

/** What only 2.4 lets follow Require. */
const PROVIDERS = /^(?:all|env|expr|host|ip|local|method|not)$/i;

const cache = new WeakMap<ConfigTree, ReadonlySet<ConfigFile>>();

/**
 * Whether the server config or `.htaccess` a place belongs to has a line, outside of what is meant for 2.4 alone, that 2.2 refuses: then
 * it was written for 2.4. What both versions read, but not alike, means there what 2.4 makes of it.
 */
export function isWrittenFor24(context: TransformContext, { root }: Place): boolean {
  let roots = cache.get(context.tree);
  if (roots === undefined) cache.set(context.tree, (roots = rootsFor24(context)));
  if (roots.has(root)) return true;
  // A part that nothing includes is one of the server beside it, if of any.
  return root.role === 'unreached' && context.tree.roots.some((one) => roots.has(one));
}

/** The same of the server config as a whole: its defaults are 2.4's then, and nothing has changed for it. */
export function isServerFor24(context: TransformContext): boolean {
  return (
    context.tree.roots.some((root) => isWrittenFor24(context, { file: root, chain: [], root })) ||
    loads24(context)
  );
}

/** Whether it loads what no 2.2 can load. Whoever has come so far may still have 2.2's lines besides: that tells of its defaults alone. */
function loads24({ index }: TransformContext): boolean {
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
          const ofServer = file.role === 'server' || file.role === 'included';
          if (!isFileFor24(context, file) && !(ofServer && isServerFor24(context))) context.report(finding);
        },
      }),
  };
}

const files = new WeakMap<ConfigTree, ReadonlySet<ConfigFile>>();

/** Whether a file is read as part of a configuration that was written for 2.4. */
function isFileFor24(context: TransformContext, file: ConfigFile): boolean {
  let known = files.get(context.tree);
  if (known === undefined) {
    const found = new Set<ConfigFile>();
    visitTree(context.tree, (_, place) => {
      if (!found.has(place.file) && isWrittenFor24(context, place)) found.add(place.file);
    });
    files.set(context.tree, (known = found));
  }
  return known.has(file);
}

/** The same finding where {@link isWrittenFor24} holds: no edits, and a word for the case that this line is from 2.2 all the same. */
export function asWrittenFor24<T extends Pick<Finding, 'message'>>(
  told: T,
): T & Pick<Finding, 'level' | 'safety' | 'edits'> {
  return {
    ...told,
    level: 'info',
    safety: 'manual',
    message: `${told.message}; nothing is changed, because this configuration has lines for 2.4 already`,
    edits: [],
  };
}

function rootsFor24({ index }: TransformContext): Set<ConfigFile> {
  const roots = new Set<ConfigFile>();
  const names = [...index.names].filter((name) => name === 'require' || isNew(name));
  index.visitDirectives(names, (node, place) => {
    if (roots.has(place.root)) return;
    const [word] = node.args;
    if (node.key === 'require' && (word === undefined || !PROVIDERS.test(word.value))) return;
    if (placeCondition(place.chain).on22 !== false) roots.add(place.root);
  });
  for (const { place } of index.sections(SECTIONS))
    if (placeCondition(place.chain).on22 !== false) roots.add(place.root);
  return roots;
}

/** Directives of modules that were added to 2.2 servers by hand tell nothing. */
function isNew(name: string): boolean {
  const known = findDirective(name);
  return (
    known !== undefined &&
    known.owners22.length === 0 &&
    known.owners24.some((owner) => findModule(`${owner}_module`)?.versions !== 'extra')
  );
}
