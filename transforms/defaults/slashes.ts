import { refusesEverybody } from '../../src/access';
import type { Place } from '../../src/config';
import type { TreeIndex } from '../../src/engine';
import { addTo } from '../../src/maps';
import { neighboursIn } from '../../src/regex';
import { type Directive, type Section, walk } from '../../src/syntax';
import { isForAccess } from '../common/access-lines';
import { containersOf, isAtServerLevel, scopeOf } from '../common/lines';
import { flagsOf, rewriteWords } from '../common/words';

/** Whether a pattern may match more URLs, or fewer, once several slashes in a row count as one. */
export interface SlashChange {
  readonly gains: boolean;
  readonly loses: boolean;
}

/** Patterns that match each path, however many slashes it has. */
const ANYTHING = /^\^?\(?(?:\/?\.\*|\.\+?|\/)?\)?\$?$/;

const SLASH = 0x2f;

/** What merged slashes make of a pattern for URLs. */
export function changeOf(pattern: string): SlashChange {
  const isNegated = pattern.startsWith('!');
  const text = isNegated ? pattern.slice(1) : pattern;
  const { mayHave: gains, mayDouble: loses } = ANYTHING.test(text)
    ? { mayHave: false, mayDouble: false }
    : neighboursIn(text, SLASH);
  return isNegated ? { gains: loses, loses: gains } : { gains, loses };
}

/** Whether a pattern may match a URL with several slashes in a row, and not the same with one. */
export function mayLoseUrls(pattern: string): boolean {
  return neighboursIn(pattern, SLASH).mayDouble;
}

/** Lines of a section that decide, with others elsewhere, who gets in. */
const SHARE_IN_ACCESS =
  /^(?:auth(?!name)\w+|rewrite(?:cond|engine|options|rule)|ssl(?:require|requiressl|verifyclient))$/;

/** Whether one URL more, or one less, that a section is for may let somebody in; undefined where it decides nothing of that. */
export function mayLetIn(
  section: Section,
  pattern: string,
  isForAccessOf: (line: Directive) => boolean,
): boolean | undefined {
  const decides =
    isForAccess(section) ||
    [...walk(section.body)].some(
      ([node]) => node.kind === 'directive' && (SHARE_IN_ACCESS.test(node.key) || isForAccessOf(node)),
    );
  return decides ? !refusesEverybody(section) || mayLoseUrls(pattern) : undefined;
}

/** Asks of a line whether it sets or takes back a variable that decides, by itself or by way of another, who gets in. */
export function changesVariableForAccess(index: TreeIndex): (line: Directive) => boolean {
  const names = new Set<string>();
  index.visitDirectives(['Allow', 'Deny'], ({ args }) => {
    for (const { value } of args) {
      const name = /^env=!?(.+)/i.exec(value)?.[1];
      if (name !== undefined) names.add(name);
    }
  });
  index.visitDirectives(['Require'], ({ args: [provider, ...rest] }) => {
    if (provider?.value.toLowerCase() === 'env') for (const { value } of rest) names.add(value);
  });
  if (names.size === 0) return () => false;
  index.visitDirectives(['SetEnvIf', 'SetEnvIfNoCase'], ({ args: [attribute] }) => {
    if (attribute !== undefined) names.add(attribute.value);
  });
  return (line) => variablesChangedBy(line).some((name) => names.has(name));
}

function variablesChangedBy(line: Directive): readonly string[] {
  if (line.key === 'rewriterule')
    return flagsOf(rewriteWords(line)[2])
      .filter(({ key }) => key === 'e' || key === 'env')
      .map(({ value }) => value.replace(/^!|:.*/gs, ''));
  if (!line.key.startsWith('setenv')) return [];
  return line.args.slice(line.key === 'setenv' ? 0 : 2).map(({ value }) => value.replace(/^!|=.*/gs, ''));
}

/** A line and where it stands. */
export interface LineInPlace {
  readonly line: Directive;
  readonly place: Place;
}

/**
 * The first line by which 2.2 refuses a URL with several slashes in a row, and 2.4 might not, since its pattern, or that of a
 * line before it, is for the same URL with one.
 */
export function refusalBySlashes(
  index: TreeIndex,
  isInUse: (line: unknown, place: Place) => boolean,
): LineInPlace | undefined {
  const isForAccessOf = changesVariableForAccess(index);
  // Most servers have no such line, whatever its pattern.
  const decides = (line: Directive): boolean => isForAccessOf(line) || refuses(line);
  if (!index.someDirective(REFUSING, decides)) return undefined;
  const rules = new RulesBefore(isForAccessOf, variablesOfUrls(index));
  const redirects = new RedirectsBefore();
  let found: LineInPlace | undefined;
  index.visitInOrder([...REFUSING, 'RewriteCond'], [], (line, place) => {
    if (found !== undefined || line.kind !== 'directive' || !isInUse(line, place)) return;
    if (
      line.key.startsWith('redirect')
        ? redirects.mayLetIn(line, place)
        : line.key.startsWith('rewrite')
          ? rules.mayLetIn(line, place)
          : // What is set for a server is set before 2.4 merges slashes.
            !isAtServerLevel(place) && isOfUrl(line) && isForAccessOf(line)
    )
      found = { line, place };
  });
  return found;
}

/** The variables that depend on how many slashes a URL has, by a SetEnvIf that is asked once 2.4 has merged them. */
function variablesOfUrls(index: TreeIndex): Set<string> {
  const names = new Set<string>();
  index.visitInOrder(['SetEnvIf', 'SetEnvIfNoCase'], [], (line, place) => {
    if (line.kind !== 'directive' || isAtServerLevel(place)) return;
    if (asksForSlashes(line) || names.has(line.args[0]?.value ?? ''))
      for (const name of variablesChangedBy(line)) names.add(name);
  });
  return names;
}

/** What may refuse a URL, or set a variable that does. */
const REFUSING = ['Redirect', 'RedirectMatch', 'RewriteRule', 'SetEnvIf', 'SetEnvIfNoCase'];

/** Whether a line answers a URL with a status by which nobody gets in. */
function refuses(line: Directive): boolean {
  if (line.key.startsWith('redirect')) return REFUSING_STATUS.test(line.args[0]?.value ?? '');
  return (
    line.key === 'rewriterule' &&
    flagsOf(rewriteWords(line)[2]).some(
      ({ key, value }) =>
        /^(?:f|forbidden|g|gone)$/.test(key) || (/^(?:r|redirect)$/.test(key) && REFUSING_STATUS.test(value)),
    )
  );
}

const REFUSING_STATUS = /^(?:4\d\d|gone)$/i;

/** The lines of mod_alias that answer by themselves, read in order: the first that is for a URL answers it. */
class RedirectsBefore {
  private readonly changed = new Set<object>();

  /** Takes the next line; says whether it refuses URLs that 2.4 may answer differently. */
  mayLetIn({ key, args: [status, pattern] }: Directive, place: Place): boolean {
    const isPattern = key === 'redirectmatch';
    // Those of a virtual host come before those of the main server, and those of an inner directory before those of an outer one.
    const level = isAtServerLevel(place) ? RedirectsBefore : scopeOf(place);
    if (status !== undefined && REFUSING_STATUS.test(status.value))
      return this.changed.has(level) || (isPattern && changeOf(pattern?.value ?? '').loses);
    // With a status there is a pattern behind it.
    const hasStatus = /^(?:\d+|permanent|temp|seeother)$/i.test(status?.value ?? '');
    if (isPattern && changeBehindFirst((hasStatus ? pattern : status)?.value ?? '').gains)
      this.changed.add(level);
    return false;
  }
}

/** Patterns for one name and all below it: what they are for is the same with one slash behind that name as with several. */
const NAME_AND_ALL_BELOW = /^\^\/[^/]*(?:\/(?:\(?\.[*+][^/]*|\??\(?\.\*[^/]*)?)?$/;

/** What merged slashes make of a pattern where several at the beginning of a URL count as one in both versions. */
function changeBehindFirst(pattern: string): SlashChange {
  const isSame = NAME_AND_ALL_BELOW.test(pattern.replace(/\[\^\/\]/g, 'x'));
  return isSame ? { gains: false, loses: false } : changeOf(pattern);
}

/**
 * The first AliasMatch, ScriptAliasMatch or rule of a server by which a URL with several slashes leads to other files in 2.4,
 * where who gets in depends on the files.
 */
export function aliasBySlashes(
  index: TreeIndex,
  isInUse: (line: unknown, place: Place) => boolean,
): LineInPlace | undefined {
  const decides = (line: Directive, place: Place): boolean =>
    isInUse(line, place) && !(containersOf(place).at(-1)?.section.key.startsWith('files') ?? false);
  if (!index.someDirective(['Deny', 'Require'], decides)) return undefined;
  let found: LineInPlace | undefined;
  index.someDirective(['AliasMatch', 'ScriptAliasMatch'], (line, place) => {
    const { gains, loses } = changeBehindFirst(line.args[0]?.value ?? '');
    if ((gains || loses) && isInUse(line, place)) found = { line, place };
    return found !== undefined;
  });
  index.someDirective(['RewriteRule'], (line, place) => {
    if (found === undefined && isAtServerLevel(place) && isInUse(line, place) && leadsElsewhere(line))
      found = { line, place };
    return found !== undefined;
  });
  return found;
}

/** Whether a rule of a server gives URLs with several slashes, or those with one alone, another path. */
function leadsElsewhere(line: Directive): boolean {
  const [pattern, substitution, flags] = rewriteWords(line);
  if (substitution === undefined || substitution.text === '-') return false;
  if (flagsOf(flags).some(({ key }) => /^(?:f|forbidden|g|gone|r|redirect)$/.test(key))) return false;
  const { gains, loses } = changeBehindFirst(pattern?.text ?? '');
  return gains || loses;
}

/** Whether a SetEnvIf looks at the URL for what a number of slashes changes, or keeps a part of it. */
function isOfUrl(line: Directive): boolean {
  return isAboutUrl(line) && (keepsMatch(line) || changeOf(line.args[1]?.value ?? '').gains);
}

function asksForSlashes(line: Directive): boolean {
  const { gains, loses } = changeOf(line.args[1]?.value ?? '');
  return isAboutUrl(line) && (gains || loses || keepsMatch(line));
}

function isAboutUrl({ key, args: [attribute] }: Directive): boolean {
  return key.startsWith('setenvif') && attribute?.value.toLowerCase() === 'request_uri';
}

const keepsMatch = ({ args }: Directive): boolean =>
  args.slice(2).some(({ value }) => /=.*\$[0-9]/s.test(value));

/** What has the URL in a condition; at server level the file is still the URL. */
const OF_URL = /%\{(?:LA-[FU]:)?(?:REQUEST_URI|SCRIPT_UR[IL])\}/i;
const OF_URL_AT_SERVER =
  /%\{(?:LA-[FU]:)?(?:REQUEST_URI|SCRIPT_UR[IL]|REQUEST_FILENAME|SCRIPT_FILENAME)\}|\$[0-9]/i;

const urlIn = (isAtServer: boolean): RegExp => (isAtServer ? OF_URL_AT_SERVER : OF_URL);

/** Whether what a condition tests has the URL as 2.4 merges its slashes, unlike the line of the request. */
export const asksForUrl = (tested: string): boolean => OF_URL.test(tested);

/** The rules of each scope so far, read in order. */
class RulesBefore {
  /** Scopes in which a rule that ends the rules, or changes the URL, is for more URLs, or fewer. */
  private readonly changed = new Set<object>();
  /** By scope: each is for the next rule of its own section or file. */
  private readonly conditions = new Map<object, Directive[]>();

  /** @param variables those that depend on the URL so far, to which rules add their own */
  constructor(
    private readonly isForAccessOf: (line: Directive) => boolean,
    private readonly variables: Set<string>,
  ) {}

  /** Takes the next line; says whether it is a rule that may let in by URLs by which 2.2 lets nobody in. */
  mayLetIn(line: Directive, place: Place): boolean {
    const scope = scopeOf(place);
    if (line.key === 'rewritecond') {
      addTo(this.conditions, scope, line);
      return false;
    }
    const isAtServer = isAtServerLevel(place);
    const [pattern, substitution, flagWord] = rewriteWords(line);
    const conditions = this.conditions.get(scope) ?? [];
    const changes = changesOfConditions(conditions, isAtServer);
    if (conditions.some((condition) => this.hasVariable(rewriteWords(condition)[0]?.text ?? '')))
      changes.push({ gains: true, loses: true });
    this.conditions.delete(scope);
    // In a directory the pattern is for the name of a file, which has single slashes in both versions.
    if (isAtServer) changes.push(changeOf(pattern?.text ?? ''));
    const flags = flagsOf(flagWord);
    const isChanged = changes.some(({ gains, loses }) => gains || loses);
    const setsByUrl = isChanged || this.holdsUrl(flagWord?.text ?? '', conditions, isAtServer);
    if (isAtServer && setsByUrl && this.isForAccessOf(line)) return true;
    if (refuses(line)) return this.changed.has(scope) || changes.some(({ loses }) => loses);
    const passes =
      substitution?.text !== '-' || flags.some(({ key }) => /^(?:l|last|end|s|skip|c|chain)$/.test(key));
    if (isChanged && passes) this.changed.add(scope);
    if (setsByUrl) for (const name of variablesChangedBy(line)) this.variables.add(name);
    return false;
  }

  /** Whether what a rule gives to its variables is a part of the URL, or comes of such a variable. */
  private holdsUrl(given: string, conditions: readonly Directive[], isAtServer: boolean): boolean {
    if (urlIn(isAtServer).test(given) || this.hasVariable(given)) return true;
    const isUrlAsked = conditions.some((line) => urlIn(isAtServer).test(rewriteWords(line)[0]?.text ?? ''));
    return isUrlAsked && /%[0-9]/.test(given);
  }

  private hasVariable(text: string): boolean {
    return [...text.matchAll(/%\{ENV:([^}]+)\}/gi)].some(([, name = '']) => this.variables.has(name));
  }
}

function changesOfConditions(conditions: readonly Directive[], isAtServer: boolean): SlashChange[] {
  const changes: SlashChange[] = [];
  let isUrlAsked = false;
  for (const condition of conditions) {
    const [test, pattern] = rewriteWords(condition);
    if (test === undefined || pattern === undefined) continue;
    // A group of a condition before may be a part of the URL.
    const hasUrl = urlIn(isAtServer).test(test.text) || (isUrlAsked && /%[0-9]/.test(test.text));
    if (!hasUrl) continue;
    isUrlAsked = true;
    changes.push(changeOfCondition(test.text, pattern.text));
  }
  return changes;
}

function changeOfCondition(test: string, pattern: string): SlashChange {
  const value = pattern.replace(/^!/, '');
  // Files are the same with one slash as with several.
  if (/^-[a-zA-Z]+$/.test(value)) return { gains: false, loses: false };
  // What a map has for a URL, and which text is greater, may be another with one slash.
  return test.includes('${') || /^[<>]/.test(value)
    ? { gains: true, loses: true }
    : changeOf(value.startsWith('=') ? literally(pattern) : pattern);
}

/** The pattern that finds what a condition with `=` does. */
const literally = (pattern: string): string =>
  pattern.replace(/^(!?)=(.*)$/s, (_, not: string, text: string) => `${not}^${text.replace(/\W/g, '\\$&')}$`);
