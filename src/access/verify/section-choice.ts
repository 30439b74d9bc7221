import type { Section } from '../../syntax';
import { type HostScopes, type ScopeIndex, hostKey, filedAt } from '../models';
import type { ConditionalTest, HostPolicy, Scope, ScopeLine } from '../policy';
import {
  addressIn,
  addressMatches,
  isRange,
  isWithin,
  lazy,
  parentOf,
  getOrInsert,
  memo,
} from '../primitives';

/** A section that names more than this, or has more lines, is like no other. */
const MAX_NAMES = 40;
const MAX_LINES = 100;

/**
 * Tells apart the sections whose rewrite can go wrong in different ways: by what stands in them before and after, and by what
 * stands around them. Names of addresses, users and places do not count, but that the same name stands before and after does, and
 * that who is let in by one address is kept out by another.
 */
export class SectionShapes {
  readonly #texts = new Map<string, number>();
  readonly #pairs = new Map<number, number>();
  /** By the order of the section. Where few sections are asked about, nobody asks. */
  readonly #shapes = lazy(() => this.#allShapes());
  readonly #named = new Map<HostScopes, Map<string, string>>();

  constructor(
    private readonly before: ScopeIndex,
    private readonly after: ScopeIndex,
  ) {}

  /** Equal for sections that say the same before, and the same after. */
  shapeOf({ order }: Scope): number {
    return this.#shapes()[order]!;
  }

  /** Equal for sections of one shape with the same around them: all of their virtual host, else those above. */
  shapeWithSurroundings(scope: Scope): number {
    if (scope.vhost !== undefined)
      return this.#pair(this.shapeOf(scope), this.shapeOfHost(hostKey(scope.vhost)));
    const place = filedAt(scope);
    return this.#pair(this.shapeOf(scope), place?.kind === 'directory' ? this.#way(place.path) : 0);
  }

  /** Equal for virtual hosts whose sections have the same shapes. */
  readonly shapeOfHost = memo((key: string): number => {
    const { directories, locations, others } = this.before.of(key);
    const lists = [others, ...directories.values(), ...locations.values()];
    return lists.flat().reduce((id, scope) => this.#pair(id, this.shapeOf(scope)), 0);
  }, new Map());

  /** Virtual hosts, one of each kind before all others. */
  oneOfEachFirst(hosts: readonly Section[]): readonly Section[] {
    if (hosts.length < 2) return hosts;
    const kinds = new Map(hosts.map((host) => [this.shapeOfHost(hostKey(host)), host] as const).reverse());
    const first = new Set(kinds.values());
    return [...hosts.filter((host) => first.has(host)), ...hosts.filter((host) => !first.has(host))];
  }

  /** Stands for the main server's sections at a directory and above it. */
  readonly #way: (path: string) => number = memo((path) => {
    const here = this.before.of('').directories.get(path) ?? [];
    const above = path === '/' ? 0 : this.#way(parentOf(path));
    return here.reduce((id, scope) => this.#pair(id, this.shapeOf(scope)), above);
  }, new Map());

  #allShapes(): number[] {
    const shapes: number[] = [];
    for (const [host, scopes] of this.before.hosts) {
      const { directories, locations, others } = this.after.of(host);
      this.#addShapes(scopes.others, others, scopes, shapes);
      for (const [path, list] of scopes.directories)
        this.#addShapes(list, directories.get(path) ?? [], scopes, shapes);
      for (const [path, list] of scopes.locations)
        this.#addShapes(list, locations.get(path) ?? [], scopes, shapes);
    }
    // The numbers are known: the texts of a large run are as large as it is.
    this.#texts.clear();
    this.#named.clear();
    return shapes;
  }

  /** @param before all that is filed at a place of a host, and the same `after` */
  #addShapes(before: readonly Scope[], after: readonly Scope[], host: HostScopes, shapes: number[]): void {
    // As a rule each section is still there; else all at the place are held against all.
    const same = before.length === after.length;
    for (let i = 0; i < before.length; i++) {
      const scope = before[i]!;
      const renewed = same ? after.slice(i, i + 1) : after;
      let text = '';
      const said = new SectionWords(filedAt(scope)?.path ?? '');
      if (
        renewed.reduce((lines, { lines: { requires24 } }) => lines + requires24.length + 1, 0) <= MAX_LINES
      ) {
        text = this.#beforeText(scope, said) + (same ? openingText(scope, after[i]!) : '');
        for (const scopeAfter of renewed) text += this.#afterText(scopeAfter, said, host);
      }
      shapes[scope.order] = this.#id(text === '' || said.isLong ? `${scope.order}` : text);
    }
  }

  #beforeText(scope: Scope, said: SectionWords): string {
    const { kind, pattern, aroundLines, ssl } = scope;
    const { hosts, authType, authorizers, tls } = scope.policy;
    const { all } = scope.lines;
    let text = `${kind} ${pattern.kind} ${testsText(aroundLines)} ${authType} ${tls?.strict} ${scope.policy.ssl?.kind}\n`;
    for (const line of [...all, ...ssl]) text += said.lineText(line, (name) => said.numbered(name));
    if (hosts !== undefined) text += overlapsText(hosts);
    for (const [module, { authoritative, configured }] of authorizers)
      text += `${module} ${authoritative} ${configured}\n`;
    return text;
  }

  #afterText(scope: Scope, said: SectionWords, host: HostScopes): string {
    const { only22Count, only24Count, aroundSection, policy } = scope;
    const { old, requires24, authTypesFor24, merging } = scope.lines;
    let text = `>${old.length} ${only22Count} ${only24Count} ${policy.ssl?.kind} ${testsText(aroundSection)}\n`;
    const isPlace = (path: string): boolean => this.#isPlace(path, host);
    for (const line of [...requires24, ...authTypesFor24, ...merging])
      text += said.lineText(line, (name) => said.numberOf(name) ?? this.#nameOf(name, host), isPlace);
    return text;
  }

  /** For a name new in the section: which other of the host, or main server, says it, by its shape; else the name. */
  #nameOf(word: string, host: HostScopes): string {
    return `@${this.#namedIn(host).get(word) ?? this.#namedIn(this.before.of('')).get(word) ?? word}`;
  }

  readonly #namedIn = memo((host: HostScopes): ReadonlyMap<string, string> => {
    const named = new Map<string, string>();
    const { others, directories, locations } = host;
    for (const scope of [others, ...directories.values(), ...locations.values()].flat()) {
      const said = new SectionWords('');
      const id = this.#id(this.#beforeText(scope, said));
      for (const [n, word] of said.names.entries()) if (!named.has(word)) named.set(word, `${id}.${n}`);
    }
    return named;
  }, this.#named);

  #isPlace(path: string, host: HostScopes): boolean {
    return [host, this.before.of('')].some(
      ({ directories, locations }) => directories.has(path) || locations.has(path),
    );
  }

  #id(text: string): number {
    return getOrInsert(this.#texts, text, () => this.#texts.size);
  }

  /** Stands for two numbers together. */
  #pair(a: number, b: number): number {
    const key = a * 2 ** 26 + b;
    return getOrInsert(this.#pairs, key, () => this.#pairs.size + 1);
  }
}

/** The words of one section before and after: its lines as text, in which names are numbers in the order of their appearance. */
class SectionWords {
  readonly #numbers = new Map<string, number>();
  readonly #sections: Section[] = [];
  #lines = 0;

  /** @param place the directory or URL of the section */
  constructor(private readonly place: string) {}

  get names(): readonly string[] {
    return [...this.#numbers.keys()];
  }

  /** Whether it names more, or has more lines, than is looked at: the text ends before its end then. */
  get isLong(): boolean {
    return this.#numbers.size > MAX_NAMES || this.#lines > MAX_LINES;
  }

  /** Undefined for a name that has none. */
  numberOf(name: string): string | undefined {
    const number = this.#numbers.get(name);
    return number === undefined ? undefined : `#${number}`;
  }

  numbered(name: string): string {
    return `#${getOrInsert(this.#numbers, name, () => this.#numbers.size)}`;
  }

  /** @param nameText what stands for a name; `isPlace` whether sections are for a path */
  lineText(
    { file, node, inner }: ScopeLine,
    nameText: (name: string) => string,
    isPlace?: (path: string) => boolean,
  ): string {
    this.#lines++;
    if (this.isLong) return '';
    let text = '';
    for (const { section } of inner) {
      const at = this.#sections.indexOf(section);
      if (at < 0) this.#sections.push(section);
      text +=
        at >= 0 ? `${at}/` : `<${section.key} ${section.key.startsWith('require') ? '' : section.open.rest}/`;
    }
    const line = file.document.text.slice(node.from, node.to);
    const [start, ofPeople] = NAMING.exec(line) ?? [];
    if (start === undefined)
      return `${text}${isPlace === undefined ? line : line.replace(PATH, (path) => this.#pathText(path, isPlace))}\n`;
    text += start;
    const names = line.slice(start.length).trimEnd();
    for (const word of BLANKS.test(names) ? names.split(BLANKS) : [names]) {
      if (this.isLong) break;
      const isName = PLAIN.test(word) && (ofPeople !== undefined || isRange(word));
      text += `${isName ? nameText(word) : word} `;
    }
    return `${text}\n`;
  }

  /** How a path that sections are for, as it stands in a regex, lies to the place: there, above, below or elsewhere. */
  #pathText(regex: string, isPlace: (path: string) => boolean): string {
    const path = regex.replaceAll('\\', '');
    if (!isPlace(path)) return regex;
    if (path === this.place) return '@=';
    return isWithin(this.place, path) ? '@^' : isWithin(path, this.place) ? '@v' : '@?';
  }
}

/** An absolute path, as it stands in a regex. */
const PATH = /(?:\/(?:[\w-]|\\.)+)+/g;

/** The beginning of lines that name people or addresses. */
const NAMING = /^(?:require[ \t]+(?:not[ \t]+)?(?:(user|group)|ip)|(?:allow|deny)[ \t]+from)[ \t]+/i;
/** Quotes and the like stand for themselves. */
const PLAIN = /^[\w.:/@-]+$/;
const BLANKS = /[ \t]+/;

function testsText(tests: readonly ConditionalTest[]): string {
  return tests.map(({ name, is }) => `${is ? '' : '!'}${name}`).join(' ');
}

/** Where the rewrite changes what a section is for: what it was for, and what it is for then. */
function openingText({ section }: Scope, { section: renewed }: Scope): string {
  const [was, is] = [section?.open.rest, renewed?.open.rest];
  return was === is ? '' : `<${was} ${is}>\n`;
}

/** Which addresses let in lie in those kept out, and vice versa: only clients in both show which of the two decides. */
function overlapsText({ lines }: HostPolicy): string {
  const [allowed, denied]: [string[], string[]] = [[], []];
  for (const { allow, words } of lines)
    for (const word of words) if (word.kind === 'ip') (allow ? allowed : denied).push(word.text);
  if (allowed.length === 0 || denied.length === 0 || allowed.length + denied.length > MAX_NAMES) return '';
  let text = '';
  for (const allowedAddress of allowed)
    for (const deniedAddress of denied)
      text += `${liesIn(allowedAddress, deniedAddress) ? '<' : ' '}${liesIn(deniedAddress, allowedAddress) ? '>' : ' '}`;
  return `${text}\n`;
}

function liesIn(inner: string, outer: string): boolean {
  const address = addressIn(inner);
  return address !== undefined && addressMatches(outer, address);
}

/** So many are asked about, if there are no more; so many at most. */
const FEW = 32;
const MAX_SECTIONS = 150;
/** So many of what differs in its surroundings alone, and so many of the rest. */
const MAX_SURROUNDED = 64;
const MAX_EVEN = 20;

/**
 * The sections to ask requests of: all of a few. Of many one of each shape, as far as that goes: first of those that differ in
 * what they say, then of those that differ in what stands around them; and an even sample, for what no shape shows.
 */
export function chooseSections(targets: readonly Scope[], shapes: SectionShapes): readonly Scope[] {
  if (targets.length <= FEW) return targets;
  const chosen = new Set<number>();
  addNewShapes(targets, chosen, MAX_SECTIONS, (scope) => shapes.shapeOf(scope));
  addNewShapes(targets, chosen, MAX_SURROUNDED, (scope) => shapes.shapeWithSurroundings(scope));
  const even = targets.map((_, i) => i);
  for (const i of evenly(even, Math.min(MAX_EVEN, MAX_SECTIONS - chosen.size))) chosen.add(i);
  return [...chosen].sort((a, b) => a - b).map((i) => targets[i]!);
}

/** Takes one of each shape of which none is taken yet, or, where that makes more than `most` in all, of some shapes. */
function addNewShapes(
  targets: readonly Scope[],
  chosen: Set<number>,
  most: number,
  shapeOf: (scope: Scope) => number,
): void {
  if (chosen.size >= most) return;
  const taken = new Set([...chosen].map((i) => shapeOf(targets[i]!)));
  const found: number[] = [];
  for (let i = 0; i < targets.length; i++) {
    const shape = shapeOf(targets[i]!);
    if (taken.has(shape)) continue;
    taken.add(shape);
    found.push(i);
  }
  for (const i of evenly(found, most - chosen.size)) chosen.add(i);
}

function evenly<T>(list: readonly T[], most: number): readonly T[] {
  if (list.length <= most) return list;
  return Array.from({ length: most }, (_, i) => list[Math.floor((i * list.length) / most)]!);
}
