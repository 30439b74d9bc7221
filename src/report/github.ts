import type { Level } from '../engine/types';
import { encode, decode, decodingOf, type Decoding } from './encoding';
import { type ReportedRun, addedText, findingsWithLog, needsPerson, stateOf, stateWord } from './content';
import { getOrInsert } from '../maps';

const COMMANDS: Readonly<Record<Level, string>> = { error: 'error', warning: 'warning', info: 'notice' };

/**
 * The findings as workflow commands of GitHub Actions, which shows them beside the lines that they are about: one line each. A
 * byte string in UTF-8.
 * @param quiet leaves out what no person needs to act on
 */
export function githubReport(result: ReportedRun, { quiet }: { readonly quiet: boolean }): string {
  const decodings = new Map<object, Decoding>();
  let text = '';
  for (const outcome of findingsWithLog(result)) {
    if (stateOf(outcome) === 'ignored' || (quiet && !needsPerson(outcome))) continue;
    const { file, at, level, rule, message } = outcome;
    const decoding = getOrInsert(decodings, file, () => decodingOf(file.document));
    const { line, column } = decoding.placeAt(at);
    const place = `file=${property(file.name)},line=${line},col=${column},title=${property(`${rule} (${stateWord(outcome)})`)}`;
    text += `::${COMMANDS[level]} ${place}::${data(message + addedText(outcome))}\n`;
  }
  return encode(text);
}

/** What a workflow command takes as a message: line ends and the escape itself are written %XX. */
function data(bytes: string): string {
  return decode(bytes)
    .replace(/%/g, '%25')
    .replace(/[\0-\x1f\x7f-\x9f]/g, escapeChar);
}

/** Escapes like {@link data}, for a value that ':' and ',' end too. */
function property(bytes: string): string {
  return data(bytes).replace(/[:,]/g, escapeChar);
}

function escapeChar(char: string): string {
  return `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}
