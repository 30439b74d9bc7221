import type {
  Authorizer,
  AuthorizerConfig,
  HostLine,
  OrderLine,
  OwnPolicy,
  RequireLine,
  SatisfyLine,
} from './policy';

/** Gathers what one section sets, line by line. */
export class OwnPolicyBuilder {
  readonly orders: OrderLine[] = [];
  readonly lines: HostLine[] = [];
  readonly requires: RequireLine[] = [];
  readonly satisfy: SatisfyLine[] = [];
  readonly #authorizers = new Map<Authorizer, AuthorizerConfig>();
  authType: boolean | undefined;

  configure(module: Authorizer, config: Partial<AuthorizerConfig>): void {
    const known = this.#authorizers.get(module) ?? { authoritative: true, configured: false };
    this.#authorizers.set(module, { ...known, ...config });
  }

  build(): OwnPolicy {
    return {
      hosts:
        this.orders.length + this.lines.length > 0 ? { orders: this.orders, lines: this.lines } : undefined,
      requires: this.requires.length > 0 ? this.requires : undefined,
      satisfy: this.satisfy,
      authType: this.authType,
      authorizers: this.#authorizers,
    };
  }
}
