import { appendAll } from '../../src/syntax';
import { removeLine, removeLines, replaceLine, type Edit } from '../../src/edit';
import type { Answer, TransformContext } from '../../src/engine';
import { showsSource } from '../../src/httpd/handlers';
import { FACTS } from '../../src/httpd/facts';
import { livesIn } from '../../src/httpd/release';
import {
  type Guards,
  guardPlaceOf,
  insertBelow,
  unitAt,
  guardLines,
  withoutModule,
  type FileGuard,
} from './guards';
import { type HandlerGroup, listed, describe } from './handler-groups';
import type { HandlerLine } from './handler-lines';
import { handlerLinesFor } from './handler-section';
import { ANSWERED_GROUP, type PhpChoice } from './php-answer';
import { isDebianModule, reportForDebian } from './debian-module';

const MODULE_HANDLER = 'application/x-httpd-php';

type RunningPhp = Exclude<PhpChoice, { kind: 'none' }>;

/** Rewrites the lines for the way in which PHP runs, and takes away what refuses the files. */
export function rewriteForPhp(
  context: TransformContext,
  group: HandlerGroup,
  choice: RunningPhp,
  answers: readonly Answer[],
  guards: Guards,
): void {
  const { file, lines } = group;
  const first = lines[0]!;
  if (choice.kind === 'fpm' && !livesIn(FACTS['set-handler-proxy'], context.target)) {
    const message = 'SetHandler passes nothing on to FPM in this release: 2.4.10 was the first';
    context.report({ file, at: first.node.from, level: 'error', message });
    return;
  }
  if (isDebianModule(group) && choice.kind === 'fpm') {
    reportForDebian(context, group, choice.handler, answers);
    return;
  }
  const edits =
    group.extensions === undefined
      ? rewriteInPlace(first, choice, guards, answers.length === 0)
      : rewriteNames(group, group.extensions, choice, guards, answers.length === 0);
  if (edits.length === 0) return;
  const how =
    choice.kind === 'fpm'
      ? `PHP runs in FPM (${choice.handler})`
      : `PHP runs as a module (${choice.condition})`;
  const others = (group.extensions ?? []).filter((name) => !/^(?:php|phar)$/.test(name));
  const limits =
    choice.kind === 'fpm' && others.length > 0
      ? `; FPM runs .php and .phar unless security.limit_extensions of its pool names ${listed(others.map((name) => `.${name}`))}`
      : '';
  const middle =
    group.extensions === undefined
      ? ''
      : '; a name with more extensions behind it, such as x.php.bak, was run too, and is refused';
  context.report({
    file,
    at: first.node.from,
    level: 'error',
    safety: 'review',
    message: `${describe(group)}: ${answers.length > 0 ? 'as answered, ' : ''}${how}${middle}${limits}`,
    edits,
    ...(answers.length > 0 && { answers, group: ANSWERED_GROUP }),
  });
}

function rewriteNames(
  group: HandlerGroup,
  extensions: readonly string[],
  choice: RunningPhp,
  guards: Guards,
  isShown: boolean,
): readonly Edit[] {
  const { file, lines } = group;
  const last = lines.at(-1)!;
  const target = guardPlaceOf(last);
  const { anchor } = target;
  const text = newLines(group, extensions, choice, isShown);
  const edits: Edit[] = lines
    .filter(({ node }) => node !== anchor)
    .map(({ node }) => removeLine(file.document, node));
  edits.push(
    anchor.kind === 'directive'
      ? replaceLine(file.document, anchor, text)
      : insertBelow(file, target, text, unitAt(file, last.place)),
  );
  const known = new Set(extensions);
  const replaced = guards.takeBeside(
    last.place,
    ({ exceptLast, extensions: names }) => !exceptLast && names?.every((name) => known.has(name)) === true,
  );
  appendAll(
    edits,
    replaced.map(({ node }) => removeLines(file.document, node)),
  );
  return edits;
}

/** What stands in the place of the lines of a group. */
function newLines(
  { file, lines }: HandlerGroup,
  extensions: readonly string[],
  choice: RunningPhp,
  isShown: boolean,
): readonly string[] {
  const last = lines.at(-1)!;
  const unit = unitAt(file, last.place);
  const shownNames = new Set(
    lines.flatMap((line) => (showsSource(line.handler) ? (line.extensions ?? []) : [])),
  );
  const runNames = new Set(
    lines.flatMap((line) => (showsSource(line.handler) ? [] : (line.extensions ?? []))),
  );
  const run = extensions.filter((name) => runNames.has(name));
  const shown = extensions.filter((name) => shownNames.has(name) && !runNames.has(name));
  const section = (names: readonly string[], handler: string): readonly string[] =>
    names.length === 0 ? [] : handlerLinesFor(last.place, names, handler, unit);
  if (choice.kind === 'fpm')
    return [
      ...section(run, choice.handler),
      ...(run.length > 0 ? guardLines(run, unit, true) : []),
      ...(shown.length > 0 ? guardLines(shown, unit) : []),
    ];
  return [
    ...section(run, MODULE_HANDLER),
    ...section(shown, `${MODULE_HANDLER}-source`),
    ...guardLines(extensions, unit, true),
    ...(isShown ? [] : withoutModule(choice.condition, guardLines(extensions, unit), unit)),
  ];
}

function rewriteInPlace(
  line: HandlerLine,
  choice: RunningPhp,
  guards: Guards,
  isShown: boolean,
): readonly Edit[] {
  const { node, place, handler } = line;
  const { file } = place;
  const { document } = file;
  const unit = unitAt(file, place);
  const refusing = ({ extensions, isFallback }: FileGuard): boolean =>
    extensions === undefined && (choice.kind === 'fpm' || !isFallback);
  const isRefused = guards.refuse(place, undefined);
  const beside = guards.takeBeside(place, refusing);
  if (choice.kind === 'module') {
    const value = showsSource(handler) ? `${MODULE_HANDLER}-source` : MODULE_HANDLER;
    const edits =
      handler === value && node.key === 'sethandler'
        ? []
        : [replaceLine(document, node, [`SetHandler ${value}`])];
    if (!isShown && (beside.length > 0 || !isRefused))
      edits.push(
        insertBelow(
          file,
          guardPlaceOf(line),
          withoutModule(choice.condition, guardLines(undefined, unit), unit),
          unit,
        ),
      );
    return [...edits, ...beside.map((guard) => removeLines(document, guard.node))];
  }
  if (showsSource(handler))
    return [replaceLine(document, node, beside.length > 0 ? [] : guardLines(undefined, unit))];
  return [
    replaceLine(document, node, [`SetHandler "${choice.handler}"`]),
    ...beside.map((guard) => removeLines(document, guard.node)),
  ];
}
