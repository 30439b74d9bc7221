import type { ConfigFile } from '../../config';
import { type Edit, insertAfter } from '../../edit';
import { HostsByTarget, type UrlMapping } from '../mapping';
import type { OverrideLine, Scope } from '../policy';
import {
  EMPTY_LIST,
  type SectionPattern,
  depthOf,
  globPrefixMatches,
  isPlainGlob,
  isWithin,
  parentOf,
} from '../primitives';
import { FilesByHost } from './files-by-host';

/** A section with an AllowOverride, and how deep it stands: those below come after it. */
interface OverrideSection {
  readonly level: number;
  readonly order: number;
  readonly line: OverrideLine;
}

/** The AllowOverride lines that stand in one server, by the directories they are for. */
class ServerOverrides {
  /** The directories of some section are not known: it may be the one that counts. */
  #isOpen = false;
  readonly #placed = new Map<string, OverrideSection[]>();
  readonly #globs: (OverrideSection & { readonly glob: string })[] = [];

  add({ kind, pattern, order, allowOverride }: Scope): void {
    const line = allowOverride!;
    if (kind === 'directory' && pattern.kind === 'path') {
      const section = { level: depthOf(pattern.path), order, line };
      const list = this.#placed.get(pattern.path);
      if (list === undefined) this.#placed.set(pattern.path, [section]);
      else list.push(section);
    } else if (kind === 'directory' && pattern.kind === 'glob' && isPlainGlob(pattern.glob))
      this.#globs.push({ level: depthOf(pattern.glob), order, line, glob: pattern.glob });
    else this.#isOpen = true;
  }

  /** Those that cover a directory, the nearest first; undefined where that is not known. */
  covering(path: string): OverrideSection[] | undefined {
    if (this.#isOpen) return undefined;
    const found: OverrideSection[] = [];
    for (let at = path; ; at = parentOf(at)) {
      const list = this.#placed.get(at);
      if (list !== undefined) found.push(...list);
      if (at === '/') break;
    }
    if (this.#globs.length > 0) {
      const depth = depthOf(path);
      for (const glob of this.#globs)
        if (glob.level <= depth && globPrefixMatches(path, glob.glob)) found.push(glob);
    }
    return found;
  }
}

/** The lines one of which is in force, undefined standing for none, where these sections cover a directory. */
function possibleLines(covering: OverrideSection[]): (OverrideLine | undefined)[] {
  if (covering.length === 0) return [undefined];
  let found: { level: number; line: OverrideLine | undefined }[] = [{ level: -1, line: undefined }];
  covering.sort((a, b) => a.order - b.order);
  for (const { level, line } of covering) {
    if (found.some((possible) => possible.level > level && possible.line?.certain !== false)) continue;
    found = [...found.filter((possible) => !line.certain || possible.level > level), { level, line }];
  }
  return found.map(({ line }) => line);
}

/** Whether a file is surely not read where one of these lines is in force. */
function isIgnored(lines: readonly (OverrideLine | undefined)[]): boolean {
  return lines.length > 0 && lines.every(ignoresFile);
}

/** What AllowOverride says of one directory. */
interface EffectiveOverride {
  /** The line in force, in the hosts that read a `.htaccess` there if any does; undefined where none is, or it is not known which. */
  readonly line: OverrideLine | undefined;
  readonly differs: boolean;
  readonly undecided: boolean;
  /** The hosts that AllowOverride None keeps from reading a file that others read. */
  readonly ignoring: readonly Scope['vhost'][];
}

const NO_OVERRIDE: EffectiveOverride = { line: undefined, differs: false, undecided: false, ignoring: [] };

/** What the server config of the run lets a `.htaccess` say: AllowOverride by directory (docs/facts/access-2.4.md: AllowOverride). */
export class AllowOverrideIndex {
  readonly #scopes: readonly Scope[];
  #files: FilesByHost | undefined;
  readonly #sections: readonly Scope[];
  /** Those that stand in each virtual host, and in the main server; undefined for the main one. */
  readonly #byHost = new Map<Scope['vhost'], ServerOverrides>();
  readonly #all: readonly Scope['vhost'][];
  readonly #mapping: UrlMapping;
  /** Made when first asked for. */
  #byTarget: HostsByTarget | undefined;
  readonly #rulings = new Map<string, EffectiveOverride>();

  /** The `.htaccess` sections with a Require. */
  readonly #requiring: readonly Scope[];
  #refused: Map<OverrideLine, Scope> | undefined;

  constructor(scopes: readonly Scope[], mapping: UrlMapping) {
    this.#scopes = scopes;
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
      let list = this.#byHost.get(scope.vhost);
      if (list === undefined) this.#byHost.set(scope.vhost, (list = new ServerOverrides()));
      list.add(scope);
    }
    if (!this.#byHost.has(undefined)) this.#byHost.set(undefined, new ServerOverrides());
    this.#all = [...this.#byHost.keys()];
    this.#mapping = mapping;
  }

  /** Whether the virtual hosts that read the file there do not agree about what it may say. */
  differsByHost(path: string): boolean {
    return this.#ruling(path).differs;
  }

  /** The AllowOverride in force in a directory; undefined where none of the run covers it, or it is not known which does. */
  inForce(path: string): OverrideLine | undefined {
    return this.#ruling(path).line;
  }

  /** Whether a conditional decides which AllowOverride is in force in a directory. */
  undecided(path: string): boolean {
    return this.#ruling(path).undecided;
  }

  /** Which files one host reads and another does not. */
  get files(): FilesByHost {
    this.#files ??= new FilesByHost(this.#scopes, this.#all, (path) => this.#ruling(path).ignoring);
    return this.#files;
  }

  #ruling(path: string): EffectiveOverride {
    if (this.#sections.length === 0) return NO_OVERRIDE;
    let ruling = this.#rulings.get(path);
    if (ruling === undefined) this.#rulings.set(path, (ruling = this.#rule(path)));
    return ruling;
  }

  #rule(path: string): EffectiveOverride {
    const main = this.#byHost.get(undefined)!.covering(path);
    const ofMain = main && possibleLines([...main]);
    const serving = this.#serving(path);
    const possible = serving.map((vhost) => {
      const ofHost = vhost === undefined ? [] : this.#byHost.get(vhost)!.covering(path);
      if (ofHost === undefined || main === undefined) return EMPTY_LIST;
      return ofHost.length === 0 ? ofMain! : possibleLines([...main, ...ofHost]);
    });
    const reading = possible.filter((lines) => !isIgnored(lines));
    const ignoring = reading.length === 0 ? EMPTY_LIST : serving.filter((_, i) => isIgnored(possible[i]!));
    // Most hosts have nothing of their own there.
    const distinct = [...new Set(reading.length === 0 ? possible : reading)];
    // It need not be known which of several lines keeps files from being read.
    const inForce = distinct.map((lines) => (lines.length > 1 && !isIgnored(lines) ? undefined : lines[0]));
    const differs = new Set(inForce.map((line) => line?.words.join(' ') ?? '')).size > 1;
    const undecided = distinct.some((lines) => new Set(lines.map((line) => line?.words.join(' '))).size > 1);
    return { line: differs ? undefined : inForce[0], differs, undecided, ignoring };
  }

  /** The virtual hosts with an AllowOverride of their own, and the main server for all others, that serve a directory; all where none is known to. */
  #serving(path: string): readonly Scope['vhost'][] {
    if (this.#all.length === 1) return this.#all;
    this.#byTarget ??= this.#fileByTarget();
    const found = this.#byTarget.reaching(path);
    return found.length > 0 ? found : this.#all;
  }

  #fileByTarget(): HostsByTarget {
    const withOverride = new Set(this.#all);
    return new HostsByTarget(this.#all, (vhost) =>
      this.#mapping.statedTargets(vhost === undefined ? this.#mapping.hostsExcept(withOverride) : [vhost]),
    );
  }

  /** Lines of the sections that may come after the one a line stands in, and hand down to a directory what that says. */
  inheritingLines(line: OverrideLine): OverrideLine[] {
    const position = this.#sections.findIndex(({ allowOverride }) => allowOverride === line);
    const { pattern, vhost } = this.#sections[position]!;
    const after = this.#sections.filter((scope, i) => {
      if (scope.allowOverride === line || scope.kind !== 'directory') return false;
      if (vhost !== undefined && scope.vhost !== undefined && scope.vhost !== vhost) return false;
      const [above, below] = [levelOf(pattern), levelOf(scope.pattern)];
      if (above === undefined || below === undefined) return true;
      if (below < above || (below === above && i < position && scope.vhost === vhost)) return false;
      return mayMeet(pattern, scope.pattern);
    });
    return [...new Set(after.map(({ allowOverride }) => allowOverride!))];
  }

  /** A section with a Require that the line does not let in. */
  sectionRefusedBy(line: OverrideLine): Scope | undefined {
    if (this.#refused === undefined) {
      this.#refused = new Map();
      for (const scope of this.#requiring) {
        const inForce = this.lineFor(scope);
        if (inForce !== undefined && !allowsClass(inForce, 'authconfig')) this.#refused.set(inForce, scope);
      }
    }
    return this.#refused.get(line);
  }

  /** The line that applies to a `.htaccess` or to a section in one. */
  lineFor(scope: Scope): OverrideLine | undefined {
    const holder = scope.parent ?? scope;
    if (holder.kind !== 'htaccess' || holder.placeUnknown || holder.pattern.kind !== 'path') return undefined;
    return this.inForce(holder.pattern.path);
  }
}

function levelOf(pattern: SectionPattern): number | undefined {
  if (pattern.kind === 'any') return undefined;
  return depthOf(pattern.kind === 'path' ? pattern.path : pattern.glob);
}

/** Whether two Directory sections may be for one directory. */
function mayMeet(above: SectionPattern, below: SectionPattern): boolean {
  if (above.kind === 'path' && below.kind === 'path') return isWithin(below.path, above.path);
  if (above.kind === 'path' && below.kind === 'glob') return globPrefixMatches(above.path, below.glob);
  return above.kind !== 'glob' || below.kind !== 'path' || globPrefixMatches(below.path, above.glob);
}

/** True if directives of the class (`limit`, `authconfig`) may stand where the line applies; they may, too, where none does. */
export function allowsClass(line: OverrideLine | undefined, wanted: string): boolean {
  return line === undefined || line.words.includes('all') || line.words.includes(wanted);
}

/** Whether the line keeps httpd from reading a `.htaccess` at all. */
export function ignoresFile(line: OverrideLine | undefined): boolean {
  return line?.words.length === 1 && line.words[0] === 'none';
}

/** A `.htaccess` that AllowOverride None keeps httpd from reading plays no part in the others' decisions. */
export function splitUnreadFiles(
  scopes: readonly Scope[],
  mapping: UrlMapping,
): { live: readonly Scope[]; unread: readonly Scope[]; overrides: AllowOverrideIndex } {
  const overrides = new AllowOverrideIndex(scopes, mapping);
  const isUnread = (scope: Scope): boolean => ignoresFile(overrides.lineFor(scope));
  const unread = scopes.filter(isUnread);
  if (unread.length === 0) return { live: scopes, unread, overrides };
  const live = scopes.filter((scope) => !isUnread(scope));
  return { live, unread, overrides: new AllowOverrideIndex(live, mapping) };
}

/** Takes back a list that is handed down. */
export const LIST_OF_NONE = 'None';

/** A line of the server config that must be added before a rewritten `.htaccess` is let in by 2.4; `None` keeps others out as before. */
interface OverrideList {
  readonly file: ConfigFile;
  readonly at: number;
  readonly words: string;
  readonly edit: Edit;
  /** The groups of rewrites that need it. */
  readonly groups: ReadonlySet<string>;
}

/**
 * 2.4 counts Require to AuthConfig, where Order, Allow and Deny were of the class Limit: a `.htaccess` that may say only these would
 * become a 500. `AllowOverrideList` lets in what the rewrite uses and nothing else; containers are named with their `<`
 * (docs/facts/access-2.4.md). The list is handed down to the directories below whatever their own AllowOverride says (2.4 server/core.c:
 * merge_core_dir_configs): there it is taken back.
 * @param rewritten the scopes that change, with the names of the containers of their new lines and their group
 */
export function overrideLists(
  rewritten: readonly {
    readonly scope: Scope;
    readonly containers: readonly string[];
    readonly group: string;
  }[],
  overrides: AllowOverrideIndex,
): OverrideList[] {
  const wanted = new Map<OverrideLine, { names: Set<string>; groups: Set<string> }>();
  for (const { scope, containers, group } of rewritten) {
    const line = overrides.lineFor(scope);
    if (line === undefined || ignoresFile(line) || allowsClass(line, 'authconfig')) continue;
    const want = wanted.get(line) ?? { names: new Set(['Require']), groups: new Set() };
    wanted.set(line, want);
    want.groups.add(group);
    for (const name of containers) want.names.add(`<${name}`);
  }
  const kept = new Map<OverrideLine, Set<string>>();
  for (const [line, { groups }] of wanted)
    for (const heir of overrides.inheritingLines(line)) {
      if (allowsClass(heir, 'authconfig') || wanted.has(heir)) continue;
      const known = kept.get(heir) ?? new Set();
      kept.set(heir, known);
      for (const group of groups) known.add(group);
    }
  return [
    ...[...wanted].map(([line, { names, groups }]) => listed(line, [...names].join(' '), groups)),
    ...[...kept].map(([line, groups]) => listed(line, LIST_OF_NONE, groups)),
  ];
}

function listed({ line }: OverrideLine, words: string, groups: ReadonlySet<string>): OverrideList {
  const edit = insertAfter(line.file.document, line.node, [`AllowOverrideList ${words}`]);
  return { file: line.file, at: line.node.from, words, edit, groups };
}
