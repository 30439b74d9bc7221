import { type ConfigFile, isComplete } from '../../config';
import { awakesIn24 } from '../collect';
import type { InheritedStates } from '../inherit';
import {
  type Facts,
  INITIAL,
  type Scope,
  type State,
  decisionIn,
  mergePolicy,
  hangsOnOrder,
} from '../policy';
import { EMPTY_LIST, addTo, locationCovers, memo } from '../primitives';
import { ACCESS_RULE, type AccessRun, type Refusal, type StrictForm, authTypeNoneRemark } from '../report';
import {
  type InheritedToJoin,
  NOTHING_WRITTEN,
  type RequestsToSection,
  type Rewrite,
  type RewrittenSection,
  type TextForm,
  rewrite,
  rewriteByHost,
} from '../rewrite';
import { hasRegexEdits } from './conflicts';
import { denyingText } from './denied';
import { type AccessGroup, type Restated, isTarget } from './group';
import { refusalBelow } from './inherit-unconverted';
import { unreadAbove } from './refuse';
import { shutFromAbove } from './shut-above';
import { needsHostsNotSeen, strictestText, textWithoutHostList } from './strictest';
import { withRefusals } from './unconverted';
import { isReadLessBy24 } from './unwrap';

/** Restates each section in 2.4's words, for all states in which a request can come to it. */
export function restateEach(group: AccessGroup): AccessGroup {
  if (group.isKept) return group;
  const { met, denied, unwrapped, inherited, run } = group;
  const refusals = new Map(group.refusals);
  const rewrites = new Map<Scope, RewrittenSection>();
  const strict = new Map<Scope, StrictForm>();
  const remarks = [...group.remarks];
  const isToRewrite = isTarget(group);
  /** Files of which a section can be reached in too many ways: finding out takes long, and would for their others too. */
  const endless = new Set<ConfigFile>();
  const shut = new Set<string>();
  for (const scope of met) {
    if (refusals.has(scope)) continue;
    const { root } = scope.place;
    const why = denied.get(scope);
    const denying = why && denyingText(scope, why, group, shut);
    if (why !== undefined && denying !== undefined) {
      rewrites.set(scope, denying);
      strict.set(scope, { denies: why });
      continue;
    }
    const { modernLine, lines, only22Count } = unwrapped.get(scope) ?? scope;
    if (modernLine !== undefined || (lines.old.length === 0 && only22Count > 0)) continue;
    const before = endless.has(root) ? undefined : inherited.statesBefore(scope);
    if (before === undefined) {
      refusals.set(scope, { kind: 'too-many-ways' });
      if (root.role === 'htaccess' && met.some(({ place }) => place.root !== root)) endless.add(root);
      else if (withRefusals(group, refusals).isKept) break;
    } else {
      const below = refusalBelow(group, scope, before);
      if (below !== undefined) {
        if (scope.lines.old.length + scope.lines.requires.length > 0) refusals.set(scope, below);
        continue;
      }
      const { refusal, text, form } = restatedOrShut(group, scope, shut);
      if (refusal !== undefined) refusals.set(scope, refusal);
      if (text !== undefined) rewrites.set(scope, text);
      if (form !== undefined) strict.set(scope, form);
    }
    const remark = isToRewrite(scope)
      ? authTypeNoneRemark(scope, before ?? EMPTY_LIST, run.facts)
      : undefined;
    if (remark !== undefined) remarks.push(remark);
  }
  return { ...withRefusals(group, refusals), rewrites, strict, remarks };
}

/** What becomes of a section, and why it is in the strictest form; or why it stays as it is. */
function restatedOrShut(
  group: AccessGroup,
  scope: Scope,
  shut: Set<string>,
): { readonly refusal?: Refusal; readonly text?: RewrittenSection; readonly form: StrictForm | undefined } {
  const { rewrite: made, strict: form } = restateSection(group, scope, { inSection: hasRegexEdits(scope) });
  if (made.problem !== undefined) return { refusal: made.problem, form };
  const refusal = keptFrom(scope, made, group.run);
  if (refusal === undefined) return { text: made, form };
  const text = refusal.kind === 'left-alone' ? shutFromAbove(scope, group, shut) : undefined;
  return text === undefined ? { refusal, form } : { text, form: { denies: refusal } };
}

/** A section in 2.4's words: exactly, or else in the strictest form. */
export function restateSection(group: AccessGroup, scope: Scope, form: TextForm): Restated {
  const { inherited, run, strict } = group;
  const requests = requestsTo(group, scope);
  const { before } = requests;
  if (run.tls.withoutLogins.has(scope))
    return strictestText(group, scope, before, { kind: 'certificate-asked' }, form);
  if (awakesIn24(scope)) {
    const problem = { kind: 'regex-end' } as const;
    // What it replaces counts, too, as in 2.2 no request came to it.
    const whole = inherited.wholeStatesBefore(scope);
    return whole === undefined ? { rewrite: { problem } } : strictestText(group, scope, whole, problem, form);
  }
  if (needsHostsNotSeen(scope, before, run)) return textWithoutHostList(group, scope, before, form);
  const whole = group.unwrapped.get(scope);
  const exactIn = (exactForm: TextForm): Rewrite => rewrite(whole ?? scope, requests, run.facts, exactForm);
  if (whole !== undefined && run.dual && isReadLessBy24(scope)) {
    const result = exactIn(form);
    // For both versions the block stays, and 2.4 needs nothing beside it.
    if (result.problem === undefined && result.edits.every(({ written }) => written === NOTHING_WRITTEN))
      return { rewrite: { ...result, edits: [] } };
  }
  const exact = exactIn(whole === undefined ? form : { ...form, whole: true });
  if (exact.problem === undefined || whole !== undefined || (form.marked === true && !strict.has(scope)))
    return { rewrite: exact };
  const byHost =
    form.inSection === true || form.marked === true ? undefined : restateByHost(group, scope, exact);
  if (byHost !== undefined) return { rewrite: byHost };
  return strictestText(group, scope, before, exact.problem, form);
}

/**
 * The states before a section. One that no request reaches (a regex for directories that begins with `proxy:`) has none: 2.4 must
 * read its lines all the same, so they are restated as if it came first.
 */
function statesToRestate(scope: Scope, inherited: InheritedStates): readonly State[] {
  const before = inherited.statesBefore(scope) ?? EMPTY_LIST;
  return before.length === 0 && scope.place.root.role !== 'htaccess' ? [INITIAL] : before;
}

/** The states in which the requests come to a section for which its text counts. */
function requestsTo(group: AccessGroup, scope: Scope): RequestsToSection {
  const { inherited, run } = group;
  const toJoin = (): InheritedToJoin | undefined => statesToJoin(scope, inherited, run);
  const before = statesToRestate(scope, inherited);
  const opened = before.length > 1 ? locationsOpenedBelow(group, scope) : EMPTY_LIST;
  const outside = opened.length > 0 ? inherited.outsideOf(opened) : inherited;
  const others = outside.statesBefore(scope);
  // Where no other request comes it is written for these.
  if (others === undefined || others.length === 0)
    return { before, byRoute: () => inherited.statesByRoute(scope), toJoin };
  return { before: others, byRoute: () => outside.statesByRoute(scope), toJoin };
}

/**
 * The Locations below one that let in everybody whatever stands above them: they are merged after it, and their own text takes
 * the place of its own, so that it says nothing about requests to them.
 */
function locationsOpenedBelow({ met, inherited, run }: AccessGroup, scope: Scope): readonly string[] {
  if (scope.kind !== 'location' || scope.pattern.kind !== 'path') return EMPTY_LIST;
  const { path } = scope.pattern;
  const found: string[] = [];
  for (const { scope: other, path: below } of plainLocations(met).get(scope.vhost) ?? EMPTY_LIST) {
    if (other.order < scope.order || below === path || !locationCovers(path, below)) continue;
    if (opens(other, inherited.statesBefore(other), run.facts)) found.push(below);
  }
  return found;
}

/** The Locations for a path that are read plainly, by the host that they stand in. */
const plainLocations = memo((met: readonly Scope[]) => {
  const byHost = new Map<Scope['vhost'], { readonly scope: Scope; readonly path: string }[]>();
  for (const scope of met)
    if (scope.kind === 'location' && scope.pattern.kind === 'path' && isReadPlainly(scope))
      addTo(byHost, scope.vhost, { scope, path: scope.pattern.path });
  return byHost;
});

/** Whether both versions read the section, whatever conditionals say, and it has lines of its own that become others. */
function isReadPlainly(scope: Scope): boolean {
  const { policies, modernLine, aroundSection, aroundLines, includes, lines, policy } = scope;
  if (policies !== undefined || modernLine !== undefined || includes.length > 0) return false;
  if (aroundSection.length + aroundLines.length > 0) return false;
  return lines.old.length > 0 && policy.hosts !== undefined;
}

function opens({ policy }: Scope, before: readonly State[] | undefined, facts: Facts): boolean {
  if (before === undefined || before.length === 0) return false;
  return before.every((base) => {
    const decision = decisionIn(mergePolicy(base, policy, facts), facts);
    return decision.undecided === undefined && decision.exprs.every(({ kind }) => kind === 'true');
  });
}

/** Why a section of a `.htaccess` is not or cannot be changed. What keeps the server's keeps those they meet. */
export function keptFrom(scope: Scope, rewritten: Rewrite, { tree }: AccessRun): Refusal | undefined {
  if (rewritten.problem !== undefined) return undefined;
  const { file, edits } = rewritten;
  if (scope.place.root.role !== 'htaccess' || edits.length === 0) return undefined;
  const unread = unreadAbove(scope, tree);
  if (unread !== undefined) return { kind: 'below-unread', directory: unread };
  const why = tree.keeps?.(file, ACCESS_RULE, edits);
  return why === undefined ? undefined : { kind: 'left-alone', why };
}

/**
 * What AuthMerging in a section would join it with; undefined where that is not known, and where AllowOverride has a say in it. A
 * Location that comes after others is joined with these first, and then with what stands before them all.
 */
function statesToJoin(scope: Scope, inherited: InheritedStates, run: AccessRun): InheritedToJoin | undefined {
  if (scope.place.root.role === 'htaccess') return undefined;
  if (!inherited.isFirstOfItsKind(scope)) {
    const around = scope.kind === 'location' ? inherited.statesAroundLocations(scope) : undefined;
    const routes = around?.map(({ first, state }) => ({ state, joined: [first, state] }));
    return routes && { routes, mayGrant: false };
  }
  const states = inherited.wholeStatesBefore(scope);
  // What has not been seen may grant, and would then grant here.
  const mayGrant = isComplete(run.tree) && run.unseen === undefined;
  return states && { routes: states.map((state) => ({ state, joined: [state] })), mayGrant };
}

/**
 * The text of a section of the main server, once for all and once more in the virtual hosts in which it decides differently;
 * undefined where it is no question of the host, or a copy there would come too late.
 */
function restateByHost(group: AccessGroup, scope: Scope, { problem }: Rewrite): RewrittenSection | undefined {
  const { inherited, run } = group;
  const because = problem?.kind === 'inherits' ? problem.because : problem;
  if (because?.kind !== 'depends-on-server' || run.decidedEdits !== undefined) return undefined;
  if (!isInMain(scope) || !isLastOfMain(scope, group.met)) return undefined;
  const routes = inherited.statesByRoute(scope);
  return routes && rewriteByHost(scope, routes, run.facts, run.tree);
}

const KINDS: ReadonlySet<Scope['kind']> = new Set(['directory', 'files', 'location']);

/** Whether the section stands in the main server itself, all in one place. */
function isInMain({ kind, place, section, vhost, parent, policies, aroundLines, includes }: Scope): boolean {
  if (!KINDS.has(kind) || vhost !== undefined || parent !== undefined || section === undefined) return false;
  if (policies !== undefined || aroundLines.length + includes.length > 0) return false;
  return place.root.role !== 'htaccess' && place.chain.every((frame) => frame.section === section);
}

/** Whether no section of the main server is merged after one of the same kind that the same request can meet. */
function isLastOfMain(scope: Scope, met: readonly Scope[]): boolean {
  const isOfMain = ({ vhost, parent }: Scope): boolean => vhost === undefined && parent === undefined;
  return !met.some((other) => other.order > scope.order && isOfMain(other) && hangsOnOrder(scope, other));
}
