import { type Place, isConditional } from '../../src/config';
import type { Edit } from '../../src/edit';
import type { TransformContext } from '../../src/engine';
import { type Argument, type Directive, quoteWord } from '../../src/syntax';
import { isCarriedOver } from './carried-over';

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

/** A backslash alone stays alone, unless it would take the next quote for itself; several are doubled. */
function escapeIn(value: string, quote: string): string {
  return value.replace(/(\\+)|["']/g, (found, backslashes: string | undefined, at: number) => {
    if (backslashes === undefined) return found === quote ? `\\${found}` : found;
    const next = value.charAt(at + found.length);
    return found.length > 1 || next === quote || next === '' ? found + found : found;
  });
}
