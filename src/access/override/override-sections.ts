import { appendAll } from '../../syntax';
import { type OverrideLine, type Scope, hostRank } from '../policy';
import {
  type SectionPattern,
  depthOf,
  globCovers,
  globPrefixMatches,
  isWithin,
  EMPTY_LIST,
  directoriesAbove,
  patternDepth,
  addTo,
} from '../primitives';

/** A Directory section with lines about overrides, and how deep it stands: those below come after it. */
export interface OverrideSection {
  readonly level: number;
  readonly scope: Scope;
  readonly lines: readonly OverrideLine[];
}

/**
 * Whether AllowOverride in a section has a say in what a `.htaccess` may: when httpd opens these files it has merged the
 * Directory sections without a regex alone (server/request.c: ap_directory_walk; the same in both versions).
 */
export function hasEffect({ kind, overrides, problems, place }: Scope): boolean {
  if (kind !== 'directory' || overrides.length === 0 || place.root.role === 'htaccess') return false;
  return !problems.some(({ problem }) => problem.kind === 'misplaced-section');
}

/** The sections of one server with lines about overrides, by the directories that they are for. */
export class ServerOverrides {
  readonly #placed = new Map<string, OverrideSection[]>();
  readonly #globs: (OverrideSection & { readonly glob: string })[] = [];
  /** Sections whose directories are not known. */
  readonly #anywhere: OverrideSection[] = [];

  add(scope: Scope): void {
    const { pattern, overrides: lines } = scope;
    if (pattern.kind === 'path') {
      const section = { level: depthOf(pattern.path), scope, lines };
      addTo(this.#placed, pattern.path, section);
    } else if (pattern.kind === 'glob')
      this.#globs.push({ level: depthOf(pattern.glob), scope, lines, glob: pattern.glob });
    else this.#anywhere.push({ level: Infinity, scope, lines: lines.flatMap((line) => maybe(scope, line)) });
  }

  covering(path: string): OverrideSection[] {
    const found: OverrideSection[] = [...this.#anywhere];
    for (const at of [path, ...directoriesAbove(path)]) appendAll(found, this.#placed.get(at) ?? EMPTY_LIST);
    for (const section of this.#globs) if (globCovers(section.glob, path)) found.push(section);
    return found;
  }
}

/** A line of a section whose directory is not known, as if a conditional stood around it. It is not taken to silence a file. */
function maybe({ section }: Scope, line: OverrideLine): OverrideLine[] {
  if (line.words.length === 1 && line.words[0] === 'none') return [];
  const name = `Directory ${section?.open.rest ?? ''}`;
  const test = { name, asks: { kind: 'other', text: name }, is: true, on24: undefined } as const;
  return [{ ...line, tests: [...line.tests, test] }];
}

/** In httpd's merge order: by depth, the main server's first (server/core.c: ap_core_reorder_directories). */
export function inMergeOrder(sections: readonly OverrideSection[]): readonly OverrideSection[] {
  return [...sections].sort(
    // Two levels that are not known are both Infinity: their difference is NaN, and what comes next decides.
    (a, b) => a.level - b.level || hostRank(a.scope) - hostRank(b.scope) || a.scope.order - b.scope.order,
  );
}

/** Whether a section may be merged after another for some directory: then what the other says is handed down to it. */
export function mayFollow(after: Scope, before: Scope): boolean {
  if (before.vhost !== undefined && after.vhost !== undefined && before.vhost !== after.vhost) return false;
  if (before.pattern.kind === 'any' || after.pattern.kind === 'any') return true;
  const isLater =
    patternDepth(after.pattern) - patternDepth(before.pattern) ||
    hostRank(after) - hostRank(before) ||
    after.order - before.order;
  return isLater >= 0 && mayMeet(before.pattern, after.pattern);
}

/** Whether two Directory sections may be for one directory. */
function mayMeet(above: SectionPattern, below: SectionPattern): boolean {
  if (above.kind === 'path' && below.kind === 'path') return isWithin(below.path, above.path);
  if (above.kind === 'path' && below.kind === 'glob') return globPrefixMatches(above.path, below.glob);
  return above.kind !== 'glob' || below.kind !== 'path' || globPrefixMatches(below.path, above.glob);
}
