import type { Outcome } from '../engine/types';

/** For instance `conf.d/x.conf:14`: a byte string. */
export function placeText({ file, at }: Outcome): string {
  return `${file.name}:${file.document.positionAt(at).line}`;
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
  const source = text.slice(start, end < 0 ? undefined : end).replace(/^[ \t]+|[ \t\r]+$/g, '');
  return source === '' || source.startsWith('#') ? undefined : { line, text: source };
}
