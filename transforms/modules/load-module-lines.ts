import { type ConfigFile, type Frame, isConditional, type Place, placeCondition } from '../../src/config';
import type { TreeIndex } from '../../src/engine';
import { findModule, successorOf } from '../../src/httpd/modules';
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
export interface CommentedLine {
  readonly name: string;
  readonly node: Comment;
  readonly file: ConfigFile;
}

const COMMENTED = /^#+[ \t]*LoadModule[ \t]+(\w+)_module[ \t]+\S+\.so"?[ \t]*$/i;

/** All that a tree says about loading modules, in the order httpd reads it. */
export class LoadLines {
  readonly all: readonly LoadLine[];
  readonly commented: readonly CommentedLine[];
  readonly #loaded: ReadonlySet<string>;
  /** Enough modules of httpd's own are loaded that the others are loaded too, or not there. */
  readonly #shared: boolean;

  constructor(index: TreeIndex) {
    const seen = new Set<Directive>();
    const all: LoadLine[] = [];
    for (const { node, place } of index.directives(['LoadModule'])) {
      if (seen.has(node) || place.root.role !== 'server') continue;
      seen.add(node);
      const [identifier, path] = node.args.map((arg) => arg.value);
      if (identifier === undefined || path === undefined) continue;
      const conditionals = place.chain.filter(({ section }) => isConditional(section) && !asksFor(section.args[0]?.value, identifier)); // prettier-ignore
      const read = placeCondition(conditionals).on24;
      const name = plainName(successorOf(identifier) ?? identifier);
      all.push({ name, identifier, path, node, place, conditionals, read });
    }
    this.all = all;
    this.commented = commentedLines(all);
    const real = all.filter(
      (line) => line.read !== false && findModule(`${line.name}_module`)?.versions !== '2.2',
    );
    this.#loaded = new Set(real.map((line) => line.name));
    // One that asks first whether its module is there already says nothing about how modules are there.
    const plain = all.filter(
      ({ place, conditionals }) =>
        conditionals.length === place.chain.filter(({ section }) => isConditional(section)).length,
    );
    this.#shared = plain.filter(({ identifier }) => findModule(identifier) !== undefined).length >= SOME;
  }

  /** True for a module that 2.4 surely or possibly loads. */
  loads(name: string): boolean {
    return this.#loaded.has(name);
  }

  /** Whether modules come from files of their own here, so that one without a line is not there. */
  get shared(): boolean {
    return this.#shared;
  }
}

/** Fewer lines than that are extras of a server that has the rest compiled in. */
const SOME = 4;

export function plainName(identifier: string): string {
  return identifier.replace(/_module$/, '');
}

/** `<IfModule !x_module>` around `LoadModule x_module`. */
function asksFor(word: string | undefined, identifier: string): boolean {
  if (word?.startsWith('!') !== true) return false;
  return findModule(word.slice(1))?.identifier === identifier || word.slice(1) === identifier;
}

function commentedLines(lines: readonly LoadLine[]): CommentedLine[] {
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
