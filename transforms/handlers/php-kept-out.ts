import { PHP_TASK } from '../common/tasks';
import { type Place, isConditional, placeCondition } from '../../src/config';
import { type Edit, removeLine, replaceLine } from '../../src/edit';
import {
  type ReportedEdits,
  type ReportedFinding,
  type TreeIndex,
  defineTransform,
  type TransformContext,
} from '../../src/engine';
import { handlerModule } from '../../src/httpd/handlers';
import type { Directive } from '../../src/syntax';
import { allowsOverride } from '../common/allow-override';
import { containersOf, isNotInUse, isUnknown, scopeOf } from '../common/lines';
import {
  Guards,
  guardLines,
  guardPlaceOf,
  insertBelow,
  namesInSection,
  isServerScope,
  unitAt,
} from './guards';
import { isInPhpOf22 } from './handler-groups';
import { extensionOf, handlerLines } from './handler-lines';
import { handlerLinesFor } from './handler-section';
import { ANSWERED_GROUP, isEngine, isPhpPackaged, PHP_QUESTION, phpChoice, turnsOff } from './php-answer';
import { forExtensions } from '../common/seen-requests';
import { getOrInsert } from '../../src/maps';

/** Names of PHP files that a new handler line may run. */
const USUAL = ['php', 'php3', 'php4', 'php5', 'php7', 'phtml', 'pht', 'phar'];

export default defineTransform({
  id: 'php-kept-out',
  changes: ['B8'],
  title: 'Directories in which PHP is not to run',
  why: 'In 2.2 PHP as a module obeys php_flag engine off, and RemoveHandler takes away what AddHandler says. FPM reads no php_flag, and SetHandler in <FilesMatch> comes after RemoveHandler: PHP would run in directories for uploads. Requests for such files are refused there.',
  docs: ['PHP: sapi/apache2handler, engine', 'server/core.c: core_override_type', 'mod_mime: RemoveHandler'],
  questions: [PHP_QUESTION],
  task: () => PHP_TASK,
  run(context) {
    // Where a package for 2.4 has brought PHP, these lines do today what they will do.
    const isAtWork = isPhpPackaged(context);
    const all = handlerLines(context.index).filter(({ module }) => module.language === 'PHP');
    const isOnSomewhere = context.index
      .directives(['php_flag', 'php_admin_flag', 'php_value', 'php_admin_value'])
      .some(
        ({ node, place }) => isEngine(node) && !turnsOff(node) && placeCondition(place.chain).on22 !== false,
      );
    // Pages that PHP runs as well, such as .html, are sent as they are where it does not run.
    const pages = [
      ...new Set(
        all.flatMap(({ extensions = [], place }) => [...extensions, ...(namesInSection(place) ?? [])]),
      ),
    ].filter((name) => !USUAL.includes(name));
    const known = new Set([...USUAL, ...pages]);
    const isByType = all.length > 0 && all.every(({ node }) => node.key === 'addtype');
    const sentAsTheyAre = namesWithoutHandler(context.index);
    const guards = new Guards(context.index);
    const found = new Map<string, KeptOutLines>();
    const ids = new Map<object, number>();
    const idOf = (object: object): number => {
      if (!ids.has(object)) ids.set(object, ids.size);
      return ids.get(object)!;
    };
    const visit = (node: Directive, place: Place): void => {
      const { file } = place;
      // Where a section is not closed, nothing can be put behind it.
      if (place.chain.some(({ section }) => section.close === undefined)) return;
      const names = keptOut(node, place, known, isByType);
      if (names === undefined || placeCondition(place.chain).on22 === false) return;
      const told = phpChoice(context, file);
      const kind = told?.choice.kind;
      if (isNotInUse(place, context.tree) || kind === 'none' || (isAtWork && kind === undefined)) return;
      const isEngineOff = isEngine(node);
      if (kind === 'module' && isEngineOff) return;
      // Without a handler for PHP anywhere, nothing but its own switch keeps anything out.
      if (!isEngineOff && all.length === 0 && told === undefined) return;
      const programs = [...names].filter((name) => USUAL.includes(name));
      const isRefused = programs.length === 0 || guards.refuse(place, programs);
      const isSent = sentAsTheyAre.get(scopeOf(place));
      const sent =
        kind === undefined
          ? []
          : [...names].filter((name) => !USUAL.includes(name) && isSent?.has(name) !== true);
      if (isRefused && sent.length === 0) return;
      const key = `${idOf(file)} ${idOf(scopeOf(place))} ${isEngineOff}`;
      const lines = getOrInsert(found, key, () => ({
        nodes: new Set(),
        names: new Set(),
        sent: new Set(),
        place,
        answers: told?.answers,
      }));
      lines.nodes.add(node);
      lines.place = place;
      if (!isRefused) for (const name of programs) lines.names.add(name);
      for (const name of sent) lines.sent.add(name);
    };
    context.directives(['php_flag', 'php_admin_flag', 'php_value', 'php_admin_value'], visit);
    context.directives(
      ['RemoveHandler', 'RemoveType', 'AddHandler', 'AddType', 'SetHandler', 'ForceType'],
      visit,
    );
    for (const lines of found.values()) reportKeptOut(context, lines, isOnSomewhere);
  },
});

/** The lines of one scope that keep PHP from the same files. */
interface KeptOutLines {
  readonly nodes: Set<Directive>;
  /** The place of the last line. */
  place: Place;
  /** The extensions to refuse. */
  readonly names: Set<string>;
  /** Extensions whose files are sent as they are. */
  readonly sent: Set<string>;
  readonly answers: ReportedFinding['answers'];
}

/** The extensions for which a `<FilesMatch>` takes any handler away, by the scope around it. */
function namesWithoutHandler(index: TreeIndex): ReadonlyMap<object, ReadonlySet<string>> {
  const found = new Map<object, Set<string>>();
  index.visitDirectives(['SetHandler'], (node, place) => {
    const names = /^none$/i.test(node.rest) ? namesInSection(place) : undefined;
    if (names === undefined) return;
    const frame = containersOf(place).at(-1)!;
    const scope = scopeOf({ ...place, chain: place.chain.slice(0, place.chain.indexOf(frame)) });
    found.set(scope, new Set([...(found.get(scope) ?? []), ...names]));
  });
  return found;
}

/**
 * The extensions that a line keeps from PHP; undefined for other lines.
 * @param known those that PHP has anywhere
 * @param isByType whether only types lead to PHP
 */
function keptOut(
  node: Directive,
  place: Place,
  known: ReadonlySet<string>,
  isByType: boolean,
): Iterable<string> | undefined {
  const { key, args } = node;
  if (key.startsWith('php_')) return isEngine(node) && turnsOff(node) ? known : undefined;
  const [first = '', ...others] = args.map(({ value }) => value);
  const namesOf = (words: readonly string[]): readonly string[] | undefined => {
    const names = words.map(extensionOf).filter((name) => known.has(name));
    return names.length === 0 ? undefined : names;
  };
  if (key.startsWith('remove')) return namesOf([first, ...others]);
  // Other lines keep PHP out of a part of the server.
  if (isServerScope(place) || isUnknown(node.rest) || /^proxy:/i.test(first)) return undefined;
  if (handlerModule(first, others) !== undefined || /^none$/i.test(first)) return undefined;
  if (key === 'sethandler') return /^default-handler$/i.test(first) ? known : undefined;
  if (key === 'forcetype') return isByType ? known : undefined;
  if (key === 'addtype') return isByType ? namesOf(others) : undefined;
  // CGI that is switched off is a way to keep programs out; where it is on, it runs them.
  return /^cgi-script$/i.test(first) && allowsCgi(place) ? undefined : namesOf(others);
}

function allowsCgi({ chain, root }: Place): boolean {
  const body = chain.findLast(({ section }) => !isConditional(section))?.section.body ?? root.document.body;
  return body.some(
    (node) =>
      node.kind === 'directive' &&
      node.key === 'options' &&
      node.args.some(({ value }) => /^\+?(?:ExecCGI|All)$/i.test(value)),
  );
}

function reportKeptOut(context: TransformContext, lines: KeptOutLines, isOnSomewhere: boolean): void {
  const { place, names, answers } = lines;
  const nodes = [...lines.nodes];
  const { file } = place;
  const first = nodes[0]!;
  const isSetting = first.key.startsWith('php_');
  const texts = [...new Set(nodes.map(({ text }) => text.replaceAll(/[ \t]+/g, ' ')))].slice(0, 8).join(', ');
  const message = `${texts}: PHP does not run here in 2.2; where FPM runs it, this has no effect, and files that visitors upload would run`;
  const report = (finding: Pick<ReportedFinding, 'message' | 'group'> & ReportedEdits): void =>
    context.report({
      file,
      at: first.from,
      level: 'error',
      ...finding,
      ...(answers && { answers }),
      ...(names.size > 0 && { concerns: forExtensions(names) }),
    });
  // At server level the block would refuse what other sections let run.
  if (isSetting && answers === undefined && !context.tree.isServer && isInPhpOf22(place)) {
    const manual = `${texts}: this is for a server with PHP 5 as a module; where something else runs PHP, it has no effect, and files that visitors upload would run: say how PHP runs there`;
    report({ message: manual });
  } else if (isSetting && (isServerScope(place) || isOnSomewhere)) {
    const manual = `${message}: refuse them in the places where it is not switched on again`;
    report({ message: manual });
  } else if (file.role === 'htaccess' && allowsOverride(context, file, 'fileinfo') === false) {
    const manual = `${message}: refuse them, which AllowOverride does not let this file do`;
    report({ message: manual });
  } else {
    const edits = guardEdits(lines, answers !== undefined && isSetting);
    const done =
      names.size === 0 ? 'such files are sent as they are' : 'such files are refused, if they exist';
    report({
      safety: answers === undefined ? 'strict' : 'review',
      message: `${message}: ${done}`,
      edits,
      ...(answers && { group: ANSWERED_GROUP }),
    });
  }
}

/** The block, and without the lines where it is known that nothing reads them. */
function guardEdits(lines: KeptOutLines, isAnswered: boolean): readonly Edit[] {
  const { place } = lines;
  const [nodes, names, sent] = [[...lines.nodes], [...lines.names], [...lines.sent]];
  const { file } = place;
  const target = guardPlaceOf({ node: nodes.at(-1)!, place });
  const unit = unitAt(file, place);
  const text = [
    ...(names.length === 0 ? [] : guardLines(names, unit)),
    ...(sent.length === 0 ? [] : handlerLinesFor(place, sent, 'none', unit)),
  ];
  if (!isAnswered) return [insertBelow(file, target, text, unit)];
  const { anchor } = target;
  const removed = nodes.filter((node) => node !== anchor).map((node) => removeLine(file.document, node));
  const added =
    anchor.kind === 'directive'
      ? replaceLine(file.document, anchor, text)
      : insertBelow(file, target, text, unit);
  return [...removed, added];
}
