import type { Section } from '../../syntax';
import { type HostScopes, type ScopeIndex, hostKey, placeOf } from '../models';
import type { ConditionalTest, HostPolicy, Scope, ScopeLine, SectionPolicy } from '../policy';
import { addressIn, addressMatches, isWithin, parentOf, getOrInsert } from '../primitives';
import { type Complete, NumberedNames, hostsText, maskText, requireText } from './policy-text';

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
  /** By the order of the section. Made when first asked for: where few sections are asked about, nobody asks. */
  #shapes: number[] | undefined;
  readonly #ways = new Map<string, number>();
  readonly #hosts = new Map<string, number>();
  readonly #named = new Map<HostScopes, Map<string, string>>();

  constructor(
    private readonly before: ScopeIndex,
    private readonly after: ScopeIndex,
  ) {}

  /** Equal for sections that say the same before, and the same after. */
  shapeOf({ order }: Scope): number {
    this.#shapes ??= this.#allShapes();
    return this.#shapes[order]!;
  }

  /** Equal for sections of one shape with the same around them: all of their virtual host, else those above. */
  shapeWithSurroundings(scope: Scope): number {
    if (scope.vhost !== undefined)
      return this.#pair(this.shapeOf(scope), this.shapeOfHost(hostKey(scope.vhost)));
    const place = placeOf(scope);
    return this.#pair(this.shapeOf(scope), place?.kind === 'directory' ? this.#way(place.path) : 0);
  }

  /** Equal for virtual hosts whose sections have the same shapes. */
  shapeOfHost(key: string): number {
    return getOrInsert(this.#hosts, key, () => {
      const { directories, locations, others } = this.before.of(key);
      const lists = [others, ...directories.values(), ...locations.values()];
      return lists.flat().reduce((id, scope) => this.#pair(id, this.shapeOf(scope)), 0);
    });
  }

  /** Virtual hosts, one of each kind before all others. */
  oneOfEachFirst(hosts: readonly Section[]): readonly Section[] {
    if (hosts.length < 2) return hosts;
    const kinds = new Map(hosts.map((host) => [this.shapeOfHost(hostKey(host)), host] as const).reverse());
    const first = new Set(kinds.values());
    return [...hosts.filter((host) => first.has(host)), ...hosts.filter((host) => !first.has(host))];
  }

  /** Stands for the main server's sections at a directory and above it. */
  #way(path: string): number {
    return getOrInsert(this.#ways, path, () => {
      const here = this.before.of('').directories.get(path) ?? [];
      const above = path === '/' ? 0 : this.#way(parentOf(path));
      return here.reduce((id, scope) => this.#pair(id, this.shapeOf(scope)), above);
    });
  }

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
    return shapes;
  }

  /** @param before all that is filed at a place of a host, and the same `after` */
  #addShapes(before: readonly Scope[], after: readonly Scope[], host: HostScopes, shapes: number[]): void {
    // As a rule each section is still there; else all at the place are held against all.
    const same = before.length === after.length;
    for (let i = 0; i < before.length; i++) {
      const scope = before[i]!;
      const names = new NumberedNames();
      let text = '';
      let lines = 0;
      for (let j = same ? i : 0; j < (same ? i + 1 : after.length) && lines <= MAX_LINES; j++)
        lines += after[j]!.lines.for24.length + 1;
      if (lines <= MAX_LINES) {
        text = beforeText(scope, names);
        if (same) text += openingText(scope, after[i]!) + this.#afterText(after[i]!, names, host);
        else for (const scopeAfter of after) text += this.#afterText(scopeAfter, names, host);
        if (names.spelt) text += names.legend;
      }
      shapes[scope.order] = this.#id(lines > MAX_LINES || names.size > MAX_NAMES ? `${scope.order}` : text);
    }
  }

  #afterText(scope: Scope, names: NumberedNames, host: HostScopes): string {
    const {
      only22,
      only24,
      outer,
      policy,
      lines: { old, for24, authTypesFor24, merging },
    } = scope;
    let text = `>${old.length} ${only22} ${only24} ${policy.ssl?.kind}\n`;
    if (outer.length > 0) text += testsText(outer);
    const sections: Section[] = [];
    const place = placeOf(scope)?.path ?? '';
    for (const lines of [for24, authTypesFor24, merging])
      for (const line of lines) text += this.#lineText(line, names, sections, host, place);
    return text;
  }

  #lineText(
    { file, node, inner }: ScopeLine,
    names: NumberedNames,
    sections: Section[],
    host: HostScopes,
    place: string,
  ): string {
    let text = '';
    for (const { section } of inner) {
      const at = sections.indexOf(section);
      if (at < 0) sections.push(section);
      text +=
        at >= 0 ? `${at}/` : `<${section.key} ${section.key.startsWith('require') ? '' : section.open.rest}/`;
    }
    if (node.kind !== 'directive') return `${text}${node.key}\n`;
    const line = file.document.text.slice(node.from, node.to);
    const naming = node.key === 'require' ? NAMING.exec(line) : null;
    if (naming === null) return `${text}${line}\n`;
    const [start, addresses, expression] = naming;
    const args = line.slice(start.length).trimEnd();
    text += start;
    if (expression !== undefined)
      return (
        text + args.replace(PATH, (path) => (this.#isPlace(path, host) ? `@${relation(path, place)}` : path))
      );
    // Quotes and the like stand for themselves, and what the names beside them are counts.
    if (!PLAIN.test(args)) names.spelt = true;
    const numbered = addresses === undefined ? names.people : names.addresses;
    for (const word of args.split(BLANKS)) {
      const number = numbered.numberOf(word);
      text += number === undefined ? `@${this.#nameOf(word, host)} ` : `#${number} `;
    }
    return text;
  }

  /** For a name new in the section: which other of the host, or main server, says it, by its shape; else the name. */
  #nameOf(word: string, host: HostScopes): string {
    return this.#namedIn(host).get(word) ?? this.#namedIn(this.before.of('')).get(word) ?? word;
  }

  #namedIn(host: HostScopes): ReadonlyMap<string, string> {
    return getOrInsert(this.#named, host, () => {
      const named = new Map<string, string>();
      const { others, directories, locations } = host;
      for (const scope of [others, ...directories.values(), ...locations.values()].flat()) {
        const names = new NumberedNames();
        const id = this.#id(beforeText(scope, names));
        for (const [n, word] of [...names.addresses.list, ...names.people.list].entries())
          if (!named.has(word)) named.set(word, `${id}.${n}`);
      }
      return named;
    });
  }

  /** @param regex a path as it stands in a regex */
  #isPlace(regex: string, host: HostScopes): boolean {
    const path = regex.replaceAll('\\', '');
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

/** How a path, as it stands in a regex, lies to the place of a section: there, above, below or elsewhere. */
function relation(regex: string, place: string): string {
  const path = regex.replaceAll('\\', '');
  if (path === place) return '=';
  return isWithin(place, path) ? '^' : isWithin(path, place) ? 'v' : '?';
}

/** An absolute path, as it stands in a regex. */
const PATH = /(?:\/(?:[\w-]|\\.)+)+/g;

/** The lines of a rewrite that name addresses, places or people. */
const NAMING = /^require[ \t]+(?:not[ \t]+)?(?:(ip)|(expr)|user|group)[ \t]+/i;
const PLAIN = /^[\w.:/@ \t-]*$/;
const BLANKS = /[ \t]+/;

function testsText(tests: readonly ConditionalTest[]): string {
  let text = '';
  for (const { name, is } of tests) text += `${is ? ' ' : ' !'}${name}`;
  return text;
}

function beforeText({ kind, pattern, conditions, variants, policy }: Scope, names: NumberedNames): string {
  let text = `${kind} ${pattern.kind} `;
  if (conditions.length > 0) text += testsText(conditions);
  if (variants === undefined) return text + policyText(policy, names);
  for (const setting of variants) text += testsText(setting.tests) + policyText(setting.policy, names);
  return text;
}

/** `authz` is of the other reading alone. */
type PolicyFields = Complete<
  SectionPolicy,
  'hosts' | 'requires' | 'satisfy' | 'authType' | 'authorizers' | 'authz' | 'ssl' | 'tls'
>;

/** Where the rewrite changes what a section is for: what it was for, and what it is for then. */
function openingText({ section }: Scope, { section: renewed }: Scope): string {
  const [was, is] = [section?.open.rest, renewed?.open.rest];
  return was === is ? '' : `<${was} ${is}>\n`;
}

function policyText(policy: PolicyFields, names: NumberedNames): string {
  const { hosts, requires, satisfy, authType, authorizers, ssl, tls } = policy;
  let text = `${authType} ${ssl?.kind} ${tls?.strict}\n`;
  if (hosts !== undefined) text += hostsText(hosts, names, MAX_NAMES) + overlapsText(hosts);
  if (requires !== undefined) for (const line of requires) text += requireText(line, names);
  for (const { value, mask } of satisfy) text += `${value} ${maskText(mask)}\n`;
  if (authorizers.size > 0)
    for (const [module, { authoritative, configured }] of authorizers)
      text += `${module} ${authoritative} ${configured}\n`;
  return text;
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

/** Sections that differ as one of the sample does are asked about with it, up to so many: later runs would find them. */
const MAX_OF_SHAPES = 2000;

/** What is left of the sections, by those of the sample that say the same and stand in the same surroundings. */
export class SectionsOfShape {
  readonly #left: Set<Scope>;
  readonly #shapes: SectionShapes;
  readonly #done = new Set<number>();
  #given = 0;

  /** @param chosen those that are asked about anyway */
  constructor(targets: readonly Scope[], chosen: readonly Scope[], shapes: SectionShapes) {
    this.#left = new Set(targets);
    for (const scope of chosen) this.#left.delete(scope);
    this.#shapes = shapes;
  }

  /** The sections like this one, unless they have been given before. */
  to(scope: Scope): readonly Scope[] {
    const shape = this.#shapes.shapeWithSurroundings(scope);
    if (this.#left.size === 0 || this.#done.has(shape)) return [];
    this.#done.add(shape);
    const found = [...this.#left]
      .filter((other) => this.#shapes.shapeWithSurroundings(other) === shape)
      .slice(0, MAX_OF_SHAPES - this.#given);
    this.#given += found.length;
    for (const other of found) this.#left.delete(other);
    return found;
  }
}
