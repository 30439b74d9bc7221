import { isAddress } from '../policy';
import { type AccessRequest, EMPTY_SET, addressIn } from '../primitives';
import type { OpenFact } from './kinds';
import type { Looks } from './meeting';
import type { LoggedAccess } from './routes';

interface OpenChoice {
  readonly fact: OpenFact;
  readonly values: readonly Partial<AccessRequest>[];
}

class Everything extends Set<string> {
  override has(): boolean {
    return true;
  }
}
const EVERYTHING: ReadonlySet<string> = new Everything();

/** An address that nobody has (RFC 5737), for a client of which only the name is known. */
export const NOBODYS_ADDRESS = '192.0.2.1';
const MOST_RANGES = 8;
const MOST_NAMES = 8;
/** A user that no line names. */
const SOMEBODY = 'w-somebody';

/**
 * What the answer to a request hangs on and its line does not say, each with the ways in which it may be.
 * @param openVariables those of which nothing says whether they are set, lower case
 * @param tls undefined where it is not known whether the request came over TLS
 */
export function openChoices(
  { client, user }: LoggedAccess,
  looks: Looks,
  set: ReadonlySet<string>,
  openVariables: ReadonlySet<string>,
  tls: boolean | undefined,
): readonly OpenChoice[] {
  const choices: OpenChoice[] = [];
  const add = (fact: OpenFact, ...values: Partial<AccessRequest>[]): void =>
    void choices.push({ fact, values });
  const isNamed = client !== undefined && !isAddress(client);
  if (looks.address && (client === undefined || isNamed)) {
    const inRanges = [...looks.ranges].slice(0, MOST_RANGES).flatMap((range) => addressIn(range) ?? []);
    add('names', ...[NOBODYS_ADDRESS, ...inRanges].map((address) => ({ address })));
  }
  if (looks.names.size > 0 && !isNamed) {
    const names = [...looks.names]
      .slice(0, MOST_NAMES)
      .map((name) => (name.startsWith('.') ? `w${name}` : name));
    add('names', ...[undefined, ...names].map((host) => ({ host })));
  }
  if (looks.user && user === undefined)
    add('user', ...[undefined, SOMEBODY, ...namesIn(looks.users)].map((name) => ({ user: name })));
  if (looks.groups && user !== '') add('groups', { groups: EMPTY_SET }, { groups: EVERYTHING });
  if (looks.modules) add('modules', { holds: EMPTY_SET }, { holds: EVERYTHING });
  if (looks.variables && openVariables.size > 0)
    add('variables', { env: set }, { env: new Set([...set, ...openVariables]) });
  if (looks.tls && tls === undefined) add('tls', { tls: true }, { tls: false });
  return choices;
}

function namesIn(lines: ReadonlySet<string>): readonly string[] {
  return [...lines].flatMap((line) => line.split(/[ \t]+/).slice(0, MOST_NAMES));
}

/** Each way to take one of each list, the first of each first; at most so many. */
export function oneOfEach<T>(lists: readonly (readonly T[])[], most: number): readonly (readonly T[])[] {
  let all: readonly (readonly T[])[] = [[]];
  for (const list of lists)
    all = list.flatMap((item) => all.map((others) => [...others, item])).slice(0, most);
  return all;
}
