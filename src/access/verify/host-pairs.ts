import { hostKey } from '../models';
import { type ConditionalTest, type Scope, testsAroundHost, testsExclude } from '../policy';
import { EMPTY_LIST, groupBy, memo } from '../primitives';

interface KnownHost {
  /** What is asked around it of both versions alike. */
  readonly tests: readonly ConditionalTest[];
  /** The versions may read what is asked around it differently: each may have another host of its names. */
  readonly mayDiffer: boolean;
  readonly key: string;
}

type KnownHosts = ReadonlyMap<Scope['vhost'], KnownHost>;

/**
 * The virtual hosts of a configuration and of its rewrite, each by its names and by what is asked around it: several may have the
 * same names, and a server has one of them or another.
 */
export class HostPairs {
  readonly #before: KnownHosts;
  readonly #after: KnownHosts;
  readonly #hostsAfter: readonly Scope['vhost'][];
  readonly #renewed = new Map<Scope['vhost'], Scope['vhost']>();
  readonly #paired = new Map<Scope['vhost'], Scope['vhost']>();

  /** @param before, after all sections of both; `hostsAfter` the hosts of the second, in their order */
  constructor(before: readonly Scope[], after: readonly Scope[], hostsAfter: Iterable<Scope['vhost']>) {
    this.#before = knownHosts(before);
    this.#after = knownHosts(after);
    this.#hostsAfter = [...hostsAfter];
    const hostsThere = new Set(this.#hostsAfter);
    const found = byKey(this.#after);
    for (const [key, hosts] of byKey(this.#before)) {
      const others = found.get(key) ?? EMPTY_LIST;
      if (others.length !== hosts.length) continue;
      for (const [i, host] of hosts.entries()) {
        this.#paired.set(others[i], host);
        if (hostsThere.has(others[i])) this.#renewed.set(host, others[i]);
      }
    }
  }

  /** Whether a section may be read where a virtual host of the first configuration is; so is what stands in the main server. */
  mayMeet({ vhost: other }: Scope, vhost: Scope['vhost'], when: 'before' | 'after'): boolean {
    if (other === undefined || other === vhost) return true;
    const host = (when === 'before' ? this.#before : this.#after).get(other);
    const origin = when === 'before' ? other : this.#paired.get(other);
    if (host?.mayDiffer === false && origin !== undefined) return origin === vhost;
    return !testsExclude(host?.tests ?? EMPTY_LIST, this.#before.get(vhost)?.tests ?? EMPTY_LIST);
  }

  /** What a host has become. httpd takes the first of those with the same names. */
  readonly renewed = memo((vhost: Scope['vhost']): Scope['vhost'] => {
    const tests = this.#before.get(vhost)?.tests ?? EMPTY_LIST;
    return this.#hostsAfter.find(
      (other) =>
        hostKey(other) === hostKey(vhost) &&
        !testsExclude(this.#after.get(other)?.tests ?? EMPTY_LIST, tests),
    );
  }, this.#renewed);
}

function knownHosts(scopes: readonly Scope[]): KnownHosts {
  const found = new Map<Scope['vhost'], KnownHost>();
  for (const scope of scopes) {
    if (scope.vhost === undefined || found.has(scope.vhost)) continue;
    const around = testsAroundHost(scope);
    // What the versions may read differently is asked of the section, too.
    const isAsked = ({ name, is }: ConditionalTest): boolean =>
      scope.aroundSection.some((other) => other.name === name && other.is === is);
    const tests = around.filter((test) => test.on24 === undefined && !isAsked(test));
    const key = [hostKey(scope.vhost), ...tests.map(({ name, is }) => `${is ? '' : '!'}${name}`)].join('\n');
    found.set(scope.vhost, { tests, mayDiffer: tests.length < around.length, key });
  }
  return found;
}

function byKey(hosts: KnownHosts): ReadonlyMap<string, readonly Scope['vhost'][]> {
  const sure = [...hosts].filter(([, { mayDiffer }]) => !mayDiffer).map(([host]) => host);
  return groupBy(sure, (host) => hosts.get(host)!.key);
}
