import type { ConfigTree } from '../config';
import { countStray, parse } from '../syntax';
import type { Change, Outcome } from './types';

const GRAMMARS = ['2.2', '2.4'] as const;

/** How to read the tree again with some texts replaced (path → text); undefined where the caller cannot. */
export type Reread = (texts: ReadonlyMap<string, string>) => ConfigTree;

/**
 * Checks a plan before anybody sees it: every new text parses without a line that httpd would reject and that was not there before, in
 * either version's grammar, and a second run over the result finds nothing left to do.
 * @returns what is wrong, naming the transform, or undefined
 */
export function verifyPlan(
  plan: readonly Change[],
  outcomes: readonly Outcome[],
  rerun: ((texts: ReadonlyMap<string, string>) => readonly Outcome[]) | undefined,
): string | undefined {
  for (const { file, text } of plan) {
    // Where the versions read line ends differently, the old text may be sound for the one and not for the other.
    const before = Math.max(...GRAMMARS.map((grammar) => countStray(parse(file.document.text, grammar))));
    if (GRAMMARS.some((grammar) => countStray(parse(text, grammar)) > before)) {
      const rules = new Set(
        outcomes.filter((one) => one.file === file && one.status === 'applied').map((one) => one.rule),
      );
      return `${file.name}: the rewrite would add a line that httpd rejects (${[...rules].join(', ')})`;
    }
  }
  if (plan.length === 0 || rerun === undefined) return undefined;
  const again = rerun(new Map(plan.map((change) => [change.file.path, change.text]))).find(
    (outcome) => outcome.status === 'applied',
  );
  if (again === undefined) return undefined;
  const { line } = again.file.document.positionAt(again.at);
  return `${again.file.name}: a second run would change line ${line} again (${again.rule})`;
}
