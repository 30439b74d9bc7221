import { type ConfigTree, basename } from '../../config';
import type { Section } from '../../syntax';
import type { Collected } from '../collect';
import { fileOfUrl } from '../explain';
import { startsMeet } from '../mapping';
import { meets } from '../models';
import { type Scope, regexOf } from '../policy';
import { type PathList, depthOf, getOrInsert, normalisePath } from '../primitives';

/** A URL path that something in the configuration names, or what stands above one. */
interface Landmark {
  readonly id: number;
  readonly url: string;
  readonly below: Map<string, Landmark>;
  /** Made when the first URL comes to it. */
  tests: LandmarkTests | 'too many' | undefined;
}

/** What looks at more of the URLs below a landmark than where they lie. */
interface LandmarkTests {
  readonly letters: readonly ((url: LookedAt) => string)[];
  readonly names: ReadonlySet<string>;
}

/** A URL, with the files that the servers find for it. */
interface LookedAt {
  readonly uri: string;
  readonly base: string;
  readonly fileOf: (vhost: Section | undefined) => string;
}

export interface UrlLooks {
  readonly tree: ConfigTree;
  readonly old: Collected;
  readonly hosts: readonly (Section | undefined)[];
  /** Paths of directories that sections, `.htaccess` files and rules are for. */
  readonly directories: PathList;
  readonly locations: readonly string[];
  /** The sections that requests below a place may meet, of both texts; undefined where there are too many to be asked each. */
  readonly sectionsAround: (
    place: { readonly uri: string; readonly filename: string },
    vhost: Section | undefined,
  ) => readonly Scope[] | undefined;
}

/**
 * Tells sorts of URLs: those of one sort meet the same sections of some servers. A URL is followed as far as something in the
 * configuration names its directories; below that only patterns and names of files tell one from another.
 */
export class UrlSorts {
  readonly #top: Landmark;
  readonly #starts: readonly string[];
  readonly #rewriting: readonly (Section | undefined)[];
  #count = 0;

  constructor(private readonly looks: UrlLooks) {
    this.#top = this.#landmark('');
    const { hosts, old, locations } = looks;
    const ways = hosts.map((vhost) => old.mapping.aliasesOf(vhost));
    this.#starts = [...new Set(ways.flatMap(({ starts }) => starts))];
    this.#rewriting = hosts.filter((vhost) => old.mapping.rewrites.has(vhost));
    for (const url of locations) this.#add(url);
    ways.forEach(({ aliases }, i) => {
      for (const { url, path } of aliases) this.#addBelow(url, path);
      this.#addBelow('', this.#fileOf('/', hosts[i]));
    });
  }

  #landmark(url: string): Landmark {
    return { id: this.#count++, url, below: new Map(), tests: undefined };
  }

  #add(url: string): void {
    let at = this.#top;
    for (const part of url.split('/')) {
      if (part === '') continue;
      at = getOrInsert(at.below, part, () => this.#landmark(`${at.url}/${part}`));
    }
  }

  #addBelow(url: string, path: string): void {
    const top = path === '/' ? '' : normalisePath(path);
    for (const directory of this.looks.directories.below(top === '' ? '/' : top))
      this.#add(`${url}/${directory.slice(top.length)}`);
  }

  #fileOf(uri: string, vhost: Section | undefined): string {
    return fileOfUrl(uri, vhost, this.looks.old, this.looks.tree).filename;
  }

  /** The sort of a URL; undefined where each is one of its own. @param uri without dots and doubled slashes */
  of(uri: string): string | undefined {
    let at = this.#top;
    let end = 0;
    while (end < uri.length) {
      const next = uri.indexOf('/', end + 1);
      const part = uri.slice(end + 1, next < 0 ? undefined : next);
      const below = at.below.get(part);
      if (below === undefined) break;
      at = below;
      end = next < 0 ? uri.length : next;
    }
    const tests = (at.tests ??= this.#testsAt(at));
    if (tests === 'too many') return undefined;
    const rest = end === uri.length ? '.' : end === uri.length - 1 ? '/' : uri.endsWith('/') ? 'd' : 'f';
    const base = basename(uri);
    const looked = { uri, base, fileOf: (vhost: Section | undefined) => this.#fileOf(uri, vhost) };
    let sort = `${at.id}${rest}`;
    for (const ask of tests.letters) sort += ask(looked);
    return tests.names.has(base) ? `${sort} ${base}` : sort;
  }

  #testsAt({ url }: Landmark): LandmarkTests | 'too many' {
    const { hosts, old, sectionsAround } = this.looks;
    const letters = new Map<string, (url: LookedAt) => string>();
    const names = new Set<string>();
    for (const [i, vhost] of hosts.entries()) {
      const filename = normalisePath(this.#fileOf(url === '' ? '/' : url, vhost));
      const scopes = sectionsAround({ uri: url, filename }, vhost);
      if (scopes === undefined) return 'too many';
      for (const scope of scopes) {
        const { pattern } = scope;
        if (isSettled(scope, filename)) continue;
        if (isForNameAlone(scope) && pattern.kind === 'path') names.add(pattern.path);
        else if (looksAtFile(scope))
          letters.set(
            `${i} ${patternKey(scope)}`,
            ({ uri, fileOf }) => LETTERS[meets(scope, { uri, filename: fileOf(vhost) })],
          );
        else {
          // What it is put behind is a directory that it is for.
          const above = filename === '/' ? '' : filename;
          letters.set(
            patternKey(scope),
            ({ uri, base }) => LETTERS[meets(scope, { uri, filename: `${above}/${base}` })],
          );
        }
      }
    }
    if (this.#starts.length > 0)
      letters.set('starts', ({ uri }) => (this.#starts.some((start) => startsMeet(start, uri)) ? '+' : '-'));
    if (this.#rewriting.length > 0)
      letters.set('rules', ({ uri }) =>
        this.#rewriting.some((vhost) => old.mapping.rewrites.patternsFor(vhost, uri).length > 0) ? '+' : '-',
      );
    return { letters: [...letters.values()], names };
  }
}

const LETTERS = { yes: '+', no: '-', may: '?' } as const;

/** Whether a section is met by all below a place, or by none. */
function isSettled({ kind, pattern }: Scope, filename: string): boolean {
  if (kind === 'proxy') return true;
  if (kind === 'files') return false;
  return (
    pattern.kind === 'path' ||
    (kind === 'directory' && pattern.kind === 'glob' && depthOf(pattern.glob) <= depthOf(filename))
  );
}

/** Whether a section is for one name of a file, in directories that have one. */
function isForNameAlone({ kind, pattern, parent }: Scope): boolean {
  return (
    kind === 'files' && pattern.kind === 'path' && (parent === undefined || parent.pattern.kind === 'path')
  );
}

/** Whether a section looks at more of the file's path than its name. */
function looksAtFile({ kind, parent }: Scope): boolean {
  if (kind === 'files') return parent !== undefined && parent.pattern.kind !== 'path';
  return kind !== 'location';
}

/** Sections with the same are met by the same. */
function patternKey(scope: Scope): string {
  const { kind, parent } = scope;
  return [kind, textOf(scope), parent?.kind, parent && looksAtFile(scope) ? textOf(parent) : ''].join('\n');
}

function textOf(scope: Scope): string {
  const { pattern } = scope;
  return pattern.kind === 'any'
    ? `~${regexOf(scope)}`
    : pattern.kind === 'path'
      ? pattern.path
      : pattern.glob;
}
