import type { ConfigFile, ConfigTree } from '../../config/types';
import { oneLine, plural } from '../encoding';
import { getOrInsert } from '../../maps';

/** Places that one line names. */
const MAX_PLACES = 3;

const known = new WeakMap<readonly ConfigFile[], string>();

/** How many files there are where, for instance `12 files below /etc/httpd, 31 .htaccess below /var/www`. */
export function filesByPlace({ tops }: Pick<ConfigTree, 'tops'>, files: readonly ConfigFile[]): string {
  return getOrInsert(known, files, () => counted(tops, files));
}

function counted(tops: ConfigTree['tops'], files: readonly ConfigFile[]): string {
  const counts = new Map<string, number>();
  const names = new Map(tops.map(({ path, name }) => [path, name]));
  for (const { path, name, role } of files) {
    const what = role === 'htaccess' ? '.htaccess' : 'file';
    const place = `${what}\n${topOf(path, names) ?? name}`;
    counts.set(place, (counts.get(place) ?? 0) + 1);
  }
  const texts = [...counts].map(([key, count]) => {
    const [what = '', place = ''] = key.split('\n');
    const isOne = count === 1 && files.some(({ name }) => name === place);
    if (isOne) return place;
    return `${what === 'file' ? plural(count, 'file') : `${count} ${what}`} below ${place === '' ? '.' : place}`;
  });
  const more = texts.length - MAX_PLACES;
  return oneLine(
    texts.slice(0, MAX_PLACES).join(', ') + (more > 0 ? ` and in ${plural(more, 'more place')}` : ''),
  );
}

/** The name of the outermost of the places that a path lies in. */
function topOf(path: string, names: ReadonlyMap<string, string>): string | undefined {
  let found: string | undefined;
  for (let at = path; at !== '';) {
    at = at.slice(0, at.lastIndexOf('/'));
    found = names.get(at === '' ? '/' : at) ?? found;
  }
  return found;
}
