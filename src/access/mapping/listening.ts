import type { Directive, Section } from '../../syntax';

/** An address that a server listens on, or that a virtual host is for. */
export interface ListenAddress {
  /** Undefined for any address. */
  readonly host: string | undefined;
  /** Undefined for any port. */
  readonly port: string | undefined;
}

/** Which requests the main server gets: those to an address of no virtual host (server/vhost.c: find_default_server). */
export class Listening {
  /** Addresses that may be listened on. */
  readonly #listens: ListenAddress[] = [];
  /** Addresses that a virtual host is surely there for. */
  readonly #hosts: ListenAddress[] = [];

  addListen({ args }: Directive): void {
    const listen = addressOf(args[0]?.value ?? '');
    this.#listens.push(listen.host === '[::]' ? { ...listen, host: undefined } : listen);
  }

  addHost({ args }: Section): void {
    for (const { value } of args) this.#hosts.push(addressOf(value));
  }

  /** False where a virtual host is there for every address listened on. */
  get reachesMain(): boolean {
    return this.#listens.length === 0 || !this.#listens.every((listen) => this.#isCovered(listen));
  }

  #isCovered({ host, port }: ListenAddress): boolean {
    return this.#hosts.some((vhost) => (vhost.host ?? host) === host && (vhost.port ?? port) === port);
  }
}

/** What an argument of Listen, VirtualHost or NameVirtualHost names. */
export function addressOf(text: string): ListenAddress {
  const [, host = '', port = ''] = /^(?:(.*):)?(\d+|\*)?$/s.exec(text) ?? [undefined, text];
  return {
    host: ['', '*', '_default_', '0.0.0.0'].includes(host.toLowerCase()) ? undefined : host,
    port: port === '' || port === '*' ? undefined : port,
  };
}

/** Whether one connection can be to both: names may stand for any address. */
export function mayOverlap(a: ListenAddress, b: ListenAddress): boolean {
  const isPort = a.port === undefined || b.port === undefined || a.port === b.port;
  return isPort && (a.host === b.host || !isIpv4(a.host) || !isIpv4(b.host));
}

function isIpv4(host: string | undefined): boolean {
  return host !== undefined && /^[\d.]+$/.test(host);
}
