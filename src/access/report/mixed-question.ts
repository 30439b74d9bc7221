import { type Edit, applyEdits, keepLineEnd } from '../../edit';
import { AS_TODAY, AS_WRITTEN, type MixedQuestion } from '../inherit';
import { type Scope, scopeName } from '../policy';
import { type AccessFinding, manualFinding, offsetOf } from './findings';
import type { Refusal } from './refusals';

/** A section that says one thing today and another by the lines of its author. */
export interface SectionInQuestion {
  readonly scope: Scope;
  readonly question: MixedQuestion;
  readonly isAmongLinesFor24: boolean;
  /** The section stands in a file by which neither version lets anybody in. */
  readonly isAnsweredByNone: boolean;
  /** The edits of each answer; undefined where it has no text. */
  readonly today: readonly Edit[] | undefined;
  readonly asWritten: readonly Edit[] | undefined;
}

/** What a person alone can know about a section: it stays as it is until that is answered. */
export function questionRefusal(section: SectionInQuestion): Refusal {
  const { scope, question, isAmongLinesFor24, today, asWritten } = section;
  const isOld = question === 'old-lines';
  const lines = isOld ? 'on 2.2 its lines said' : 'its lines for 2.4 say';
  const because = !isAmongLinesFor24
    ? 'since 2.4 combines Order, Satisfy and Require differently'
    : `since the lines for ${isOld ? '2.4 around it' : '2.2 in it or above it'} count too`;
  const [written, now] = [asWritten, today].map((edits) => textUnder(scope, edits));
  const choice = section.isAnsweredByNone
    ? `but 2.2 does not know the lines for 2.4 in this file, and 2.4 without mod_access_compat answers 500 to those for 2.2${written === now ? ': say whether it is to be so' : `; with that module it answers ${now} (${AS_TODAY}): say which it is to be`}`
    : `and 2.4 answers ${now} today, ${because}: say which it is to be`;
  return {
    kind: 'open-question',
    question,
    text: `${lines} ${written}, ${choice}`,
    remedy: `--answer ${question}=${AS_WRITTEN[question]} or --answer ${question}=${AS_TODAY}; with ${question}@PATH=… for one file or directory alone`,
  };
}

/** Says of a section that no text changes that an answer has settled it. */
export function settledFinding(scope: Scope, answers: AccessFinding['answers'] = []): AccessFinding {
  const { section, file, lines } = scope;
  const node = section?.open ?? lines.old[0]?.node ?? lines.requires[0]?.node;
  const message = `${scopeName(scope)} stays as it is: its lines for 2.4 say what was answered`;
  return { ...manualFinding(file, offsetOf(node), 'info', message), answers };
}

const ACCESS_LINE = /^[ \t]*(?:<\/?(?:Require\w*|Limit\w*|If\w*)\b|(?:Require|AuthMerging)[ \t])/i;
const MOST = 160;

/** The access lines that a section has with edits, as one line for a message. */
function textUnder({ section, file, lines }: Scope, edits: readonly Edit[] | undefined): string {
  if (edits === undefined) return 'what has no exact text';
  const all = [...lines.old, ...lines.requires, ...lines.requires24];
  const elsewhere = all.filter((line) => line.file !== file);
  if (elsewhere.length > 0 && elsewhere.length < all.length) return 'what several files say together';
  const [start, end] = [section?.open.end ?? 0, section?.close?.start ?? file.document.text.length];
  const inside = edits
    .map((edit) => keepLineEnd(file.document.text, edit))
    .filter((edit) => start <= edit.start && edit.end <= end);
  const shifted = inside.map((edit) => ({ ...edit, start: edit.start - start, end: edit.end - start }));
  const text = applyEdits(file.document.text.slice(start, end), shifted);
  // Of a `.htaccess` not those of its sections.
  const itself = section === undefined ? text.replace(/<(Files(?:Match)?)\b[^]*?<\/\1>/gi, '') : text;
  const shown = itself
    .split(/\r?\n/)
    .filter((line) => ACCESS_LINE.test(line))
    .map((line) => line.trim());
  // Lines that an Include brings.
  if (shown.length === 0) for (const { node } of lines.requires24) shown.push(node.text);
  if (shown.length === 0) return 'what stands above it';
  const whole = shown.join('; ');
  return `"${whole.length > MOST ? `${whole.slice(0, MOST)}…` : whole}"`;
}
