import type { ConfigTree } from '../config';
import { type Document, type Grammar, parse, sameLinesInBothVersions, walk } from '../syntax';
import type { Outcome, Plan } from './types';

/** Why a result is not written as it is. */
export interface ResultFlaw {
  /** `rejected`: a line that httpd rejects; `further`: a second run would change it. */
  readonly kind: 'rejected' | 'further';
  /** Paths of the files in which the flaw shows. */
  readonly paths: readonly string[];
  /** What is wrong with the first, naming the transforms: for whoever looks after these. */
  readonly text: string;
}

/**
 * Checks that every new text parses without a line that httpd would reject and that was not there before, in either version's
 * grammar.
 * @param after the tree with the new texts, if it was read: its documents need not be parsed again
 * @returns undefined where there is none
 */
export function rejectedLine(
  plan: Plan,
  outcomes: readonly Outcome[],
  after: ConfigTree | undefined,
): ResultFlaw | undefined {
  const parsed = new Map(after?.files.map(({ path, document }) => [path, document]));
  const rejected = plan.filter(({ file, text }) => {
    const known = parsed.get(file.path);
    const newFlaws = flawsOf(known?.text === text ? known : parse(text));
    // Where the versions read line ends differently, the old text may be sound for the one and not for the other.
    return newFlaws > 0 && newFlaws > flawsOf(file.document) && rejectsMore(parse(text), file.document);
  });
  const [first] = rejected;
  if (first === undefined) return undefined;
  const applied = outcomes.filter(({ file, status }) => file === first.file && status === 'applied');
  const rules = new Set(applied.map(({ rule }) => rule));
  return {
    kind: 'rejected',
    paths: rejected.map(({ file }) => file.path),
    text: `${first.file.name}: the rewrite would add a line that httpd rejects (${[...rules].join(', ')})`,
  };
}

/** By the version that finds more of them. */
function flawsOf(document: Document): number {
  const { text, grammar, flaws } = document;
  return sameLinesInBothVersions(text)
    ? flaws
    : Math.max(flaws, parse(text, grammar === '2.2' ? '2.4' : '2.2').flaws);
}

/**
 * Whether a version rejects a line of the new text, or more lines of that text, than any version does in the old one. In a file
 * that 2.2 rejects, 2.4 may read more once a line is mended, and reject there what 2.2 does.
 */
function rejectsMore(document: Document, before: Document): boolean {
  const known = GRAMMARS.map((grammar) => rejectedIn(before, grammar));
  return GRAMMARS.some((grammar) =>
    [...rejectedIn(document, grammar)].some(([line, count]) =>
      known.every((counts) => (counts.get(line) ?? 0) < count),
    ),
  );
}

const GRAMMARS = ['2.2', '2.4'] as const;

/** How often a version rejects a line, by its text without the blanks around it. */
function rejectedIn({ text, grammar: read, body }: Document, grammar: Grammar): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const [node] of walk(grammar === read ? body : parse(text, grammar).body)) {
    const isRejected =
      node.kind === 'stray' || (node.kind === 'section' && (node.close === undefined || !node.open.complete));
    if (!isRejected) continue;
    const { from, to } = node.kind === 'section' ? node.open : node;
    const line = text.slice(from, to);
    counts.set(line, (counts.get(line) ?? 0) + 1);
  }
  return counts;
}

/**
 * @param secondOutcomes what became of the findings of a second run over the result
 * @returns undefined where it would change nothing
 */
export function furtherChange(secondOutcomes: readonly Outcome[]): ResultFlaw | undefined {
  const changes = secondOutcomes.filter(({ status }) => status === 'applied');
  const [first] = changes;
  if (first === undefined) return undefined;
  const { line } = first.file.document.positionAt(first.at);
  return {
    kind: 'further',
    paths: changes.map(({ file }) => file.path),
    text: `${first.file.name}: a second run would change line ${line} again (${first.rule})`,
  };
}
