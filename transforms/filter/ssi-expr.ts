import { type Place, type Servers, isModuleLacked, serversOf } from '../../src/config';
import { insertAfter, insertAt } from '../../src/edit';
import { defineTransform, type TransformContext } from '../../src/engine';
import { getOrInsert } from '../../src/maps';
import type { Directive, Section } from '../../src/syntax';
import { allowsOverride } from '../common/allow-override';
import { containersOf, isCarriedOver } from '../common/lines';
import { PlacesMet } from '../common/meeting-sections';
import { isSurelyLoaded, rootLines, setsOptions } from '../common/servers';
import { INCLUDES_DIRECTIVES, parsesIncludes } from '../common/words';
import { asWrittenFor24, isWrittenFor24 } from '../common/written-for';

const LEGACY = 'SSILegacyExprParser on';

export default defineTransform({
  id: 'ssi-expr',
  changes: ['F03'],
  title: 'Server-side includes use another expression syntax',
  why: '2.4 reads #if and #elif with its own expression syntax and shows an error for the old one. SSILegacyExprParser restores the syntax of 2.2.',
  docs: ['mod_include: SSILegacyExprParser', 'upgrading'],
  directives: ['SSILegacyExprParser'],
  run(context) {
    const setIn = new Set(context.index.directives(['SSILegacyExprParser']).map(({ place }) => place.root));
    // Where it is set, somebody has looked at the pages already: in a `.htaccess`, at those of its directory.
    if ([...setIn].some(({ role }) => role !== 'htaccess')) return;
    if (isModuleLacked(context.tree, 'include_module')) return;
    const all = ssiScopes(context);
    const pages = errorPageDirectories(context);
    const scopes = all.filter((scope) => !isForDirectory(scope, pages));
    const ofPages = all.find((scope) => isForDirectory(scope, pages) && scope.filters);
    if (ofPages !== undefined) reportErrorPages(context, ofPages);
    // Includes need both Options and the filter or handler. Options is the better place: it usually is in the directories'
    // sections.
    const filtering = scopes.filter(({ filters }) => filters);
    if (filtering.length === 0) return;
    const servers = serversOf(context.tree);
    const isFiltered = mayMeet(filtering, scopes, servers);
    const allowing = scopes.filter(
      (scope) => scope.allows && (!context.tree.isServer || isFiltered.has(scope)),
    );
    // Where Options is set for all and nobody adds Includes, no page is parsed.
    if (allowing.length === 0 && servers.main?.whole === true && setsOptions(servers.main)) return;
    for (const scope of allowing.length > 0 ? allowing : scopes)
      if (!setIn.has(scope.place.root)) reportScope(context, scope);
  },
});

/**
 * The directories of httpd's own error pages. Those of 2.4 are written in the expressions of 2.4 (docs/error/include/bottom.html
 * of both), and would show an error with SSILegacyExprParser.
 */
function errorPageDirectories(context: TransformContext): ReadonlySet<string> {
  const found = new Set<string>();
  context.directives(['Alias'], ({ args: [url, path] }) => {
    if (path !== undefined && /^\/error\/?$/.test(url?.value ?? '')) found.add(withoutSlash(path.value));
  });
  return found;
}

const withoutSlash = (path: string): string => path.replace(/\/+$/, '');

function isForDirectory({ section }: SsiScope, directories: ReadonlySet<string>): boolean {
  return section?.key === 'directory' && directories.has(withoutSlash(section.args[0]?.value ?? ''));
}

function reportErrorPages(context: TransformContext, { section, place, line }: SsiScope): void {
  if (isWrittenFor24(context, place)) return;
  const isShown = context.index.someDirective(
    ['ErrorDocument'],
    ({ args }) => args[1]?.value.startsWith('/error/') === true,
  );
  context.report({
    file: place.file,
    at: line.from,
    level: isShown ? 'warning' : 'info',
    message: `the error pages in ${section?.args[0]?.value ?? ''} come with httpd, and each version reads only its own (with those of 2.2, each page of 2.4 says "[an error occurred while processing this directive]"): put those of 2.4 there; pages of your own with #if need ${LEGACY}`,
  });
}

/** The scopes that a request can meet together with one of others, whichever comes first. */
function mayMeet(
  others: readonly SsiScope[],
  scopes: readonly SsiScope[],
  servers: Servers,
): ReadonlySet<SsiScope> {
  const found = new Set(others);
  const placeOf = ({ place }: SsiScope): Place => place;
  const after = new PlacesMet(scopes, placeOf, servers);
  for (const { place } of others) for (const { item } of after.before(place)) found.add(item);
  const before = new PlacesMet(others, placeOf, servers);
  for (const scope of scopes) if (before.before(scope.place).length > 0) found.add(scope);
  return found;
}

function reportScope(context: TransformContext, scope: SsiScope): void {
  const { section, place, line } = scope;
  const common = { file: place.file, at: line.from, level: 'warning' as const };
  const message = `pages with #if need ${LEGACY} in 2.4 to be read as in 2.2`;
  const isServerLevel = section === undefined && place.root.role !== 'htaccess';
  const { main } = serversOf(context.tree);
  // Every other section inherits from `<Directory />`.
  const rootSection =
    isServerLevel && main !== undefined
      ? rootLines(main).find(({ place: { chain } }) => chain.length === 0)
      : undefined;
  if (
    isWrittenFor24(context, place) ||
    (rootSection !== undefined && isWrittenFor24(context, rootSection.place))
  ) {
    context.report({ ...common, ...asWrittenFor24({ message }) });
    return;
  }
  const isAllowed = place.root.role !== 'htaccess' || limitIsAllowed(context, scope);
  if (isAllowed !== true) {
    context.report({
      ...common,
      message: `pages with #if need ${LEGACY} in 2.4: add it ${isAllowed === false ? 'to the server configuration, since AllowOverride does not include Limit here' : 'here if AllowOverride includes Limit, else to the server configuration'}`,
    });
    return;
  }
  // A filter can be named without its module, but 2.4 does not start with a directive of a module that is not loaded.
  const loaded =
    isSurelyLoaded(context.index, 'include_module') ||
    place.chain.some((frame) => isForIncludeModule(frame.section));
  const lines = loaded ? [LEGACY] : ['<IfModule mod_include.c>', `    ${LEGACY}`, '</IfModule>'];
  if (!isServerLevel)
    context.report({
      ...common,
      safety: 'safe',
      message,
      edits: [insertAfter(place.file.document, line, lines)],
    });
  else if (rootSection === undefined)
    context.report({ ...common, message: `${message}: add it to the sections of their directories` });
  else {
    const { file } = rootSection.place;
    const edits = [insertAt(file.document, { node: rootSection.node, side: 'inside' }, lines)];
    context.report({ ...common, safety: 'safe', message, edits, file, at: rootSection.node.open.from });
  }
}

function isForIncludeModule({ key, args }: Section): boolean {
  return key === 'ifmodule' && /^(?:mod_include\.c|include_module)$/.test(args[0]?.value ?? '');
}

/** Whether AllowOverride allows the class Limit in a `.htaccess`, which it does where directives of that class are in use. */
function limitIsAllowed(context: TransformContext, { place }: SsiScope): boolean | undefined {
  const isAllowed = allowsOverride(context, place.root, 'limit');
  if (isAllowed !== undefined) return isAllowed;
  const isUsed = context.index.someDirective(
    ['Order', 'Allow', 'Deny'],
    (_, { root, chain }) => root === place.root && chain.length === 0,
  );
  return isUsed ? true : undefined;
}

/** A section, or a whole `.htaccess` or server (without `section`), with lines that enable server-side includes. */
interface SsiScope {
  readonly section: Section | undefined;
  readonly place: Place;
  /** The first such line: Options, or a line that adds the filter or handler. */
  line: Directive;
  /** Has Options with Includes, IncludesNOEXEC or All. */
  allows: boolean;
  /** Adds the filter or the handler. */
  filters: boolean;
}

/** Every scope with lines that allow server-side includes or add their filter. */
function ssiScopes(context: TransformContext): SsiScope[] {
  const scopes = new Map<unknown, SsiScope>();
  const addScope = (line: Directive, place: Place, property: 'allows' | 'filters'): void => {
    if (!isCarriedOver(place)) return;
    const section = containersOf(place).at(-1)?.section;
    const scope = getOrInsert(scopes, section ?? place.root, () => ({
      section,
      place,
      line,
      allows: false,
      filters: false,
    }));
    scope[property] = true;
  };
  context.directives(['Options'], (node, place) => {
    const words = node.args.map(({ value }) => value.toLowerCase());
    if (words.some((word) => /^\+?(?:includes|includesnoexec|all)$/.test(word)))
      addScope(node, place, 'allows');
  });
  context.directives(INCLUDES_DIRECTIVES, (node, place) => {
    if (parsesIncludes(node)) addScope(node, place, 'filters');
  });
  return [...scopes.values()];
}
