import type { ConfigFile, ConfigTree } from '../../config';
import { collect, factsOf } from '../collect';
import { ScopeIndex, decide22, decide24, placedScopes, scopesRead, state22, state24 } from '../models';
import { splitUnreadFiles } from '../override';
import { type Scope, includedScopes } from '../policy';
import type { AnswerDifference } from './first-difference';
import { clientsFrom, valuesToTry } from './clients';
import { conditionalSettings, targetsFor } from './test-requests';

/** A request, and what the versions answer. */
export type ComparedRequest = Pick<AnswerDifference, 'request' | 'was' | 'is' | 'reading'>;

/** Virtual hosts that are tried, until a request to the section is found. */
const HOSTS = 20;

/** Clients that are tried to find some with different answers. */
const CLIENTS = 120;

/**
 * Some of the requests that a rewrite is checked with, for a person to see: to the section at a place, from clients that get
 * different answers or are of different kinds. None where the configuration is not one of 2.2, or where no request is known to
 * lead there.
 * @param at offset of a line of the section, or of the line that opens it
 * @param most how many to return
 */
export function comparedRequests(
  before: ConfigTree,
  after: ConfigTree,
  { file, at }: { readonly file: ConfigFile; readonly at: number },
  most: number,
): readonly ComparedRequest[] {
  const [old, renewed] = [collect(before), collect(after)];
  const facts = factsOf(old, before);
  if (facts.reading !== '2.2') return [];
  const was = splitUnreadFiles(includedScopes(old.scopes), old.mapping, before);
  const is = splitUnreadFiles(includedScopes(renewed.scopes), renewed.mapping, after);
  const scope = was.live.find((each) => standsAt(each, file, at));
  if (scope === undefined) return [];
  const hosts = scope.vhost === undefined ? old.mapping.hostsExcept() : [scope.vhost];
  const chosen = new Map<string, ComparedRequest>();
  for (const vhost of hosts.slice(0, HOSTS)) {
    const [target] = targetsFor(scope, [scope], old.mapping, vhost);
    if (target === undefined) continue;
    const met22 = placedScopes(new ScopeIndex(was.live).candidates(target, vhost), target);
    const met24 = placedScopes(new ScopeIndex(is.live).candidates(target, vhost), target);
    // What is not converted still needs mod_access_compat to answer.
    if (met24.some((other) => other.lines.old.length > 0)) continue;
    const config = conditionalSettings([...met22, ...met24])[0] ?? (() => true);
    const state = state22(scopesRead(met22, config, '2.2'), facts, config);
    const rewritten = state24(scopesRead(met24, config, '2.4'), config, facts.escapes);
    for (const client of clientsFrom(valuesToTry([state], [undefined, rewritten.tree]), CLIENTS)) {
      const request = { ...target, ...client, config };
      const [before22, after24] = [decide22(state, facts, request), decide24(rewritten, request)];
      const kind = `${before22} ${after24} ${request.user === undefined}`;
      if (!chosen.has(kind))
        chosen.set(kind, { request, was: before22, is: after24, reading: facts.reading });
    }
    if (chosen.size > 0) break;
  }
  return [...chosen.values()].slice(0, most);
}

function standsAt({ file, section, lines: { old, requires, for22, for24 } }: Scope, at: ConfigFile, offset: number): boolean {
  if (section !== undefined && file === at && section.open.start <= offset && offset < section.open.end) return true;
  return [...old, ...requires, ...for22, ...for24].some(
    (line) => line.file === at && line.node.start <= offset && offset < line.node.end,
  );
} // prettier-ignore
