import type { ConfigTree } from '../config';
import { type Document, parse, sameLinesInBothVersions } from '../syntax';
import type { Outcome, Plan } from './types';

/** How to read the tree again with some texts replaced (path → text); undefined where the caller cannot. */
export type Reread = (texts: ReadonlyMap<string, string>) => ConfigTree;

/**
 * Checks that every new text parses without a line that httpd would reject and that was not there before, in either version's grammar.
 * @param after the tree with the new texts, if it was read: its documents need not be parsed again
 * @returns what is wrong, naming the transforms, or undefined
 */
export function rejectedLine(
  plan: Plan,
  outcomes: readonly Outcome[],
  after: ConfigTree | undefined,
): string | undefined {
  const parsed = new Map(after?.files.map(({ path, document }) => [path, document]));
  for (const { file, text } of plan) {
    const known = parsed.get(file.path);
    const document = known?.text === text ? known : parse(text);
    const newFlaws = flawsOf(document);
    // Where the versions read line ends differently, the old text may be sound for the one and not for the other.
    if (newFlaws === 0 || newFlaws <= flawsOf(file.document)) continue;
    const applied = outcomes.filter((outcome) => outcome.file === file && outcome.status === 'applied');
    const rules = new Set(applied.map((outcome) => outcome.rule));
    return `${file.name}: the rewrite would add a line that httpd rejects (${[...rules].join(', ')})`;
  }
  return undefined;
}

/** By the version that finds more of them. */
function flawsOf(document: Document): number {
  const { text, grammar, flaws } = document;
  return sameLinesInBothVersions(text)
    ? flaws
    : Math.max(flaws, parse(text, grammar === '2.2' ? '2.4' : '2.2').flaws);
}

/**
 * @param secondOutcomes what became of the findings of a second run over the result
 * @returns what it would change, naming the transform, or undefined
 */
export function furtherChange(secondOutcomes: readonly Outcome[]): string | undefined {
  const change = secondOutcomes.find((outcome) => outcome.status === 'applied');
  if (change === undefined) return undefined;
  const { line } = change.file.document.positionAt(change.at);
  return `${change.file.name}: a second run would change line ${line} again (${change.rule})`;
}
