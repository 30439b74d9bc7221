import { isDebianLink, placeCondition } from '../../src/config';
import type { TransformContext, TreeIndex } from '../../src/engine';
import { findModule } from '../../src/httpd/modules';

/**
 * The identifiers of modules that are not httpd's and that a package has put beside the modules of a 2.4, in Debian's directories
 * for them or in RHEL's `conf.modules.d`: those were built for 2.4 and are at work today. A line for a module of 2.4 alone in the
 * same directory shows that the packages there are those of a 2.4; what this program writes stands in no such file.
 */
export function packagedFor24({ index }: TransformContext): ReadonlySet<string> {
  let found = known.get(index);
  if (found === undefined) known.set(index, (found = packagedIn(index)));
  return found;
}

const known = new WeakMap<TreeIndex, ReadonlySet<string>>();

function packagedIn(index: TreeIndex): ReadonlySet<string> {
  const lines = index
    .directives(['LoadModule'])
    .filter(({ place: { file, root } }) => root.role === 'server' && (isDebianLink(file) || IN_RHEL.test(file.path)))
    .map(({ node, place }) => ({ place, identifier: node.args[0]?.value ?? '', directory: directoryOf(place.file.path) }));
  const of24 = new Set(
    lines
      .filter(({ identifier, place }) => findModule(identifier)?.versions === '2.4' && placeCondition(place.chain).on22 !== false)
      .map(({ directory }) => directory),
  );
  const of22 = new Set(
    lines.filter(({ identifier }) => findModule(identifier)?.versions === '2.2').map(({ directory }) => directory),
  );
  return new Set(
    lines
      .filter(({ identifier, directory }) => findModule(identifier) === undefined && of24.has(directory) && !of22.has(directory))
      .map(({ identifier }) => identifier),
  );
} // prettier-ignore

const IN_RHEL = /\/conf\.modules\.d\/[^/]+\.conf$/;

function directoryOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}
