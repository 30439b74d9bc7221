import { allows, type Governor } from './governor';
import type { Scope } from './scope';
import { hasCounterpart } from './counterpart';
import type { World } from './world';

/** Why a scope cannot be rewritten whatever it meets. */
export function ownReason(scope: Scope, world: World): string | undefined {
  const [problem] = scope.problems;
  if (problem !== undefined) return problem.message;
  const [strange] = scope.unanswered;
  if (strange !== undefined && !world.facts.sealed)
    return `"Require ${strange.keyword}" is not a keyword of a 2.2 module known here`;
  if (scope.old.length > 0 && scope.modern !== undefined) return 'it mixes lines of 2.2 and of 2.4';
  if (scope.old.length > 0 && (scope.only22 > 0 || scope.only24 > 0))
    return 'some of its access lines stand in blocks that only one version reads, others in both';
  if (scope.only22 > 0 && scope.modern === undefined && !hasCounterpart(scope, world.collected.scopes))
    return 'its access lines are for 2.2 alone, and nothing takes their place on 2.4';
  return overrideReason(scope, world.governor);
}

function overrideReason(scope: Scope, governor: Governor): string | undefined {
  const home = scope.parent ?? scope;
  if (
    home.kind === 'htaccess' &&
    home.pattern.kind === 'path' &&
    !home.displaced &&
    governor.differs(home.pattern.path)
  )
    return 'AllowOverride lets it be read in one virtual host otherwise than in another';
  return forbidden(scope, governor);
}

/** 2.2 answers 500 where a `.htaccess` says what AllowOverride does not let it say. */
export function forbidden(scope: Scope, governor: Governor): string | undefined {
  const line = governor.of(scope);
  const { hosts, requires, satisfy } = scope.own;
  const needed = [
    hosts === undefined ? [] : 'limit',
    requires === undefined && satisfy.length === 0 ? [] : 'authconfig',
  ].flat();
  const missing = scope.old.length === 0 ? undefined : needed.find((one) => !allows(line, one));
  return (
    missing && `AllowOverride ${line!.words.join(' ')} does not let this file say it: 2.2 answers 500 here`
  );
}
