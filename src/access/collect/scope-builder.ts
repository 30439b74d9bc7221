import { type ConfigFile, type ConfigTree, isConditional } from '../../config';
import type { Directive, Section } from '../../syntax';
import type { AccessFilePlace } from '../mapping';
import {
  type LineWithReaders,
  IN_24,
  type ConditionalTest,
  type HostLine,
  type Scope,
  type ScopeLine,
  type ScopeNote,
  type SectionPolicy,
  type SectionProblem,
  type SslCheck,
  type TlsPolicy,
  NO_ACCESS_LINES,
  linesByReader,
  conditionUnder,
  conditionalTests,
} from '../policy';
import { EMPTY_LIST, EMPTY_SET, type MethodMask, added } from '../primitives';
import { includesOf } from './included-lines';
import { GatheredPolicy, finishedPolicy, policyOf } from './section-policy';

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

const NO_POLICY: SectionPolicy = policyOf(new GatheredPolicy());

/** Gathers what stands in one section, line by line, over the whole tree. */
export class ScopeBuilder {
  /** The section itself, which nobody changes once it is finished. */
  readonly scope: { -readonly [K in keyof Scope]: Scope[K] };
  readonly parent: ScopeBuilder | undefined;
  /** What the lines of the section set; made with the first line. */
  policy: GatheredPolicy | undefined;
  accessLines: LineWithReaders[] | undefined;
  /** The first line of its own file that both versions read and that names groups, or a server that knows them. */
  groupLine: LineWithReaders | undefined;
  /** Other files in which lines of it stand. */
  otherFiles: Set<ConfigFile> | undefined;
  /** The first line that may let somebody in where mod_access_compat is loaded. */
  ofCompat: Directive | undefined;
  sslCheck: SslCheck | undefined;
  tls: TlsPolicy | undefined;

  /** @param undecided the conditionals around the section that cannot be decided */
  constructor(identity: Identity, undecided: readonly Section[]) {
    const { kind, pattern, file, place, section, vhost, parent, order, unusedPart, reading } = identity;
    const aroundSection = conditionalTests(undecided);
    this.parent = parent;
    // All fields in one literal: after a spread each is added to the object by itself.
    this.scope = {
      kind,
      pattern,
      file,
      place,
      section,
      vhost,
      parent: parent?.scope,
      order,
      unusedPart,
      reading,
      movedFrom: undefined,
      placeUnknown: false,
      aroundLines: aroundSection,
      aroundSection,
      policy: NO_POLICY,
      policies: undefined,
      lines: NO_ACCESS_LINES,
      includes: EMPTY_LIST,
      only22Count: 0,
      only24Count: 0,
      oldFor24: undefined,
      modernLine: undefined,
      underOld: EMPTY_LIST,
      underModern: EMPTY_LIST,
      dead: undefined,
      assumes: EMPTY_SET,
      problems: EMPTY_LIST,
      lastDenial: undefined,
      ssl: EMPTY_LIST,
      handshake: EMPTY_LIST,
      unanswered: EMPTY_LIST,
      notes: EMPTY_LIST,
      overrides: EMPTY_LIST,
    };
  }

  /** The directory where a `.htaccess` was found. */
  get foundIn(): string | undefined {
    const { kind, pattern } = this.scope;
    return kind === 'htaccess' && pattern.kind === 'path' ? pattern.path : undefined;
  }

  /** Whether it has lines in 2.2's words that both versions read. */
  get hasOldLines(): boolean {
    return (
      this.accessLines?.some(
        ({ node, readBy22, readBy24 }) => readBy22 && readBy24 && !IN_24.has(node.key),
      ) === true
    );
  }

  addProblem(node: Directive | Section | undefined, problem: SectionProblem): void {
    this.scope.problems = added(this.scope.problems, { node, problem });
  }

  addNote(note: ScopeNote): void {
    this.scope.notes = added(this.scope.notes, note);
  }

  /** Takes note of modules that the guards around its lines ask for. */
  addModules(identifiers: readonly string[]): void {
    if (identifiers.some((identifier) => !this.scope.assumes.has(identifier)))
      this.scope.assumes = new Set([...this.scope.assumes, ...identifiers]);
  }

  /** Takes note of a line in 2.2's words. @param undecided the undecided conditionals inside the section around it */
  addUnderOld(undecided: readonly Section[]): void {
    const { underOld } = this.scope;
    if (!underOld.includes(undecided)) this.scope.underOld = added(underOld, undecided);
  }

  /** Takes note of a line or container in 2.4's words. @param undecided the undecided conditionals in the section around it */
  addModern(node: Directive | Section, undecided: readonly Section[]): void {
    const { underModern } = this.scope;
    this.scope.modernLine ??= node;
    if (!underModern.includes(undecided)) this.scope.underModern = added(underModern, undecided);
  }

  /** Takes note of conditionals around the section that are none of httpd's, once what it sets is settled. */
  addTests(tests: readonly ConditionalTest[]): void {
    const { scope } = this;
    const names = new Set(scope.aroundSection.map(({ name }) => name));
    const found = tests.filter(({ name }) => !names.has(name) && names.add(name));
    if (found.length === 0) return;
    scope.aroundSection = [...scope.aroundSection, ...found];
    scope.aroundLines = [...scope.aroundLines, ...found];
    scope.overrides = scope.overrides.map((line) => ({ ...line, tests: [...line.tests, ...found] }));
  }

  /** Whether it lets everybody in on a 2.4, so that nothing beside that can let in more. */
  private get grantsAll(): boolean {
    return (this.accessLines ?? EMPTY_LIST).some(
      ({ node, inner, readBy24 }) =>
        readBy24 !== false &&
        node.key === 'require' &&
        /^all[ \t]+granted$/i.test(node.rest) &&
        inner.every(({ section }) => isConditional(section) && conditionUnder(section).after === true),
    );
  }

  /** Settles what the section sets, once all its lines are there. @param shows22 as in {@link policyOf} */
  finishPolicy(shows22: boolean): void {
    if (this.policy === undefined) return;
    if (this.ofCompat !== undefined && !this.grantsAll)
      this.addProblem(this.ofCompat, { kind: 'block-of-compat', directive: this.ofCompat.name });
    const { policy, variants, conditions, tooMany } = finishedPolicy(this.policy, shows22);
    this.scope.policy = policy;
    this.scope.policies = variants;
    if (conditions.length > 0) this.scope.aroundLines = conditionalTests(conditions);
    if (tooMany !== undefined) this.addProblem(tooMany, { kind: 'too-many-blocks' });
  }

  /** Finishes the section. @param at where a `.htaccess` is taken to stand, if not where it was found */
  finish(at: AccessFilePlace | undefined, tree: ConfigTree): Scope {
    const { scope, accessLines, groupLine, otherFiles, sslCheck: ssl, tls } = this;
    if (at !== undefined) {
      if (at.path !== undefined) scope.pattern = { kind: 'path', path: at.path };
      scope.movedFrom = at.movedFrom;
      scope.placeUnknown = at.path === undefined;
    }
    if (ssl !== undefined || tls !== undefined) {
      scope.policy = { ...scope.policy, ssl, tls };
      scope.policies = scope.policies?.map((each) => ({ ...each, policy: { ...each.policy, ssl, tls } }));
    }
    if (accessLines !== undefined || groupLine !== undefined)
      scope.lines = linesByReader(accessLines ?? EMPTY_LIST, groupLine);
    const { section, file } = scope;
    if (otherFiles !== undefined)
      scope.includes = includesOf(section?.body ?? file.document.body, file, otherFiles, tree);
    return scope;
  }
}
