import { isConditional, isDebianLink, placeCondition, serverStateOf } from '../../../src/config';
import type { TransformContext, TreeIndex } from '../../../src/engine';
import { findModule } from '../../../src/httpd/modules';
import { getOrInsert } from '../../../src/maps';

/**
 * The identifiers of modules that are not httpd's and were built for 2.4, since a 2.4 loads them today: where the
 * configuration is a 2.4's own, and where a package has put them beside the modules of a 2.4, in Debian's directories for them
 * or in RHEL's `conf.modules.d`. A line for a module of 2.4 alone in the same directory shows that the packages there are those
 * of a 2.4; what this program writes stands in no such file.
 */
export function packagedFor24({ index, tree }: TransformContext): ReadonlySet<string> {
  return getOrInsert(known, index, () => (isRunBy24({ index, tree }) ? foreignIn(index) : packagedIn(index)));
}

const known = new WeakMap<TreeIndex, ReadonlySet<string>>();

/** What each 2.4 that loads its modules loads as it starts. */
const OF_EACH_24 = /^(?:unixd|mpm_\w+)_module$/;

/**
 * Whether the configuration is one that a 2.4 runs: it loads mod_access_compat, or has nothing of 2.2 left and loads what each
 * 2.4 does. Such lines of this program stand in conditionals, and it never writes the first.
 */
export function isRunBy24({ index, tree }: Pick<TransformContext, 'index' | 'tree'>): boolean {
  const lines = index
    .directives(['LoadModule'])
    .filter(
      ({ place: { root, chain } }) =>
        root.role === 'server' && !chain.some(({ section }) => isConditional(section)),
    )
    .map(({ node }) => node.args[0]?.value ?? '');
  const versions = new Set(lines.map((identifier) => findModule(identifier)?.versions));
  if (!tree.isServer || versions.has('2.2')) return false;
  return (
    lines.includes('access_compat_module') ||
    (lines.some((identifier) => OF_EACH_24.test(identifier)) && serverStateOf(tree)?.kind === '2.4')
  );
}

/** All modules that are loaded and not httpd's. */
function foreignIn(index: TreeIndex): ReadonlySet<string> {
  const lines = index.directives(['LoadModule']).filter(({ place: { root } }) => root.role === 'server');
  const identifiers = lines.map(({ node }) => node.args[0]?.value ?? '');
  return new Set(identifiers.filter((identifier) => findModule(identifier) === undefined));
}

function packagedIn(index: TreeIndex): ReadonlySet<string> {
  const lines = index
    .directives(['LoadModule'])
    .filter(
      ({ place: { file, root } }) =>
        root.role === 'server' && (isDebianLink(file) || IN_RHEL.test(file.path)),
    )
    .map(({ node, place }) => ({
      place,
      identifier: node.args[0]?.value ?? '',
      directory: directoryOf(place.file.path),
    }));
  const of24 = new Set(
    lines
      .filter(
        ({ identifier, place }) =>
          findModule(identifier)?.versions === '2.4' && placeCondition(place.chain).on22 !== false,
      )
      .map(({ directory }) => directory),
  );
  const of22 = new Set(
    lines
      .filter(({ identifier }) => findModule(identifier)?.versions === '2.2')
      .map(({ directory }) => directory),
  );
  return new Set(
    lines
      .filter(
        ({ identifier, directory }) =>
          findModule(identifier) === undefined && of24.has(directory) && !of22.has(directory),
      )
      .map(({ identifier }) => identifier),
  );
}

const IN_RHEL = /\/conf\.modules\.d\/[^/]+\.conf$/;

function directoryOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}
