import fc from 'fast-check';

/** What is asked around the lines of one configuration or the other: modules by both names, versions, a variable. */
const condition = fc.constantFrom<string[]>(
  'IfModule mod_authz_host.c',
  'IfModule !mod_authz_host.c',
  'IfModule authz_host_module',
  'IfModule mod_access.c',
  'IfModule !mod_access.c',
  'IfModule mod_authz_user.c',
  'IfModule mod_auth_basic.c',
  'IfModule mod_authz_core.c',
  'IfModule !mod_authz_core.c',
  'IfModule authz_core_module',
  'IfModule mod_access_compat.c',
  'IfModule !mod_access_compat.c',
  'IfModule mod_authz_default.c',
  'IfModule !mod_authz_default.c',
  'IfModule mod_version.c',
  'IfModule !mod_version.c',
  'IfModule mod_rewrite.c',
  'IfModule prefork.c',
  'IfModule mod_mem_cache.c',
  'IfVersion < 2.4',
  'IfVersion >= 2.4',
  'IfVersion >= 2.3.1',
  'IfVersion < 2.2.15',
  'IfDefine A',
  'IfDefine !A',
);

/** Around lines of the server alone: 2.4 has other names for some of these. */
const serverCondition = fc.oneof(
  condition,
  fc.constantFrom<string[]>(
    'IfModule mod_authn_alias.c',
    'IfModule !mod_authn_alias.c',
    'IfModule mod_disk_cache.c',
    'IfModule !mod_disk_cache.c',
    'IfModule disk_cache_module',
  ),
);

const block = (name: string, lines: readonly string[]): string[] => [
  `<${name}>`,
  ...lines.map((line) => `    ${line}`),
  `</${name.split(' ')[0]}>`,
];

/** Either side of a condition that asks the same thing. */
function withElse(name: string, lines: readonly string[], otherwise: readonly string[]): string[] {
  const [container = '', word = ''] = name.split(' ');
  const other =
    container === 'IfVersion'
      ? name.replace(/[<>]=?/, (sign) => ({ '<': '>=', '>=': '<' })[sign] ?? sign)
      : `${container} ${word.startsWith('!') ? word.slice(1) : `!${word}`}`;
  return [...block(name, lines), ...block(other, otherwise)];
}

const old = fc.constantFrom<string[][]>(
  ['Order allow,deny', 'Allow from all'],
  ['Order deny,allow', 'Deny from all'],
  ['Order deny,allow', 'Deny from all', 'Allow from 10.0.0.0/8'],
  ['Deny from 10.1'],
  ['Satisfy any'],
  ['AuthType Basic', 'AuthName a', 'Require valid-user'],
  ['Require group a'],
);
const renewed = fc.constantFrom<string[][]>(
  ['Require all granted'],
  ['Require all denied'],
  ['Require ip 10.0.0.0/8'],
);
const besides = fc.constantFrom<string[][]>(
  ['# a comment'],
  [''],
  ['Options FollowSymLinks'],
  ['Options Indexes +Includes'],
  ['DirectoryIndex x'],
);
const ofServer = fc.constantFrom<string[][]>(
  ['MaxClients 5'],
  ['AcceptMutex fcntl'],
  ['LockFile logs/x'],
  ['NameVirtualHost *:80'],
  ['RewriteLog f', 'RewriteLogLevel 3'],
  ['SSLMutex file:x'],
  ['DefaultType text/plain'],
  ['CacheRoot /c'],
  ['MCacheSize 5'],
  ['Include c/*.conf'],
);

const loads = fc.constantFrom<string[][]>(
  ['LoadModule authz_default_module modules/mod_authz_default.so'],
  ['LoadModule authz_host_module modules/mod_authz_host.so'],
  ['LoadModule disk_cache_module modules/mod_disk_cache.so'],
);

const section = fc.constantFrom(
  'Directory "/srv"',
  'Directory "/srv/a"',
  'Location "/a"',
  'Files "x"',
  'Limit GET',
);

type Lines = fc.Arbitrary<string[]>;

/** Lines in conditionals, beside one another and in one another, with and without the other side. */
function nested(of: Lines, asked = condition): Lines {
  return fc.letrec<{ part: string[]; body: string[] }>((tie) => ({
    part: fc.oneof(
      { maxDepth: 3 },
      of,
      fc.tuple(asked, tie('body')).map(([name, lines]) => block(name, lines)),
      fc
        .tuple(asked, tie('body'), tie('body'))
        .map(([name, lines, otherwise]) => withElse(name, lines, otherwise)),
    ),
    body: fc.array(tie('part'), { maxLength: 3 }).map((parts) => parts.flat()),
  })).body;
}

const inside = nested(
  fc.oneof(
    { weight: 5, arbitrary: old },
    { weight: 2, arbitrary: renewed },
    { weight: 2, arbitrary: besides },
  ),
);
const sections = fc.tuple(section, inside).map(([name, lines]) => block(name, lines));
const server = fc.oneof(
  nested(
    fc.oneof(
      { weight: 4, arbitrary: sections },
      { weight: 2, arbitrary: ofServer },
      { weight: 1, arbitrary: besides },
    ),
  ),
  nested(fc.oneof(ofServer, besides), serverCondition),
);

const asText = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');

/** A server config and the `.htaccess` of a directory that it serves: a large part of their lines stand in conditionals. */
export const conditionals: fc.Arbitrary<{ readonly server: string; readonly htaccess: string }> = fc
  .tuple(fc.array(loads, { maxLength: 2 }), fc.array(server, { minLength: 1, maxLength: 3 }), inside)
  .map(([modules, lines, htaccess]) => ({
    server: asText([...modules, ...lines].flat()),
    htaccess: asText(htaccess),
  }));
