import { inRange, type Line, Unreadable, refusesAtLast } from '../text';
import { holds } from './expression';
import { hostsAdmit, isOfHosts } from './host-lists';
import { authTypeOf, loginOf } from './login';
import { type Limited, type MetSections, meetsTls } from './met-sections';
import type { JudgeRequest, Letter } from './request';

/** A request with what the sections say of it. */
interface RequestIn24 extends JudgeRequest {
  readonly groupFile: boolean;
}

/** What a part of a Require tree says: after mod_authz_core.c. */
type PartResult = 'granted' | 'denied' | 'no user' | 'neutral';

interface RequireTree {
  readonly kind: 'requireany' | 'requireall' | 'requirenone';
  readonly parts: readonly (Limited | RequireTree)[];
}

/**
 * Decides as 2.4 does: docs/facts/access-2.4.md.
 * @param compat mod_access_compat is loaded; without it none of the lines is an Order, Allow, Deny or Satisfy
 */
export function answerOf24(sections: MetSections, access: JudgeRequest, compat = false): Letter {
  const { any, admitted } = compat ? compatOf(sections, access) : { any: false, admitted: true };
  if (!meetsTls(sections, access)) {
    if (any) throw new Unreadable('SSLRequireSSL under Satisfy Any');
    return 'F';
  }
  // Satisfy Any: who is on the list is asked nothing more. All: who is not, is refused (request.c: ap_process_request_internal).
  if (any && admitted) return 'P';
  return any || admitted ? treeAnswer(sections, access) : 'F';
}

/** What mod_access_compat says, which merges nothing: the last section with any of its lines counts, else defaults. */
function compatOf(sections: MetSections, access: JudgeRequest): { any: boolean; admitted: boolean } {
  const isItsOwn = (limited: Limited): boolean => isOfHosts(limited) || limited.line.name === 'satisfy';
  const lines = sections.linesFor(access.method).findLast((section) => section.some(isItsOwn)) ?? [];
  const counting = lines.filter((limited) => isItsOwn(limited) && limited.counts);
  const satisfy = counting.findLast(({ line }) => line.name === 'satisfy');
  return { any: satisfy?.line.words[0]?.toLowerCase() === 'any', admitted: hostsAdmit(counting, access) };
}

const treesBySections = new WeakMap<MetSections, Map<string, RequireTree | undefined>>();

/** The Require tree for a method, whoever asks: the last section's, joined with those above where AuthMerging says so. */
function treeFor(sections: MetSections, method: string): RequireTree | undefined {
  let byMethod = treesBySections.get(sections);
  if (byMethod === undefined) treesBySections.set(sections, (byMethod = new Map()));
  if (!byMethod.has(method)) byMethod.set(method, mergedTree(sections, method));
  return byMethod.get(method);
}

function mergedTree(sections: MetSections, method: string): RequireTree | undefined {
  let tree: RequireTree | undefined;
  const last = sections
    .linesFor(method)
    .flat()
    .find(({ line }) => refusesAtLast(line));
  if (last !== undefined)
    return {
      kind: 'requireany',
      parts: (last.line.body ?? []).map((part) => ({ line: part, counts: true })),
    };
  for (const lines of sections.linesFor(method)) {
    const parts = partsOf(lines);
    const merging =
      lines.findLast(({ line }) => line.name === 'authmerging')?.line.words[0]?.toLowerCase() ?? 'off';
    if (parts.length > 0) {
      const here: RequireTree = { kind: 'requireany', parts };
      tree =
        merging === 'off' || tree === undefined
          ? here
          : { kind: merging === 'and' ? 'requireall' : 'requireany', parts: [tree, here] };
    }
  }
  return tree;
}

function treeAnswer(sections: MetSections, access: JudgeRequest): Letter {
  const client = { ...access, groupFile: sections.wordOf('authgroupfile') !== undefined };
  const tree = treeFor(sections, client.method);
  if (tree === undefined) return authTypeOf(sections) === undefined ? 'P' : 'E';
  const first = evaluate(tree, { ...client, user: undefined }, true);
  if (first === 'granted') return 'P';
  if (first !== 'no user') return 'F';
  const login = loginOf(sections, client);
  if (login !== 'P') return login;
  return evaluate(tree, client, true) === 'granted' ? 'P' : 'U';
}

function partsOf(lines: readonly Limited[]): (Limited | RequireTree)[] {
  return lines.flatMap(({ line, counts }): (Limited | RequireTree)[] => {
    if (line.name === 'require') return [{ line, counts }];
    if (line.name !== 'requireany' && line.name !== 'requireall' && line.name !== 'requirenone') return [];
    const inner = (line.body ?? []).map((part) => ({ line: part, counts }));
    return [{ kind: line.name, parts: partsOf(inner) }];
  });
}

const isContainer = (part: Limited | RequireTree): part is RequireTree => 'parts' in part;

const countsAtAll = (part: Limited | RequireTree): boolean =>
  isContainer(part) ? part.parts.some(countsAtAll) : part.counts;

function evaluate(part: Limited | RequireTree, client: RequestIn24, inAll: boolean): PartResult {
  if (!countsAtAll(part)) return inAll ? 'granted' : 'neutral';
  if (!isContainer(part)) return resultOf(part.line, client);
  const all = part.kind === 'requireall';
  const strongest = all ? STRONGEST_OF_ALL : STRONGEST_OF_ANY;
  let joined = strongest.length - 1;
  // httpd asks no further part once one of them decides.
  for (let i = 0; i < part.parts.length && joined > 0; i++)
    joined = Math.min(joined, strongest.indexOf(evaluate(part.parts[i]!, client, all)));
  const result = strongest[joined]!;
  return part.kind === 'requirenone' ? negated(result) : result;
}

/** What several parts come to is the first of these that one of them says (mod_authz_core.c: apply_authz_sections). */
const STRONGEST_OF_ALL: readonly PartResult[] = ['denied', 'no user', 'granted', 'neutral'];
const STRONGEST_OF_ANY: readonly PartResult[] = ['granted', 'no user', 'denied', 'neutral'];

/** What a negation makes of it: it keeps out whom the part lets in, and says nothing of others or before a login. */
function negated(result: PartResult): PartResult {
  return result === 'granted' ? 'denied' : 'neutral';
}

/**
 * A word in which 2.4 puts variables, so that a backslash stands for the character behind it (mod_authz_user.c).
 * @throws Unreadable
 */
function expanded(word: string): string {
  if (/%\{|\$\d/.test(word)) throw new Unreadable(word);
  return word.replace(/\\(.)/g, '$1');
}

function resultOf(line: Line, client: RequestIn24): PartResult {
  if (line.words[0] === 'expr') return granted('expr', [line.rest.replace(/^expr[ \t]+/, '')], client);
  const [first = '', ...others] = line.words;
  if (first.toLowerCase() === 'not') return negated(granted(others[0] ?? '', others.slice(1), client));
  return granted(first, others, client);
}

function granted(kind: string, words: readonly string[], client: RequestIn24): PartResult {
  const is = (truth: boolean): PartResult => (truth ? 'granted' : 'denied');
  const { user, groups, address, method } = client;
  switch (kind) {
    case 'all':
      return is(words[0]!.toLowerCase() === 'granted');
    case 'ip':
      return is(words.some((word) => inRange(word, address)));
    case 'local':
      return is(inRange('127.0.0.0/8', address) || address === '::1');
    case 'method':
      return is(words.includes(method === 'HEAD' ? 'GET' : method));
    case 'env':
      if (client.env === undefined) throw new Unreadable(line(kind, words));
      return is(words.some((word) => client.env!.has(word.toLowerCase())));
    case 'ssl':
      if (client.tls === undefined) throw new Unreadable(line(kind, words));
      return is(client.tls);
    case 'host':
      return 'denied';
    case 'expr':
      return is(
        holds(words.join(' '), {
          REQUEST_FILENAME: client.filename,
          REQUEST_URI: client.uri,
          REQUEST_METHOD: method,
          REMOTE_ADDR: address,
          DOCUMENT_ROOT: client.documentRoot,
          SERVER_NAME: client.serverName,
          IS_DIRECTORY: client.isDirectory ? client.filename : '',
          ...(client.tls !== undefined && { HTTPS: client.tls ? 'on' : 'off' }),
        }),
      );
    case 'valid-user':
      return user === undefined ? 'no user' : 'granted';
    case 'user':
      return user === undefined ? 'no user' : is(words.map(expanded).includes(user));
    case 'group':
      return user === undefined
        ? 'no user'
        : is(client.groupFile && words.map(expanded).some((word) => groups.has(word)));
    default:
      throw new Unreadable(`Require ${line(kind, words)}`);
  }
}

const line = (kind: string, words: readonly string[]): string => [kind, ...words].join(' ');
