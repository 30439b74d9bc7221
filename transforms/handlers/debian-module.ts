import type { Answer, TransformContext } from '../../src/engine';
import { showsSource } from '../../src/httpd/handlers';
import type { Section } from '../../src/syntax';
import { containersOf } from '../common/lines';
import { namesInSection, guardLines } from './guards';
import { type HandlerGroup, describe, isFileOfModule } from './handler-groups';
import { handlerLinesFor } from './handler-section';
import { shellQuoted } from '../../src/shell-word';

/** The file goes when the module is disabled, so that nothing that is written there lasts. */
export function isDebianModule({ file }: HandlerGroup): boolean {
  return isFileOfModule(file);
}

/** Written by the script, beside the modules, for what these files served. */
const SCRIPT_GUARDS = 'mods-enabled/no-sources.conf';
/** Names that the script refuses wherever it disables PHP (disable_without), and patterns of such names, as Debian's. */
const REFUSED_WITH_PHP = /^ph(?:p[0-9]?|ar|t|tml|ps)$/;
const PATTERN_OF_PHP =
  /^\^?(?:\.\+)?\\\.ph(?:p[0-9]?|ps|\((?:\?:)?(?:p(?:[0-9]\??|\[[0-9-]+\]\??)?|ps|ar|t|tml|\|)+\))\$$/;

/**
 * What stands in the file of a module goes with that: the script writes what refuses its files. A module of 2.4 does not make
 * this void, for its own file need not name them.
 */
export function reportScriptGuard(context: TransformContext, group: HandlerGroup): void {
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
    message: `${describe(group)}: this file goes with the module, and httpd would send the sources: the script of --format sh writes ${SCRIPT_GUARDS}, which refuses them; remove it once something runs them`,
    commands: [
      'enable alias',
      `grep -qsF ${shellQuoted(text[0]!)} ${SCRIPT_GUARDS} || printf '%s\\n' ${text.map(shellQuoted).join(' ')} >> ${SCRIPT_GUARDS}`,
    ],
  });
}

/** Refuses the files with some extensions, or, where these are not known, those of a section. */
function scriptGuard(
  extensions: readonly string[] | undefined,
  section: Section | undefined,
): readonly string[] {
  const guard = guardLines(extensions, '    ');
  if (extensions !== undefined || section === undefined) return guard;
  return [section.open.text, ...guard.map((line) => `    ${line}`), `</${section.name}>`];
}

/** Debian's script disables the module together with its file: the new lines stand in a file of their own. */
export function reportForDebian(
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
    message: `${describe(group)}: as answered, PHP runs in FPM (${handler}); this file goes with the module, and the script of --format sh writes mods-enabled/php-fpm.conf`,
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
