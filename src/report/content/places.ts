import type { Outcome } from '../../engine/types';
import type { MergedFinding } from './order';

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

/**
 * The places of findings, each once, with the subject of those that name one: `a.conf:5, 9, b.conf:7 and 3 more`. A byte string.
 * @param most places to name: where there is one more than that, it is named too
 * @param subjectOf what a finding is about, where its place says less
 */
export function placesText(
  outcomes: readonly Outcome[],
  most: number,
  subjectOf: (outcome: Outcome) => string | undefined = () => undefined,
): string {
  const named = new Map<string, Outcome>();
  for (const outcome of outcomes) {
    const key = `${subjectOf(outcome) ?? ''} ${placeText(outcome)}`;
    if (!named.has(key)) named.set(key, outcome);
  }
  const all = [...named.values()];
  let last: Outcome['file'] | undefined;
  const shown = all.slice(0, all.length === most + 1 ? all.length : most).map((outcome) => {
    const { file, at } = outcome;
    const subject = subjectOf(outcome);
    // Whoever searches a full list looks for file and line.
    const place =
      file === last && most !== Infinity ? String(file.document.positionAt(at).line) : placeText(outcome);
    last = file;
    return subject === undefined ? place : `${subject} (${place})`;
  });
  const rest = all.length - shown.length;
  return shown.join(', ') + (rest > 0 ? `${shown.length === 0 ? '' : ' and '}${rest} more` : '');
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
