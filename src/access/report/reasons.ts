import type { Directive } from '../../syntax';
import type { Misplaced } from '../collect';
import { type Governor, allows, silences } from '../override';
import { type Scope, type State, merge, settingsOfScope } from '../policy';
import type { World } from './run-context';

/** Whether 2.4 finds something in the place of what only 2.2 reads: in the section itself, or in another for the same place. */
export function hasCounterpart(scope: Scope, scopes: readonly Scope[]): boolean {
  const place = JSON.stringify(scope.pattern);
  return scopes.some(
    (one) =>
      one.only24 > 0 &&
      (one === scope ||
        (one.kind === scope.kind &&
          one.section?.open.rest === scope.section?.open.rest &&
          JSON.stringify(one.pattern) === place)),
  );
}

/** Why a scope cannot be rewritten whatever it meets. */
export function ownReason(scope: Scope, world: World): string | undefined {
  if (world.dual && scope.reading === 'compat' && scope.old.length > 0)
    return 'lines of 2.2 and of 2.4 meet, which no 2.2 runs: there is nothing to keep for it';
  const { perRequest } = world.collected;
  if (scope.old.length > 0 && perRequest !== undefined)
    return `${perRequest.node.name} stands in a per-request block of 2.4 at ${perRequest.place.file.name}:${perRequest.place.file.document.positionAt(perRequest.node.from).line}, which may come after it`;
  const loose = looseLine(scope, world);
  if (loose !== undefined)
    return `${loose.node.name} stands outside any section of this file, at line ${loose.place.file.document.positionAt(loose.node.from).line}, and is read where another file includes this one`;
  const problem = scope.problems[0];
  if (problem !== undefined) return problem.message;
  const strange = scope.unanswered[0];
  if (strange !== undefined && !world.facts.sealed)
    return `"Require ${strange.keyword}" is not a keyword of a 2.2 module known here`;
  if (scope.old.length > 0 && scope.modern !== undefined) return 'it mixes lines of 2.2 and of 2.4';
  if (scope.old.length > 0 && (scope.only22 > 0 || scope.only24 > 0))
    return 'some of its access lines stand in blocks that only one version reads, others in both';
  if (scope.only22 > 0 && scope.modern === undefined && !hasCounterpart(scope, world.collected.scopes))
    return scope.reading === 'compat'
      ? 'some of its lines are read with mod_access_compat alone, and nothing takes their place without it'
      : 'its access lines are for 2.2 alone, and nothing takes their place on 2.4';
  const ssl =
    scope.reading === 'compat' && scope.own.satisfy.some(({ value }) => value === 'any') && firstSsl(world);
  if (ssl) return `${ssl.name} was one way in among others under Satisfy Any and is a must without it`;
  return overrideReason(scope, world);
}

/** A line that goes before the section, wherever a file that the run does not hold includes this one: its section is not known. */
function looseLine({ old, place }: Scope, { tree, collected }: World): Misplaced | undefined {
  if (old.length === 0 || (tree.isServer && place.root.role !== 'unreached')) return undefined;
  return collected.misplaced.find((one) => one.reason === 'no-section' && one.place.root === place.root);
}

export const LEANS_ON_OTHERS =
  'Satisfy Any stands beside Require lines, and nothing in this run says who gets in by address, without which the password is for nothing: give the server configuration in the same run';

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

function overrideReason(scope: Scope, { governor, tree }: World): string | undefined {
  if (scope.place.root.role === 'htaccess' && tree.accessDiffers)
    return 'AccessFileName is not the same for all requests, so that it cannot be told which of them meet this file';
  const { kind, pattern, displaced } = scope.parent ?? scope;
  if (kind === 'htaccess' && pattern.kind === 'path' && !displaced) {
    if (governor.differs(pattern.path))
      return 'AllowOverride lets it be read in one virtual host otherwise than in another';
    if (governor.undecided(pattern.path))
      return 'a conditional block decides whether AllowOverride lets it be read';
  }
  return forbidden(scope, governor) ?? wakened(scope, governor);
}

/** The AllowOverrideList that a rewrite needs is for all files that the line governs: one that 2.2 answers 500 to would come alive. */
function wakened(scope: Scope, governor: Governor): string | undefined {
  const line = governor.of(scope);
  if (scope.old.length === 0 || allows(line, 'authconfig') || silences(line)) return undefined;
  const other = governor.refused(line!);
  return (
    other &&
    `2.4 takes Require in it only with an AllowOverrideList that lets it into ${other.file.name}, too, where 2.2 answers 500 to it`
  );
}

/** 2.2 answers 500 where a `.htaccess` says what AllowOverride does not let it say. */
export function forbidden(scope: Scope, governor: Governor): string | undefined {
  const line = governor.of(scope);
  if (line === undefined) return undefined;
  const { hosts, requires, authz, satisfy, authType, authorizers } = scope.own;
  const auth = [requires, authz, authType].some((one) => one !== undefined);
  const needed = [
    hosts === undefined ? [] : 'limit',
    auth || satisfy.length + authorizers.size > 0 ? 'authconfig' : [],
  ].flat();
  const touched = scope.old.length + scope.unanswered.length > 0;
  const missing = !touched || silences(line) ? undefined : needed.find((one) => !allows(line, one));
  return (
    missing &&
    `AllowOverride ${line.words.join(' ')} does not let this file say it: ${scope.reading === '2.2' ? '2.2' : 'httpd'} answers 500 here`
  );
}
