import type { Directive } from '../syntax';
import type { OwnPolicyBuilder } from './own';
import type { OwnPolicy } from './policy';
import type { ConfigTest, Scope, Setting } from './scope';

/** More settings than this of the conditionals inside one section are not told apart: the section is refused. */
const MAX_SETTINGS = 8;

/** What a section sets under each setting of the conditionals its lines are split over; one of them holds on any server. */
export function settingsOfScope(scope: Scope): readonly Setting[] {
  return scope.settings ?? [{ tests: [], own: scope.own }];
}

/** The undecided conditionals that sections hang on, by what they test. */
export function testNames(scopes: readonly Scope[]): string[] {
  return namesOf(testsOf(scopes));
}

/** Those of them of which it cannot be told whether they hold on a 2.4. */
export function openTestNames(scopes: readonly Scope[]): string[] {
  const tests = testsOf(scopes);
  const known = new Set(namesOf(tests.filter(({ on24 }) => on24 !== undefined)));
  return namesOf(tests).filter((name) => !known.has(name));
}

function testsOf(scopes: readonly Scope[]): ConfigTest[] {
  return scopes.flatMap(({ conditions, settings = [] }) => [
    ...conditions,
    ...settings.flatMap((one) => one.tests),
  ]);
}

function namesOf(tests: readonly ConfigTest[]): string[] {
  return [...new Set(tests.map(({ name }) => name))];
}

/** What a section sets on a server where `config` tells which conditionals hold. */
export function ownUnder(scope: Scope, config: (name: string) => boolean): OwnPolicy {
  const setting = scope.settings?.find(({ tests }) => tests.every(({ name, is }) => config(name) === is));
  return setting?.own ?? scope.own;
}

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
