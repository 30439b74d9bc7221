import { PHP_TASK } from '../common/tasks';
import { type ConfigFile, type Place, placeCondition } from '../../src/config';
import { type Edit, insertAfter, removeLine } from '../../src/edit';
import { type Answer, defineTransform, type TransformContext } from '../../src/engine';
import { PHP_SETTINGS } from '../../src/httpd/handlers';
import type { Directive } from '../../src/syntax';
import { shellQuoted } from '../../src/shell-word';
import { allowsOverride } from '../common/allow-override';
import { containersOf, isNotInUse } from '../common/lines';
import { isEngine, isPhpPackaged, PHP_QUESTION, phpChoice, turnsOff } from './php-answer';
import { addTo } from '../../src/maps';

export default defineTransform({
  id: 'php-settings',
  changes: ['B8'],
  title: 'php_value and php_flag, which only a module of PHP reads',
  why: 'FPM reads .user.ini in place of php_value in a .htaccess, and its pool in place of php_admin_value. 2.4 without a module of PHP does not start with such a line, or answers 500 if it stands in a .htaccess; in <IfModule mod_php5.c> it is never read again, because mod_php.c is the name of PHP 8, mod_php7.c that of PHP 7.',
  docs: ['PHP: sapi/apache2handler/apache_config.c', 'PHP manual: .user.ini files'],
  directives: [...PHP_SETTINGS, 'PHPIniDir'],
  questions: [PHP_QUESTION],
  run(context) {
    const byFile = new Map<ConfigFile, PhpSetting[]>();
    const seen = new Set<Directive>();
    context.index.visitInOrder(PHP_SETTINGS, [], (node, place) => {
      if (node.kind !== 'directive' || seen.has(node) || placeCondition(place.chain).on22 === false) return;
      seen.add(node);
      if (isNotInUse(place, context.tree)) return;
      const told = phpChoice(context, place.file)?.choice;
      if (told?.kind === 'module' || (told === undefined && isPhpThere(context))) return;
      // The rule php-kept-out looks after what switches PHP off, where it may run.
      if (told?.kind !== 'none' && isEngine(node) && turnsOff(node)) return;
      if (told === undefined) reportOpen(context, { node, place });
      else {
        addTo(byFile, place.file, { node, place });
      }
    });
    for (const [file, settings] of byFile) reportRemoved(context, file, settings);
    reportIniDirectories(context);
  },
});

interface PhpSetting {
  readonly node: Directive;
  readonly place: Place;
}

/** FPM, and a httpd without PHP, have no use for the place of the module's php.ini. */
function reportIniDirectories(context: TransformContext): void {
  context.directives(['PHPIniDir'], (node, { file, chain }) => {
    const told = phpChoice(context, file);
    if (told === undefined || told.choice.kind === 'module' || placeCondition(chain).on22 === false) return;
    context.report({
      file,
      at: node.from,
      level: 'error',
      safety: 'review',
      message: `PHPIniDir is for PHP as a module, and is removed: ${told.choice.kind === 'fpm' ? 'FPM reads a php.ini of its own, in which the settings that you need must stand' : 'as answered, PHP does not run'}`,
      edits: [removeLine(file.document, node)],
      answers: told.answers,
    });
  });
}

function isPhpThere(context: TransformContext): boolean {
  const { targetModules } = context;
  return (
    targetModules?.has('php_module') === true ||
    targetModules?.has('php7_module') === true ||
    isPhpPackaged(context)
  );
}

function reportOpen(context: TransformContext, { node, place: { file, chain } }: PhpSetting): void {
  const isRead = !chain.some(({ section }) => section.key === 'ifmodule');
  context.report({
    file,
    at: node.from,
    level: isRead ? 'error' : 'warning',
    message: `a setting of PHP, which only a module of PHP reads: ${isRead ? 'without it 2.4 does not start, or answers 500 where it stands in a .htaccess' : 'what stands in a block for a module that 2.4 does not have is lost'}`,
    task: PHP_TASK,
    remedy:
      '--answer php=fpm:/run/php/php-fpm.sock takes it out and says where FPM reads it, php=module keeps it',
  });
}

/** The line of an ini file, with the value as PHP reads it. */
function iniLine({ node }: PhpSetting): string {
  const [name = '', value = ''] = node.args.map((argument) => argument.value);
  if (node.key.endsWith('flag')) return `${name} = ${/^(?:on|1)$/i.test(value) ? 'On' : 'Off'}`;
  if (/^none$/i.test(value)) return `${name} =`;
  return `${name} = ${/^[\w./:~-]+$/.test(value) ? value : `"${value.replaceAll('"', String.raw`\"`)}"`}`;
}

const REFUSED_USER_INI = ['<Files ".user.ini">', '    Redirect 403 /', '</Files>'];

function poolLine(setting: PhpSetting): string {
  const [name = '', value = ''] = iniLine(setting).split(/ = ?(.*)/s);
  return `${setting.node.key}[${name}] = ${value}`;
}

/** The lines leave the file, and what they say goes where FPM reads it. */
function reportRemoved(context: TransformContext, file: ConfigFile, settings: readonly PhpSetting[]): void {
  const told = phpChoice(context, file);
  if (told === undefined) return;
  if (told.choice.kind === 'fpm') reportForFpm(context, file, settings, told.answers);
  else
    context.report({
      file,
      at: settings[0]!.node.from,
      level: 'error',
      safety: 'review',
      message: `as answered, PHP does not run: ${settings.length === 1 ? 'its setting is' : `its ${settings.length} settings are`} removed`,
      edits: settings.map(({ node }) => removeLine(file.document, node)),
      answers: told.answers,
    });
}

/**
 * Reports PHP settings: those that a `.user.ini` may hold are told for it, and refused to visitors here; those of sections, of
 * the server config and of php_admin_value are told for the pool of FPM.
 */
function reportForFpm(
  context: TransformContext,
  file: ConfigFile,
  settings: readonly PhpSetting[],
  answers: readonly Answer[],
): void {
  const { document } = file;
  const [directory] = file.directories;
  // What is refused here is written by Redirect, which AllowOverride must allow.
  const mayBeRefused = file.role === 'htaccess' && allowsOverride(context, file, 'fileinfo') !== false;
  const fitsUserIni = ({ node, place }: PhpSetting): boolean =>
    mayBeRefused && !node.key.startsWith('php_admin') && containersOf(place).length === 0;
  const user = settings.filter(fitsUserIni);
  const pool = settings.filter((setting) => !fitsUserIni(setting));
  const edits: Edit[] = settings.map(({ node }) => removeLine(document, node));
  const last = document.body.at(-1);
  if (user.length > 0 && last !== undefined && last.kind !== 'raw')
    edits.push(
      insertAfter(document, last.kind === 'section' ? (last.close ?? last.open) : last, REFUSED_USER_INI),
    );
  const lines = user.map(iniLine);
  // What switches PHP on says nothing to FPM, which runs all that it is asked for.
  const told = pool.filter(({ node }) => !isEngine(node));
  const path = directory === undefined ? '.user.ini' : `${directory}/.user.ini`;
  const parts = [
    ...(user.length > 0
      ? [
          `write to ${path} (the script of --format sh does), which is refused to visitors here: ${lines.join('; ')}`,
        ]
      : []),
    ...(told.length > 0
      ? [`write to the pool of FPM, for the scripts that they were for: ${told.map(poolLine).join('; ')}`]
      : []),
  ];
  const words = lines.map(shellQuoted).join(' ');
  context.report({
    file,
    at: settings[0]!.node.from,
    level: 'error',
    // A .user.ini that visitors could read before is refused to them now.
    safety: user.length > 0 ? 'strict' : 'review',
    message: `FPM reads no php_value and no php_flag: the ${settings.length === 1 ? 'line is' : `${settings.length} lines are`} removed${parts.map((part) => `; ${part}`).join('')}`,
    edits,
    ...(directory !== undefined &&
      user.length > 0 && {
        commands: [`[ -e ${shellQuoted(path)} ] || printf '%s\\n' ${words} > ${shellQuoted(path)}`],
      }),
    answers,
  });
}
