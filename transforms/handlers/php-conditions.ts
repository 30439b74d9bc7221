import { insertAfter, removeLine, replaceArgument, type Edit, unwrap } from '../../src/edit';
import type { TransformContext } from '../../src/engine';
import type { ConfigFile } from '../../src/config';
import type { Section } from '../../src/syntax';
import { type HandlerGroup, type ServedHandlers, isPhpOf22 } from './handler-groups';
import { isPhpPackaged, phpChoice } from './php-answer';
import { isNotInUse } from '../common/lines';

/** The blocks for PHP's module of 2.2, which 2.4 would never read: they ask for what is there, or their lines move out. */
export function reportPhpConditions(
  context: TransformContext,
  groups: readonly HandlerGroup[],
  served: ServedHandlers,
): void {
  const rewritten = new Set(groups.flatMap(({ lines }) => lines.map(({ node }) => node)));
  const seen = new Set<Section>();
  context.sections(['IfModule'], (node, place) => {
    const { file } = place;
    const [argument] = node.args;
    const word = argument?.value ?? '';
    if (argument === undefined || seen.has(node) || isNotInUse(place, context.tree)) return;
    seen.add(node);
    const negated = word.startsWith('!') ? '!' : '';
    const name = word.slice(negated.length);
    if (!isPhpOf22(name)) return;
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
      report(`${name} is called ${choice.condition} where PHP is newer than 5`, [
        replaceArgument(file.document, argument, negated + choice.condition),
      ]);
    else if (negated === '' && staysWithin(node, rewritten))
      report(
        `no module of PHP is loaded where FPM runs it: what <IfModule ${word}> holds is read without it`,
        unwrap(file.document, node),
      );
  });
}

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
  const lines = section.body
    .filter((node) => node.kind === 'directive')
    .filter(({ key }) => key === 'directoryindex');
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
      insertAfter(
        file.document,
        anchor,
        lines.map(({ text }) => text),
      ),
    ],
  });
}

/** Whether a block holds more than handler lines, which move out by themselves, and settings of PHP, which have another place. */
function staysWithin({ body }: Section, moved: ReadonlySet<unknown>): boolean {
  return body.some((node) =>
    node.kind === 'section'
      ? staysWithin(node, moved) || node.key.startsWith('files')
      : node.kind === 'directive' && !moved.has(node) && !node.key.startsWith('php_'),
  );
}
