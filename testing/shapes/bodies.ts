import fc from 'fast-check';

export type ShapeLines = readonly string[];
export type ShapeLinesArb = fc.Arbitrary<ShapeLines>;

/** Lines in a section or conditional. */
export const within = (name: string, lines: ShapeLines): string[] => [
  `<${name}>`,
  ...lines.map((line) => `  ${line}`),
  `</${name.split(' ')[0]}>`,
];

export const text = (lines: ShapeLines): string => lines.map((line) => `${line}\n`).join('');

export const AUTH: ShapeLines = [
  'AuthType Basic',
  'AuthName "area"',
  'AuthUserFile "@B@/conf/htpasswd"',
  'AuthGroupFile "@B@/conf/htgroup"',
];

/** What the addresses of the clients are in and out of. */
export const CLIENTS: ShapeLines = ['10.1.2.3', '10.2.0.9', '192.168.1.5', '172.16.0.1'];

const RANGES = [
  '10',
  '10.1',
  '10.1.2.3',
  '10.1.0.0/16',
  '192.168.1.0/255.255.255.0',
  '10.1.2.3 192.168',
  '192.168.1.5',
];

const PEOPLE = ['valid-user', 'user alice', 'user bob carol', 'group staff', 'group admins'];

/** Who may come in, so that both versions' lines can be made from it. */
export interface Rule {
  readonly hosts: { readonly kind: 'all' | 'none' | 'only' | 'but' | 'unsaid'; readonly range: string };
  readonly people: string | undefined;
  /** Whether the lines of the password stand here, or above. */
  readonly auth: boolean;
  readonly any: boolean;
}

const rule: fc.Arbitrary<Rule> = fc
  .record({
    kind: fc.constantFrom('all', 'all', 'none', 'only', 'only', 'but', 'unsaid' as const),
    range: fc.constantFrom(...RANGES),
    people: fc.option(fc.constantFrom(...PEOPLE), { freq: 2, nil: undefined }),
    auth: fc.nat(4).map((n) => n > 0),
    any: fc.nat(2).map((n) => n === 2),
  })
  .map(({ kind, range, people, auth, any }): Rule => {
    const shown = kind === 'unsaid' && people === undefined ? 'none' : kind;
    return { hosts: { kind: shown, range }, people, auth, any };
  });

/** A rule as 2.2 writes it. */
function linesFor22({ hosts: { kind, range }, people, auth, any }: Rule): string[] {
  const hosts = {
    all: ['Order allow,deny', 'Allow from all'],
    none: ['Order deny,allow', 'Deny from all'],
    only: ['Order deny,allow', 'Deny from all', `Allow from ${range}`],
    but: ['Order allow,deny', 'Allow from all', `Deny from ${range}`],
    unsaid: [],
  }[kind];
  const password = people === undefined ? [] : [...(auth ? AUTH : []), `Require ${people}`];
  return [...hosts, ...password, ...(any ? ['Satisfy Any'] : [])];
}

/** The rule as 2.4 writes it, where nothing above counts. */
export function linesFor24({ hosts: { kind, range }, people, auth, any }: Rule): string[] {
  const password = people === undefined ? [] : [`Require ${people}`];
  const settings = people !== undefined && auth ? AUTH : [];
  const hosts = {
    all: ['Require all granted'],
    none: ['Require all denied'],
    only: [`Require ip ${range}`],
    but: within('RequireAll', ['Require all granted', `Require not ip ${range}`]),
    unsaid: [],
  }[kind];
  if (people === undefined) return hosts;
  if (any) return [...settings, ...within('RequireAny', [...hosts, ...password])];
  return kind === 'all' || kind === 'unsaid'
    ? [...settings, ...password]
    : [...settings, ...within('RequireAll', [...hosts, ...password])];
}

/** What a section of 2.2 says of access, in the ways people write it. */
export const oldBody: ShapeLinesArb = fc.oneof(
  { weight: 10, arbitrary: rule.map(linesFor22) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<ShapeLines>(
      ['Satisfy Any'],
      ['Satisfy All'],
      ['Order allow,deny'],
      ['Deny from all'],
    ),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom(...PEOPLE), fc.constantFrom(...RANGES))
      .map(([people, range]) => [
        ...AUTH,
        ...within('Limit POST', [`Require ${people}`]),
        `Deny from ${range}`,
      ]),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom(...PEOPLE), fc.constantFrom('GET', 'POST', 'GET POST'))
      .map(([people, methods]) => [...AUTH, ...within(`LimitExcept ${methods}`, [`Require ${people}`])]),
  },
);

/** How a line that only one version is to read is kept from the other: what stands around 2.4's lines, and around 2.2's. */
const GUARDS = [
  ['IfModule mod_authz_core.c', 'IfModule !mod_authz_core.c'],
  ['IfModule mod_authz_core.c', 'IfModule !mod_authz_core.c'],
  ['IfModule authz_core_module', 'IfModule !authz_core_module'],
  ['IfVersion >= 2.4', 'IfVersion < 2.4'],
  ['IfVersion >= 2.4', 'IfVersion <= 2.2.99'],
  ['IfModule !mod_access_compat.c', 'IfModule !mod_authz_core.c'],
  ['IfModule mod_authz_core.c', 'IfModule mod_authz_default.c'],
] as const;

/** How the half for 2.4 stands to that for 2.2. */
const RELATIONS = [
  'equal',
  'equal',
  'equal',
  'other',
  'granted',
  'denied',
  'new only',
  'old only',
  'old outside',
] as const;

/** A rule for both versions at once, as people write it beside an upgrade, rightly and wrongly. */
export const dualBody: ShapeLinesArb = fc
  .record({
    old: rule,
    other: rule,
    relation: fc.constantFrom(...RELATIONS),
    guard: fc.constantFrom(...GUARDS),
    limit: fc.option(fc.constantFrom('Limit GET POST', 'LimitExcept OPTIONS'), { freq: 7, nil: undefined }),
    newFirst: fc.boolean(),
  })
  .map(({ old, other, relation, guard: [for24, for22], limit, newFirst }) => {
    const settle = (lines: ShapeLines): ShapeLines =>
      limit === undefined || lines.length === 0 ? lines : within(limit, lines);
    const halves = {
      equal: linesFor24(old),
      other: linesFor24(other),
      granted: ['Require all granted'],
      denied: ['Require all denied'],
      'new only': linesFor24(other),
      'old only': [],
      'old outside': linesFor24(old),
    }[relation];
    const now = halves.length === 0 ? [] : within(for24, settle(halves));
    if (relation === 'new only') return now;
    const then = relation === 'old outside' ? linesFor22(old) : within(for22, settle(linesFor22(old)));
    return newFirst ? [...now, ...then] : [...then, ...now];
  });

/** The two halves, for files of their own: mostly the same rule. */
export const halves: fc.Arbitrary<{ readonly for22: ShapeLines; readonly for24: ShapeLines }> = fc
  .tuple(rule, rule, fc.nat(3))
  .map(([old, other, n]) => ({ for22: linesFor22(old), for24: linesFor24(n === 0 ? other : old) }));

/** Conditionals of which the server decides, and those that a name given at its start decides. */
const CONDITIONS = [
  'IfModule mod_alias.c',
  'IfModule mod_authz_host.c',
  'IfModule authz_host_module',
  'IfModule !mod_alias.c',
  'IfModule mod_rewrite.c',
  'IfModule mod_nonexistent.c',
  'IfModule !mod_nonexistent.c',
  'IfModule mod_access.c',
  'IfDefine CLOSED',
  'IfDefine !CLOSED',
  'IfVersion >= 2.2',
  'IfVersion < 2.4',
];

/** Lines of which some stand in conditionals. */
export function conditional(lines: ShapeLinesArb): ShapeLinesArb {
  const condition = fc.constantFrom(...CONDITIONS);
  return fc.oneof(
    fc.tuple(lines, condition).map(([inner, name]) => within(name, inner)),
    fc.tuple(lines, lines, condition).map(([first, second, name]) => [...first, ...within(name, second)]),
    fc.tuple(lines, lines, condition).map(([first, second, name]) => [...within(name, first), ...second]),
    fc.tuple(lines, condition, condition).map(([inner, outer, name]) => within(outer, within(name, inner))),
    fc.tuple(lines, lines, condition).map(([first, second, name]) => {
      const not = name.includes('!') ? name.replace('!', '') : name.replace(' ', ' !');
      return [...within(name, first), ...(name.startsWith('IfVersion') ? [] : within(not, second))];
    }),
  );
}

const PLACEHOLDERS = [
  '@BLOCKED@',
  '<%= @blocked %>',
  '{{ blocked }}',
  '<tmpl_var blocked>',
  '%(blocked)s',
  '$blocked',
  '[% blocked %]',
  '__BLOCKED__',
];

/** A body with a placeholder in its host lists, and the placeholder. */
export const templateBody: fc.Arbitrary<{ readonly placeholder: string; readonly lines: ShapeLines }> = fc
  .tuple(rule, fc.constantFrom(...PLACEHOLDERS), fc.nat(5), fc.constantFrom(...RANGES))
  .map(([old, placeholder, form, range]) => {
    const password = linesFor22({ ...old, hosts: { kind: 'unsaid', range } });
    const hosts = [
      ['Order deny,allow', 'Deny from all', `Allow from ${placeholder}`],
      ['Order allow,deny', 'Allow from all', `Deny from ${placeholder}`],
      ['Order deny,allow', 'Deny from all', `Allow from ${range} ${placeholder}`],
      ['Order allow,deny', `Allow from ${placeholder}`],
      ['Order allow,deny', 'Allow from all', `Deny from ${range}`, `Deny from ${placeholder}`],
      [`Deny from ${placeholder}`],
    ][form]!;
    return { placeholder, lines: [...hosts, ...password] };
  });
