import { type Argument, type Directive, type Document, quoteWord } from '../syntax';
import type { Edit } from './edit';

/** Replaces one argument. It keeps the kind of quotes that it has; without any, it gets them only where it needs them. */
export function replaceArgument(document: Document, argument: Argument, value: string): Edit {
  const { start, end } = argument;
  const quote = document.text.charAt(start);
  if (quote !== '"' && quote !== "'") return { start, end, text: quoteWord(value) };
  const escaped = value.replace(new RegExp(`\\\\(?=[\\\\${quote}]|$)|${quote}`, 'g'), '\\$&');
  return { start, end, text: quote + escaped + quote };
}

/** Adds one more argument behind the last. */
export function appendArgument(node: Directive, value: string): Edit {
  const end = node.args.at(-1)?.end ?? node.to;
  return { start: end, end, text: ` ${quoteWord(value)}` };
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
