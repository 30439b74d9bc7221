import { conditionOf } from '../config';
import { nameIn24 } from '../httpd/modules';
import type { Directive, Section } from '../syntax';
import { NONE, plus } from './lists';
import type { OwnPolicyBuilder } from './own';
import type { ConfigTest, Scope } from './scope';
import { splitSettings } from './settings';

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

const CONTAINERS: Readonly<Record<string, string>> = { ifmodule: 'IfModule', ifdefine: 'IfDefine' };

/** Conditional sections by what they test. */
export function configTests(sections: readonly Section[]): readonly ConfigTest[] {
  if (sections.length === 0) return NONE;
  return sections.map((section) => {
    const argument = section.open.rest;
    const is = !argument.startsWith('!');
    const asked = is ? argument : argument.slice(1);
    // The rewrite, which asks the same again, does so in 2.4's words.
    const name = `${CONTAINERS[section.key] ?? section.name} ${section.key === 'ifmodule' ? nameIn24(asked) : asked}`;
    return { name, is, on24: conditionOf(section).on24 };
  });
}
