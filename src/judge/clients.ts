import { addressesAround } from './addresses';
import { isOfTemplate } from './host-lists';
import { type Line, everyLine } from './lines';
import type { JudgeClient } from './request';

const MAX_ADDRESSES = 24;
const MAX_NAMES = 4;

/** Addresses of no range that a configuration is likely to name (RFC 5737, RFC 3849). */
const ELSEWHERE = ['203.0.113.77', '2001:db8:77::7'];
const NOBODY = 'w-nobody';

/** Who asks: an address on each side of each edge, each user and group that some line names, and one that none names. */
export function clientsFor(bodies: readonly (readonly Line[])[]): JudgeClient[] {
  const addresses = new Set(ELSEWHERE);
  const methods = new Set(['GET']);
  const users = new Set<string>();
  const groups = new Set<string>();
  const variables = new Set<string>();
  let asksForUsers = false;
  let hasTemplates = false;
  for (const { name, words, rest } of bodies.flatMap((body) => [...everyLine(body)])) {
    if (name === 'limit' || name === 'limitexcept') {
      for (const method of [...words.slice(0, MAX_NAMES), 'POST', 'PROPFIND']) methods.add(method);
    } else if (name === 'allow' || name === 'deny') {
      addAround(words, addresses);
      if (words.some(isOfTemplate)) hasTemplates = true;
      for (const word of words) if (/^env=/i.test(word)) variables.add(word.slice('env='.length).replace(/^!/, '').toLowerCase());
    }
    if (name === 'require') {
      addAround(words, addresses);
      const [first = '', ...named] = words[0]?.toLowerCase() === 'not' ? words.slice(1) : words;
      const kind = first.toLowerCase();
      if (kind === 'env') for (const word of named) variables.add(word.toLowerCase());
      if (kind === 'local') addresses.add('127.0.0.1').add('::1');
      if (kind === 'method' || /REQUEST_METHOD/i.test(rest)) for (const method of [...named.slice(0, MAX_NAMES), 'POST', 'PROPFIND']) methods.add(method);
      if (kind === 'valid-user' || kind === 'user' || kind === 'group') asksForUsers = true;
      if (kind === 'user') for (const user of named.slice(0, MAX_NAMES)) users.add(user);
      if (kind === 'group') for (const group of named.slice(0, MAX_NAMES)) groups.add(group);
    }
  }
  const people: Pick<JudgeClient, 'user' | 'groups'>[] = [{ user: undefined, groups: new Set() }];
  if (asksForUsers) {
    for (const user of [NOBODY, ...[...users].slice(0, MAX_NAMES)]) people.push({ user, groups: new Set() });
    for (const group of [...groups].slice(0, MAX_NAMES)) people.push({ user: NOBODY, groups: new Set([group]) });
  }
  const valid = [...methods].filter((method) => /^[A-Z]+$/.test(method)).slice(0, 6);
  const settings = [new Set<string>(), ...[...variables].slice(0, MAX_NAMES).map((name) => new Set([name]))];
  const fills = hasTemplates ? [false, true] : [false];
  return [...addresses]
    .slice(0, MAX_ADDRESSES)
    .flatMap((address) =>
      valid.flatMap((method) =>
        people.flatMap((person) =>
          settings.flatMap((env) => fills.map((isFilled) => ({ address, method, ...person, env, isFilled }))),
        ),
      ),
    );
} // prettier-ignore

function addAround(words: readonly string[], addresses: Set<string>): void {
  for (const word of words)
    if (addresses.size < MAX_ADDRESSES && /^[\d.:a-f/]+$/i.test(word) && /[.:\d]/.test(word))
      for (const address of addressesAround(word)) addresses.add(address);
}
