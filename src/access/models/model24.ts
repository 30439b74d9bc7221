import { readWords } from '../../syntax';
import { type Authz24, type Node24, type Scope, authTypeOf, mergeAuthz, mergingOf, treeOf } from '../policy';
import { type AccessRequest, type Answer, addressMatches, covers, inDomain } from '../primitives';
import { evaluateExpr } from './apexpr';
import { matchScopes } from './match';

type Result = 'granted' | 'denied' | 'no-user' | 'neutral';

/** Thrown inside the model where it does not know a provider or an expression. */
class Unknown extends Error {}

/**
 * What 2.4 says to a request, mod_access_compat not loaded (2.4 mod_authz_core.c: authorize_user_core): the Require tree of the last
 * section that has one, joined with those above it as AuthMerging says.
 */
export function answer24(scopes: readonly Scope[], request: AccessRequest): Answer {
  return decide24(state24(matchScopes(scopes, request, '2.4'), request.config), request);
}

/** What 2.4 has merged of the sections a request meets. */
export interface State24 {
  readonly tree: Node24 | undefined;
  readonly authType: boolean;
  /** SSLRequireSSL is in effect: it comes before all Require lines. */
  readonly ssl: boolean;
}

export function state24(met: readonly Scope[], config: AccessRequest['config']): State24 {
  let authType = false;
  const ssl = met.some((scope) => scope.own.ssl !== undefined);
  for (const scope of met) authType = authTypeOf(scope, { config }) ?? authType;
  const whole = joinWalks(met, (scope) => {
    const own = { tree: treeOf(scope, { config }), merging: mergingOf(scope, { config }) };
    return own.tree === undefined && own.merging === undefined ? undefined : own;
  });
  return { tree: whole?.tree, authType, ssl };
}

/**
 * Merges what sections say to mod_authz_core. Directory, Files and Location sections are each merged among themselves first
 * (server/request.c: ap_directory_walk, ap_file_walk, ap_location_walk): with AuthMerging that is another result than one after the other.
 */
export function joinWalks(
  met: readonly Scope[],
  ownOf: (scope: Scope) => Authz24 | undefined,
): Authz24 | undefined {
  const walks = new Map<number, Authz24>();
  for (const scope of met) {
    const own = ownOf(scope);
    const walk = scope.kind === 'location' ? 2 : scope.kind === 'files' ? 1 : 0;
    if (own !== undefined) walks.set(walk, mergeAuthz(walks.get(walk), own));
  }
  let whole: Authz24 | undefined;
  for (const walk of [0, 1, 2]) {
    const own = walks.get(walk);
    if (own !== undefined) whole = mergeAuthz(whole, own);
  }
  return whole;
}

/** What 2.4 says in a state. */
export function decide24({ tree, authType, ssl }: State24, request: AccessRequest): Answer {
  if (ssl && request.tls === false) return 'F';
  if (tree === undefined) return authType ? 'E' : 'P';
  try {
    const before = evaluate(tree, 'and', request, undefined);
    if (before === 'granted') return 'P';
    if (before !== 'no-user') return 'F';
    if (!authType) return 'E';
    if (request.user === undefined) return 'U';
    return evaluate(tree, 'and', request, request.user) === 'granted' ? 'P' : 'U';
  } catch (error) {
    if (error instanceof Unknown) return '?';
    throw error;
  }
}

function limitedTo(node: Node24, method: string): boolean {
  if (node.kind === 'require') return node.masks.every((mask) => covers(mask, method));
  return node.children.some((child) => limitedTo(child, method));
}

function evaluate(
  node: Node24,
  parent: 'and' | 'or',
  request: AccessRequest,
  user: string | undefined,
): Result {
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  if (!limitedTo(node, method)) return parent === 'and' ? 'granted' : 'neutral';
  let result: Result = node.kind === 'require' ? provide(node.provider, node.args, request, user) : 'neutral';
  if (node.kind === 'container') {
    for (const child of node.children) {
      const one = evaluate(child, node.op, request, user);
      if (one === 'neutral') continue;
      if (one === (node.op === 'and' ? 'denied' : 'granted')) {
        result = one;
        break;
      }
      const stronger = one === 'no-user' && (node.op === 'and' ? result !== 'denied' : result === 'denied');
      if (stronger || result === 'neutral') result = one;
    }
  }
  if (!node.negated) return result;
  return result === 'granted' ? 'denied' : 'neutral';
}

function provide(provider: string, args: string, request: AccessRequest, user: string | undefined): Result {
  const words = readWords(args).map((word) => word.value);
  const granted = (hit: boolean): Result => (hit ? 'granted' : 'denied');
  switch (provider) {
    case 'all':
      return granted(words[0]?.toLowerCase() === 'granted');
    case 'env':
      return granted(words.some((word) => request.env.has(word.toLowerCase())));
    case 'method':
      return granted(words.includes(request.method === 'HEAD' ? 'GET' : request.method));
    case 'ip':
      return granted(words.some((word) => addressMatches(word, request.address)));
    case 'host':
      return granted(words.some((word) => request.host !== undefined && inDomain(word, request.host)));
    case 'ssl':
      return granted(request.tls !== false);
    case 'expr': {
      const value = evaluateExpr(args, request);
      if (value === undefined) throw new Unknown();
      return granted(value);
    }
    case 'valid-user':
      return user === undefined ? 'no-user' : 'granted';
    case 'user':
      return user === undefined ? 'no-user' : granted(unescaped(args).includes(user));
    case 'group':
    case 'dbm-group':
      return user === undefined
        ? 'no-user'
        : granted(unescaped(args).some((name) => request.groups.has(name)));
    case 'file-owner':
    case 'file-group':
    case 'dbm-file-group':
    case 'ldap-user':
    case 'ldap-group':
    case 'ldap-dn':
    case 'ldap-attribute':
    case 'ldap-filter':
      if (user === undefined) return 'no-user';
      throw new Unknown();
    default:
      throw new Unknown();
  }
}

/** User and group names are an expression string first, words then (mod_authz_user.c, mod_authz_groupfile.c). */
function unescaped(args: string): string[] {
  return readWords(args.replace(/\\(.)/gs, '$1')).map((word) => word.value);
}
