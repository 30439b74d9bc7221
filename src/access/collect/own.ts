import type { Directive, Section } from '../../syntax';
import {
  type Authorizer,
  type AuthorizerConfig,
  type HostLine,
  type OrderLine,
  type OwnPolicy,
  type RequireLine,
  type SatisfyLine,
  type ScopeLine,
  authzOf,
} from '../policy';
import { NONE, plus } from '../primitives';

/** Most sections configure no module: they share this, which nothing is ever put into. */
const UNCONFIGURED = new Map<Authorizer, AuthorizerConfig>();

/** The undecided conditionals around a section, and those inside it around its lines. */
export interface Conditionals {
  readonly outer: readonly Section[];
  /** Around the first of its lines. */
  readonly path: readonly Section[];
  /** The lines, as long as the same stand around all: the last one, with those before it. */
  lines: Noted | undefined;
  /** Where others stand around some of its lines: those around each. */
  paths: Map<Directive, readonly Section[]> | undefined;
}

interface Noted {
  readonly node: Directive;
  readonly before: Noted | undefined;
}

/** Gathers what one section sets, line by line. */
export class OwnPolicyBuilder {
  orders: readonly OrderLine[] = NONE;
  lines: readonly HostLine[] = NONE;
  requires: readonly RequireLine[] = NONE;
  satisfy: readonly SatisfyLine[] = NONE;
  conditionals: Conditionals | undefined = undefined;
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
      reads === undefined || list.length === 0 ? list : list.filter(({ origin }) => reads(origin));
    const [orders, lines, requires] = [read(this.orders), read(this.lines), read(this.requires)];
    const authorizers = this.#configs.length === 0 ? UNCONFIGURED : new Map<Authorizer, AuthorizerConfig>();
    if (this.#configs.length > 0)
      for (const { module, config } of read(this.#configs)) {
        const known = authorizers.get(module) ?? { authoritative: true, configured: false };
        authorizers.set(module, { ...known, ...config });
      }
    const authTypes = read(this.#authTypes);
    return {
      authz: this.lines24.length === 0 ? undefined : this.#authz(reads),
      hosts: orders.length + lines.length > 0 ? { orders, lines } : undefined,
      requires: requires.length > 0 ? requires : undefined,
      satisfy: read(this.satisfy),
      authType: authTypes.length === 0 ? undefined : authTypes[authTypes.length - 1]!.value,
      authorizers,
    };
  }

  #authz(reads: ((origin: Directive) => boolean) | undefined): OwnPolicy['authz'] {
    return authzOf(
      this.lines24.filter(({ node }) => reads === undefined || (node.kind === 'directive' && reads(node))),
    );
  }
}
