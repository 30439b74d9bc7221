import {
  type ConfigFile,
  type ConfigTree,
  type Place,
  isSpareAccessFile,
  replaceVariables,
} from '../../config';
import type { Edit } from '../../edit';
import { findsNothing } from '../../regex';
import type { Directive, Section } from '../../syntax';
import { type Scope, type ScopeKind, regexArgument } from '../policy';
import {
  type SectionPattern,
  isGlob,
  absolutePath,
  hasDrive,
  isTemplatePath,
  memo,
  normalisePath,
} from '../primitives';
import type { ScopeBuilder } from './scope-builder';
import type { Slashes } from './slashes';

/** Sections that access lines belong to. */
export const SCOPES: Readonly<Record<string, ScopeKind>> = {
  __proto__: null!,
  directory: 'directory',
  directorymatch: 'directory-match',
  files: 'files',
  filesmatch: 'files',
  location: 'location',
  locationmatch: 'location',
  proxy: 'proxy',
  proxymatch: 'proxy',
};

/** Only Files may stand inside another section, and in these alone it has an effect (server/core.c: the NOT_IN_* flags). */
export const HOLDS_FILES = new Set<ScopeKind>(['directory', 'directory-match', 'htaccess', 'files']);

/** Sections of 2.4's authorization. */
export const CONTAINERS = new Set(['requireall', 'requireany', 'requirenone', 'authzprovideralias']);
/** Decided anew for each request, in 2.4. */
export const PER_REQUEST = new Set(['if', 'elseif', 'else']);

/** The ends that a regex asks for, with a slash or alone; not what is quoted, escaped or in brackets, nor a variable. */
const ENDS =
  /\\Q.*?(?:\\E|$)|\\.|\$\{[^{}]*\}|\[\^?\]?(?:\\.|\[:\^?\w+:\]|[^\]\\])*\]|\((?:\?:)?(?:\/\|\$|\$\|\/)\)|\$/gs;

/** What an end is to 2.2, which never finds it in a `<DirectoryMatch>`; undefined for what is none. */
function endIn22(found: string): string | undefined {
  if (found === '$') return '(?!)';
  return found.startsWith('(') ? '/' : undefined;
}

/** A regex as 2.2 read it for directories: it matched so that `$` never holds (docs/facts/changes.md: C26). */
export function regexIn22(regex: string): string {
  return regex.replace(ENDS, (found) => endIn22(found) ?? found);
}

/** Whether a regex for directories matched none in 2.2, as all that it is for ends in `$`. */
export function isDeadRegex(regex: string): boolean {
  return regex.includes('$') && findsNothing(regexIn22(regex));
}

/** Whether a section of a 2.2 is for directories by a regex that matches none there, though it may in 2.4, or stands in one. */
export const isNeverMetBy22 = memo(({ kind, section, parent, reading }: Scope): boolean => {
  if (kind === 'files') return parent !== undefined && isNeverMetBy22(parent);
  if (reading !== '2.2' || kind !== 'directory-match' || section === undefined) return false;
  return isDeadRegex(regexArgument(section)?.value ?? '');
});

/** The edits that make 2.4 match what 2.2 did, where that was anything. */
export function regexEdits(scope: Scope): Edit[] {
  if (scope.kind !== 'directory-match' || scope.section === undefined || isNeverMetBy22(scope)) return [];
  const word = regexArgument(scope.section);
  if (word === undefined) return [];
  // No more than the ends: others may have something to change in the same word.
  return [...scope.file.document.text.slice(word.start, word.end).matchAll(ENDS)].flatMap(
    ({ 0: found, index }) => {
      const text = endIn22(found);
      const start = word.start + index;
      return text === undefined ? [] : { start, end: start + found.length, text };
    },
  );
}

/** A directory of a `.htaccess`, as paths are compared: on a server on Windows with the letter of its drive. */
export function serverDirectory(path: string): string {
  return hasDrive(path) ? absolutePath(path, path)! : normalisePath(path);
}

/** The directories whose `.htaccess` a file is, or would be once it is renamed. */
export function accessFileDirectories(root: ConfigFile): readonly string[] {
  if (root.role === 'htaccess') return root.directories.map((path) => serverDirectory(path));
  const slash = root.path.lastIndexOf('/');
  return root.role === 'unreached' && isSpareAccessFile(root) ? [root.path.slice(0, slash) || '/'] : [];
}

/**
 * Whether a `<DirectoryMatch>` that never matched in 2.2 says more than to refuse everybody: one that says no more may come alive
 * in 2.4, which is what it was written for, and lets in nobody.
 */
export function awakesIn24(scope: Scope): boolean {
  return isNeverMetBy22(scope) && (scope.section === undefined || !refusesEverybody(scope.section));
}

/** Whether a section has `Order` and `Deny from all`, and nothing else. */
export function refusesEverybody({ body }: Pick<Section, 'body'>): boolean {
  let denies = false;
  for (const node of body) {
    if (node.kind === 'comment' || node.kind === 'blank') continue;
    if (node.kind !== 'directive' || (node.key !== 'order' && node.key !== 'deny')) return false;
    if (node.key === 'deny' && !/^from[ \t]+all$/i.test(node.rest.trim())) return false;
    denies ||= node.key === 'deny';
  }
  return denies;
}

/** Refuses Locations whose regex asks for several slashes where 2.4 makes them one (2.4 server/request.c: MergeSlashes). */
export function noteSlashes(scopes: readonly ScopeBuilder[], slashes: Slashes): void {
  for (const builder of scopes) {
    const { kind, section, vhost, problems } = builder.scope;
    if (kind !== 'location' || section === undefined) continue;
    const plain = regexArgument(section)
      ?.value.replace(/\\(?=\/)/g, '')
      .replace(/\[\/\]/g, '/')
      .replace(/\[[^\]]*\]/g, '.');
    if (plain === undefined || !/\/\+?\/|\/\{(?:[2-9]|1[0-9])/.test(plain)) continue;
    if (problems.length === 0 && slashes.mayMergeAround(vhost))
      builder.addProblem(section, { kind: 'regex-slashes' });
  }
}

/** What a section matches, as far as its text shows. */
export function patternOf(kind: ScopeKind, section: Section, tree: ConfigTree): SectionPattern {
  const [first] = section.args;
  if (first === undefined || first.value === '~' || section.key.endsWith('match')) return { kind: 'any' };
  let { value } = first;
  if (value.includes('${')) {
    value = replaceVariables(value, (whole, name) => tree.variables.get(name) ?? whole);
    if (value.includes('${')) return { kind: 'any' };
  }
  const path = kind === 'directory' ? absolutePath(value, tree.serverRoot) : value;
  // In brackets they are no part of a template.
  if (path === undefined || isTemplatePath(value.replace(/\[[<>]\]/g, ''))) return { kind: 'any' };
  return isGlob(value) ? { kind: 'glob', glob: path } : { kind: 'path', path };
}

export function isAllDenied({ key, rest }: Directive): boolean {
  return key === 'require' && /^all[ \t]+denied$/i.test(rest.trim());
}

/** Whether a line stands in an `<If>` that no request is left out of, and that is in nothing but its section. */
export function isForAllRequests({ chain }: Place): boolean {
  const [around, section] = [chain.at(-2)?.section, chain.at(-1)?.section];
  return section?.key === 'if' && section.open.rest.trim() === '"true"' && (around?.key ?? '') in SCOPES;
}
