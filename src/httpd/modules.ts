import { moduleTable } from './tables';

/** Which versions ship a module. `extra`: new in 2.4, but known to have been added to 2.2 servers by hand. */
export type ModuleVersions = 'both' | '2.2' | '2.4' | 'extra';

export interface ModuleInfo {
  /** As `LoadModule` and `<IfModule>` name it: `rewrite_module`. */
  readonly identifier: string;
  /** The source file, the other name that `<IfModule>` takes: `mod_rewrite.c`. */
  readonly file: string;
  readonly versions: ModuleVersions;
}

/** The modules of both versions; in the table by identifier without `_module`, `name=file` where the file is not `mod_<name>.c`. */
export const modules: readonly ModuleInfo[] = moduleTable
  .trim()
  .split(/\n(?! )/)
  .flatMap((line) => {
    const [versions = '', ...entries] = line.split(/:? +|\n +/);
    return entries.map((entry) => {
      const [name = '', file = `mod_${name}.c`] = entry.split('=');
      return { identifier: `${name}_module`, file, versions: versions as ModuleVersions };
    });
  });

const byName = new Map(
  modules.flatMap((module) => [[module.identifier, module] as const, [module.file, module] as const]),
);

/** Finds a module by either name, as `<IfModule>` does: letter case counts. */
export function findModule(name: string): ModuleInfo | undefined {
  return byName.get(name);
}
