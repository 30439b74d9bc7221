import { type ConfigFile, type ConfigTree, type Place, isConditional } from '../../config';
import type { Directive, Section } from '../../syntax';
import type { AccessFilePlace } from '../mapping';
import {
  type LineWithReaders,
  IN_24,
  type ConditionalTest,
  type HostLine,
  type NodeProblem,
  type OverrideLine,
  type PolicyVariant,
  type Reading,
  type Scope,
  type ScopeKind,
  type ScopeLine,
  type ScopeNote,
  type SectionPolicy,
  type SectionProblem,
  type SslCheck,
  type SslLine,
  type TlsPolicy,
  NO_ACCESS_LINES,
  linesByReader,
  conditionUnder,
  conditionalTests,
} from '../policy';
import { EMPTY_LIST, EMPTY_SET, type MethodMask, added } from '../primitives';
import { includesOf } from './included-lines';
import { SectionPolicyBuilder } from './section-policy';

/** An Allow or Deny line that ends in its only address, as one small object: a large run has a million of them. */
export class AddressLine implements HostLine, LineWithReaders {
  readonly node: Directive;
  readonly inner: ScopeLine['inner'];
  readonly file: ConfigFile;
  readonly mask: MethodMask;
  readonly readBy22: boolean;
  readonly readBy24: boolean | undefined;
  private readonly at: number;

  /** @param at where the address begins, in the text of the file */
  constructor({ node, inner, file, readBy22, readBy24 }: LineWithReaders, mask: MethodMask, at: number) {
    this.node = node;
    this.inner = inner;
    this.file = file;
    this.mask = mask;
    this.readBy22 = readBy22;
    this.readBy24 = readBy24;
    this.at = at;
  }

  get allow(): boolean {
    return this.node.key === 'allow';
  }

  get origin(): Directive {
    return this.node;
  }

  get words(): HostLine['words'] {
    return [{ kind: 'ip', text: this.file.document.text.slice(this.at, this.node.to) }];
  }
}

/** What a section is, as opposed to what stands in it. */
type Identity = Pick<
  Scope,
  'kind' | 'pattern' | 'file' | 'place' | 'section' | 'vhost' | 'order' | 'unusedPart' | 'reading'
> & { readonly parent: ScopeBuilder | undefined };

const NO_POLICY: SectionPolicy = new SectionPolicyBuilder().build();

/** Gathers what stands in one section, line by line, over the whole tree. Its fields are those of {@link Scope}. */
export class ScopeBuilder {
  readonly kind: ScopeKind;
  readonly file: ConfigFile;
  readonly place: Place;
  readonly section: Section | undefined;
  readonly parent: ScopeBuilder | undefined;
  readonly order: number;
  readonly reading: Reading;
  /** What the lines of the section set; made with the first line. */
  lines: SectionPolicyBuilder | undefined;
  accessLines: LineWithReaders[] | undefined;
  /** The first line of its own file that both versions read and that names groups, or a server that knows them. */
  groupLine: LineWithReaders | undefined;
  /** Other files in which lines of it stand. */
  otherFiles: Set<ConfigFile> | undefined;
  only22 = 0;
  only24 = 0;
  old24: LineWithReaders | undefined;
  dead: Scope['dead'];
  /** The first line that may let somebody in where mod_access_compat is loaded. */
  ofCompat: Directive | undefined;
  lastDenial: Directive | undefined;
  ssl: SslLine[] | undefined;
  sslCheck: SslCheck | undefined;
  tls: TlsPolicy | undefined;
  handshake: SslLine[] | undefined;
  unanswered: { readonly node: Directive; readonly keyword: string }[] | undefined;
  notes: ScopeNote[] | undefined;
  overrides: OverrideLine[] | undefined;
  readonly #identity: Identity;
  #policy = NO_POLICY;
  #variants: readonly PolicyVariant[] | undefined;
  #conditions: readonly ConditionalTest[] = EMPTY_LIST;
  #outer: readonly ConditionalTest[] = EMPTY_LIST;
  #modern: Directive | Section | undefined;
  #underOld: (readonly Section[])[] | undefined;
  #underModern: (readonly Section[])[] | undefined;
  #assumes: Set<string> | undefined;
  #problems: NodeProblem[] | undefined;

  /** @param outer the undecided conditionals around the section */
  constructor(identity: Identity, outer: readonly Section[]) {
    this.#identity = identity;
    ({
      kind: this.kind,
      file: this.file,
      place: this.place,
      section: this.section,
      parent: this.parent,
      order: this.order,
      reading: this.reading,
    } = identity);
    if (outer.length === 0) return;
    this.#outer = this.#conditions = conditionalTests(outer);
  }

  /** The directory where a `.htaccess` was found. */
  get foundIn(): string | undefined {
    const { kind, pattern } = this.#identity;
    return kind === 'htaccess' && pattern.kind === 'path' ? pattern.path : undefined;
  }

  get vhost(): Section | undefined {
    return this.#identity.vhost;
  }

  /** Whether it has lines in 2.2's words that both versions read. */
  get hasOldLines(): boolean {
    return (
      this.accessLines?.some(
        ({ node, readBy22, readBy24 }) => readBy22 && readBy24 && !IN_24.has(node.key),
      ) === true
    );
  }

  get policy(): SectionPolicy {
    return this.#policy;
  }

  /** Whether it has lines in 2.4's words, outside of blocks for 2.4 alone. */
  get isModern(): boolean {
    return this.#modern !== undefined;
  }

  /** Whether it stands where no server reads it. */
  get isUnused(): boolean {
    return this.#identity.unusedPart !== undefined;
  }

  get hasProblems(): boolean {
    return this.#problems !== undefined;
  }

  addProblem(node: Directive | Section | undefined, problem: SectionProblem): void {
    this.#problems = added(this.#problems, { node, problem });
  }

  addNote(note: ScopeNote): void {
    this.notes = added(this.notes, note);
  }

  /** Takes note of modules that the guards around its lines ask for. */
  addModules(identifiers: readonly string[]): void {
    for (const identifier of identifiers) (this.#assumes ??= new Set()).add(identifier);
  }

  /** Takes note of a line in 2.2's words. @param undecided the undecided conditionals inside the section around it */
  addUnderOld(undecided: readonly Section[]): void {
    if (this.#underOld?.includes(undecided) !== true) this.#underOld = added(this.#underOld, undecided);
  }

  /** Takes note of a line or container in 2.4's words. @param undecided the undecided conditionals in the section around it */
  addModern(node: Directive | Section, undecided: readonly Section[]): void {
    this.#modern ??= node;
    if (this.#underModern?.includes(undecided) !== true)
      this.#underModern = added(this.#underModern, undecided);
  }

  /** Takes note of conditionals around the section that are none of httpd's, once what it sets is settled. */
  addTests(tests: readonly ConditionalTest[]): void {
    const names = new Set(this.#outer.map(({ name }) => name));
    const found = tests.filter(({ name }) => !names.has(name) && names.add(name));
    if (found.length === 0) return;
    this.#outer = [...this.#outer, ...found];
    this.#conditions = [...this.#conditions, ...found];
    this.overrides = this.overrides?.map((line) => ({ ...line, tests: [...line.tests, ...found] }));
  }

  /** Whether it lets everybody in on a 2.4, so that nothing beside that can let in more. */
  private get grantsAll(): boolean {
    return (this.accessLines ?? EMPTY_LIST).some(
      ({ node, inner, readBy24 }) =>
        readBy24 !== false &&
        node.key === 'require' &&
        /^all[ \t]+granted$/i.test(node.rest) &&
        inner.every(
          ({ section }) => isConditional(section) && conditionUnder(section, undefined, '2.2').after === true,
        ),
    );
  }

  /** Settles what the section sets, once all its lines are there. @param shows22 as in {@link SectionPolicyBuilder.build} */
  finishPolicy(shows22: boolean): void {
    if (this.lines === undefined) return;
    if (this.ofCompat !== undefined && !this.grantsAll)
      this.addProblem(this.ofCompat, { kind: 'block-of-compat', directive: this.ofCompat.name });
    const { policy, variants, conditions, tooMany } = this.lines.finish(shows22);
    this.#policy = policy;
    this.#variants = variants;
    if (conditions.length > 0) this.#conditions = conditionalTests(conditions);
    if (tooMany !== undefined) this.addProblem(tooMany, { kind: 'too-many-blocks' });
  }

  /** @param parent what `parent` has become; `at` where a `.htaccess` is taken to stand, if not where it was found */
  build(parent: Scope | undefined, at: AccessFilePlace | undefined, tree: ConfigTree): Scope {
    const { kind, pattern, file, place, section, vhost, order, unusedPart, reading } = this.#identity;
    const body = this.section?.body ?? this.file.document.body;
    const { sslCheck: ssl, tls } = this;
    const withTls = (policy: SectionPolicy): SectionPolicy =>
      ssl === undefined && tls === undefined ? policy : { ...policy, ssl, tls };
    // All fields in one literal: after a spread each is added to the object by itself.
    return {
      kind,
      pattern: at?.path === undefined ? pattern : { kind: 'path', path: at.path },
      file,
      place,
      section,
      vhost,
      parent,
      order,
      unusedPart,
      reading,
      movedFrom: at?.movedFrom,
      placeUnknown: at !== undefined && at.path === undefined,
      certain: this.#conditions.length === 0,
      conditions: this.#conditions,
      outer: this.#outer,
      policy: withTls(this.#policy),
      variants:
        ssl === undefined && tls === undefined
          ? this.#variants
          : this.#variants?.map((variant) => ({ ...variant, policy: withTls(variant.policy) })),
      lines:
        this.accessLines === undefined && this.groupLine === undefined
          ? NO_ACCESS_LINES
          : linesByReader(this.accessLines ?? EMPTY_LIST, this.groupLine),
      includes:
        this.otherFiles === undefined ? EMPTY_LIST : includesOf(body, this.file, this.otherFiles, tree),
      only22: this.only22,
      only24: this.only24,
      old24: this.old24,
      modern: this.#modern,
      underOld: this.#underOld ?? EMPTY_LIST,
      underModern: this.#underModern ?? EMPTY_LIST,
      dead: this.dead,
      assumes: this.#assumes ?? EMPTY_SET,
      problems: this.#problems ?? EMPTY_LIST,
      lastDenial: this.lastDenial,
      ssl: this.ssl ?? EMPTY_LIST,
      handshake: this.handshake ?? EMPTY_LIST,
      unanswered: this.unanswered ?? EMPTY_LIST,
      notes: this.notes ?? EMPTY_LIST,
      overrides: this.overrides ?? EMPTY_LIST,
    };
  }
}
