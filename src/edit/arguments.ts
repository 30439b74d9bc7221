import { type Argument, type Directive, type Document, quoteWord, readWord } from '../syntax';
import type { Edit } from './edit';

/** Replaces one argument. It keeps the kind of quotes that it has; without any, it gets them only where it needs them. */
export function replaceArgument(document: Document, argument: Argument, value: string): Edit {
  const { start, end } = argument;
  const quote = document.text.charAt(start);
  if (quote !== '"' && quote !== "'") return { start, end, text: quoteWord(value) };
  const escaped = value.replace(new RegExp(`\\\\(?=[\\\\${quote}]|$)|${quote}`, 'g'), '\\$&');
  return { start, end, text: quote + escaped + quote };
}

/**
 * Adds arguments behind the last that httpd reads: it takes none after an empty one (server/config.c: invoke_cmd). A quote that
 * is not closed would take in what follows, and is closed.
 */
export function appendArguments(document: Document, node: Directive, values: readonly string[]): Edit {
  const added = values.map(quoteWord).join(' ');
  const empty = node.args.findIndex(({ value }) => value === '');
  if (empty === 0) return { start: node.args[0]!.start, end: node.args[0]!.start, text: `${added} ` };
  const last = node.args.at(empty < 0 ? -1 : empty - 1);
  const end = last?.end ?? node.to;
  if (last === undefined || !hasOpenQuote(document.text.slice(last.start, end)))
    return { start: end, end, text: ` ${added}` };
  return { start: last.start, end, text: `${replaceArgument(document, last, last.value).text} ${added}` };
}

/** Whether a word would take in what is written right after it. */
function hasOpenQuote(word: string): boolean {
  return /^["']/.test(word) && readWord(`${word} `, 0)!.end > word.length;
}

/**
 * Removes some of the arguments, with the blanks and continuations that stood between them and the next.
 * @param indexes ascending; not all of them, because a directive without arguments is another one
 */
export function removeArguments(node: Directive, indexes: readonly number[]): Edit[] {
  const { args } = node;
  const edits: Edit[] = [];
  for (let i = 0; i < indexes.length; i++) {
    const first = indexes[i]!;
    while (indexes[i + 1] === indexes[i]! + 1) i++;
    const last = indexes[i]!;
    const next = args[last + 1];
    const [start, end] =
      next !== undefined
        ? [args[first]!.start, next.start]
        : [args[first - 1]?.end ?? args[first]!.start, args[last]!.end];
    edits.push({ start, end, text: '' });
  }
  return edits;
}
