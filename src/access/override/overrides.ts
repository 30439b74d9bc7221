import type { OverrideLine, Scope } from '../policy';
import { depthOf, isPlainGlob, parentOf, unifies } from '../primitives';

/** A section with an AllowOverride, and how deep it stands: those below come after it. */
interface Override {
  readonly level: number;
  readonly order: number;
  readonly line: OverrideLine;
}

/** The AllowOverride lines that stand in one server, by the directories they are for. */
export class Overrides {
  /** The directories of some section cannot be told: it may be the one that counts. */
  #isOpen = false;
  readonly #placed = new Map<string, Override[]>();
  readonly #globs: (Override & { readonly glob: string })[] = [];

  add({ kind, pattern, order, allowOverride }: Scope): void {
    const line = allowOverride!;
    if (kind === 'directory' && pattern.kind === 'path') {
      const one = { level: depthOf(pattern.path), order, line };
      const list = this.#placed.get(pattern.path);
      if (list === undefined) this.#placed.set(pattern.path, [one]);
      else list.push(one);
    } else if (kind === 'directory' && pattern.kind === 'glob' && isPlainGlob(pattern.glob))
      this.#globs.push({ level: depthOf(pattern.glob), order, line, glob: pattern.glob });
    else this.#isOpen = true;
  }

  /** Those that cover a directory, the nearest first; undefined where that cannot be told. */
  covering(path: string): Override[] | undefined {
    if (this.#isOpen) return undefined;
    const found: Override[] = [];
    for (let at = path; ; at = parentOf(at)) {
      const list = this.#placed.get(at);
      if (list !== undefined) found.push(...list);
      if (at === '/') break;
    }
    if (this.#globs.length > 0) {
      const depth = depthOf(path);
      for (const one of this.#globs) if (one.level <= depth && unifies(path, one.glob)) found.push(one);
    }
    return found;
  }
}

/** The lines one of which is in force, undefined standing for none, where these sections cover a directory. */
export function possibleLines(covering: Override[]): (OverrideLine | undefined)[] {
  if (covering.length === 0) return [undefined];
  let found: { level: number; line: OverrideLine | undefined }[] = [{ level: -1, line: undefined }];
  covering.sort((a, b) => a.order - b.order);
  for (const { level, line } of covering) {
    if (found.some((one) => one.level > level && one.line?.certain !== false)) continue;
    found = [...found.filter((one) => !line.certain || one.level > level), { level, line }];
  }
  return found.map(({ line }) => line);
}
