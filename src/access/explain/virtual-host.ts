import { type ConfigTree, type Server, linesOf, serversOf } from '../../config';
import type { Section } from '../../syntax';
import { type ListenAddress, type UrlMapping, addressOf } from '../mapping';
import { isAddress } from '../policy';
import { globMatches } from '../primitives';

/** What a URL says of the server that it is sent to. */
export interface Site {
  /** A name or an address; undefined where the log does not say. */
  readonly host: string | undefined;
  readonly port: number;
  /** Whether the site is that of the page that led to the request, which may be another. */
  readonly isReferer?: boolean;
}

/** The server that answers: the main server where there is no `vhost`. */
export interface ChosenHost {
  readonly vhost: Section | undefined;
  readonly unknown?: readonly string[];
  readonly assumed?: readonly string[];
  /** Nothing says which server is asked: the main server is taken, or the first virtual host where that serves nothing. */
  readonly isGuess?: boolean;
}

interface Candidate {
  readonly host: Server;
  readonly section: Section;
  /** The addresses of the host for the port asked for. */
  readonly addresses: readonly ListenAddress[];
}

/** The first virtual host for a name, an address as its opening line has it, or `name:port`; undefined if there is none. */
export function findHost(tree: ConfigTree, wanted: string): Section | undefined {
  const text = wanted.toLowerCase();
  const hosts = hostsOf(tree);
  const exact =
    hosts.find((host) => isNamed(host, text)) ??
    hosts.find(({ section }) => section?.open.rest.toLowerCase() === text);
  const [, name, port] = /^(.+):(\d+)$/.exec(text) ?? [];
  if (exact !== undefined || name === undefined) return exact?.section;
  return candidatesFor(hosts, Number(port)).find(({ host }) => isNamed(host, name))?.section;
}

/**
 * The virtual host that answers a URL, as httpd selects it: by address and port, then by name (server/vhost.c:
 * ap_update_vhost_given_ip, update_vhost_from_headers). The address that the request comes to is known only where the URL has it.
 */
export function hostForSite(tree: ConfigTree, { host, port, isReferer = false }: Site): ChosenHost {
  const candidates = candidatesFor(hostsOf(tree), port);
  const name = host?.toLowerCase();
  const isLiteral = name !== undefined && isAddress(name.replace(/^\[(.*)\]$/, '$1'));
  const here = candidates.filter(
    ({ addresses }) => isLiteral && addresses.some((address) => address.host === name),
  );
  const anywhere = candidates.filter(({ addresses }) =>
    addresses.some((address) => address.host === undefined),
  );
  const elsewhere = isLiteral ? [] : candidates.filter((candidate) => !anywhere.includes(candidate));
  const group = here.length > 0 ? here : [...anywhere, ...elsewhere];
  const named = name === undefined ? undefined : group.find((candidate) => isNamed(candidate.host, name));
  if (isReferer && named === undefined) return { vhost: undefined, isGuess: true };
  const chosen = named ?? group[0];
  if (chosen === undefined)
    return { vhost: undefined, assumed: [`no virtual host is for port ${port}: the main server answers`] };
  const unknown = selectionUnknown(tree, chosen, candidates);
  const assumed = isReferer ? [`the request is for the site of its referer, ${name}`] : [];
  if (elsewhere.length > 0) {
    const others = elsewhere
      .filter((candidate) => candidate !== chosen)
      .map((candidate) => hostText(candidate.host));
    if (elsewhere.includes(chosen))
      assumed.push(`the request comes to the address of ${hostText(chosen.host)}`);
    else if (others.length > 0) assumed.push(`the request comes to no address of ${listed(others)}`);
  }
  if (named === undefined && group.length > 1)
    assumed.push(
      `${name === undefined ? `no name is asked for: the first virtual host for port ${port} answers` : `no virtual host for port ${port} has that name: the first answers`}, ${hostText(chosen.host)}`,
    );
  return { vhost: chosen.section, unknown, assumed };
}

/**
 * The server that is taken to answer where nothing says which one is asked. Without the server's own configuration, a virtual
 * host is all that was given: it is asked about.
 */
export function hostTaken(tree: ConfigTree, { reachesMain }: UrlMapping): ChosenHost {
  const { main } = serversOf(tree);
  const isReached = reachesMain && tree.isServer;
  const isMain = isReached || main === undefined || linesOf(main, ['DocumentRoot']).length > 0;
  const vhost = isMain ? undefined : hostsOf(tree)[0]?.section;
  return { vhost, isGuess: true };
}

/** The virtual host that a file belongs to, as a log names no host. @param referer the host of the page that led to it, a hint */
export function hostForFile(
  tree: ConfigTree,
  mapping: UrlMapping,
  filename: string,
  referer: Site | undefined,
): ChosenHost {
  const all = hostsOf(tree).flatMap(({ section }) => section ?? []);
  const textOf = (section: Section): string => vhostText(tree, section);
  const serving = all.filter((section) => mapping.urlsOf(section, filename).length > 0);
  const fromReferer = referer && hostForSite(tree, referer).vhost;
  if (fromReferer !== undefined && serving.includes(fromReferer))
    return {
      vhost: fromReferer,
      assumed: [`the virtual host of the referer answers, ${textOf(fromReferer)}`],
    };
  const [only] = serving;
  const served = mapping.reachesMain && mapping.urlsOf(undefined, filename).length > 0;
  if (serving.length === 0 || (serving.length === 1 && !served)) return { vhost: only };
  const texts = serving.map(textOf);
  return {
    vhost: only,
    unknown: [`which server answered: ${listed(served ? ['the main server', ...texts] : texts)} lead to this file (say which with vhost=)`], // prettier-ignore
  };
}

function hostsOf(tree: ConfigTree): Server[] {
  return serversOf(tree).all.filter(({ section }) => section !== undefined);
}

function candidatesFor(hosts: readonly Server[], port: number): Candidate[] {
  return hosts.flatMap((host) => {
    const { section } = host;
    const all = section?.args.map(({ value }) => addressOf(value)) ?? [];
    const addresses = all.filter((address) => (address.port ?? String(port)) === String(port));
    return section === undefined || addresses.length === 0 ? [] : [{ host, section, addresses }];
  });
}

function isNamed(host: Server, name: string): boolean {
  return linesOf(host, ['ServerName', 'ServerAlias']).some(({ node }) =>
    node.args.some(({ value }) => {
      const hostName = value
        .toLowerCase()
        .replace(/^[a-z]+:\/\//, '')
        .replace(/:\d+$/, '');
      return hostName === name || (node.key === 'serveralias' && globMatches(hostName, name));
    }),
  );
}

/** 2.2 selects by name only where a NameVirtualHost line is for the address (2.2 server/vhost.c: ap_fini_vhost_config). */
function selectionUnknown(tree: ConfigTree, chosen: Candidate, candidates: readonly Candidate[]): string[] {
  const isSame = (a: ListenAddress, b: ListenAddress): boolean => a.host === b.host && a.port === b.port;
  const first = candidates.find(({ addresses }) =>
    addresses.some((address) => chosen.addresses.some((other) => isSame(address, other))),
  );
  if (first === undefined || first === chosen) return [];
  const { main } = serversOf(tree);
  const lines = main === undefined ? [] : linesOf(main, ['NameVirtualHost']);
  const selectsByName = lines.some(({ node }) =>
    node.args.some(({ value }) => {
      const { host, port } = addressOf(value);
      return chosen.addresses.some(
        (address) => host === address.host && (port === undefined || port === address.port),
      );
    }),
  );
  return selectsByName
    ? []
    : [
        `whether 2.2 selects ${hostText(chosen.host)} too: no NameVirtualHost is for that address, and then the first virtual host answers, ${hostText(first.host)}`,
      ];
}

/** A virtual host by its opening line, which many share, with its ServerName and place. */
export function vhostText(tree: ConfigTree, vhost: Section): string {
  const host = hostsOf(tree).find(({ section }) => section === vhost);
  return host === undefined ? `<VirtualHost ${vhost.open.rest}>` : hostText(host);
}

function hostText(host: Server): string {
  const { section, file } = host;
  const name = linesOf(host, ['ServerName'])[0]?.node.args[0]?.value;
  const { line } = file.document.positionAt(section?.open.from ?? 0);
  const named = name === undefined ? '' : ` (ServerName ${name})`;
  return `<VirtualHost ${section?.open.rest}>${named} at ${file.name}:${line}`;
}

function listed(texts: readonly string[]): string {
  return texts.length > 3 ? `${texts.slice(0, 3).join(', ')} and ${texts.length - 3} more` : texts.join(', ');
}
