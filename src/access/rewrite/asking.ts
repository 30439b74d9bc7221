import { withoutEnd } from '../collect';
import type { Scope } from '../policy';
import { type Expr, and, atom, isWithin, locationsMeet } from '../primitives';

/**
 * The expression of 2.4 that asks of a request what httpd asks when it decides whether a section matches; undefined where there is none.
 * Files sections look at the last part of the file name, Location at the decoded URL, DirectoryMatch at the file name (server/request.c).
 * @param here the directory that the answer stands in: its requests need not be asked for it
 */
export function requestTest(scope: Scope, here: string | undefined): Expr | undefined {
  const texts = testTexts(scope, here);
  return texts === undefined ? undefined : and(texts.map((text) => atom(text, undefined)));
}

function testTexts(scope: Scope, here: string | undefined): string[] | undefined {
  const { pattern, section } = scope;
  const argument = regexOf(scope);
  switch (scope.kind) {
    case 'files': {
      const test = filesTest(scope, argument);
      const home = scope.parent?.pattern;
      if (test === undefined) return undefined;
      if (scope.parent === undefined) return [test];
      if (home?.kind !== 'path' || !isPlain(home.path)) return undefined;
      if (here !== undefined && isWithin(here, home.path)) return [test];
      return home.path === '/' ? [test] : [`%{REQUEST_FILENAME} =~ m#^${escape(home.path)}(/|$)#`, test];
    }
    case 'directory-match':
      return argument === undefined ? undefined : [`%{REQUEST_FILENAME} =~ m#${withoutEnd(argument)}#`];
    case 'location':
      if (section?.key === 'locationmatch' || section?.args[0]?.value === '~')
        return argument === undefined ? undefined : [`%{REQUEST_URI} =~ m#${argument}#`];
      if (pattern.kind !== 'path' || !isPlain(pattern.path) || !locationsMeet('/', pattern.path))
        return undefined;
      return [`%{REQUEST_URI} =~ m#^${escape(pattern.path)}${pattern.path.endsWith('/') ? '' : '(/|$)'}#`];
    case 'directory':
      // Whether httpd takes a last part for a directory hangs on the disk: no test of the name is exact.
      return undefined;
    default:
      return undefined;
  }
}

function filesTest(scope: Scope, regex: string | undefined): string | undefined {
  const { pattern } = scope;
  if (pattern.kind === 'path')
    return isPlain(pattern.path) ? `%{REQUEST_FILENAME} =~ m#/${escape(pattern.path)}$#` : undefined;
  if (pattern.kind === 'glob') {
    const last = componentRegex(pattern.glob);
    return last === undefined ? undefined : `%{REQUEST_FILENAME} =~ m#/${last}$#`;
  }
  // The regex is for the last part alone: only one without a start, or with nothing but a start, can be asked of the whole name.
  const bare = regex?.replace(/\\.|\[\^?\]?[^\]]*\]/g, '');
  if (regex === undefined || /\\[AGZz]/.test(regex)) return undefined;
  if (/[|]/.test(bare!.replace(/\([^()]*\)/g, ''))) return undefined;
  if (regex.startsWith('^'))
    return /[\^]/.test(regex.slice(1)) ? undefined : `%{REQUEST_FILENAME} =~ m#/(?=[^/]*$)${regex.slice(1)}#`;
  return /\^/.test(regex.replace(/\[\^/g, '['))
    ? undefined
    : `%{REQUEST_FILENAME} =~ m#/(?=[^/]*$)[^/]*?${regex}#`;
}

/** The regex of a section, if it can stand between `m#` and `#`. */
function regexOf(scope: Scope): string | undefined {
  const { section } = scope;
  if (section === undefined) return undefined;
  const word = section.key.endsWith('match')
    ? section.args[0]
    : section.args[0]?.value === '~'
      ? section.args[1]
      : undefined;
  const value = word?.value;
  return value === undefined || !isPlain(value) || value.includes('${') ? undefined : value;
}

function isPlain(text: string): boolean {
  return !/[#\r\n\0]/.test(text);
}

function escape(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

function componentRegex(glob: string): string | undefined {
  if (/[[\\]/.test(glob) || !isPlain(glob)) return undefined;
  return escape(glob).replace(/\\\*/g, '[^/]*').replace(/\\\?/g, '[^/]');
}
