import { earlierSpec, isKnownIn } from './lifespan';
import type { Release } from './release';
import { directiveTable } from './tables';

export interface DirectiveInfo {
  /** The name as httpd's command table spells it. */
  readonly name: string;
  readonly section: boolean;
  /** Parses its arguments itself: quotes may mean something else there. */
  readonly raw: boolean;
  /** The modules that define it, by identifier without `_module`; empty where that version does not know it. */
  readonly owners22: readonly string[];
  readonly owners24: readonly string[];
  /** How each version takes it, in the code of the table; undefined where a version does not know it, or nothing is known. */
  readonly spec22: string | undefined;
  readonly spec24: string | undefined;
}

/** Whether a release of 2.4 knows a directive: some have come, and some have gone, since the first. */
export function isIn24({ name, owners24 }: DirectiveInfo, release: Release): boolean {
  return owners24.length > 0 && isKnownIn('directive', name, release);
}

/** How a release of 2.4 takes a directive, as {@link DirectiveInfo.spec24} says it of the newest. */
export function specIn24(info: DirectiveInfo, release: Release): string | undefined {
  if (!isIn24(info, release)) return undefined;
  return earlierSpec(info.name.toLowerCase(), release) ?? info.spec24;
}

/** The results of earlier calls; `null` for what neither version ships. */
const asked = new Map<string, DirectiveInfo | null>();

let searched: string | undefined;

/** Finds a directive or section by name, in any letter case; undefined for what neither version ships. */
export function findDirective(name: string): DirectiveInfo | undefined {
  const key = name.toLowerCase();
  let info = asked.get(key);
  if (info === undefined) asked.set(key, (info = search(key) ?? null));
  return info ?? undefined;
}

/** Everything that either version ships, in no particular order. */
export function allDirectives(): Iterable<DirectiveInfo> {
  const names = [...directiveTable.matchAll(/ <?([^ =]+)=/g)].map(([, name = '']) => name.toLowerCase());
  return [...new Set(names)].map((name) => findDirective(name)!);
}

/**
 * A line is `<owners>: <words>`; `a>b` gives the owners in 2.2 and in 2.4 where they differ, an empty side means that this
 * version does not know the directive. A word is `<name>=<specs>`, `<Name` being a section, and `a>b` again the two versions. A
 * run asks for a few names only, and parsing the whole table would take longer than the rest of a short run.
 */
function search(key: string): DirectiveInfo | undefined {
  if (key.startsWith('<')) return undefined;
  searched ??= directiveTable.toLowerCase();
  const [plain, section] = [searched.indexOf(` ${key}=`), searched.indexOf(` <${key}=`)];
  // A few names of 2.4 are a section and a directive; the section, which comes first, is what matters to a reader of files.
  const at = plain < 0 || (section >= 0 && section < plain) ? section : plain;
  if (at < 0) return undefined;
  const end = at + 1 + directiveTable.slice(at + 1).search(/[ \n]/);
  const colon = directiveTable.lastIndexOf(':', at);
  const owners = directiveTable.slice(directiveTable.lastIndexOf('\n', colon) + 1, colon);
  const [owners22 = '', owners24 = owners22] = owners.split('>');
  return new TableEntry(directiveTable.slice(at + 1, end), split(owners22), split(owners24));
}

class TableEntry implements DirectiveInfo {
  readonly name: string;
  readonly section: boolean;
  readonly owners22: readonly string[];
  readonly owners24: readonly string[];
  readonly #specs: string;

  constructor(word: string, owners22: readonly string[], owners24: readonly string[]) {
    const equals = word.indexOf('=');
    this.section = word.startsWith('<');
    this.name = word.slice(this.section ? 1 : 0, equals);
    this.owners22 = owners22;
    this.owners24 = owners24;
    this.#specs = word.slice(equals + 1);
  }

  get raw(): boolean {
    return /(?:^|>)r/.test(this.#specs);
  }

  get spec22(): string | undefined {
    return this.owners22.length === 0 ? undefined : known(this.#specs.split('>')[0]);
  }

  get spec24(): string | undefined {
    return this.owners24.length === 0 ? undefined : known(this.#specs.split('>').at(-1));
  }
}

function known(spec: string | undefined): string | undefined {
  return spec === '?' ? undefined : spec;
}

function split(list: string): string[] {
  return list === '' ? [] : list.split(',');
}
