import { hostsAdmit, isOfHosts } from './host-lists';
import { Unreadable } from '../text';
import { loginOf } from './login';
import { type Limited, type MetSections, meetsTls } from './met-sections';
import type { JudgeClient, Letter } from './request';

/** What Require lines may ask for where other modules than those that are read here may be there, and lines for 2.4. */
export const READ_IN_22: ReadonlySet<string> = new Set(['valid-user', 'user', 'group']);

/** What the sections say for one method, whoever asks. */
interface Lists22 {
  readonly hosts: readonly Limited[];
  readonly requireWords: readonly (readonly string[])[];
  readonly any: boolean;
  readonly groupFile: boolean;
}

const listsBySections = new WeakMap<MetSections, Map<string, Lists22>>();

function listsFor(sections: MetSections, method: string): Lists22 {
  let byMethod = listsBySections.get(sections);
  if (byMethod === undefined) listsBySections.set(sections, (byMethod = new Map()));
  let lists = byMethod.get(method);
  if (lists === undefined) byMethod.set(method, (lists = mergedLists(sections, method)));
  return lists;
}

/** Host lists, Require lines and Satisfy are each inherited by themselves, and as a whole. */
function mergedLists(sections: MetSections, method: string): Lists22 {
  let hosts: Limited[] = [];
  let requires: Limited[] = [];
  let any = false;
  let groupFile = false;
  for (const lines of sections.linesFor(method)) {
    if (lines.some(isOfHosts)) hosts = lines.filter(isOfHosts);
    const here = lines.filter(({ line }) => line.name === 'require');
    if (here.length > 0) requires = here;
    const satisfy = lines.findLast(({ line, counts }) => line.name === 'satisfy' && counts);
    if (satisfy !== undefined) any = satisfy.line.words[0]!.toLowerCase() === 'any';
    if (lines.some(({ line }) => line.name === 'authgroupfile')) groupFile = true;
  }
  return {
    hosts: hosts.filter(({ counts }) => counts),
    requireWords: requires.filter(({ counts }) => counts).map(({ line }) => line.words),
    any,
    groupFile,
  };
}

/**
 * The answer of a 2.2: docs/facts/access-2.2.md.
 * @param modules in the order in which they are asked; undefined where that is not known
 * @param known what Require lines may ask for; undefined where no module knows any other word
 * @throws Unreadable where it rests on a Require line that asks for something else
 */
export function answerOf22(
  sections: MetSections,
  client: JudgeClient,
  modules: readonly string[] | undefined,
  known?: ReadonlySet<string>,
): Letter {
  const { hosts, requireWords, any, groupFile } = listsFor(sections, client.method);
  const admitted = hostsAdmit(hosts, client) && meetsTls(sections, client);
  if (any && admitted) return 'P';
  if (!any && !admitted) return 'F';
  if (requireWords.length === 0) return admitted ? 'P' : 'F';
  if (known !== undefined)
    for (const [first = ''] of requireWords)
      if (!known.has(first.toLowerCase())) throw new Unreadable(`Require ${first}`);
  const login = loginOf(sections, client);
  if (login !== 'P') return login;
  for (const module of modules ?? orderFor(requireWords)) {
    const verdict = verdictOf22(module, requireWords, client, groupFile);
    if (verdict !== undefined) return verdict ? 'P' : 'U';
  }
  return 'U';
}

/**
 * Where the order in which the modules are asked is not known: it does not matter as long as one of them has lines.
 * @throws Unreadable
 */
function orderFor(requireWords: readonly (readonly string[])[]): readonly string[] {
  const kinds = new Set(requireWords.map(([first]) => (first?.toLowerCase() === 'group' ? 'group' : 'user')));
  if (kinds.size > 1)
    throw new Unreadable('Require user beside Require group, the order of the modules unknown');
  return ['authz_user', 'authz_groupfile'];
}

/** True: lets in. False: keeps out. Undefined: has nothing to say. */
function verdictOf22(
  module: string,
  requireWords: readonly (readonly string[])[],
  { user, groups }: JudgeClient,
  groupFile: boolean,
): boolean | undefined {
  const words = (kind: string): (readonly string[])[] =>
    requireWords.filter(([first]) => first?.toLowerCase() === kind);
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
