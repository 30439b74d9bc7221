import { type Place, serversOf } from '../../src/config';
import { insertAfter, insertAt, type Edit } from '../../src/edit';
import { defineTransform, type TransformContext } from '../../src/engine';
import type { Directive } from '../../src/syntax';
import { isAtServerLevel, isCarriedOver, scopeOf } from '../common/lines';
import { meetsBefore } from '../common/meeting-sections';

/** A name that no variable of mod_ssl has, so that no user is set. */
const NO_USER = 'SSLUserName SSL_NONE';

/** What Require asks for without a user. */
const WITHOUT_USER = /^(?:all|env|expr|forward-dns|host|ip|local|method|not|ssl|ssl-verify-client)$/i;

/** Lines of a login that the new line can go behind, as no other rule rewrites them. */
const LOGIN_LINES = ['AuthBasicProvider', 'AuthName', 'AuthType', 'AuthUserFile'];

interface UserLine {
  readonly node: Directive;
  readonly place: Place;
}

export default defineTransform({
  id: 'ssl-user-name',
  changes: ['S18'],
  title: 'SSLUserName and sections that ask for a password',
  why: 'SSLUserName sets the user from the certificate of the client before anything is decided. In 2.2 Require is asked after a login with a password, which sets the user again. 2.4 asks Require first with the user that is there, and lets clients in by their certificate alone.',
  docs: [
    'mod_ssl: SSLUserName',
    'modules/ssl/ssl_engine_kernel.c: ssl_hook_Access',
    'server/request.c: ap_process_request_internal',
  ],
  directives: [],
  onlyWhenUpgrading: true,
  run(context) {
    const lines = userNames(context);
    const names = lines.filter(setsUser);
    if (names.length === 0) return;
    const servers = serversOf(context.tree);
    const told = new Set<Directive>();
    for (const [scope, required] of requireScopes(context)) {
      const isSame = ({ place }: UserLine): boolean => scopeOf(place) === scope;
      const later = names.find(
        (name) =>
          !isSame(name) &&
          !isAtServerLevel(name.place) &&
          meetsBefore(required.place, name.place, servers) !== 'never',
      );
      if (later !== undefined) {
        if (!told.has(later.node)) reportLater(context, later, required);
        told.add(later.node);
        continue;
      }
      const same = lines.findLast(isSame);
      if (same !== undefined && !setsUser(same)) continue;
      const outer = names.find(({ place }) => meetsBefore(place, required.place, servers) !== 'never');
      if (same === undefined && outer === undefined) continue;
      context.report({
        file: required.place.file,
        at: required.node.from,
        level: 'error',
        safety: 'safe',
        message: `${lineOf((same ?? outer)!)} sets the user from the certificate, and 2.4 then lets clients in without the password that 2.2 asked for: ${NO_USER} is added, which sets none here`,
        edits: [editFor(context, scope, required, same)],
      });
    }
  },
});

const setsUser = ({ node }: UserLine): boolean => node.args[0]?.value !== 'SSL_NONE';

/** The lines that take a user from a certificate, if certificates are asked for. */
function userNames({ index }: TransformContext): readonly UserLine[] {
  const asksClients = index.someDirective(
    ['SSLVerifyClient'],
    ({ args }) => !/^none$/i.test(args[0]?.value ?? 'none'),
  );
  return index
    .directives(['SSLUserName'])
    .filter(
      ({ node, place }) =>
        isCarriedOver(place) && (asksClients || node.args[0]?.value.startsWith('SSL_CLIENT_') !== true),
    );
}

/** The first line of each scope that asks for a user, where 2.2 asks for a password. */
function requireScopes({ index }: TransformContext): ReadonlyMap<object, UserLine> {
  const scopes = new Map<object, UserLine>();
  const logins = index.directives(['AuthType']).filter(({ place }) => isCarriedOver(place));
  const hasPassword = ({ node }: UserLine): boolean => /^(?:basic|digest)$/i.test(node.args[0]?.value ?? '');
  for (const line of index.directives(['Require'])) {
    const word = line.node.args[0]?.value ?? '';
    if (!isCarriedOver(line.place) || WITHOUT_USER.test(word)) continue;
    const scope = scopeOf(line.place);
    const types = logins.filter(({ place }) => scopeOf(place) === scope);
    if (!(types.length === 0 ? logins : types).some(hasPassword)) continue;
    if (!scopes.has(scope)) scopes.set(scope, line);
  }
  return scopes;
}

function editFor(
  { index }: TransformContext,
  scope: object,
  { node, place }: UserLine,
  same: UserLine | undefined,
): Edit {
  if (same !== undefined) return insertAfter(same.place.file.document, same.node, [NO_USER]);
  const guarded = ['<IfModule mod_ssl.c>', `    ${NO_USER}`, '</IfModule>'];
  const login = index
    .directives(LOGIN_LINES)
    .find(
      (line) => scopeOf(line.place) === scope && line.place.file === place.file && isCarriedOver(line.place),
    );
  return login === undefined
    ? insertAt(place.file.document, { node, side: 'before' }, guarded)
    : insertAfter(place.file.document, login.node, guarded);
}

function reportLater(context: TransformContext, { node, place }: UserLine, required: UserLine): void {
  context.report({
    file: place.file,
    at: node.from,
    level: 'error',
    safety: 'manual',
    message: `this sets the user from the certificate where ${lineOf(required)} asks for one: 2.4 then lets clients in without the password that 2.2 asked for; delete this line, or move it to where no user is required`,
    edits: [],
  });
}

const lineOf = ({ node, place: { file } }: UserLine): string =>
  `${node.name} of ${file.name}:${file.document.positionAt(node.from).line}`;
