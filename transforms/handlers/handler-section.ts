import type { Place } from '../../src/config';
import { containersOf } from '../common/lines';
import { inParts, patternOf } from './guards';

/** Sections in which no `<FilesMatch>` may stand (server/core.c: filesection). */
const WITHOUT_FILES = /^(?:location|locationmatch|files|filesmatch|proxy|proxymatch|if|elseif|else)$/;

/** The lines that set a handler for files whose last extension is one of some, at a place. */
export function handlerLinesFor(
  place: Place,
  extensions: readonly string[],
  handler: string,
  unit: string,
): readonly string[] {
  const inside = WITHOUT_FILES.test(containersOf(place).at(-1)?.section.key ?? '');
  const set = `${unit}SetHandler ${/^[\w/-]+$/.test(handler) ? handler : `"${handler}"`}`;
  return inParts(extensions).flatMap((names) => {
    const pattern = `${patternOf(names)}$`;
    return inside
      ? [`<If "%{REQUEST_FILENAME} =~ m#${pattern}#i">`, set, '</If>']
      : [`<FilesMatch "(?i)${pattern}">`, set, '</FilesMatch>'];
  });
}
