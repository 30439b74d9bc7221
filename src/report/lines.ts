/** The offset `count` lines before the line start `at`. */
export function linesBehind(text: string, at: number, count: number): number {
  for (let i = 0; i < count && at > 0; i++) at = at === 1 ? 0 : text.lastIndexOf('\n', at - 2) + 1;
  return at;
}

/** The offset where the line that holds `at` ends, its LF included. */
export function lineEnd(text: string, at: number): number {
  const lf = text.indexOf('\n', at);
  return lf < 0 ? text.length : lf + 1;
}

/** The lines with their LF; a last line without one counts, an empty one after the last LF does not. */
export function splitLines(text: string): string[] {
  const lines: string[] = [];
  for (let at = 0; at < text.length;) {
    const end = lineEnd(text, at);
    lines.push(text.slice(at, end));
    at = end;
  }
  return lines;
}

/** Adds a line to a hunk, with git's remark where it has no LF. */
export function pushLine(lines: string[], sign: ' ' | '+' | '-', line: string): void {
  if (line.endsWith('\n')) lines.push(sign + line.slice(0, -1));
  else lines.push(sign + line, '\\ No newline at end of file');
}
