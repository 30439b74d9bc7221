import { type Edit, sortEdits } from './edit';

/**
 * A file may end without a line end. An edit that removes its last line removes the line end before it too, so that the file
 * still ends without one; but that line end may be part of what another edit replaces. So before edits are combined, each is
 * limited to its own line ({@link keepLineEnd}), and when all edits are known, the line end that is left over is removed ({@link
 * dropLineEnd}).
 */
export function keepLineEnd(text: string, edit: Edit): Edit {
  if (edit.text !== '' || edit.end !== text.length || text.endsWith('\n')) return edit;
  const eol = /^\r?\n/.exec(text.slice(edit.start, edit.start + 2))?.[0].length ?? 0;
  return eol === 0 || edit.start + eol === edit.end ? edit : { ...edit, start: edit.start + eol };
}

/**
 * All edits of one file, in order. If they remove the last line of a file without a final line end, the result has none either.
 * @param edits as {@link keepLineEnd} leaves them
 */
export function dropLineEnd(text: string, edits: readonly Edit[]): Edit[] {
  const sorted = sortEdits(edits);
  if (text === '' || text.endsWith('\n')) return sorted;
  // What is inserted behind the last line begins with a line end, which is too much if that line is gone.
  const inserted = sorted.findIndex(({ start }) => start === text.length);
  const upTo = inserted < 0 ? sorted.length : inserted;
  if (sorted[upTo - 1]?.end !== text.length || sorted[upTo - 1]!.text !== '') return sorted;
  if (inserted >= 0) {
    sorted[inserted] = { ...sorted[inserted]!, text: sorted[inserted]!.text.replace(/^\r?\n/, '') };
    return sorted;
  }
  let i = upTo - 1;
  while (i > 0 && sorted[i - 1]!.end === sorted[i]!.start && sorted[i - 1]!.text === '') i--;
  const removal = sorted[i]!;
  const before = sorted[i - 1];
  if (before?.end === removal.start) sorted[i - 1] = { ...before, text: before.text.replace(/\r?\n$/, '') };
  else {
    // An empty line may end the one above it, which a backslash continues.
    const eol =
      /(?<!\\(?:\r?\n)?)(?:\r\n|(?<!\r)\n)$/.exec(
        text.slice(Math.max(0, removal.start - 5), removal.start),
      )?.[0].length ?? 0;
    sorted[i] = { ...removal, start: removal.start - eol };
  }
  return sorted;
}
