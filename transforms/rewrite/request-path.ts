import type { Place } from '../../src/config';
import type { TreeIndex } from '../../src/engine';
import { containersOf } from '../common/lines';

/** How requests name the paths that rules are compared with. */
export class RequestPaths {
  /** The directories of sites, without a slash at the end. */
  readonly #roots: ReadonlySet<string>;

  constructor(index: TreeIndex) {
    const lines = index.directives(['DocumentRoot']);
    this.#roots = new Set(lines.map(({ node }) => withoutSlash(node.args[0]?.value ?? '')));
  }

  /** A path below the directory of a rule, as a URL has it. @param path begins with a slash */
  of(place: Place, path: string): string {
    return escaped(`${this.#prefixOf(place)}${path}`);
  }

  /** The URL of the directory that a rule stands in, where DocumentRoot tells: else it is taken for that of the site. */
  #prefixOf(place: Place): string {
    const container = containersOf(place).findLast(({ section: { key } }) =>
      OF_DIRECTORIES.has(key),
    )?.section;
    const argument = withoutSlash(container?.args[0]?.value ?? '');
    if (container?.key === 'location') return argument;
    const directory =
      place.root.role === 'htaccess' ? withoutSlash(place.root.directories[0] ?? '') : argument;
    for (let end = directory.length; end > 0; end = directory.lastIndexOf('/', end - 1))
      if (this.#roots.has(directory.slice(0, end))) return directory.slice(end);
    return '';
  }
}

const OF_DIRECTORIES: ReadonlySet<string> = new Set(['directory', 'location']);

function withoutSlash(path: string): string {
  return path.endsWith('/') ? path.slice(0, -1) : path;
}

/** Percent signs and bytes for what cannot stand in a URL. */
function escaped(path: string): string {
  return path.replace(
    /[^\w./~!$&'()*+,;=:@-]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
}
