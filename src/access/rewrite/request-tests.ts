import { basename } from '../../config';
import { regexIn22 } from '../collect';
import { type Scope, excludesGlob, regexArgument, regexOf } from '../policy';
import {
  AT_LAST_NAME,
  DIRECTORY,
  type Expr,
  FALSE,
  TRUE,
  and,
  depthOf,
  globPrefixMatches,
  hasOpenChoice,
  isWithin,
  locationsMeet,
  matchAtom,
  not,
  or,
} from '../primitives';

/** Where an answer stands that hangs on other sections. */
export interface AskedFrom {
  readonly scope: Scope;
  /** The directory that it stands in: its requests need not be asked for it. */
  readonly here: string | undefined;
  /** The server runs on Windows, where file names begin with a drive letter. */
  readonly drives: boolean;
}

/**
 * The expression of 2.4 that asks of a request what httpd asks when it decides whether a section matches; undefined where there
 * is none. Files sections look at the last part of the file name, Location at the decoded URL, DirectoryMatch at the file name
 * (server/request.c).
 */
export function requestTest(scope: Scope, from: AskedFrom): Expr | undefined {
  const { pattern, section, parent } = scope;
  switch (scope.kind) {
    case 'files': {
      const test = filesTest(scope, plainRegexOf(scope));
      const inside = parent === undefined ? TRUE : directoryTest(parent, from, [scope, from.scope]);
      return test && inside && and([inside, test]);
    }
    case 'directory':
      return pattern.kind === 'glob' ? directoryTest(scope, from, [from.scope]) : undefined;
    case 'directory-match':
      return directoryTest(scope, from, []);
    case 'htaccess':
      return undefined;
    case 'location': {
      const argument = plainRegexOf(scope);
      if (section !== undefined && regexArgument(section) !== undefined)
        return argument === undefined ? undefined : matchAtom('REQUEST_URI', argument);
      if (pattern.kind !== 'path' || !isQuotable(pattern.path) || !locationsMeet('/', pattern.path))
        return undefined;
      return locationTest(pattern.path);
    }
    case 'proxy':
      return proxyTest(scope);
  }
}

/**
 * The test for a Location with a plain path, for which several slashes of the URL count as one. They stay in the URL with
 * MergeSlashes Off, and before 2.4.39 (server/request.c: ap_location_walk).
 */
function locationTest(path: string): Expr {
  if (path.includes('//')) return FALSE;
  const start = escape(path).replace(/\/(?=.)/g, '/+');
  return matchAtom('REQUEST_URI', `^${start}${path.endsWith('/') ? '' : '(/|$)'}`);
}

/** The test for a `<Proxy>` section, which is for what follows `proxy:` in the name (2.2 and 2.4 mod_proxy.c: proxy_walk). */
function proxyTest(scope: Scope): Expr | undefined {
  const { section, pattern } = scope;
  const argument = section?.key === 'proxymatch' ? plainRegexOf(scope) : undefined;
  if (argument !== undefined) {
    const isAnchored = argument.startsWith('^');
    const rest = isAnchored ? argument.slice(1) : argument;
    // What looks at its surroundings would see what stands before.
    if (/\^|\\[AGbB]|\(\?/.test(rest.replace(/\[\^/g, '[')) || hasOpenChoice(rest)) return undefined;
    return matchAtom('REQUEST_FILENAME', `^proxy:${isAnchored ? '' : '(?s:.*?)'}${rest}`);
  }
  if (pattern.kind === 'any' || section?.key !== 'proxy' || section.args.length > 1) return undefined;
  const text = (pattern.kind === 'path' ? pattern.path : pattern.glob).replace(/^proxy:/i, '');
  if (!isQuotable(text) || /[[\\]/.test(text)) return undefined;
  if (pattern.kind === 'path') return matchAtom('REQUEST_FILENAME', `^proxy:${escape(text)}`);
  const parts = text
    .replace(/\*+$/, '')
    .split('*')
    .map((part) => escape(part).replace(/\\\?/g, '(?s:.)'));
  return matchAtom('REQUEST_FILENAME', `^proxy:${parts.join('(?s:.*)')}${text.endsWith('*') ? '' : '$'}`);
}

/** The test for a section that a directory is for. @param sections that the file meets, too */
function directoryTest(scope: Scope, from: AskedFrom, sections: readonly Scope[]): Expr | undefined {
  const { pattern } = scope;
  const { here, drives } = from;
  if (scope.kind === 'directory-match') {
    const argument = plainRegexOf(scope);
    return argument === undefined || drives ? undefined : matchAtom('REQUEST_FILENAME', regexIn22(argument));
  }
  if (pattern.kind === 'path') return scope.placeUnknown ? undefined : below(pattern.path, from);
  const glob = pattern.kind === 'glob' ? globRegex(pattern.glob) : undefined;
  // On Windows letter case does not count, and names begin with a letter that the pattern need not have.
  if (pattern.kind !== 'glob' || glob === undefined || drives) return undefined;
  if (here !== undefined) {
    if (!globPrefixMatches(here, pattern.glob)) return FALSE;
    if (depthOf(here) >= depthOf(pattern.glob)) return TRUE;
  }
  // A pattern with wildcards is also for a file whose name it matches, but not where DirectoryIndex leads to the file, nor with a
  // path behind it (server/request.c: ap_directory_walk). No test of the name tells these apart: there must be no such file.
  const last = basename(pattern.glob);
  return sections.some((section) => section.kind === 'files' && excludesGlob(section, last))
    ? matchAtom('REQUEST_FILENAME', `^${glob}/`)
    : undefined;
}

/**
 * Asks for a Directory with wildcards, where nobody expects a file of its name: the last part has no wildcard and no ending. The
 * section may be for such a file or not, see {@link directoryTest}.
 */
export function testsByName(
  { kind, pattern }: Scope,
  { drives }: AskedFrom,
): { readonly inDirectory: Expr; readonly isFile: Expr; readonly either: Expr } | undefined {
  if (drives || kind !== 'directory' || pattern.kind !== 'glob' || /[*?.][^/]*$/.test(pattern.glob))
    return undefined;
  const regex = globRegex(pattern.glob);
  if (regex === undefined) return undefined;
  const start = `^${regex}`;
  const isNamed = matchAtom('REQUEST_FILENAME', `${start}$`);
  return {
    inDirectory: or([matchAtom('REQUEST_FILENAME', `${start}/`), and([isNamed, DIRECTORY])]),
    isFile: and([isNamed, not(DIRECTORY)]),
    either: matchAtom('REQUEST_FILENAME', `${start}(/|$)`),
  };
}

function filesTest(scope: Scope, regex: string | undefined): Expr | undefined {
  const { pattern } = scope;
  if (pattern.kind === 'path')
    return isQuotable(pattern.path) ? matchAtom('REQUEST_FILENAME', `/${escape(pattern.path)}$`) : undefined;
  if (pattern.kind === 'glob') {
    const last = globRegex(pattern.glob);
    return last === undefined ? undefined : matchAtom('REQUEST_FILENAME', `/${last}$`);
  }
  // The regex is for the last part alone: only one without a start, or with nothing but a start, can be asked of the whole name.
  if (regex === undefined || /\\[AGZz]/.test(regex)) return undefined;
  if (hasOpenChoice(regex)) return undefined;
  if (regex.startsWith('^'))
    return /[\^]/.test(regex.slice(1))
      ? undefined
      : matchAtom('REQUEST_FILENAME', `${AT_LAST_NAME}${regex.slice(1)}`);
  return /\^/.test(regex.replace(/\[\^/g, '['))
    ? undefined
    : matchAtom('REQUEST_FILENAME', `${AT_LAST_NAME}[^/]*?${regex}`);
}

/** The regex of a section, if it can stand between `m#` and `#`. */
function plainRegexOf(scope: Scope): string | undefined {
  const value = regexOf(scope);
  return value === undefined || !isQuotable(value) || value.includes('${') ? undefined : value;
}

function isQuotable(text: string): boolean {
  return !/[#\r\n\0]/.test(text);
}

function escape(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

function globRegex(glob: string): string | undefined {
  if (/[[\\]/.test(glob) || !isQuotable(glob)) return undefined;
  return escape(glob).replace(/\\\*/g, '[^/]*').replace(/\\\?/g, '[^/]');
}

/** Asks whether a file lies below a directory; undefined where the name has a character that the expression cannot hold. */
export function below(path: string, { here, drives }: AskedFrom): Expr | undefined {
  if (path === '/' || (here !== undefined && isWithin(here, path))) return TRUE;
  if (!isQuotable(path)) return undefined;
  const onLetter = /^\/([a-z]:.*)$/.exec(path)?.[1];
  if (!drives) return matchAtom('REQUEST_FILENAME', `^${escape(path)}(/|$)`);
  // On Windows a file name begins with a drive letter, whether the configuration has it or not, and letter case does not count.
  const name = onLetter === undefined ? `([A-Z]:)?${escape(path)}` : escape(onLetter);
  return matchAtom('REQUEST_FILENAME', `^(?i:${name})(/|$)`);
}
