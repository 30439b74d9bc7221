import type { Directive } from '../../syntax';
import {
  type Facts,
  type RequireLine,
  type Scope,
  type State,
  authorizerOf,
  hostsExpr,
  isAnswered,
  liveRequires,
  merge,
} from '../policy';
import { NONE } from '../primitives';
import { deadAllow } from './deadallow';
import type { AccessFinding } from './findings';

/** What a person should know about the lines of a section that is rewritten. */
export function remarksOn(scope: Scope, facts: Facts): readonly AccessFinding[] {
  const dead = facts.reading === '2.2' ? deadAllow(scope, facts) : undefined;
  const unloaded: readonly RequireLine[] = (scope.own.requires ?? NONE).filter(
    (line) => authorizerOf(line.keyword) !== undefined && !isAnswered(line, facts.modules),
  );
  if (dead === undefined && scope.notes.length + unloaded.length + scope.unanswered.length === 0) return NONE;
  const on = (node: Directive, message: string): AccessFinding => ({
    file: fileOf(scope, node),
    at: node.from,
    level: 'warning',
    safety: 'manual',
    message,
    edits: [],
  });
  const lone = scope.own.requires?.length === scope.unanswered.length;
  return [
    ...(dead === undefined
      ? []
      : [{ ...on(dead.node, dead.message), level: 'info', safety: 'safe' } as const]),
    ...scope.notes.map(({ node, message }) => on(node, message)),
    ...unloaded.map(({ keyword, origin }) =>
      on(
        origin,
        `no LoadModule line loads the module that answers "Require ${keyword}": in 2.2 it let nobody in, and goes; say who is meant`,
      ),
    ),
    ...scope.unanswered.map(({ node, keyword }) =>
      on(
        node,
        lone
          ? `no module answers "Require ${keyword}": 2.2 asked everybody for a password that let nobody in (401), 2.4 refuses without asking (403); say who is meant`
          : `no module answers "Require ${keyword}": it never let anybody in, and goes`,
      ),
    ),
  ];
}

/**
 * A section in which `AuthType None` meets a Require that asks for a user: 2.2 took None for a type that no module knows, and its
 * mod_authn_default refused every password.
 * @param bases the states before the section
 */
export function loginless(scope: Scope, bases: readonly State[], facts: Facts): AccessFinding | undefined {
  const line = scope.own.authType === false ? scope.authType : scope.requires[0];
  if (line?.node.kind !== 'directive') return undefined;
  const { own } = scope;
  // Where AuthType None is not in effect, it is not the section's own, and no state before it has it.
  if (own.authType === undefined ? !bases.some(({ authNone }) => authNone) : own.authType) return undefined;
  const asks = bases.some((base) => {
    const state = merge(base, scope.own, facts);
    if (!state.authNone) return false;
    return facts.classes.some((method) => {
      const live = liveRequires(state.requires, method, state.authorizers, facts.modules);
      const open = state.satisfy.get(method) === 'any' && hostsExpr(state.hosts, method).kind === 'true';
      return live !== undefined && live.lines.length > 0 && !open;
    });
  });
  if (!asks) return undefined;
  return {
    file: line.file,
    at: line.node.from,
    level: 'warning',
    safety: 'manual',
    message:
      'AuthType None meets a Require that asks for a user: 2.2 answered 401 to every password, 2.4 answers 500; Require all denied keeps everybody out, Require all granted lets everybody in',
    edits: [],
  };
}

/** The file that a line of a scope stands in. */
function fileOf(scope: Scope, node: object): Scope['file'] {
  return [...scope.old, ...scope.requires].find((line) => line.node === node)?.file ?? scope.file;
}
