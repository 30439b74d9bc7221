import { resolvePath, SourceError } from '../../config';
import type { FileSource } from '../../config/types';
import { ConfigTestError } from '../../configtest/error';
import type { Installed } from '../../configtest';
import { findModule, parseModuleList } from '../../httpd/modules';
import { NEWEST, type Release, nameOf, parseRelease } from '../../httpd/release';
import { oneLine } from '../../report';
import type { Io, Services } from '../io';
import type { ConvertOptions, TargetName } from '../options';
import { Trouble, UsageError } from '../trouble';

type Modules = ReturnType<typeof parseModuleList>;

/** What is known about the 2.4 server that the configuration is for. */
export interface TargetServer {
  readonly release: Release;
  /** Undefined where they are not known. */
  readonly modules: Modules | undefined;
}

/**
 * Finds the target: asks the httpd if one is named, and reads the file of `--modules`, which takes precedence. Notes for the user
 * go to stderr.
 * @throws UsageError for a program that is no httpd 2.4; Trouble for a file that cannot be read or names no module
 */
export function findTarget(
  { target, modules: file }: ConvertOptions,
  io: Io,
  services: Services,
): TargetServer {
  const found = askTarget(
    target,
    file === undefined ? undefined : readModules(services.source, file, io.cwd),
    io,
    services,
  );
  for (const note of found.notes) io.stderr.write(`httpd-codemod: ${oneLine(note)}\n`);
  return found;
}

type FoundTarget = TargetServer & {
  /** What a person should know of how it was found out: a line each. */
  readonly notes: readonly string[];
};

function askTarget(
  target: TargetName | undefined,
  given: Modules | undefined,
  io: Io,
  services: Services,
): FoundTarget {
  if (target === undefined) return { release: NEWEST, modules: given, notes: [] };
  if ('release' in target) return { ...known(target.release), modules: given };
  const { program } = target;
  const installed = askProgram(program, io, services);
  const release = parseRelease(installed.version);
  if (typeof release !== 'number')
    throw new UsageError(`--target ${program}: it is httpd ${installed.version}: ${release?.problem}`);
  const { notes } = known(release);
  const modules = given ?? modulesOf(installed);
  const unknown = `${program} does not list its modules, so that they are not known (--modules FILE names them): ${installed.refusal}`;
  return { release, modules, notes: modules === undefined ? [...notes, unknown] : notes };
}

function known(release: Release): Pick<FoundTarget, 'release' | 'notes'> {
  if (release <= NEWEST) return { release, notes: [] };
  const note = `${nameOf(release)} is newer than all that is known here: taken for ${nameOf(NEWEST)}`;
  return { release: NEWEST, notes: [note] };
}

function askProgram(program: string, io: Io, services: Services): Installed {
  try {
    return services.askInstalled(program, io.cwd);
  } catch (error) {
    if (!(error instanceof ConfigTestError)) throw error;
    throw new UsageError(
      `--target ${program}: neither a release (${nameOf(NEWEST)}) nor an httpd: ${error.message}`,
    );
  }
}

function modulesOf({ moduleList, compiledIn }: Installed): Modules | undefined {
  if (moduleList !== undefined) return parseModuleList(moduleList);
  // Without mod_so there are no others.
  if (compiledIn.length === 0 || compiledIn.includes('mod_so.c')) return undefined;
  return new Map(
    compiledIn.flatMap((name) => {
      const identifier = findModule(name)?.identifier;
      return identifier === undefined ? [] : [[identifier, 'static'] as const];
    }),
  );
}

/** From a file with what `httpd -M` prints on the server. */
function readModules(source: FileSource, file: string, cwd: string): Modules {
  let text: string;
  try {
    text = source.read(resolvePath(cwd, file));
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    throw new Trouble(`${file}: ${error.message}`);
  }
  const modules = parseModuleList(text);
  if (modules.size === 0) throw new Trouble(`${file}: names no module; it must hold what httpd -M prints`);
  return modules;
}
