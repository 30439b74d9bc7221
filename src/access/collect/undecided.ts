import type { Directive, Section } from '../../syntax';
import { type ConfigTest, type Scope, type Setting, configTests } from '../policy';
import { plus } from '../primitives';
import type { OwnPolicyBuilder } from './own';

/** The conditionals around a line that cannot be decided. */
interface UndecidedSpot {
  /** Between its scope and the line. */
  readonly undecided: readonly Section[];
  /** Around the scope itself. */
  readonly outer: readonly Section[];
}

/** Remembers in which undecided conditionals of its scope a line stands. */
export function noteConditional(
  scope: Scope,
  builder: OwnPolicyBuilder,
  node: Directive,
  { undecided, outer }: UndecidedSpot,
): void {
  const seen = builder.conditionals;
  if (seen === undefined) {
    builder.conditionals = { outer, path: undecided, lines: { node, before: undefined }, paths: undefined }; // prettier-ignore
    return;
  }
  if (seen.paths === undefined) {
    if (undecided === seen.path) {
      seen.lines = { node, before: seen.lines };
      return;
    }
    const lines: Directive[] = [];
    for (let one = seen.lines; one !== undefined; one = one.before) lines.push(one.node);
    seen.paths = new Map(lines.toReversed().map((line) => [line, seen.path]));
    seen.lines = undefined;
  }
  const path = seen.paths.get(node);
  if (path !== undefined && !samePath(path, undecided))
    scope.problems = plus(scope.problems, {
      node,
      message: 'one of its lines is read in several conditional blocks',
    });
  seen.paths.set(node, undecided);
}

/**
 * Settles what a scope sets once all its lines are there. All in the same undecided conditional are one policy that is there or not;
 * else the section is several, one for each setting of the conditionals.
 */
export function settleConditionals(scope: Scope, builder: OwnPolicyBuilder): void {
  scope.own = builder.build();
  const seen = builder.conditionals;
  if (seen === undefined) return;
  const paths = seen.paths === undefined ? [seen.path] : [...new Set(seen.paths.values())];
  const path = paths[0]!;
  if (seen.paths === undefined || paths.every((one) => samePath(one, path))) {
    noteConditions(scope, path.length === 0 ? seen.outer : [...seen.outer, ...path]);
    return;
  }
  const known = new Map(paths.map((sections) => [sections, configTests(sections)]));
  const tests = new Map<Directive, readonly ConfigTest[]>();
  for (const [node, sections] of seen.paths) if (sections.length > 0) tests.set(node, known.get(sections)!);
  scope.settings = splitSettings(tests, builder);
  if (scope.settings === undefined)
    scope.problems = plus(scope.problems, {
      node: [...seen.paths.keys()][0]!,
      message: 'its access lines are split over more conditional blocks than can be told apart',
    });
}

function samePath(a: readonly Section[], b: readonly Section[]): boolean {
  return a.length === b.length && a.every((section, i) => section === b[i]);
}

/** Records the undecided conditionals that a scope depends on. */
export function noteConditions(scope: Scope, sections: readonly Section[]): void {
  if (sections.length === 0) return;
  scope.certain = false;
  scope.conditions = configTests(sections);
}

/** More settings than this of the conditionals inside one section are not told apart: the section is refused. */
const MAX_SETTINGS = 8;

/**
 * Files what a section sets by the settings of the conditionals that its lines are split over.
 * @param paths the undecided conditionals around each line that stands in any; a line not in it is always read
 * @returns undefined where there are too many settings
 */
export function splitSettings(
  paths: ReadonlyMap<Directive, readonly ConfigTest[]>,
  builder: OwnPolicyBuilder,
): readonly Setting[] | undefined {
  let settings: (readonly ConfigTest[])[] = [[]];
  for (const path of new Set(paths.values())) {
    settings = settings.flatMap((setting) => tellApart(setting, path));
    if (settings.length > MAX_SETTINGS) return undefined;
  }
  return settings.map((tests) => ({
    tests,
    own: builder.build((origin) => (paths.get(origin) ?? []).every((one) => holds(tests, one) === true)),
  }));
}

/** A setting as several that say of a path of conditionals whether it is read. */
function tellApart(setting: readonly ConfigTest[], path: readonly ConfigTest[]): (readonly ConfigTest[])[] {
  const result: (readonly ConfigTest[])[] = [];
  const inside = [...setting];
  for (const test of path) {
    const known = holds(inside, test);
    if (known === true) continue;
    if (known === false) return [...result, inside];
    result.push([...inside, { name: test.name, is: !test.is }]);
    inside.push(test);
  }
  return [inside, ...result];
}

/** Whether a test holds in a setting; undefined where the setting does not say. */
function holds(setting: readonly ConfigTest[], test: ConfigTest): boolean | undefined {
  const known = setting.find(({ name }) => name === test.name);
  return known === undefined ? undefined : known.is === test.is;
}
