import { type ConfigFile, type Place, hostAround, isComplete, placeCondition } from '../../src/config';
import { type Edit, insertAt, removeLine } from '../../src/edit';
import { type TransformContext, defineTransform } from '../../src/engine';
import { findModule } from '../../src/httpd/modules';
import { asksForUser } from '../../src/httpd/providers';
import type { Directive, Section } from '../../src/syntax';
import { isAtServerLevel, isCarriedOver, lineStart, linesByScope, scopeOf } from '../common/lines';
import { PlacesMet } from '../common/meeting-sections';
import { readTokens22 } from '../common/words';
import { isWrittenFor24 } from '../common/written-for';
import { addTo, getOrInsert } from '../../src/maps';

/** A name that no variable of mod_ssl has, so that no user is set. */
const NO_USER = 'SSLUserName SSL_NONE';

/** Lines of a login that the new line can go behind, as no other rule rewrites them. */
const LOGIN_LINES = ['AuthBasicProvider', 'AuthName', 'AuthType', 'AuthUserFile'];

/** What the new line is put beside. */
interface Anchor {
  readonly file: ConfigFile;
  readonly node: Directive | Section;
  readonly side: 'before' | 'after';
}

interface UserLine {
  readonly node: Directive;
  readonly place: Place;
}

/** A section or file that asks for a user; one that several virtual hosts include is one in each. */
interface UserScope {
  readonly scope: object;
  /** The first line of the scope that requires a user. */
  readonly required: UserLine;
  /** The AuthType of another module, if users log in with no other: what that module asks for is not known. */
  readonly otherType: string | undefined;
}

export default defineTransform({
  id: 'ssl-user-name',
  changes: ['S18'],
  title: 'SSLUserName and sections that ask for a user',
  why: 'SSLUserName sets the user from the certificate of the client before anything is decided. In 2.2 Require is asked after a login, which sets the user again. 2.4 asks Require first with the user that is there, and lets clients in by their certificate alone. SSL_NONE is no variable, so that no user is set; 2.4 logs that as AH02227.',
  docs: [
    'mod_ssl: SSLUserName',
    'modules/ssl/ssl_engine_kernel.c: ssl_hook_Access',
    'server/request.c: ap_process_request_internal',
  ],
  onlyWhenUpgrading: true,
  run(context) {
    const isFaked = fakedLogins(context);
    const lines = userNames(context, isFaked);
    const names = lines.filter(setsUser);
    if (names.length === 0) return;
    const scopes = userScopes(context);
    const inScope = linesByScope(lines);
    const namePlaces = new PlacesMet(names, ({ place }) => place, context.tree);
    const requiredPlaces = new PlacesMet(scopes, ({ required }) => required.place, context.tree);
    const laterNames = new Map<UserScope, UserLine[]>();
    for (const name of names)
      for (const { item } of requiredPlaces.before(name.place)) {
        addTo(laterNames, item, name);
      }
    /** Where no user is set any more. */
    const unset: Place[] = [];
    const told = new Set<Directive>();
    /** A file that several sections include is edited once. */
    const anchors = new Set<Directive | Section>();
    for (const userScope of scopes) {
      const { scope, required } = userScope;
      // Its author lets clients in by their certificate, and sees it.
      if (isWrittenFor24(context, required.place) || isFaked(required)) continue;
      const same = inScope.get(scope) ?? [];
      for (const name of laterNames.get(userScope) ?? []) {
        if (same.includes(name) || told.has(name.node) || isAtServerLevel(name.place)) continue;
        told.add(name.node);
        reportLater(context, name, required);
        unset.push(name.place);
      }
      const last = same.at(-1);
      if (last !== undefined && !setsUser(last) && topIn(scope, last).node === last.node) continue;
      const name = same.findLast(setsUser) ?? namePlaces.before(required.place)[0]?.item;
      if (name === undefined) continue;
      const anchor = anchorIn(context, userScope, last);
      unset.push(required.place);
      if (anchors.has(anchor.node)) continue;
      anchors.add(anchor.node);
      reportScope(context, userScope, name, anchor);
    }
    if (unset.length > 0) reportRequires(context, unset);
  },
});

/**
 * 2.2 asked SSLRequire when SSLUserName had set the user, and before the login (ssl_hook_Access): where none is set any more, a
 * line that asks for one finds none.
 * @param unset where no user is set
 */
function reportRequires(context: TransformContext, unset: readonly Place[]): void {
  const lines = context.index.directives(['SSLRequire']).filter(asksForUser22);
  const scopes = new Set(unset.map(scopeOf));
  const unsetPlaces = new PlacesMet(unset, (place) => place, context.tree);
  const linePlaces = new PlacesMet(lines, ({ place }) => place, context.tree);
  const above = new Set(unset.flatMap((place) => linePlaces.before(place).map(({ item }) => item)));
  for (const line of lines) {
    const { node, place } = line;
    if (!scopes.has(scopeOf(place)) && !above.has(line) && unsetPlaces.before(place).length === 0) continue;
    context.report({
      file: place.file,
      at: node.from,
      level: 'error',
      changesAccess: true,
      message:
        'SSLRequire asks for REMOTE_USER, which SSLUserName set in 2.2 before the login, and which is empty now: ask for the variable of SSLUserName itself',
    });
  }
}

function asksForUser22({ node, place }: UserLine): boolean {
  const tokens = isCarriedOver(place) ? (readTokens22(node.rest) ?? []) : [];
  return tokens.some(({ kind, text }) => kind === 'variable' && /^REMOTE_USER$/i.test(text));
}

const setsUser = ({ node }: UserLine): boolean => node.args[0]?.value !== 'SSL_NONE';

/** The lines that take a user from a certificate, if certificates may be asked for. */
function userNames(
  { index, tree }: TransformContext,
  isFaked: (line: UserLine) => boolean,
): readonly UserLine[] {
  const asksClients =
    !isComplete(tree) ||
    index.someDirective(['SSLVerifyClient'], ({ args }) => !/^none$/i.test(args[0]?.value ?? 'none'));
  return index
    .directives(['SSLUserName'])
    .filter(
      (line) =>
        isCarriedOver(line.place) &&
        !isFaked(line) &&
        (asksClients || line.node.args[0]?.value.startsWith('SSL_CLIENT_') !== true),
    );
}

/**
 * Tells of a line whether FakeBasicAuth is surely in force where it is: both versions then set no user. What inherits the one
 * inherits the other, as long as no line ends that.
 */
function fakedLogins({ index, tree }: TransformContext): (line: UserLine) => boolean {
  const options = index.directives(['SSLOptions']).filter(({ place }) => isCarriedOver(place));
  const ends = options.filter(({ node }) =>
    node.args.some(({ value }) => /^-fakebasicauth$/i.test(value) || !/^[+-]|^fakebasicauth$/i.test(value)),
  );
  const fakes = options.filter(({ node, place }) => {
    const { on22, on24 } = placeCondition(place.chain);
    const isSure = on22 === true && on24 === true;
    return isSure && node.args.some(({ value }) => /^\+?fakebasicauth$/i.test(value));
  });
  const scopes = new Set(fakes.map(({ place }) => scopeOf(place)));
  const fakePlaces = new PlacesMet(fakes, ({ place }) => place, tree);
  for (const { place } of scopes.size === 0 ? [] : ends) {
    scopes.delete(scopeOf(place));
    for (const { item } of fakePlaces.before(place)) scopes.delete(scopeOf(item.place));
  }
  return ({ place }) => scopes.has(scopeOf(place));
}

function userScopes({ index }: TransformContext): readonly UserScope[] {
  const scopes = new Map<object, Map<Section | undefined, UserScope>>();
  const logins = index.directives(['AuthType']).filter(({ place }) => isCarriedOver(place));
  const loginsInScope = linesByScope(logins);
  const isOfHttpd = ({ node }: UserLine): boolean => /^(?:basic|digest)$/i.test(node.args[0]?.value ?? '');
  for (const required of index.directives(['Require'])) {
    const scope = scopeOf(required.place);
    const byHost = getOrInsert(scopes, scope, () => new Map());
    const host = hostAround(required.place.chain);
    if (byHost.has(host) || !isCarriedOver(required.place)) continue;
    if (!asksForUser(required.node.args[0]?.value.toLowerCase() ?? '')) continue;
    const types = loginsInScope.get(scope) ?? logins;
    const otherType = types.some(isOfHttpd) ? undefined : types[0]?.node.args[0]?.value;
    byHost.set(host, { scope, required, otherType });
  }
  return [...scopes.values()].flatMap((byHost) => [...byHost.values()]);
}

/**
 * Where the new line goes: behind the last SSLUserName of the scope, else into its login, else before its Require. It goes
 * outside of conditionals, which may be about other lines than those that ask for a user.
 */
function anchorIn(
  { index }: TransformContext,
  { scope, required }: UserScope,
  last: UserLine | undefined,
): Anchor {
  if (last !== undefined) return { ...topIn(scope, last), side: 'after' };
  const login = index
    .directives(LOGIN_LINES)
    .find(
      (line) =>
        scopeOf(line.place) === scope &&
        line.place.file === required.place.file &&
        topIn(scope, line).node === line.node,
    );
  return login === undefined
    ? { ...topIn(scope, required), side: 'before' }
    : { ...topIn(scope, login), side: 'after' };
}

/**
 * A line, or the outermost section around it in its scope; nothing can be put behind one that is not closed. What is read only
 * with mod_ssl is read wherever a user can be set.
 */
function topIn(scope: object, { node, place }: UserLine): Pick<Anchor, 'file' | 'node'> {
  const { chain, file } = place;
  const inner = chain.slice(chain.findLastIndex(({ section }) => section === scope) + 1);
  const top = inner.find(({ section }) => !asksForSsl(section) && section.close !== undefined);
  return top === undefined ? { file, node } : { file: top.file, node: top.section };
}

const asksForSsl = ({ key, args }: Section): boolean =>
  key === 'ifmodule' && findModule(args[0]?.value ?? '')?.file === 'mod_ssl.c';

function editAt({ file, node, side }: Anchor): Edit {
  const isBare = node.kind === 'directive' && node.key === 'sslusername';
  const lines = isBare ? [NO_USER] : ['<IfModule mod_ssl.c>', `    ${NO_USER}`, '</IfModule>'];
  return insertAt(file.document, { node, side }, lines);
}

function reportScope(
  context: TransformContext,
  { required, otherType }: UserScope,
  name: UserLine,
  anchor: Anchor,
): void {
  const isThere = anchor.file === required.place.file;
  const [asked, assumed] =
    otherType === undefined
      ? ['the password that 2.2 asked for', '']
      : [
          `the login of AuthType ${otherType}`,
          `; this assumes that ${otherType} does not need the user from the certificate`,
        ];
  context.report({
    file: anchor.file,
    at: isThere ? required.node.from : lineStart(anchor.node),
    level: 'error',
    changesAccess: true,
    safety: otherType === undefined ? 'safe' : 'review',
    message: `${lineOf(name)} sets the user from the certificate, and 2.4 then lets clients in without ${asked}: ${NO_USER} is added, which sets none here${assumed}`,
    edits: [editAt(anchor)],
  });
}

function reportLater(context: TransformContext, { node, place }: UserLine, required: UserLine): void {
  context.report({
    file: place.file,
    at: node.from,
    level: 'error',
    changesAccess: true,
    safety: 'review',
    message: `this sets the user from the certificate where ${lineOf(required)} asks for one, and 2.4 then lets clients in without the login that 2.2 asked for: the line is removed; where no login is required here, REMOTE_USER is then empty`,
    edits: [removeLine(place.file.document, node)],
  });
}

const lineOf = ({ node, place: { file } }: UserLine): string =>
  `${node.name} of ${file.name}:${file.document.positionAt(node.from).line}`;
