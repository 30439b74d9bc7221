import { type ConfigFile, hostAround, placeCondition, serversOf } from '../../src/config';
import type { TransformContext } from '../../src/engine';
import { containersOf, isUnknown } from './lines';

/** The classes of AllowOverride that the rules ask about. */
export type OverrideClass = 'authconfig' | 'fileinfo' | 'indexes' | 'limit' | 'options';

/**
 * Whether AllowOverride allows a class in a `.htaccess`.
 * @returns undefined where the run does not see it: without the whole server, or where patterns, variables or conditionals decide
 */
export function allowsOverride(
  context: TransformContext,
  { directories }: ConfigFile,
  overrideClass: OverrideClass,
): boolean | undefined {
  if (serversOf(context.tree).main?.whole !== true || directories.length === 0) return undefined;
  const lines = context.index.directives(['AllowOverride']);
  const answers = directories.map((directory) => {
    let allowed: { readonly path: string; readonly value: boolean } | undefined;
    for (const { node, place } of lines) {
      const [frame, ...more] = containersOf(place);
      const path = frame?.section.args[0]?.value ?? '';
      const isPlain =
        frame?.section.key === 'directory' && frame.section.args.length === 1 && more.length === 0;
      if (!isPlain || isUnknown(path + node.rest) || /[*?[\]]/.test(path)) return undefined;
      const slashed = path.endsWith('/') ? path : `${path}/`;
      if (!`${directory}/`.startsWith(slashed)) continue;
      if (hostAround(place.chain) !== undefined || placeCondition(place.chain).on22 !== true)
        return undefined;
      const words = node.args.map(({ value }) => value.toLowerCase());
      const value = words.some((word) => word === 'all' || word.split('=')[0] === overrideClass);
      if (allowed === undefined || slashed.length >= allowed.path.length) allowed = { path: slashed, value };
    }
    return allowed?.value;
  });
  const [first] = answers;
  return answers.every((answer) => answer === first) ? first : undefined;
}
