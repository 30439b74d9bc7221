import { type ConfigTree, isBuiltInOrNot, isComplete } from '../../config';
import type { Directive } from '../../syntax';
import type { Collected } from '../collect';
import type { InheritedStates } from '../inherit';
import {
  type Facts,
  type HostPolicy,
  INITIAL,
  type Scope,
  type State,
  assumedOrder,
  decisionIn,
  decisionKey,
  hangsOnOrder,
  mayBeFilledIn,
  mergePolicy,
  policiesOf,
} from '../policy';
import { ALL_METHODS, EMPTY_LIST, memo, methodMask, shownPath } from '../primitives';
import {
  ANSWERS_OF_22,
  type AccessAssumption,
  type AccessRun,
  HOSTS_FIRST,
  NOTHING_ELSEWHERE,
  allFilesGiven,
  authenticationOrder,
  directoriesByPattern,
  modulesLoaded,
  noPasswordsBelow,
  placeholderAddresses,
  servedAs,
} from '../report';
import type { AccessGroup } from './group';

/**
 * Tells what the new text of a section of a group rests on where nothing in the run shows it; none where the run shows all of it.
 * @returns a function that asks for the sections for names of directories, and whether it takes the place of lines for 2.4 that
 * say something else
 */
export function assumptionsIn({ met, inherited, run }: AccessGroup) {
  const withoutPlace = met.find((scope) => scope.placeUnknown || scope.movedFrom !== undefined);
  const seesAll = isComplete(run.tree) && run.notGiven === undefined && withoutPlace === undefined;
  const nothing = withoutPlace === undefined ? nothingElseIn(run) : nothingElse(withoutPlace, run);
  return (scope: Scope, byName: readonly Scope[], replaces: boolean): readonly AccessAssumption[] => {
    const isCompat = scope.reading === 'compat';
    const isKnown = seesAll && run.isAlone !== true && isPlaceKnown(scope, met);
    // What stands in files below a Directory comes after it, however much it decides itself.
    const isLast = scope.kind === 'location' || scope.kind === 'proxy';
    const modules = unprovenModules(scope, run);
    const order = isCompat ? EMPTY_LIST : orderAssumed(scope, inherited, run);
    const found: AccessAssumption[] = replaces ? [ANSWERS_OF_22] : [];
    for (const areBuiltIn of [false, true]) {
      const names = modules.filter((name) => isBuiltInOrNot(name) === areBuiltIn).map(fileNameOf);
      if (names.length > 0) found.push(modulesLoaded(names, areBuiltIn, isCompat));
    }
    if (isOrderOfTlsAssumed(scope, run)) found.push(HOSTS_FIRST);
    if (!isKnown && (isCompat || !isLast || !decidesAlone(scope, run.facts))) found.push(nothing);
    if (order.length > 0) found.push(authenticationOrder(order));
    const words = addressesAssumed(scope, run);
    if (words.length > 0) found.push(placeholderAddresses(words));
    if (byName.length > 0) found.push(directoriesByPattern(byName));
    return found.length === 0 ? EMPTY_LIST : found;
  };
}

/**
 * Whether it is known where a server would read a section, as far as that decides anything. A block for a module that is not
 * loaded stands where it stands. What Debian keeps in its `*-available` directories is included at server level, and what comes
 * before what there is of no account for a section that no other of its kind can meet.
 */
function isPlaceKnown(scope: Scope, met: readonly Scope[]): boolean {
  const { unusedPart, vhost } = scope;
  if (unusedPart === undefined || 'open' in unusedPart) return true;
  if (!/\/(?:mods|sites|conf)-available\/[^/]+$/.test(unusedPart.path) || vhost !== undefined) return false;
  return !met.some((other) => other.unusedPart !== unusedPart && hangsOnOrder(scope, other));
}

/** Whether a scope decides the same over nothing as over any host lists, password and Satisfy that might stand above it. */
function decidesAlone(scope: Scope, facts: Facts): boolean {
  return policiesOf(scope).every(({ policy }) => {
    const alone = decisionKey(decisionIn(mergePolicy(INITIAL, policy, facts), facts));
    return samplesFor(facts).every(
      (base) => decisionKey(decisionIn(mergePolicy(base, policy, facts), facts)) === alone,
    );
  });
}

const samplesFor = memo(sampleStates);

/** States that a section might be merged over, made of conditions that no configuration has. */
function sampleStates(facts: Facts): State[] {
  const origin = undefined as unknown as Directive;
  const words = [{ kind: 'env', name: '\0', negated: false }] as const;
  const lines = [{ allow: true, words, mask: methodMask([], true), origin }];
  const hosts: HostPolicy = { orders: [{ order: 'allow,deny', mask: ALL_METHODS, origin }], lines };
  const requires = [{ keyword: 'user', source: '\0', rest: '\0', verbatim: true, mask: ALL_METHODS, origin }];
  const states: State[] = [];
  for (const h of [undefined, hosts])
    for (const r of [undefined, requires])
      for (const s of ['all', 'any'] as const) {
        const satisfy = new Map(facts.classes.map((method) => [method, s]));
        states.push({ ...INITIAL, hosts: h, requires: r, satisfy });
      }
  return states;
}

/** Whether what StrictRequire says hangs on an order of modules that no line shows. */
function isOrderOfTlsAssumed({ policy: { ssl, tls } }: Scope, { facts, collected }: AccessRun): boolean {
  const isStrict = tls?.strict ?? facts.strictRequire;
  return ssl?.kind === 'tree' && isStrict && !collected.loadModules.includes('authz_host_module');
}

/** What a template fills in among host lists and is taken for addresses, though nobody has said that it stands for them. */
function addressesAssumed({ file, policy: { hosts } }: Scope, { tree }: AccessRun): readonly string[] {
  const isAsked = hosts !== undefined && file.isTemplate === true;
  if (!isAsked || tree.chosen?.('placeholder', [file.path]) !== undefined) return EMPTY_LIST;
  const words = hosts.lines.flatMap((line) => line.words);
  const filled = words.flatMap((word) => (word.kind === 'ip' && mayBeFilledIn(word.text) ? word.text : []));
  return [...new Set(filled)];
}

/** Modules that the guards around a scope's lines ask for, and that nothing in the run shows 2.2 to have had. */
function unprovenModules({ assumes }: Scope, { collected }: AccessRun): string[] {
  return [...assumes].filter(
    (identifier) =>
      !collected.loadModules.includes(identifier) &&
      (identifier !== HOST_MODULE || !hasBareHostLines(collected)),
  );
}

const fileNameOf = (identifier: string): string => `mod_${identifier.replace(/_module$/, '')}`;

const HOST_MODULE = 'authz_host_module';

/** Whether a server has Order, Allow and Deny without a guard: 2.2 does not start without their module. */
const hasBareHostLines = memo(({ scopes }: Collected) =>
  scopes.some(
    ({ policy, assumes, place }) =>
      policy.hosts !== undefined && !assumes.has(HOST_MODULE) && place.root.role === 'server',
  ),
);

/** The modules whose lines meet in a section, in stock 2.2's order, where that matters and no LoadModule line shows it. */
function orderAssumed(scope: Scope, inherited: InheritedStates, { facts }: AccessRun): readonly string[] {
  // The run shows in which order 2.2 asks its modules, or that is of no account.
  if (facts.modules.complete || !facts.modules.several) return EMPTY_LIST;
  for (const base of inherited.statesBefore(scope) ?? []) {
    const state = mergePolicy(base, scope.policy, facts);
    for (const method of facts.classes) {
      const names = assumedOrder(state, facts.modules, method);
      if (names.length > 0) return names;
    }
  }
  return EMPTY_LIST;
}

const nothingElseIn = memo((run: AccessRun) => nothingElse(undefined, run));

/** That nothing outside of the run has a say. */
function nothingElse(unplaced: Scope | undefined, { tree, notGiven, isAlone }: AccessRun): AccessAssumption {
  if (isAlone === true && isComplete(tree)) return NOTHING_ELSEWHERE;
  if (unplaced?.movedFrom !== undefined && unplaced.pattern.kind === 'path') {
    const found = unplaced.file.name.replace(/\/?[^/]*$/, '') || 'this directory';
    return servedAs(found, unplaced.pattern.path);
  }
  if (isComplete(tree) && notGiven !== undefined) return noPasswordsBelow(notGiven);
  return allFilesGiven(tree.isServer, lackedFiles(tree, notGiven));
}

/** What the server has and the run has not, in words: what Includes name, and what may hold a `.htaccess`. */
function lackedFiles({ problems }: ConfigTree, unseen: readonly string[] = []): readonly string[] {
  const named = problems.flatMap(({ lacks = [] }) =>
    lacks.map((path) => path.replace(/\/(?:[^/]*[*?[][^/]*)?$/, '')),
  );
  return [...new Set([...named.map(shownPath), ...unseen.map((path) => `.htaccess below ${path}`)])];
}
