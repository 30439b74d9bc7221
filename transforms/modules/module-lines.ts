import { type ConfigFile, type Frame, isConditional, type Place, placeCondition } from '../../src/config';
import type { ResultContext, TreeIndex } from '../../src/engine';
import { findModule, type Linkage, successorOf } from '../../src/httpd/modules';
import type { Comment, Directive } from '../../src/syntax';

/** A `LoadModule` line of the server configuration. Module names are identifiers without `_module`, in 2.4's spelling. */
export interface LoadLine {
  readonly name: string;
  /** As it is written. */
  readonly identifier: string;
  readonly path: string;
  readonly node: Directive;
  readonly place: Place;
  /** The conditionals around it, but for those that ask whether this very module is there already. */
  readonly conditionals: readonly Frame[];
  /** Whether 2.4 reads it; undefined where the files do not tell. */
  readonly read: boolean | undefined;
}

/** A `LoadModule` line that is commented out, at the outermost level of a file that has others. */
export interface CommentedLoadLine {
  readonly name: string;
  readonly node: Comment;
  readonly file: ConfigFile;
}

const COMMENTED = /^#+[ \t]*LoadModule[ \t]+(\w+)_module[ \t]+\S+\.so"?[ \t]*$/i;

/** All that a tree says about loading modules, in the order httpd reads it. */
export class LoadLines {
  readonly all: readonly LoadLine[];
  readonly commented: readonly CommentedLoadLine[];
  readonly #loaded: ReadonlySet<string>;
  /** Enough modules of httpd's own are loaded that the others are loaded too, or not there. */
  readonly #usesSharedModules: boolean;

  constructor(index: TreeIndex) {
    const seen = new Set<Directive>();
    const all: LoadLine[] = [];
    for (const { node, place } of index.directives(['LoadModule'])) {
      if (seen.has(node) || place.root.role !== 'server') continue;
      seen.add(node);
      const [identifier, path] = node.args.map((arg) => arg.value);
      if (identifier === undefined || path === undefined) continue;
      const conditionals = place.chain.filter(({ section }) => isConditional(section) && !isLoadGuard(section.args[0]?.value, identifier)); // prettier-ignore
      const read = placeCondition(conditionals).on24;
      const name = plainName(successorOf(identifier) ?? identifier);
      all.push({ name, identifier, path, node, place, conditionals, read });
    }
    this.all = all;
    this.commented = commentedLines(all);
    const existing = all.filter(
      (line) => line.read !== false && findModule(`${line.name}_module`)?.versions !== '2.2',
    );
    this.#loaded = new Set(existing.map((line) => line.name));
    // One that asks first whether its module is there already says nothing about how modules are there.
    const unguarded = all.filter(
      ({ place, conditionals }) =>
        conditionals.length === place.chain.filter(({ section }) => isConditional(section)).length,
    );
    this.#usesSharedModules =
      unguarded.filter(({ identifier }) => findModule(identifier) !== undefined).length >= MIN_SHARED_LINES;
  }

  /** True for a module that 2.4 surely or possibly loads. */
  loads(name: string): boolean {
    return this.#loaded.has(name);
  }

  /** Whether modules come from files of their own here, so that one without a line is not there. */
  get usesSharedModules(): boolean {
    return this.#usesSharedModules;
  }
}

/** Fewer lines than that are extras of a server that has the rest compiled in. */
const MIN_SHARED_LINES = 4;

export function plainName(identifier: string): string {
  return identifier.replace(/_module$/, '');
}

/** `<IfModule !x_module>` around `LoadModule x_module`. */
function isLoadGuard(word: string | undefined, identifier: string): boolean {
  if (word?.startsWith('!') !== true) return false;
  return findModule(word.slice(1))?.identifier === identifier || word.slice(1) === identifier;
}

function commentedLines(lines: readonly LoadLine[]): CommentedLoadLine[] {
  const files = new Set(
    lines.flatMap(({ place, conditionals }) => (conditionals.length === 0 ? [place.file] : [])),
  );
  return [...files].flatMap((file) =>
    file.document.body.flatMap((node) => {
      if (node.kind !== 'comment') return [];
      const name = COMMENTED.exec(file.document.text.slice(node.from, node.to))?.[1];
      return name === undefined ? [] : [{ name, node, file }];
    }),
  );
}

export const MPMS = ['mpm_event', 'mpm_worker', 'mpm_prefork'] as const;

interface Mpm {
  readonly name: (typeof MPMS)[number];
  /** Why this one, in the words of a message. */
  readonly reason: string;
}

/** Directives that only some MPMs have. */
const EVIDENCE = {
  mpm_prefork: ['MaxSpareServers', 'MinSpareServers'],
  mpm_worker: ['ThreadsPerChild', 'ThreadLimit', 'MaxSpareThreads', 'MinSpareThreads'],
} as const;

/** PHP as a module is rarely built for threads. */
const PHP = /^php\d*$/;

/**
 * The MPM that the server is to load: 2.2 had one compiled in and did not name it.
 * @returns undefined where one is loaded, or compiled in at the target
 */
export function mpmFor(
  { index, tree }: Pick<ResultContext, 'index' | 'tree'>,
  lines: LoadLines,
  target: ReadonlyMap<string, Linkage> | undefined,
): Mpm | undefined {
  if (lines.all.some(({ name, read }) => name.startsWith('mpm_') && read !== false)) return undefined;
  for (const [name, linkage] of target ?? []) {
    const mpm = MPMS.find((candidate) => `${candidate}_module` === name);
    if (name.startsWith('mpm_') && linkage === 'static') return undefined;
    if (mpm !== undefined) return { name: mpm, reason: 'the target has it' };
  }
  const configuredMpm = /--with-mpm=["']?(worker|event|prefork)/.exec(tree.build?.document.text ?? '')?.[1];
  if (configuredMpm !== undefined)
    return { name: `mpm_${configuredMpm}` as Mpm['name'], reason: 'config.nice says so' };
  if (lines.all.some(({ name }) => PHP.test(name)))
    return { name: 'mpm_prefork', reason: 'PHP is loaded as a module' };
  for (const name of ['mpm_worker', 'mpm_prefork'] as const)
    for (const { node, place } of index.directives(EVIDENCE[name]))
      if (place.root.role === 'server' && !place.chain.some(({ section }) => isConditional(section)))
        return { name, reason: `${node.name} stands outside of any block` };
  const guardedModules = new Set<string>();
  index.visitSections(['IfModule'], (node, { root }) => {
    if (root.role === 'server') guardedModules.add(node.args[0]?.value ?? '');
  });
  const requested = new Set([...guardedModules].map((word) => plainName(findModule(word)?.identifier ?? '')));
  for (const name of ['mpm_event', 'mpm_worker'] as const)
    if (requested.has(name) && !MPMS.some((other) => other !== name && requested.has(other)))
      return { name, reason: 'there is a block for it alone' };
  return { name: 'mpm_prefork', reason: "it was 2.2's default" };
}

/** Systems other than Unix have one MPM, and it is compiled in. */
export function isUnix({ index }: Pick<ResultContext, 'index'>): boolean {
  return !index.someDirective(['ServerRoot', 'DocumentRoot', 'LoadModule'], ({ args }) =>
    args.some(({ value }) => /^[A-Za-z]\w*:[\\/]/.test(value)),
  );
}
