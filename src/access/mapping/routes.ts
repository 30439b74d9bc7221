import { hasDrive, isTemplatePath, normalisePath, parentOf } from '../primitives';
import { mayClimb } from './climbing';
import type { Target } from './targets';
import { pathStarts } from './url-sets';

export interface Route {
  /** What such a URL begins with; empty for any URL. */
  readonly url: string;
  /** Undefined where the configuration does not say: any directory. */
  readonly target: Target | undefined;
  /** The rest of the URL is the rest of the file name, as for DocumentRoot, Alias and VirtualDocumentRoot. */
  readonly follows: boolean;
  /** The directive whose route it is, where that is no Alias. */
  readonly by?: 'ServerPath' | 'WSGIScriptAlias';
  /** The route is UserDir's: there is none where that is disabled. */
  readonly toHomes?: true;
}

/** The path of a directory as paths are compared; undefined where it is not known which it is. */
export type AbsolutePath = (path: string) => string | undefined;

type RouteMaker = (args: readonly string[], absolute: AbsolutePath) => readonly Route[];

/**
 * Directives that say where files are served from, beside DocumentRoot and RewriteRule, with the routes that each makes of its
 * arguments; variables in these have their values.
 */
export const ROUTES: ReadonlyMap<string, RouteMaker> = new Map<string, RouteMaker>([
  ['alias', alias],
  ['scriptalias', alias],
  ['aliasmatch', aliasMatch],
  ['scriptaliasmatch', aliasMatch],
  ['wsgiscriptalias', wsgiAlias],
  ['wsgiscriptaliasmatch', aliasMatch],
  ['userdir', userDir],
  ['virtualdocumentroot', ([directory = ''], absolute) => virtualRoot('', directory, absolute)],
  ['virtualdocumentrootip', ([directory = ''], absolute) => virtualRoot('', directory, absolute)],
  ['virtualscriptalias', ([directory = ''], absolute) => virtualRoot('/cgi-bin/', directory, absolute)],
  ['virtualscriptaliasip', ([directory = ''], absolute) => virtualRoot('/cgi-bin/', directory, absolute)],
]);

/** mod_alias.c: alias_matches. */
function alias([url = '', directory = '']: readonly string[], absolute: AbsolutePath): readonly Route[] {
  // What follows the URL is put behind the target as it is: without its slash the target is the beginning of any name.
  const inside = directory.endsWith('/') || !url.endsWith('/');
  if (/\$\{/.test(url)) return [{ url: '', target: undefined, follows: false }];
  const clean = url.replace(/\/+/g, '/');
  const path = absolute(directory);
  if (path === undefined || !inside || isTemplatePath(directory))
    return [{ url: clean, target: undefined, follows: false }];
  return [{ url: clean, target: { kind: 'directory', path }, follows: true }];
}

/** The program is a file, and what follows the URL comes behind it: the whole of it for `/` (mod_wsgi.c: wsgi_hook_translate). */
function wsgiAlias([url = '', ...others]: readonly string[], absolute: AbsolutePath): readonly Route[] {
  return alias([url === '/' ? '' : url, ...others], absolute).map((route) => ({
    ...route,
    by: 'WSGIScriptAlias',
  }));
}

function aliasMatch([regex = '', to = '']: readonly string[], absolute: AbsolutePath): readonly Route[] {
  const sources = { pattern: regex, conditions: [], unescapes: () => false };
  let path = literalDirectory(to, absolute);
  // What the client asks for has no parts of two dots: each variable leads up by one directory at most.
  if (path !== undefined && mayClimb(to, sources))
    for (const _ of to.matchAll(/\$[0-9]|&/g)) path = parentOf(path);
  const target: Target | undefined = path === undefined ? undefined : { kind: 'directory', path };
  return pathStarts(regex).map((url) => ({ url, target, follows: false }));
}

/** What the URLs of users' directories begin with. */
const HOMES = '/~';

/** What the UserDir lines of a server say beside where homes are (mod_userdir.c: userdir_config). */
export interface UserDirSettings {
  /** Undefined where no line says it for all users. */
  disabled: boolean | undefined;
  /** Some user is let in by name. */
  enablesUsers: boolean;
}

/** mod_userdir.c: set_user_dir. */
export function noteUserDir(
  settings: UserDirSettings,
  [keyword = '', ...users]: readonly string[],
  sure: boolean,
): void {
  if (/^enabled?$/i.test(keyword)) {
    if (users.length > 0) settings.enablesUsers = true;
    else settings.disabled = false;
  } else if (/^disabled?$/i.test(keyword) && users.length === 0 && sure) settings.disabled = true;
}

/** mod_userdir.c: translate_userdir. */
function userDir(args: readonly string[], absolute: AbsolutePath): readonly Route[] {
  if (/^(?:enabled?|disabled?)$/i.test(args[0] ?? '')) return [];
  return args.flatMap((word): readonly Route[] => {
    // A redirect.
    if (/^[a-z]+:\/\//i.test(word)) return [];
    const target = userDirTarget(word, absolute);
    return [{ url: HOMES, target, follows: false, toHomes: true }];
  });
}

function userDirTarget(word: string, absolute: AbsolutePath): Target | undefined {
  if (isTemplatePath(word)) return undefined;
  if (!word.startsWith('/') && !hasDrive(word))
    return { kind: 'home', name: normalisePath(word), besides: new Set() };
  const path = absolute(word);
  if (path === undefined) return undefined;
  if (path.includes('*')) return { kind: 'glob', glob: path };
  return { kind: 'glob', glob: `${path === '/' ? '' : path}/*` };
}

/** mod_vhost_alias.c: a component with a `%` holds a part of the host's name, which has no slash. */
function virtualRoot(url: string, directory: string, absolute: AbsolutePath): readonly Route[] {
  if (directory.toLowerCase() === 'none') return [];
  const path = absolute(directory);
  if (path === undefined || isTemplatePath(directory)) return [{ url, target: undefined, follows: false }];
  const glob = path
    .split('/')
    .map((part) => (part.includes('%') ? '*' : part))
    .join('/');
  const target: Target = glob.includes('*') ? { kind: 'glob', glob } : { kind: 'directory', path: glob };
  return [{ url, target, follows: true }];
}

/** A ServerPath is taken off before the rest of the URL is looked up in the document root (server/core.c: ap_core_translate). */
export function serverPath(url: string, documentRoot: string): Route {
  if (isTemplatePath(url)) return { url: '', target: undefined, follows: false };
  return { url, target: { kind: 'directory', path: documentRoot }, follows: true, by: 'ServerPath' };
}

/** The directory that all file names begin with which a substitution can make; undefined for one that begins with a variable. */
export function literalDirectory(text: string, absolute: AbsolutePath = normalisePath): string | undefined {
  if (!text.startsWith('/') && !hasDrive(text)) return undefined;
  const end = text.search(/[$%&]|\\/);
  if (end < 0) return absolute(text);
  const slash = text.lastIndexOf('/', end - 1);
  // With what a variable brings a dot may become the directory above.
  if (/^\.{1,2}$/.test(text.slice(slash + 1, end))) return undefined;
  return slash <= 0 ? undefined : absolute(text.slice(0, slash));
}
