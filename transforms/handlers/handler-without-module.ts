import { moduleTask, PHP_TASK } from '../common/tasks';
import {
  insertAfter,
  removeLine,
  removeLines,
  replaceArgument,
  replaceLine,
  type Edit,
  unwrap,
} from '../../src/edit';
import {
  type Answer,
  type Finding,
  type Task,
  defineTransform,
  type TransformContext,
} from '../../src/engine';
import { handlerModule, showsSource } from '../../src/httpd/handlers';
import { FACTS } from '../../src/httpd/facts';
import { livesIn } from '../../src/httpd/release';
import type { ConfigFile } from '../../src/config';
import type { Section } from '../../src/syntax';
import { containersOf } from '../common/lines';
import { flagsOf, rewriteWords } from '../common/rewrite-words';
import {
  type FileGuard,
  Guards,
  guardLines,
  guardPlaceOf,
  insertBelow,
  namesInSection,
  unitAt,
} from './guards';
import { type HandlerGroup, ServedHandlers, handlerGroups, moduleOf } from './handler-groups';
import type { HandlerLine } from './handler-lines';
import { handlerLinesFor } from './handler-section';
import { shellQuoted } from './shell';
import {
  ANSWERED_GROUP,
  HOW_TO_ANSWER,
  isPhpPackaged,
  PHP_QUESTION,
  type PhpChoice,
  phpChoice,
} from './php-answer';

export default defineTransform({
  id: 'handler-without-module',
  changes: ['B7'],
  title: 'Files whose handler no module of 2.4 has',
  why: 'httpd sends a file as it is if no module registers its handler. Modules such as PHP 5 were built for 2.2 and cannot be loaded, so that 2.4 would send the sources of programs, with the passwords in them. The files are refused until something runs them; names that do not exist are not, so that a listing or the next name of DirectoryIndex is still served.',
  docs: ['server/config.c: ap_invoke_handler', 'server/core.c: default_handler', 'mod_proxy_fcgi', 'PHP: sapi/apache2handler'],
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
}); // prettier-ignore

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
  const report = (finding: Pick<Finding, 'level' | 'safety' | 'message' | 'edits'> & Partial<Finding>): void =>
    context.report({
      file,
      at: first.node.from,
      ...(kept === undefined ? { task: taskFor(group) } : { answers: [kept] }),
      ...finding,
    });
  if (!guarded && !isDebianModule(group)) {
    report({
      // A person who has said that nothing is to run them is not asked again.
      level: kept === undefined ? 'error' : 'info',
      safety: 'strict',
      message: `${describe(group)}: no module of 2.4 is known to serve this, and httpd would send the sources: ${namesOf(group)} are refused, if they exist`,
      edits: guardEdits(group),
    });
  }
  if (!guarded && isDebianModule(group)) reportScriptGuard(context, group);
  const refused = isDebianModule(group) ? 'the script of --format sh has them refused' : 'they are refused';
  if (kept !== undefined)
    report({ level: 'info', safety: 'manual', message: `${describe(group)}: ${refused}, as answered`, edits: [] });
  else if (language === 'PHP')
    report({
      level: 'error',
      safety: 'manual',
      message: `${describe(group)}: nothing runs these files in 2.4, and ${refused} until then: say how PHP runs there`,
      remedy: HOW_TO_ANSWER,
      edits: [],
    });
  // One trouble is told once: 2.4 does not start without that module.
  else if (!served.isToldAsMissing(group))
    report({
      level: 'error',
      safety: 'manual',
      message: `${describe(group)}: nothing serves these files in 2.4, and ${refused} until then`,
      remedy: remedyFor(first.module.modules),
      edits: [],
    });
} // prettier-ignore

function taskFor(group: HandlerGroup): Task {
  const [identifier] = group.lines[0]!.module.modules;
  return group.language === 'PHP' ? PHP_TASK : moduleTask(identifier ?? describe(group));
}

/** What gives files their handler again. @param modules identifiers of those that have it */
function remedyFor(modules: readonly string[]): string {
  const [module] = modules.flatMap((identifier) => moduleOf(identifier) ?? []);
  const known = module && `install a build for 2.4 of ${module.name} and say so with --answer ${module.key}=yes`;
  const build = known ?? `install a build for 2.4 of ${modules.join(' or ') || 'the module with this handler'} and give the output of httpd -M with --modules`;
  return `${build}; or --answer handler-without-module=yes, if they are to stay refused`;
} // prettier-ignore

function yesTo({ chosen }: TransformContext, { file }: HandlerGroup): Answer | undefined {
  const answer = chosen('handler-without-module', file);
  return answer?.value === true ? answer : undefined;
}

/** The file goes when the module is disabled, so that nothing that is written there lasts. */
function isDebianModule({ file }: HandlerGroup): boolean {
  return /\/mods-(?:available|enabled)\/[^/]+\.conf$/.test(file.path);
}

/** Written by the script, beside the modules, for what these files served. */
const SCRIPT_GUARDS = 'mods-enabled/no-sources.conf';
/**
 * Names that the script refuses wherever it disables a module of PHP (disable_without), and patterns of such names alone, as
 * those of Debian.
 */
const REFUSED_WITH_PHP = /^ph(?:p[0-9]?|ar|t|tml|ps)$/;
const PATTERN_OF_PHP =
  /^\^?(?:\.\+)?\\\.ph(?:p[0-9]?|ps|\((?:\?:)?(?:p(?:[0-9]\??|\[[0-9-]+\]\??)?|ps|ar|t|tml|\|)+\))\$$/;

/**
 * What stands in the file of a module goes with that: the script writes what refuses its files. A module of 2.4 does not make
 * this void, for its own file need not name them.
 */
function reportScriptGuard(context: TransformContext, group: HandlerGroup): void {
  const { language, file, lines } = group;
  const last = lines.at(-1)!;
  const section = group.extensions === undefined ? containersOf(last.place).at(-1)?.section : undefined;
  const names = group.extensions ?? namesInSection(last.place);
  const extensions = language === 'PHP' ? names?.filter((name) => !REFUSED_WITH_PHP.test(name)) : names;
  if (extensions?.length === 0) return;
  if (language === 'PHP' && PATTERN_OF_PHP.test(section?.args.at(-1)?.value ?? '')) return;
  const text = scriptGuard(extensions, section);
  context.report({
    file,
    at: last.node.from,
    level: 'warning',
    safety: 'manual',
    message: `${describe(group)}: this file goes with the module, and httpd would send the sources: the script of --format sh writes ${SCRIPT_GUARDS}, which refuses them; remove it once something runs them`,
    edits: [],
    commands: [
      'enable alias',
      `grep -qsF ${shellQuoted(text[0]!)} ${SCRIPT_GUARDS} || printf '%s\\n' ${text.map(shellQuoted).join(' ')} >> ${SCRIPT_GUARDS}`,
    ],
  });
} // prettier-ignore

/** Refuses the files with some extensions, or, where these are not known, those of a section. */
function scriptGuard(
  extensions: readonly string[] | undefined,
  section: Section | undefined,
): readonly string[] {
  const guard = guardLines(extensions, '    ');
  if (extensions !== undefined || section === undefined) return guard;
  return [section.open.text, ...guard.map((line) => `    ${line}`), `</${section.name}>`];
}

/** How many lines and names a message lists. */
const MAX_LISTED = 8;

function describe({ lines }: HandlerGroup): string {
  const texts = [...new Set(lines.map(({ node }) => node.text.replaceAll(/[ \t]+/g, ' ')))];
  return listed(texts);
}

function listed(words: readonly string[]): string {
  const shown = words.slice(0, MAX_LISTED).join(', ');
  return words.length > MAX_LISTED ? `${shown} and ${words.length - MAX_LISTED} more` : shown;
}

function namesOf({ extensions }: HandlerGroup): string {
  return extensions === undefined ? 'all files there' : `files with ${listed(extensions.map((name) => `.${name}`))} anywhere in their names`; // prettier-ignore
} // prettier-ignore

function guardEdits({ file, lines, extensions, language }: HandlerGroup): readonly Edit[] {
  const last = lines.at(-1)!;
  const unit = unitAt(file, last.place);
  const text = guardLines(extensions, unit);
  // PHP comes in other ways than by a module of this name; where another module is loaded, the block is not read.
  const modules = language === 'PHP' ? [] : last.module.modules;
  const wrapped = modules.reduce((body, identifier) => withoutModule(identifier, body, unit), text);
  return [insertBelow(file, guardPlaceOf(last), wrapped, unit)];
}

const MODULE_HANDLER = 'application/x-httpd-php';

type RunningPhp = Exclude<PhpChoice, { kind: 'none' }>;

/** Rewrites the lines for the way in which PHP runs, and takes away what refuses the files. */
function rewriteForPhp(
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
    context.report({ file, at: first.node.from, level: 'error', safety: 'manual', message, edits: [] });
    return;
  }
  if (isDebianModule(group) && choice.kind === 'fpm') {
    reportForDebian(context, group, choice.handler, answers);
    return;
  }
  const edits = group.extensions === undefined ? rewriteInPlace(first, choice, guards, answers.length === 0) : rewriteNames(group, group.extensions, choice, guards, answers.length === 0); // prettier-ignore
  if (edits.length === 0) return;
  const how = choice.kind === 'fpm' ? `PHP runs in FPM (${choice.handler})` : `PHP runs as a module (${choice.condition})`;
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
} // prettier-ignore

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
  edits.push(...replaced.map(({ node }) => removeLines(file.document, node)));
  return edits;
} // prettier-ignore

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

/** Lines that are read only where a module is not loaded. */
function withoutModule(module: string, lines: readonly string[], unit: string): readonly string[] {
  return [`<IfModule !${module}>`, ...lines.map((line) => unit + line), '</IfModule>'];
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
    const edits = handler === value && node.key === 'sethandler' ? [] : [replaceLine(document, node, [`SetHandler ${value}`])];
    if (!isShown && (beside.length > 0 || !isRefused))
      edits.push(insertBelow(file, guardPlaceOf(line), withoutModule(choice.condition, guardLines(undefined, unit), unit), unit));
    return [...edits, ...beside.map((guard) => removeLines(document, guard.node))];
  }
  if (showsSource(handler)) return [replaceLine(document, node, beside.length > 0 ? [] : guardLines(undefined, unit))];
  return [
    replaceLine(document, node, [`SetHandler "${choice.handler}"`]),
    ...beside.map((guard) => removeLines(document, guard.node)),
  ];
} // prettier-ignore

/** The blocks for PHP's module of 2.2, which 2.4 would never read: they ask for what is there, or their lines move out. */
function reportPhpConditions(
  context: TransformContext,
  groups: readonly HandlerGroup[],
  served: ServedHandlers,
): void {
  const rewritten = new Set(groups.flatMap(({ lines }) => lines.map(({ node }) => node)));
  const seen = new Set<Section>();
  context.sections(['IfModule'], (node, { file, root }) => {
    const [argument] = node.args;
    const word = argument?.value ?? '';
    if (argument === undefined || seen.has(node) || root.role === 'unreached') return;
    seen.add(node);
    const negated = word.startsWith('!') ? '!' : '';
    const name = word.slice(negated.length);
    if (!/^(?:mod_php[45]\.c|php[45]_module|sapi_apache2\.c)$/.test(name)) return;
    const told = phpChoice(context, file);
    if (told === undefined && isPhpPackaged(context)) return;
    const choice = told?.choice ?? served.phpModule();
    if (choice === undefined || choice.kind === 'none') {
      if (negated === '') reportIndexes(context, node, file, rewritten);
      return;
    }
    const report = (message: string, edits: readonly Edit[]): void =>
      context.report({
        file,
        at: node.open.from,
        level: 'warning',
        safety: 'review',
        message,
        edits,
        ...(told !== undefined && { answers: told.answers }),
      });
    if (choice.kind === 'module')
      report(`${name} is called ${choice.condition} where PHP is newer than 5`, [replaceArgument(file.document, argument, negated + choice.condition)]);
    else if (negated === '' && staysWithin(node, rewritten))
      report(`no module of PHP is loaded where FPM runs it: what <IfModule ${word}> holds is read without it`, unwrap(file.document, node));
  });
} // prettier-ignore

/**
 * The files of a DirectoryIndex in a block for PHP's module would be listed where it is not read: it moves out, if the block has
 * handlers, so that 2.2 read it.
 */
function reportIndexes(
  context: TransformContext,
  section: Section,
  file: ConfigFile,
  handlers: ReadonlySet<unknown>,
): void {
  const lines = section.body.filter((node) => node.kind === 'directive').filter(({ key }) => key === 'directoryindex');
  const [first] = lines;
  if (first === undefined || handlers.size === 0) return;
  const anchor = section.close ?? section.open;
  context.report({
    file,
    at: first.from,
    level: 'error',
    safety: 'review',
    message: `2.4 does not read <IfModule ${section.open.rest}>, and would list directories for which ${first.rest} answered: DirectoryIndex moves out of it`,
    edits: [
      ...lines.map((line) => removeLine(file.document, line)),
      insertAfter(file.document, anchor, lines.map(({ text }) => text)),
    ],
  });
} // prettier-ignore

/** Whether a block holds more than handler lines, which move out by themselves, and settings of PHP, which have another place. */
function staysWithin({ body }: Section, moved: ReadonlySet<unknown>): boolean {
  return body.some((node) =>
    node.kind === 'section' ? staysWithin(node, moved) || node.key.startsWith('files') : node.kind === 'directive' && !moved.has(node) && !node.key.startsWith('php_'),
  );
} // prettier-ignore

/** Debian's script disables the module together with its file: the new lines stand in a file of their own. */
function reportForDebian(
  context: TransformContext,
  group: HandlerGroup,
  handler: string,
  answers: readonly Answer[],
): void {
  const { file, lines, extensions } = group;
  const first = lines[0]!;
  const section = containersOf(first.place).at(-1)?.section;
  const text =
    extensions !== undefined
      ? handlerLinesFor(first.place, extensions, handler, '    ')
      : section?.key === 'filesmatch' && !showsSource(first.handler)
        ? [section.open.text, `    SetHandler "${handler}"`, '</FilesMatch>']
        : [];
  if (text.length === 0) return;
  // Without mod_proxy_fcgi, httpd would take the handler for none and send the sources.
  const guard = scriptGuard(extensions ?? namesInSection(first.place), section).map((line) => `    ${line}`);
  const words = [...text, '<IfModule !mod_proxy_fcgi.c>', ...guard, '</IfModule>'].map(shellQuoted).join(' ');
  context.report({
    file,
    at: first.node.from,
    level: 'warning',
    safety: 'manual',
    message: `${describe(group)}: as answered, PHP runs in FPM (${handler}); this file goes with the module, and the script of --format sh writes mods-enabled/php-fpm.conf`,
    edits: [],
    commands: [
      `rm -f ${SCRIPT_GUARDS}`,
      'enable alias',
      'enable proxy',
      'enable proxy_fcgi',
      `grep -qsF ${shellQuoted(text[0]!)} mods-enabled/php-fpm.conf || printf '%s\\n' ${words} >> mods-enabled/php-fpm.conf`,
    ],
    ...(answers.length > 0 && { answers }),
  });
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
      context.report({ file, at: node.from, level: 'error', safety: 'manual', message, edits: [] });
    }
  });
}

function isOfModule(handler: string): boolean {
  return /^application\/x-httpd-php(?:-source)?$/i.test(handler);
}
