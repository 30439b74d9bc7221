import { type ConfigFile, hidesFromServer } from '../../src/config';
import type { ResultContext, TransformContext } from '../../src/engine';
import { findDirective } from '../../src/httpd/directives';
import { findModule, reasonModuleGone, successorOf, systemOf } from '../../src/httpd/modules';
import { type Comment, type Directive, hasPlaceholder, type Node } from '../../src/syntax';
import { BUILT_IN, familyOf, type ModuleNeed } from './load-module-needs';
import { isUnix, type LoadLines, plainName } from './module-lines';

/** The modules that a build of 2.2 compiles in by default (2.2 modules, config.m4: those with the default "yes"). */
const BY_DEFAULT =
  'actions alias asis auth_basic authn_default authn_file authz_default authz_groupfile authz_host authz_user autoindex cgi dir env filter include log_config mime negotiation setenvif status userdir version';

/** What a message names as the need for a module that no line of the run needs. */
const HAD_BY_22 = 'lines that a .htaccess may have';

/** A server whose 2.2 had its modules compiled in. */
export interface CompiledIn {
  /** What 2.2 had, as 2.4 calls it, without `_module`. */
  readonly names: readonly string[];
  /** The old server itself has named them. */
  readonly isKnown: boolean;
  readonly home: Home;
}

/** Where the first lines that load modules go: below what their paths depend on, above all that needs them. */
export interface Home {
  readonly file: ConfigFile;
  /** The line above them; undefined for the top of the file. */
  readonly below: Directive | Comment | undefined;
}

/**
 * What 2.2 had compiled in, if no lines load httpd's own modules though the whole server is there. Undefined where lines load
 * them, or may load them in files that the run does not see.
 */
export function compiledIn(context: TransformContext, lines: LoadLines): CompiledIn | undefined {
  const [file] = context.tree.roots;
  if (file === undefined || lines.usesSharedModules || !isWholeServer(context)) return undefined;
  if (loadsElsewhere(context) || !isUnix(context)) return undefined;
  const known = context.tree.compiled22;
  const byDefault = BY_DEFAULT.split(' ');
  // Who loads these by lines does not have them compiled in, or has written lines for both.
  if (known === undefined && lines.all.some(({ name }) => byDefault.includes(name))) return undefined;
  const names = (known ?? byDefault.map((name) => `mod_${name}.c`)).flatMap((fileName) => {
    const identifier = findModule(fileName)?.identifier ?? '';
    const name = plainName(successorOf(identifier) ?? identifier);
    const versions = findModule(`${name}_module`)?.versions;
    const isIn24 = versions !== undefined && versions !== '2.2' && reasonModuleGone(identifier) === undefined;
    return isIn24 && isLoadable(name) ? [name] : [];
  });
  return names.length === 0 ? undefined : { names, isKnown: known !== undefined, home: homeOf(file) };
}

/** Whether an Include leads to what the run does not see: LoadModule lines may be there. */
export function loadsElsewhere({ tree, index }: Pick<TransformContext, 'tree' | 'index'>): boolean {
  return (
    tree.problems.some(hidesFromServer) ||
    index.someDirective(
      ['Include', 'IncludeOptional'],
      (node, { root }) => root.role !== 'htaccess' && tree.includes.get(node) === undefined,
    )
  );
}

function isLoadable(name: string): boolean {
  return !BUILT_IN.has(name) && !name.startsWith('mpm_') && systemOf(name) === undefined;
}

/** A file that listens may be a part of a server. One that also says where its files are, and as whom it runs, is a whole one. */
function isWholeServer({ index }: TransformContext): boolean {
  const has = (name: string): boolean => index.someDirective([name], (_, { root }) => root.role === 'server');
  // A template has a place for the lines: @@LoadModule@@.
  const isTemplate = [...index.names].some((name) => name.includes('loadmodule') && hasPlaceholder(name));
  return !isTemplate && ['ServerRoot', 'Listen', 'User'].every(has);
}

/** Adds what 2.2 had to what the lines of the result need. */
export function addCompiledIn(needs: Map<string, ModuleNeed>, { names }: CompiledIn): void {
  for (const name of names)
    if (!needs.has(name))
      needs.set(name, {
        name,
        requester: HAD_BY_22,
        wasElsewhere: false,
        isGuess: true,
        node: undefined,
        place: undefined,
      });
  if (needs.has('cgid')) needs.delete('cgi');
}

/** Takes away what only blocks for a module need that nothing loads: mod_proxy_ajp cannot be loaded without mod_proxy. */
export function dropWithoutFamily(needs: Map<string, ModuleNeed>, lines: LoadLines): void {
  for (const name of ['proxy_balancer', ...needs.keys()]) {
    const family = familyOf(name);
    if (family !== undefined && !needs.has(family) && !lines.loads(family)) needs.delete(name);
  }
}

/** Says what lines are written, and what that takes to be so. */
export function assumptionOf(
  context: ResultContext,
  lines: LoadLines,
  { isKnown, names: had }: CompiledIn,
  needs: readonly ModuleNeed[],
): string {
  const names = needs.map(({ name }) => name);
  const loaded = new Set([...names, ...had, ...lines.all.map(({ name }) => name)]);
  const skipped = isKnown ? [] : askedInVain(context, loaded);
  const condition = context.targetModules === undefined ? ', unless 2.4 has them compiled in, too' : '';
  const left =
    skipped.length === 0
      ? ''
      : `; that 2.2 had ${skipped.join(', ')} is not known (its httpd -l tells): 2.4 skips the blocks that ask for them, unless a line loads them`;
  return `2.2 had its modules compiled in, and a 2.4 that is built in the same way has them as files in modules/: lines load ${[...names].sort().join(', ')}${condition}${left}`;
}

/**
 * The modules that blocks of the result ask for, that 2.2 may have had, and that nothing shows it had: 2.4 skips these blocks.
 * @param loaded the modules that are loaded in the end
 */
function askedInVain({ resultIndex }: ResultContext, loaded: ReadonlySet<string>): readonly string[] {
  const names = new Set<string>();
  resultIndex.visitSections(['IfModule'], ({ args, body }, { root }) => {
    const module = findModule(args[0]?.value ?? '');
    const name = plainName(module?.identifier ?? '');
    if (module?.versions !== 'both' || root.role === 'unreached' || loaded.has(name)) return;
    if (isLoadable(name) && body.some(({ kind }) => kind === 'directive' || kind === 'section'))
      names.add(name);
  });
  return [...names].sort();
}

/** The last line of the stock file's comment about LoadModule, else the ServerRoot line, if only core lines are above. */
function homeOf(file: ConfigFile): Home {
  const { body, text } = file.document;
  let below: Home['below'];
  for (const [i, node] of body.entries()) {
    if (node.kind === 'section' || (node.kind === 'directive' && !isOfCore(node))) break;
    if (node.kind === 'directive' && node.key === 'serverroot') below = node;
    if (node.kind === 'comment' && /^#[ \t]*LoadModule[ \t]+foo_module/.test(text.slice(node.from, node.to)))
      return { file, below: lastComment(body, i) };
  }
  return { file, below };
}

function lastComment(body: readonly Node[], from: number): Comment {
  const end = body.findIndex(({ kind }, i) => i > from && kind !== 'comment');
  return body[end < 0 ? body.length - 1 : end - 1] as Comment;
}

function isOfCore({ key }: Directive): boolean {
  if (key.startsWith('include')) return false;
  return (
    findDirective(key)?.owners24.some((owner) => owner.startsWith('mpm_') || BUILT_IN.has(owner)) ?? false
  );
}
