import { collect } from '../collect';
import {
  type Facts,
  type Scope,
  type ScopeLine,
  type SectionPolicy,
  authorizerOf,
  hasVersionBlocks,
  hostsExpr,
  wouldEscapeAgain,
} from '../policy';
import { isWithin } from '../primitives';
import { type RewriteEdit, type Written, isContainer } from '../rewrite';
import { hasRegexEdits } from './conflicts';
import type { AccessGroup, Restated } from './group';
import { NEW_PROVIDERS, rewritableLines } from './lines';
import { restateSection } from './restate';

/** Whether lines show that they are written for 2.4. */
function showsVersion({ requires, sections, merges }: Written): boolean {
  if (merges || sections.some(isContainer)) return true;
  return requires.some(({ provider, negated }) => negated || NEW_PROVIDERS.has(provider));
}

/**
 * Lets a group show that it has been converted. Require lines alone read the same as 2.2's: where a reader who takes them for
 * 2.2's would come to another result (lines of several modules, an AuthType without Require), one container tells.
 */
export function markVersion(group: AccessGroup): AccessGroup {
  if (group.isKept) return group;
  // In most groups the first line shows it.
  for (const { edits } of group.rewrites.values())
    if (edits.some(({ written }) => showsVersion(written))) return group;
  const changed = [...group.rewrites].flatMap(([scope, { edits }]) => (edits.length > 0 ? scope : []));
  if (changed.length === 0 || !wouldMislead(group, changed)) return group;
  for (const scope of changed) {
    const { rewrite } = marked(group, scope);
    if (rewrite.problem !== undefined || !rewrite.edits.some(({ written }) => showsVersion(written)))
      continue;
    const rewrites = new Map(group.rewrites).set(scope, rewrite);
    const strict = new Map(group.strict);
    const lines = new Set(rewritableLines(scope).map(({ node }) => node));
    for (const place of group.rewrites.keys()) {
      if (!rewritableLines(place).some(({ node }) => lines.has(node))) continue;
      const same = marked(group, place);
      if (same.rewrite.problem === undefined) rewrites.set(place, same.rewrite);
      if (same.strict !== undefined) strict.set(place, same.strict);
    }
    return { ...group, rewrites, strict };
  }
  return group;
}

/** A section with a text that shows its version, as far as it has one. */
function marked(group: AccessGroup, scope: Scope): Restated {
  const form = { marked: true, inSection: group.inSections.has(scope) || hasRegexEdits(scope) };
  const rewrite = group.places.get(scope)?.rewrite(scope, group.run.facts, form);
  return rewrite === undefined ? restateSection(group, scope, form) : { rewrite };
}

/** Whether who takes the new lines for 2.2's would come to another result. */
function wouldMislead({ met, rewrites, run }: AccessGroup, changed: readonly Scope[]): boolean {
  const misleads = (block: Scope): boolean =>
    hasVersionBlocks(block) && changed.some((scope) => leavesOtherwise(block, scope, run.facts));
  if (met.some(misleads)) return true;
  const { scopes, showsCompat } = collect(run.tree);
  // A line that loads mod_access_compat shows that a 2.4 reads the new lines, too.
  if (run.facts.reading !== '2.2' && !showsCompat) {
    const changes = new Set(changed);
    return !met.some((scope) => !changes.has(scope) && scope.lines.requires.some(isFor24));
  }
  return met.some((scope) => {
    const { policy } = scopes[scope.order] ?? scope;
    return (
      (policy.authType === true && policy.requires === undefined) ||
      (run.facts.escapes && policy.requires?.some(wouldEscapeAgain) === true) ||
      modulesLeft(policy, rewrites.get(scope)?.edits ?? []).size > 1
    );
  });
}

/**
 * Whether lines for 2.2 that stay would be read otherwise beside a section once that is converted: as they inherit from it what
 * no Require line says, or as it no longer replaces what they say.
 */
function leavesOtherwise(block: Scope, { policy, pattern }: Scope, { classes }: Facts): boolean {
  if (policy.hosts === undefined && policy.satisfy.length === 0) return false;
  const isBelow =
    block.pattern.kind === 'path' &&
    pattern.kind === 'path' &&
    block.pattern.path !== pattern.path &&
    (block.kind === 'directory' || block.kind === 'htaccess') &&
    isWithin(block.pattern.path, pattern.path);
  if (!isBelow || policy.satisfy.some(({ value }) => value === 'any')) return true;
  return classes.some((method) => hostsExpr(policy.hosts, method).kind !== 'true');
}

/** Whether a line of the file is one that only 2.4 has. */
function isFor24({ node, inner }: ScopeLine): boolean {
  const word = node.args[0]?.value.toLowerCase() ?? '';
  return word === 'not' || NEW_PROVIDERS.has(word) || inner.some(({ section }) => isContainer(section.key));
}

/** The 2.2 modules that the Require lines of a section are for, once it is rewritten. */
function modulesLeft(policy: SectionPolicy, edits: readonly RewriteEdit[]): Set<unknown> {
  const written = edits.flatMap(({ written: { requires } }) => requires.map(({ provider }) => provider));
  const keywords = written.length > 0 ? written : (policy.requires?.map((line) => line.keyword) ?? []);
  return new Set(keywords.map(authorizerOf));
}
