import { type Directive, quoteWord, readWord, readWords } from '../../syntax';
import { type MethodClass, covers, addTo } from '../primitives';
import type { Authorizer, RequireLine, SectionPolicy } from './policy';

/** Keywords of 2.2's own modules, lower case, and who answers them (docs/facts/access-2.2.md). */
const KEYWORDS = new Map<string, Authorizer>([
  ['user', 'user'],
  ['valid-user', 'user'],
  ['group', 'groupfile'],
  ['file-group', 'owner'],
  ['file-owner', 'owner'],
  ['ldap-user', 'ldap'],
  ['ldap-group', 'ldap'],
  ['ldap-dn', 'ldap'],
  ['ldap-attribute', 'ldap'],
  ['ldap-filter', 'ldap'],
]);

export function authorizerOf(keyword: string): Authorizer | undefined {
  return KEYWORDS.get(keyword);
}

/** Providers that only 2.4 has: a line with one of them was written for 2.4. */
const MODERN = new Set(
  'all ip host forward-dns local env method expr not dbm-group dbm-file-group ssl ssl-verify-client valid-token'.split(
    ' ',
  ),
);

/** The words of a `Require` as 2.2 reads them; undefined for one with a provider that only 2.4 has. */
export interface RequireWords extends Pick<RequireLine, 'keyword' | 'source' | 'rest' | 'verbatim'> {
  /** A word that no module of 2.2's own answers: the line is one that never matches. */
  readonly unknown: string | undefined;
}

/** Stands for all words that nobody answers. */
export const UNANSWERED = 'unanswered';

/**
 * Reads what follows `Require` the way 2.2 does: the keyword ends at a blank, quotes or not (server/core.c: require is RAW_ARGS).
 * @param escapes 2.4 reads the arguments as expressions
 */
export function readRequire(rest: string, escapes: boolean): RequireWords | undefined {
  const blank = rest.search(/[ \t\v\f\r]/);
  const keyword = blank < 0 ? rest : rest.slice(0, blank);
  const lower = keyword.toLowerCase();
  if (MODERN.has(lower)) return undefined;
  // 2.2 compares file-owner and the ldap words by their case, all others without.
  const exact = lower === 'file-owner' || lower.startsWith('ldap-');
  if (!KEYWORDS.has(lower) || (exact && keyword !== lower))
    return { keyword: UNANSWERED, source: rest, rest, verbatim: false, unknown: keyword };
  const args = blank < 0 ? '' : rest.slice(blank).replace(/^[ \t\v\f\r]+/, '');
  const escaped = escapes ? escapeArguments(lower, args) : args;
  const verbatim = keyword === lower && escaped === args;
  return { keyword: lower, source: args, rest: escaped, verbatim, unknown: undefined };
}

/** Whether 2.2's eyes would escape the arguments of a rewritten line once more. */
export function wouldEscapeAgain(line: RequireLine): boolean {
  return escapeArguments(line.keyword, line.rest) !== line.rest;
}

/**
 * 2.4 reads the arguments as an expression string first, then splits it (mod_authz_user.c, mod_authz_groupfile.c): `\`, `$0`–`$9`
 * and `%{` need a backslash (docs/facts/changes.md: A07).
 */
function escapeArguments(keyword: string, args: string): string {
  if (!/\\|%\{|\$[0-9]/.test(args)) return args;
  if (keyword.startsWith('ldap-') && keyword !== 'ldap-user') return escapeExpr(args);
  return readWords(args)
    .map((word) => escapeExpr(quoteWord(word.value)))
    .join(' ');
}

function escapeExpr(text: string): string {
  return text.replace(/\\|%(?=\{)|\$(?=[0-9])/g, '\\$&');
}

export interface EffectiveRequires {
  readonly lines: readonly RequireLine[];
  /** Group lines are answered by mod_authz_dbm. */
  readonly dbm: boolean;
  /** More than one module has a say: the lines are alternatives only because somebody said so. */
  readonly mixed: boolean;
  /** No group file is in effect for the lines: they let nobody in. */
  readonly noGroupFile?: true;
  /** Why it cannot be decided which lines count. */
  readonly undecided?: Undecided;
}

/** Why it cannot be said what a server decides in a state. For `no-require` see 2.4 mod_authz_core.c: authorize_user_core. */
export type Undecided =
  | { readonly kind: 'no-require' | 'not-loaded' | 'owner-among-others' | 'two-group-files' }
  | { readonly kind: 'maybe-configured'; readonly module: Authorizer };

/** How 2.2 would ask its modules: in what order, and whether the run can know what is configured. */
export interface AuthorizerOrder {
  readonly order: readonly Authorizer[];
  /** False where the server config that may configure a module was not part of the run. */
  readonly complete: boolean;
  /** The modules that LoadModule lines of the run name. */
  readonly loaded: ReadonlySet<Authorizer>;
  /** The order holds all modules that 2.2 had. */
  readonly all: boolean;
  /** The Require lines of the run are for more than one module. */
  readonly several: boolean;
}

type LinesAboutUsers = Pick<SectionPolicy, 'requires' | 'authorizers'>;

/** Each module leaves it to the next, and mod_authz_default refuses (2.2 mod_authz_groupfile.c: check_user_access). */
const LETS_NOBODY_IN: EffectiveRequires = { lines: [], dbm: false, mixed: false, noGroupFile: true };

/** Whether 2.2 had a module that answers a line; group lines are for one of two. */
export function isAnswered({ keyword }: RequireLine, modules: AuthorizerOrder): boolean {
  const module = KEYWORDS.get(keyword);
  if (module === undefined) return false;
  const { order } = modules;
  // Whether the order has all is asked last: to know it takes a look at the whole run.
  return order.includes(module) || (module === 'groupfile' && order.includes('dbm')) || !modules.all;
}

/**
 * Which `Require` lines decide (docs/facts/access-2.2.md): the modules are asked in turn, and the first that has a line for the
 * method and is authoritative ends the search; lines of later modules are dead. Undefined where no line is valid for the method.
 */
export function effectiveRequires(
  { requires, authorizers }: LinesAboutUsers,
  { modules }: { readonly modules: AuthorizerOrder },
  method: MethodClass,
): EffectiveRequires | undefined {
  if (requires === undefined) return undefined;
  const asked22 = requires.filter((line) => covers(line.mask, method));
  if (asked22.length === 0) return undefined;
  const valid = asked22.filter((line) => isAnswered(line, modules));
  if (valid.length === 0) return { lines: [], dbm: false, mixed: false };
  const dbm = authorizers.get('dbm')?.configured === true;
  const groupfile = authorizers.get('groupfile')?.configured === true;
  const byModule = new Map<Authorizer, RequireLine[]>();
  for (const line of valid) {
    const module = KEYWORDS.get(line.keyword)!;
    const key = module === 'groupfile' && dbm && !groupfile ? 'dbm' : module;
    addTo(byModule, key, line);
  }
  const result = { lines: valid, dbm: dbm && !groupfile, mixed: byModule.size > 1 };
  if (dbm && groupfile && byModule.has('groupfile'))
    return { ...result, undecided: { kind: 'two-group-files' } };
  if (byModule.size === 1) {
    const [only] = byModule.keys();
    // A section with a line of the module but no file of its own has lost the file above it (docs/facts/access-2.2.md: what a
    // section adds).
    const lost = only !== undefined && only !== 'user' && authorizers.get(only)?.configured === false;
    return lost ? LETS_NOBODY_IN : result;
  }
  if (byModule.has('owner')) return { ...result, undecided: { kind: 'owner-among-others' } };
  return answeredInTurn(result, byModule, authorizers, modules);
}

/** The lines of several modules that decide, as these are asked in turn. @param result where all of the lines do */
function answeredInTurn(
  result: EffectiveRequires,
  byModule: ReadonlyMap<Authorizer, readonly RequireLine[]>,
  authorizers: LinesAboutUsers['authorizers'],
  modules: AuthorizerOrder,
): EffectiveRequires {
  const live = new Set<RequireLine>();
  let met = 0;
  for (const module of modules.order) {
    const lines = byModule.get(module);
    if (lines === undefined) continue;
    met++;
    const config = authorizers.get(module);
    if (module !== 'user' && config?.configured !== true) {
      if (!modules.complete && config === undefined)
        return { ...result, undecided: { kind: 'maybe-configured', module } };
      continue;
    }
    for (const line of lines) live.add(line);
    const endless = module === 'user' && lines.some((line) => line.keyword === 'valid-user');
    if (endless || config?.authoritative !== false) break;
  }
  if (live.size === 0) {
    return met < byModule.size ? { ...result, undecided: { kind: 'not-loaded' } } : LETS_NOBODY_IN;
  }
  return {
    ...result,
    lines: result.lines.filter((line) => live.has(line)),
    mixed: new Set([...live].map((line) => KEYWORDS.get(line.keyword))).size > 1,
  };
}

/**
 * The modules of the lines for a method, in the order that {@link effectiveRequires} takes for granted where the run does not
 * show it; empty where any order lets in the same.
 */
export function assumedOrder(
  { requires, authorizers }: LinesAboutUsers,
  { order, loaded }: AuthorizerOrder,
  method: MethodClass,
): readonly string[] {
  if (requires === undefined) return [];
  const dbm = authorizers.get('dbm')?.configured === true;
  const moduleOf = (keyword: string): Authorizer | undefined => {
    const module = KEYWORDS.get(keyword);
    return module === 'groupfile' && dbm ? 'dbm' : module;
  };
  const lines = requires.filter((line) => covers(line.mask, method));
  const named = new Set(lines.map(({ keyword }) => moduleOf(keyword)));
  const names = order.filter((name) => named.has(name));
  if (names.length < 2 || names.every((name) => loaded.has(name))) return [];
  const matters =
    lines.some(({ keyword }) => keyword === 'valid-user') ||
    names.some((name) => authorizers.get(name)?.authoritative !== false);
  return matters ? names.map((name) => (name === 'ldap' ? 'mod_authnz_ldap' : `mod_authz_${name}`)) : [];
}

const BY_MODULE_NAME: Readonly<Record<string, Authorizer>> = {
  __proto__: null!,
  authz_owner_module: 'owner',
  authz_groupfile_module: 'groupfile',
  authz_dbm_module: 'dbm',
  authnz_ldap_module: 'ldap',
  authz_user_module: 'user',
};

/** The order of the stock 2.2 configuration: what to assume where the run has no LoadModule lines. */
const STOCK_ORDER: readonly string[] = [
  'authz_groupfile_module',
  'authz_user_module',
  'authz_dbm_module',
  'authz_owner_module',
  'authnz_ldap_module',
];

/** Who must be asked before whom whatever the load order (the aszPre and aszPost lists of the 2.2 modules). */
const BEFORE: Readonly<Partial<Record<Authorizer, Authorizer>>> = {
  groupfile: 'owner',
  dbm: 'owner',
  user: 'ldap',
};

/** The order in which 2.2 asks its authorization modules, from the identifiers of the LoadModule lines in their order. */
export function authorizerOrder(loadModules: readonly string[]): Authorizer[] {
  const loaded = loadModules.filter((name) => name in BY_MODULE_NAME);
  const pending = (loaded.length > 0 ? loaded : STOCK_ORDER).map((name) => BY_MODULE_NAME[name]!);
  const order: Authorizer[] = [];
  const addModule = (module: Authorizer): void => {
    const first = BEFORE[module];
    if (first !== undefined && pending.includes(first) && !order.includes(first)) addModule(first);
    if (!order.includes(module)) order.push(module);
  };
  pending.forEach(addModule);
  return order;
}

/** The authorization modules among those that LoadModule lines name. */
export function authorizersOf(loadModules: readonly string[]): ReadonlySet<Authorizer> {
  return new Set(loadModules.flatMap((name) => BY_MODULE_NAME[name] ?? []));
}

/** The first word of `LoadModule`. */
export function moduleIdentifier(node: Directive): string {
  return readWord(node.rest, 0)?.value ?? '';
}
