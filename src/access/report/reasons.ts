import type { Directive } from '../../syntax';
import type { Misplaced } from '../collect';
import { type Governor, allows, silences } from '../override';
import { type Scope, type State, merge, settingsOfScope } from '../policy';
import { isSamePattern } from '../primitives';
import type { Refusal } from './refusals';
import type { World } from './run-context';

/** Whether 2.4 finds something in the place of what only 2.2 reads: in the section itself, or in another for the same place. */
export function hasCounterpart(scope: Scope, scopes: readonly Scope[]): boolean {
  return scopes.some(
    (one) =>
      one.only24 > 0 &&
      (one.order === scope.order ||
        (one.kind === scope.kind &&
          one.section?.open.rest === scope.section?.open.rest &&
          isSamePattern(one.pattern, scope.pattern))),
  );
}

/** Why a scope cannot be rewritten whatever it meets. */
export function ownReason(scope: Scope, world: World): Refusal | undefined {
  if (world.dual && scope.reading === 'compat' && scope.old.length > 0) return { kind: 'nothing-for-22' };
  const { perRequest } = world.collected;
  if (scope.old.length > 0 && perRequest !== undefined)
    return { kind: 'per-request-block', node: perRequest.node, file: perRequest.place.file };
  const loose = looseLine(scope, world);
  if (loose !== undefined) return { kind: 'loose-line', line: loose };
  const [first] = scope.problems;
  if (first !== undefined) return first.problem;
  const strange = scope.unanswered[0];
  if (strange !== undefined && !world.facts.sealed)
    return { kind: 'unknown-keyword', keyword: strange.keyword };
  if (scope.old.length > 0 && scope.modern !== undefined) return { kind: 'mixed' };
  if (scope.old.length > 0 && (scope.only22 > 0 || scope.only24 > 0)) return { kind: 'partly-one-version' };
  if (scope.only22 > 0 && scope.modern === undefined && !hasCounterpart(scope, world.collected.scopes))
    return { kind: 'no-counterpart', reading: scope.reading };
  if (scope.reading === 'compat' && scope.own.satisfy.some(({ value }) => value === 'any')) {
    const ssl = firstSsl(world);
    if (ssl !== undefined) return { kind: 'ssl-without-satisfy', directive: ssl.name };
  }
  return overrideReason(scope, world);
}

/** A line that goes before the section, wherever a file that the run does not hold includes this one: its section is not known. */
function looseLine({ old, place }: Scope, { tree, collected }: World): Misplaced | undefined {
  if (old.length === 0 || (tree.isServer && place.root.role !== 'unreached')) return undefined;
  return collected.misplaced.find((one) => one.reason === 'no-section' && one.place.root === place.root);
}

/**
 * Satisfy Any says nothing but that an address will do in place of the password. Where no list of hosts is in force, the one that is meant
 * stands in a file that is not at hand: to take it for empty would let everybody in. A configuration that is given together with what it
 * serves is taken for all there is, and the message says so.
 */
export function leansOnOthers(scope: Scope, before: readonly State[], { tree, facts }: World): boolean {
  const whole = tree.isServer || (tree.roots.length > 0 && tree.directories.length > 0);
  if (whole || scope.reading !== '2.2') return false;
  return settingsOfScope(scope).some(
    ({ own }) =>
      own.hosts === undefined &&
      (own.requires !== undefined || own.satisfy.length > 0) &&
      before.some((base) => {
        const { hosts, requires, satisfy } = merge(base, own, facts);
        return hosts === undefined && requires !== undefined && [...satisfy.values()].includes('any');
      }),
  );
}

function firstSsl({ collected }: World): Directive | undefined {
  return collected.scopes.find(({ ssl }) => ssl.length > 0)?.ssl[0]?.node;
}

function overrideReason(scope: Scope, { governor, tree }: World): Refusal | undefined {
  if (scope.place.root.role === 'htaccess' && tree.accessDiffers) return { kind: 'access-file-name' };
  const { kind, pattern, displaced } = scope.parent ?? scope;
  if (kind === 'htaccess' && pattern.kind === 'path' && !displaced) {
    if (governor.differs(pattern.path)) return { kind: 'override-by-host' };
    if (governor.undecided(pattern.path)) return { kind: 'override-in-conditional' };
  }
  return forbidden(scope, governor) ?? wakened(scope, governor);
}

/** The AllowOverrideList that a rewrite needs is for all files that the line governs: one that 2.2 answers 500 to would come alive. */
function wakened(scope: Scope, governor: Governor): Refusal | undefined {
  const line = governor.of(scope);
  if (scope.old.length === 0 || allows(line, 'authconfig') || silences(line)) return undefined;
  const other = governor.refused(line!);
  return other && { kind: 'override-wakes', other };
}

/** 2.2 answers 500 where a `.htaccess` says what AllowOverride does not let it say. */
export function forbidden(scope: Scope, governor: Governor): Refusal | undefined {
  const line = governor.of(scope);
  if (line === undefined) return undefined;
  const { hosts, requires, authz, satisfy, authType, authorizers } = scope.own;
  const auth = [requires, authz, authType].some((one) => one !== undefined);
  const needed = [
    hosts === undefined ? [] : 'limit',
    auth || satisfy.length + authorizers.size > 0 ? 'authconfig' : [],
  ].flat();
  const touched = scope.old.length + scope.unanswered.length > 0;
  if (!touched || silences(line) || needed.every((one) => allows(line, one))) return undefined;
  return { kind: 'override-forbids', words: line.words, reading: scope.reading };
}
