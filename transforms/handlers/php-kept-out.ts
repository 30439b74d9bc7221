import { type Place, placeCondition } from '../../src/config';
import { type Edit, removeLine, replaceLine } from '../../src/edit';
import { type Finding, defineTransform, type TransformContext } from '../../src/engine';
import type { Directive } from '../../src/syntax';
import { isServerScope, guardLines, guardsOf, insertBelow, isGuarded, anchorOf, unitAt } from './guards';
import { extensionOf, handlerLines } from './handler-lines';
import { PHP_QUESTION, phpChoice } from './php-answer';

/** Names of PHP files that a new handler line may run. */
const USUAL = ['php', 'php3', 'php4', 'php5', 'php7', 'phtml', 'pht', 'phar'];

export default defineTransform({
  id: 'php-kept-out',
  changes: ['B7'],
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
    const visit = (node: Directive, place: Place): void => {
      const { file } = place;
      const told = phpChoice(context, file);
      const names = keptOut(node);
      if (names === undefined || placeCondition(place.chain).on22 === false || place.root.role === 'unreached') return;
      const isEngineOff = isEngine(node);
      if (told?.choice.kind === 'module' && isEngineOff) return;
      // Without a handler for PHP anywhere, RemoveHandler keeps nothing out.
      if (!isEngineOff && all.length === 0 && told === undefined) return;
      const refused = names.length === 0 ? extensions : names;
      if (isGuarded(place, refused, guards)) return;
      reportKeptOut(context, node, place, refused, !isEngineOff || !isOnSomewhere, told?.answers);
    };
    context.directives(['php_flag', 'php_admin_flag', 'php_value', 'php_admin_value'], visit);
    context.directives(['RemoveHandler', 'RemoveType'], visit);
  },
}); // prettier-ignore

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
  node: Directive,
  place: Place,
  names: readonly string[],
  isWritable: boolean,
  answers: Finding['answers'],
): void {
  const { file } = place;
  const message = `${node.text.replaceAll(/[ \t]+/g, ' ')}: PHP does not run here in 2.2; where FPM runs it, this line has no effect, and files that visitors upload would run`;
  // At server level the block would refuse what other sections let run.
  const isWhole = isServerScope(place) && node.key.startsWith('php_');
  if (isWritable && !isWhole)
    context.report({
      file,
      at: node.from,
      level: 'error',
      safety: 'strict',
      message: `${message}: such files are refused, if they exist`,
      edits: guardEdits(node, place, names, answers !== undefined),
      ...(answers !== undefined && { answers }),
    });
  else
    context.report({
      file,
      at: node.from,
      level: 'error',
      safety: 'manual',
      message: `${message}: refuse them in the places where it is not switched on again`,
      edits: [],
    });
} // prettier-ignore

/** The block, and without the line where it is known that nothing reads it. */
function guardEdits(node: Directive, place: Place, names: readonly string[], isAnswered: boolean): readonly Edit[] {
  const { file } = place;
  const anchor = anchorOf({ node, place });
  const text = guardLines(names, unitAt(file, place));
  if (!isAnswered || !node.key.startsWith('php_')) return [insertBelow(file, anchor, text)];
  return anchor === node
    ? [replaceLine(file.document, node, text)]
    : [removeLine(file.document, node), insertBelow(file, anchor, text)];
} // prettier-ignore
