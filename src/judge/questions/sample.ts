import type { ConfigFile } from '../../config/types';
import type { JudgeTarget } from './targets';

/** Sections and `.htaccess` files that are asked about; of more, some of each text. */
export const MAX_PLACES = 32;
/** How many places with the same text are asked about. */
const MAX_OF_TEXT = 4;

/** A section or a `.htaccess` that is asked about. */
export interface AskedPlace {
  readonly text: string;
  readonly targets: () => JudgeTarget[];
}

/**
 * The places that are asked about, where there are too many for all: some of each text. Texts that differ in nothing but numbers
 * are taken for one: an address is as good as another to a mistake.
 */
export function sample(all: readonly AskedPlace[]): readonly AskedPlace[] {
  if (all.length <= MAX_PLACES) return all;
  const some = sampled(all, 20 * MAX_PLACES);
  const first = ofEachText(some, 1);
  const firstOnes = new Set(first);
  const others = ofEachText(some).filter((place) => !firstOnes.has(place));
  const chosen = sampled(first, MAX_PLACES);
  return [...chosen, ...sampled(others, MAX_PLACES - chosen.length)];
}

/** At most so many places of each text. */
export function ofEachText(places: readonly AskedPlace[], most = MAX_OF_TEXT): readonly AskedPlace[] {
  const counts = new Map<string, number>();
  return places.filter(({ text }) => {
    const key = withoutNumbers(text);
    const count = counts.get(key) ?? 0;
    counts.set(key, count + 1);
    return count < most;
  });
}

/** The places whose text is that of one of some files. */
export function withTextOf(
  places: readonly AskedPlace[],
  files: readonly ConfigFile[],
): readonly AskedPlace[] {
  const texts = new Set(files.map(({ document }) => withoutNumbers(document.text)));
  return texts.size === 0 ? [] : places.filter(({ text }) => texts.has(withoutNumbers(text)));
}

function withoutNumbers(text: string): string {
  return text.replace(/\d+/g, '0');
}

/** At most so many elements of a list, evenly spread. */
export function sampled<T>(all: readonly T[], most: number): readonly T[] {
  if (all.length <= most) return all;
  return Array.from({ length: most }, (_, i) => all[Math.floor((i * all.length) / most)]!);
}
