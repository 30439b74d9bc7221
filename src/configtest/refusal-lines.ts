import type { ConfigFile } from '../config/types';
import { sortEdits } from '../edit';
import type { Plan } from '../engine/types';
import type { Assembly } from './assemble';

/** Lines that control programs add: they name the copy and carry no information. */
const ASIDE = /^(?:Action '.*' failed\.?|The Apache error log may have more information\.?)$/;

/**
 * What httpd said about the assembly, in the user's terms: names and lines of the copies become those of the original files.
 * @param output httpd's output, a byte string
 * @returns its lines; the one that names a place comes first and together with its reason, as `file:line: reason`
 */
export function refusalLines(
  output: string,
  assembly: Assembly,
  directory: string,
  plan: Plan,
): readonly string[] {
  const copy = `${directory.replace(/[^A-Za-z0-9/]/g, '\\$&')}/([^:\\s]+?)`;
  const end = '(?=[:.]?(?:\\s|$)|:[0-9])';
  const place = new RegExp(` on line (\\d+) of ${copy}${end}:?`, 'g');
  const named = new RegExp(`\\bline (\\d+) of ${copy}${end}|${copy}(?::(\\d+))?${end}`, 'g');
  const inTermsOfUser = (line: string): string =>
    line.replace(named, (all, before?: string, first?: string, second?: string, behind?: string) => {
      const file = assembly.origins.get(first ?? second ?? '');
      if (file === undefined) return all;
      if (before !== undefined) return `line ${lineBefore(file, Number(before), plan)} of ${file.name}`;
      return behind === undefined ? file.name : `${file.name}:${lineBefore(file, Number(behind), plan)}`;
    });
  const lines = output.split('\n').filter((line) => line.trim() !== '' && !ASIDE.test(line.trim()));
  const at = lines.findIndex((line) => line.search(place) >= 0);
  // Through Includes, the file that includes comes first.
  const match = at < 0 ? undefined : [...lines[at]!.matchAll(place)].at(-1);
  const file = match === undefined ? undefined : assembly.origins.get(match[2]!);
  if (match === undefined || file === undefined) return lines.map(inTermsOfUser);
  const rest = lines[at]!.slice(match.index + match[0].length).trim();
  const given = rest === '' ? (lines[at + 1] ?? '') : rest;
  const placed = new RegExp(`^${copy}:[0-9]+: `).exec(given)?.[1];
  const reason = inTermsOfUser(given);
  const others = lines.filter((_, i) => i < at || i > at + (rest === '' ? 1 : 0)).map(inTermsOfUser);
  const where = `${file.name}:${lineBefore(file, Number(match[1]), plan)}`;
  return [
    // Some messages begin with their place.
    placed !== undefined && assembly.origins.get(placed) === file ? reason : `${where}: ${reason}`,
    ...others,
  ];
}

/** The line of the original file that a line of the new one comes from; of an inserted line, where it was inserted. */
function lineBefore(file: ConfigFile, line: number, plan: Plan): number {
  const change = plan.find((planned) => planned.file.path === file.path);
  if (change === undefined) return line;
  const { text, edits } = change;
  let offset = 0;
  for (let i = 1; i < line; i++) {
    const lf = text.indexOf('\n', offset);
    if (lf < 0) break;
    offset = lf + 1;
  }
  let moved = 0;
  for (const edit of sortEdits(edits)) {
    if (offset < edit.start + moved) break;
    if (offset < edit.start + moved + edit.text.length)
      return change.file.document.positionAt(edit.start).line;
    moved += edit.text.length - (edit.end - edit.start);
  }
  return change.file.document.positionAt(offset - moved).line;
}
