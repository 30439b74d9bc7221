import type { Directive, Section } from '../../syntax';
import { type NameTraits, globMatches, groupBy, lazy } from '../primitives';

/** A virtual host as far as the name in a request leads to it (server/vhost.c: matches_aliases). */
interface NamedHost {
  /** Undefined where it is not known: there is none, or a conditional may change it. */
  serverName: string | undefined;
  /** Lower case, with `*` and `?` as they are written. */
  readonly aliases: string[];
  /** False where the host may not be there, or something else may lead to it. */
  isSure: boolean;
  readonly section: Section;
}

/** Directives that say by which name a host is asked for. */
export const NAMING = new Set('servername serveralias usecanonicalname serverpath'.split(' '));

const NAME = /^[\w.-]+$/;

/**
 * Which virtual hosts the name in a request chooses, of those that are for the same addresses. That name is what `%{SERVER_NAME}`
 * is, or, with `UseCanonicalName On`, the ServerName of the host that it has chosen (server/core.c: ap_get_server_name): either
 * way it is one of a host's names exactly if the request has come to that host, unless the host is the first, which gets what no
 * other has.
 */
export class HostNames {
  readonly #hosts = new Map<Section, NamedHost>();
  /** A name may come from somewhere else: `UseCanonicalName DNS`, `ServerPath`. */
  #hasOtherNames = false;
  readonly #traits = lazy(() => this.#read());

  addHost(section: Section, isSure: boolean): void {
    const host = this.#hosts.get(section);
    if (host !== undefined) host.isSure &&= isSure;
    else this.#hosts.set(section, { serverName: undefined, aliases: [], isSure, section });
  }

  add({ key, args }: Directive, vhost: Section | undefined, isSure: boolean): void {
    const words = args.map(({ value }) => value.toLowerCase());
    if (key === 'serverpath' || (key === 'usecanonicalname' && words[0] !== 'on' && words[0] !== 'off'))
      this.#hasOtherNames = true;
    const host = vhost && this.#hosts.get(vhost);
    if (host === undefined) return;
    if (key === 'servername') {
      const name = (words[0] ?? '').replace(/^https?:\/\//, '').replace(/:\d*$/, '');
      if (host.serverName !== undefined || !NAME.test(name)) host.isSure = false;
      host.serverName = name;
    } else if (key === 'serveralias') host.aliases.push(...words);
    host.isSure &&= isSure;
  }

  nameTraitsOf(vhost: Section | undefined): NameTraits | undefined {
    if (vhost === undefined || this.#hasOtherNames) return undefined;
    return this.#traits().get(vhost);
  }

  #read(): ReadonlyMap<Section, NameTraits> {
    const byAddress = groupBy(this.#hosts.values(), ({ section: { args } }) =>
      args.map(({ value }) => value.toLowerCase()).join(' '),
    );
    const traits = new Map<Section, NameTraits>();
    for (const [addresses, hosts] of byAddress) {
      if (!canBeTold(hosts)) continue;
      hosts.forEach(({ section, serverName, aliases }, i) => {
        const names = [...new Set([serverName!, ...aliases])];
        traits.set(section, { addresses, names, isFirst: i === 0 });
      });
    }
    return traits;
  }
}

/** Whether no name leads to two of them, as far as that is seen. */
function canBeTold(hosts: readonly NamedHost[]): boolean {
  const owners = new Map<string, NamedHost>();
  const patterns: { readonly glob: string; readonly host: NamedHost }[] = [];
  for (const host of hosts) {
    if (!host.isSure || host.serverName === undefined) return false;
    for (const name of [host.serverName, ...host.aliases]) {
      if (/[*?]/.test(name)) {
        if (!NAME.test(name.replace(/[*?]/g, ''))) return false;
        patterns.push({ glob: name, host });
      } else {
        if (!NAME.test(name) || (owners.get(name) ?? host) !== host) return false;
        owners.set(name, host);
      }
    }
  }
  if (new Set(patterns.map(({ host }) => host)).size > 1) return false;
  // 2.2 sends the host part of an address in VirtualHost to its first host before it asks for names, 2.4 after (vhost.c:
  // check_hostalias).
  const [first] = hosts;
  for (const { value } of first?.section.args ?? []) {
    const address = value.toLowerCase().replace(/:[^:]*$/, '');
    const owner = owners.get(address) ?? patterns.find(({ glob }) => globMatches(glob, address))?.host;
    if (owner !== undefined && owner !== first) return false;
  }
  return patterns.every(({ glob, host }) =>
    [...owners].every(([name, other]) => other === host || !globMatches(glob, name)),
  );
}
