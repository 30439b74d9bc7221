import { readWords } from '../../syntax';
import {
  type AuthzConfig,
  type Facts,
  type RequireNode,
  type Scope,
  type State,
  allDenied,
  authMergingOf,
  authTypeOf,
  mergeAuthz,
  policyUnder,
  requireTreeOf,
} from '../policy';
import {
  type AccessAnswer,
  type AccessRequest,
  type Config,
  addressMatches,
  covers,
  inDomain,
  memo,
  moduleQuestion,
} from '../primitives';
import { evaluateExpr, readsExpr } from './expressions';
import { classOf, clientCheck, meetsSslRequires, state22 } from './httpd22';

/** The addresses that `Require local` lets in. */
export const LOCAL = ['127.0.0.0/8', '::1'] as const;

/** Whether `Require local` lets in a client, by its address. */
export function isLocal({ address }: Pick<AccessRequest, 'address'>): boolean {
  return LOCAL.some((word) => addressMatches(word, address));
}

type Result = 'granted' | 'denied' | 'no-user' | 'neutral';

/** Thrown inside the model where it does not know a provider or an expression. */
class Unknown extends Error {}

/** What 2.4 has merged of the sections a request meets. */
export interface State24 {
  readonly tree: RequireNode | undefined;
  readonly authType: boolean;
  /** SSLRequireSSL is in effect: it comes before all Require lines. */
  readonly ssl: boolean;
  /** SSLRequire lines in effect, which come first, too. */
  readonly requires?: Scope['ssl'] | undefined;
  /** False where names behind `Require user` and its like are no expressions: before 2.4.8. */
  readonly escapes?: boolean;
}

/** @param escapes as in {@link Facts} */
export function state24(met: readonly Scope[], config: Config, escapes = true): State24 {
  let authType = false;
  const ssl = met.some((scope) => scope.policy.ssl?.kind === 'check');
  for (const scope of met) authType = authTypeOf(scope, { config }) ?? authType;
  const whole = joinWalks(met, (scope) => {
    const authz = { tree: requireTreeOf(scope, { config }), merging: authMergingOf(scope, { config }) };
    return authz.tree === undefined && authz.merging === undefined ? undefined : authz;
  });
  const requires = met.flatMap((scope) =>
    scope.ssl.filter(({ node, isFor22 }) => node.key === 'sslrequire' && !isFor22),
  );
  const last = met.find(({ lastDenial }) => lastDenial !== undefined)?.lastDenial;
  return { tree: last === undefined ? whole?.tree : allDenied(last), authType, ssl, requires, escapes };
}

/**
 * Merges what sections say to mod_authz_core. Directory, Files and Location sections are each merged among themselves first
 * (server/request.c: ap_directory_walk, ap_file_walk, ap_location_walk): with AuthMerging that is another result than one after
 * the other.
 */
function joinWalks(
  met: readonly Scope[],
  ownOf: (scope: Scope) => AuthzConfig | undefined,
): AuthzConfig | undefined {
  const walks = new Map<number, AuthzConfig>();
  for (const scope of met) {
    const authz = ownOf(scope);
    const walk = scope.kind === 'location' ? 2 : scope.kind === 'files' ? 1 : 0;
    if (authz !== undefined) walks.set(walk, mergeAuthz(walks.get(walk), authz));
  }
  let whole: AuthzConfig | undefined;
  for (const walk of [0, 1, 2]) {
    const authz = walks.get(walk);
    if (authz !== undefined) whole = mergeAuthz(whole, authz);
  }
  return whole;
}

/** What 2.4 says in a state, mod_access_compat not loaded (2.4 mod_authz_core.c: authorize_user_core). */
export function decide24(
  { tree, authType, ssl, requires, escapes = true }: State24,
  request: AccessRequest,
): AccessAnswer {
  if ((ssl && request.tls === false) || !meetsSslRequires(requires, request)) return 'F';
  if (tree === undefined) return authType ? 'E' : 'P';
  try {
    const before = evaluate(tree, 'and', request, { name: undefined, escapes });
    if (before === 'granted') return 'P';
    if (before !== 'no-user') return 'F';
    if (!authType) return 'E';
    if (request.user === undefined) return 'U';
    return evaluate(tree, 'and', request, { name: request.user, escapes }) === 'granted' ? 'P' : 'U';
  } catch (error) {
    if (error instanceof Unknown) return '?';
    throw error;
  }
}

function limitedTo(node: RequireNode, method: string): boolean {
  if (node.kind === 'require') return node.masks.every((mask) => covers(mask, method));
  return node.children.some((child) => limitedTo(child, method));
}

function evaluate(node: RequireNode, parent: 'and' | 'or', request: AccessRequest, user: KnownUser): Result {
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  if (!limitedTo(node, method)) return parent === 'and' ? 'granted' : 'neutral';
  let result: Result = node.kind === 'require' ? provide(node, request, user) : 'neutral';
  if (node.kind === 'container') {
    for (const child of node.children) {
      const childResult = evaluate(child, node.op, request, user);
      if (childResult === 'neutral') continue;
      if (childResult === (node.op === 'and' ? 'denied' : 'granted')) {
        result = childResult;
        break;
      }
      const stronger =
        childResult === 'no-user' && (node.op === 'and' ? result !== 'denied' : result === 'denied');
      if (stronger || result === 'neutral') result = childResult;
    }
  }
  if (!node.negated) return result;
  return result === 'granted' ? 'denied' : 'neutral';
}

/** The user as far as httpd knows one, and how names are read. */
interface KnownUser {
  readonly name: string | undefined;
  readonly escapes: boolean;
}

function provide(node: Require24, request: AccessRequest, { name: user, escapes }: KnownUser): Result {
  const { provider, args } = node;
  const granted = (hit: boolean): Result => (hit ? 'granted' : 'denied');
  switch (provider) {
    case 'all':
      return granted(wordsOf(node)[0]?.toLowerCase() === 'granted');
    case 'env':
      return granted(wordsOf(node).some((word) => request.env.has(word.toLowerCase())));
    case 'method':
      return granted(wordsOf(node).includes(request.method === 'HEAD' ? 'GET' : request.method));
    case 'ip':
      return granted(wordsOf(node).some((word) => addressMatches(word, request.address)));
    case 'local':
      // A client with the server's own address is let in, too: no request of ours has it (24 mod_authz_host.c:
      // local_check_authorization).
      return granted(isLocal(request));
    case 'host':
      return granted(
        wordsOf(node).some((word) => request.host !== undefined && inDomain(word, request.host)),
      );
    case 'ssl':
      return granted(request.tls !== false);
    case 'expr': {
      const value = evaluateExpr(args, request);
      if (value !== undefined) return granted(value);
      return granted(isSaid(node, request, escapes));
    }
    case 'valid-user':
      return user === undefined ? 'no-user' : 'granted';
    case 'user':
      return user === undefined ? 'no-user' : granted(namesOf(node, escapes).includes(user));
    case 'group':
    case 'dbm-group':
      return user === undefined
        ? 'no-user'
        : granted(namesOf(node, escapes).some((name) => request.groups.has(name)));
    default:
      return user === undefined && OF_USERS.has(provider)
        ? 'no-user'
        : granted(isSaid(node, request, escapes));
  }
}

/** Providers that ask for a user first, and then what no model can ask. */
const OF_USERS: ReadonlySet<string> = new Set(
  'file-owner file-group dbm-file-group ldap-user ldap-group ldap-dn ldap-attribute ldap-filter'.split(' '),
);

/** What a module says that no model can ask. @throws Unknown where the request does not know it either */
function isSaid(node: Require24, { holds }: AccessRequest, escapes: boolean): boolean {
  const question = questionOf(node, escapes);
  if (holds === undefined || question === undefined) throw new Unknown();
  return holds.has(question);
}

/** Words after Require that the models read. */
const READ = new Set('all env method ip local host ssl valid-user user group dbm-group'.split(' '));

/** What a Require line asks that no model can answer; undefined for one they read, or whose regex is uncertain. */
export function questionOf(node: Require24, escapes = true): string | undefined {
  const { provider, args } = node;
  if (READ.has(provider)) return undefined;
  if (provider === 'expr') return readsExpr(args) ? undefined : moduleQuestion(provider, [args.trim()]);
  return moduleQuestion(provider, namesOf(node, escapes));
}

type Require24 = RequireNode & { readonly kind: 'require' };

/** A line is asked again for every client. */
const wordsOf = memo((node: Require24): readonly string[] => readWords(node.args).map((word) => word.value));

const unescapedWordsOf = memo((node: Require24): readonly string[] =>
  readWords(node.args.replace(/\\(.)/gs, '$1')).map((word) => word.value),
);

/** User and group names are an expression string first, words then (mod_authz_user.c, mod_authz_groupfile.c). */
function namesOf(node: Require24, escapes: boolean): readonly string[] {
  return escapes ? unescapedWordsOf(node) : wordsOf(node);
}

interface StateCompat {
  readonly compat: State;
  readonly core: State24;
}

export function stateCompat(met: readonly Scope[], facts: Facts, config: Config): StateCompat {
  const compat = state22(met, facts, config);
  const whole = joinWalks(met, (scope) => policyUnder(scope, config).authz);
  return { compat, core: { tree: whole?.tree, authType: compat.authType === true, ssl: false } };
}

/** A state in which a 2.4 decides by its Require tree, for {@link decideCompat}. */
export function asCompat(state: State): StateCompat {
  return { compat: state, core: { tree: state.authz, authType: state.authType === true, ssl: false } };
}

/** What 2.4 with mod_access_compat says (docs/facts/access-2.4.md): the last host lists and Satisfy, and the Require tree. */
export function decideCompat(
  { compat, core }: StateCompat,
  facts: Facts,
  request: AccessRequest,
): AccessAnswer {
  const methodClass = classOf(request.method, facts);
  const { admitted, isFinal } = clientCheck(compat, methodClass, facts, request);
  if (compat.satisfy.get(methodClass) !== 'any') return admitted ? decide24(core, request) : 'F';
  if (isFinal) return 'F';
  return admitted ? 'P' : decide24(core, request);
}
