import { type Frame, isComplete } from '../../config';
import { type Edit, unwrap } from '../../edit';
import type { Section } from '../../syntax';
import { type Collected, isOld } from '../collect';
import type { InheritedStates } from '../inherit';
import {
  type Scope,
  type ScopeLine,
  assumedOrder,
  assumesOrder,
  authorizerOf,
  directoryOf,
  mayBeFilledIn,
  mergePolicy,
  scopeName,
} from '../policy';
import { EMPTY_LIST, added, isWithin, shownPath } from '../primitives';
import type { IncludedRemoval, RewrittenSection } from '../rewrite';
import type { AccessAssumption, AccessFinding, Findings } from './findings';
import { letsNobodyInRemark } from './lets-nobody-in';
import { isPlaceKnown } from './placed';
import { type Refusal, leftText, remedyOf, scopeWithPlace } from './refusals';
import { decidesAlone, mixedSummary, remarksOn } from './remarks';
import type { AccessRun } from './run-context';
import { type StrictForm, checkText, strictMessage } from './strict-form';

/** Leaves a group as it is, and says why at each of its sections. */
export function reportRefusals(
  group: readonly Scope[],
  targets: readonly Scope[],
  refusals: ReadonlyMap<Scope, Refusal>,
  isWhole: boolean,
  findings: Findings,
): void {
  const cause = [...refusals.keys()][0]!;
  for (const scope of targets) {
    const refusal = refusals.get(scope);
    if (refusal === undefined && !isWhole) continue;
    if (refusal === undefined && scope.old.length === 0 && !isReadOtherwise(scope)) continue;
    const line =
      scope.problems[0]?.node ?? scope.section?.open ?? scope.old[0]?.node ?? scope.requires[0]?.node;
    const first = scope.old[0] ?? scope.requires[0] ?? scope.authType;
    const file = scope.problems[0] !== undefined ? (first?.file ?? scope.file) : scope.section ? scope.file : (first?.file ?? scope.file); // prettier-ignore
    const at = line === undefined ? 0 : 'from' in line ? line.from : line.start;
    if (refusal?.kind === 'not-included-meets-blocks' || refusal?.kind === 'not-included-changes') {
      findings.leaveFile(file, at, { scope, refusal });
      continue;
    }
    // A line that may not stand in a file is a 500 to both, also to a 2.4 with mod_access_compat.
    const isSame =
      refusal?.kind === 'override-forbids' &&
      scope.reading === '2.2' &&
      scope.old.length > 0 &&
      scope.old.every(({ node }) => node.kind === 'directive' && isOld(node.key));
    findings.add({
      file,
      at,
      level: isSame ? 'warning' : 'error',
      safety: 'manual',
      message:
        refusal !== undefined
          ? `${leftText({ scope, refusal }, 1)}${refusal.kind === 'asked' ? '' : isWhole ? othersLeft(scope, group) : untilConverted(scope)}`
          : `${scopeName(scope)} is left as it is: it ${areApart(scope, cause) ? 'is decided together with' : 'can meet'} ${scopeWithPlace(cause)}, ${refusals.get(cause)!.kind === 'asked' ? 'about which a question is open' : 'which cannot be converted'}`,
      ...(refusal === undefined && refusals.get(cause)!.kind === 'asked' ? {} : remedyOf(refusal)),
      ...questionOf(refusal ?? refusals.get(cause)!),
      ...(refusal?.kind === 'left-alone' && !isWhole && { besideIgnored: true }),
      edits: [],
    });
  }
}

/** The key of the answer that settles a refusal, if one does. */
function questionOf(refusal: Refusal): { readonly question?: string } {
  return refusal.kind === 'asked' ? { question: refusal.question } : {};
}

function othersLeft(scope: Scope, group: readonly Scope[]): string {
  const others = group.some((other) => other !== scope && other.old.length > 0);
  return others ? '; so are the sections it can meet' : '';
}

/** What 2.4 does with a section that stays where the sections that it meets are converted. */
function untilConverted({ place, policy }: Scope): string {
  const answer = place.root.role === 'htaccess' ? 'answers 500 there' : 'does not start';
  const compat = policy.satisfy.some(({ value }) => value === 'any')
    ? ', and with it Satisfy Any would let in whom sections that come after this one refuse'
    : '';
  return `; the sections it can meet are converted, and until it is too, 2.4 ${answer} without mod_access_compat${compat}`;
}

/** Whether two sections are for directories of which none lies in the other: they hang together through a third. */
function areApart(a: Scope, b: Scope): boolean {
  const [first, second] = [directoryOf(a), directoryOf(b)];
  return first !== undefined && second !== undefined && !isWithin(first, second) && !isWithin(second, first);
}

/** Whether a 2.4 takes the Require lines of a section for alternatives, or knows a word, where 2.2 did not. */
function isReadOtherwise({ reading, requires, unanswered, policy }: Scope): boolean {
  if (reading === 'compat' || requires.length === 0) return false;
  const modules = new Set(policy.requires?.map(({ keyword }) => authorizerOf(keyword)));
  return unanswered.length > 0 || modules.size > 1;
}

const HALF =
  'its lines for 2.4 say on their own what those for 2.2 say, but 2.2 joins these with what stands above them: they are rewritten to what 2.2 decides';

/**
 * Reports the rewrites of a group.
 * @param halves those of which only the lines for 2.4 are rewritten
 * @param strict those in the strictest form
 * @param besideLeft some sections of the group stay as they are
 * @param blocks of sections that only 2.2 read: the blocks around each that go
 */
export function reportRewrites(
  changed: readonly (readonly [Scope, RewrittenSection])[],
  halves: ReadonlySet<Scope>,
  strict: ReadonlyMap<Scope, StrictForm>,
  blocks: ReadonlyMap<Scope, readonly Frame[]>,
  met: readonly Scope[],
  inherited: InheritedStates,
  besideLeft: boolean,
  run: AccessRun,
  findings: Findings,
): void {
  const [first] = changed;
  if (first === undefined) return;
  const dropped = new Set<Section>();
  const withoutPlace = met.find((scope) => scope.placeUnknown || scope.movedFrom !== undefined);
  const group = `access:${first[1].file.name}:${first[1].edits[0]!.start}`;
  // What requests come to has been told of before.
  const told = run.decidedEdits === undefined ? met : met.filter(({ apart }) => apart !== undefined);
  for (const finding of linesInIf(told, run)) findings.add({ ...finding, group });
  const rewritten = new Set(changed.map(([scope]) => scope));
  for (const finding of checksAlone(told, rewritten, run)) findings.add(finding);
  const seen = isComplete(run.tree) && run.unseen === undefined && withoutPlace === undefined;
  for (const rewrite of changed) {
    const scope = rewrite[0];
    const { file, edits, byName = [] } = rewrite[1];
    const known = seen && run.isAlone !== true && isPlaceKnown(scope, met);
    // What stands in files below a Directory comes after it, however much it decides itself.
    const last = scope.kind === 'location' || scope.kind === 'proxy';
    const compat = scope.reading === 'compat';
    const isHalf = halves.has(scope);
    const assumed = unprovenModules(scope, run);
    const sure = known || (!compat && last && decidesAlone(scope, run.facts));
    const order = compat ? undefined : orderAssumed(scope, inherited, run);
    const assumesHostsFirst = isOrderOfTlsAssumed(scope, run);
    const safe = sure && assumed.length === 0 && order === undefined && byName.length === 0 && !assumesHostsFirst; // prettier-ignore
    const around = blocks.get(scope) ?? EMPTY_LIST;
    // What stands around several sections is removed with each of them, and its lines are moved out with the first.
    const unwrapEdits = around.flatMap(({ section, file: blockFile }) => {
      const isFirst = !dropped.has(section);
      dropped.add(section);
      return unwrap(blockFile.document, section).filter(({ outdent }) => isFirst || outdent !== true);
    });
    let assumptions: AccessAssumption[] = [];
    if (assumed.length > 0 && !compat)
      assumptions = added(assumptions, {
        key: 'modules-loaded',
        text: `2.2 had ${assumed.join(' and ')} loaded`,
        remedy: 'give the server configuration with its LoadModule lines',
      });
    if (assumesHostsFirst) assumptions = added(assumptions, HOSTS_FIRST);
    if (!sure) assumptions = added(assumptions, assumptionOf(withoutPlace, run));
    if (order !== undefined) assumptions = added(assumptions, order);
    if (byName.length > 0) assumptions = added(assumptions, onlyDirectories(byName));
    const line =
      scope.section?.open ??
      scope.old[0]?.node ??
      scope.requires[0]?.node ??
      scope.lines24[0]?.node ??
      scope.lines22[0]?.node ??
      scope.problems[0]?.node ??
      scope.authType!.node;
    const at =
      scope.section !== undefined && scope.file !== file ? edits[0]!.start : 'from' in line ? line.from : 0;
    const form = strict.get(scope);
    const messageWith = (assuming: string): string => {
      if (form !== undefined) return strictMessage(scope, linesNamed(scope), form, run, assuming);
      const message = compat
        ? mixedMessage(scope, inherited, run)
        : `${scopeName(scope)}: ${isHalf ? HALF : `${summary(scope)} become Require${withoutBlocksText(around)}`}`;
      return message + assuming;
    };
    findings.add({
      file,
      at,
      level: 'error',
      safety: form !== undefined ? 'strict' : safe ? 'safe' : 'review',
      message: messageWith(safe ? '' : assumedText(assumptions)),
      ...(safe ? {} : { assuming: { assumptions, message: messageWith('') } }),
      edits: edits.map(({ start, end, text }): Edit => ({ start, end, text })).concat(unwrapEdits),
      group,
      ...(besideLeft && { tentative: true }),
      ...answersIn(scope, run),
    });
    findings.rewritten.push({ scope, file, edits, group, isHalf });
    for (const removal of rewrite[1].removals ?? []) findings.add({ ...removalFinding(removal), group });
    if (isHalf) continue;
    for (const remark of remarksOn(scope, run.facts)) findings.add(remark);
    const remark = letsNobodyInRemark(scope, inherited.statesBefore(scope) ?? EMPTY_LIST, run.facts);
    if (remark !== undefined) findings.add(remark);
  }
}

/** What a person has said of the placeholders among the lines of a section. */
function answersIn({ old }: Scope, { tree }: AccessRun): Pick<AccessFinding, 'answers'> {
  if (tree.chosen === undefined) return {};
  const filled = old.filter(({ node }) => node.kind === 'directive' && mayBeFilledIn(node.rest));
  const answers = [...new Set(filled.flatMap(({ file }) => tree.chosen!('placeholder', [file.path]) ?? []))];
  return answers.length === 0 ? {} : { answers };
}

const HOSTS_FIRST: AccessAssumption = {
  key: 'hosts-before-tls',
  text: '2.2 loaded mod_authz_host before mod_ssl',
  remedy: 'give the server configuration with its LoadModule lines',
};

/** Whether what StrictRequire says hangs on an order of modules that no line shows. */
function isOrderOfTlsAssumed({ policy: { ssl, tls } }: Scope, { facts, collected }: AccessRun): boolean {
  const isStrict = tls?.strict ?? facts.strictRequire;
  return ssl?.kind === 'tree' && isStrict && !collected.loadModules.includes('authz_host_module');
}

/** The lines of mod_ssl that hold in 2.2 for whom the host lists let in, and go into an `<If>` with the rewrite of these. */
function linesInIf(met: readonly Scope[], { tls, collected }: AccessRun): readonly AccessFinding[] {
  const isShown = collected.loadModules.includes('authz_host_module');
  return met.flatMap((scope) =>
    (tls.inIf.get(scope) ?? []).map(({ file, node, edits }): AccessFinding => ({
      file,
      at: node.from,
      level: 'error',
      safety: isShown ? 'safe' : 'review',
      message: `under Satisfy Any 2.2 heeded ${node.name} only for whom the host lists let in, as mod_authz_host is loaded before mod_ssl${isShown ? '' : ' (this is assumed)'}; 2.4 heeds it first of all: it goes into an <If> that asks for these addresses`,
      edits,
    })),
  );
}

/** What stays of mod_ssl in sections in which nothing else is written that could tell of it. */
function checksAlone(
  met: readonly Scope[],
  rewritten: ReadonlySet<Scope>,
  { tls }: AccessRun,
): readonly AccessFinding[] {
  return met.flatMap((scope) => {
    const check = tls.checks.get(scope);
    if (check === undefined || rewritten.has(scope)) return [];
    const at = scope.section?.open.from ?? scope.handshake[0]?.node.from ?? scope.ssl[0]?.node.from ?? 0;
    return { file: scope.file, at, level: 'error', safety: 'manual', message: `${scopeName(scope)}: ${checkText(check)}`, edits: [] } as const; // prettier-ignore
  });
}

function blockNames(blocks: readonly Frame[]): string {
  return blocks.map(({ section: { open } }) => `<${open.name} ${open.rest}>`).join(' and ');
}

/** Of lines that stand in a file which sections include, and that go because each of these says it itself. */
function removalFinding({ file, edits, lines }: IncludedRemoval): AccessFinding {
  const [{ node }] = lines as readonly [ScopeLine, ...ScopeLine[]];
  return {
    file,
    at: node.kind === 'directive' ? node.from : node.start,
    level: 'error',
    safety: 'safe',
    message: `${namesOf(lines)} in this file become Require lines in the sections that include it`,
    edits: edits.map(({ start, end, text }) => ({ start, end, text })),
  };
}

/** Modules that the guards around a scope's lines ask for, and that nothing in the run shows 2.2 to have had. */
function unprovenModules({ assumes }: Scope, { collected }: AccessRun): string[] {
  if (assumes.size === 0) return [];
  return [...assumes]
    .filter((identifier) => !collected.loadModules.includes(identifier))
    .filter((identifier) => identifier !== HOST_MODULE || !hasBareHostLines(collected))
    .map((identifier) => `mod_${identifier.replace(/_module$/, '')}`);
}

const HOST_MODULE = 'authz_host_module';

const bareHostLines = new WeakMap<Collected, boolean>();

/** Whether a server has Order, Allow and Deny without a guard: 2.2 does not start without their module. */
function hasBareHostLines(collected: Collected): boolean {
  let found = bareHostLines.get(collected);
  if (found === undefined) {
    found = collected.scopes.some(
      ({ policy, assumes, place }) =>
        policy.hosts !== undefined && !assumes.has(HOST_MODULE) && place.root.role === 'server',
    );
    bareHostLines.set(collected, found);
  }
  return found;
}

/** That the modules whose lines meet in a scope were asked as in stock 2.2, where the order matters and no LoadModule line shows it. */
function orderAssumed(
  scope: Scope,
  inherited: InheritedStates,
  { facts }: AccessRun,
): AccessAssumption | undefined {
  if (!assumesOrder(facts.modules)) return undefined;
  for (const base of inherited.statesBefore(scope) ?? []) {
    const { requires, authorizers } = mergePolicy(base, scope.policy, facts);
    for (const method of facts.classes) {
      const names = assumedOrder(requires, method, authorizers, facts.modules);
      if (names.length > 0)
        return {
          key: 'authentication-order',
          text: `2.2 asked ${names.join(' before ')}`,
          here: `2.2 asked ${names.join(' before ')} (the order of LoadModule lines decides: give the server config, and it is taken from there)`,
          remedy: 'give the server configuration, whose LoadModule lines decide this',
        };
    }
  }
  return undefined;
}

function mixedMessage(scope: Scope, inherited: InheritedStates, { facts }: AccessRun): string {
  const names = linesNamed(scope);
  const what = mixedSummary(scope, inherited.statesBefore(scope) ?? [], facts);
  return `${scopeName(scope)}: ${names} are restated as a 2.4 with mod_access_compat decides${what === '' ? '' : ` (${what})`}`;
}

/** What most sections of a run rest on, worded once. */
const wordedAssumptions = new WeakMap<AccessRun, AccessAssumption>();

function assumptionOf(withoutPlace: Scope | undefined, run: AccessRun): AccessAssumption {
  if (withoutPlace !== undefined) return assumption(withoutPlace, run);
  let worded = wordedAssumptions.get(run);
  if (worded === undefined) wordedAssumptions.set(run, (worded = assumption(undefined, run)));
  return worded;
}

function assumption(withoutPlace: Scope | undefined, { tree, unseen, isAlone }: AccessRun): AccessAssumption {
  if (isAlone === true)
    return {
      key: 'nothing-elsewhere',
      text: "the server's other files do not decide who gets in here",
      remedy: undefined,
    };
  if (withoutPlace?.movedFrom !== undefined && withoutPlace.pattern.kind === 'path') {
    const found = withoutPlace.file.name.replace(/\/?[^/]*$/, '') || 'this directory';
    return {
      key: 'served-as',
      text: `${found} is what the server calls ${shownPath(withoutPlace.pattern.path)}`,
      remedy: undefined,
    };
  }
  if (isComplete(tree) && unseen !== undefined) {
    return {
      key: 'no-htaccess-passwords',
      text: `no .htaccess below ${unseen} asks for a password`,
      here: `no .htaccess below ${unseen} asks for a password (give ${/, | and /.test(unseen) ? 'these directories' : 'that directory'} in the same run and it is taken into account)`,
      remedy: `give ${unseen} too`,
    };
  }
  return {
    key: 'all-files-given',
    text: 'no file but those given restricts access here or below',
    remedy: tree.isServer
      ? 'give the files that its Include lines name, too'
      : 'give the server configuration and the directories that it serves, too',
  };
}

/** Such a file gets what is stricter: 2.2 takes it for a directory or not, by how a request comes to it. */
function onlyDirectories(sections: readonly Scope[]): AccessAssumption {
  return {
    key: 'directories-by-pattern',
    text: `only directories have names that ${sections.map(scopeName).join(' and ')} ${sections.length === 1 ? 'is' : 'are'} for (a file with such a name may be refused to more)`,
    remedy: undefined,
  };
}

function assumedText(assumptions: readonly AccessAssumption[]): string {
  return `, assuming that ${assumptions.map(({ text, here = text }) => here).join(' and that ')}`;
}

function withoutBlocksText(blocks: readonly Frame[]): string {
  return blocks.length === 0 ? '' : `, without the ${blockNames(blocks)} around it, which 2.4 does not read`;
}

/** The directives that a rewrite takes away. */
function linesNamed(scope: Scope): string {
  return scope.policy.authz === undefined ? summary(scope) : summary(scope, ['Require']);
}

/** The old directives of a scope by name, in the order they first stand. */
function summary({ old, lines22 }: Scope, further: readonly string[] = []): string {
  return namesOf([...old, ...lines22], further);
}

function namesOf(lines: readonly ScopeLine[], further: readonly string[] = []): string {
  const names: string[] = [];
  for (const { node } of lines) {
    const name = node.kind === 'directive' ? (NAMES.get(node.key) ?? node.name) : '';
    if (!names.includes(name)) names.push(name);
  }
  names.push(...further);
  if (names.length === 0) return 'its access lines';
  return names.length === 1
    ? `${names[0]} lines`
    : `${names.slice(0, -1).join(', ')} and ${names[names.length - 1]}`;
}

/** The short names are written as httpd does. */
const NAMES: ReadonlyMap<string, string> = new Map(
  ['Order', 'Allow', 'Deny', 'Satisfy'].map((name) => [name.toLowerCase(), name]),
);
