import {
  conditionOf,
  type ConfigFile,
  type ConfigTree,
  expand,
  hasVariable,
  isConditional,
  type Place,
} from '../../src/config';
import type { TransformContext } from '../../src/engine';
import { findModule } from '../../src/httpd/modules';
import { type Directive, readWords, type Section, walk } from '../../src/syntax';
import { getOrInsert } from '../../src/maps';

/** A virtual host. A section that is reached twice is one virtual host, because both copies answer the same. */
export class VirtualHost {
  constructor(
    readonly file: ConfigFile,
    readonly section: Section,
  ) {}

  /** The ServerName of the host, or its opening line. */
  get label(): string {
    for (const [node] of walk(this.section.body))
      if (node.kind === 'directive' && node.key === 'servername' && node.args[0] !== undefined)
        return node.args[0].value;
    return `<VirtualHost ${this.section.open.rest}>`;
  }
}

/** A conditional around a line, if the files do not tell whether the line is read. */
export interface Question {
  /** A text that is the same for sections that hold under the same condition. */
  readonly key: string;
  readonly negated: boolean;
  readonly on22: boolean | undefined;
  readonly on24: boolean | undefined;
}

interface VhostLineBase {
  readonly file: ConfigFile;
  readonly root: ConfigFile;
  readonly questions: readonly Question[];
  readonly words: readonly string[];
}

/** A line that affects the selection between virtual hosts. */
export type VhostLine = VhostLineBase &
  (
    | { readonly kind: 'name'; readonly node: Directive; readonly inside: Section | undefined }
    | { readonly kind: 'host'; readonly host: VirtualHost }
    | { readonly kind: 'port'; readonly port: Port }
    | { readonly kind: 'listen' }
  );

/** The directives that affect the selection, and LoadModule, which decides conditionals. */
const DECIDING = ['Listen', 'LoadModule', 'NameVirtualHost', 'ServerName'];

export function readLines({ tree, index }: Pick<TransformContext, 'tree' | 'index'>): VhostLine[] {
  const lines: VhostLine[] = [];
  const loaded = new Set<string>();
  const hosts = new Map<Section, VirtualHost>();
  index.visitInOrder(DECIDING, ['VirtualHost'], (node, place) => {
    // A .htaccess has no virtual hosts.
    if (place.root.role === 'htaccess') return;
    // These lines count only at server level.
    if (node.key !== 'namevirtualhost' && place.chain.some(({ section }) => !isConditional(section))) return;
    const common = (): VhostLineBase => ({
      file: place.file,
      root: place.root,
      questions: questionsOf(place, tree),
      words: wordsOf(node, tree),
    });
    if (node.kind === 'section')
      lines.push({ kind: 'host', host: hostOf(hosts, node, place.file), ...common() });
    else if (node.key === 'namevirtualhost') {
      const sections = place.chain.filter(({ section }) => !isConditional(section));
      const enclosing = sections[0]?.section;
      if (sections.length > 1 || (enclosing !== undefined && enclosing.key !== 'virtualhost')) return;
      // 2.2 and 2.4 refuse any other number of arguments.
      if (node.args.length === 1) lines.push({ kind: 'name', node, inside: enclosing, ...common() });
    } else if (node.key === 'servername') lines.push({ kind: 'port', port: portOf(node, tree), ...common() });
    else if (node.key === 'listen') lines.push({ kind: 'listen', ...common() });
    else if (node.key === 'loadmodule' && place.chain.length === 0)
      loaded.add(`ifmodule ${node.args[0]?.value ?? ''}`);
  });
  return lines.map((line) =>
    line.questions.length === 0
      ? line
      : { ...line, questions: line.questions.map((question) => settleByLoadModule(question, loaded)) },
  );
}

/** Decides the conditionals that ask for a module that the configuration loads. */
function settleByLoadModule(question: Question, loaded: ReadonlySet<string>): Question {
  const { key, negated, on22, on24 } = question;
  return loaded.has(key) ? { ...question, on22: on22 ?? !negated, on24: on24 ?? !negated } : question;
}

function hostOf(known: Map<Section, VirtualHost>, section: Section, file: ConfigFile): VirtualHost {
  return getOrInsert(known, section, () => new VirtualHost(file, section));
}

/** The arguments, with the values of known variables. */
function wordsOf(node: Directive | Section, tree: ConfigTree): string[] {
  const rest = node.kind === 'section' ? node.open.rest : node.rest;
  if (!hasVariable(rest)) return node.args.map(({ value }) => value);
  return readWords(expand(rest, tree.variables)).map((word) => word.value);
}

/** The port that a main server's ServerName gives to addresses without one; without a port, it resets that (server/core.c). */
function portOf(node: Directive, tree: ConfigTree): Port {
  const name = (wordsOf(node, tree)[0] ?? '').replace(/^.*?:\/\//, '');
  const colon = name.indexOf(':');
  if (colon < 0) return name.includes('${') ? name : 0;
  const port = name.slice(colon + 1);
  return port.includes('${') ? port : Number.parseInt(port, 10) || 0;
}

function questionsOf({ chain }: Place, { defines, startNames }: ConfigTree): Question[] {
  return chain.flatMap(({ section }): Question[] => {
    if (!isConditional(section)) return [];
    const { on22, on24 } = conditionOf(section, defines);
    if (on22 === true && on24 === true) return [];
    const text = section.open.rest;
    const negated = text.startsWith('!') && (section.key === 'ifmodule' || section.key === 'ifdefine');
    const name = negated ? text.slice(1).trimStart() : text;
    // The system says what it starts httpd with: other names are not defined.
    if (section.key === 'ifdefine' && startNames !== undefined && on22 === undefined)
      return [{ key: `ifdefine ${name}`, negated, on22: negated, on24: negated }];
    const key = section.key === 'ifmodule' ? (findModule(name)?.identifier ?? name) : name;
    return [{ key: `${section.key} ${key}`, negated, on22, on24 }];
  });
}

/** A port number; 0 for every port (`:*`); text if it depends on the value of a variable. */
export type Port = number | string;

/** One address of a NameVirtualHost or VirtualHost line. */
export interface Address {
  /** `*` for every address (`*`, `0.0.0.0`, `[::]`); numeric addresses in canonical form; names in lower case. */
  readonly host: string;
  readonly port: Port;
  /** What only a resolver or the environment tells: the same text is the same address, different texts may be. */
  readonly uncertainty: 'no' | 'name' | 'variable';
}

/**
 * Reads an address as both versions do (server/vhost.c: get_addresses; APR apr_parse_addr_port). Without a port, the port of
 * the last ServerName of the main server applies, if it has one (docs/facts/changes.md: V07; the same in 2.4).
 * @returns undefined if httpd refuses it
 */
export function readAddress(word: string, defaultPort: Port): Address | undefined {
  let [rest, port]: [string, Port | undefined] = [word, undefined];
  const variable = /^(.*):(\$\{[^}]*\})$/.exec(word);
  if (word === '*' || word.endsWith(':*')) {
    rest = word === '*' ? word : word.slice(0, -2);
    port = 0;
  } else if (variable !== null) {
    [, rest = '', port = ''] = variable;
  } else {
    const digits = /:([0-9]+)$/.exec(word);
    if (digits !== null) {
      rest = word.slice(0, digits.index);
      port = Number(digits[1]);
      if (port < 1 || port > 65535) return undefined;
    }
  }
  if (rest === '' || rest.endsWith(':') || /^[0-9]+$/.test(rest)) return undefined;
  const host = canonicalHost(rest);
  if (hasVariable(host)) {
    // Its value may include a port, which is the same wherever the text is the same.
    return { host, port: port ?? `${host} ${defaultPort}`, uncertainty: 'variable' };
  }
  const uncertainty = typeof port === 'string' ? 'variable' : isNumeric(host) ? 'no' : 'name';
  return { host, port: port ?? defaultPort, uncertainty };
}

/** In 2.4, both stand for any address without a virtual host of its own; for 2.2 see `tables22`. */
export function isWildcard(host: string): boolean {
  return host === '*' || host === '_default_';
}

/** Whether a host is an address, or stands for all of them: any other is a name, also one that begins with a digit. */
export function isNumeric(host: string): boolean {
  return isWildcard(host) || host.startsWith('[') || isIPv4(host);
}

function isIPv4(host: string): boolean {
  return /^(?:(?:[1-9][0-9]{0,2}|0)(?:\.(?=.)|$)){4}$/.test(host);
}

function canonicalHost(host: string): string {
  if (hasVariable(host)) return host;
  const lower = host.toLowerCase();
  if (lower.startsWith('[')) return canonicalIPv6(lower);
  return lower === '0.0.0.0' ? '*' : lower;
}

function canonicalIPv6(bracketed: string): string {
  const url = `http://${bracketed}/`;
  if (!URL.canParse(url)) return bracketed;
  const host = new URL(url).hostname;
  if (host === '[::]') return '*';
  // Both versions treat a mapped address as the IPv4 address (apr_sockaddr_equal).
  const mapped = /^\[::ffff:([0-9a-f]+):([0-9a-f]+)\]$/.exec(host);
  if (mapped === null) return host;
  const [high, low] = [parseInt(mapped[1]!, 16), parseInt(mapped[2]!, 16)];
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

export interface VhostLines<Host, Name> {
  /** In the order they are read. */
  readonly names: readonly { readonly nameLine: Name; readonly address: Address }[];
  readonly hosts: readonly { readonly host: Host; readonly addresses: readonly Address[] }[];
}

/** Who answers requests to one address and port: `host`, unless the Host header names one of `named`. */
export interface Selection<Host> {
  /** Undefined for the main server. */
  readonly host: Host | undefined;
  readonly named: readonly Host[];
  /** Whether it is from the list for addresses without a virtual host of their own. */
  readonly wildcard: boolean;
}

type Select<Host> = (host: string, port: Port) => Selection<Host>;

interface Chain<Host> {
  port: Port;
  host: Host | undefined;
  /** Undefined for an address-based virtual host: 2.2 never looks at the Host header then. */
  names: { readonly host: Host; readonly port: Port }[] | undefined;
}

type Lists<Host> = Map<string, Chain<Host>[]>;

/** Builds the lookup of 2.2 (server/vhost.c: ap_fini_vhost_config, ap_update_vhost_given_ip, check_hostalias). */
export function tables22<Host>({ names, hosts }: VhostLines<Host, unknown>): Select<Host> {
  const lists: Lists<Host> = new Map();
  const nameCounts = new Map<string, number>();
  for (const { address } of names) {
    const chain = { port: address.port, host: undefined, names: [] };
    // `_default_` here is an address that no request has, so its list stays unused.
    const list = listOf(lists, address.host);
    if (address.host === '*') list.unshift(chain);
    else list.push(chain);
    nameCounts.set(address.host, (nameCounts.get(address.host) ?? 0) + 1);
  }
  for (const { host, addresses } of [...hosts].reverse()) {
    for (const { host: addressHost, port } of addresses) {
      const wildcard = isDefault22(addressHost);
      const list = listOf(lists, wildcard ? '*' : addressHost);
      const chain = list.find(
        (candidate) => candidate.port === 0 || candidate.port === port || (port === 0 && !wildcard),
      );
      if (chain?.names !== undefined) {
        chain.names.unshift({ host, port });
        chain.host = host;
      } else if (wildcard) list.unshift({ port, host, names: undefined });
      else if (chain === undefined)
        list.splice(nameCounts.get(addressHost) ?? 0, 0, { port, host, names: undefined });
      else Object.assign(chain, { port, host });
    }
  }
  for (const [addressHost, list] of lists)
    lists.set(
      addressHost,
      list.filter((chain) => chain.host !== undefined),
    );
  return selectFrom(lists, (list, port) =>
    list.find((candidate) => candidate.port === 0 || candidate.port === port),
  );
}

/** Builds the lookup of 2.4 (the same functions): exact ports come before `*`, and NameVirtualHost has no effect. */
export function tables24<Host>({ hosts }: VhostLines<Host, unknown>): Select<Host> {
  const lists: Lists<Host> = new Map();
  for (const { host, addresses } of [...hosts].reverse()) {
    for (const { host: addressHost, port } of addresses) {
      const list = listOf(lists, isWildcard(addressHost) ? '*' : addressHost);
      let chain = list.find((candidate) => candidate.port === port);
      if (chain === undefined) list.unshift((chain = { port, host, names: [] }));
      chain.host = host;
      chain.names?.unshift({ host, port });
    }
  }
  return selectFrom(
    lists,
    (list, port) =>
      list.find((candidate) => candidate.port === port) ?? list.find((candidate) => candidate.port === 0),
  );
}

function isDefault22(host: string): boolean {
  return isWildcard(host) || host === '255.255.255.255';
}

function listOf<Host>(lists: Lists<Host>, host: string): Chain<Host>[] {
  return getOrInsert(lists, host, () => []);
}

function selectFrom<Host>(
  lists: Lists<Host>,
  find: (list: readonly Chain<Host>[], port: Port) => Chain<Host> | undefined,
): Select<Host> {
  return (host, port) => {
    const chainOfAddress = find(lists.get(host) ?? [], port);
    const chain = chainOfAddress ?? find(lists.get('*') ?? [], port);
    const matching = (chain?.names ?? []).filter((name) => name.port === 0 || name.port === port);
    const named = [...new Set(matching.map((name) => name.host))];
    // Names that all select the default host make no difference.
    const alwaysSameHost = named.every((name) => name === chain?.host);
    return { host: chain?.host, named: alwaysSameHost ? [] : named, wildcard: chainOfAddress === undefined };
  };
}
