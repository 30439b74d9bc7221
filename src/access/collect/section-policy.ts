import type { Directive, Section } from '../../syntax';
import {
  type Authorizer,
  type AuthorizerConfig,
  type ConditionalTest,
  type HostLine,
  type OrderLine,
  type PolicyVariant,
  type RequireLine,
  type SatisfyLine,
  type ScopeLine,
  type SectionPolicy,
  authzOf,
  conditionalTests,
} from '../policy';
import { BoundedMap, EMPTY_LIST, added, areSameLists, getOrInsert } from '../primitives';

/** What the many sections share that configure no module: an empty map that nothing is ever put into. */
const UNCONFIGURED: SectionPolicy['authorizers'] = new Map();

/** What is configured of the modules, one for all sections that say the same: that is most of those with a Require. */
function configured(
  lines: readonly { readonly module: Authorizer; readonly config: Partial<AuthorizerConfig> }[],
): SectionPolicy['authorizers'] {
  const found = new Map<Authorizer, AuthorizerConfig>();
  for (const { module, config } of lines)
    found.set(module, { ...(found.get(module) ?? { authoritative: true, configured: false }), ...config });
  const key = [...found]
    .map(([module, config]) => `${module} ${config.authoritative} ${config.configured}`)
    .join();
  return getOrInsert(knownConfigs, key, () => found);
}

const knownConfigs = new BoundedMap<string, SectionPolicy['authorizers']>(1000);

/** The undecided conditionals around a section, and those inside it around its lines. */
interface Conditionals {
  readonly outer: readonly Section[];
  /** Around the first of its lines. */
  readonly path: readonly Section[];
  /** The lines, as long as the same stand around all. */
  lines: Directive[] | undefined;
  /** Where others stand around some of its lines: those around each. */
  paths: Map<Directive, readonly Section[]> | undefined;
}

/** What the lines of one section say, as they are read. */
export class GatheredPolicy {
  orders: OrderLine[] | undefined;
  lines: HostLine[] | undefined;
  requires: RequireLine[] | undefined;
  /** The lines of these in 2.4's words that count where a 2.2 runs the configuration. */
  for24: { readonly node: Directive; readonly context: UndecidedContext }[] | undefined;
  satisfy: SatisfyLine[] | undefined;
  /** A Require line with its containers, or an AuthMerging line, as mod_authz_core reads them. */
  lines24: ScopeLine[] | undefined;
  authTypes: { readonly value: boolean; readonly origin: Directive }[] | undefined;
  configs:
    | {
        readonly module: Authorizer;
        readonly config: Partial<AuthorizerConfig>;
        readonly origin: Directive;
      }[]
    | undefined;
  conditionals: Conditionals | undefined;

  /** Notes in which undecided conditionals of its scope a line stands. @returns false where it is read in several */
  addConditional(node: Directive, { undecided, outer }: UndecidedContext): boolean {
    const seen = this.conditionals;
    if (seen === undefined) {
      this.conditionals = { outer, path: undecided, lines: [node], paths: undefined };
      return true;
    }
    if (seen.paths === undefined) {
      if (undecided === seen.path) {
        seen.lines = added(seen.lines, node);
        return true;
      }
      seen.paths = new Map((seen.lines ?? EMPTY_LIST).map((line) => [line, seen.path]));
      seen.lines = undefined;
    }
    const path = seen.paths.get(node);
    seen.paths.set(node, undecided);
    return path === undefined || areSameLists(path, undecided);
  }
}

/**
 * @param reads whether httpd reads a line; by default all are read
 * @param shows22 the configuration is one that a 2.2 runs: it takes Require lines in 2.4's words for such as let nobody in
 */
export function policyOf(
  gathered: GatheredPolicy,
  reads?: (origin: Directive) => boolean,
  shows22 = false,
): SectionPolicy {
  const { for24, lines24, configs } = gathered;
  const read = <T extends { readonly origin: Directive }>(list: readonly T[] = EMPTY_LIST): readonly T[] =>
    reads === undefined || list.length === 0 ? list : list.filter(({ origin }) => reads(origin));
  const [orders, lines, all] = [read(gathered.orders), read(gathered.lines), read(gathered.requires)];
  const requires = shows22 || for24 === undefined ? all : all.filter(({ isFor24 }) => isFor24 !== true);
  return {
    authz: lines24 && authzOf(lines24.filter(({ node }) => reads?.(node) !== false)),
    hosts: orders.length + lines.length > 0 ? { orders, lines } : undefined,
    requires: requires.length > 0 ? requires : undefined,
    satisfy: read(gathered.satisfy),
    authType: read(gathered.authTypes).at(-1)?.value,
    authorizers: configs === undefined ? UNCONFIGURED : configured(read(configs)),
  };
}

/**
 * What the section sets once all its lines are there. All in the same undecided conditional are one policy that is there or not;
 * else the section is several, one for each setting of the conditionals.
 */
export function finishedPolicy(gathered: GatheredPolicy, shows22: boolean): FinishedPolicy {
  const policy = policyOf(gathered, undefined, shows22);
  if (shows22)
    for (const { node, context } of gathered.for24 ?? EMPTY_LIST) gathered.addConditional(node, context);
  const seen = gathered.conditionals;
  if (seen === undefined) return { policy, conditions: EMPTY_LIST };
  const paths = seen.paths === undefined ? [seen.path] : [...new Set(seen.paths.values())];
  const path = paths[0]!;
  if (seen.paths === undefined || paths.every((sections) => areSameLists(sections, path)))
    return { policy, conditions: path.length === 0 ? seen.outer : [...seen.outer, ...path] };
  const testsOf = new Map(paths.map((sections) => [sections, conditionalTests(sections)]));
  const tests = new Map<Directive, readonly ConditionalTest[]>();
  for (const [node, sections] of seen.paths) if (sections.length > 0) tests.set(node, testsOf.get(sections)!);
  const variants = splitVariants(tests, gathered, shows22);
  if (variants !== undefined) return { policy, conditions: EMPTY_LIST, variants };
  return { policy, conditions: EMPTY_LIST, tooMany: [...seen.paths.keys()][0]! };
}

/** What a section sets, by the conditionals that its lines stand in. */
interface FinishedPolicy {
  readonly policy: SectionPolicy;
  /** The undecided conditionals around the section and around all its lines. */
  readonly conditions: readonly Section[];
  /** What the section sets under each setting of the conditionals over which the lines are split. */
  readonly variants?: readonly PolicyVariant[];
  /** A line of a section whose conditionals have too many settings. */
  readonly tooMany?: Directive;
}

/** The conditionals around a line that cannot be decided. */
interface UndecidedContext {
  /** Between its scope and the line. */
  readonly undecided: readonly Section[];
  /** Around the scope itself. */
  readonly outer: readonly Section[];
}

/** A section whose conditionals have more combinations than this is refused. */
const MAX_POLICY_VARIANTS = 8;

/**
 * Files what a section sets by the settings of the conditionals that its lines are split over.
 * @param paths the undecided conditionals around each line that stands in any; a line not in it is always read
 * @returns undefined where there are too many settings
 */
function splitVariants(
  paths: ReadonlyMap<Directive, readonly ConditionalTest[]>,
  gathered: GatheredPolicy,
  shows22: boolean,
): readonly PolicyVariant[] | undefined {
  let combinations: (readonly ConditionalTest[])[] = [[]];
  for (const path of new Set(paths.values())) {
    combinations = combinations.flatMap((setting) => splitByConditionals(setting, path));
    if (combinations.length > MAX_POLICY_VARIANTS) return undefined;
  }
  return combinations.map((tests) => {
    const isRead = (origin: Directive): boolean =>
      (paths.get(origin) ?? []).every((test) => holdsIn(tests, test) === true);
    return { tests, policy: policyOf(gathered, isRead, shows22) };
  });
}

/** A setting as several that say of a path of conditionals whether it is read. */
function splitByConditionals(
  setting: readonly ConditionalTest[],
  path: readonly ConditionalTest[],
): (readonly ConditionalTest[])[] {
  const result: (readonly ConditionalTest[])[] = [];
  const inside = [...setting];
  for (const test of path) {
    const isRead = holdsIn(inside, test);
    if (isRead === true) continue;
    if (isRead === false) return [...result, inside];
    result.push([...inside, { ...test, is: !test.is, on24: undefined }]);
    inside.push(test);
  }
  return [inside, ...result];
}

/** Whether a test holds in a setting; undefined where the setting does not say. */
function holdsIn(setting: readonly ConditionalTest[], test: ConditionalTest): boolean | undefined {
  const earlier = setting.find(({ name }) => name === test.name);
  return earlier === undefined ? undefined : earlier.is === test.is;
}
