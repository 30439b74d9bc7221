import { type Place, hostAround, placeCondition } from '../../src/config';
import { defineTransform, type TransformContext } from '../../src/engine';
import { addTo, getOrInsert } from '../../src/maps';
import type { Directive } from '../../src/syntax';
import { keepsOutByItself, REFUSING, whatItRefuses } from '../common/keeps-out';
import { isAtServerLevel, isCarriedOver, openingsAround, scopeOf, valuesOf } from '../common/lines';
import { CONDITIONAL_VARIABLES, flagsOf, rewriteWords } from '../common/words';
import { type AccessVariable, variablesOfEither } from './access-variables';

/** A line that one version alone may read. */
interface LineOfOne {
  readonly node: Directive;
  readonly place: Place;
  readonly isFor24: boolean;
  /** What access is decided by, and what becomes of it. */
  readonly outcome: string;
  /** Who wrote the line wants it so, and needs no more than a look. */
  readonly isMeant: boolean;
  /** What 2.4 lacks of a block that only 2.2 reads is told at the block: there the line is nothing but another's twin. */
  readonly isToldAtBlock: boolean;
}

export default defineTransform({
  id: 'access-by-version',
  changes: [],
  title: 'Lines by which access is decided, and that one version alone reads',
  why: 'A block for one version sets a variable by which Allow or Deny decides, names other files than .htaccess, keeps requests out or serves other files: the other version lets in others.',
  docs: ['mod_setenvif: SetEnvIf', 'mod_authz_host: Allow', 'core: AccessFileName, <IfModule>, <IfVersion>'],
  advisory: true,
  onlyWhenUpgrading: true,
  run(context) {
    for (const { node, place, isFor24, outcome, isMeant } of linesOfOne(context))
      context.report({
        file: place.file,
        at: node.from,
        level: isMeant ? 'warning' : 'error',
        changesAccess: true,
        message: `only ${isFor24 ? '2.4' : '2.2'} reads this line: ${outcome}; write it for both versions, or take it out`,
      });
  },
});

/** The lines of which the other version has no twin. */
function linesOfOne(context: TransformContext): readonly LineOfOne[] {
  const asked = variablesOfEither(context);
  const refusing = new RefusingRules(context);
  const byServer = new Map<object | string, Map<string, LineOfOne[]>>();
  context.directives([...SETTING, ...SERVING, ...REFUSING, ...REWRITING, ...LOGGING_IN], (node, place) => {
    const { on22, on24 } = placeCondition(place.chain);
    if (on22 === on24 || place.root.role === 'unreached') return;
    const isFor24 = on22 === false || on24 === true;
    const around = openingsAround(place);
    const byText = getOrInsert(byServer, serverOf(place), () => new Map<string, LineOfOne[]>());
    const add = (key: string, outcome: string, kind: Pick<LineOfOne, 'isMeant' | 'isToldAtBlock'>): void =>
      addTo(byText, `${key}\n${around}`, { node, place, isFor24, outcome, ...kind });
    const text = `${node.key} ${valuesOf(node)}`;
    const outcomes = node.key === 'accessfilename' ? [OTHER_FILES] : outcomesFor(node, place, isFor24, asked);
    for (const outcome of outcomes) add(text, outcome, { isMeant: false, isToldAtBlock: false });
    const meant = { isMeant: true, isToldAtBlock: !isFor24 };
    // Files that no module of 2.4 runs are kept out by 2.4 alone: a run writes such blocks.
    if (keepsOutByItself(node)) {
      if (!around.includes('<if -f %{REQUEST_FILENAME}'))
        add(whatItRefuses(node), 'it keeps out whom 2.2 lets in', meant);
    } else if (SERVED.has(node.key))
      add(text, `2.4 serves ${node.args[0]?.value ?? ''} by it, and 2.2 does not`, meant);
    else if (LOGS_IN.has(node.key)) add(text, 'others may log in by it', meant);
    const ended = refusing.endedBy(node, place, isFor24);
    if (ended !== undefined) add(text, ended, { isMeant: true, isToldAtBlock: false });
  });
  const isOfBoth = (lines: readonly LineOfOne[]): boolean =>
    lines.some(({ isFor24 }) => isFor24) && lines.some(({ isFor24 }) => !isFor24);
  const ofKey = [...byServer.values()].flatMap((byText) => [...byText.values()]);
  return ofKey.flatMap((lines) =>
    isOfBoth(lines) ? [] : lines.filter(({ isToldAtBlock }) => !isToldAtBlock),
  );
}

/** What a twin of a line has to stand in: the same `.htaccess`, virtual host (each version may have its own), or main server. */
function serverOf({ chain, root }: Place): object | string {
  if (root.role === 'htaccess') return root;
  const host = hostAround(chain);
  if (host === undefined) return '';
  const name = host.body.find((node) => node.kind === 'directive' && node.key === 'servername');
  return name?.kind === 'directive' ? `${valuesOf(host)} ${valuesOf(name)}` : host;
}

/** What names the files that access lines stand in, or sets the variables that they ask for. */
const SETTING = ['AccessFileName', ...CONDITIONAL_VARIABLES];
const SERVING = ['Alias', 'AliasMatch', 'ScriptAlias', 'ScriptAliasMatch', 'DocumentRoot'];
const SERVED: ReadonlySet<string> = new Set(SERVING.map((name) => name.toLowerCase()));
const REWRITING = ['RewriteEngine', 'RewriteOptions', 'RewriteCond'];
const LOGGING_IN = ['Anonymous', 'Anonymous_NoUserID'];
const LOGS_IN: ReadonlySet<string> = new Set(LOGGING_IN.map((name) => name.toLowerCase()));

const OTHER_FILES =
  '2.4 looks for other files than 2.2 in each directory, and what those that it passes over say about access is lost';

/** What becomes of access by the variables that a line sets. */
function outcomesFor(
  node: Directive,
  place: Place,
  isFor24: boolean,
  asked: ReadonlyMap<string, AccessVariable>,
): readonly string[] {
  return namesSet(node).flatMap((word) => {
    const variable = asked.get(word.replace(/^!/, '').toLowerCase());
    if (variable === undefined) return [];
    const { name, letsIn, keepsOut } = variable;
    // With `!` the line takes the variable away.
    const opening = isFor24 === word.startsWith('!') ? keepsOut : letsIn;
    const { node: line, file } = (opening ?? letsIn ?? keepsOut)!;
    const number = file.document.positionAt(line.from).line;
    const where = file === place.file ? `line ${number}` : `${file.name}:${number}`;
    const who = opening === undefined ? 'refuses whom 2.2 let in' : 'lets in whom 2.2 refused';
    return `${name} decides about access (${where}), so that 2.4 ${who}`;
  });
}

/** The variables that a line sets, and with `!` those that it takes away: behind one or two words for what they hang on. */
function namesSet(node: Directive): readonly string[] {
  const words =
    node.key === 'rewriterule'
      ? flagsOf(rewriteWords(node)[2]).flatMap(({ key, value }) =>
          key === 'e' || key === 'env' ? [value] : [],
        )
      : node.args.slice(/^browser|expr$/.test(node.key) ? 1 : 2).map(({ value }) => value);
  return words.map((word) => word.replace(/[=:].*$/s, ''));
}

interface RewriteLine {
  readonly node: Directive;
  readonly place: Place;
}

/** The RewriteRule lines that keep requests out (mod_rewrite: the flags F, G and R). */
class RefusingRules {
  readonly #rules: RewriteLine[] = [];

  constructor(context: TransformContext) {
    context.directives(['RewriteRule'], (node, place) => {
      if (keepsOutByItself(node) && isCarriedOver(place)) this.#rules.push({ node, place });
    });
  }

  /** How one version alone comes to such a rule, or to none, by a line of mod_rewrite that the other does not read. */
  endedBy(node: Directive, place: Place, isFor24: boolean): string | undefined {
    const rule = this.#rules.find(
      (known) => known.node !== node && this.#isHeld(node, place, isFor24, known),
    );
    if (rule === undefined) return undefined;
    const { line } = rule.place.file.document.positionAt(rule.node.from);
    const where = rule.place.file === place.file ? `in line ${line}` : `at ${rule.place.file.name}:${line}`;
    return `a RewriteRule keeps requests out (${where}), and 2.4 may let them in`;
  }

  #isHeld(node: Directive, place: Place, isFor24: boolean, rule: RewriteLine): boolean {
    const isSameScope = scopeOf(rule.place) === scopeOf(place);
    switch (node.key) {
      case 'rewriteengine':
        // Where the engine is on in a section, the rules of those around it do not count (mod_rewrite.c: config_perdir_merge).
        return (
          isFor24 &&
          (node.args[0]?.value.toLowerCase() === 'off' || (!isSameScope && !isAtServerLevel(place)))
        );
      case 'rewriteoptions':
        return isFor24;
      case 'rewriterule':
        return isSameScope && leadsOn(node, isFor24) && isBefore(node, place, rule);
      case 'rewritecond':
        return isSameScope && !hasRuleInBlock(node, place) && isBefore(node, place, rule);
      default:
        return false;
    }
  }
}

const isBefore = (node: Directive, { file }: Place, rule: RewriteLine): boolean =>
  rule.place.file !== file || node.from < rule.node.from;

/** Whether the condition is one of a rule in the same block. */
function hasRuleInBlock(node: Directive, { chain, file }: Place): boolean {
  const body = chain.at(-1)?.section.body ?? file.document.body;
  return body.some(
    (line) => line.kind === 'directive' && line.key === 'rewriterule' && line.from > node.from,
  );
}

/** Whether a RewriteRule has a request pass by those after it, or come to them under another URL. */
function leadsOn(node: Directive, isFor24: boolean): boolean {
  if (keepsOutByItself(node)) return false;
  const [, target, words] = rewriteWords(node);
  const flags = flagsOf(words).map(({ key }) => key);
  if (flags.some((key) => key === 'r' || key === 'redirect') || /^https?:/i.test(target?.text ?? ''))
    return false;
  return target?.text !== '-' || (isFor24 && flags.some((key) => ENDING.has(key)));
}

/** Flags by which rules after this one are not asked. */
const ENDING: ReadonlySet<string> = new Set(['l', 'last', 'end', 's', 'skip', 'c', 'chain', 'n', 'next']);
