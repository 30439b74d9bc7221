import { type Line, type ReadVersion, globMatches } from '../../src/judge';

/** Where a connection comes in, and the name that the request asks for. */
export interface Connection {
  readonly address: string;
  readonly port: number;
  readonly host: string;
}

/** An address of a `<VirtualHost>` line; port 0 is every port, address `*` every address. */
interface HostAddress {
  readonly address: string;
  readonly port: number;
  readonly word: string;
}

/** One place in the tables: all virtual hosts that are asked about by name there, or one server. */
interface AddressChain {
  readonly address: HostAddress;
  /** What a name that nobody has leads to; undefined while only a NameVirtualHost line speaks of it. */
  server: Line | undefined;
  names: { readonly server: Line; readonly address: HostAddress }[];
  /** A NameVirtualHost line speaks of it (2.2). */
  readonly named: boolean;
}

/**
 * Which `<VirtualHost>` takes a request; undefined for the main server. After server/vhost.c of both versions: in 2.2 only an
 * address that a NameVirtualHost line names is asked for names, in 2.4 each that several have.
 */
export function virtualHostFor(
  version: ReadVersion,
  lines: readonly Line[],
  asked: Connection,
): Line | undefined {
  const hosts = lines.filter(({ name }) => name === 'virtualhost').toReversed();
  const exact: AddressChain[] = [];
  const open: AddressChain[] = [];
  if (version === '2.2')
    for (const { words } of lines.filter(({ name }) => name === 'namevirtualhost')) {
      const address = addressOf(words[0] ?? '*');
      const chain = { address, server: undefined, names: [], named: true };
      if (address.address === '*') open.unshift(chain);
      else exact.push(chain);
    }
  const named = exact.length;
  for (const server of hosts)
    for (const address of server.words.map(addressOf)) {
      if (address.address === '*' || address.address === '_default_') {
        const chain = findOpen(open, address.port, version);
        if (chain === undefined || !joins(version, chain, server, address))
          open.unshift(chainOf(server, address));
      } else {
        const chain = findExact(exact, address, version);
        if (chain === undefined || (version === '2.4' && chain.address.port !== address.port))
          exact.splice(named, 0, chainOf(server, address));
        else if (!joins(version, chain, server, address)) chain.server = server;
      }
    }
  const used = (chains: readonly AddressChain[]): AddressChain[] =>
    chains.filter(({ server }) => server !== undefined);
  const at = { address: asked.address, port: asked.port, word: '' };
  const chain = findExact(used(exact), at, version) ?? findOpen(used(open), asked.port, version);
  if (chain === undefined) return undefined;
  const isNamed = version === '2.2' ? chain.named : chain.names.length > 1;
  if (!isNamed || asked.host === '') return chain.server;
  const found = chain.names.find(
    ({ server, address }) =>
      (address.port === 0 || address.port === asked.port) && hasName(server, address, asked.host),
  );
  return found === undefined ? chain.server : found.server;
}

function chainOf(server: Line, address: HostAddress): AddressChain {
  return { address, server, names: [{ server, address }], named: false };
}

/** Adds a server to those that are told apart by name; false where it is the address alone that counts. */
function joins(version: ReadVersion, chain: AddressChain, server: Line, address: HostAddress): boolean {
  const can = version === '2.2' ? chain.named : chain.address.port === address.port;
  if (can) {
    chain.names.unshift({ server, address });
    chain.server = server;
  }
  return can;
}

function findOpen(
  chains: readonly AddressChain[],
  port: number,
  version: ReadVersion,
): AddressChain | undefined {
  if (version === '2.2') return chains.find(({ address }) => address.port === 0 || address.port === port);
  return (
    chains.find(({ address }) => address.port === port) ?? chains.find(({ address }) => address.port === 0)
  );
}

function findExact(
  chains: readonly AddressChain[],
  { address, port }: HostAddress,
  version: ReadVersion,
): AddressChain | undefined {
  const there = chains.filter((chain) => chain.address.address === address);
  const open = there.find((chain) => chain.address.port === 0 || port === 0 || chain.address.port === port);
  if (version === '2.2') return open;
  return there.find((chain) => chain.address.port === port) ?? open;
}

/** `*`, `10.0.0.1:80`, `[::1]:443`, `_default_:*`. Without a port: each, as long as no ServerName of the main server has one. */
function addressOf(word: string): HostAddress {
  const [, bracketed, bare = '', port] = /^(?:\[([^\]]*)\]|([^:]*))(?::(.*))?$/.exec(word) ?? [];
  const address = bracketed ?? (bare === '' ? word : bare);
  return {
    address: address === '0.0.0.0' ? '*' : address,
    port: port === undefined || port === '*' ? 0 : Number(port),
    word: address,
  };
}

function hasName(server: Line, address: HostAddress, host: string): boolean {
  const asked = nameIn(host);
  if (asked === address.word.toLowerCase()) return true;
  return (server.body ?? []).some(({ name, words }) =>
    name === 'servername'
      ? asked ===
        (words[0] ?? '')
          .toLowerCase()
          .replace(/^[a-z]+:\/\//, '')
          .replace(/:\d*$/, '')
      : name === 'serveralias' && words.some((word) => globMatches(word.toLowerCase(), asked)),
  );
}

/** The name that a Host header asks for. */
export function nameIn(host: string): string {
  return host.toLowerCase().replace(/:\d+$/, '').replace(/\.$/, '');
}
