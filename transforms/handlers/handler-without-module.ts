import { isIn24 } from '../../src/httpd/third-party';
import { moduleTask, PHP_TASK } from '../common/tasks';
import type { Edit } from '../../src/edit';
import {
  type Answer,
  type Finding,
  type Task,
  defineTransform,
  type TransformContext,
} from '../../src/engine';
import { handlerModule } from '../../src/httpd/handlers';
import { hasPlaceholder } from '../../src/syntax';
import { flagsOf, rewriteWords } from '../common/words';
import { Guards, unitAt, guardLines, withoutModule, insertBelow, guardPlaceOf } from './guards';
import {
  type HandlerGroup,
  ServedHandlers,
  describe,
  handlerGroups,
  isForModuleOf22,
  moduleOf,
  namesOf,
} from './handler-groups';
import type { HandlerLine } from './handler-lines';
import { HOW_TO_ANSWER, PHP_QUESTION, phpChoice } from './php-answer';
import { forExtensions } from '../common/seen-requests';
import { reportPhpConditions } from './php-conditions';
import { rewriteForPhp } from './php-lines';
import { isDebianModule, reportScriptGuard } from './debian-module';

export default defineTransform({
  id: 'handler-without-module',
  changes: ['B7'],
  title: 'Files whose handler no module of 2.4 has',
  why: 'httpd sends a file as it is if no module registers its handler. Modules such as PHP 5 were built for 2.2 and cannot be loaded, so that 2.4 would send the sources of programs. The files are refused until something runs them; names that do not exist are not, so that a listing or the next name of DirectoryIndex is still served.',
  docs: [
    'server/config.c: ap_invoke_handler',
    'server/core.c: default_handler',
    'mod_proxy_fcgi',
    'PHP: sapi/apache2handler',
  ],
  directives: ['AddHandler'],
  questions: [PHP_QUESTION],
  run(context) {
    const guards = new Guards(context.index);
    const served = new ServedHandlers(context);
    const groups = handlerGroups(context);
    for (const group of groups) reportGroup(context, group, guards, served);
    reportPhpConditions(context, groups, served);
    reportRewrites(context, served);
  },
});

function reportGroup(
  context: TransformContext,
  group: HandlerGroup,
  guards: Guards,
  served: ServedHandlers,
): void {
  const { language, file, lines, extensions } = group;
  // All lines of a group are in one scope.
  const { place } = lines[0]!;
  const guarded = guards.refuse(place, extensions);
  const told = language === 'PHP' ? phpChoice(context, file) : undefined;
  const isServed = served.serves(group);
  const choice = told?.choice ?? (isServed || language !== 'PHP' ? undefined : served.phpModule());
  const answers = told?.answers ?? [];
  if (choice !== undefined && choice.kind !== 'none') {
    rewriteForPhp(context, group, choice, answers, guards);
    return;
  }
  // What is read only without the module is as good as not there.
  const isRefused = guards.refuse(place, extensions, false);
  if ((isServed && !isRefused) || served.passesOn(group)) return;
  const first = lines[0]!;
  const kept = told?.answers[0] ?? yesTo(context, group);
  const concerns = extensions && { concerns: forExtensions(extensions) };
  const report = (finding: Pick<Finding, 'level' | 'safety' | 'message'> & Partial<Finding>): void =>
    context.report({
      file,
      at: first.node.from,
      ...(kept === undefined ? { task: taskFor(group) } : { answers: [kept] }),
      ...concerns,
      ...finding,
    });
  if (!guarded) {
    const left = kept === undefined ? whyLeft(context, group, served) : undefined;
    if (left !== undefined) {
      report({ level: 'error', safety: 'manual', ...left });
      return;
    }
    if (isDebianModule(group)) reportScriptGuard(context, group);
    else
      report({
        // A person who has said that nothing is to run them is not asked again.
        level: kept === undefined ? 'error' : 'info',
        safety: 'strict',
        message: `${describe(group)}: no module of 2.4 is known to serve this, and httpd would send the sources: ${namesOf(group)} are refused, if they exist`,
        edits: guardEdits(group),
      });
  }
  const open = openText(group, served, kept !== undefined);
  if (open !== undefined) report({ level: kept === undefined ? 'error' : 'info', safety: 'manual', ...open });
}

/** What is said of files that are refused: how they are served again. Undefined where that is told elsewhere. */
function openText(
  group: HandlerGroup,
  served: ServedHandlers,
  isAnswered: boolean,
): Pick<Finding, 'message' | 'remedy' | 'asks'> | undefined {
  const refused = isDebianModule(group) ? 'the script of --format sh has them refused' : 'they are refused';
  if (isAnswered) return { message: `${describe(group)}: ${refused}, as answered` };
  if (group.language === 'PHP')
    return {
      message: `${describe(group)}: nothing runs these files in 2.4, and ${refused} until then: say how PHP runs there`,
      remedy: HOW_TO_ANSWER,
    };
  // One trouble is told once: 2.4 does not start without that module.
  if (served.isToldAsMissing(group)) return undefined;
  const { modules } = group.lines[0]!.module;
  return {
    message: `${describe(group)}: nothing serves these files in 2.4, and ${refused} until then`,
    remedy: remedyFor(modules),
    asks: [
      ...modules
        .flatMap((identifier) => moduleOf(identifier) ?? [])
        .slice(0, 1)
        .map(isIn24),
      { key: 'handler-without-module', text: `${describe(group)}: these files are to stay refused` },
    ],
  };
}

/** Why lines need no block that refuses their files, and what to do about them; undefined where they need one. */
function whyLeft(
  { tree }: TransformContext,
  group: HandlerGroup,
  served: ServedHandlers,
): (Pick<Finding, 'message'> & Partial<Finding>) | undefined {
  if (isDebianModule(group)) return undefined;
  if (served.isNeededToStart(group))
    return {
      level: 'warning',
      message: `${describe(group)}: without the module that serves this, 2.4 does not start, for other lines need it too; if they go, this must go with them, for httpd would send the sources`,
    };
  if (tree.isServer) return undefined;
  if (group.language !== 'PHP' && isFilledIn(group))
    return {
      message: `${describe(group)}: this is a template, and which modules the server has is said where it is filled in; httpd sends the sources where none serves these files: let the template ask for the module`,
      remedy: remedyFor(group.lines[0]!.module.modules),
    };
  if (group.language !== 'PHP' || !isForModuleOf22(group)) return undefined;
  return {
    message: `${describe(group)}: this is for a server with PHP 5 as a module; what runs these files elsewhere stands in the configuration of that server, and httpd sends the sources where nothing does: say how PHP runs there`,
    remedy: HOW_TO_ANSWER,
  };
}

/** Whether the sections that the lines stand in are those of a template, which somebody fills in for each server. */
function isFilledIn({ lines }: HandlerGroup): boolean {
  return lines.every(({ place }) => place.chain.some(({ section }) => hasPlaceholder(section.open.text)));
}

function taskFor(group: HandlerGroup): Task {
  const [identifier] = group.lines[0]!.module.modules;
  return group.language === 'PHP' ? PHP_TASK : moduleTask(identifier ?? describe(group));
}

/** What gives files their handler again. @param modules identifiers of those that have it */
function remedyFor(modules: readonly string[]): string {
  const [module] = modules.flatMap((identifier) => moduleOf(identifier) ?? []);
  const known =
    module && `install a build for 2.4 of ${module.name} and say so with --answer ${module.key}=yes`;
  const build =
    known ??
    `install a build for 2.4 of ${modules.join(' or ') || 'the module with this handler'} and give the output of httpd -M with --modules`;
  return `${build}; or --answer handler-without-module=yes, if they are to stay refused`;
}

function yesTo({ chosen }: TransformContext, { file }: HandlerGroup): Answer | undefined {
  const answer = chosen('handler-without-module', file);
  return answer?.value === true ? answer : undefined;
}

function guardEdits({ file, lines, extensions, language }: HandlerGroup): readonly Edit[] {
  const last = lines.at(-1)!;
  const unit = unitAt(file, last.place);
  const text = guardLines(extensions, unit);
  // PHP comes in other ways than by a module of this name; where another module is loaded, the block is not read.
  const modules = language === 'PHP' ? [] : last.module.modules;
  const wrapped = modules.reduce((body, identifier) => withoutModule(identifier, body, unit), text);
  return [insertBelow(file, guardPlaceOf(last), wrapped, unit)];
}

/** Flags of RewriteRule can select a handler, for names that the files do not tell. */
function reportRewrites(context: TransformContext, served: ServedHandlers): void {
  context.directives(['RewriteRule'], (node, place) => {
    for (const { key, value } of flagsOf(rewriteWords(node)[2])) {
      if (!/^(?:h|handler|t|type)$/.test(key)) continue;
      const module = handlerModule(value);
      if (module === undefined || (key.startsWith('t') && !/x-httpd-/i.test(value))) continue;
      const line: HandlerLine = { node, place, handler: value, extensions: undefined, module };
      const { file } = place;
      const group = { language: module.language, file, lines: [line], extensions: undefined };
      if (served.serves(group)) continue;
      const told = phpChoice(context, file);
      if (told?.choice.kind === 'module' && isOfModule(value)) continue;
      const message = `RewriteRule selects the handler ${value}, which no module of 2.4 is known to have: 2.4 would send the source; remove the flag, or name what serves the files there`;
      context.report({ file, at: node.from, level: 'error', message });
    }
  });
}

function isOfModule(handler: string): boolean {
  return /^application\/x-httpd-php(?:-source)?$/i.test(handler);
}
