import type { ConfigFile } from '../../../config/types';
import type { Outcome } from '../../../engine/types';
import { EditorLines } from '../../../lsp/positions';
import type { EditorFinding } from '../../../lsp/types';
import { getOrInsert } from '../../../maps';
import { decode, notAppliedText, oneLine } from '../../../report';
import type { FoundInFiles } from './likely';

/** The findings that an editor shows, by file; not those that somebody has asked to leave alone, or has accepted. */
export function editorFindings(files: readonly ConfigFile[], outcomes: readonly Outcome[]): FoundInFiles {
  const found = new Map<string, { readonly text: string; readonly findings: EditorFinding[] }>();
  const foundIn = ({ path, document: { text } }: ConfigFile): EditorFinding[] =>
    getOrInsert(found, path, () => ({ text, findings: [] })).findings;
  for (const file of files) foundIn(file);
  const lines = new Map<ConfigFile, EditorLines>();
  for (const outcome of outcomes) {
    if (!isShown(outcome)) continue;
    const { file, level, rule } = outcome;
    const places = getOrInsert(lines, file, () => new EditorLines(file.document.text));
    const { line } = places.positionAt(outcome.at);
    foundIn(file).push({
      range: underlined(file, outcome.at, line, places),
      level,
      rule,
      message: textOf(outcome),
    });
  }
  return found;
}

export function isShown({ status, accepted }: Outcome): boolean {
  return status !== 'ignored' && accepted === undefined;
}

/** A byte string as text on one line. */
export const readable = (bytes: string): string => decode(oneLine(bytes));

/** What is wrong, and what came of the change where there is one. */
export function messageText(outcome: Outcome): string {
  return readable(outcome.message + notAppliedText(outcome));
}

/** What is wrong, and what to do. */
function textOf(outcome: Outcome): string {
  const { remedy = '' } = outcome;
  return remedy === '' ? messageText(outcome) : `${messageText(outcome)}\n${readable(remedy)}`;
}

/** From the place to the end of its line, without blanks; a byte at least, where there is one. */
function underlined(
  { document: { text } }: ConfigFile,
  at: number,
  line: number,
  lines: EditorLines,
): EditorFinding['range'] {
  const whole = lines.lineAt(line);
  let end = whole.end;
  while (end > at && /[ \t]/.test(text.charAt(end - 1))) end--;
  return lines.rangeOf(Math.min(at, whole.end), Math.max(end, Math.min(at, whole.end)));
}
