import type { ConfigFile } from '../../config';
import type { Directive } from '../../syntax';
import { classOf, hostLineHits, hostsAdmit } from '../models';
import {
  type Facts,
  type LiveRequires,
  type Scope,
  type State,
  liveRequires,
  orderFor,
  scopeName,
} from '../policy';
import { type AccessRequest, type Answer, type MethodMask, covers, coversAll } from '../primitives';

/** A line of the configuration, as it stands. */
export interface Line {
  readonly text: string;
  readonly file: string;
  readonly line: number;
}

/** What 2.2 has merged when a section has been taken in, as far as it concerns one request. */
export interface State22 {
  readonly hosts: { readonly order: string; readonly allow: string[]; readonly deny: string[]; readonly admits: boolean } | undefined; // prettier-ignore
  /** The Require lines that count; undefined without any for the method. */
  readonly requires: readonly string[] | undefined;
  readonly satisfy: 'any' | 'all';
  readonly authType: boolean;
  /** Whether the request meets SSLRequireSSL; undefined where none is in effect. */
  readonly ssl: boolean | undefined;
}

/** The lines of a section that 2.2's decision hangs on. */
export function linesOf22(scope: Scope): Line[] {
  const files = new Map<Directive, ConfigFile>();
  const masks = new Map<Directive, MethodMask>();
  const note = (node: Directive, mask?: MethodMask): void => {
    if (!files.has(node)) files.set(node, scope.file);
    if (mask !== undefined) masks.set(node, mask);
  };
  const lines = [
    ...scope.old,
    ...scope.ssl,
    ...scope.requires,
    ...(scope.authType === undefined ? [] : [scope.authType]),
  ];
  for (const { node, file } of lines) if (node.kind === 'directive') files.set(node, file);
  const { hosts, requires, satisfy } = scope.own;
  for (const { origin, mask } of [
    ...(hosts?.orders ?? []),
    ...(hosts?.lines ?? []),
    ...(requires ?? []),
    ...satisfy,
  ])
    // prettier-ignore
    note(origin, mask);
  return [...files]
    .sort(([a, one], [b, other]) => (one === other ? a.start - b.start : 0))
    .map(([node, file]) => ({
      text: `${node.name} ${node.rest}`.trimEnd() + limited(masks.get(node)),
      file: file.name,
      line: file.document.positionAt(node.from).line,
    }));
}

function limited(mask: MethodMask | undefined): string {
  if (mask === undefined || coversAll(mask)) return '';
  return ` (${mask.except ? 'not for' : 'for'} ${[...mask.names].join(', ')})`;
}

/** Where a section stands. */
export function placeOf(scope: Scope): { section: string; file: string; line: number } {
  const line = scope.section === undefined ? 1 : scope.file.document.positionAt(scope.section.open.from).line;
  return { section: scopeName(scope), file: scope.file.name, line };
}

export function stateOf22(state: State, facts: Facts, request: AccessRequest): State22 {
  const method = classOf(request.method, facts);
  const live = liveOf(state, facts, method);
  return {
    hosts: hostsOf(state, method, request),
    requires: live?.lines.map(({ keyword, source }) => `${keyword}${source === '' ? '' : ` ${source}`}`),
    satisfy: state.satisfy.get(method) ?? 'all',
    authType: state.authType,
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
  return {
    order: orderFor(policy, method).order,
    allow: words(true),
    deny: words(false),
    admits: hostsAdmit({ ...state, hosts: policy }, method, request),
  };
}

export function liveOf(state: State, facts: Facts, method: string): LiveRequires | undefined {
  return liveRequires(state.requires, method, state.authorizers, facts.modules);
}

/** Why 2.2 gives its answer, in words. */
export function reason22(state: State22, answer: Answer, user: string | undefined): string {
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
  const who = user === undefined ? 'there is no password' : answer === 'P' ? `a Require line admits ${user}` : `no Require line admits ${user}`; // prettier-ignore
  return `${lists}; ${who}`;
}
