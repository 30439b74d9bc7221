import type { Section } from '../../syntax';
import { HostsByTarget, type UrlMapping } from '../mapping';
import { type Scope, directoryOf } from '../policy';
import { lazy } from '../primitives';

/** Servers of a run are many: on a section of the main one a few of them are tried. */
const MAX_HOSTS = 3;

/** Which hosts' requests are tried on a section. */
export class HostsToAsk {
  readonly #byTarget = lazy(() => this.#byTargetOf(this.vhosts));
  readonly #ofAll = lazy(() => this.#byTargetOf([undefined, ...this.vhosts]));

  /** @param vhosts those that differ from one another first */
  constructor(
    private readonly vhosts: readonly Section[],
    private readonly mapping: UrlMapping,
  ) {}

  /**
   * The servers that a section is asked on. For one of the main server, that server and a few virtual hosts: those whose requests
   * come to its place, if it has one and any do, others each time.
   */
  of(scope: Scope, turn: number): readonly Scope['vhost'][] {
    if (scope.vhost !== undefined) return [scope.vhost];
    const hosts: readonly Scope['vhost'][] = this.mapping.reachesMain ? [undefined] : [];
    const serving = this.#serving(scope);
    const some = Math.min(serving.length, MAX_HOSTS);
    return [...hosts, ...Array.from({ length: some }, (_, n) => serving[(turn * some + n) % serving.length])];
  }

  /**
   * Whether the requests of a host that lead nowhere meet what is for others: behind a section of the host, one of the main
   * server whose place the requests of some server come to. It is written for those, whatever the host says of a place that none
   * of its URLs leads to.
   * @param met in merge order
   */
  meetOthers(met: readonly Scope[], vhost: Scope['vhost']): boolean {
    if (vhost === undefined) return false;
    const at = met.findIndex((scope) => scope.vhost === vhost);
    return at >= 0 && met.slice(at + 1).some((scope) => scope.vhost === undefined && this.#isServed(scope));
  }

  #isServed(scope: Scope): boolean {
    const place = directoryOf(scope);
    return place !== undefined && this.#ofAll().reaching(place).length > 0;
  }

  #byTargetOf(hosts: readonly Scope['vhost'][]): HostsByTarget {
    return new HostsByTarget(hosts, (vhost) => this.mapping.targets(vhost));
  }

  #serving(scope: Scope): readonly Scope['vhost'][] {
    const place = directoryOf(scope);
    if (place === undefined || this.vhosts.length <= MAX_HOSTS) return this.vhosts;
    const serving = this.#byTarget().reaching(place);
    return serving.length > 0 ? serving : this.vhosts;
  }
}

/** Sections of a large run that most requests may meet. */
export function globalScopes(scopes: readonly Scope[]): readonly Scope[] {
  const isGlobal = ({ kind, pattern, vhost }: Scope): boolean =>
    kind !== 'htaccess' && pattern.kind !== 'path' && vhost === undefined;
  return scopes.filter(isGlobal).slice(0, 20);
}

/** A run of so many sections is small. */
const FEW = 100;

/**
 * The sections that a target for a scope is combined with: all in a small run, those next to it in a large one.
 * @param at where it stands among them; -1 if it does not
 */
export function neighbours(
  scope: Scope,
  scopes: readonly Scope[],
  everywhere: readonly Scope[],
  at = scopes.length <= FEW ? 0 : scopes.indexOf(scope),
): readonly Scope[] {
  if (scopes.length <= FEW) return scopes;
  return [...everywhere, ...scopes.slice(Math.max(0, at - 5), at + 5), scope];
}
