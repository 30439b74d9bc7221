import { type ConfigFile, type Frame, asksForOlder } from '../../config';
import { type Directive, type Section, hasPlaceholder } from '../../syntax';
import {
  type LineWithReaders,
  type Authorizer,
  IN_24,
  type Reading,
  type HostSpec,
  type Order,
  type ReadCondition,
  type RequireWords,
  type Satisfy,
  UNANSWERED,
  asksForCompat,
  guardOf,
  mayBeFilledIn,
  parseHostSpec,
  readRequire,
} from '../policy';
import { isRegistered } from '../../httpd/methods';
import { ALL_METHODS, BoundedMap, EMPTY_LIST, type MethodMask, added, getOrInsert } from '../primitives';
import type { FilledIn } from './filled-in';
import { GatheredPolicy } from './section-policy';
import { AddressLine, type ScopeBuilder } from './scope-builder';

/** Directives that set a part of the access state, or decide how one is read. */
const OF_INTEREST = [
  'order', 'allow', 'deny', 'satisfy', 'require', 'authtype', 'authmerging', 'allowoverride',
  'allowoverridelist',
  'authgroupfile', 'authdbmgroupfile', 'authldapurl', 'authzgroupfileauthoritative', 'authzdbmauthoritative',
  'authzldapauthoritative', 'authzuserauthoritative', 'authzownerauthoritative',
]; // prettier-ignore

/** Each key to itself: strings that are the same object are compared without a look into them. */
export const LINE_KEYS: ReadonlyMap<string, string> = new Map(OF_INTEREST.map((key) => [key, key]));

/** What the words of a line say, whatever section it stands in; lines of the same text share it. */
interface Meaning {
  /** The directive in lower case. */
  readonly key: string;
  readonly values: readonly string[];
  /** Words that stand for something else, which decides what the line says. */
  readonly placeholder: string | undefined;
  /** What an Order line says; undefined where 2.2 refuses the line. */
  readonly order: Order | undefined;
  /** What a Satisfy line says; undefined where 2.2 refuses the line. */
  readonly satisfy: Satisfy | undefined;
  /** What an Allow or Deny line says; undefined where 2.2 refuses the line for lack of "from" and a host. */
  readonly hosts: HostArguments | undefined;
  readonly require: RequireWords | undefined;
}

interface HostArguments {
  readonly words: readonly HostSpec[];
  /** Addresses that 2.2 refuses. */
  readonly invalid: readonly string[];
  readonly never: readonly NeverWord[];
  /** Where a `#` begins what its author took for a comment, and 2.2 for hosts. `opens`: "all" is among them. */
  readonly comment: { readonly opens: boolean } | undefined;
}

type NeverWord = Extract<HostSpec, { kind: 'never' }>;

const NO_HOSTS: HostArguments = {
  words: EMPTY_LIST,
  invalid: EMPTY_LIST,
  never: EMPTY_LIST,
  comment: undefined,
};
const NOTHING_SAID = { values: EMPTY_LIST, placeholder: undefined, order: undefined, satisfy: undefined };

/** More lines that differ than this are not kept in mind at once. */
const MAX_REMEMBERED = 4096;

/** What lines of a run are read by, beside their text. */
interface ReaderSetting {
  /** 2.4 reads the names behind `Require user` and its like as expressions. */
  readonly escapes: boolean;
  /** A Deny line names a host none: what Allow lines say of that name is then not taken for nobody. */
  readonly hasHostNone: boolean;
  /** What variables and templates are known to fill in. */
  readonly filledIn: FilledIn;
}

/** Reads lines by their text: most of a large server say the same. */
export class AccessLineReader {
  private readonly meanings = new BoundedMap<string, Meaning>(MAX_REMEMBERED);

  constructor(private readonly setting: ReaderSetting) {}

  of(node: Directive, file: ConfigFile): Meaning {
    const { text } = node;
    const meaning = getOrInsert(this.meanings, text, () => read(node, this.setting));
    const { placeholder, values, hosts } = meaning;
    if (placeholder === undefined || hosts === undefined) return meaning;
    const choice = this.setting.filledIn.choiceIn(file);
    return getOrInsert(this.meanings, `${text}\0${choice}`, () => {
      const textOf = (first: number, last: number): string =>
        file.document.text.slice(node.args[first + 1]!.start, node.args[last + 1]!.end);
      const words = this.setting.filledIn.specsOf(values.slice(1), choice, textOf);
      return words === undefined
        ? meaning
        : { ...meaning, placeholder: undefined, hosts: hostsIn(values, words) };
    });
  }

  /** A line that is too long for its words to be read: it counts as one that names nobody, for its section to be told apart. */
  ofEndless({ key, rest }: Directive): Meaning {
    return {
      ...NOTHING_SAID,
      key: LINE_KEYS.get(key) ?? key,
      hosts: key === 'allow' || key === 'deny' ? NO_HOSTS : undefined,
      require: key === 'require' ? readRequire(rest.slice(0, 1000), this.setting.escapes) : undefined,
    };
  }
}

function read(node: Directive, { escapes, hasHostNone }: ReaderSetting): Meaning {
  const key = LINE_KEYS.get(node.key) ?? node.key;
  const values = node.args.map((arg) => arg.value);
  const only = values.length === 1 ? values[0]!.toLowerCase() : undefined;
  return {
    key,
    values,
    placeholder: placeholderIn(key, node, values, escapes),
    order: key === 'order' ? orderOf(only) : undefined,
    satisfy: key === 'satisfy' && (only === 'any' || only === 'all') ? only : undefined,
    hosts: key === 'allow' || key === 'deny' ? hostsOf(values, key === 'deny' || hasHostNone) : undefined,
    require: key === 'require' ? readRequire(node.rest, escapes) : undefined,
  };
}

/** What an Order, Allow, Deny, Satisfy, Require or …Authoritative line leaves to a template or to a variable. */
function placeholderIn(
  key: string,
  { text, rest }: Directive,
  values: readonly string[],
  escapes: boolean,
): string | undefined {
  if (key === 'require') {
    // Names to compare with are the same to both versions, whatever they are, as long as nothing has to be written otherwise.
    const words = readRequire(rest, escapes);
    if (words === undefined || (!hasPlaceholder(rest) && !mayBeFilledIn(words.unknown ?? '')))
      return undefined;
    return words.verbatim ? undefined : rest;
  }
  if (!needsCompat(key) && !(key in AUTHORITATIVE)) return undefined;
  if (!hasPlaceholder(text) && !values.some(mayBeFilledIn)) return undefined;
  const first = values.findIndex(mayBeFilledIn);
  const last = values.findLastIndex(mayBeFilledIn);
  return first < 0 ? rest : values.slice(first, last + 1).join(' ');
}

function orderOf(word: string | undefined): Order | undefined {
  if (word === 'mutual-failure') return 'allow,deny';
  return word === 'allow,deny' || word === 'deny,allow' ? word : undefined;
}

function hostsOf(values: readonly string[], namesNone: boolean): HostArguments | undefined {
  if (values.length < 2 || values[0]!.toLowerCase() !== 'from') return undefined;
  // An array that grows has room for many: most lines name one host, and all are kept.
  const specOf = namesNone ? parseHostSpec : specOrNobody;
  const words = values.length === 2 ? [specOf(values[1]!)] : values.slice(1).map((value) => specOf(value));
  return hostsIn(values, words);
}

/** @param words what stands behind "from" */
function hostsIn(values: readonly string[], words: readonly HostSpec[]): HostArguments {
  let invalid: string[] | undefined;
  let never: NeverWord[] | undefined;
  let hash = 0;
  for (const [i, word] of words.entries()) {
    if (hash === 0 && values[i + 1]!.startsWith('#')) hash = i + 1;
    if (word.kind === 'invalid') invalid = added(invalid, word.text);
    else if (word.kind === 'never' && !word.text.startsWith('#')) never = added(never, word);
  }
  const opens = values.slice(hash).some((word) => word.toLowerCase() === 'all');
  const comment = hash === 0 ? undefined : { opens };
  return { words, invalid: invalid ?? EMPTY_LIST, never: never ?? EMPTY_LIST, comment };
}

/** `Allow from None` is meant to let in nobody, and a host of just that name is refused: no other client is. */
function specOrNobody(word: string): HostSpec {
  return word.toLowerCase() === 'none' ? { kind: 'never', text: word, why: 'nobody' } : parseHostSpec(word);
}

/** Where a line stands inside its scope. */
export interface ScopeContext {
  readonly inner: readonly Frame[];
  readonly mask: MethodMask;
  readonly nestedLimit: boolean;
  readonly condition: ReadCondition;
  /** Conditionals between scope and line that cannot be decided. */
  readonly undecided: readonly Section[];
  /** Undecided conditionals around the scope itself. */
  readonly outer: readonly Section[];
  readonly container: Section | undefined;
  /** True: a block around it is read only with mod_access_compat. False: only without. Undefined: neither, or 2.4 lacks that. */
  readonly compat: boolean | undefined;
}

const AUTHORITATIVE: Readonly<Record<string, Authorizer>> = {
  __proto__: null!,
  authzgroupfileauthoritative: 'groupfile',
  authzdbmauthoritative: 'dbm',
  authzldapauthoritative: 'ldap',
  authzuserauthoritative: 'user',
  authzownerauthoritative: 'owner',
};

const CONFIGURES: Readonly<Record<string, Authorizer>> = {
  __proto__: null!,
  authgroupfile: 'groupfile',
  authdbmgroupfile: 'dbm',
  authldapurl: 'ldap',
};

/** A line of a section, where in it the line stands, and what it says. */
interface FiledLine {
  readonly line: LineWithReaders;
  readonly context: ScopeContext;
  readonly meaning: Meaning;
}

/** Files one line under its scope: what it sets for 2.2, and whether it is a line to rewrite. */
export function addLine(
  builder: ScopeBuilder,
  node: Directive,
  context: ScopeContext,
  file: ConfigFile,
  meaning: Meaning,
): void {
  const { before, after } = context.condition;
  const { scope } = builder;
  const { key } = meaning;
  const isModern = scope.reading !== 'compat' && isFor24(context, meaning);
  // In a block for the lack of mod_access_compat, what it takes to keep somebody out is not there for all of 2.4.
  const readBy24 = after === false ? false : context.compat !== false || isModern || undefined;
  const plain = { node, inner: context.inner, file, readBy22: before !== false && !isModern, readBy24 };
  const line = addressLine(plain, context, meaning) ?? plain;
  const filed = { line, context, meaning };
  const policy = (builder.policy ??= new GatheredPolicy());
  if (isKept(line, scope.reading)) builder.accessLines = added(builder.accessLines, line);
  if (before === false) {
    addUnread(builder, filed);
    return;
  }
  if (scope.reading === 'compat') {
    addCompat(builder, filed);
    return;
  }
  const live = line.readBy24 === true;
  if (key === 'require' && isModern) {
    const { rest } = node;
    const said = { keyword: UNANSWERED, source: rest, rest, verbatim: false, isFor24: true } as const;
    policy.for24 = added(policy.for24, { node, context });
    policy.requires = added(policy.requires, { ...said, mask: context.mask, origin: node });
  }
  if (context.container === undefined && key !== 'authmerging') addPolicy(builder, filed);
  if (isModern) {
    if (live) builder.addModern(node, context.undecided);
    // No module of 2.2 answers a word of 2.4, and only 2.2 reads it here.
    else if (key === 'require')
      scope.unanswered = added(scope.unanswered, { node, keyword: meaning.values[0] ?? '' });
    return;
  }
  if (!setsState(key)) return;
  if (!policy.addConditional(node, context)) builder.addProblem(node, { kind: 'several-blocks' });
  if (context.nestedLimit) builder.addProblem(node, { kind: 'limit-in-limit', version: '2.2' });
  if (!live) scope.only22Count++;
  else if (needsCompat(key)) builder.addUnderOld(context.undecided);
}

/** Files a line that a conditional keeps from 2.2. */
function addUnread(builder: ScopeBuilder, { line, context, meaning }: FiledLine): void {
  const { node } = line;
  if (line.readBy24 === false) {
    if (context.compat === true && mayLetIn(meaning)) builder.ofCompat ??= node;
    noteDead(builder, line);
    return;
  }
  builder.scope.only24Count++;
  if (!needsCompat(meaning.key)) return;
  builder.scope.oldFor24 ??= line;
  builder.addProblem(node, { kind: 'block-of-24', directive: node.name });
}

/** Whether a line that 2.4 reads with mod_access_compat alone may let somebody in: host lists only do with Satisfy Any. */
function mayLetIn({ key, satisfy }: Meaning): boolean {
  return key === 'require' || key === 'authmerging' || (key === 'satisfy' && satisfy !== 'all');
}

/** Whether a line is in 2.4's words: it stands in a container, or no module of 2.2 knows what it says. */
function isFor24({ container }: ScopeContext, { key, require }: Meaning): boolean {
  return container !== undefined || key === 'authmerging' || (key === 'require' && require === undefined);
}

/** Whether a line is one of those that set a part of the access state: for 2.2, or for the 2.4 that reads it. */
function isKept({ node: { key }, readBy22, readBy24 }: LineWithReaders, reading: Reading): boolean {
  if (!readBy22 || key === 'authmerging') return readBy24 !== false && IN_24.has(key);
  return setsState(key) && (readBy24 !== false || reading !== 'compat');
}

/** A line that ends in its only address; undefined for any other. */
function addressLine(
  line: LineWithReaders,
  { mask }: ScopeContext,
  { hosts }: Meaning,
): AddressLine | undefined {
  const word = hosts?.words.length === 1 ? hosts.words[0] : undefined;
  if (word?.kind !== 'ip') return undefined;
  const at = line.node.to - word.text.length;
  // Not so where it is quoted, or runs over two lines.
  return line.file.document.text.startsWith(word.text, at) ? new AddressLine(line, mask, at) : undefined;
}

/** Takes note of a container of 2.4; with mod_access_compat the lines in it bring it along. */
export function addContainer(builder: ScopeBuilder, node: Section, context: ScopeContext): void {
  const { before, after } = context.condition;
  if (after === false) return;
  if (before === false) builder.scope.only24Count++;
  else if (builder.scope.reading !== 'compat') builder.addModern(node, context.undecided);
}

/** Notes a line in a block that asks for a module of 2.0, for the lack of one that both have, or for mod_access_compat. */
function noteDead({ scope }: ScopeBuilder, { node, inner, file }: LineWithReaders): void {
  if (scope.dead !== undefined || !setsState(node.key)) return;
  const frame = [...inner, ...scope.place.chain].find(
    ({ section }) =>
      guardOf(section)?.negated === true || asksForOlder(section) || asksForCompat(section) === true,
  );
  if (frame !== undefined) scope.dead = { node, file, section: frame.section };
}

/** Adds a line as a 2.4 with mod_access_compat reads it: lines of both kinds, each by its own rules. */
function addCompat(builder: ScopeBuilder, filed: FiledLine): void {
  const { line, context, meaning } = filed;
  const { node } = line;
  const { key } = meaning;
  const policy = builder.policy!;
  const modern = key === 'require' || key === 'authmerging';
  if (modern) policy.lines24 = added(policy.lines24, line);
  else addPolicy(builder, filed);
  if (!modern && !setsState(key)) return;
  if (context.condition.after === false) {
    builder.scope.only22Count++;
    return;
  }
  if (key in AUTHORITATIVE) builder.addProblem(node, { kind: 'gone', directive: node.name });
  if (key === 'authmerging') builder.addProblem(node, { kind: 'auth-merging' });
  if (modern && node.text.includes('${')) addPlaceholder(builder, node, node.rest);
  if (context.nestedLimit && !modern) builder.addProblem(node, { kind: 'limit-in-limit', version: '2.4' });
  if (!policy.addConditional(node, context)) builder.addProblem(node, { kind: 'several-blocks' });
}

/** True for a directive that 2.4 knows with mod_access_compat alone. */
export function needsCompat(key: string): boolean {
  return key === 'order' || key === 'allow' || key === 'deny' || key === 'satisfy';
}

/** True for a directive that is a part of the access state by itself. */
export function setsState(key: string): boolean {
  return needsCompat(key) || key === 'require' || key === 'authtype' || key in AUTHORITATIVE;
}

/** Reads a line into the policy, unless it is written in 2.4's words. */
function addPolicy(builder: ScopeBuilder, { line, context, meaning }: FiledLine): void {
  const { node } = line;
  const { key, values, order, satisfy: value } = meaning;
  const { mask } = context;
  const { scope } = builder;
  const policy = builder.policy!;
  if (mask !== ALL_METHODS && setsState(key)) checkMethods(builder, node, context);
  if (meaning.placeholder !== undefined) {
    addPlaceholder(builder, node, meaning.placeholder);
    // Nothing is known of what it says: the section is refused, and nothing is said of its words.
    if (key !== 'require') return;
  }
  switch (key) {
    case 'order':
      if (order !== undefined) policy.orders = added(policy.orders, { order, mask, origin: node });
      else builder.addProblem(node, { kind: 'invalid-line', directive: 'Order' });
      return;
    case 'allow':
    case 'deny':
      addHosts(builder, line, mask, meaning);
      return;
    case 'satisfy':
      if (value !== undefined) policy.satisfy = added(policy.satisfy, { value, mask, origin: node });
      else builder.addProblem(node, { kind: 'invalid-line', directive: 'Satisfy' });
      return;
    case 'require': {
      if (meaning.require === undefined) return;
      const { keyword, source, rest, verbatim, unknown } = meaning.require;
      policy.requires = added(policy.requires, { keyword, source, rest, verbatim, mask, origin: node });
      if (unknown !== undefined) scope.unanswered = added(scope.unanswered, { node, keyword: unknown });
      return;
    }
    case 'authtype': {
      const isType = values[0]?.toLowerCase() !== 'none';
      policy.authTypes = added(policy.authTypes, { value: isType, origin: node });
      return;
    }
  }
  const module = AUTHORITATIVE[key] ?? CONFIGURES[key];
  if (module === undefined) return;
  const config =
    key in CONFIGURES ? { configured: true } : { authoritative: values[0]?.toLowerCase() !== 'off' };
  policy.configs = added(policy.configs, { module, config, origin: node });
  if (key in CONFIGURES && line.readBy24 === true && line.file === scope.file) builder.groupLine ??= line;
}

function addPlaceholder(builder: ScopeBuilder, node: Directive, text: string): void {
  const stands = node.key === 'allow' || node.key === 'deny' ? 'for-hosts' : 'for-a-value';
  builder.addProblem(node, { kind: 'placeholder', directive: node.name, text, stands });
}

function checkMethods(builder: ScopeBuilder, node: Directive, { mask, inner }: ScopeContext): void {
  const open = inner.find(
    ({ section }) =>
      section.key.startsWith('limit') && section.args.some(({ value }) => mayBeFilledIn(value)),
  )?.section;
  if (open !== undefined)
    builder.addProblem(node, {
      kind: 'placeholder',
      directive: open.name,
      text: open.open.rest,
      stands: 'for-a-value',
    });
  const { kind, parent } = builder.scope;
  if (kind !== 'htaccess' && parent?.kind !== 'htaccess') return;
  const unknown = [...mask.names].find((name) => !isRegistered(name));
  if (unknown !== undefined) builder.addProblem(node, { kind: 'unregistered-method', method: unknown });
}

function addHosts(
  builder: ScopeBuilder,
  line: LineWithReaders,
  mask: MethodMask,
  { key, hosts }: Meaning,
): void {
  const { node } = line;
  if (hosts === undefined) {
    builder.addProblem(node, { kind: 'no-host', directive: node.name });
    return;
  }
  const { words, invalid, never, comment } = hosts;
  for (const address of invalid) builder.addProblem(node, { kind: 'invalid-address', address });
  for (const { text, why } of never) builder.addNote({ kind: 'never-matches', node, word: text, why });
  for (const word of words)
    if (word.kind === 'host' && word.text.toLowerCase() === 'none')
      builder.addNote({ kind: 'none', node, word: word.text });
  if (comment !== undefined) {
    if (builder.scope.reading === 'compat') builder.addProblem(node, { kind: 'hash' });
    else builder.addNote({ kind: 'comment', node, opens: comment.opens });
  }
  const policy = builder.policy!;
  policy.lines = added(
    policy.lines,
    line instanceof AddressLine ? line : { allow: key === 'allow', words, mask, origin: node },
  );
}
