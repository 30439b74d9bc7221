import { groupBy } from '../../maps';
import type { Outcome } from '../../engine/types';
import { type MergedFinding } from './order';

/** For instance `conf.d/x.conf:14`: a byte string. */
export function placeText({ file, at }: Outcome): string {
  return `${file.name}:${file.document.positionAt(at).line}`;
}

const MANY = 5;

/**
 * Where else a finding stands, for instance `a.conf:5, 9, b.conf:7 and 3 more`; empty where nowhere.
 * @param most places to name
 */
export function otherPlaces({ outcome, outcomes }: MergedFinding, most = MANY): string {
  const first = placeText(outcome);
  return placesText(
    outcomes.filter((other) => placeText(other) !== first),
    most,
  );
}

/** How places are listed. */
export interface PlacesOptions {
  /** What a finding is about, where its place says less. */
  readonly subjectOf?: (outcome: Outcome) => string | undefined;
  /** What stands behind the count of those that are left out, such as where they are listed. */
  readonly rest?: string | undefined;
}

interface ListedPlace {
  readonly subject: string | undefined;
  readonly outcome: Outcome;
}

/**
 * The places of findings, each once, with the subject of those that name one: `a.conf:5, 9, b.conf:7 and 3 more`. Where they are
 * too many, each directory, subject and file is named before any of them is named again, and subjects that are not are counted. A
 * byte string.
 * @param most places to name: where there is one more than that, it is named too
 */
export function placesText(
  outcomes: readonly Outcome[],
  most: number,
  { subjectOf = () => undefined, rest = '' }: PlacesOptions = {},
): string {
  const named = new Map<string, ListedPlace>();
  for (const outcome of outcomes) {
    const subject = subjectOf(outcome);
    const key = `${subject ?? ''} ${placeText(outcome)}`;
    if (!named.has(key)) named.set(key, { subject, outcome });
  }
  const bySubject = groupBy([...named.values()], ({ subject }) => subject);
  const all = [...bySubject.values()].flatMap(byFile);
  const shown = all.length <= most + 1 ? all : firstOfEach(all, most);
  const texts = [...groupBy(shown, ({ subject }) => subject)].map(([subject, places]) => {
    const text = listed(places, most === Infinity);
    return subject === undefined ? text : `${subject} (${text})`;
  });
  const left = subjectsIn(all) - subjectsIn(shown) || all.length - shown.length;
  return texts.join(', ') + (left > 0 ? `${shown.length === 0 ? '' : ' and '}${left} more${rest}` : '');
}

/** The places of a file together, by their lines. */
function byFile(places: readonly ListedPlace[]): readonly ListedPlace[] {
  const groups = groupBy(places, ({ outcome }) => outcome.file);
  return [...groups.values()].flatMap((group) => group.sort((a, b) => a.outcome.at - b.outcome.at));
}

function subjectsIn(places: readonly ListedPlace[]): number {
  return new Set(places.flatMap(({ subject }) => subject ?? [])).size;
}

/** Below so many directories all lies with one user. */
const LEVELS = 6;

/**
 * So many of these, in their order: the first of each subject or file, then the second of each, and so on; and before all that,
 * as many of one directory with `.htaccess` files as of another, so that no user crowds out the others.
 */
function firstOfEach(all: readonly ListedPlace[], most: number): readonly ListedPlace[] {
  let found = inTurn(all, ({ subject, outcome }) => subject ?? outcome.file);
  for (let level = LEVELS; level > 0; level--)
    found = inTurn(found, ({ outcome: { file } }) => {
      const parts = file.role === 'htaccess' ? file.path.split('/') : [''];
      return parts.slice(0, Math.min(level + 1, parts.length - 1)).join('/');
    });
  const first = new Set(found.slice(0, most));
  return all.filter((place) => first.has(place));
}

/** The first of each group, then the second of each, and so on. */
function inTurn(
  places: readonly ListedPlace[],
  groupOf: (place: ListedPlace) => unknown,
): readonly ListedPlace[] {
  const turns = new Map<ListedPlace, number>();
  for (const group of groupBy(places, groupOf).values())
    for (const [turn, place] of group.entries()) turns.set(place, turn);
  return [...places].sort((a, b) => turns.get(a)! - turns.get(b)!);
}

/** @param isFull names the file before every line: whoever searches a full list looks for both */
function listed(places: readonly ListedPlace[], isFull: boolean): string {
  return places
    .map(({ outcome }, i) => {
      const { file, at } = outcome;
      const isSame = !isFull && file === places[i - 1]?.outcome.file;
      return isSame ? String(file.document.positionAt(at).line) : placeText(outcome);
    })
    .join(', ');
}

/** Characters of a line that a report shows. */
const MAX_SHOWN = 1000;

/** Without blanks around it, and without a carriage return: in one pass, whatever it holds. */
function trimmed(line: string): string {
  let [start, end] = [0, line.length];
  while (start < end && ' \t'.includes(line[start]!)) start++;
  while (end > start && ' \t\r'.includes(line[end - 1]!)) end--;
  return line.slice(start, end);
}

/**
 * The line that a finding is about, without indentation and line end: a byte string. Undefined where it is about something that
 * is missing, or about the whole file: that stands at its beginning, which most often is a comment.
 */
export function sourceLine({
  file,
  at,
  isAboutMissing,
}: Outcome): { line: number; text: string } | undefined {
  if (isAboutMissing === true) return undefined;
  const { text } = file.document;
  const { line, column } = file.document.positionAt(at);
  const start = at - column + 1;
  const end = text.indexOf('\n', start);
  // What is cut off has no place in a report. A line can be as long as its file.
  const source = trimmed(text.slice(start, Math.min(end < 0 ? text.length : end, start + MAX_SHOWN)));
  return source === '' || source.startsWith('#') ? undefined : { line, text: source };
}
