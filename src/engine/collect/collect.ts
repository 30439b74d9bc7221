import type { ConfigTree, Reread } from '../../config';
import { besideBackslashes, sameEdits } from '../../edit';
import { livesIn, NEWEST } from '../../httpd/release';
import { detached } from '../../maps';
import { answerFor } from '../wanted';
import { skippedOf } from './skipped-blocks';
import { type TreeIndex, indexOf } from '../tree-index';
import { checkFinding, guarded, guardedVisit } from './trouble';
import type { Finding, ReportedFinding, RunOptions, RunResult, Transform, TransformContext } from '../types';

/** Runs every transform; all see the same tree. */
export function collectFindings(
  tree: ConfigTree,
  transforms: readonly Transform[],
  options: RunOptions,
): Finding[] {
  const findings: Finding[] = [];
  const contextFor = contexts(tree, options, findings);
  transforms.forEach((transform, index) => {
    if (isAbout(transform, tree)) ask(transform, tree, contextFor(transform), findings);
    options.onRule?.(index + 1, transforms.length);
  });
  return mergeCopies(findings);
}

/**
 * Runs one rule over a tree. What a `.htaccess` says is for its directory alone: where such files are read, what the rule finds
 * in the others is what it finds without them, and whoever may write one neither brings it about nor silences it. Who gets in is
 * decided by all that a request meets.
 */
function ask(transform: Transform, tree: ConfigTree, context: TransformContext, findings: Finding[]): void {
  const run = (asked: TransformContext): void =>
    guarded(transform, tree, findings, () => transform.run(asked));
  const isOfOneKind = tree.htaccess.length === 0 || tree.htaccess.length === tree.files.length;
  if (isOfOneKind || transform.isAboutAccess === true || transform.servesAccessFiles === true) {
    run(context);
    return;
  }
  const { report } = context;
  const amongAll: ReportedFinding[] = [];
  const changing = new Set<string>();
  const placeOf = ({ file, at }: ReportedFinding): string => `${at} ${file?.path}`;
  run({
    ...context,
    report: (finding) => {
      const isOfServer = finding.file?.role !== 'htaccess';
      if (isOfServer && finding.changesAccess === true) changing.add(placeOf(finding));
      if (!isOfServer || finding.changesAccess === true) amongAll.push(finding);
    },
  });
  run({
    ...context,
    ...readers(context.index.ofServer, transform, findings),
    report: (finding) => {
      if (finding.file?.role !== 'htaccess' && !changing.has(placeOf(finding))) report(finding);
    },
  });
  guarded(transform, tree, findings, () => amongAll.forEach((finding) => report(finding)));
}

/** The part of a rule's context that looks up lines in an index. */
function readers(
  index: TreeIndex,
  { id }: Transform,
  findings: Finding[],
): Pick<TransformContext, 'index' | 'directives' | 'sections'> {
  return {
    index,
    directives: (names, visit) => index.visitDirectives(names, guardedVisit(id, visit, findings)),
    sections: (names, visit) => index.visitSections(names, guardedVisit(id, visit, findings)),
  };
}

/** The tree as it is read for the target that the options name. */
export function treeFor(tree: ConfigTree, { target }: Pick<RunOptions, 'target'>): ConfigTree {
  return target === undefined ? tree : { ...tree, target };
}

/** The tree as the plan of a run leaves it: the tree of the run itself where nothing changes, or nothing can be read again. */
export function treeAfter({ tree, plan }: Pick<RunResult, 'tree' | 'plan'>, reread: Reread): ConfigTree {
  if (plan.length === 0) return tree;
  const texts = new Map(plan.map(({ file, text }) => [file.path, text]));
  return treeFor(reread(texts) ?? tree, tree);
}

/** Whether a transform is about something that the target release does. */
export function isAbout({ lifeSpan }: Transform, { target = NEWEST }: ConfigTree): boolean {
  return lifeSpan === undefined || livesIn(lifeSpan, target);
}

/** What each transform is handed for a tree; what they report goes to `findings`. */
export function contexts(
  tree: ConfigTree,
  options: RunOptions,
  findings: Finding[],
): (transform: Transform) => TransformContext {
  const index = indexOf(tree);
  const skipped = skippedOf(tree, index);
  return (transform) => ({
    tree,
    ...readers(index, transform, findings),
    options: options.ruleOptions?.[transform.id] ?? {},
    target: tree.target ?? NEWEST,
    targetModules: options.targetModules,
    chosen: (key, file) => answerFor(key, { file }, options.answers ?? []),
    dual: options.dual,
    pinDefaults: options.pinDefaults,
    comments: options.comments === true,
    report: (finding) => {
      const { id, advisory, stops } = transform;
      checkFinding(finding);
      const { edits: wanted = [], safety = 'manual' } = finding;
      if (advisory === true && wanted.length > 0) throw new Error(`${id} is advisory, but reports edits`);
      const edits = besideBackslashes(finding.file.document.text, wanted);
      // The spread stands first because that is fast. `detached` frees the parts that a message was put together from.
      const plain = { ...finding, rule: id, safety, message: detached(finding.message), edits };
      const found = stops && finding.level === 'error' ? { ...plain, stops } : plain;
      if (!skipped.holds(found)) findings.push(options.dual === true ? leaveForBothVersions(found) : found);
    },
  });
}

/** A file that is included twice yields each finding twice: equal ones are merged, ones with different edits lose their edits. */
export function mergeCopies(findings: readonly Finding[]): Finding[] {
  const byPlace = new Map<string, Finding>();
  const result: Finding[] = [];
  const differing = new Set<Finding>();
  for (const finding of findings) {
    const about = finding.about ?? (finding.edits.length === 0 ? finding.message : '');
    const key = `${finding.rule}\n${finding.file.path}\n${finding.at}\n${about}`;
    const known = byPlace.get(key);
    if (known === undefined) {
      byPlace.set(key, finding);
      result.push(finding);
    } else if (!sameEdits(known.edits, finding.edits)) differing.add(known);
  }
  if (differing.size === 0) return result;
  return result.map((finding) =>
    differing.has(finding)
      ? {
          ...finding,
          safety: 'manual',
          edits: [],
          message: `${finding.message}: the file is included in several places that would need different texts`,
        }
      : finding,
  );
}

/** Leaves a line that 2.4 still accepts under --dual, as both know the old words; what is only added 2.2 does not have. */
function leaveForBothVersions(finding: Finding): Finding {
  if (finding.forBoth === true || finding.level !== 'info' || finding.group !== undefined) return finding;
  if (finding.edits.every(({ start, end }) => start === end)) return finding;
  return { ...finding, edits: [], message: `${finding.message}; left as it is, for both versions read it` };
}
