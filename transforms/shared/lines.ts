import { type Frame, isConditional, type Place, placeCondition } from '../../src/config';
import { applyEdits, type Edit, rename } from '../../src/edit';
import type { TransformContext } from '../../src/engine';
import { findModule } from '../../src/httpd/modules';
import {
  type Argument,
  type Directive,
  hasPlaceholder,
  quoteWord,
  readWord,
  type Section,
} from '../../src/syntax';

/** Whether a line is, or may be, read by 2.2 and by 2.4: what only one of them reads stays as it is. */
export function isCarriedOver({ chain }: Place): boolean {
  const { on22, on24 } = placeCondition(chain);
  return on22 !== false && on24 !== false;
}

/** The sections around a place that are not conditionals and not virtual hosts, outermost first. */
export function containersOf({ chain }: Place): readonly Frame[] {
  return chain.filter(({ section }) => !isConditional(section) && section.key !== 'virtualhost');
}

/** True where a value holds a variable or a placeholder of a template, so that it cannot be read. */
export function isUnknown(value: string): boolean {
  return hasPlaceholder(value) || value.includes('%%');
}

/** Calls back for every directive of those names that 2.2 may have read and 2.4 may read: not for what is meant for one version. */
export function eachLine(
  context: TransformContext,
  names: readonly string[],
  visit: (node: Directive, place: Place) => void,
): void {
  context.directives(names, (node, place) => {
    if (isCarriedOver(place)) visit(node, place);
  });
}

/** True for what stands at server level: around it are virtual hosts, conditionals and `<Limit>`, of which 2.2 took no notice there. */
export function isAtServerLevel({ chain, root }: Place): boolean {
  return (
    root.role !== 'htaccess' &&
    chain.every(
      ({ section }) => /^(?:virtualhost|limit|limitexcept)$/.test(section.key) || isConditional(section),
    )
  );
}

/** Writes another value in the place of an argument: bare where that is possible, in its own kind of quotes if it has some. */
export function replaceValue(text: string, { start, end }: Argument, value: string): Edit {
  const first = text.charAt(start);
  const quote = first === "'" && !value.includes("'") ? "'" : '"';
  const bare = first !== '"' && first !== "'" && quoteWord(value) === value;
  return { start, end, text: bare ? value : `${quote}${escapeIn(value, quote)}${quote}` };
}

/**
 * Replaces parts of an argument, and leaves the rest as it is written: another rule may have edits there. Where that cannot be, the whole
 * argument is written anew.
 * @param parts offsets into the argument's value
 */
export function replaceParts(text: string, arg: Argument, parts: readonly Edit[]): readonly Edit[] {
  const raw = text.slice(arg.start, arg.end);
  const value = applyEdits(arg.value, parts);
  const whole = replaceValue(text, arg, value);
  const sign = /^["']/.exec(raw)?.[0];
  const quote = sign ?? /^"/.exec(whole.text)?.[0];
  const offsets = rawOffsets(raw, sign);
  if (offsets.length !== arg.value.length + 1) return [whole];
  for (const write of [
    (part: string): string => part,
    (part: string): string => escapeIn(part, quote ?? ''),
  ]) {
    const edits = parts.map((part) => ({
      start: offsets[part.start]!,
      end: offsets[part.end]!,
      text: write(part.text),
    }));
    if (sign === undefined && quote !== undefined) {
      edits.unshift({ start: 0, end: 0, text: quote });
      edits.push({ start: raw.length, end: raw.length, text: quote });
    }
    const now = applyEdits(raw, edits);
    const word = readWord(now, 0);
    if (word?.value === value && word.end === now.length)
      return edits.map((edit) => ({ ...edit, start: arg.start + edit.start, end: arg.start + edit.end }));
  }
  return [whole];
}

/** Where each character of a word's value is written in the word, and where the last one ends. */
function rawOffsets(raw: string, quote: string | undefined): readonly number[] {
  const offsets: number[] = [];
  let at = quote === undefined ? 0 : 1;
  const end = quote !== undefined && raw.length > 1 && raw.endsWith(quote) ? raw.length - 1 : raw.length;
  for (; at < end; at++) {
    offsets.push(at);
    const next = raw.charAt(at + 1);
    if (raw.charAt(at) === '\\' && at + 1 < end && (next === '\\' || next === quote)) at++;
  }
  return [...offsets, end];
}

/** A backslash alone stays alone, unless it would take the next quote for itself; several are doubled. */
function escapeIn(value: string, quote: string): string {
  return value.replace(/(\\+)|["']/g, (found, backslashes: string | undefined, at: number) => {
    if (backslashes === undefined) return found === quote ? `\\${found}` : found;
    const next = value.charAt(at + found.length);
    return found.length > 1 || next === quote || next === '' ? found + found : found;
  });
}

/** Whether a block is read only where a module is loaded that does not come with httpd. */
function isForModuleOfOthers({ key, args }: Section): boolean {
  const name = args[0]?.value ?? '';
  return key === 'ifmodule' && !name.startsWith('!') && findModule(name) === undefined;
}

/** Whether 2.4 surely or maybe reads a line without asking first whether a module is loaded that does not come with httpd. */
export function isReadUnasked({ chain }: Place): boolean {
  return placeCondition(chain).on24 !== false && !chain.some(({ section }) => isForModuleOfOthers(section));
}

/** Reports every use of a directive that 2.4 knows by another name. */
export function reportRename(context: TransformContext, from: string, to: string): void {
  context.directives([from], (node, { file }) =>
    context.report({
      file,
      at: node.from,
      level: 'info',
      safety: 'safe',
      message: `${from} is called ${to} in 2.4`,
      edits: [rename(node, to)],
    }),
  );
}

/** What C's atoi makes of a word: the digits it begins with, after blanks and a sign; else 0. */
export function atoi(word: string): number {
  const digits = /^[ \t\n\v\f\r]*([+-]?[0-9]+)/.exec(word)?.[1];
  return digits === undefined ? 0 : Number(digits);
}

/**
 * 2.4 reads some arguments as the text of an expression (server/util_expr_scan.l: a string): `%{…}` puts in a variable, `$1` what a regular
 * expression has matched, and a backslash takes the meaning from what follows.
 * @returns the value that 2.4 reads as `value`
 */
export function escapeExpression(value: string): string {
  return value.replace(/\\|%(?=\{)|\$(?=[0-9])/g, '\\$&');
}

/** True for a text in which everything that 2.4 might take for something else is escaped: what {@link escapeExpression} returns, or nothing to do. */
export function isEscaped(value: string): boolean {
  return !/\\|%\{|\$[0-9]/.test(value.replace(/\\(?:\\|%(?=\{)|\$(?=[0-9]))/g, ''));
}
