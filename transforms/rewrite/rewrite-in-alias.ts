import type { Place } from '../../src/config';
import { defineTransform, type TransformContext, type TreeIndex } from '../../src/engine';
import { FACTS } from '../../src/httpd/facts';
import { memo } from '../../src/maps';
import { type Directive, walk } from '../../src/syntax';
import { containersOf, isCarriedOver, isUnknown, reportLines } from '../common/lines';
import { flagsOf, rewriteWords } from '../common/words';

/** With one of these flags, the result is not looked for below the directory. */
const NO_FILE_FLAGS = /^(?:r|redirect|p|proxy|f|forbidden|g|gone)$/;

export default defineTransform({
  id: 'rewrite-in-alias',
  changes: ['F24'],
  title: 'RewriteRule in a directory of Alias, UserDir or VirtualDocumentRoot, without RewriteBase',
  why: 'For a directory outside of DocumentRoot, or below a VirtualDocumentRoot, 2.2 takes the path of the rewritten file for a URL: without RewriteBase, a 404. Since 2.4.16, mod_rewrite knows the URL of the directory, and the rule takes effect. RewriteOptions IgnoreContextInfo restores what 2.2 did.',
  docs: ['mod_rewrite: RewriteOptions IgnoreContextInfo', 'modules/mappers/mod_rewrite.c: hook_fixup'],
  lifeSpan: FACTS['rewrite-context-prefix'],
  advisory: true,
  onlyWhenUpgrading: true,
  run(context) {
    /** What is said of one rule of a directory holds for the others, too. */
    const asked = new Set<AliasScope>();
    reportLines(context, ['RewriteRule'], (node, place) => {
      if (!isRelative(node)) return undefined;
      const scope = containersOf(place)[0]?.section ?? place.root;
      if (asked.has(scope)) return undefined;
      asked.add(scope);
      const mapping = setsBase(scope) ? undefined : mappingOf(context, directoriesOf(place));
      if (mapping === undefined) return undefined;
      const { line } = mapping.file.document.positionAt(mapping.node.from);
      return {
        level: 'warning',
        message: `in 2.2 this rule led to a 404 below the ${mapping.node.name} of ${mapping.file.name}:${line}, because there is no RewriteBase; since 2.4.16 it takes effect: check that this is intended, else delete it or set RewriteOptions IgnoreContextInfo`,
      };
    });
  },
});

/** Whether a rule leads to a file that it names relative to its directory. */
function isRelative(node: Directive): boolean {
  const [pattern, substitution, flags] = rewriteWords(node);
  if (substitution === undefined || isUnknown(substitution.text)) return false;
  if (substitution.text === '-' || /^(?:[/%?]|\$\D|[A-Za-z][A-Za-z0-9+.-]*:)/.test(substitution.text))
    return false;
  // What a group has of the path begins with a slash, or is a URL, only where its pattern says so.
  if (substitution.text.startsWith('$') && /[(|]\\?\/|[^?]:/.test(pattern?.text ?? '')) return false;
  return !flagsOf(flags).some(({ key }) => NO_FILE_FLAGS.test(key));
}

type AliasScope = Place['root'] | Place['chain'][number]['section'];

function setsBase(scope: AliasScope): boolean {
  const body = 'body' in scope ? scope.body : scope.document.body;
  return [...walk(body)].some(
    ([node]) =>
      node.kind === 'directive' &&
      (node.key === 'rewritebase' || (node.key === 'rewriteoptions' && /IgnoreContextInfo/i.test(node.rest))),
  );
}

/** The directories that a `.htaccess` or a `<Directory>` without a pattern is about. */
function directoriesOf(place: Place): readonly string[] {
  if (place.root.role === 'htaccess') return place.root.directories;
  const [frame] = containersOf(place);
  const { key = '', args = [] } = frame?.section ?? {};
  const path = args[0]?.value ?? '';
  return key === 'directory' && args.length === 1 && !/[*?[]/.test(path) && !isUnknown(path) ? [path] : [];
}

interface AliasMapping {
  readonly file: Place['file'];
  readonly node: Directive;
}

/** The Alias or UserDir that leads to one of these directories, if no DocumentRoot does, or the VirtualDocumentRoot that does. */
function mappingOf({ index }: TransformContext, directories: readonly string[]): AliasMapping | undefined {
  let virtualRoot: AliasMapping | undefined;
  index.someDirective(['VirtualDocumentRoot', 'VirtualDocumentRootIP'], (node, place) => {
    if (isCarriedOver(place) && directories.some((directory) => virtualRootLeadsTo(node, directory)))
      virtualRoot = { node, file: place.file };
    return virtualRoot !== undefined;
  });
  if (virtualRoot !== undefined) return virtualRoot;
  const roots = documentRoots(index);
  const outside = directories.filter(
    (directory) => !roots.some((root) => withSlash(directory).startsWith(root)),
  );
  if (outside.length === 0) return undefined;
  let found: AliasMapping | undefined;
  index.someDirective(['Alias', 'UserDir'], (node, place) => {
    const leads = node.key === 'alias' ? aliasLeadsTo : userDirLeadsTo;
    if (isCarriedOver(place) && outside.some((directory) => leads(node, directory)))
      found = { node, file: place.file };
    return found !== undefined;
  });
  return found;
}

/** Each ends in a slash. A large server has thousands, and each directory is held against all of them. */
const documentRoots = memo((index: TreeIndex): readonly string[] =>
  index.directives(['DocumentRoot']).map(({ node: { args } }) => withSlash(args[0]?.value ?? '/')),
);

/**
 * Whether a directory is one that the name or the address of a request is put into. A DocumentRoot above it changes nothing: what
 * 2.2 leaves of the path goes through the pattern again.
 */
function virtualRootLeadsTo({ args: [pattern] }: Directive, directory: string): boolean {
  const words = (pattern?.value ?? '').replace(/\/$/, '').split('/');
  const names = directory.replace(/\/$/, '').split('/');
  if (words[0] !== '' || isUnknown(pattern!.value) || names.length < words.length) return false;
  return words.every((word, i) => word === names[i] || (word.includes('%') && !word.includes('%%')));
}

function aliasLeadsTo({ args: [url, target] }: Directive, directory: string): boolean {
  // Where the URL is the path, 2.2 found the file.
  if (url === undefined || target === undefined || url.value === target.value) return false;
  return !isUnknown(target.value) && isAtOrBelow(directory, target.value);
}

function userDirLeadsTo({ args }: Directive, directory: string): boolean {
  const words = args.map(({ value }) => value);
  if (/^(?:disabled|enabled)$/i.test(words[0] ?? '')) return false;
  return words.some((word) => {
    if (/^https?:/.test(word) || isUnknown(word)) return false;
    if (!word.startsWith('/')) return `${directory}/`.includes(`/${word.replace(/\/$/, '')}/`);
    const [before = '', after = ''] = word.split('*');
    const rest = directory.startsWith(before) ? directory.slice(before.length).split('/') : [];
    return rest.length > 0 && isAtOrBelow(`/${rest.slice(1).join('/')}`, after === '' ? '/' : after);
  });
}

function isAtOrBelow(path: string, above: string): boolean {
  return withSlash(path).startsWith(withSlash(above));
}

function withSlash(path: string): string {
  return path.endsWith('/') ? path : `${path}/`;
}
