import { Unreadable } from './lines';
import { holds } from './expression';
import type { Line } from './lines';
import type { Limited, MetSections } from './met-sections';

/** Who asks. */
export interface PlainClient {
  readonly address: string;
  readonly method: string;
  /** A user who gave the right password; `''` for a wrong one. */
  readonly user: string | undefined;
  readonly groups: ReadonlySet<string>;
}

/** A client's request, with what it leads to. */
export interface Access extends PlainClient {
  readonly uri: string;
  readonly filename: string;
  /** The file is a directory. */
  readonly isDirectory: boolean;
  /** Of the server that answers. */
  readonly documentRoot: string;
  /** By which the client has asked for it; else its ServerName. */
  readonly serverName: string;
}

/** The same, with what the sections say of it. */
interface AccessIn24 extends Access {
  readonly groupFile: boolean;
}

/** P gets in · U 401 · F 403 · E 500. */
export type Letter = 'P' | 'U' | 'F' | 'E';

const isHost = ({ line }: Limited): boolean => ['order', 'allow', 'deny'].includes(line.name);

/** As 2.2 decides: docs/facts/access-2.2.md. `order` is the order in which its modules are asked. */
export function answerOf22(sections: MetSections, client: PlainClient, modules: readonly string[]): Letter {
  let hosts: Limited[] = [];
  let requires: Limited[] = [];
  let any = false;
  let groupFile = false;
  for (const lines of sections.linesFor(client.method)) {
    if (lines.some(isHost)) hosts = lines.filter(isHost);
    const here = lines.filter(({ line }) => line.name === 'require');
    if (here.length > 0) requires = here;
    const satisfy = lines.findLast(({ line, counts }) => line.name === 'satisfy' && counts);
    if (satisfy !== undefined) any = satisfy.line.words[0]!.toLowerCase() === 'any';
    if (lines.some(({ line }) => line.name === 'authgroupfile')) groupFile = true;
  }
  const admitted = hostsAdmit(
    hosts.filter(({ counts }) => counts),
    client,
  );
  const asked = requires.filter(({ counts }) => counts).map(({ line }) => line.words);
  if (any && admitted) return 'P';
  if (!any && !admitted) return 'F';
  if (asked.length === 0) return admitted ? 'P' : 'F';
  const login = loginOf(sections, client);
  if (login !== 'P') return login;
  for (const module of modules) {
    const verdict = verdictOf22(module, asked, client, groupFile);
    if (verdict !== undefined) return verdict ? 'P' : 'U';
  }
  return 'U';
}

function typeOf(sections: MetSections): string | undefined {
  const type = sections.wordOf('authtype')?.toLowerCase();
  return type === 'none' ? undefined : type;
}

/** P: the user is known. mod_auth_basic.c: authenticate_basic_user. */
function loginOf(sections: MetSections, { user }: PlainClient): Letter {
  const type = typeOf(sections);
  if (type === undefined || sections.wordOf('authname') === undefined) return 'E';
  const groupFile = sections.wordOf('authgroupfile');
  const providers = sections.settingOf('authbasicprovider')?.rest ?? 'file';
  if (
    type !== 'basic' ||
    providers !== 'file' ||
    (groupFile !== undefined && !groupFile.endsWith('/htgroup'))
  )
    throw new Unreadable(`AuthType ${type}`);
  if (user === undefined) return 'U';
  if (sections.wordOf('authuserfile') === undefined) return 'E';
  return user === '' ? 'U' : 'P';
}

/** True: lets in. False: keeps out. Undefined: has nothing to say. */
function verdictOf22(
  module: string,
  asked: readonly (readonly string[])[],
  { user, groups }: PlainClient,
  groupFile: boolean,
): boolean | undefined {
  const words = (kind: string): (readonly string[])[] =>
    asked.filter(([first]) => first?.toLowerCase() === kind);
  if (module === 'authz_user') {
    if (words('valid-user').length > 0) return true;
    const users = words('user');
    return users.length === 0 ? undefined : users.some((line) => line.slice(1).includes(user!));
  }
  if (module === 'authz_groupfile' && groupFile) {
    const lines = words('group');
    return lines.length === 0
      ? undefined
      : lines.some((line) => line.slice(1).some((group) => groups.has(group)));
  }
  return undefined;
}

function hostsAdmit(lines: readonly Limited[], client: PlainClient): boolean {
  const order =
    lines.findLast(({ line }) => line.name === 'order')?.line.words[0]?.toLowerCase() ?? 'deny,allow';
  const hits = (name: string): boolean =>
    lines.some(({ line }) => line.name === name && line.words.slice(1).some((word) => fits(word, client)));
  const [allowed, denied] = [hits('allow'), hits('deny')];
  return order === 'deny,allow' ? allowed || !denied : allowed && !denied;
}

/** A word of `Allow from`. No address here has a name. */
function fits(word: string, { address }: PlainClient): boolean {
  const lower = word.toLowerCase();
  if (lower.startsWith('env=')) throw new Unreadable(`from ${word}`);
  return lower === 'all' || inRange(word, address);
}

/** `10.1`, `10.1.0.0/16`, `10.1.0.0/255.255.0.0`, `2001:db8::/32`. */
export function inRange(range: string, address: string): boolean {
  const [base = '', width] = range.split('/');
  if (address.includes(':') || range.includes(':')) return inRange6(base, width, address);
  if (!/^[\d.]+$/.test(base)) return false;
  const given = base.replace(/\.$/, '').split('.').map(Number);
  const asked = address.split('.').map(Number);
  if (width === undefined) return given.every((part, i) => part === asked[i]);
  const mask = width.includes('.')
    ? width.split('.').map(Number)
    : [0, 8, 16, 24].map((from) => 256 - 2 ** (8 - Math.min(8, Math.max(0, Number(width) - from))));
  return asked.every((part, i) => (part & mask[i]!) === ((given[i] ?? 0) & mask[i]!));
}

function inRange6(base: string, width: string | undefined, address: string): boolean {
  if (!base.includes(':') || !address.includes(':')) return false;
  const bits = (text: string): string => {
    const [left = '', right] = text.split('::');
    const groups = (part: string): string[] => (part === '' ? [] : part.split(':'));
    const [head, tail] = [groups(left), groups(right ?? '')];
    const zeros = Array.from({ length: right === undefined ? 0 : 8 - head.length - tail.length }, () => '0');
    return [...head, ...zeros, ...tail]
      .map((part) => Number.parseInt(part, 16).toString(2).padStart(16, '0'))
      .join('');
  };
  const length = Number(width ?? 128);
  return bits(base).slice(0, length) === bits(address).slice(0, length);
}

/** What a part of a Require tree says: after mod_authz_core.c. */
type PartResult = 'granted' | 'denied' | 'no user' | 'neutral';

interface PlainRequireTree {
  readonly kind: 'requireany' | 'requireall' | 'requirenone';
  readonly parts: readonly (Limited | PlainRequireTree)[];
}

/** As 2.4 decides, without mod_access_compat: docs/facts/access-2.4.md. */
export function answerOf24(sections: MetSections, access: Access): Letter {
  const client = { ...access, groupFile: sections.wordOf('authgroupfile') !== undefined };
  let tree: PlainRequireTree | undefined;
  for (const lines of sections.linesFor(client.method)) {
    const parts = partsOf(lines);
    const merging =
      lines.findLast(({ line }) => line.name === 'authmerging')?.line.words[0]?.toLowerCase() ?? 'off';
    if (parts.length > 0) {
      const here: PlainRequireTree = { kind: 'requireany', parts };
      tree =
        merging === 'off' || tree === undefined
          ? here
          : { kind: merging === 'and' ? 'requireall' : 'requireany', parts: [tree, here] };
    }
  }
  if (tree === undefined) return typeOf(sections) === undefined ? 'P' : 'E';
  const first = evaluate(tree, { ...client, user: undefined }, true);
  if (first === 'granted') return 'P';
  if (first !== 'no user') return 'F';
  const login = loginOf(sections, client);
  if (login !== 'P') return login;
  return evaluate(tree, client, true) === 'granted' ? 'P' : 'U';
}

function partsOf(lines: readonly Limited[]): (Limited | PlainRequireTree)[] {
  return lines.flatMap(({ line, counts }): (Limited | PlainRequireTree)[] => {
    if (line.name === 'require') return [{ line, counts }];
    if (line.name !== 'requireany' && line.name !== 'requireall' && line.name !== 'requirenone') return [];
    const inner = (line.body ?? []).map((part) => ({ line: part, counts }));
    return [{ kind: line.name, parts: partsOf(inner) }];
  });
}

const isContainer = (part: Limited | PlainRequireTree): part is PlainRequireTree => 'parts' in part;

const countsAtAll = (part: Limited | PlainRequireTree): boolean =>
  isContainer(part) ? part.parts.some(countsAtAll) : part.counts;

function evaluate(part: Limited | PlainRequireTree, client: AccessIn24, inAll: boolean): PartResult {
  if (!countsAtAll(part)) return inAll ? 'granted' : 'neutral';
  if (!isContainer(part)) return resultOf(part.line, client);
  const all = part.kind === 'requireall';
  const results = part.parts.map((inner) => evaluate(inner, client, all));
  const joined = all ? joinAll(results) : joinAny(results);
  return part.kind === 'requirenone' ? negated(joined) : joined;
}

function joinAll(results: readonly PartResult[]): PartResult {
  if (results.includes('denied')) return 'denied';
  if (results.includes('no user')) return 'no user';
  return results.includes('granted') ? 'granted' : 'neutral';
}

function joinAny(results: readonly PartResult[]): PartResult {
  if (results.includes('granted')) return 'granted';
  if (results.includes('no user')) return 'no user';
  return results.includes('denied') ? 'denied' : 'neutral';
}

function negated(result: PartResult): PartResult {
  if (result === 'granted') return 'denied';
  return result === 'denied' ? 'neutral' : result;
}

function resultOf(line: Line, client: AccessIn24): PartResult {
  if (line.words[0] === 'expr') return granted('expr', [line.rest.replace(/^expr[ \t]+/, '')], client);
  const [first = '', ...others] = line.words;
  if (first.toLowerCase() === 'not') return negated(granted(others[0] ?? '', others.slice(1), client));
  return granted(first, others, client);
}

function granted(kind: string, words: readonly string[], client: AccessIn24): PartResult {
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
        }),
      );
    case 'valid-user':
      return user === undefined ? 'no user' : 'granted';
    case 'user':
      return user === undefined ? 'no user' : is(words.includes(user));
    case 'group':
      return user === undefined ? 'no user' : is(client.groupFile && words.some((word) => groups.has(word)));
    default:
      throw new Unreadable(`Require ${line(kind, words)}`);
  }
}

const line = (kind: string, words: readonly string[]): string => [kind, ...words].join(' ');
