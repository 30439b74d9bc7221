import type { ConfigFile, ConfigTree } from '../../config';
import { firstWhere } from '../../syntax';
import { accessView, type SectionView } from './inheritance';
import { addTo, memo } from '../primitives';

/**
 * What the decision about the section at a place rests on, as text: the lines of the section, and what a request has met before
 * it comes there. Without names of files: copies of one site have the same. Empty where no section that decides access is there.
 */
export function accessBasis(
  tree: ConfigTree,
  { file, at }: { readonly file: ConfigFile; readonly at: number },
): string {
  const { line } = file.document.positionAt(at);
  const sections = sectionsOf(tree).get(file.name) ?? [];
  const view = sections[firstWhere(sections, (section) => section.line > line) - 1];
  if (view === undefined) return '';
  const inherits = view.inherits?.map(({ lines, satisfy, authType, ssl }) =>
    JSON.stringify([lines, satisfy, authType, ssl]),
  );
  return JSON.stringify([view.kind, view.sets.map(({ text }) => text), [...new Set(inherits)].sort()]);
}

/** By file, in the order of their lines. */
const sectionsOf = memo((tree: ConfigTree): ReadonlyMap<string, readonly SectionView[]> => {
  const byFile = new Map<string, SectionView[]>();
  for (const { sections } of accessView(tree).groups)
    for (const section of sections) addTo(byFile, section.file, section);
  for (const sections of byFile.values()) sections.sort((a, b) => a.line - b.line);
  return byFile;
});
