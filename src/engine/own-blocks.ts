import { type ConfigFile, type ConfigTree, conditionOf, isConditional, type RereadableTree } from '../config';
import { applyEdits, type Edit, removeLines, resolveOutdents, unwrap } from '../edit';
import type { Node, Span } from '../syntax';
import type { Outcome, RunResult } from './types';

/**
 * Leaves out what a run finds in blocks for one version each that a run with `--dual` has written: that has been told when they
 * were written. They are known by what their lines for 2.2 become: where these, alone, are written to exactly the text that is
 * there, and nothing but notes is left of what is found then, the text says no more than they do.
 * @param runOver the same run over another tree
 */
export function withoutOwnBlocks(
  result: RunResult,
  given: RereadableTree,
  runOver: (tree: RereadableTree) => RunResult,
): RunResult {
  const blocks = new Map(result.tree.files.map((file) => [file, blocksIn(file, result.tree)] as const));
  const changed = new Set(result.plan.map(({ file }) => file));
  const isInBlock = ({ file, at, status }: Outcome): boolean =>
    status !== 'applied' &&
    !changed.has(file) &&
    blocks.get(file)?.spans.some(({ start, end }) => start <= at && at < end) === true;
  if (!result.outcomes.some(isInBlock)) return result;
  const before = new Map(
    [...blocks].flatMap(([{ path, document }, { spans, edits }]): (readonly [string, string])[] =>
      spans.length === 0
        ? []
        : [[path, applyEdits(document.text, resolveOutdents(document.text, [edits])[0]!)]],
    ),
  );
  const tree = given.reread(before);
  if (tree === undefined) return result;
  const made = runOver({
    tree,
    reread: (texts, spared) => given.reread(new Map([...before, ...texts]), spared),
  });
  const texts = new Map(made.plan.map(({ file, text }) => [file.path, text]));
  const open = new Set(
    made.outcomes.flatMap(({ level, status, file }) =>
      level !== 'info' && status !== 'applied' ? [file.path] : [],
    ),
  );
  const isOwn = ({ path, document }: ConfigFile): boolean =>
    texts.get(path) === document.text && !open.has(path);
  const writtenByRun = new Set([...blocks.keys()].filter(isOwn));
  return {
    ...result,
    outcomes: result.outcomes.filter((outcome) => !writtenByRun.has(outcome.file) || !isInBlock(outcome)),
  };
}

interface BlocksOfFile {
  /** Where blocks for one version are. */
  readonly spans: readonly Span[];
  /** What leaves the lines that 2.2 reads, without blocks. */
  readonly edits: readonly Edit[];
}

function blocksIn({ document }: ConfigFile, { defines }: ConfigTree): BlocksOfFile {
  const spans: Span[] = [];
  const edits: Edit[] = [];
  const visit = (body: readonly Node[]): void => {
    for (const node of body) {
      if (node.kind !== 'section') continue;
      const { on22, on24 } = isConditional(node) ? conditionOf(node, defines) : { on22: true, on24: true };
      if (on22 === undefined || on24 === undefined || on22 === on24) visit(node.body);
      else {
        spans.push(node);
        edits.push(...(on22 ? unwrap(document, node) : [removeLines(document, node)]));
      }
    }
  };
  visit(document.body);
  return { spans, edits };
}
