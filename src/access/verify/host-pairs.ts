import type { Section } from '../../syntax';
import { hostKey } from '../models';
import { type ConditionalTest, type Scope, testsAroundHost, testsExclude } from '../policy';
import { EMPTY_LIST } from '../primitives';

type Tests = readonly ConditionalTest[];

/**
 * The virtual hosts of a configuration and of its rewrite, each by its names and by what is asked around it: of two hosts with the same
 * names, a server may have one or the other.
 */
export class HostPairs {
  readonly #before: ReadonlyMap<Section, Tests>;
  readonly #after: ReadonlyMap<Section, Tests>;
  readonly #hostsAfter: readonly Scope['vhost'][];
  readonly #renewed = new Map<string, Scope['vhost']>();

  /** @param before, after all sections of both; `hostsAfter` the hosts of the second, in their order */
  constructor(before: readonly Scope[], after: readonly Scope[], hostsAfter: Iterable<Scope['vhost']>) {
    this.#before = testsOfHosts(before);
    this.#after = testsOfHosts(after);
    this.#hostsAfter = [...hostsAfter];
  }

  /** Differs for hosts that are told apart. */
  keyOf(vhost: Scope['vhost']): string {
    return [hostKey(vhost), ...this.#asked(vhost).map(({ name, is }) => `${is ? '' : '!'}${name}`)].join(
      '\n',
    );
  }

  /** Whether a section may be read where a virtual host of the first configuration is; so is what stands in the main server. */
  mayMeet({ vhost: other }: Scope, vhost: Scope['vhost'], when: 'before' | 'after'): boolean {
    if (other === undefined || other === vhost) return true;
    return !testsExclude(
      (when === 'before' ? this.#before : this.#after).get(other) ?? EMPTY_LIST,
      this.#asked(vhost),
    );
  }

  /** What a host has become. httpd takes the first of those with the same names. */
  renewed(vhost: Scope['vhost']): Scope['vhost'] {
    const key = this.keyOf(vhost);
    if (!this.#renewed.has(key)) {
      const isRenewed = (other: Scope['vhost']): boolean =>
        hostKey(other) === hostKey(vhost) &&
        !testsExclude((other && this.#after.get(other)) ?? EMPTY_LIST, this.#asked(vhost));
      this.#renewed.set(key, this.#hostsAfter.find(isRenewed));
    }
    return this.#renewed.get(key);
  }

  #asked(vhost: Scope['vhost']): Tests {
    return (vhost && this.#before.get(vhost)) ?? EMPTY_LIST;
  }
}

function testsOfHosts(scopes: readonly Scope[]): ReadonlyMap<Section, Tests> {
  const found = new Map<Section, Tests>();
  for (const scope of scopes) {
    if (scope.vhost === undefined || found.has(scope.vhost)) continue;
    // What the versions may read differently is asked of the section, too: each may have its own host there.
    const asked = new Set(scope.outer.map(({ name }) => name));
    const tests = testsAroundHost(scope).filter(({ name, on24 }) => on24 === undefined && !asked.has(name));
    found.set(scope.vhost, tests);
  }
  return found;
}
