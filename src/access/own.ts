import type { Directive } from '../syntax';
import { NONE, plus } from './lists';
import type {
  Authorizer,
  AuthorizerConfig,
  HostLine,
  OrderLine,
  OwnPolicy,
  RequireLine,
  SatisfyLine,
} from './policy';
import type { ScopeLine } from './scope';
import { authzOf } from './tree24';

/** Most sections configure no module: they share this, which nothing is ever put into. */
const UNCONFIGURED = new Map<Authorizer, AuthorizerConfig>();

/** Gathers what one section sets, line by line. */
export class OwnPolicyBuilder {
  orders: readonly OrderLine[] = NONE;
  lines: readonly HostLine[] = NONE;
  requires: readonly RequireLine[] = NONE;
  satisfy: readonly SatisfyLine[] = NONE;
  #authTypes: readonly { readonly value: boolean; readonly origin: Directive }[] = NONE;
  #configs: readonly {
    readonly module: Authorizer;
    readonly config: Partial<AuthorizerConfig>;
    readonly origin: Directive;
  }[] = NONE;

  /** A Require line with its containers, or an AuthMerging line, as mod_authz_core reads them. */
  lines24: readonly ScopeLine[] = NONE;

  authType(value: boolean, origin: Directive): void {
    this.#authTypes = plus(this.#authTypes, { value, origin });
  }

  configure(module: Authorizer, config: Partial<AuthorizerConfig>, origin: Directive): void {
    this.#configs = plus(this.#configs, { module, config, origin });
  }

  /** @param reads whether httpd reads a line; by default all are read */
  build(reads?: (origin: Directive) => boolean): OwnPolicy {
    const read = <T extends { readonly origin: Directive }>(list: readonly T[]): readonly T[] =>
      reads === undefined ? list : list.filter(({ origin }) => reads(origin));
    const [orders, lines, requires] = [read(this.orders), read(this.lines), read(this.requires)];
    const authorizers = this.#configs.length === 0 ? UNCONFIGURED : new Map<Authorizer, AuthorizerConfig>();
    for (const { module, config } of read(this.#configs)) {
      const known = authorizers.get(module) ?? { authoritative: true, configured: false };
      authorizers.set(module, { ...known, ...config });
    }
    const lines24 = this.lines24.filter(
      ({ node }) => reads === undefined || (node.kind === 'directive' && reads(node)),
    );
    return {
      authz: authzOf(lines24),
      hosts: orders.length + lines.length > 0 ? { orders, lines } : undefined,
      requires: requires.length > 0 ? requires : undefined,
      satisfy: read(this.satisfy),
      authType: read(this.#authTypes).at(-1)?.value,
      authorizers,
    };
  }
}
