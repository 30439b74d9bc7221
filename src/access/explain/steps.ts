import {
  type State24,
  classOf,
  decider22,
  decide24,
  decideCompat,
  hostLineHits,
  hostsAdmit,
  state24,
  stateCompat,
} from '../models';
import type { AllowOverrideIndex } from '../override';
import {
  type Facts,
  type Scope,
  type SectionPlace,
  type State,
  INITIAL,
  effectiveRequires,
  isLineRead,
  isWrittenFor24,
  mergePolicy,
  orderFor,
  policyUnder,
  requireTreeOf,
  sectionWithPlace,
} from '../policy';
import { type AccessAnswer, type AccessRequest, covers } from '../primitives';
import { overrideRefusal } from '../decide';
import { refusalText } from '../report';
import { type ConfigLine, linesAsWritten, linesOf22, linesOfCompat, shownAt } from '../view';

/** What 2.2 has merged when a section has been taken in, as far as it concerns one request. */
interface State22 {
  readonly hosts:
    | { readonly order: string; readonly allow: string[]; readonly deny: string[]; readonly admits: boolean }
    | undefined;
  /** The Require lines that count; undefined without any for the method. */
  readonly requires: readonly string[] | undefined;
  readonly satisfy: 'any' | 'all';
  readonly authType: boolean;
  /** Whether the request meets SSLRequireSSL; undefined where none is in effect. */
  readonly ssl: boolean | undefined;
}

function stateOf22(state: State, facts: Facts, request: AccessRequest): State22 {
  const method = classOf(request.method, facts);
  const live = effectiveRequires(state, facts, method);
  return {
    hosts: hostsOf(state, method, request),
    requires: live?.lines.map(({ keyword, source }) => `${keyword}${source === '' ? '' : ` ${source}`}`),
    satisfy: state.satisfy.get(method) ?? 'all',
    authType: state.authType === true,
    ssl: state.ssl && request.tls !== false,
  };
}

function hostsOf(
  { hosts: policy, ...state }: State,
  method: string,
  request: AccessRequest,
): State22['hosts'] {
  if (policy === undefined) return undefined;
  const words = (allow: boolean): string[] =>
    policy.lines
      .filter((line) => line.allow === allow && covers(line.mask, method))
      .flatMap((line) => {
        const texts = line.origin.args.slice(1).map(({ value }) => value);
        return hostLineHits(line, request) ? [`${texts.join(' ')} (matches)`] : texts;
      });
  const admits = hostsAdmit({ ...state, hosts: policy }, method, request);
  return { order: orderFor(policy, method).order, allow: words(true), deny: words(false), admits };
}

function reason22(state: State22, answer: AccessAnswer, user: string | undefined): string {
  const { hosts, requires, satisfy, ssl } = state;
  if (answer === 'E') return 'Require asks for a password, and no AuthType says how';
  const lists =
    ssl === false
      ? 'SSLRequireSSL refuses what comes without TLS'
      : hosts === undefined
        ? 'no Order, Allow or Deny is in effect'
        : `Order, Allow and Deny ${hosts.admits ? 'admit' : 'refuse'} the client`;
  if (answer === 'F') return satisfy === 'any' ? `${lists}, and there is no Require` : lists;
  if (requires === undefined) return `${lists}, and there is no Require`;
  if (satisfy === 'any' && hosts?.admits !== false && ssl !== false)
    return `${lists}, which is enough under Satisfy Any`;
  const who =
    user === undefined
      ? 'there is no password'
      : answer === 'P'
        ? `a Require line admits ${user}`
        : `no Require line admits ${user}`;
  return `${lists}; ${who}`;
}

/** A Require line or a container of the rewrite, `depth` containers deep. */
interface Line24 {
  readonly text: string;
  readonly depth: number;
}

/** The Require lines of a section with the containers and Limits around them, as 2.4 reads them. */
function linesOf24(scope: Scope, request: Pick<AccessRequest, 'config'>): Line24[] {
  const merging = scope.lines.merging.filter((line) => isLineRead(line, request));
  const lines: Line24[] = merging.map(({ node }) => ({ text: `${node.name} ${node.rest}`, depth: 0 }));
  for (const { node } of scope.ssl) lines.push({ text: `${node.name} ${node.rest}`.trimEnd(), depth: 0 });
  const open = new Set<object>();
  for (const { node, inner } of scope.lines.requires24.filter((line) => isLineRead(line, request))) {
    const around = inner.filter(({ section }) => /^(?:require|limit)/.test(section.key));
    around.forEach(({ section }, depth) => {
      if (open.has(section)) return;
      open.add(section);
      const { rest } = section.open;
      lines.push({ text: `<${section.name}${rest === '' ? '' : ` ${rest}`}>`, depth });
    });
    lines.push({ text: `${node.name} ${node.rest}`, depth: around.length });
  }
  return lines;
}

function reason24(
  { tree, ssl }: State24,
  answer: AccessAnswer,
  { user, tls }: Pick<AccessRequest, 'user' | 'tls'>,
  place?: SectionPlace,
): string {
  if (ssl && tls === false) return 'SSLRequireSSL refuses what comes without TLS';
  if (tree === undefined)
    return answer === 'E' ? 'an AuthType is in effect, and no Require' : 'no Require is in effect';
  const from = place === undefined ? '' : ` of ${sectionWithPlace(place)}`;
  switch (answer) {
    case 'P':
      return `the Require lines${from} grant it`;
    case 'U':
      return user === undefined
        ? `the Require lines${from} ask for a user`
        : `the Require lines${from} do not admit ${user}`;
    case 'F':
      return `the Require lines${from} deny it, whoever the user is`;
    case 'E':
      return `the Require lines${from} ask for a user, and no AuthType says how`;
    case '?':
      return `what a Require line${from} says`;
  }
}

interface SectionStep {
  readonly section: string;
  readonly file: string;
  readonly line: number;
  /** What the request would get if no further section came. */
  readonly answer: AccessAnswer;
}

/** One section on the request's way as 2.2 takes it in. */
export interface Step22 extends SectionStep {
  readonly sets: readonly ConfigLine[];
  readonly state: State22;
}

/** One section of the rewrite as 2.4 takes it in. */
export interface Step24 extends SectionStep {
  /** The Require lines and containers of the section; a section without any inherits. */
  readonly sets: readonly Line24[];
  readonly left: readonly ConfigLine[];
}

interface ExplainedAnswer {
  readonly answer: AccessAnswer;
  readonly why: string;
}

/** What the configuration says as it is: to a 2.2, or, where lines of both kinds meet, to a 2.4 with mod_access_compat. */
export interface Explained22 extends ExplainedAnswer {
  readonly reading: '2.2' | 'compat';
  readonly steps: readonly Step22[];
}

export interface Explained24 extends ExplainedAnswer {
  readonly steps: readonly Step24[];
  /** What 2.4 would answer with mod_access_compat, where the rewrite left lines that need it. */
  readonly compat: AccessAnswer | undefined;
}

/** What a 2.4 with mod_access_compat makes of lines of both kinds. @param met read as `compat`; `facts` too */
export function explainCompat(
  met: readonly Scope[],
  facts: Facts,
  request: AccessRequest,
  unknown: string[],
): Explained22 {
  const steps = met.map((scope, i): Step22 => {
    const state = stateCompat(met.slice(0, i + 1), facts, request.config);
    const merged = { ...stateOf22(state.compat, facts, request), requires: undefined };
    const answer = decideCompat(state, facts, request);
    return { ...shownAt(scope), sets: linesOfCompat(scope), state: merged, answer };
  });
  const answer = decideCompat(stateCompat(met, facts, request.config), facts, request);
  if (answer === '?') unknown.push('2.4 with mod_access_compat: what a Require line says');
  const why = 'the host lists and the Require lines together, as Satisfy says';
  return { reading: 'compat', steps, answer, why };
}

export function explain22(
  met: readonly Scope[],
  facts: Facts,
  request: AccessRequest,
  overrides: AllowOverrideIndex,
  unknown: string[],
): Explained22 {
  const reading = '2.2' as const;
  let state: State = INITIAL;
  const steps = met.map((scope) => {
    state = mergePolicy(state, policyUnder(scope, request.config), facts);
    const answer = decider22(state, facts)(request);
    return { ...shownAt(scope), sets: linesOf22(scope), state: stateOf22(state, facts, request), answer };
  });
  for (const scope of met) {
    const why = overrideRefusal(scope, overrides);
    if (why !== undefined)
      return { reading, steps, answer: 'E', why: `${shownAt(scope).section}: ${refusalText(why)}` };
  }
  const odd = met.find((scope) => scope.problems.length > 0 || isWrittenFor24(scope));
  if (odd !== undefined) {
    const [first] = odd.problems;
    const why = first === undefined ? 'it is written for 2.4' : refusalText(first.problem);
    unknown.push(`2.2, ${sectionWithPlace(shownAt(odd))}: ${why}`);
    return { reading, steps, answer: '?', why };
  }
  const live = effectiveRequires(state, facts, classOf(request.method, facts));
  const answer = decider22(state, facts)(request);
  const strange =
    answer === 'U' && request.user !== undefined
      ? live?.lines.find(({ keyword }) => !/^(?:user|valid-user|group)$/.test(keyword))
      : undefined;
  const doubt =
    live?.undecided === undefined
      ? strange && `whether Require ${strange.keyword} admits the user`
      : refusalText(live.undecided);
  if (doubt !== undefined && (answer === '?' || strange !== undefined)) {
    unknown.push(`2.2: ${doubt}`);
    return { reading, steps, answer: '?', why: doubt };
  }
  return { reading, steps, answer, why: reason22(stateOf22(state, facts, request), answer, request.user) };
}

/** @param compat what the answer would be with mod_access_compat */
export function explain24(
  met: readonly Scope[],
  request: AccessRequest,
  unknown: string[],
  compat: () => AccessAnswer,
): Explained24 {
  const steps = met.map((scope, i) => ({
    ...shownAt(scope),
    sets: linesOf24(scope, request),
    left: linesAsWritten(scope.lines.old),
    answer: decide24(state24(met.slice(0, i + 1), request.config), request),
  }));
  const left = steps.find((step) => step.left.length > 0);
  if (left !== undefined) {
    const why = `${sectionWithPlace(left)} is left as it is`;
    unknown.push(`2.4: ${why}`);
    const unread = `${why}; 2.4 does not read it without mod_access_compat`;
    return { steps, answer: '?', why: unread, compat: compat() };
  }
  const state = state24(met, request.config);
  const answer = decide24(state, request);
  if (answer === '?') unknown.push(`2.4: ${reason24(state, answer, request)}`);
  const last = met.findLast((scope) => requireTreeOf(scope, request) !== undefined);
  return { steps, answer, why: reason24(state, answer, request, last && shownAt(last)), compat: undefined };
}
