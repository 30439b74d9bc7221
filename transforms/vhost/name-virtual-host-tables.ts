import { type Address, type Port, isWildcard } from './name-virtual-host-address';

export interface Given<Host, Name> {
  /** In the order they are read. */
  readonly names: readonly { readonly by: Name; readonly address: Address }[];
  readonly hosts: readonly { readonly host: Host; readonly addresses: readonly Address[] }[];
}

/** Who answers requests to one address and port: the one it is for, unless the Host header names another of `named`. */
export interface Selection<Host> {
  /** Undefined for the main server. */
  readonly host: Host | undefined;
  readonly named: readonly Host[];
  /** Whether it comes from the list for addresses without a virtual host of their own. */
  readonly wildcard: boolean;
}

export type Select<Host> = (host: string, port: Port) => Selection<Host>;

interface Chain<Host> {
  port: Port;
  host: Host | undefined;
  /** Undefined for an address-based virtual host: 2.2 never looks at the Host header then. */
  names: { readonly host: Host; readonly port: Port }[] | undefined;
}

type Lists<Host> = Map<string, Chain<Host>[]>;

/** Builds the lookup of 2.2 (server/vhost.c: ap_fini_vhost_config, ap_update_vhost_given_ip, check_hostalias). */
export function tables22<Host>({ names, hosts }: Given<Host, unknown>): Select<Host> {
  const lists: Lists<Host> = new Map();
  const named = new Map<string, number>();
  for (const { address } of names) {
    const chain = { port: address.port, host: undefined, names: [] };
    // `_default_` here is an address that no request ever has, hence stays unused.
    const list = listOf(lists, address.host);
    if (address.host === '*') list.unshift(chain);
    else list.push(chain);
    named.set(address.host, (named.get(address.host) ?? 0) + 1);
  }
  for (const { host, addresses } of hosts.toReversed()) {
    for (const { host: at, port } of addresses) {
      const wildcard = isDefault22(at);
      const list = listOf(lists, wildcard ? '*' : at);
      const chain = list.find((one) => one.port === 0 || one.port === port || (port === 0 && !wildcard));
      if (chain?.names !== undefined) {
        chain.names.unshift({ host, port });
        chain.host = host;
      } else if (wildcard) list.unshift({ port, host, names: undefined });
      else if (chain === undefined) list.splice(named.get(at) ?? 0, 0, { port, host, names: undefined });
      else Object.assign(chain, { port, host });
    }
  }
  for (const [at, list] of lists)
    lists.set(
      at,
      list.filter((chain) => chain.host !== undefined),
    );
  return selecting(lists, (list, port) => list.find((one) => one.port === 0 || one.port === port));
}

/** Builds the lookup of 2.4 (the same functions): exact ports come before `*`, and NameVirtualHost has no say. */
export function tables24<Host>({ hosts }: Given<Host, unknown>): Select<Host> {
  const lists: Lists<Host> = new Map();
  for (const { host, addresses } of hosts.toReversed()) {
    for (const { host: at, port } of addresses) {
      const list = listOf(lists, isWildcard(at) ? '*' : at);
      let chain = list.find((one) => one.port === port);
      if (chain === undefined) list.unshift((chain = { port, host, names: [] }));
      chain.host = host;
      chain.names?.unshift({ host, port });
    }
  }
  return selecting(
    lists,
    (list, port) => list.find((one) => one.port === port) ?? list.find((one) => one.port === 0),
  );
}

function isDefault22(host: string): boolean {
  return isWildcard(host) || host === '255.255.255.255';
}

function listOf<Host>(lists: Lists<Host>, host: string): Chain<Host>[] {
  let list = lists.get(host);
  if (list === undefined) lists.set(host, (list = []));
  return list;
}

function selecting<Host>(
  lists: Lists<Host>,
  find: (list: readonly Chain<Host>[], port: Port) => Chain<Host> | undefined,
): Select<Host> {
  return (host, port) => {
    const own = find(lists.get(host) ?? [], port);
    const chain = own ?? find(lists.get('*') ?? [], port);
    const matching = (chain?.names ?? []).filter((name) => name.port === 0 || name.port === port);
    const named = [...new Set(matching.map((name) => name.host))];
    // A name that leads where all others go decides nothing.
    const plain = named.every((name) => name === chain?.host);
    return { host: chain?.host, named: plain ? [] : named, wildcard: own === undefined };
  };
}
