import { hadAuthnDefault } from '../../src/access';
import type { Place } from '../../src/config';
import { insertAfter } from '../../src/edit';
import { type TransformContext, defineTransform } from '../../src/engine';
import { eachLine, reportLines, scopeOf } from '../common/lines';

export default defineTransform({
  id: 'auth-basic-authoritative',
  changes: ['A18'],
  title: 'AuthBasicAuthoritative',
  why: 'Off passes a user whom no provider knows to the next module. If there is none, 2.2 answers 401 (mod_authn_default) and 2.4 answers 500. In 2.2, a section with this line also loses the AuthBasicProvider of the sections above it; in 2.4 it inherits the provider.',
  docs: ['mod_auth_basic: AuthBasicAuthoritative', 'mod_auth_basic: AuthBasicProvider'],
  directives: ['AuthBasicAuthoritative'],
  run(context) {
    keepProviders(context);
    let authnDefault: { readonly isLoadedIn22: boolean | undefined; readonly isOff: boolean } | undefined;
    const hasUsers = userFiles(context);
    eachLine(context, ['AuthBasicAuthoritative'], ({ args: [argument] }, place) => {
      const { file } = place;
      if (argument?.value.toLowerCase() !== 'off') return;
      authnDefault ??= { isLoadedIn22: hadAuthnDefault(context.tree), isOff: isAuthnDefaultOff(context) };
      const { isLoadedIn22, isOff } = authnDefault;
      // 2.2 answers 500 as well.
      if (isLoadedIn22 === false || isOff) return;
      // At the argument, since the other finding of this rule may be at the start of the same line.
      const report = { file, at: argument.start, level: 'warning' } as const;
      if (isLoadedIn22 === true && !hasUsers(place))
        context.report({
          ...report,
          message:
            'no AuthUserFile is set here: 2.2 answered 401 to every user, and 2.4 answers 500, even with AuthBasicAuthoritative On; set AuthUserFile to let users in',
        });
      else if (isLoadedIn22 === true)
        context.report({
          ...report,
          safety: 'safe',
          message:
            'with AuthBasicAuthoritative Off and no other authentication module, 2.4 answers 500 to an unknown user; with On, it answers 401 as 2.2 did (but 500 where the file of AuthUserFile is missing: see that it is there)',
          edits: [{ start: argument.start, end: argument.end, text: 'On' }],
        });
      else
        context.report({
          ...report,
          message:
            'with AuthBasicAuthoritative Off, 2.4 answers 500 to an unknown user where 2.2 answered 401: set it to On, unless another module authenticates such users',
        });
    });
  },
});

/** With `AuthDefaultAuthoritative Off`, 2.2 answers 500 as well. */
function isAuthnDefaultOff(context: TransformContext): boolean {
  let found = false;
  context.directives(['AuthDefaultAuthoritative'], (node) => {
    found ||= node.args[0]?.value.toLowerCase() === 'off';
  });
  return found;
}

/**
 * Tells whether a place may have an AuthUserFile or a provider other than mod_authn_file, which answers 500 without an
 * AuthUserFile (mod_authn_file.c: check_password). Lines in sections for other directories or URLs do not count.
 */
function userFiles(context: TransformContext): (place: Place) => boolean {
  const paths: (readonly [string, string] | undefined)[] = [];
  context.directives(['AuthUserFile', 'AuthBasicProvider'], (node, place) => {
    if (node.key === 'authuserfile' || node.args.some(({ value }) => value.toLowerCase() !== 'file'))
      paths.push(pathOf(place));
  });
  return (place) => {
    const path = pathOf(place);
    return paths.some(
      (usersPath) => path === undefined || usersPath === undefined || mayMeet(path, usersPath),
    );
  };
}

/** The kind of the outermost section around a place, and its path with a final slash; undefined where no plain path is given. */
function pathOf({ chain }: Place): readonly [string, string] | undefined {
  const section = chain.find(({ section: { key } }) => key === 'directory' || key === 'location')?.section;
  const path = section?.args[0]?.value;
  // A name with other characters may be a pattern, a variable, or another spelling of the same path.
  return path === undefined || !/^\/[\w/-]*$/.test(path) || path.includes('//')
    ? undefined
    : [section!.key, path.endsWith('/') ? path : `${path}/`];
}

function mayMeet(
  [kind, path]: readonly [string, string],
  [otherKind, otherPath]: readonly [string, string],
): boolean {
  return kind !== otherKind || path.startsWith(otherPath) || otherPath.startsWith(path);
}

/** Writes the default provider that 2.2 used in a section, where 2.4 would inherit another one. */
function keepProviders(context: TransformContext): void {
  const withProvider = new Set<object>();
  let otherProviders = false;
  context.directives(['AuthBasicProvider'], (node, place) => {
    withProvider.add(scopeOf(place));
    otherProviders ||= node.args.some(({ value }) => value !== 'file');
  });
  if (!otherProviders) return;
  reportLines(context, ['AuthBasicAuthoritative'], (node, place) => {
    if (withProvider.has(scopeOf(place))) return undefined;
    withProvider.add(scopeOf(place));
    return {
      level: 'error',
      safety: 'safe',
      message:
        'in 2.4, a section with AuthBasicAuthoritative inherits the AuthBasicProvider above it: "AuthBasicProvider file" keeps the provider that 2.2 used here',
      edits: [insertAfter(place.file.document, node, ['AuthBasicProvider file'])],
    };
  });
}
