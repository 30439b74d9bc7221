import type { OwnPolicy } from './policy';
import type { ConfigTest, Scope, Setting } from './scope';

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
