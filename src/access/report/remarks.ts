import type { Directive, Stray } from '../../syntax';
import {
  type Decision,
  type Facts,
  type HostLine,
  type HostProblem,
  type HostSpec,
  INITIAL,
  type RequireLine,
  type Scope,
  type ScopeNote,
  type State,
  authorizerOf,
  decisionIn,
  effectiveRequires,
  hostsExpr,
  isAnswered,
  isMissingRequire,
  mergePolicy,
  orderFor,
  setsHandlerWithoutFile,
  statesWith,
} from '../policy';
import { EMPTY_LIST, covers } from '../primitives';
import { type AccessFinding, manualFinding } from './findings';

/** What a person should know about the lines of a section that is rewritten. */
export function remarksOn(scope: Scope, facts: Facts): readonly AccessFinding[] {
  const dead = facts.reading === '2.2' ? deadAllow(scope, facts) : undefined;
  const unloaded: readonly RequireLine[] = (scope.policy.requires ?? EMPTY_LIST).filter(
    (line) => authorizerOf(line.keyword) !== undefined && !isAnswered(line, facts.modules),
  );
  // Of most sections there is nothing to say.
  if (dead === undefined && unloaded.length + scope.notes.length + scope.unanswered.length === 0)
    return EMPTY_LIST;
  const on = (node: Directive | Stray, message: string): AccessFinding =>
    manualFinding(fileOf(scope, node), node.from, 'warning', message);
  const lone = scope.policy.requires?.length === scope.unanswered.length;
  return [
    ...(dead === undefined
      ? []
      : [{ ...on(dead.node, dead.message), level: 'info', safety: 'safe' } as const]),
    ...scope.notes.map((note) => ({
      ...on(note.node, noteText(note)),
      ...(note.kind === 'never-matches' && note.why === 'nobody' && ({ level: 'info' } as const)),
    })),
    ...unloaded.map(({ keyword, origin }) =>
      on(
        origin,
        `no LoadModule line loads the module that answers "Require ${keyword}": in 2.2 it let nobody in, and goes; say who is meant`,
      ),
    ),
    // Where a module may answer that is not known here, the strictest form says who asks.
    ...(facts.onlyKnownModules ? scope.unanswered : []).map(({ node, keyword }) => ({
      ...on(
        node,
        lone
          ? `no module answers "Require ${keyword}": 2.2 asked everybody for a password that let nobody in (401), 2.4 refuses without asking (403); say who is meant`
          : `no module answers "Require ${keyword}": it never let anybody in, and goes`,
      ),
      level: lone ? ('error' as const) : ('warning' as const),
    })),
  ];
}

/** Looks at a section, and at the states before it, for something that a person should know. */
type SectionRemark = (
  scope: Scope,
  statesBefore: readonly State[],
  facts: Facts,
) => AccessFinding | undefined;

/**
 * A section in which `AuthType None` meets a Require that asks for a user: 2.2 took None for a type that no module knows, and its
 * mod_authn_default refused every password.
 */
export const authTypeNoneRemark: SectionRemark = (scope, statesBefore, facts) => {
  const line = scope.policy.authType === false ? scope.lines.authType : scope.lines.requires[0];
  if (line === undefined) return undefined;
  const { policy } = scope;
  // Where AuthType None is not in effect, it is not the section's own, and no state before it has it.
  if (
    policy.authType === undefined ? !statesBefore.some(({ authType }) => authType === false) : policy.authType
  )
    return undefined;
  const asks = statesBefore.some((base) => {
    const state = mergePolicy(base, scope.policy, facts);
    if (state.authType !== false) return false;
    return facts.classes.some((method) => {
      const live = effectiveRequires(state, facts, method);
      const open = state.satisfy.get(method) === 'any' && hostsExpr(state.hosts, method).kind === 'true';
      return live !== undefined && live.lines.length > 0 && !open;
    });
  });
  if (!asks) return undefined;
  return manualFinding(line.file, line.node.from, 'warning', AUTH_TYPE_NONE);
};

const AUTH_TYPE_NONE =
  'AuthType None meets a Require that asks for a user: 2.2 answered 401 to every password, 2.4 answers 500; Require all denied keeps everybody out, Require all granted lets everybody in';

/** Tells of a section whose Require lines, or lack of them, let nobody in: both versions say so, in other words. */
export const letsNobodyInRemark: SectionRemark = (scope, statesBefore, facts) => {
  const line = scope.lines.requires[0] ?? scope.lines.authType ?? scope.lines.old[0];
  if (line === undefined) return undefined;
  const [message, isSo] =
    facts.reading === '2.2'
      ? [NO_GROUP_FILE, (state: State): boolean => hasNoGroupFile(state, facts)]
      : [NO_REQUIRE, (state: State): boolean => isMissingRequire(decisionIn(state, facts))];
  if (!statesWith(scope, statesBefore, facts).some(isSo)) return undefined;
  return manualFinding(line.file, line.node.start, 'warning', message);
};

const NO_GROUP_FILE =
  'no group file is in effect for Require lines here: 2.2 asked for a password that let nobody in (401), 2.4 refuses without asking (403); name the file, or say who is meant';

const NO_REQUIRE =
  'an AuthType without a Require: 2.4 answered 500 where the host lists did not decide, and refuses there now (403); add the Require that is meant';

function hasNoGroupFile(state: State, facts: Facts): boolean {
  const { requires } = state;
  // Lines for users alone need no group file, and there may be very many.
  if (requires === undefined || requires.every(({ keyword }) => authorizerOf(keyword) === 'user'))
    return false;
  return facts.classes.some((method) => effectiveRequires(state, facts, method)?.noGroupFile === true);
}

/**
 * Tells of a page that a handler makes without a file, as `server-status`, and that `Satisfy Any` of a site opens to whoever has
 * a password there, beside the addresses that its own section names.
 */
export const openedStatusPageRemark: SectionRemark = (scope, statesBefore, facts) => {
  const { policy, lines, section, file } = scope;
  const isByAddressAlone =
    policy.hosts !== undefined && policy.requires === undefined && policy.satisfy.length === 0;
  if (section === undefined || !isByAddressAlone || !setsHandlerWithoutFile(scope)) return undefined;
  const isOpened = statesBefore.some((base) => {
    const { requires, satisfy } = mergePolicy(base, policy, facts);
    return requires !== undefined && [...satisfy.values()].includes('any');
  });
  if (!isOpened) return undefined;
  const named = lines.old.flatMap(({ node }) => (node.key === 'allow' ? node.args.slice(1) : []));
  const words = [...new Set(named.map(({ value }) => value))];
  const areAddresses = words.length > 0 && words.every((word) => /^[\d.:/a-f]+$/i.test(word));
  const message = `a Satisfy Any above it opens this page to whoever has a password there, too, on 2.2 as on 2.4: if that is not meant, have each way in there ask for ${areAddresses ? `Require ip ${words.join(' ')}` : 'these addresses'}, too`;
  return manualFinding(file, section.open.from, 'warning', message);
};

function noteText(note: ScopeNote): string {
  if (note.kind === 'never-matches')
    return note.why === 'nobody'
      ? `"${note.word}" is taken for nobody: a client whose host name is just that is not let in by it any more`
      : `"${note.word}" never matched a client: ${NEVER[note.why]}`;
  if (note.kind === 'none')
    return `"${note.word}" is a host name like any other, not a word for no host: only a client of that name matches; take it out if nobody is meant`;
  if (note.kind === 'template-line')
    return `what ${note.text} stands for is not known: an access line that it puts here must be a Require line that fits those of this section`;
  const words = note.opens ? 'hosts too, and "all" among them means everybody' : 'host names';
  return `httpd has no comments at the end of a line: the words after # are ${words}`;
}

const NEVER: Readonly<Record<Exclude<HostProblem, 'nobody'>, string>> = {
  'no-variable': 'it names no variable',
  comma: 'a comma does not separate addresses',
  hash: 'httpd has no comments at the end of a line',
  wildcard: 'httpd has no wildcards here',
  'no-host-name': 'no host can have this name',
};

export function fileOf(scope: Scope, node: object): Scope['file'] {
  return [...scope.lines.old, ...scope.lines.requires].find((line) => line.node === node)?.file ?? scope.file;
}

const MOST_SHOWN = 3;

function saysAll({ words }: HostLine): boolean {
  return words.some(({ kind }) => kind === 'all');
}

/** A word by which nobody is let in, or nobody is meant to be. */
function isNobody(word: HostSpec): boolean {
  if (word.kind === 'host') return word.text.toLowerCase() === 'none';
  return word.kind === 'never' || word.kind === 'invalid';
}

function isWall(line: HostLine): boolean {
  return !line.allow && saysAll(line);
}

/**
 * `Allow from` lines that never let anybody in, because `Order allow,deny` lets a `Deny from all` win over them. Read as if the
 * last list named had its way they do, and so the examples of 2.4's upgrade guide for a host list joined with a password read
 * them (docs/facts/access-rewrite.md: traps, 2). Undefined where there are none.
 */
function deadAllow(scope: Scope, facts: Facts): { node: Directive; message: string } | undefined {
  const { hosts } = scope.policy;
  if (hosts === undefined || !hosts.orders.some(({ order }) => order === 'allow,deny')) return undefined;
  if (!hosts.lines.some(({ allow }) => allow) || !hosts.lines.some(isWall)) return undefined;
  const dead = new Set<string>();
  let node: Directive | undefined;
  for (const method of facts.classes) {
    if (orderFor(hosts, method).order !== 'allow,deny') continue;
    const lines = hosts.lines.filter((line) => covers(line.mask, method));
    const wall = lines.findIndex(isWall);
    if (wall < 0) continue;
    for (const [i, line] of lines.entries()) {
      const { allow, words, origin } = line;
      if (!allow || words.every(isNobody)) continue;
      // Everybody first, then nobody for some methods: nobody reads that as an opening.
      if (i < wall && (saysAll(line) || line.mask !== lines[wall]!.mask)) continue;
      if (node === undefined || origin.start < node.start) node = origin;
      for (const { value } of origin.args.slice(1)) dead.add(value);
    }
  }
  if (node === undefined) return undefined;
  const words = [...dead].slice(0, MOST_SHOWN).join(' ') + (dead.size > MOST_SHOWN ? ' ...' : '');
  return {
    node,
    message: `under Order allow,deny the Deny from all wins over Allow from ${words}: 2.2 admitted nobody for its address, and neither does the rewrite; the upgrade guide of 2.4 reads this pattern as letting ${words} in, so write a Require for it if that was the intention`,
  };
}

/** What a 2.4 with mod_access_compat makes of a section and of those above, for a message (docs/facts/access-2.4.md). */
export function mixedSummary(scope: Scope, statesBefore: readonly State[], facts: Facts): string {
  const { policy } = scope;
  const [base] = statesBefore;
  if (base === undefined) return '';
  const state = mergePolicy(base, policy, facts);
  const hosts = policy.hosts !== undefined || policy.satisfy.length > 0;
  const drops = hosts && policy.hosts === undefined && base.hosts !== undefined;
  const loses = hosts && policy.satisfy.length === 0 && [...base.satisfy.values()].includes('any');
  const both = state.hosts !== undefined && state.authz !== undefined;
  const any = [...state.satisfy.values()].includes('any');
  const above: string[] = [];
  if (!hosts && state.hosts !== undefined) above.push('Order, Allow and Deny');
  if (policy.authz === undefined && state.authz !== undefined) above.push('Require');
  const all = (kind: 'true' | 'false', checked: Decision): boolean =>
    checked.undecided === undefined && checked.exprs.every((expr) => expr.kind === kind);
  const decision = decisionIn(state, facts);
  // Worth saying where the section by itself says otherwise.
  const alone = decisionIn(mergePolicy(INITIAL, policy, facts), facts);
  return [
    both &&
      (any
        ? 'the host lists or the Require lines must admit'
        : 'the host lists and the Require lines must both admit'),
    both && above.length > 0 && `the ${above.join(' and ')} lines above it count too`,
    drops && 'its Satisfy drops the Order, Allow and Deny lines above it',
    loses && 'its Order, Allow and Deny lines drop the Satisfy Any above it',
    all('false', decision) && !all('false', alone) && 'nobody gets in',
    all('true', decision) && (drops || (any && policy.authz !== undefined)) && 'everybody gets in',
  ]
    .filter((part) => part !== false)
    .join(', ');
}
