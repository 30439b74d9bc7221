import { type Place, placeCondition } from '../../src/config';
import { type Edit, removeLine, replaceLine } from '../../src/edit';
import { type Finding, defineTransform, type TransformContext } from '../../src/engine';
import type { Directive } from '../../src/syntax';
import { allowsOverride } from '../common/allow-override';
import { scopeOf } from '../common/lines';
import { guardLines, guardPlaceOf, guardsOf, insertBelow, isGuarded, isServerScope, unitAt } from './guards';
import { extensionOf, handlerLines } from './handler-lines';
import { PHP_QUESTION, phpChoice } from './php-answer';

/** Names of PHP files that a new handler line may run. */
const USUAL = ['php', 'php3', 'php4', 'php5', 'php7', 'phtml', 'pht', 'phar'];

export default defineTransform({
  id: 'php-kept-out',
  changes: ['B8'],
  title: 'Directories in which PHP is not to run',
  why: 'In 2.2 PHP as a module obeys php_flag engine off, and RemoveHandler takes away what AddHandler says. FPM reads no php_flag, and SetHandler in <FilesMatch> comes after RemoveHandler: PHP would run in directories for uploads. Requests for such files are refused there.',
  docs: ['PHP: sapi/apache2handler, engine', 'server/core.c: core_override_type', 'mod_mime: RemoveHandler'],
  directives: [],
  questions: [PHP_QUESTION],
  run(context) {
    const all = handlerLines(context.index).filter(({ module }) => module.language === 'PHP');
    const isOnSomewhere = context.index
      .directives(['php_flag', 'php_admin_flag', 'php_value', 'php_admin_value'])
      .some(({ node, place }) => isEngine(node) && !turnsOff(node) && placeCondition(place.chain).on22 !== false);
    const extensions = [...new Set([...USUAL, ...all.flatMap(({ extensions: names = [] }) => names)])];
    const guards = guardsOf(context.index);
    const found = new Map<string, KeptOutLines>();
    const ids = new Map<object, number>();
    const idOf = (object: object): number => {
      if (!ids.has(object)) ids.set(object, ids.size);
      return ids.get(object)!;
    };
    const visit = (node: Directive, place: Place): void => {
      const { file } = place;
      const told = phpChoice(context, file);
      const names = keptOut(node);
      if (names === undefined || placeCondition(place.chain).on22 === false) return;
      if (place.root.role === 'unreached' || told?.choice.kind === 'none') return;
      const isEngineOff = isEngine(node);
      if (told?.choice.kind === 'module' && isEngineOff) return;
      // Without a handler for PHP anywhere, RemoveHandler keeps nothing out.
      if (!isEngineOff && all.length === 0 && told === undefined) return;
      const refused = isEngineOff ? extensions : names;
      if (isGuarded(place, refused, guards)) return;
      const key = `${idOf(file)} ${idOf(scopeOf(place))} ${isEngineOff}`;
      const known = found.get(key);
      if (known?.nodes.includes(node) === true) return;
      if (known === undefined) found.set(key, { nodes: [node], place, names: refused, answers: told?.answers });
      else
        found.set(key, {
          ...known,
          place,
          nodes: [...known.nodes, node],
          names: [...new Set([...known.names, ...refused])],
        });
    };
    context.directives(['php_flag', 'php_admin_flag', 'php_value', 'php_admin_value'], visit);
    context.directives(['RemoveHandler', 'RemoveType'], visit);
    for (const lines of found.values()) reportKeptOut(context, lines, isOnSomewhere);
  },
}); // prettier-ignore

/** The lines of one scope that keep PHP from the same files. */
interface KeptOutLines {
  readonly nodes: readonly Directive[];
  /** That of the last. */
  readonly place: Place;
  readonly names: readonly string[];
  readonly answers: Finding['answers'];
}

function isEngine({ args }: Directive): boolean {
  return args[0]?.value.toLowerCase() === 'engine';
}

/** Off, as PHP reads it (sapi/apache2handler/apache_config.c: php_apache_flag_handler; Zend/zend_ini.c: zend_ini_parse_bool). */
function turnsOff({ args, key }: Directive): boolean {
  const value = args[1]?.value.toLowerCase() ?? '';
  return key.endsWith('flag') ? value !== 'on' && value !== '1' : !/^(?:on|yes|true|0*[1-9]\d*)$/.test(value);
}

/** The extensions that a line keeps from PHP, none for all of them; undefined for other lines. */
function keptOut(node: Directive): readonly string[] | undefined {
  if (node.key.startsWith('php_')) return isEngine(node) && turnsOff(node) ? [] : undefined;
  const names = node.args.map(({ value }) => extensionOf(value)).filter((name) => USUAL.includes(name));
  return names.length === 0 ? undefined : names;
}

function reportKeptOut(
  context: TransformContext,
  { nodes, place, names, answers }: KeptOutLines,
  isOnSomewhere: boolean,
): void {
  const { file } = place;
  const [first] = nodes as readonly [Directive];
  const isSetting = first.key.startsWith('php_');
  const texts = [...new Set(nodes.map(({ text }) => text.replaceAll(/[ \t]+/g, ' ')))].join(', ');
  const message = `${texts}: PHP does not run here in 2.2; where FPM runs it, this has no effect, and files that visitors upload would run`;
  const report = (finding: Pick<Finding, 'safety' | 'message' | 'edits'>): void =>
    context.report({ file, at: first.from, level: 'error', ...finding, ...(answers && { answers }) });
  // At server level the block would refuse what other sections let run.
  if (isSetting && (isServerScope(place) || isOnSomewhere)) {
    const manual = `${message}: refuse them in the places where it is not switched on again`;
    report({ safety: 'manual', message: manual, edits: [] });
  } else if (file.role === 'htaccess' && allowsOverride(context, file, 'fileinfo') === false) {
    const manual = `${message}: refuse them, which AllowOverride does not let this file do`;
    report({ safety: 'manual', message: manual, edits: [] });
  } else {
    const edits = guardEdits(nodes, place, names, answers !== undefined && isSetting);
    report({ safety: 'strict', message: `${message}: such files are refused, if they exist`, edits });
  }
}

/** The block, and without the lines where it is known that nothing reads them. */
function guardEdits(
  nodes: readonly Directive[],
  place: Place,
  names: readonly string[],
  isAnswered: boolean,
): readonly Edit[] {
  const { file } = place;
  const target = guardPlaceOf({ node: nodes.at(-1)!, place });
  const unit = unitAt(file, place);
  const text = guardLines(names, unit);
  if (!isAnswered) return [insertBelow(file, target, text, unit)];
  const { anchor } = target;
  const removed = nodes.filter((node) => node !== anchor).map((node) => removeLine(file.document, node));
  const added =
    anchor.kind === 'directive'
      ? replaceLine(file.document, anchor, text)
      : insertBelow(file, target, text, unit);
  return [...removed, added];
}
