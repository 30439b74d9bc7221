import type { ResultContext } from '../../src/engine';
import { isKnownIn } from '../../src/httpd/lifespan';
import { isRegistered } from '../../src/httpd/methods';
import { findModule } from '../../src/httpd/modules';
import { isProvider } from '../../src/httpd/providers';
import type { Release } from '../../src/httpd/release';

/** What a configuration may ask for after `Require`, and the methods that it may name there. */
export class ProvidersAndMethods {
  readonly #providers = new Set<string>();
  readonly #methods = new Set<string>();
  readonly #target: Release;
  /** A module that httpd does not ship is loaded, or what is loaded is not known: it may answer any word. */
  #mayHaveOthers: boolean;

  constructor({ result, resultIndex, target }: ResultContext) {
    this.#target = target;
    this.#mayHaveOthers = !result.isServer;
    resultIndex.visitDirectives(['loadmodule'], ({ args }) => {
      if (findModule(args[0]?.value ?? '') === undefined) this.#mayHaveOthers = true;
    });
    resultIndex.visitDirectives(['registerhttpmethod'], ({ args }) => {
      for (const { value } of args) this.#methods.add(value);
    });
    resultIndex.visitSections(['authzprovideralias'], ({ args }) => this.#addProvider(args[1]?.value));
    resultIndex.visitDirectives(['luaauthzprovider'], ({ args }) => this.#addProvider(args[0]?.value));
    resultIndex.visitDirectives(['authnzfcgidefineprovider'], ({ args }) =>
      this.#addProvider(args[1]?.value),
    );
  }

  #addProvider(name: string | undefined): void {
    if (name !== undefined) this.#providers.add(name);
  }

  /** @param name as it is written: 2.4 knows each in one letter case */
  hasProvider(name: string): boolean {
    if (this.#mayHaveOthers || this.#providers.has(name)) return true;
    return isProvider(name) && isKnownIn('provider', name, this.#target);
  }

  hasMethod(name: string): boolean {
    return isRegistered(name) || this.#methods.has(name);
  }
}
