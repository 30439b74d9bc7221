import type { Directive, Section } from '../../syntax';
import { groupBy, lazy, memo } from '../primitives';
import { type ListenAddress, addressOf, mayOverlap } from './listening';

/** `SSLEngine` in one server: undefined where a conditional, or another word than on and off, leaves it open. */
type Engine = boolean | undefined;

/**
 * Which servers answer over TLS alone, and which never. Virtual hosts that one connection can come to answer alike: the first of
 * them decides for the connection, and the name in the request comes later (server/vhost.c; mod_ssl: ssl_engine_init.c). All
 * lines are added before anything is asked.
 */
export class TlsServers {
  readonly #engines = new Map<Section | undefined, Engine>();
  readonly #addresses = new Map<Section, readonly ListenAddress[]>();
  /** Where Listen says itself which protocol is spoken. */
  readonly #namedProtocols: ListenAddress[] = [];
  readonly #byEngine = lazy(() => groupBy([...this.#addresses.keys()], (host) => this.#engineOf(host)));

  addListen({ args }: Directive): void {
    if (args.length > 1) this.#namedProtocols.push(addressOf(args[0]!.value));
  }

  /** Takes note of `SSLEngine`, or of `Protocol`, which may turn it on: that leaves it open. */
  addEngine({ args }: Directive, vhost: Section | undefined, sure: boolean): void {
    const word = args[0]?.value.toLowerCase();
    const isDecided = sure && (word === 'on' || word === 'off');
    this.#engines.set(vhost, isDecided ? word === 'on' : undefined);
  }

  addHost(vhost: Section): void {
    const addresses = vhost.args.map(({ value }) => addressOf(value));
    this.#addresses.set(vhost, addresses);
  }

  /** Whether requests to a server come over TLS, if the run has all hosts at its address; undefined where that is not certain. */
  readonly isOver = memo((vhost: Section | undefined): Engine => {
    const engine = this.#engineOf(vhost);
    if (engine === undefined || vhost === undefined) return engine;
    const here = this.#addresses.get(vhost) ?? [];
    for (const [otherEngine, hosts] of this.#byEngine())
      if (otherEngine !== engine && hosts.some((host) => this.#mayMeet(host, here))) return undefined;
    return engine;
  }, new Map());

  #mayMeet(host: Section, here: readonly ListenAddress[]): boolean {
    const addresses = this.#addresses.get(host) ?? [];
    return addresses.some((address) => here.some((mine) => mayOverlap(address, mine)));
  }

  /** Whether a server without an engine of its own may be asked over TLS: by the connection of another at its address. */
  mayShareConnection(vhost: Section | undefined): boolean {
    const hosts = [...this.#addresses];
    return hosts.some(
      ([host, here]) =>
        (vhost === undefined || host === vhost) &&
        this.#engines.get(host) !== true &&
        hosts.some(
          ([other]) => other !== host && this.#engines.get(other) === true && this.#mayMeet(other, here),
        ),
    );
  }

  #engineOf(vhost: Section | undefined): Engine {
    if (this.#engines.has(vhost)) return this.#engines.get(vhost);
    // Listen names the protocol of virtual hosts alone (server/listen.c: ap_setup_listeners).
    if (vhost === undefined) return false;
    // 2.2 does not inherit it from the main server, 2.4 does (ssl_engine_config.c: ssl_config_server_merge).
    if (this.#engines.has(undefined) && this.#engines.get(undefined) !== false) return undefined;
    // At port 443, or where Listen says so, it is on without a line.
    const isHttp = this.#addresses
      .get(vhost)
      ?.every(({ port }) => port !== undefined && port !== '443' && !this.#namesProtocolAt(port));
    return isHttp === true ? false : undefined;
  }

  #namesProtocolAt(port: string): boolean {
    return this.#namedProtocols.some((listen) => listen.port === undefined || listen.port === port);
  }
}
