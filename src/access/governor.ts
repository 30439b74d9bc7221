import type { Mapping } from './mapping';
import { type Pattern, depthOf, isPlainGlob, isWithin, unifies } from './paths';
import type { OverrideLine, Scope } from './scope';

/** What the server config of the run lets a `.htaccess` say: AllowOverride by directory (access-semantics C). */
export class Governor {
  readonly #sections: readonly Scope[];
  /** Those that stand in each server; undefined for the main one. */
  readonly #own = new Map<Scope['vhost'], Scope[]>();
  /** With those of the main server before or between them; made when first asked for. */
  readonly #byHost = new Map<Scope['vhost'], readonly Scope[]>();

  /** Whether requests come to a directory by each virtual host with an AllowOverride of its own; undefined stands for all others. */
  readonly #leads: ReadonlyMap<Scope['vhost'], (directory: string) => boolean>;

  /** The `.htaccess` sections with a Require. */
  readonly #requiring: readonly Scope[];
  #refused: Map<OverrideLine, Scope> | undefined;

  constructor(scopes: readonly Scope[], mapping: Mapping) {
    this.#requiring = scopes.filter(
      ({ lines24, place }) => lines24.length > 0 && place.root.role === 'htaccess',
    );
    this.#sections = scopes.filter(
      (scope) =>
        scope.allowOverride !== undefined &&
        scope.problems.length === 0 &&
        scope.place.root.role !== 'htaccess',
    );
    for (const scope of this.#sections) {
      const list = this.#own.get(scope.vhost);
      if (list === undefined) this.#own.set(scope.vhost, [scope]);
      else list.push(scope);
    }
    const own = new Set([...this.#own.keys(), undefined]);
    this.#leads = new Map(
      [...own].map((vhost) => [
        vhost,
        mapping.leading(vhost === undefined ? mapping.hostsBut(own) : [vhost]),
      ]),
    );
  }

  /** Whether the virtual hosts do not agree about the directory: then the file counts for some requests and not for others. */
  differs(path: string): boolean {
    const hosts = this.#hosts(path);
    if (hosts.length < 2) return false;
    return new Set(hosts.map((vhost) => this.#in(path, vhost)?.words.join(' ') ?? '')).size > 1;
  }

  /** The AllowOverride in force in a directory; undefined where none of the run covers it, or it cannot be told which does. */
  at(path: string): OverrideLine | undefined {
    return this.differs(path) ? undefined : this.#in(path, this.#hosts(path)[0]);
  }

  /** The virtual hosts with an AllowOverride of their own, and the main server for all others, as far as they serve the directory. */
  #hosts(path: string): (Scope['vhost'] | undefined)[] {
    const all = [...this.#leads.keys()];
    const serving = all.filter((vhost) => this.#leads.get(vhost)!(path));
    return serving.length > 0 ? serving : all;
  }

  /** Whether a conditional decides which AllowOverride is in force in a directory. */
  undecided(path: string): boolean {
    return this.#hosts(path).some((vhost) => {
      const lines = this.#possible(path, vhost) ?? [];
      return new Set(lines.map((line) => line?.words.join(' '))).size > 1;
    });
  }

  #in(path: string, vhost: Scope['vhost']): OverrideLine | undefined {
    const lines = this.#possible(path, vhost) ?? [];
    return lines.length > 1 ? undefined : lines[0];
  }

  /** The lines one of which is in force, undefined standing for none; nothing where it cannot be told which sections cover the directory. */
  #possible(path: string, vhost: Scope['vhost']): (OverrideLine | undefined)[] | undefined {
    let found: { level: number; line: OverrideLine | undefined }[] = [{ level: -1, line: undefined }];
    for (const { kind, pattern, allowOverride } of this.#sectionsOf(vhost)) {
      const level = levelOf(pattern) ?? Infinity;
      // One whose place is not known may be the one that counts.
      const placed =
        kind === 'directory' &&
        (pattern.kind === 'path' || (pattern.kind === 'glob' && isPlainGlob(pattern.glob)));
      if (!placed) return undefined;
      const covers =
        pattern.kind === 'path'
          ? isWithin(path, pattern.path)
          : pattern.kind === 'glob' && level <= depthOf(path) && unifies(path, pattern.glob);
      if (!covers) continue;
      const line = allowOverride!;
      if (found.some((one) => one.level > level && one.line?.certain !== false)) continue;
      found = [...found.filter((one) => !line.certain || one.level > level), { level, line }];
    }
    return found.map(({ line }) => line);
  }

  #sectionsOf(vhost: Scope['vhost']): readonly Scope[] {
    let sections = this.#byHost.get(vhost);
    if (sections === undefined) {
      const [main, own] = [this.#own.get(undefined) ?? [], this.#own.get(vhost) ?? []];
      sections = vhost === undefined ? main : [...main, ...own].sort((a, b) => a.order - b.order);
      this.#byHost.set(vhost, sections);
    }
    return sections;
  }

  /** Lines of the sections that may come after the one a line stands in, and hand down to a directory what that says. */
  heirsOf(line: OverrideLine): OverrideLine[] {
    const home = this.#sections.findIndex(({ allowOverride }) => allowOverride === line);
    const { pattern, vhost } = this.#sections[home]!;
    const after = this.#sections.filter((one, i) => {
      if (one.allowOverride === line || one.kind !== 'directory') return false;
      if (vhost !== undefined && one.vhost !== undefined && one.vhost !== vhost) return false;
      const [above, below] = [levelOf(pattern), levelOf(one.pattern)];
      if (above === undefined || below === undefined) return true;
      if (below < above || (below === above && i < home && one.vhost === vhost)) return false;
      return meet(pattern, one.pattern);
    });
    return [...new Set(after.map(({ allowOverride }) => allowOverride!))];
  }

  /** A section with a Require that the line does not let in. */
  refused(line: OverrideLine): Scope | undefined {
    if (this.#refused === undefined) {
      this.#refused = new Map();
      for (const scope of this.#requiring) {
        const own = this.of(scope);
        if (own !== undefined && !allows(own, 'authconfig')) this.#refused.set(own, scope);
      }
    }
    return this.#refused.get(line);
  }

  /** The line that governs a `.htaccess` or a section in one. */
  of(scope: Scope): OverrideLine | undefined {
    const home = scope.parent ?? scope;
    if (home.kind !== 'htaccess' || home.displaced || home.pattern.kind !== 'path') return undefined;
    return this.at(home.pattern.path);
  }
}

function levelOf(pattern: Pattern): number | undefined {
  if (pattern.kind === 'any') return undefined;
  return depthOf(pattern.kind === 'path' ? pattern.path : pattern.glob);
}

/** Whether two Directory sections may be for one directory. */
function meet(above: Pattern, below: Pattern): boolean {
  if (above.kind === 'path' && below.kind === 'path') return isWithin(below.path, above.path);
  if (above.kind === 'path' && below.kind === 'glob') return unifies(above.path, below.glob);
  return above.kind !== 'glob' || below.kind !== 'path' || unifies(below.path, above.glob);
}

/** True if directives of the class (`limit`, `authconfig`) may stand where the line governs; so they may where none does. */
export function allows(line: OverrideLine | undefined, wanted: string): boolean {
  return line === undefined || line.words.includes('all') || line.words.includes(wanted);
}

/** Whether the line keeps httpd from reading a `.htaccess` at all. */
export function silences(line: OverrideLine | undefined): boolean {
  return line?.words.length === 1 && line.words[0] === 'none';
}

/** A `.htaccess` that AllowOverride None keeps httpd from reading plays no part in the others' decisions. */
export function splitUnread(scopes: readonly Scope[], mapping: Mapping): { live: Scope[]; unread: Scope[] } {
  const governor = new Governor(scopes, mapping);
  const live: Scope[] = [];
  const unread: Scope[] = [];
  for (const scope of scopes) {
    (silences(governor.of(scope)) ? unread : live).push(scope);
  }
  return { live, unread };
}
