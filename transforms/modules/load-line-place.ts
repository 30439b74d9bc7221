import type { ConfigFile } from '../../src/config';
import { findModule } from '../../src/httpd/modules';
import type { Comment, Directive, Section } from '../../src/syntax';
import type { Home } from './compiled-in';
import { familyOf } from './load-module-needs';
import type { LoadLine, LoadLines } from './module-lines';

/** The modules beside which a module's line usually stands, closest first. */
const RELATED_MODULES: Readonly<Record<string, readonly RegExp[] | undefined>> = {
  __proto__: null!,
  authn_core: [/^authn_/, /^auth_/, /^auth/],
  authz_core: [/^authz_/, /^auth/],
  filter: [/^(?:ext_filter|include|substitute|deflate)$/],
  logio: [/^log_config$/],
  log_config: [/^log/],
};

/** The modules that a module requires: its line goes below theirs, in the same block. */
const PREREQUISITES: Readonly<Record<string, RegExp | undefined>> = {
  __proto__: null!,
  cache_disk: /^cache$/,
  dav_fs: /^dav$/,
  ldap: /^authnz_ldap$/,
  slotmem_shm: /^proxy_balancer$/,
};

export function prerequisiteOf(name: string): RegExp | undefined {
  if (name.startsWith('lbmethod_')) return /^(?:proxy_balancer|slotmem_shm)$/;
  if (name.startsWith('proxy_')) return /^proxy(?:_|$)/;
  if (name.startsWith('socache_')) return /^ssl$/;
  return PREREQUISITES[name];
}

function relatedPatterns(name: string): readonly RegExp[] {
  const known = RELATED_MODULES[name];
  if (known !== undefined) return known;
  const family = /^([a-z]+?)[nz]*_/.exec(name)?.[1];
  return family === undefined ? [] : [new RegExp(`^${family}`)];
}

/** Where a module's line goes, and the line it is modelled on. */
export interface LoadPlace {
  readonly file: ConfigFile;
  /** Undefined for the top of the file. */
  readonly node: Directive | Section | Comment | undefined;
  /** `above`: before the comments about it. */
  readonly side: 'before' | 'above' | 'after';
  /** Undefined where there is none to imitate. */
  readonly model: LoadLine | undefined;
}

/**
 * @param home where lines go that nothing else has a place for
 * @returns undefined if there is neither a LoadModule line to imitate nor a home
 */
export function loadPlaceFor(name: string, lines: LoadLines, home: Home | undefined): LoadPlace | undefined {
  const all = lines.all.filter(({ read }) => read !== false);
  const dependent = all.find((line) => familyOf(line.name) === name);
  if (dependent !== undefined) return besideOutermostSection(dependent, 'before', dependent);
  const required = prerequisiteOf(name);
  const after = required && all.findLast((line) => required.test(line.name));
  if (after !== undefined) return { file: after.place.file, node: after.node, side: 'after', model: after };
  // A single line for a module of others may stand at the very end.
  if (home !== undefined)
    return {
      file: home.file,
      node: home.below,
      side: 'after',
      model: all.find(isOfHttpd) ?? all.find(({ path }) => !path.startsWith('/')),
    };
  const homeFile = fileOfMost(all);
  const inHome = all.filter(({ place }) => place.file === homeFile);
  const unconditional = inHome.filter(({ place }) => place.chain.length === 0);
  const model = unconditional[0] ?? inHome[0];
  if (model === undefined) return undefined;
  const first = /^mpm_|^unixd$/.test(name);
  const block = name.startsWith('mpm_') ? earlierBlock(inHome[0]!, model) : undefined;
  if (block !== undefined) return { file: inHome[0]!.place.file, node: block, side: 'above', model };
  if (first) return besideOutermostSection(inHome[0]!, 'before', model);
  for (const relatedPattern of relatedPatterns(name)) {
    const line = unconditional.findLast((loadLine) => relatedPattern.test(loadLine.name));
    if (line !== undefined) return { file: line.place.file, node: line.node, side: 'after', model: line };
  }
  // Modules of others lie in directories of their own.
  const last = unconditional.findLast(isOfHttpd) ?? unconditional.at(-1) ?? inHome.at(-1)!;
  return besideOutermostSection(last, 'after', last);
}

/** The first block that asks for an MPM above the lines that load modules: 2.4 skips it unless it has loaded the MPM before. */
function earlierBlock({ place, node: line }: LoadLine, { path }: LoadLine): Section | undefined {
  const { body } = place.file.document;
  const block = body.find(
    (node): node is Section =>
      node.kind === 'section' &&
      node.key === 'ifmodule' &&
      node.start < line.start &&
      findModule(node.args[0]?.value ?? '')?.identifier.startsWith('mpm_') === true,
  );
  // A path is read below the ServerRoot that stands above it.
  const isKnown = (above: Section): boolean =>
    path.startsWith('/') ||
    body.some((node) => node.kind === 'directive' && node.key === 'serverroot' && node.start < above.start);
  return block !== undefined && isKnown(block) ? block : undefined;
}

export function isOfHttpd({ identifier }: LoadLine): boolean {
  const versions = findModule(identifier)?.versions;
  return versions !== undefined && versions !== 'extra';
}

/** The file in which a server has most of its lines: others have the line of one module beside what that module reads. */
function fileOfMost(lines: readonly LoadLine[]): ConfigFile | undefined {
  const counts = new Map<ConfigFile, number>();
  for (const { place } of lines) counts.set(place.file, (counts.get(place.file) ?? 0) + 1);
  const most = Math.max(...counts.values());
  return [...counts].find(([, count]) => count === most)?.[0];
}

/** Beside the outermost section around a line, so that a new line is read whatever the section asks for. */
function besideOutermostSection(line: LoadLine, side: LoadPlace['side'], model: LoadLine): LoadPlace {
  const [outermostFrame] = line.place.chain;
  return outermostFrame === undefined
    ? { file: line.place.file, node: line.node, side, model }
    : { file: outermostFrame.file, node: outermostFrame.section, side, model };
}
