import {
  type Expr,
  FALSE,
  type MethodClass,
  TRUE,
  and,
  areEquivalent,
  atom,
  covers,
  not,
  or,
} from '../primitives';
import { asksForUser } from '../../httpd/providers';
import type { RequireNode } from './policy';

/** When a node says what, before the user is known; the rest of the time it says nothing. */
interface FirstPass {
  readonly granted: Expr;
  /** A user may change it: then httpd asks for one. */
  readonly noUser: Expr;
  readonly denied: Expr;
}

/**
 * Whom a Require tree lets in that has a negation inside another. httpd goes through the tree without a user first, and asks for
 * one only if that may help (2.4 mod_authz_core.c: authorize_user_core): what is negated twice does not ask.
 * @param ifKnown whom it would let in if the user were known at once
 */
export function inTwoPasses(node: RequireNode, method: MethodClass, ifKnown: Expr): Expr {
  const first = firstPass(node, method);
  if (first === undefined) return ifKnown;
  const exact = or([first.granted, and([first.noUser, ifKnown])]);
  return areEquivalent(exact, ifKnown) ? ifKnown : exact;
}

/** Undefined where nothing in it is for the method. */
function firstPass(node: RequireNode, method: MethodClass): FirstPass | undefined {
  const found = node.kind === 'require' ? ofRequire(node, method) : ofContainer(node, method);
  if (found === undefined || !node.negated) return found;
  return { granted: FALSE, noUser: FALSE, denied: found.granted };
}

function ofRequire(node: RequireNode & { kind: 'require' }, method: MethodClass): FirstPass | undefined {
  const { masks, provider, args, origin } = node;
  if (!masks.every((mask) => covers(mask, method))) return undefined;
  if (asksForUser(provider)) return { granted: FALSE, noUser: TRUE, denied: FALSE };
  const isAll = provider === 'all';
  const granted = isAll
    ? args.trim().toLowerCase() === 'granted'
      ? TRUE
      : FALSE
    : atom(provider, args.trim(), origin);
  return { granted, noUser: FALSE, denied: not(granted) };
}

function ofContainer(node: RequireNode & { kind: 'container' }, method: MethodClass): FirstPass | undefined {
  const parts = node.children.map((child) => firstPass(child, method));
  const said = parts.filter((part) => part !== undefined);
  if (said.length === 0) return undefined;
  // In a RequireAll what is for other methods counts as granted.
  const ofAny = (key: keyof FirstPass): Expr => or(said.map((part) => part[key]));
  if (node.op === 'or') {
    const granted = ofAny('granted');
    const noUser = and([not(granted), ofAny('noUser')]);
    return { granted, noUser, denied: and([not(granted), not(ofAny('noUser')), ofAny('denied')]) };
  }
  const denied = ofAny('denied');
  const noUser = and([not(denied), ofAny('noUser')]);
  const grants = said.length < parts.length ? TRUE : ofAny('granted');
  return { granted: and([not(denied), not(ofAny('noUser')), grants]), noUser, denied };
}
