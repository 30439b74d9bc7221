import { addressesAround, isOfTemplate, type Line, everyLine } from '../text';
import type { JudgeClient } from '../answer';

const MAX_ADDRESSES = 24;
const MAX_NAMES = 4;

/** Addresses of no range that a configuration is likely to name (RFC 5737, RFC 3849). */
const ELSEWHERE = ['203.0.113.77', '2001:db8:77::7'];
const NOBODY = 'w-nobody';

/** What the lines of some sections name that clients can differ in. */
class NamedInLines {
  readonly addresses = new Set(ELSEWHERE);
  readonly methods = new Set(['GET']);
  readonly users = new Set<string>();
  readonly groups = new Set<string>();
  readonly variables = new Set<string>();
  asksForUsers = false;
  hasTemplates = false;
  asksForTls = false;

  add(line: Line): void {
    const { name, words } = line;
    if (name === 'limit' || name === 'limitexcept') this.#addMethods(words);
    else if (name === 'sslrequiressl') this.asksForTls = true;
    else if (name === 'require') this.#addRequire(line);
    else if (name === 'allow' || name === 'deny') {
      addAround(words, this.addresses);
      if (words.some(isOfTemplate)) this.hasTemplates = true;
      for (const word of words)
        if (/^env=/i.test(word))
          this.variables.add(word.slice('env='.length).replace(/^!/, '').toLowerCase());
    }
  }

  #addMethods(words: readonly string[]): void {
    for (const method of [...words.slice(0, MAX_NAMES), 'POST', 'PROPFIND']) this.methods.add(method);
  }

  #addRequire({ words, rest }: Line): void {
    addAround(words, this.addresses);
    const [first = '', ...named] = words[0]?.toLowerCase() === 'not' ? words.slice(1) : words;
    const kind = first.toLowerCase();
    if (kind === 'env') for (const word of named) this.variables.add(word.toLowerCase());
    if (kind === 'ssl' || /%\{HTTPS\}/i.test(rest)) this.asksForTls = true;
    if (kind === 'local') this.addresses.add('127.0.0.1').add('::1');
    if (kind === 'method' || /REQUEST_METHOD/i.test(rest)) this.#addMethods(named);
    if (kind === 'valid-user' || kind === 'user' || kind === 'group') this.asksForUsers = true;
    if (kind === 'user') for (const user of named.slice(0, MAX_NAMES)) this.users.add(user);
    if (kind === 'group') for (const group of named.slice(0, MAX_NAMES)) this.groups.add(group);
  }
}

/** Who asks: an address on each side of each edge, each user and group that some line names, and one that none names. */
export function clientsFor(bodies: readonly (readonly Line[])[]): JudgeClient[] {
  const found = new NamedInLines();
  for (const body of bodies) for (const line of everyLine(body)) found.add(line);
  const people: Pick<JudgeClient, 'user' | 'groups'>[] = [{ user: undefined, groups: new Set() }];
  if (found.asksForUsers) {
    for (const user of [NOBODY, ...[...found.users].slice(0, MAX_NAMES)])
      people.push({ user, groups: new Set() });
    for (const group of [...found.groups].slice(0, MAX_NAMES))
      people.push({ user: NOBODY, groups: new Set([group]) });
  }
  const methods = [...found.methods].filter((method) => /^[A-Z]+$/.test(method)).slice(0, 6);
  const variables = [...found.variables].slice(0, MAX_NAMES);
  const settings = [new Set<string>(), ...variables.map((name) => new Set([name]))];
  const fills = found.hasTemplates ? [false, true] : [false];
  const ways = found.asksForTls ? [{ tls: false }, { tls: true }] : [{}];
  return [...found.addresses]
    .slice(0, MAX_ADDRESSES)
    .flatMap((address) =>
      methods.flatMap((method) =>
        people.flatMap((person) =>
          settings.flatMap((env) =>
            fills.flatMap((isFilled) =>
              ways.map((way) => ({ address, method, ...person, env, isFilled, ...way })),
            ),
          ),
        ),
      ),
    );
}

function addAround(words: readonly string[], addresses: Set<string>): void {
  for (const word of words)
    if (addresses.size < MAX_ADDRESSES && /^[\d.:a-f/]+$/i.test(word) && /[.:\d]/.test(word))
      for (const address of addressesAround(word)) addresses.add(address);
}
