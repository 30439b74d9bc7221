import { type Place, isConditional } from '../../config';
import type { Directive, Section } from '../../syntax';
import type { UrlMapping } from '../mapping';
import { type Reading, type Scope, type SslLine, sslRequireTest } from '../policy';
import { EMPTY_LIST, added, getOrInsert } from '../primitives';
import type { ScopeContext } from './lines';
import type { LineContext } from './line-contexts';
import type { ScopeBuilder } from './scope-builder';

/** What a client is asked for in another handshake, where a section says so (2.2 ssl_engine_kernel.c: ssl_hook_Access). */
const OF_HANDSHAKE = ['sslverifyclient', 'sslciphersuite', 'sslverifydepth'];

const NAMES = new Set(['sslrequiressl', 'sslrequire', 'ssloptions', 'sslengine', ...OF_HANDSHAKE]);

/** What SSLOptions lines say, one after the other; undefined where they leave it as it was. */
interface Options {
  readonly strict: boolean | undefined;
  readonly isLogin: boolean | undefined;
}

interface ModuleLine {
  readonly identifier: string;
  readonly isSure: boolean;
}

const NO_OPTIONS: Options = { strict: undefined, isLogin: undefined };

/**
 * What mod_ssl asks of a request. SSLRequireSSL is part of the host check: under `Satisfy Any` a way in among others in 2.2, and
 * a must in 2.4 (docs/facts/access-rewrite.md). With `SSLOptions +StrictRequire` it was a must before for whom the host lists let
 * in.
 */
export class SslLines {
  /** The SSLOptions of the main server and of the virtual hosts that have any. */
  readonly #servers = new Map<Section | undefined, Options>();
  /** By section: what it asks for in a handshake, and what SSLOptions says. */
  readonly #handshake = new Map<ScopeBuilder, SslLine[]>();
  readonly #options = new Map<ScopeBuilder, Options>();
  /** By server: what lines say that 2.4 alone surely reads, and in what section. */
  readonly #saidTo24 = new Map<Section | undefined, Set<string>>();
  /** The LoadModule lines that may be read, in order. */
  readonly #modules: ModuleLine[] = [];
  /** The greatest SSLVerifyDepth of a server; 1 is what it is where none says so. */
  #depth = 1;
  /** StrictRequire of the servers that can refuse by a check; undefined where they differ, or a conditional decides. */
  strict: boolean | undefined = false;
  /** A conditional decides on StrictRequire. */
  #isStrictOpen = false;
  /** `SSLEngine optional` answers 426, not 403. */
  isOptional = false;
  isUsed = false;

  static concerns(key: string): boolean {
    return NAMES.has(key);
  }

  /** Takes note of a line in the sections that it stands in. */
  add(node: Directive, place: Place, context: LineContext, scopes: readonly ScopeBuilder[]): void {
    const { before, after } = context.condition;
    if (before === false) {
      if (after === true)
        for (const { scope } of scopes)
          getOrInsert(this.#saidTo24, scope.vhost, () => new Set()).add(saidIn(scope, node));
      return;
    }
    const isPlain = before === true && context.undecided.length + context.outer.length === 0;
    const isSure22 = isPlain || context.isSurelyReadBy22;
    const sure = (isPlain && after === true) || context.isSurelyRead;
    const isFor22 = after === false;
    const { inner } = context;
    const { file } = place;
    const isKnown = sure || (isSure22 && isFor22);
    const line = { node, inner, file, sure: isKnown, isReadBy24: before === after, isFor22 };
    switch (node.key) {
      case 'sslengine':
        this.isOptional ||= node.args[0]?.value.toLowerCase() === 'optional';
        return;
      case 'ssloptions':
        this.#addOptions(node, place, sure, scopes);
        return;
      case 'sslverifyclient':
      case 'sslciphersuite':
        for (const scope of scopes) this.#handshake.set(scope, added(this.#handshake.get(scope), line));
        return;
      case 'sslverifydepth':
        if (isOfServer(place)) this.#depth = Math.max(this.#depth, depthOf(node));
        else for (const scope of scopes) this.#handshake.set(scope, added(this.#handshake.get(scope), line));
        return;
      default:
        for (const { scope } of scopes) scope.ssl = added(scope.ssl, line);
    }
  }

  #addOptions({ args }: Directive, place: Place, sure: boolean, scopes: readonly ScopeBuilder[]): void {
    const words = args.map(({ value }) => value.toLowerCase());
    const said = optionsAfter(NO_OPTIONS, words);
    if (said.strict !== undefined && !sure) this.#isStrictOpen = true;
    if (isOfServer(place)) {
      const [server] = sectionsOf(place);
      this.#servers.set(server, optionsAfter(this.#servers.get(server), words));
    } else
      for (const scope of scopes) this.#options.set(scope, optionsAfter(this.#options.get(scope), words));
  }

  addModule(identifier: string, { condition: { before }, undecided, outer }: ScopeContext): void {
    if (before === false) return;
    this.#modules.push({ identifier, isSure: before === true && undecided.length + outer.length === 0 });
  }

  /**
   * Whether the host lists are asked before mod_ssl: both say that they may stand anywhere in the order, which is then that of
   * LoadModule, after what is built in. Undefined where conditionals decide. Without a line for either, the usual order is
   * assumed.
   */
  areHostsFirst(reading: Reading, complete: boolean): boolean | undefined {
    const [hosts, ssl] = [
      this.#loadedAt(reading !== '2.2' ? 'access_compat_module' : 'authz_host_module'),
      this.#loadedAt('ssl_module'),
    ];
    if (hosts === undefined) return true;
    if (ssl === undefined) return !complete;
    return hosts.last < ssl.first ? true : ssl.last < hosts.first ? false : undefined;
  }

  /** The first and the last of the lines that may be the one which loads a module. */
  #loadedAt(identifier: string): { readonly first: number; readonly last: number } | undefined {
    const isOf = (line: ModuleLine): boolean => line.identifier === identifier;
    const first = this.#modules.findIndex(isOf);
    if (first < 0) return undefined;
    const sure = this.#modules.findIndex((line) => isOf(line) && line.isSure);
    return { first, last: sure < 0 ? this.#modules.findLastIndex(isOf) : sure };
  }

  /** A server that answers over TLS alone refuses nobody by SSLRequireSSL, whatever StrictRequire says there. */
  #strictOf(scopes: readonly ScopeBuilder[], mapping: UrlMapping): boolean | undefined {
    if (this.#isStrictOpen) return undefined;
    const ofMain = this.#servers.get(undefined)?.strict ?? false;
    const asksMore = scopes.some(({ scope: { ssl } }) => ssl.some(({ node }) => node.key === 'sslrequire'));
    const words = mapping
      .hostsExcept()
      .filter((host) => asksMore || host === undefined || mapping.tls.isOver(host) !== true)
      .map((host) => this.#servers.get(host)?.strict ?? ofMain);
    const [first = ofMain] = words;
    return words.every((strict) => strict === first) ? first : undefined;
  }

  /** Whether a server makes a certificate a login (FakeBasicAuth). */
  get isLogin(): boolean {
    return [...this.#servers.values()].some(({ isLogin }) => isLogin === true);
  }

  /** Files what has been found with what each section sets. */
  assignChecks(scopes: readonly ScopeBuilder[], mapping: UrlMapping): void {
    for (const scope of scopes) this.#joinTwins(scope);
    this.strict = this.#strictOf(scopes, mapping);
    for (const builder of scopes) {
      const { scope } = builder;
      if (scope.ssl.length > 0 && !this.#isMust(builder))
        scope.ssl = scope.ssl.map((line) => ({ ...line, test: testFor(line.node, scope.vhost, mapping) }));
      // There the check holds for every request, in both versions.
      if (scope.ssl.length > 0 && scope.vhost !== undefined && mapping.tls.isOver(scope.vhost) === true)
        scope.ssl = scope.ssl.filter(({ node }) => node.key === 'sslrequire');
    }
    this.isUsed = scopes.some(({ scope }) => scope.ssl.length > 0);
    this.#assignTls(scopes);
    for (const builder of scopes) {
      const { scope } = builder;
      const lines = scope.ssl.filter((line) => line.node.key === 'sslrequiressl' && isHeeded(line, builder));
      const line = lines.findLast(({ isFor22 }) => !isFor22) ?? lines.at(-1);
      if (line !== undefined)
        builder.sslCheck = {
          kind: line.isFor22 ? 'tree' : 'check',
          byConnection: mapping.tls.mayShareConnection(scope.vhost),
          origin: line.node,
        };
      refuseFor22(builder, this.#handshake.get(builder));
    }
  }

  /** Takes lines for 2.2 alone for such as both versions read where 2.4 reads the same words in a block of its own. */
  #joinTwins(builder: ScopeBuilder): void {
    const { scope } = builder;
    const joined = (line: SslLine): SslLine =>
      line.isFor22 && this.#saidTo24.get(scope.vhost)?.has(saidIn(scope, line.node)) === true
        ? { ...line, sure: false, isReadBy24: true, isFor22: false }
        : line;
    if (scope.ssl.length > 0) scope.ssl = scope.ssl.map(joined);
    const handshake = this.#handshake.get(builder);
    if (handshake !== undefined) this.#handshake.set(builder, handshake.map(joined));
  }

  /** Whether StrictRequire is in force wherever SSLRequire lines of a section are. */
  #isMust(scope: ScopeBuilder): boolean {
    const said = [...this.#options.values()];
    if (this.#isStrictOpen || said.some(({ strict }) => strict === false)) return false;
    return this.#options.get(scope)?.strict ?? this.strict === true;
  }

  /** Only where a password may do in place of an address does it matter what mod_ssl asks after the host lists. */
  #assignTls(scopes: readonly ScopeBuilder[]): void {
    const saysAny = ({ scope: { policy } }: ScopeBuilder): boolean =>
      policy.satisfy.some(({ value }) => value === 'any');
    const isAny = scopes.some(saysAny);
    for (const builder of scopes) {
      const { scope } = builder;
      const expressions = scope.ssl.filter(({ node }) => node.key === 'sslrequire');
      const for22 = expressions.filter(
        (line) => line.isFor22 && line.test !== undefined && isHeeded(line, builder),
      );
      const inTree = for22.map((line) => ({ ...line, inTree: true }));
      if (!isAny) {
        if (inTree.length > 0)
          builder.tls = { handshake: [], requires: inTree, strict: undefined, isLogin: undefined };
        continue;
      }
      const requires = [...expressions.filter((line) => !for22.includes(line)), ...inTree];
      // A client is asked again only for a shorter chain than that of its server.
      const handshake =
        this.#handshake
          .get(builder)
          ?.filter(({ node }) => node.key !== 'sslverifydepth' || depthOf(node) < this.#depth) ?? [];
      const { strict, isLogin } = this.#options.get(builder) ?? NO_OPTIONS;
      if (requires.length + handshake.length === 0 && (strict ?? isLogin) === undefined) continue;
      const inForce = OF_HANDSHAKE.flatMap((key) => handshake.findLast(({ node }) => node.key === key) ?? []);
      builder.tls = { handshake: inForce, requires, strict, isLogin };
      scope.handshake = handshake;
    }
  }
}

/** Whether a line has a say: what 2.2 alone reads is said in Require lines, and without an access line none are written. */
function isHeeded({ sure, isFor22 }: SslLine, { accessLines }: ScopeBuilder): boolean {
  return sure && !(isFor22 && accessLines === undefined);
}

/** Refuses a section in which 2.2 alone reads a line that no Require says. */
function refuseFor22(builder: ScopeBuilder, handshake: readonly SslLine[] = EMPTY_LIST): void {
  if (builder.accessLines === undefined) return;
  const isSaid = ({ node, sure, test }: SslLine): boolean =>
    sure && (node.key === 'sslrequiressl' || test !== undefined);
  // What 2.4 asks of certificates stands in for what 2.2 asks in a handshake.
  const asksFor24 = builder.accessLines.some(
    ({ node, readBy22 }) => !readBy22 && /^ssl-verify-client/i.test(node.rest),
  );
  const asked = asksFor24 ? handshake.filter(({ node }) => node.key === 'sslverifyclient') : EMPTY_LIST;
  for (const line of [...builder.scope.ssl, ...asked])
    if (line.isFor22 && !isSaid(line))
      builder.addProblem(line.node, { kind: 'ssl-for-22', directive: line.node.name });
}

/** A line, and what the section of a server is for that it stands in. */
function saidIn(scope: Scope, { key, args }: Directive): string {
  const around: string[] = [];
  for (let at: Scope | undefined = scope; at !== undefined; at = at.parent)
    around.push(`${at.kind} ${at.section?.open.rest ?? at.file.path}`);
  return [key, ...args.map(({ value }) => value), ...around].join('\n');
}

/** What an SSLRequire asks of requests, which is nothing without TLS. */
function testFor(node: Directive, vhost: Section | undefined, mapping: UrlMapping): string | undefined {
  const test = node.key === 'sslrequire' ? sslRequireTest(node) : undefined;
  if (test === undefined || (vhost !== undefined && mapping.tls.isOver(vhost) === true)) return test;
  return `%{HTTPS} != 'on' || ${test.includes(' && ') ? `(${test})` : test}`;
}

const sectionsOf = ({ chain }: Place): readonly Section[] =>
  chain.map(({ section }) => section).filter((section) => !isConditional(section));

/** Whether a line stands in no section but that of a virtual host. */
function isOfServer(place: Place): boolean {
  return place.root.role !== 'htaccess' && sectionsOf(place).every(({ key }) => key === 'virtualhost');
}

const depthOf = ({ args }: Directive): number => Number.parseInt(args[0]?.value ?? '', 10) || 0;

/** A word without a sign resets what is in force (ssl_engine_config.c: ssl_cmd_SSLOptions). */
function optionsAfter(options: Options | undefined, words: readonly string[]): Options {
  let { strict, isLogin } = options ?? NO_OPTIONS;
  if (words.some((word) => !/^[+-]/.test(word))) [strict, isLogin] = [false, false];
  for (const word of words) {
    const isOn = !word.startsWith('-');
    const name = word.replace(/^[+-]/, '');
    if (name === 'strictrequire') strict = isOn;
    else if (name === 'fakebasicauth') isLogin = isOn;
  }
  return { strict, isLogin };
}
