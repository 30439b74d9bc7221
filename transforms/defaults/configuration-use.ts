import type { Place, Server } from '../../src/config';
import { type TransformContext, type TreeIndex, indexOf } from '../../src/engine';
import type { Release } from '../../src/httpd/release';
import { memo } from '../../src/maps';
import type { Directive } from '../../src/syntax';
import { containersOf, isAtServerLevel, isNotInUse, scopeOf } from '../common/lines';
import { firstProgramLine, hasBackend } from '../common/servers';
import { FILTER_DIRECTIVES, addsFilter } from '../common/words';
import { aliasBySlashes, asksForUrl, changesVariableForAccess, mayLetIn, refusalBySlashes } from './slashes';

/** What a configuration uses: this decides whether a new default matters to it. */
export interface ConfigurationUse {
  /** Whether any file of the run has one of these directives or sections. */
  readonly has: (...names: readonly string[]) => boolean;
  /** The release of 2.4 that the run is for. */
  readonly target: Release;
  /** Whether the run loads a module: `status_module`. */
  readonly loads: (module: string) => boolean;
  readonly main: Server;
  /** Whether programs are started for requests. */
  readonly hasPrograms: () => boolean;
  /** Whether requests are sent to backends. */
  readonly isProxied: () => boolean;
  /** The first line that takes Expect away from requests, as `file:line`. */
  readonly expectLine: () => string | undefined;
  /** Whether answers are compressed or unpacked. */
  readonly compresses: () => boolean;
  /** The first section with a pattern for URLs that decides who gets in, as `file:line`; one that may let in, if there is one. */
  readonly patternForAccess: () => PatternForAccess | undefined;
  /** The first line that refuses by a pattern for URLs, of which merged slashes may let some in, as `file:line`. */
  readonly refusalBySlashes: () => string | undefined;
  /** The first line by which a URL with several slashes leads to other files in 2.4, where files decide who gets in. */
  readonly aliasBySlashes: () => string | undefined;
  /** The first line that looks for two slashes in a URL, as `file:line`. */
  readonly patternWithSlashes: () => string | undefined;
  /** The first rule of a directory that sets a handler or leads to a backend, as `file:line`. */
  readonly ruleWithHandler: () => string | undefined;
  /** The first `DirectoryIndex` that names a URL, which every directory has: `/cgi-bin/index.pl`. As `file:line`. */
  readonly indexByUrl: () => string | undefined;
  /** The first `DirectoryIndex` for a directory that has a handler of its own, as `file:line`. */
  readonly indexBesideHandler: () => string | undefined;
  /** The first SetHandler that directories may have, as `file:line`. */
  readonly handlerOfDirectory: () => string | undefined;
  /** The first `DirectoryIndex` of a server that names a program before anything else: `index.cgi`. As `file:line`. */
  readonly indexOfProgram: () => string | undefined;
  /** The first rule that puts a part of the URL, which may have two slashes, into a query or another URL, as `file:line`. */
  readonly urlInUrl: () => string | undefined;
}

/** A section that other URLs meet once slashes are merged. */
interface PatternForAccess {
  /** Where the section begins, as `file:line`. */
  readonly line: string;
  /** Whether one URL more, or one less, that it is for may let somebody in. */
  readonly mayLetIn: boolean;
}

/** Directives whose patterns are compared with the URL. */
export const PATTERN_DIRECTIVES = [
  'AliasMatch', 'LocationMatch', 'RedirectMatch', 'RewriteRule', 'ScriptAliasMatch', 'SetEnvIf', 'SetEnvIfNoCase',
]; // prettier-ignore

/** @param main the server of the files outside of virtual hosts */
export function useOf({ index, tree, target }: TransformContext, main: Server): ConfigurationUse {
  // Whom the lines of a `.htaccess` keep out is kept out whatever the server's own files say.
  const all = indexOf(tree);
  const isRead = (_: unknown, place: Place): boolean => !isNotInUse(place, index);
  return {
    main,
    target,
    hasPrograms: () => firstProgramLine(index) !== undefined,
    isProxied: () => hasBackend(index),
    expectLine: () => firstLine(index, ['RequestHeader'], takesExpectAway),
    compresses: () =>
      index.someDirective(
        FILTER_DIRECTIVES,
        (node, place) =>
          !isNotInUse(place, index) && (addsFilter(node, 'DEFLATE') || addsFilter(node, 'INFLATE')),
      ),
    patternForAccess: () => patternForAccess(index),
    refusalBySlashes: () => anyLineOfRefusal(index) ?? anyLineOfRefusal(all),
    aliasBySlashes: () => anyLineOfAlias(index) ?? anyLineOfAlias(all),
    patternWithSlashes: () => patternWithSlashes(index),
    ruleWithHandler: () => firstLine(index, ['RewriteRule'], setsHandler),
    indexByUrl: () =>
      firstLine(index, ['DirectoryIndex'], ({ args }) => args.some(({ value }) => value.startsWith('/'))),
    indexBesideHandler: () => indexBesideHandler(index),
    handlerOfDirectory: () =>
      firstLine(index, ['SetHandler'], (line, place) => isHandlerOfDirectory(index, line, place)),
    indexOfProgram: () =>
      firstLine(
        index,
        ['DirectoryIndex'],
        ({ args: [first] }, place) => isAtServerLevel(place) && PROGRAM.test(first?.value ?? ''),
      ),
    urlInUrl: () => firstLine(index, ['RewriteRule', 'RedirectMatch'], putsUrlIntoUrl),
    has: (...names) => index.someDirective(names, isRead) || index.someSection(names, isRead),
    loads: (module) =>
      index.someDirective(
        ['LoadModule'],
        (node, place) => node.args[0]?.value === module && !isNotInUse(place, index),
      ),
  };
}

/** @param isMet whether the server at a place is one that is asked about */
export function patternForAccess(
  index: TreeIndex,
  isMet: (place: Place) => boolean = () => true,
): PatternForAccess | undefined {
  let found: PatternForAccess | undefined;
  const isForAccessOf = changesVariableForAccess(index);
  index.someSection(['Location', 'LocationMatch'], (node, place) => {
    const isTilde = node.args[0]?.value === '~';
    if ((node.key !== 'locationmatch' && !isTilde) || isNotInUse(place, index) || !isMet(place)) return false;
    const letsIn = mayLetIn(node, node.args[isTilde ? 1 : 0]?.value ?? '', isForAccessOf);
    if (letsIn === undefined || (found !== undefined && !letsIn)) return false;
    found = { line: lineName(node.open, place), mayLetIn: letsIn };
    return letsIn;
  });
  return found;
}

/** Looks for a line as `find` does, and names it as `file:line`. `isMet` says whether a server is one that is asked about. */
function lineFound(find: typeof refusalBySlashes) {
  return (index: TreeIndex, isMet: (place: Place) => boolean = () => true): string | undefined => {
    const found = find(index, (_, place) => !isNotInUse(place, index) && isMet(place));
    return found && lineName(found.line, found.place);
  };
}

/** The first line that refuses by a pattern for URLs, of which merged slashes may let some in, as `file:line`. */
export const lineOfRefusal = lineFound(refusalBySlashes);

/** The first line that leads a URL with several slashes to other files in 2.4, where that decides who gets in, as `file:line`. */
export const lineOfAlias = lineFound(aliasBySlashes);

const anyLineOfRefusal = memo((index: TreeIndex) => lineOfRefusal(index));
const anyLineOfAlias = memo((index: TreeIndex) => lineOfAlias(index));

/** Headers that SetEnvIf reads: their slashes are not those of the URL. */
const IS_HEADER = /^(?:cookie|host|origin|referer|[a-z]+(?:-[a-z]+)+)$/i;

/** Two slashes in a pattern, or one that must come as often. */
const TWO_SLASHES = /\/(?:\/|\{[2-9])/;

/**
 * The first line that looks for two slashes in a URL, as `file:line`.
 * @param isMet whether the server at a place is one that is asked about
 */
export function patternWithSlashes(
  index: TreeIndex,
  isMet: (place: Place) => boolean = () => true,
): string | undefined {
  return firstLine(
    index,
    [...PATTERN_DIRECTIVES, 'RewriteCond'],
    (line, place) => looksForTwoSlashes(line) && isMet(place),
  );
}

/** Whether the pattern of a line looks for two slashes in a URL. */
export function looksForTwoSlashes({ key, args: [first, second] }: OpeningLine): boolean {
  const isOfValue = key.startsWith('setenvif') || key === 'rewritecond';
  if (key === 'rewritecond' && !asksForUrl(first?.value ?? '')) return false;
  if (key.startsWith('setenvif') && IS_HEADER.test(first?.value ?? '')) return false;
  return TWO_SLASHES.test((isOfValue ? second : first)?.value ?? '');
}

/** A directive, or the line that opens a section. */
type OpeningLine = Pick<Directive, 'key' | 'args' | 'from'>;

const lineName = ({ from }: Pick<OpeningLine, 'from'>, { file }: Place): string =>
  `${file.name}:${file.document.positionAt(from).line}`;

/** Where the first directive or section in use stands that is so, as `file:line`. */
function firstLine(
  index: TreeIndex,
  names: readonly string[],
  isSo: (line: OpeningLine, place: Place) => boolean,
): string | undefined {
  let found: string | undefined;
  const look = (line: OpeningLine, place: Place): boolean => {
    if (isNotInUse(place, index) || !isSo(line, place)) return false;
    found = lineName(line, place);
    return true;
  };
  if (!index.someDirective(names, look)) index.someSection(names, ({ open }, place) => look(open, place));
  return found;
}

/** Whether a SetHandler may be that of a directory, and not of one program alone. */
export function isHandlerOfDirectory(index: TreeIndex, line: OpeningLine, place: Place): boolean {
  return isForDirectories(line, place) && !isForProgram(index, place);
}

/** Whether a rule of a `.htaccess` or a section gives a request to a backend or a handler. */
export function setsHandler({ args }: OpeningLine, place: Place): boolean {
  return (
    !isAtServerLevel(place) &&
    /^\[.*(?<=[[, ])(?:P|proxy|H=[^,]*|handler=[^,]*)[ ,\]]/i.test(args.at(2)?.value ?? '')
  );
}

/** The first DirectoryIndex beside a SetHandler, or in the section of a directory that a ScriptAlias names, as `file:line`. */
const indexBesideHandler = memo((index: TreeIndex): string | undefined => {
  const scopes = new Set<object>();
  index.visitDirectives(['SetHandler'], ({ args: [handler] }, place) => {
    if (!isNotInUse(place, index) && !/^none$/i.test(handler?.value ?? 'none')) scopes.add(scopeOf(place));
  });
  const ofPrograms = new Set<string>();
  index.visitDirectives(['ScriptAlias'], ({ args: [, path] }, place) => {
    if (path !== undefined && !isNotInUse(place, index)) ofPrograms.add(withoutSlash(path.value));
  });
  return firstLine(index, ['DirectoryIndex'], ({ args: [first] }, place) => {
    if (isAtServerLevel(place) || /^(?:disabled|none)$/i.test(first?.value ?? 'none')) return false;
    const section = containersOf(place).at(-1)?.section;
    const path = section?.key === 'directory' ? section.args[0]?.value : undefined;
    return scopes.has(scopeOf(place)) || (path !== undefined && ofPrograms.has(withoutSlash(path)));
  });
});

/** Handlers of pages that have no files: nobody makes a directory of their name. */
const PAGE_HANDLER = /^(?:balancer-manager|caucho-status|jk-status|ldap-status|server-(?:info|status))$/i;

/** Names of programs, which a DirectoryIndex names for those that are run by their names. */
const PROGRAM = /\.(?:cgi|fcgi|pl|py|rb|sh)$/i;

/** Whether a SetHandler may be that of a directory: sections for files are not for their directories. */
function isForDirectories({ args: [handler] }: OpeningLine, place: Place): boolean {
  const name = handler?.value ?? 'none';
  return (
    !/^none$/i.test(name) &&
    !PAGE_HANDLER.test(name) &&
    !containersOf(place).some(({ section }) => section.key.startsWith('files'))
  );
}

/** Whether a line is for the URL of a program alone, by its own name or by that of the file that an Alias leads to. */
function isForProgram(index: TreeIndex, place: Place): boolean {
  const section = containersOf(place).at(-1)?.section;
  const path = section?.key === 'location' ? (section.args[0]?.value ?? '') : '';
  return (
    PROGRAM.test(path) ||
    index.someDirective(
      ['Alias', 'ScriptAlias'],
      ({ args: [url, target] }) => url?.value === path && PROGRAM.test(target?.value ?? ''),
    )
  );
}

const withoutSlash = (path: string): string => (path.endsWith('/') ? path.slice(0, -1) : path);

const takesExpectAway = ({ args: [action, header] }: OpeningLine): boolean =>
  action?.value.toLowerCase() === 'unset' && header?.value.toLowerCase().replace(/:$/, '') === 'expect';

/** A value of a query that is called as programs call a URL that they are given, and that is a group of the pattern. */
const URL_VALUE = /[?&](?:dest|goto|link|out|redirect|ref|src|target|to|u|ur[il])=\$[1-9]/i;

/** Whether a rule puts what may be a whole URL, behind a path of its own (`/out/http://a`), into a query. */
function putsUrlIntoUrl({ args }: OpeningLine): boolean {
  return (
    args.some(({ value }) => /[^/^]\/\(\.[*+]\)\$?$/.test(value)) &&
    args.some(({ value }) => URL_VALUE.test(value))
  );
}
