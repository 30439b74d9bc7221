import fc from 'fast-check';
import { AUTH, type RandomTree, hosts, limit, satisfy } from './random-trees';

const positive = fc.constantFrom(
  'Require all granted',
  'Require all denied',
  'Require ip 127.0.0.2',
  'Require ip 127.1',
  'Require env let_me_in',
  'Require method GET',
  'Require valid-user',
  'Require user alice',
  'Require user bob carol',
  'Require group admins',
  'Require user alice bob',
);
const negative = fc.constantFrom(
  'Require not ip 127.0.0.2',
  'Require not env block',
  'require NOT user alice',
  'Require not group admins',
);

/**
 * Lines where they are alternatives, and where all must hold: 2.4 refuses negatives in the first, and negatives alone in the
 * second.
 */
const { alternatives } = fc.letrec<{ alternatives: string[]; conditions: string[] }>((tie) => ({
  alternatives: fc
    .array(
      fc.oneof(
        { depthSize: 'small', maxDepth: 2, withCrossShrink: true },
        { weight: 5, arbitrary: positive.map((line) => [line]) },
        { weight: 2, arbitrary: tie('conditions').map((lines) => limit(lines, 'RequireAll')) },
      ),
      { minLength: 1, maxLength: 2 },
    )
    .map((parts) => parts.flat()),
  conditions: fc
    .tuple(
      positive,
      fc.array(
        fc.oneof(
          { depthSize: 'small', maxDepth: 2 },
          { weight: 3, arbitrary: fc.oneof(positive, negative).map((line) => [line]) },
          { weight: 1, arbitrary: tie('alternatives').map((lines) => limit(lines, 'RequireAny')) },
          { weight: 1, arbitrary: tie('alternatives').map((lines) => limit(lines, 'RequireNone')) },
        ),
        { minLength: 1, maxLength: 3 },
      ),
    )
    .map(([first, parts]) => [first, ...parts.flat()]),
}));

const METHODS = ['Limit GET', 'Limit POST PUT', 'LimitExcept GET', 'LimitExcept GET POST OPTIONS'];
const tree = fc.oneof(
  { weight: 6, arbitrary: alternatives },
  {
    weight: 1,
    arbitrary: fc.tuple(alternatives, fc.constantFrom(...METHODS)).map(([lines, name]) => limit(lines, name)),
  },
);
const joined = fc.constantFrom('AuthMerging And', 'AuthMerging Or', 'authmerging off');

/** What a tree is made of: old lines, AuthMerging, both or none. */
export interface Ingredients {
  readonly old: boolean;
  readonly merging: boolean;
}

export const body = ({ old, merging }: Ingredients): fc.Arbitrary<string[]> =>
  fc
    .tuple(
      fc.option(tree, { freq: 4, nil: [] }),
      merging
        ? fc.option(
            joined.map((line) => [line]),
            { freq: 2, nil: [] },
          )
        : fc.constant([]),
      fc.option(fc.constant(AUTH), { freq: 2, nil: [] }),
      old ? fc.option(hosts, { freq: 2, nil: [] }) : fc.constant([]),
      old ? fc.option(satisfy, { freq: 2, nil: [] }) : fc.constant([]),
    )
    .chain((parts) => fc.shuffledSubarray(parts, { minLength: parts.length }))
    .map((parts) => parts.flat());

const section = (ingredients: Ingredients): fc.Arbitrary<string[]> =>
  fc
    .tuple(
      fc.constantFrom(
        'Directory "@DOCROOT@"',
        'Directory "@DOCROOT@/a"',
        'Directory "@DOCROOT@/a/b"',
        'Directory "@DOCROOT@/d"',
        'Directory "@DOCROOT@/*/b"',
        'DirectoryMatch "/d(/|$)"',
        'Location "/a"',
        'Location "/a/b"',
        'LocationMatch "txt$"',
        'Location /',
        'Files "x.txt"',
        'FilesMatch "^index"',
      ),
      body(ingredients),
    )
    .map(([name, lines]) => limit(lines, name));

/** Configurations in 2.4's words; with `old` some lines in them need mod_access_compat. */
export const randomTree24 = (ingredients: Ingredients): fc.Arbitrary<RandomTree> =>
  fc
    .tuple(
      fc.array(section(ingredients), { maxLength: 4, minLength: 1 }),
      fc.dictionary(fc.constantFrom('', 'a', 'a/b', 'd'), body(ingredients), { maxKeys: 2 }),
    )
    .map(([sections, htaccess]) => ({
      conf: [...sections.flatMap((lines) => [...lines, '']), ''].join('\n'),
      htaccess: Object.fromEntries(
        Object.entries(htaccess).map(([at, lines]) => [at, `${lines.join('\n')}\n`]),
      ),
    }));
