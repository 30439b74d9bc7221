import type { ConfigFile, ConfigTree, Place } from '../../config';
import type { Argument, Directive, Section, Stray } from '../../syntax';
import { type Config, type SectionPattern, groupBy, memo } from '../primitives';
import type { AccessLines, ScopeLine, SslLine } from './access-lines';
import { type SectionPolicy, hasOwnTree } from './policy';
import type { HostProblem, SectionProblem } from './problems';

/**
 * Which server the configuration is read as: a 2.2; a 2.4 with mod_access_compat, as one must be on which lines of 2.2's access
 * control and of 2.4's meet; or no server, but each section as its author wrote it, for 2.2 or for 2.4, whatever the lines of the
 * other kind say around it.
 */
export type Reading = '2.2' | 'compat' | 'as-written';

export type ScopeKind = 'directory' | 'directory-match' | 'htaccess' | 'files' | 'location' | 'proxy';

export type ConditionalQuestion =
  /** Whether a module is there, or a name is defined. @param argument as 2.4 has it, without `!` */
  | { readonly kind: 'module' | 'define'; readonly argument: string }
  /** What no other block of 2.4 can ask, as the patch level of 2.2. @param text of the section, without its brackets and `!` */
  | { readonly kind: 'other'; readonly text: string }
  /** Whether the template leaves a part of the file in. @param at where the part begins */
  | { readonly kind: 'template'; readonly file: ConfigFile; readonly at: number };

/** An undecided conditional, and whether the block is read where what it asks is so. Two with the same name ask the same. */
export interface ConditionalTest {
  readonly name: string;
  readonly asks: ConditionalQuestion;
  readonly is: boolean;
  /** Whether a 2.4 reads the block, where that is known. */
  readonly on24?: boolean | undefined;
}

/** What a section sets where some tests hold and others do not. */
export interface PolicyVariant {
  readonly tests: readonly ConditionalTest[];
  readonly policy: SectionPolicy;
}

/** An AllowOverride or AllowOverrideList line of a section. */
export interface OverrideLine {
  readonly isList: boolean;
  /** In lower case. */
  readonly words: readonly string[];
  readonly line: ScopeLine;
  /** Whether a 2.2, and a 2.4, reads it where the tests hold. */
  readonly on22: boolean;
  readonly on24: boolean;
  /** The undecided conditionals around it. */
  readonly tests: readonly ConditionalTest[];
}

/** Why a section cannot be rewritten, with the line or section that is to blame, unless its file was not read. */
export interface NodeProblem {
  readonly node: Directive | Section | undefined;
  readonly problem: SectionProblem;
}

/** What a person should know about an Allow or Deny line. */
export type ScopeNote =
  /** A word of it never matched a client. */
  | {
      readonly kind: 'never-matches';
      readonly node: Directive;
      readonly word: string;
      readonly why: HostProblem;
    }
  /** "none" stands among its hosts. */
  | { readonly kind: 'none'; readonly node: Directive; readonly word: string }
  /** The template puts something in place of a line of the section that httpd has no name for. @param text the line */
  | { readonly kind: 'template-line'; readonly node: Directive | Stray; readonly text: string }
  /** The author took `#` for the beginning of a comment, and 2.2 what follows for hosts. @param opens "all" is among them */
  | { readonly kind: 'comment'; readonly node: Directive; readonly opens: boolean };

/**
 * One section (or `.htaccess`) as a step of a request's merge, with everything about access that stands in it. It is made once,
 * when the whole tree has been read, and nobody changes it: what a part of the run finds out about it stands beside it.
 */
export interface Scope {
  readonly kind: ScopeKind;
  readonly pattern: SectionPattern;
  /** The file its lines stand in. */
  readonly file: ConfigFile;
  readonly place: Place;
  /** The opening section; undefined for the top level of a `.htaccess`. */
  readonly section: Section | undefined;
  readonly vhost: Section | undefined;
  /** The Directory or `.htaccess` that a Files section is nested in. */
  readonly parent: Scope | undefined;
  /** Where a `.htaccess` was found that was taken to stand elsewhere. */
  readonly movedFrom: string | undefined;
  /** True for a `.htaccess` whose place the configuration does not name: any Directory may hold it. */
  readonly placeUnknown: boolean;
  /** Position in the reading order of the run: the same under each reading. */
  readonly order: number;
  /** What no server reads that it stands in: the file that nothing includes, or the block for a module that 2.2 did not have. */
  readonly unusedPart: ConfigFile | Section | undefined;
  readonly reading: Reading;
  /** The conditionals that cannot be decided around the section, or around all its lines: it is read where they hold. */
  readonly aroundLines: readonly ConditionalTest[];
  /** The conditionals around the section itself, and those around its host that the versions may read differently. */
  readonly aroundSection: readonly ConditionalTest[];
  /** What the lines of the section set, whatever conditionals inside it say. */
  readonly policy: SectionPolicy;
  /** What the section sets under each setting of the conditionals over which its lines are split. */
  readonly policies: readonly PolicyVariant[] | undefined;
  /** The lines that set a part of the access state, and who reads each. */
  readonly lines: AccessLines;
  /** The Include lines in it that bring lines of it. */
  readonly includes: readonly ScopeLine[];
  /** Lines only 2.2 reads, because a conditional says so. */
  readonly only22Count: number;
  readonly only24Count: number;
  /** The first line in 2.2's words that only 2.4 reads, which refuses it without mod_access_compat. */
  readonly oldFor24: ScopeLine | undefined;
  /** Lines in 2.4's words that both versions read. */
  readonly modernLine: Directive | Section | undefined;
  /** The undecided conditionals inside the scope around its lines in 2.2's words, and around those in 2.4's. */
  readonly underOld: readonly (readonly Section[])[];
  readonly underModern: readonly (readonly Section[])[];
  /** The first of its lines that no version reads, because of the module a conditional asks for. */
  readonly dead:
    { readonly node: Directive; readonly file: ConfigFile; readonly section: Section } | undefined;
  /** Modules that 2.2 is taken to have had, because its lines stand in a block that asks for them. */
  readonly assumes: ReadonlySet<string>;
  /** Reasons of its own why it cannot be rewritten. */
  readonly problems: readonly NodeProblem[];
  /** `Require all denied` in an `<If>` that is for all requests: 2.4 merges it after all sections. */
  readonly lastDenial: Directive | undefined;
  readonly ssl: readonly SslLine[];
  /** SSLVerifyClient, SSLCipherSuite and SSLVerifyDepth lines, where some section says `Satisfy Any`. */
  readonly handshake: readonly SslLine[];
  /** Require lines with a word that no module of 2.2 answers. */
  readonly unanswered: readonly { readonly node: Directive; readonly keyword: string }[];
  readonly notes: readonly ScopeNote[];
  /** In reading order. */
  readonly overrides: readonly OverrideLine[];
}

/**
 * Whether 2.2 alone asks for TLS in a section without access lines: nothing can be written in it that would say it to 2.4, so
 * that it is told.
 */
export function asksTlsFor22Alone({ lines, ssl }: Scope): boolean {
  return lines.all.length === 0 && ssl.some(({ isFor22 }) => isFor22);
}

export function scopeName(scope: Scope): string {
  return scope.section === undefined ? scope.file.name : scope.section.open.shown;
}

/** Where a section stands, as people are told it: by its opening line, or by its file if it is a whole `.htaccess`. */
export interface SectionPlace {
  readonly section: string;
  readonly file: string;
  readonly line: number;
}

/** A section with its file and line; a `.htaccess`, which has the name of its file, is named once. */
export function sectionWithPlace({ section, file, line }: SectionPlace): string {
  return section === file ? `${file}:${line}` : `${section} at ${file}:${line}`;
}

/** What is for a virtual host comes after the main server's of its kind. */
export function hostRank({ vhost }: Pick<Scope, 'vhost'>): number {
  return vhost === undefined ? 0 : 1;
}

/** The regex that a section is for; undefined for a path, or without an argument (server/core.c: dirsection). */
export function regexArgument({ key, args: [first, second] }: Section): Argument | undefined {
  if (key.endsWith('match')) return first;
  return first?.value === '~' ? second : undefined;
}

export function regexOf({ section }: Pick<Scope, 'section'>): string | undefined {
  return section && regexArgument(section)?.value;
}

/**
 * The sections that requests can come to or, where no server is given, may come to once one is there that reads the parts: all of
 * these are taken together then.
 */
export function scopesInUse(scopes: readonly Scope[], tree: ConfigTree): readonly Scope[] {
  return tree.isServer ? includedScopes(scopes) : scopes;
}

/** The directory that a section, or the one around it, is for; undefined where it is for none, or for many. */
export function directoryOf(scope: Scope): string | undefined {
  const holder = scope.kind === 'files' ? scope.parent : scope;
  if (holder?.pattern.kind !== 'path' || holder.placeUnknown) return undefined;
  return holder.kind === 'directory' || holder.kind === 'htaccess' ? holder.pattern.path : undefined;
}

/** Where the `.htaccess` of a section stands; undefined for any other section, and where that is not known. */
export function accessDirectoryOf(scope: Scope): string | undefined {
  return (scope.parent ?? scope).kind === 'htaccess' ? directoryOf(scope.parent ?? scope) : undefined;
}

/** The scopes that no server reads, by what they stand in. */
export function scopesByUnusedPart(scopes: readonly Scope[]): Iterable<readonly Scope[]> {
  const unused = scopes.filter(({ unusedPart }) => unusedPart !== undefined);
  return groupBy(unused, ({ unusedPart }) => unusedPart).values();
}

/** Whether a section has lines in 2.4's words that both versions read. */
export function isWrittenFor24({ modernLine }: Pick<Scope, 'modernLine'>): boolean {
  return modernLine !== undefined;
}

/** True for a section with lines that its author wrote for one version each. */
export function hasVersionBlocks(scope: Scope): boolean {
  return scope.only22Count + scope.only24Count > 0;
}

/** A `.htaccess` section that says for 2.4 in Require lines what it says for 2.2 in Order, Allow and Deny. */
export function hasLinesForEachVersion({ only22Count, only24Count, policy, lines }: Scope): boolean {
  return only22Count > 0 && only24Count > 0 && lines.requires24.length > 0 && policy.hosts !== undefined;
}

/** Whether only 2.4 reads what a section says of access. */
export function isReadFor24Alone(scope: Scope): boolean {
  const { only22Count, only24Count, lines } = scope;
  const isOf24 = only22Count === 0 && only24Count > 0 && !isWrittenFor24(scope);
  return isOf24 && lines.old.length === 0 && lines.requires24.length > 0;
}

export function setsAccess({ policy: { hosts, requires, satisfy, authz } }: Scope): boolean {
  return (hosts ?? requires ?? authz) !== undefined || satisfy.length > 0;
}

/** Whether it says `Satisfy Any`, for some methods or under some setting of its conditionals. */
export function saysSatisfyAny(scope: Scope): boolean {
  return policiesOf(scope).some(({ policy }) => policy.satisfy.some(({ value }) => value === 'any'));
}

/** True for a scope that the state of a request may not be the same after. */
export function changesState(scope: Scope): boolean {
  return changesAccess(scope) || scope.policy.tls !== undefined;
}

/** True for a section that changes who gets in by more than lines of mod_ssl. */
export function changesAccess(scope: Scope): boolean {
  const { satisfy, authType, authorizers } = scope.policy;
  return hasOwnTree(scope.policy) || satisfy.length + authorizers.size > 0 || authType !== undefined;
}

/** Problems of what is not among the lines of the section, and still counts. */
const COUNTING = new Set<SectionProblem['kind']>([
  'ssl-alternative',
  'ssl-for-22',
  'endless-line',
  'not-read',
  'per-request-block',
  'block-of-compat',
]);

/** True for a scope that plays a part in what 2.2 decides, or in what 2.4 would read of the same lines. */
export function setsSomething(scope: Scope): boolean {
  const { lines, problems } = scope;
  if (changesState(scope) || isWrittenFor24(scope) || lines.old.length + lines.requires.length > 0)
    return true;
  return problems.some(({ problem }) => COUNTING.has(problem.kind));
}

/** What a section sets under each setting of the conditionals its lines are split over; one of them holds on any server. */
export function policiesOf(scope: Scope): readonly PolicyVariant[] {
  return scope.policies ?? [{ tests: [], policy: scope.policy }];
}

/** The undecided conditionals that sections hang on, by what they test. */
export function testNames(scopes: readonly Scope[]): string[] {
  return namesOf(testsOf(scopes));
}

/** Names of the tests around some sections of which it is not known whether they hold on a 2.4. */
export function openTestNames(scopes: readonly Scope[]): string[] {
  const tests = testsOf(scopes);
  const decided = new Set(namesOf(tests.filter(({ on24 }) => on24 !== undefined)));
  return namesOf(tests).filter((name) => !decided.has(name));
}

function testsOf(scopes: readonly Scope[]): ConditionalTest[] {
  return scopes.flatMap(({ aroundLines, policies = [] }) => [
    ...aroundLines,
    ...policies.flatMap((variant) => variant.tests),
  ]);
}

function namesOf(tests: readonly ConditionalTest[]): string[] {
  return [...new Set(tests.map(({ name }) => name))];
}

/** What a section sets on a server where `config` says which conditionals hold. */
export function policyUnder(scope: Scope, config: Config): SectionPolicy {
  const setting = scope.policies?.find(({ tests }) => tests.every(({ name, is }) => config(name) === is));
  return setting?.policy ?? scope.policy;
}

/** The sections that requests can come to (see {@link Scope.unusedPart}): the same list each time, for what is kept by list. */
export const includedScopes = memo((scopes: readonly Scope[]): readonly Scope[] =>
  scopes.filter(({ unusedPart }) => unusedPart === undefined),
);
