import type { Outcome } from '../../engine/types';

/** For instance `conf.d/x.conf:14`: a byte string. */
export function placeText({ file, at }: Outcome): string {
  return `${file.name}:${file.document.positionAt(at).line}`;
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
 * The line that a finding is about, without indentation and line end: a byte string. Undefined where it is about something that is missing,
 * or about the whole file: that stands at its beginning, which most often is a comment.
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
