import type { ConfigFile, ConfigTree } from '../../config';
import type { Section } from '../../syntax';
import type { Scope, ScopeKind } from '../policy';
import { type Pattern, isGlob, normalisePath, plus } from '../primitives';
import { isDeadRegex } from './deadregex';

/** The directories whose `.htaccess` a file is, or, as `htaccess.txt` and the like, would be. */
export function governed(root: ConfigFile): readonly string[] {
  if (root.role === 'htaccess') return root.directories;
  const slash = root.path.lastIndexOf('/');
  const spare = root.role === 'unreached' && /^[._-]?htaccess\b/i.test(root.path.slice(slash + 1));
  return spare ? [root.path.slice(0, slash) || '/'] : [];
}

/** Refuses a `<DirectoryMatch>` that never matched in 2.2 and would in 2.4. */
export function noteDeadRegex(scope: Scope, section: Section): void {
  if (isDeadRegex(section) && scope.problems.length === 0)
    scope.problems = plus(scope.problems, {
      node: section,
      message: 'its regex asks for the end of the name, which never matched in 2.2 and does in 2.4',
    });
}

/** Refuses Locations whose regex asks for several slashes in a row: 2.4 makes one of them first (2.4 server/request.c: MergeSlashes). */
export function noteSlashes(scopes: readonly Scope[]): void {
  for (const scope of scopes) {
    const { kind, section, problems } = scope;
    if (kind !== 'location' || section === undefined) continue;
    const regex = section.args[section.key === 'locationmatch' ? 0 : section.args[0]?.value === '~' ? 1 : 9];
    const plain = regex?.value.replace(/\\(?=\/)/g, '').replace(/\[\/\]/g, '/').replace(/\[[^\]]*\]/g, '.'); // prettier-ignore
    if (plain === undefined || !/\/\+?\/|\/\{(?:[2-9]|1[0-9])/.test(plain)) continue;
    if (problems.length === 0)
      scope.problems = plus(problems, {
        node: section,
        message:
          'its regex asks for several slashes in a row, which 2.4 makes one before it looks, unless MergeSlashes is Off',
      });
  }
}

/** What a section matches, as far as its text tells. */
export function patternOf(kind: ScopeKind, section: Section, tree: ConfigTree): Pattern {
  const [first] = section.args;
  if (first === undefined || first.value === '~' || section.key.endsWith('match')) return { kind: 'any' };
  let { value } = first;
  if (value.includes('${')) {
    value = value.replace(/\$\{([^}]*)\}/g, (whole, name: string) => tree.variables.get(name) ?? whole);
    if (value.includes('${')) return { kind: 'any' };
  }
  if (kind === 'directory' && !value.startsWith('/')) return { kind: 'any' };
  if (isGlob(value)) return { kind: 'glob', glob: kind === 'directory' ? normalisePath(value) : value };
  return { kind: 'path', path: kind === 'directory' ? normalisePath(value) : value };
}
