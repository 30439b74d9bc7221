import type { Edit } from '../edit';
import type { Argument, Section } from '../syntax';
import type { Scope } from './scope';

/** An end or a slash: in 2.2, where the end never matches in `<DirectoryMatch>`, that is a slash. */
const SLASH_OR_END = /\((?:\?:)?(?:\/\|\$|\$\|\/)\)/g;

/** The regex argument of a `<DirectoryMatch>` or `<Directory ~>`. */
function regexArgument(section: Section): Argument | undefined {
  return section.args[0]?.value === '~' ? section.args[1] : section.args[0];
}

/**
 * 2.2 matches `<DirectoryMatch>` so that `$` never holds, 2.4 against the whole file name (inventory C26): a section that was dead would
 * come alive. Only where a slash stands beside the end is it plain what 2.2 did.
 */
export function isDeadRegex(section: Section): boolean {
  const rest = regexArgument(section)
    ?.value.replace(SLASH_OR_END, '')
    .replace(/\\.|\[\^?\]?[^\]]*\]/g, '');
  return rest?.includes('$') === true;
}

/** A regex as 2.2 read it. */
export function withoutEnd(regex: string): string {
  return regex.replace(SLASH_OR_END, '/');
}

/** The edits that make 2.4 match what 2.2 did. */
export function regexEdits(scope: Scope): Edit[] {
  if (scope.kind !== 'directory-match' || scope.section === undefined) return [];
  const word = regexArgument(scope.section);
  if (word === undefined) return [];
  // No more than the ends: others may have something to change in the same word.
  return [...scope.file.document.text.slice(word.start, word.end).matchAll(SLASH_OR_END)].map(
    ({ 0: found, index }) => {
      const start = word.start + index;
      return { start, end: start + found.length, text: '/' };
    },
  );
}
