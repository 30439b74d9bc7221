import {
  areDisjoint,
  globEndings,
  globMayMatch,
  isGlob,
  locationsMeet,
  regexEndings,
  regexMayMatch,
  memo,
} from '../primitives';
import { type Scope, regexOf } from './scope';

type NamedFiles = Pick<Scope, 'kind' | 'pattern' | 'section'>;

/** True for Files sections that no file name can meet both: other names, or endings that exclude one another. */
export function excludeEachOther(a: NamedFiles, b: NamedFiles): boolean {
  return exclusionOf(b)(a);
}

/** {@link excludeEachOther} of one section and any other. */
export function exclusionOf(b: NamedFiles): (a: NamedFiles) => boolean {
  const { pattern } = b;
  if (pattern.kind === 'path')
    return (a) => (a.pattern.kind === 'path' ? a.pattern.path !== pattern.path : !mayBeFor(a, pattern.path));
  const endingsB = endingsOf(b);
  return (a) => {
    if (a.pattern.kind === 'path') return !mayBeFor(b, a.pattern.path);
    const endingsA = endingsB === undefined ? undefined : endingsOf(a);
    return endingsA !== undefined && areDisjoint(endingsA, endingsB!);
  };
}

const endingsOf = memo((scope: NamedFiles): readonly string[] | undefined => {
  const { kind, pattern } = scope;
  if (kind === 'files' && pattern.kind === 'glob') return globEndings(pattern.glob);
  const regex = fileRegexOf(scope);
  return regex === undefined ? undefined : regexEndings(regex);
});

/** Whether a Files section with a pattern may apply to a file of this name. */
function mayBeFor(scope: NamedFiles, name: string): boolean {
  if (scope.pattern.kind === 'glob') return globMayMatch(scope.pattern.glob, name);
  const regex = fileRegexOf(scope);
  return regex === undefined || name.includes('${') || regexMayMatch(regex, name);
}

/** The regex of a Files section; undefined where it has none, or not all of it is known. */
function fileRegexOf(scope: NamedFiles): string | undefined {
  const regex = scope.kind === 'files' ? regexOf(scope) : undefined;
  return regex === undefined || /[$]\{/.test(regex) ? undefined : regex;
}

/** True for a Files section that no file can meet whose name a glob matches. */
export function excludesGlob(scope: Scope, glob: string): boolean {
  const pattern = isGlob(glob) ? ({ kind: 'glob', glob } as const) : ({ kind: 'path', path: glob } as const);
  return excludeEachOther(scope, { kind: 'files', pattern, section: undefined });
}

/** Whether the order of two sections may decide: they are of one kind, and one request may meet both at one step of the merge. */
export function hangsOnOrder(a: Scope, b: Scope): boolean {
  if (a.kind !== b.kind) return false;
  if (a.kind === 'files') return !excludeEachOther(a, b);
  if (a.pattern.kind !== 'path' || b.pattern.kind !== 'path') return true;
  if (a.kind === 'directory') return a.pattern.path === b.pattern.path;
  return a.kind !== 'location' || locationsMeet(a.pattern.path, b.pattern.path);
}
