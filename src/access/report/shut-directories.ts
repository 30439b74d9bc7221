import type { ConfigFile, ConfigTree } from '../../config';
import type { Section } from '../../syntax';
import { collect } from '../collect';
import { overridesOf } from '../override';
import { globMatches } from '../primitives';
import { SHUT_LINES } from '../rewrite';

/** A section that lets nobody into a directory and has its `.htaccess` not read. */
export interface ShutSection {
  readonly file: ConfigFile;
  readonly section: Section;
  /** The file that is not read, and says who gets in. */
  readonly unread: ConfigFile;
}

/** The sections written for a `.htaccess` that cannot be written, where there still is one with lines about access. */
export function shutSections(tree: ConfigTree): ShutSection[] {
  if (tree.htaccess.length === 0) return [];
  const shut = collect(tree).scopes.flatMap(({ kind, pattern, section, place: { file } }) =>
    kind === 'directory' && section !== undefined && isShut(section) ? [{ pattern, section, file }] : [],
  );
  if (shut.length === 0) return [];
  const { directoriesOf } = overridesOf(tree);
  const restricting = tree.htaccess.filter(({ document }) => ACCESS_LINE.test(document.text));
  const files = new Map(restricting.flatMap((file) => directoriesOf(file).map((path) => [path, file])));
  return shut.flatMap(({ pattern, section, file }) => {
    const unread =
      pattern.kind === 'path'
        ? files.get(pattern.path)
        : pattern.kind === 'glob' && [...files].find(([path]) => globMatches(pattern.glob, path))?.[1];
    return unread ? [{ file, section, unread }] : [];
  });
}

const ACCESS_LINE = /^[ \t]*(?:require|order|allow|deny|satisfy)[ \t]/im;
const LINES = SHUT_LINES.map((line) => line.toLowerCase());

/** Whether a section says nothing else, but in an `<If>` beside, which can only say it once more. */
export function isShut({ body }: Section): boolean {
  const lines = body.flatMap((node) =>
    node.kind === 'directive'
      ? [[node.key, ...node.args.map(({ value }) => value.toLowerCase())].join(' ')]
      : [],
  );
  return lines.length === LINES.length && LINES.every((line) => lines.includes(line));
}
