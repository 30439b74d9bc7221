import { hadAuthnDefault } from '../../src/access';
import type { Place } from '../../src/config';
import { insertAfter } from '../../src/edit';
import { type TransformContext, defineTransform } from '../../src/engine';
import { eachLine } from '../shared/lines';
import { homeOf } from './auth-lines';

export default defineTransform({
  id: 'auth-basic-authoritative',
  changes: ['A18'],
  title: 'AuthBasicAuthoritative',
  why: 'Off passes a user whom no provider knows to the next module. Without such a module, 2.2 answers 401 (mod_authn_default) and 2.4 answers 500. In 2.2, a section with this line also loses the AuthBasicProvider of the sections above it; in 2.4 it inherits the provider.',
  docs: ['mod_auth_basic: AuthBasicAuthoritative', 'mod_auth_basic: AuthBasicProvider'],
  directives: ['AuthBasicAuthoritative'],
  run(context) {
    keepProviders(context);
    let asked: { readonly hadLastWord: boolean | undefined; readonly passedOn: boolean } | undefined;
    const hasUsers = userFiles(context);
    eachLine(context, ['AuthBasicAuthoritative'], ({ args: [word] }, place) => {
      const { file } = place;
      if (word?.value.toLowerCase() !== 'off') return;
      asked ??= { hadLastWord: hadAuthnDefault(context.tree), passedOn: isPassedOn(context) };
      const { hadLastWord, passedOn } = asked;
      // 2.2 answered 500 itself.
      if (hadLastWord === false || passedOn) return;
      // Not where the other finding of this rule is, which may be about the same line.
      const report = { file, at: word.start, level: 'warning' } as const;
      if (hadLastWord === true && !hasUsers(place))
        context.report({
          ...report,
          safety: 'manual',
          message:
            'no AuthUserFile is set here: 2.2 answered 401, 2.4 answers 500 to every user, with AuthBasicAuthoritative On too; set AuthUserFile to let users in',
          edits: [],
        });
      else if (hadLastWord === true)
        context.report({
          ...report,
          safety: 'safe',
          message:
            'with AuthBasicAuthoritative Off and no other authentication module, 2.4 answers 500 to an unknown user: On answers 401, as 2.2 did',
          edits: [{ start: word.start, end: word.end, text: 'On' }],
        });
      else
        context.report({
          ...report,
          safety: 'manual',
          message:
            'with AuthBasicAuthoritative Off, 2.4 answers 500 to an unknown user where 2.2 answered 401: set it On, unless another module authenticates such users',
          edits: [],
        });
    });
  },
});

/** `AuthDefaultAuthoritative Off` made 2.2 answer 500, too. */
function isPassedOn(context: TransformContext): boolean {
  let found = false;
  context.directives(['AuthDefaultAuthoritative'], (node) => {
    found ||= node.args[0]?.value.toLowerCase() === 'off';
  });
  return found;
}

/**
 * Whether a place may have a file of users, or asks others than mod_authn_file, which answers 500 without one (mod_authn_file.c:
 * check_password). Lines of sections for other directories, or other URLs, are not for it.
 */
function userFiles(context: TransformContext): (place: Place) => boolean {
  const paths: (readonly [string, string] | undefined)[] = [];
  context.directives(['AuthUserFile', 'AuthBasicProvider'], (node, place) => {
    if (node.key === 'authuserfile' || node.args.some(({ value }) => value.toLowerCase() !== 'file'))
      paths.push(pathOf(place));
  });
  return (place) => {
    const own = pathOf(place);
    return paths.some((path) => own === undefined || path === undefined || mayMeet(own, path));
  };
}

/** The kind and the path of the outermost section around a place, with a slash at its end; undefined where these do not tell. */
function pathOf({ chain }: Place): readonly [string, string] | undefined {
  const section = chain.find(({ section: { key } }) => key === 'directory' || key === 'location')?.section;
  const path = section?.args[0]?.value;
  // A name with more to it than letters may be a pattern, a variable, or another way to say the same.
  return path === undefined || !/^\/[\w/-]*$/.test(path) || path.includes('//')
    ? undefined
    : [section!.key, path.endsWith('/') ? path : `${path}/`];
}

function mayMeet([kind, path]: readonly [string, string], [other, at]: readonly [string, string]): boolean {
  return kind !== other || path.startsWith(at) || at.startsWith(path);
}

/** Says which provider a section used in 2.2 for want of a line, where 2.4 would inherit another one. */
function keepProviders(context: TransformContext): void {
  const own = new Set<object>();
  let others = false;
  context.directives(['AuthBasicProvider'], (node, place) => {
    own.add(homeOf(place));
    others ||= node.args.some(({ value }) => value !== 'file');
  });
  if (!others) return;
  eachLine(context, ['AuthBasicAuthoritative'], (node, place) => {
    if (own.has(homeOf(place))) return;
    own.add(homeOf(place));
    context.report({
      file: place.file,
      at: node.from,
      level: 'error',
      safety: 'safe',
      message:
        'in 2.4, a section with AuthBasicAuthoritative inherits the AuthBasicProvider above it: "AuthBasicProvider file" keeps the provider that 2.2 used here',
      edits: [insertAfter(place.file.document, node, ['AuthBasicProvider file'])],
    });
  });
}
