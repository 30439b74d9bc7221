import type { MessageGroup } from '../../../ask';
import type { Transform } from '../../../engine/types';
import { requestText } from '../../../log';

/** A command to run, and what it is for. */
export interface SuggestedCommand {
  readonly words: readonly string[];
  readonly purpose: string;
}

/** Commands of a kind that are named at most. */
const MOST = 5;

/** What stands for the configuration where none was given and the messages name no file. */
export const NO_PATHS = 'PATHS';

/**
 * What to run next, for messages.
 * @param paths the configuration as it was given; none: the file that a message names
 */
export function commandsFor(
  groups: readonly MessageGroup[],
  paths: readonly string[],
  transforms: readonly Transform[],
): readonly SuggestedCommand[] {
  const named = groups.flatMap(({ places }) => places.map(({ name }) => name));
  // httpd calls its own command line so: `-c/-C directives`.
  const where = paths.length > 0 ? paths : [named.find((name) => !name.startsWith('-')) ?? NO_PATHS];
  const requests = groups.flatMap(({ requests: logged }) => logged.slice(0, 1));
  const rules = [...new Set(groups.flatMap(({ explanation }) => explanation.rule?.id ?? []))];
  const edits = rules.filter((id) =>
    transforms.some((transform) => transform.id === id && transform.advisory !== true),
  );
  const stops = groups.some(({ places }) => places.some(({ line }) => line !== undefined));
  return [
    ...requests.slice(0, MOST).map(({ request }) => ({
      words: ['httpd-codemod', '--explain', requestText(request), ...where],
      purpose: 'which section decides this request',
    })),
    ...(rules.includes('debian-layout')
      ? [
          {
            words: ['httpd-codemod', '--format', 'sh', ...where],
            purpose: 'the commands that move and enable the files',
          },
        ]
      : []),
    ...edits.slice(0, MOST).map((id) => ({
      words: ['httpd-codemod', '--rule', id, ...where],
      purpose: 'what this rule would change',
    })),
    ...rules.slice(0, MOST).map((id) => ({
      words: ['httpd-codemod', 'rules', id],
      purpose: 'what the rule is about',
    })),
    ...(stops ? [{ words: ['apachectl', 'configtest'], purpose: 'whether httpd takes the result' }] : []),
  ];
}
