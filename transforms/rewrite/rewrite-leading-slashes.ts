import type { Place } from '../../src/config';
import { type TransformContext, defineTransform } from '../../src/engine';
import { FACTS, sinceRelease } from '../../src/httpd/facts';
import type { Directive } from '../../src/syntax';
import {
  containersOf,
  eachLine,
  isAtServerLevel,
  isCarriedOver,
  linesByScope,
  scopeOf,
} from '../common/lines';
import { flagsOf, groupsOf, rewriteMapOf, rewriteWords, withFlag } from '../common/words';
import { lookupsIn } from './map-lookups';
import { eachRule } from './rules';

/** With one of these flags there is no path, no rule comes after it, or the slashes stay. */
const NO_SLASHES_FLAGS = /^(?:r|redirect|p|proxy|f|forbidden|g|gone|l|last|end|pt|passthrough|unc)$/;

/** Variables whose values begin with a slash. */
const PATH_VARIABLE =
  /^\/%\{(?:LA-[UF]:)?(?:REQUEST_URI|REQUEST_FILENAME|SCRIPT_NAME|SCRIPT_FILENAME|DOCUMENT_ROOT|PATH_INFO)\}/i;

/** A group of a pattern that begins with a slash. */
const WRITTEN_SLASH = /^(?:\(\??:?)*\\?\//;

/** A rule with the conditions that are for it alone. */
interface GatheredRule {
  readonly node: Directive;
  readonly place: Place;
  readonly conditions: readonly Directive[];
}

/** From where the second slash of a result comes: `url` for the request, else the name of a RewriteMap. */
type SlashSource = 'url' | { readonly map: string };

export default defineTransform({
  id: 'rewrite-leading-slashes',
  changes: ['F49'],
  title: 'RewriteRule whose result begins with two slashes, and rules behind it',
  why: 'A slash in front of a part of the URL that has one itself makes //path, and 2.2 compares the rules behind with that. Since 2.4.62, mod_rewrite makes the slashes one, so that rules behind match which never did. The flag UNC keeps them; two slashes that are written in the rule stay as they are.',
  docs: ['rewrite/flags: UNC', 'modules/mappers/mod_rewrite.c: apply_rewrite_rule'],
  lifeSpan: FACTS['rewrite-slashes-merged'],
  onlyWhenUpgrading: true,
  run(context) {
    const mapOf = rewriteMapOf(context.index);
    const lines: GatheredRule[] = [];
    eachRule(context, (node, place, conditions) => {
      if (isCarriedOver(place)) lines.push({ node, place, conditions });
    });
    const inherits = inheritance(context);
    const byScope = linesByScope(lines);
    for (const [scope, rules] of byScope)
      rules.forEach((rule, i) => {
        const source = slashSource(rule, mapOf);
        if (source === undefined) return;
        // What inherits has the rules of the main server or of the directories above behind its own.
        const inherited = inherits(scope, rule.place) ? inheritedRules(rule.place, byScope) : [];
        const later = [...rules.slice(i + 1), ...inherited];
        const behind = later.find(({ node }) => seesFirstSlash(node));
        if (behind !== undefined) report(context, rule, behind, source);
      });
  },
});

/** The rules that come behind those of a place: of the main server for a virtual host, else of the directories above it. */
function inheritedRules(
  place: Place,
  byScope: ReadonlyMap<object, readonly GatheredRule[]>,
): readonly GatheredRule[] {
  if (isAtServerLevel(place)) return byScope.get(place.root) ?? [];
  const below = directoryOf(place);
  return [...byScope.values()].flatMap((rules) => {
    const above = directoryOf(rules[0]!.place);
    const isAbove = above !== undefined && below !== undefined && above !== below && below.startsWith(above);
    return isAbove ? rules : [];
  });
}

/** The directory that lines are for, with a slash at its end; undefined for other sections than `<Directory>`. */
function directoryOf(place: Place): string | undefined {
  const section = containersOf(place).at(-1)?.section;
  const path =
    section === undefined && place.root.role === 'htaccess'
      ? place.root.path.replace(/[^/]*$/, '')
      : undefined;
  const named = section?.key === 'directory' ? section.args[0]?.value : path;
  return named === undefined || named.endsWith('/') ? named : `${named}/`;
}

/**
 * Asks whether a scope has the rules of another one, too: a virtual host those of the main server, whose option holds for it if
 * it sets none, and a directory those of the directories above.
 */
function inheritance(context: TransformContext): (scope: object, place: Place) => boolean {
  const said = new Map<object, boolean>();
  eachLine(context, ['RewriteOptions'], ({ args }, place) => {
    const scope = scopeOf(place);
    const isInherit = args.some(({ value }) => value.toLowerCase() === 'inherit');
    said.set(scope, isInherit || said.get(scope) === true);
  });
  return (scope, place) => {
    if (!isAtServerLevel(place)) return said.get(scope) ?? false;
    return scope !== place.root && (said.get(scope) ?? said.get(place.root) ?? false);
  };
}

function report(
  context: TransformContext,
  { node, place }: GatheredRule,
  behind: GatheredRule,
  source: SlashSource,
): void {
  const { file } = place;
  const [, substitution, flagsWord] = rewriteWords(node);
  // A file for both versions must do for every release of 2.4, and one that does not know a flag answers 500.
  const mayWrite = context.dual !== true && (flagsWord === undefined || /^\[.*\]$/s.test(flagsWord.text));
  const { document, name } = behind.place.file;
  const line = document.positionAt(behind.node.from).line;
  const other = behind.place.file === file ? `line ${line}` : `${name}:${line}`;
  const condition = source === 'url' ? '' : ` if ${source.map} says something with a slash in front`;
  context.report({
    file,
    at: node.from,
    level: source === 'url' ? 'warning' : 'info',
    safety: mayWrite ? 'review' : 'manual',
    message: `${sinceRelease('rewrite-slashes-merged')} the result of this rule, which begins with two slashes${condition}, has one, and ${other} may match it, which 2.2 compared with //: the flag UNC keeps both`,
    edits: mayWrite ? [withFlag(file.document, substitution!, flagsWord, 'UNC')] : [],
  });
}

/** Whether a pattern looks at the beginning of what a rule before has made. */
function seesFirstSlash(node: Directive): boolean {
  return /^!?\^./.test(rewriteWords(node)[0]?.text ?? '');
}

/** From where a result gets a second slash in front, behind one that is written; undefined where it gets none. */
function slashSource(
  { node, place, conditions }: GatheredRule,
  mapOf: (name: string) => string | undefined,
): SlashSource | undefined {
  const [pattern, substitution, flags] = rewriteWords(node);
  const result = substitution?.text ?? '-';
  if (pattern === undefined || flagsOf(flags).some(({ key }) => NO_SLASHES_FLAGS.test(key))) return undefined;
  if (!/^\/[$%]/.test(result)) return undefined;
  if (PATH_VARIABLE.test(result)) return 'url';
  const [, kind, number] = /^\/([$%])([0-9])/.exec(result) ?? [];
  if (kind === '$')
    return beginsWithSlash(pattern.text, Number(number), isAtServerLevel(place)) ? 'url' : undefined;
  if (kind === '%') {
    const last = conditions.findLast(({ args }) => args[1]?.value.startsWith('!') === false);
    const [tested, compared] = last === undefined ? [] : rewriteWords(last);
    const isPath = PATH_VARIABLE.test(`/${tested?.text ?? ''}`);
    // What else a client says, such as the name of a host, has no slash in front unless the pattern says so.
    const group = compared && (groupsOf(compared.text)[Number(number)] ?? '');
    const mayBegin = isPath && beginsWithSlash(compared!.text, Number(number), true);
    return mayBegin || WRITTEN_SLASH.test(group ?? '') ? 'url' : undefined;
  }
  const first = lookupsIn(result, mapOf).lookups.find(({ at }) => at === 1);
  return first && { map: first.name };
}

/**
 * Whether a group of a pattern may hold a slash as its first character, for a text that has no two slashes side by side.
 * @param isPath whether the text begins with a slash
 */
function beginsWithSlash(pattern: string, number: number, isPath: boolean): boolean {
  const group = number === 0 ? pattern.replace(/^!?\^?/, '') : (groupsOf(pattern)[number] ?? '');
  if (WRITTEN_SLASH.test(group)) return true;
  if (number === 0 || !/^(?:\(\??:?)*(?:\.|\[\^(?![^\]]*\/))/.test(group)) return false;
  const before = pattern.slice(0, pattern.indexOf(`(${group}`));
  if (/^\^?(?:\(\??:?)*$/.test(before)) return isPath;
  // No pattern: one for the end of a text tries each bracket inside of it, too.
  let end = before.length;
  while (end > 0 && '()?'.includes(before.charAt(end - 1))) end--;
  return before.charAt(end - 1) !== '/';
}
