import type { Node, Section } from '../../syntax';
import type { ConfigFile, ConfigTree } from '../types';

/** The name of the server that a place in a file belongs to, for people: a byte string. @param at byte offset */
export type ServerNameAt = (file: ConfigFile, at: number) => string;

interface HostRange {
  readonly start: number;
  readonly end: number;
  readonly name: string;
}

interface FileServers {
  readonly outside: string;
  readonly hosts: HostRange[];
}

export const MAIN_SERVER = 'main server';
export const ANY_SERVER = '.htaccess';
export const NO_SERVER = 'not included';

/** Names the servers of a tree: a host by its ServerName or address. A file that several include is the first one's. */
export function serverNamesOf(tree: ConfigTree): ServerNameAt {
  const known = new Map<ConfigFile, FileServers>();
  const enter = (file: ConfigFile, outside: string): void => {
    if (known.has(file)) return;
    const hosts: HostRange[] = [];
    known.set(file, { outside, hosts });
    look(file.document.body, outside, hosts);
  };
  const look = (nodes: readonly Node[], server: string, hosts: HostRange[]): void => {
    for (const node of nodes)
      if (node.kind === 'section') {
        const name = node.key === 'virtualhost' ? nameOfHost(node) : server;
        if (node.key === 'virtualhost') hosts.push({ start: node.start, end: node.end, name });
        look(node.body, name, hosts);
      } else if (node.kind === 'directive')
        for (const file of tree.includes.get(node) ?? []) enter(file, server);
  };
  for (const root of tree.roots) enter(root, MAIN_SERVER);
  for (const file of tree.htaccess) enter(file, ANY_SERVER);
  for (const file of tree.unreached) enter(file, NO_SERVER);
  return (file, at) => {
    const servers = known.get(file);
    if (servers === undefined) return NO_SERVER;
    return servers.hosts.findLast(({ start, end }) => start <= at && at < end)?.name ?? servers.outside;
  };
}

/** The ServerName of a virtual host, or else its address: a byte string. */
export function nameOfHost({ body, open }: Section): string {
  return findServerName(body) ?? open.rest;
}

/** The first line, through conditionals. */
function findServerName(nodes: readonly Node[]): string | undefined {
  for (const node of nodes) {
    if (node.kind === 'directive' && node.key === 'servername') return node.args[0]?.value;
    const name = node.kind === 'section' && node.key.startsWith('if') ? findServerName(node.body) : undefined;
    if (name !== undefined) return name;
  }
  return undefined;
}
