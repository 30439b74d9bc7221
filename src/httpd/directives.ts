import { directiveTable } from './tables';

export interface DirectiveInfo {
  /** As the command table spells it. */
  readonly name: string;
  readonly section: boolean;
  /** Takes its arguments apart itself: quoting may mean something else there. */
  readonly raw: boolean;
  /** The modules that define it, by identifier without `_module`; empty where that version does not know it. */
  readonly owners22: readonly string[];
  readonly owners24: readonly string[];
  /** How each version takes it, in the code of the table; undefined where a version does not know it, or nothing is known. */
  readonly spec22: string | undefined;
  readonly spec24: string | undefined;
}

let byName: ReadonlyMap<string, DirectiveInfo> | undefined;

/** Finds a directive or section by name, in any letter case; undefined for what neither version ships. */
export function findDirective(name: string): DirectiveInfo | undefined {
  return (byName ??= read()).get(name.toLowerCase());
}

/** What both versions ship, in no order that matters. */
export function allDirectives(): Iterable<DirectiveInfo> {
  return (byName ??= read()).values();
}

/** Asked on every start, so that no word is taken further apart than it must be. */
class Entry implements DirectiveInfo {
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

/**
 * A line is `<owners>: <words>`; `a>b` gives the owners in 2.2 and in 2.4 where they differ, an empty side means that this version does
 * not know the directive. A word is `<name>=<specs>`, `<Name` being a section, and `a>b` again the two versions.
 */
function read(): Map<string, DirectiveInfo> {
  const found = new Map<string, DirectiveInfo>();
  for (const group of directiveTable.trim().split(/\n(?! )/)) {
    const colon = group.indexOf(':');
    const [owners22 = '', owners24 = owners22] = group.slice(0, colon).split('>');
    const [old, now] = [split(owners22), split(owners24)];
    for (const word of group.slice(colon + 1).split(/[ \n]+/)) {
      if (word === '') continue;
      const entry = new Entry(word, old, now);
      const key = entry.name.toLowerCase();
      // A few names of 2.4 are a section and a directive; the section, which comes first, is what matters to a reader of files.
      if (!found.has(key)) found.set(key, entry);
    }
  }
  return found;
}

function split(list: string): string[] {
  return list === '' ? [] : list.split(',');
}
