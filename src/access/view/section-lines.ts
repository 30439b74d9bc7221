import type { ConfigFile } from '../../config';
import type { Directive } from '../../syntax';
import { type Scope, type ScopeLine, linesOfPolicy, scopeName } from '../policy';
import { type MethodMask, coversAll } from '../primitives';

export interface ConfigLine {
  readonly text: string;
  readonly file: string;
  readonly line: number;
}

function configLine({ name, rest, from }: Directive, file: ConfigFile): ConfigLine {
  return { text: `${name} ${rest}`, file: file.name, line: file.document.positionAt(from).line };
}

/** The directives among some lines of a section, and those that what it sets comes from, each with its file. */
export function directivesOf(
  { file, policy }: Scope,
  lines: readonly ScopeLine[],
): ReadonlyMap<Directive, ConfigFile> {
  const files = new Map<Directive, ConfigFile>();
  for (const { node, file: holder } of lines) files.set(node, holder);
  for (const { origin } of linesOfPolicy(policy)) if (!files.has(origin)) files.set(origin, file);
  return files;
}

/** The lines of a section that 2.2's decision hangs on. */
export function linesOf22(scope: Scope): ConfigLine[] {
  const { old, requires, authType } = scope.lines;
  const files = directivesOf(scope, [...old, ...scope.ssl, ...requires, ...(authType ? [authType] : [])]);
  const masks = new Map(linesOfPolicy(scope.policy).map(({ origin, mask }) => [origin, mask]));
  return [...files]
    .sort(([a, fileA], [b, fileB]) => (fileA === fileB ? a.start - b.start : 0))
    .map(([node, file]) => {
      const line = configLine(node, file);
      return { ...line, text: line.text.trimEnd() + limited(masks.get(node)) };
    });
}

/** What a line around which a Limit stands is read for. */
export function limited(mask: MethodMask | undefined): string {
  if (mask === undefined || coversAll(mask)) return '';
  return ` (${mask.except ? 'not for' : 'for'} ${[...mask.names].join(', ')})`;
}

/** Directives as their file has them. */
export function linesAsWritten(lines: readonly ScopeLine[]): ConfigLine[] {
  return lines.map(({ node, file }) => configLine(node, file));
}

/** The lines of a section that a 2.4 with mod_access_compat goes by. */
export function linesOfCompat(scope: Scope): ConfigLine[] {
  const for24 = linesAsWritten(scope.lines.requires24);
  const old = linesOf22(scope).filter(
    (line22) => !for24.some(({ line, file }) => line === line22.line && file === line22.file),
  );
  return [...old, ...for24].sort((a, b) => (a.file === b.file ? a.line - b.line : 0));
}

export function shownAt(scope: Scope): { section: string; file: string; line: number } {
  const line = scope.section === undefined ? 1 : scope.file.document.positionAt(scope.section.open.from).line;
  return { section: scopeName(scope), file: scope.file.name, line };
}
