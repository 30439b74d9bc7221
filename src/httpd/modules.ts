import { moduleTable } from './tables';

/** Which versions ship a module. `extra`: new in 2.4, but known to have been added to 2.2 servers by hand. */
export type ModuleVersions = 'both' | '2.2' | '2.4' | 'extra';

export interface ModuleInfo {
  /** The name in `LoadModule` and `<IfModule>`: `rewrite_module`. */
  readonly identifier: string;
  /** The source file, the other name that `<IfModule>` takes: `mod_rewrite.c`. */
  readonly file: string;
  readonly versions: ModuleVersions;
}

let byName: ReadonlyMap<string, ModuleInfo> | undefined;

/** Finds a module by either name, as `<IfModule>` does: letter case counts. */
export function findModule(name: string): ModuleInfo | undefined {
  return (byName ??= read()).get(name);
}

/**
 * Whether `<IfModule>` asks in vain for a module of httpd: by the file of its source without `.c`, or by that of its library
 * (server/core.c: start_ifmod compares whole names).
 */
export function isMisnamedModule(name: string): boolean {
  return findModule(name) === undefined && findModule(`${name.replace(/\.so$/, '')}.c`) !== undefined;
}

/** The modules of both versions. */
export function allModules(): readonly ModuleInfo[] {
  return [...new Set((byName ??= read()).values())];
}

/** In the table modules stand by identifier without `_module`, `name=file` where the file is not `mod_<name>.c`. */
function read(): ReadonlyMap<string, ModuleInfo> {
  const found = new Map<string, ModuleInfo>();
  let versions = 'both';
  for (const word of moduleTable.replaceAll('\n', ' ').split(' ')) {
    if (word === '') continue;
    if (word.endsWith(':')) {
      versions = word.slice(0, -1);
      continue;
    }
    const equals = word.indexOf('=');
    const name = equals < 0 ? word : word.slice(0, equals);
    const module: ModuleInfo = {
      identifier: `${name}_module`,
      file: equals < 0 ? `mod_${name}.c` : word.slice(equals + 1),
      versions: versions as ModuleVersions,
    };
    found.set(module.identifier, module).set(module.file, module);
  }
  return found;
}

/** Modules of 2.2 whose directives another module of 2.4 has (manual: upgrading; modules/aaa/mod_authn_core.c). */
const successors: Readonly<Record<string, string | undefined>> = {
  __proto__: null!,
  disk_cache_module: 'cache_disk_module',
  example_module: 'example_hooks_module',
  authn_alias_module: 'authn_core_module',
};

/** The identifier under which 2.4 has what this module of 2.2 does; undefined where that is the same or nothing. */
export function successorOf(identifier: string): string | undefined {
  return successors[identifier];
}

/** What `<IfModule>` has to call a module of 2.2 in 2.4, by the kind of name that it has; the same name if it may stay. */
export function nameIn24(name: string): string {
  const module = findModule(name);
  const now = findModule(successorOf(module?.identifier ?? '') ?? '');
  if (now === undefined) return name;
  return name === module!.file ? now.file : now.identifier;
}

/** Why a module of 2.2 has no successor in 2.4. */
const reasonsGone: Readonly<Record<string, string | undefined>> = {
  __proto__: null!,
  authn_default_module: 'a user whom no provider knows is refused without it',
  authz_default_module: 'what no Require line grants is refused without it',
  mem_cache_module: 'mod_cache_disk and mod_cache_socache take its place',
  mpm_beos_module: 'the platform is not supported any more',
};

/** Why 2.4 has no such module under any name, for a module of 2.2. */
export function reasonModuleGone(identifier: string): string | undefined {
  return reasonsGone[identifier];
}

/** Modules for other systems than Unix, and which. */
const foreign: Readonly<Record<string, string | undefined>> = {
  __proto__: null!,
  isapi: 'Windows',
  mpm_winnt: 'Windows',
  win32: 'Windows',
  mpm_netware: 'NetWare',
  netware: 'NetWare',
  nwssl: 'NetWare',
  mpm_mpmt_os2: 'OS/2',
  privileges: 'Solaris',
};

/** The system that a module is for alone, by its name without `_module`; undefined for those that Unix has. */
export function systemOf(name: string): string | undefined {
  return foreign[name];
}

export type Linkage = 'static' | 'shared';

/** What only counts as there where it is loaded: httpd loads one MPM, and mod_access_compat is what a conversion does without. */
const FILE_ALONE = /^(?:mpm_|access_compat$)/;

/**
 * Reads what `httpd -M` (or `httpd -t -D DUMP_MODULES`) prints: identifier → how it is there. Beside it, a line that is the name
 * of a module's file, as `ls` prints it, says that the server has that module. Other lines, such as warnings, are passed over.
 */
export function parseModuleList(text: string): Map<string, Linkage> {
  const found = new Map<string, Linkage>();
  for (const [, name = '', linkage = ''] of text.matchAll(/^[ \t]*(\w+)[ \t]+\((static|shared)\)/gm))
    found.set(name, linkage as Linkage);
  // Without the list, nobody knows what is compiled in.
  if (found.size === 0) return found;
  for (const [, name = ''] of text.matchAll(/^mod_(\w+)\.so\r?$/gm))
    if (!FILE_ALONE.test(name) && !found.has(`${name}_module`)) found.set(`${name}_module`, 'shared');
  return found;
}
