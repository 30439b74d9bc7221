import { type ConfigFile, conditionOf, isConditional, type Place } from '../../src/config';
import type { ResultContext } from '../../src/engine';
import { type DirectiveInfo, findDirective } from '../../src/httpd/directives';
import { findModule, systemOf } from '../../src/httpd/modules';
import { getOrInsert, memo } from '../../src/maps';
import { type Directive, type Section, walk } from '../../src/syntax';
import { isOutOfPlace } from '../common/lines';
import { byText } from '../common/words';
import { isServerFor24 } from '../common/written-for';
import { type LoadLines, plainName } from './module-lines';

/** A module that the result needs, and the first line that needs it. */
export interface ModuleNeed {
  readonly name: string;
  /** What needs it, as a message names it: `Require`. */
  readonly requester: string;
  /** Another module had the directive in 2.2, so that 2.2 need not have had this one. */
  readonly wasElsewhere: boolean;
  /** Only an argument needs it: without the module, 2.2 started, and answered 500 or sent the file as it is. */
  readonly isArgument?: true;
  /** Nothing that the run sees needs it. */
  readonly isGuess?: true;
  readonly node: Directive | Section | undefined;
  readonly place: Place | undefined;
}

/** Modules that call functions of another one, which httpd must load first: of mod_proxy, those of its schemes. */
const FAMILY: Readonly<Record<string, string | undefined>> = {
  __proto__: null!,
  cache_disk: 'cache',
  dav_fs: 'dav',
};

/** The module that must be loaded before this one can be; names without `_module`. */
export function familyOf(name: string): string | undefined {
  if (name.startsWith('lbmethod_')) return 'proxy_balancer';
  return name.startsWith('proxy_') ? 'proxy' : FAMILY[name];
}

/** Compiled into every httpd. */
export const BUILT_IN: ReadonlySet<string> = new Set(['core', 'http', 'so']);

/** The modules that the directives of the result need, as far as 2.4 reads them. Without the MPM, which is always needed. */
export class ModuleNeeds {
  readonly byModule = new Map<string, ModuleNeed>();
  /**
   * What lines of `.htaccess` files need that 2.2, too, read by this module alone, for each file and module. No line is added for
   * it: whoever may write such a file does not choose what the server loads.
   */
  readonly ofAccessFiles: ModuleNeed[] = [];
  readonly #lines: LoadLines;
  readonly #context: ResultContext;

  constructor(context: ResultContext, lines: LoadLines) {
    const { resultIndex: index } = context;
    this.#lines = lines;
    this.#context = context;
    const names = [...new Set([...index.names, ...index.sectionNames])];
    for (const name of names) {
      const info = findDirective(name);
      if (info === undefined) continue;
      const owner = ownerOf(info, lines);
      const argumentNeeds =
        (!lines.usesSharedModules ? HANDLER_NEEDS[name] : undefined) ?? ARGUMENT_NEEDS[name];
      const argumentHint = ARGUMENT_HINTS[name];
      if (owner === undefined && argumentNeeds === undefined) continue;
      const wasElsewhere = owner !== undefined && !info.owners22.includes(owner);
      const isNewToTenants = info.owners22.length === 0 && stoodInAccessFiles(name, context);
      const wasIn22 = !wasElsewhere && context.index.someDirective([name], () => true);
      // Lines with the same arguments need the same modules: once all of these are noted, such lines are skipped.
      const satisfiedLines = new Set<string>();
      // Where 2.2 is not known to have had a module with the directive, a .htaccess with it was a 500, and stays one.
      const isFromElsewhere = (place: Place): boolean =>
        wasElsewhere &&
        (place.root.role !== 'htaccess' ||
          info.owners22.some((name22) => this.#isLoaded(name22) ?? OFTEN_STATIC.has(name22)));
      const visitLine = (node: Directive | Section, place: Place): boolean => {
        if (!isTaken(node, place) || (isNewToTenants && place.root.role === 'htaccess')) return false;
        const isMissing = owner !== undefined && this.#isMissing(owner);
        if (argumentNeeds === undefined && !isMissing) return true;
        const requester = node.kind === 'section' ? `<${info.name}>` : info.name;
        if (isMissing && this.#mayBeRead(place, info.owners24) && !(wasIn22 && this.#isUnread(place, owner)))
          this.#add(owner, requester, node, place, isFromElsewhere(place));
        if (argumentNeeds === undefined) return false;
        const line = node.kind === 'section' ? node.open : node;
        const { rest } = line;
        if (satisfiedLines.has(rest) || argumentHint?.test(rest) === false) return false;
        const modules = argumentNeeds(line.args.map((arg) => arg.value));
        for (const module of modules)
          if (this.#isMissing(module) && this.#mayBeRead(place, [module]))
            this.#add(module, requester, node, place, false, true);
        if (!modules.some((module) => this.#isMissing(module))) satisfiedLines.add(rest);
        return false;
      };
      index.someDirective([name], visitLine);
      index.someSection([name], visitLine);
    }
    this.#addBalancerNeeds(index);
    for (const { name, identifier, read, node, place } of lines.all) {
      const family = read === true ? familyOf(name) : undefined;
      if (family !== undefined) this.#add(family, `LoadModule ${identifier}`, node, place);
    }
    // A configuration written for 2.4 already loads what it needs.
    if (!isServerFor24(context)) this.#addFormerCoreModules(index);
  }

  #add(
    name: string,
    requester: string,
    node: ModuleNeed['node'],
    place: ModuleNeed['place'],
    wasElsewhere = false,
    isArgument = false,
  ): void {
    const need: ModuleNeed = {
      name,
      requester,
      wasElsewhere,
      node,
      place,
      ...(isArgument && { isArgument }),
    };
    const known = this.byModule.get(name);
    if (known === undefined ? !this.#isMissing(name) : known.isArgument !== true || isArgument) return;
    const isOfUser = node !== undefined && place?.root.role === 'htaccess' && !wasElsewhere;
    if (isOfUser && neededBy(this.#context.origin(place.file, 0).file).has(name))
      this.#addOfAccessFile(need, place.root);
    else this.byModule.set(name, need);
  }

  readonly #filesWith = new Map<string, Set<ConfigFile>>();

  #addOfAccessFile(need: ModuleNeed, file: ConfigFile): void {
    const files = getOrInsert(this.#filesWith, need.name, () => new Set<ConfigFile>());
    if (!files.has(file)) this.ofAccessFiles.push(need);
    files.add(file);
  }

  /** Whether no line loads a module, and no need for it is noted yet. */
  #isMissing(name: string): boolean {
    return !this.byModule.has(name) && !BUILT_IN.has(name) && !this.#lines.loads(name);
  }

  /** mod_proxy_balancer looks for shared memory as it starts, and for a method for every balancer (2.4 modules/proxy). */
  #addBalancerNeeds(index: ResultContext['resultIndex']): void {
    const balancer = this.byModule.get('proxy_balancer');
    if (this.#lines.loads('proxy_balancer') || balancer !== undefined)
      this.#add('slotmem_shm', balancer?.requester ?? 'mod_proxy_balancer', balancer?.node, balancer?.place);
    const methods = new Map<
      string,
      { method: string | undefined; node: Directive | Section; place: Place }
    >();
    const noteBalancer = (
      url: string,
      node: Directive | Section,
      place: Place,
      method: string | undefined,
    ): void => {
      const key = /^balancer:\/\/[^/]*/i.exec(url)?.[0].toLowerCase();
      if (key === undefined || !isTaken(node, place) || !this.#mayBeRead(place, [])) return;
      methods.set(key, { node, place, method: method ?? methods.get(key)?.method });
    };
    for (const { node, place } of index.sections(['Proxy'])) {
      const url = node.args[0]?.value ?? '';
      const innerMethods = node.body.flatMap((child) =>
        child.kind === 'directive' ? (lbmethodOf(child) ?? []) : [],
      );
      noteBalancer(url, node, place, innerMethods.at(-1));
    }
    for (const { node, place } of index.directives(BALANCER_LINES)) {
      const url = node.args.find(({ value }) => /^balancer:/i.test(value))?.value;
      if (url !== undefined) noteBalancer(url, node, place, lbmethodOf(node));
    }
    for (const [key, { method = 'byrequests', node, place }] of methods)
      if (findModule(`lbmethod_${method}_module`) !== undefined)
        this.#add(`lbmethod_${method}`, key, node, place);
  }

  /** Adds modules whose directives were in 2.2's core: a .htaccess that the run does not see may use them. */
  #addFormerCoreModules(index: ResultContext['resultIndex']): void {
    let allowOverride: { node: Directive; place: Place } | undefined;
    const hasAllowOverride = index.someDirective(['AllowOverride'], () => true);
    const allowsFileInfo = index.someDirective(['AllowOverride'], (node, place) => {
      allowOverride = { node, place };
      return node.args.some(({ value }) => /^(?:all|fileinfo)$/i.test(value));
    });
    this.#add('authn_core', 'AuthType (in the core of 2.2)', undefined, undefined);
    this.#add('authz_core', 'Require (in the core of 2.2)', undefined, undefined);
    if ((!hasAllowOverride || allowsFileInfo) && this.#isMissing('filter'))
      this.byModule.set('filter', {
        name: 'filter',
        requester: 'AddOutputFilterByType lines that a .htaccess may have',
        wasElsewhere: true,
        isGuess: true,
        node: allowOverride?.node,
        place: allowOverride?.place,
      });
  }

  /** Whether 2.4 may read a line at this place while none of `owners` is loaded. */
  #mayBeRead({ chain }: Place, owners: readonly string[]): boolean {
    // The conditional that asks for the module itself is usually the innermost.
    for (let i = chain.length - 1; i >= 0; i--) {
      const { section } = chain[i]!;
      if (!isConditional(section)) continue;
      const condition = moduleCondition(section);
      if (condition === undefined) {
        if (conditionOf(section).on24 === false) return false;
        continue;
      }
      const { name, negated } = condition;
      if (!negated && owners.includes(name)) return false;
      const isLoaded = this.#isLoaded(name);
      if (isLoaded === undefined ? conditionOf(section).on24 === false : isLoaded === negated) return false;
    }
    return true;
  }

  /**
   * Whether a condition that depends on how httpd is started, or on a module that httpd does not have, was not met in 2.2: it
   * refuses a line whose module no line loads.
   */
  #isUnread({ chain }: Place, owner: string): boolean {
    return (
      this.#lines.usesSharedModules &&
      !OFTEN_STATIC.has(owner) &&
      chain.some(({ section }) => {
        if (section.args[0]?.value.startsWith('!') !== false) return false;
        if (section.key === 'ifdefine') return conditionOf(section).on24 === undefined;
        return section.key === 'ifmodule' && moduleCondition(section) === undefined;
      })
    );
  }

  #isLoaded(name: string): boolean | undefined {
    if (BUILT_IN.has(name) || this.#lines.loads(name)) return true;
    if (name === 'access_compat') return false;
    // An MPM may be compiled in, and so may other modules where few are loaded by lines.
    if (name.startsWith('mpm_') || OFTEN_STATIC.has(name) || !this.#lines.usesSharedModules) return undefined;
    return findModule(`${name}_module`)?.versions === '2.4' ? undefined : false;
  }
}

/** Whether 2.4 would take a line with all modules: whoever may write a `.htaccess` must not choose what the server loads. */
function isTaken(node: Directive | Section, place: Place): boolean {
  return place.root.role !== 'unreached' && !isOutOfPlace(node, place, '2.4');
}

/** What the lines of a file need, in their own words: of a file as it was given, before the rules. */
const neededBy = memo(({ document }: ConfigFile): ReadonlySet<string> => {
  const needed = new Set<string>();
  for (const [node] of walk(document.body)) {
    if (node.kind !== 'directive' && node.kind !== 'section') continue;
    const { owners22 = [], owners24 = [] } = findDirective(node.key) ?? {};
    const words = node.args.map(({ value }) => value);
    const renamed = owners22.includes('core') ? [] : owners24;
    for (const name of [...owners22, ...renamed, ...(ARGUMENT_NEEDS[node.key]?.(words) ?? [])])
      needed.add(name);
  }
  return needed;
});

/** Whether `.htaccess` files had a directive before a rule wrote one: what 2.2 did not know there was a 500, and stays one. */
function stoodInAccessFiles(name: string, { index }: ResultContext): boolean {
  const isThere = (_: unknown, { root }: Place): boolean => root.role === 'htaccess';
  return index.someDirective([name], isThere) || index.someSection([name], isThere);
}

/** Modules that some distributions of httpd compile in. */
export const OFTEN_STATIC: ReadonlySet<string> = new Set([
  'log_config',
  'logio',
  'unixd',
  'version',
  'watchdog',
]);

interface ModuleCondition {
  readonly name: string;
  readonly negated: boolean;
}

function moduleCondition({ key, args }: Section): ModuleCondition | undefined {
  return key === 'ifmodule' ? conditionOn(args[0]?.value ?? '') : undefined;
}

const conditionOn = byText((word): ModuleCondition | undefined => {
  const module = findModule(word.replace(/^!/, ''));
  return module && { name: plainName(module.identifier), negated: word.startsWith('!') };
});

/** The module to load for a directive; undefined if it needs none, or a module that has it is loaded. */
function ownerOf({ owners24 }: DirectiveInfo, lines: LoadLines): string | undefined {
  // On other systems, the MPM has the directives of mod_unixd.
  if (owners24.includes('unixd')) return lines.loads('unixd') ? undefined : 'unixd';
  if (owners24.length === 0 || owners24.some((owner) => BUILT_IN.has(owner) || lines.loads(owner)))
    return undefined;
  if (owners24[0] === 'access_compat') return undefined;
  const provider = owners24.find((owner) => systemOf(owner) === undefined) ?? owners24[0]!;
  return provider.startsWith('mpm_') && systemOf(provider) === undefined ? undefined : provider;
}

type ArgumentWords = readonly string[];

/** The module that answers each word after `Require` or `Require not` (modules/aaa). */
const REQUIRE: Readonly<Record<string, string | undefined>> = {
  __proto__: null!,
  ip: 'authz_host',
  host: 'authz_host',
  local: 'authz_host',
  'forward-dns': 'authz_host',
  user: 'authz_user',
  'valid-user': 'authz_user',
  group: 'authz_groupfile',
  'file-group': 'authz_groupfile',
  'file-owner': 'authz_owner',
  'dbm-group': 'authz_dbm',
  'dbm-file-group': 'authz_dbm',
};

const PROVIDERS: Readonly<Record<string, string | undefined>> = {
  __proto__: null!,
  file: 'authn_file',
  dbm: 'authn_dbm',
  anon: 'authn_anon',
  dbd: 'authn_dbd',
  ldap: 'authnz_ldap',
};

const FILTERS: Readonly<Record<string, string | undefined>> = {
  __proto__: null!,
  deflate: 'deflate',
  includes: 'include',
  substitute: 'substitute',
};

const CACHES: Readonly<Record<string, string | undefined>> = {
  __proto__: null!,
  shm: 'socache_shmcb',
  shmht: 'socache_shmcb',
  shmcb: 'socache_shmcb',
  dbm: 'socache_dbm',
  dc: 'socache_dc',
  memcache: 'socache_memcache',
};

const SCHEMES: Readonly<Record<string, string | undefined>> = {
  __proto__: null!,
  http: 'proxy_http',
  https: 'proxy_http',
  ajp: 'proxy_ajp',
  ftp: 'proxy_ftp',
  scgi: 'proxy_scgi',
  fcgi: 'proxy_fcgi',
  balancer: 'proxy_balancer',
};

function proxySchemeModules(words: ArgumentWords): string[] {
  return words.flatMap((word) => SCHEMES[/^([a-z]+):\/\//i.exec(word)?.[1]?.toLowerCase() ?? ''] ?? []);
}

/** A handler that passes requests on: `proxy:unix:/run/php.sock|fcgi://localhost`. */
function proxyHandlerModules([handler = '']: ArgumentWords): string[] {
  if (!/^proxy:/i.test(handler)) return [];
  return ['proxy', ...proxySchemeModules([handler.replace(/^proxy:(?:unix:[^|]*\|)?/i, '')])];
}

const modulesFor = (table: Readonly<Record<string, string | undefined>>, words: ArgumentWords): string[] =>
  words.map((word) => word.toLowerCase()).flatMap((key) => (Object.hasOwn(table, key) && table[key]) || []);

/** The log formats for bytes received and sent, which mod_logio has. */
const BYTES = /%[<>!\d,]*[IOS]/;

/** The modules, without `_module`, that a directive's arguments need besides the directive's. Keys in lower case. */
const ARGUMENT_NEEDS: Readonly<Record<string, (words: ArgumentWords) => readonly string[]>> = {
  __proto__: null!,
  require: ([first = '', second = '']) => {
    const word = first.toLowerCase() === 'not' ? second : first;
    if (/^ldap-/i.test(word)) return ['authnz_ldap', 'ldap'];
    return /^ssl/i.test(word) ? ['ssl'] : modulesFor(REQUIRE, [word]);
  },
  authtype: ([type = '']) => modulesFor({ basic: 'auth_basic', digest: 'auth_digest' }, [type]),
  authbasicprovider: (words) => modulesFor(PROVIDERS, words),
  authdigestprovider: (words) => modulesFor(PROVIDERS, words),
  authldapurl: () => ['ldap'],
  addoutputfilterbytype: ([filters = '']) => modulesFor(FILTERS, filters.split(';')),
  sslsessioncache: ([store = '']) => modulesFor(CACHES, [store.split(':')[0] ?? '']),
  cacheenable: ([type = '']) => modulesFor({ disk: 'cache_disk' }, [type]),
  dav: ([provider = '']) => modulesFor({ on: 'dav_fs', filesystem: 'dav_fs' }, [provider]),
  logformat: ([format = '']) => (BYTES.test(format) ? ['logio'] : []),
  customlog: ([, format = '']) => (BYTES.test(format) ? ['logio'] : []),
  proxypass: proxySchemeModules,
  balancermember: proxySchemeModules,
  sethandler: proxyHandlerModules,
  addhandler: proxyHandlerModules,
};

const HANDLERS: Readonly<Record<string, string | undefined>> = {
  __proto__: null!,
  'cgi-script': 'cgi',
  'server-status': 'status',
  'server-info': 'info',
  'type-map': 'negotiation',
  'send-as-is': 'asis',
  'imap-file': 'imagemap',
  'balancer-manager': 'proxy_balancer',
};

/**
 * The modules of handlers. httpd accepts the name of a handler without its module, and sends the file as it is. Used only if no
 * line of 2.2 loads a module, so that these were compiled in.
 */
const HANDLER_NEEDS: typeof ARGUMENT_NEEDS = {
  addhandler: (words) => [...modulesFor(HANDLERS, words.slice(0, 1)), ...proxyHandlerModules(words)],
  sethandler: (words) => [...modulesFor(HANDLERS, words.slice(0, 1)), ...proxyHandlerModules(words)],
  scriptalias: () => ['cgi'],
  scriptaliasmatch: () => ['cgi'],
};

/** If the line of a directive does not match, its arguments need no module and are not read. */
const ARGUMENT_HINTS: Readonly<Record<string, RegExp | undefined>> = {
  __proto__: null!,
  logformat: BYTES,
  customlog: BYTES,
};

/** Names of directives and sections that make or describe a balancer. */
const BALANCER_LINES = ['ProxyPass', 'ProxySet', 'BalancerMember'] as const;

/** The value of `lbmethod=` on a line, in lower case; undefined if there is none. */
function lbmethodOf(node: Directive): string | undefined {
  for (const { value } of node.args) {
    const [key = '', method] = value.split('=');
    if (key.toLowerCase() === 'lbmethod' && method !== undefined) return method.toLowerCase();
  }
  return undefined;
}
