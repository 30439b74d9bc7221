import { type Place, isConditional, placeCondition } from '../../src/config';
import type { Edit } from '../../src/edit';
import type { TransformContext } from '../../src/engine';
import { type Argument, type Directive, quoteWord } from '../../src/syntax';

/** Calls back for every directive of those names that 2.2 may have read and 2.4 may read: not for what is meant for one version. */
export function eachLine(
  context: TransformContext,
  names: readonly string[],
  visit: (node: Directive, place: Place) => void,
): void {
  context.directives(names, (node, place) => {
    if (isForBoth(place)) visit(node, place);
  });
}

/** False where the conditionals around a place keep one of the versions out. */
export function isForBoth({ chain }: Place): boolean {
  const { on22, on24 } = placeCondition(chain);
  return on22 !== false && on24 !== false;
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

/** A backslash alone stays alone, unless it would take the next quote for itself; several are doubled. */
function escapeIn(value: string, quote: string): string {
  return value.replace(/(\\+)|["']/g, (found, backslashes: string | undefined, at: number) => {
    if (backslashes === undefined) return found === quote ? `\\${found}` : found;
    const next = value.charAt(at + found.length);
    return found.length > 1 || next === quote || next === '' ? found + found : found;
  });
}

/** Takes arguments away, each with the blanks before it. */
export function removeArguments(node: Directive, gone: (argument: Argument) => boolean): Edit[] {
  const ends = [node.nameSpan.end, ...node.args.map(({ end }) => end)];
  return node.args.flatMap((argument, i) =>
    gone(argument) ? [{ start: Math.max(ends[i]!, node.from), end: argument.end, text: '' }] : [],
  );
}
