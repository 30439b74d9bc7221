import type { ResultContext } from '../../src/engine';
import { findModule } from '../../src/httpd/modules';

/** What the modules that 2.4 ships answer after `Require` (2.4: every ap_register_auth_provider with AUTHZ_PROVIDER_GROUP). */
const PROVIDERS =
  'all dbd-group dbd-login dbd-logout dbm-file-group dbm-group env expr file-group file-owner forward-dns group host ip ldap-attribute ldap-dn ldap-filter ldap-group ldap-search ldap-user local method ssl ssl-verify-client user valid-user'.split(
    ' ',
  );

/** The methods that 2.4 knows while it reads its configuration (2.4 http_protocol.c: ap_method_registry_init). */
const METHODS =
  'BASELINE-CONTROL CHECKIN CHECKOUT CONNECT COPY DELETE GET HEAD LABEL LOCK MERGE MKACTIVITY MKCOL MKWORKSPACE MOVE OPTIONS PATCH POST PROPFIND PROPPATCH PUT REPORT TRACE UNCHECKOUT UNLOCK UPDATE VERSION-CONTROL'.split(
    ' ',
  );

/** What a configuration may ask for after `Require`, and the methods that it may name there. */
export class ProvidersAndMethods {
  readonly #providers = new Set(PROVIDERS);
  readonly #methods = new Set(METHODS);
  /** A module that httpd does not ship is loaded, or what is loaded is not known: it may answer any word. */
  #mayHaveOthers: boolean;

  constructor({ result, resultIndex }: ResultContext) {
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
    return this.#mayHaveOthers || this.#providers.has(name);
  }

  hasMethod(name: string): boolean {
    return this.#methods.has(name);
  }
}
