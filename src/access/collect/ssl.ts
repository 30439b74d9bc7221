import { type Place, isConditional } from '../../config';
import type { Directive, Section } from '../../syntax';
import type { UrlMapping } from '../mapping';
import type { SslLine, TlsPolicy } from '../policy';
import { added } from '../primitives';
import type { ScopeContext } from './lines';
import type { ScopeBuilder } from './scope-builder';

const NAMES = new Set(['sslrequiressl', 'sslrequire', 'ssloptions', 'sslengine', 'sslverifyclient']);

/** What SSLOptions lines say, one after the other; undefined where they leave it as it was. */
interface Options {
  readonly strict: boolean | undefined;
  readonly isLogin: boolean | undefined;
}

const NO_OPTIONS: Options = { strict: undefined, isLogin: undefined };

/**
 * What mod_ssl asks of a request. SSLRequireSSL is part of the host check: under `Satisfy Any` a way in among others in 2.2, and a must in 2.4
 * (docs/facts/access-rewrite.md). With `SSLOptions +StrictRequire` it was a must before for whom the host lists let in.
 */
export class SslLines {
  /** The SSLOptions of the main server and of the virtual hosts that have any. */
  readonly #servers = new Map<Section | undefined, Options>();
  /** By section: SSLVerifyClient lines, and what SSLOptions says. */
  readonly #verify = new Map<ScopeBuilder, SslLine[]>();
  readonly #options = new Map<ScopeBuilder, Options>();
  /** A conditional decides on StrictRequire. */
  #isStrictOpen = false;
  /** `SSLEngine optional` answers 426, not 403. */
  #optional = false;
  #isUsed = false;

  static concerns(key: string): boolean {
    return NAMES.has(key);
  }

  /** Takes note of a line in the sections that it stands in. */
  add(node: Directive, place: Place, context: ScopeContext, scopes: readonly ScopeBuilder[]): void {
    const { before, after } = context.condition;
    if (before === false) return;
    const sure = before === true && after === true && context.undecided.length + context.outer.length === 0;
    const line = { node, inner: context.inner, file: place.file, sure, isReadBy24: before === after };
    switch (node.key) {
      case 'sslengine':
        this.#optional ||= node.args[0]?.value.toLowerCase() === 'optional';
        return;
      case 'ssloptions':
        this.#addOptions(node, place, sure, scopes);
        return;
      case 'sslverifyclient':
        for (const scope of scopes) this.#verify.set(scope, added(this.#verify.get(scope), line));
        return;
      default:
        for (const scope of scopes) {
          this.#isUsed = true;
          scope.ssl = added(scope.ssl, line);
        }
    }
  }

  #addOptions(
    { args }: Directive,
    { chain, root }: Place,
    sure: boolean,
    scopes: readonly ScopeBuilder[],
  ): void {
    const sections = chain.map(({ section }) => section).filter((section) => !isConditional(section));
    const isOfServer = root.role !== 'htaccess' && sections.every(({ key }) => key === 'virtualhost');
    const words = args.map(({ value }) => value.toLowerCase());
    const said = optionsAfter(NO_OPTIONS, words);
    if (said.strict !== undefined && !sure) this.#isStrictOpen = true;
    if (isOfServer) this.#servers.set(sections[0], optionsAfter(this.#servers.get(sections[0]), words));
    else for (const scope of scopes) this.#options.set(scope, optionsAfter(this.#options.get(scope), words));
  }

  /** Whether there is a check at all. */
  get isUsed(): boolean {
    return this.#isUsed;
  }

  get isOptional(): boolean {
    return this.#optional;
  }

  /** StrictRequire of the servers; undefined where they differ, or a conditional decides. */
  get strict(): boolean | undefined {
    if (this.#isStrictOpen) return undefined;
    const ofMain = this.#servers.get(undefined)?.strict ?? false;
    const isSame = [...this.#servers.values()].every(({ strict = ofMain }) => strict === ofMain);
    return isSame ? ofMain : undefined;
  }

  /** Whether a server makes a certificate a login (FakeBasicAuth). */
  get isLogin(): boolean {
    return [...this.#servers.values()].some(({ isLogin }) => isLogin === true);
  }

  /** Files what has been found with what each section sets. */
  assignChecks(scopes: readonly ScopeBuilder[], mapping: UrlMapping): void {
    this.#assignTls(scopes);
    if (!this.#isUsed) return;
    for (const scope of scopes)
      if (scope.ssl !== undefined && scope.vhost !== undefined && mapping.isOverTls(scope.vhost)) {
        // There the check holds for every request, in both versions.
        const expressions = scope.ssl.filter(({ node }) => node.key === 'sslrequire');
        scope.ssl = expressions.length > 0 ? expressions : undefined;
      }
    this.#isUsed = scopes.some(({ ssl }) => ssl !== undefined);
    for (const scope of scopes) {
      const line = scope.ssl?.findLast(({ node, sure }) => sure && node.key === 'sslrequiressl');
      if (line !== undefined)
        scope.sslCheck = {
          kind: 'check',
          byConnection: mapping.mayShareConnection(scope.vhost),
          origin: line.node,
        };
    }
  }

  /** Only where a password may do in place of an address does it matter what mod_ssl asks after the host lists. */
  #assignTls(scopes: readonly ScopeBuilder[]): void {
    const saysAny = ({ policy }: ScopeBuilder): boolean =>
      policy.satisfy.some(({ value }) => value === 'any');
    if (!scopes.some(saysAny)) return;
    for (const scope of scopes) {
      const requires = scope.ssl?.filter(({ node }) => node.key === 'sslrequire') ?? [];
      const verify = this.#verify.get(scope);
      const { strict, isLogin } = this.#options.get(scope) ?? NO_OPTIONS;
      if (requires.length === 0 && verify === undefined && (strict ?? isLogin) === undefined) continue;
      const tls: TlsPolicy = { verify: verify?.at(-1), requires, strict, isLogin };
      scope.tls = tls;
      scope.verifyLines = verify;
    }
  }
}

/** A word without a sign resets what is in force (ssl_engine_config.c: ssl_cmd_SSLOptions). */
function optionsAfter(options: Options = NO_OPTIONS, words: readonly string[]): Options {
  let { strict, isLogin } = options;
  if (words.some((word) => !/^[+-]/.test(word))) [strict, isLogin] = [false, false];
  for (const word of words) {
    const isOn = !word.startsWith('-');
    const name = word.replace(/^[+-]/, '');
    if (name === 'strictrequire') strict = isOn;
    else if (name === 'fakebasicauth') isLogin = isOn;
  }
  return { strict, isLogin };
}
