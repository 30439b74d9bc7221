import { existsSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { LAW, type Place } from './law';

/** A rule of the linter for some files, as `.oxlintrc.json` has it. */
interface Override {
  readonly files: readonly string[];
  readonly rules: Readonly<Record<string, unknown>>;
}

const RULE = 'no-restricted-imports';

/** True for a place that is a file, not a folder. */
export const isFile = (path: string): boolean => existsSync(`${path}.ts`);

/** Another path as an import in the place names it. */
function relative({ place }: Place, to: string): string {
  const path = posix.relative(isFile(place) ? posix.dirname(place) : place, to);
  return path.startsWith('.') ? path : `./${path}`;
}

/** Places in the folder of a place, which it may not import. */
const strangersIn = (place: Place): string[] =>
  LAW.filter((other) => posix.dirname(other.place) === place.place)
    .filter((other) => !place.imports.includes(other.place))
    .map((other) => relative(place, other.place));

function overrideOf(place: Place): Override {
  const refused = isFile(place.place) ? ['.', './*'] : strangersIn(place);
  const allowed = [
    ...place.imports.map((to) => relative(place, to)),
    ...place.node.map((name) => `node:${name}`),
  ];
  const patterns = [
    {
      // Of several patterns that match, the last counts. '!../*' would allow '../..' too.
      group: ['../**', './*/**', 'node:**', ...refused, ...allowed.map((path) => `!${path}`), '..', '../..'],
      message: `testing/imports/law.ts says what ${place.place} may import.`,
    },
  ];
  return {
    files: [isFile(place.place) ? `${place.place}.ts` : `${place.place}/*.ts`],
    rules: { [RULE]: ['error', { patterns }] },
  };
}

/** From the general to the special: the linter takes the last one for a file. */
const rank = ({ place }: Place): number => (place.endsWith('/*') ? 0 : isFile(place) ? 2 : 1);

/** The linter's configuration with the import law in it, as JSON that is not laid out yet. */
export function lintConfig(): string {
  const config = JSON.parse(readFileSync('.oxlintrc.json', 'utf8')) as { overrides: Override[] };
  const others = config.overrides.filter(({ rules }) => !(RULE in rules));
  const law = [...LAW].sort((a, b) => rank(a) - rank(b)).map(overrideOf);
  return JSON.stringify({ ...config, overrides: [...others, ...law] });
}
