import type { Chunk } from '@codemirror/merge';
import type { Text } from '@codemirror/state';
import { make } from './dom';

/**
 * Both texts in one column, with a sign before each line that differs: an editor has only the lines that are in its window, and
 * a sheet of paper is narrower than two of them.
 */
export function printedLines(before: Text, after: Text, chunks: readonly Chunk[]): HTMLElement[] {
  const made: HTMLElement[] = [];
  const add = (sign: string, className: string, text: Text, from: number, end: number): void => {
    for (let line = from; line < end; line++)
      made.push(make('div', className, `${sign} ${text.line(line).text}`));
  };
  let next = 1;
  for (const { fromA, toA, fromB, toB } of chunks) {
    const [gone, come] = [linesIn(before, fromA, toA), linesIn(after, fromB, toB)];
    add(' ', '', before, next, gone.from);
    add('-', 'del', before, gone.from, gone.end);
    add('+', 'add', after, come.from, come.end);
    next = gone.end;
  }
  add(' ', '', before, next, before.lines + 1);
  return made;
}

/** The lines of a part of a text, from 1; `end` is not one of them. */
function linesIn(text: Text, from: number, to: number): { readonly from: number; readonly end: number } {
  const lineAt = (at: number): number => (at > text.length ? text.lines + 1 : text.lineAt(at).number);
  const first = lineAt(from);
  return { from: first, end: from === to ? first : Math.max(lineAt(to), first) };
}
