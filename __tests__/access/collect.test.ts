import fc from 'fast-check';
import { collect, type Collected } from '../../src/access/collect';
import { reaches } from '../../src/access/mapping';
import { AllowOverrideIndex } from '../../src/access/override';
import { depthOf, globPrefixMatches, isWithin } from '../../src/access/primitives';
import type { Scope } from '../../src/access/policy';
import { type ConfigTree, loadTree, memory } from '../../src/config';
import { share } from '../../testing/run/size';

function treeOf(text: string, included = ''): ConfigTree {
  const source = memory(
    new Map([
      ['/httpd.conf', `Listen 80\n${text}`],
      ['/common', included],
    ]),
  );
  return loadTree(source, ['/httpd.conf'], { cwd: '/', defines: new Map(), env: new Map() });
}

/** What the lines of a section say, without the lines themselves. */
function summary({ policy, problems, notes, lines: { old, requires } }: Scope): unknown {
  const { hosts } = policy;
  const plain = (value: unknown): unknown =>
    JSON.parse(
      JSON.stringify(value ?? null, (key, entry: unknown) =>
        ['origin', 'node', 'inner', 'file'].includes(key)
          ? undefined
          : entry instanceof Set
            ? [...(entry as Set<unknown>)]
            : entry,
      ),
    );
  return {
    hosts:
      hosts && plain([hosts.orders, hosts.lines.map(({ allow, words, mask }) => ({ allow, words, mask }))]),
    requires: plain(policy.requires),
    satisfy: plain(policy.satisfy),
    authType: policy.authType,
    problems: problems.map(({ problem }) => plain(problem)),
    notes: notes.map((note) => ({ ...note, node: undefined })),
    lines: [old.length, requires.length],
  };
}

const line = fc.constantFrom(
  'Order allow,deny',
  'order Allow,Deny',
  'Order deny,allow',
  'Order allow, deny',
  'Order mutual-failure',
  'Allow from all',
  'Deny from all',
  'Deny  from all',
  'deny from all',
  'Deny from "all"',
  'Allow all',
  'Allow from ALL none',
  'allow from none',
  'Deny from 10.0.0.0/33',
  'Allow from env=x # all',
  'Allow from env=X',
  'Deny from env=!x',
  'Deny from ${all}',
  'Satisfy Any',
  'Satisfy all',
  'Satisfy some',
  'Require user Ann',
  'require user Ann',
  'Require USER Ann',
  'Require user ann',
  'Require magic',
  'Require all granted',
  'AuthType None',
  'AuthType Basic',
  'Allow from \\\n    10.1',
);

test('a line says in one run with others what it says alone', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ line, limit: fc.boolean() }), { minLength: 1, maxLength: 8 }),
      (lines) => {
        const sections = lines.map(
          (entry, i) =>
            `<Directory /d${i}>\n${entry.limit ? '<Limit POST>\n' : ''}${entry.line}\n${entry.limit ? '</Limit>\n' : ''}</Directory>\n`,
        );
        const collectedTogether = collect(treeOf(sections.join(''))).scopes.map(summary);
        const alone = sections.flatMap((entry) => collect(treeOf(entry)).scopes.map(summary));
        expect(collectedTogether).toEqual(alone);
      },
    ),
    { numRuns: 300 },
  );
});

const place = fc.constantFrom(
  '@',
  '<VirtualHost *:80>\n@</VirtualHost>\n',
  '<VirtualHost *:81>\n<IfDefine X>\n@</IfDefine>\n</VirtualHost>\n',
  '<Directory /z>\n@</Directory>\n',
  '<Limit GET>\n@</Limit>\n',
  '<IfModule mod_authz_host.c>\n@</IfModule>\n',
  '<IfVersion >= 2.4>\n@</IfVersion>\n',
  'LoadModule authz_user_module x\n',
  '<VirtualHost *:82>\nDocumentRoot /r\nAllow from 10.0.0.1\n@Deny from all\n</VirtualHost>\n',
);
const snippet = fc.array(
  fc.constantFrom(
    'Allow from all\n',
    'Order allow,deny\n',
    'DocumentRoot /d\n',
    '<Directory /a>\nOrder allow,deny\n<Files x>\nDeny from all\n</Files>\nDeny from all\n</Directory>\n',
    '<Files y>\n<Limit POST>\nDeny from all\n</Limit>\nOrder deny,allow\n</Files>\n',
    '<IfDefine Y>\n<Location /l>\nRequire user a\n</Location>\n</IfDefine>\n',
  ),
  { minLength: 1, maxLength: 4 },
);

test('what a file says that is included in several places is what it says if written there', () => {
  fc.assert(
    fc.property(fc.uniqueArray(place, { minLength: 1, maxLength: 4 }), snippet, (places, lines) => {
      const asRead = (tree: ConfigTree): unknown => {
        const { scopes, mapping, misplaced } = collect(tree);
        return [
          misplaced.map(({ node, reason }) => `${reason} ${node.text}`),
          scopes.map((scope) => [
            summary(scope),
            scope.vhost?.open.rest,
            scope.section?.open.rest,
            scope.parent?.order,
            scope.aroundSection,
            scope.aroundLines.length === 0,
            [...scope.assumes],
            mapping.targets(scope.vhost),
          ]),
        ];
      };
      const common = lines.join('');
      const included = asRead(
        treeOf(places.map((entry) => entry.replace('@', 'Include /common\n')).join(''), common),
      );
      expect(included).toEqual(
        asRead(treeOf(places.map((entry) => entry.replace('@', common)).join(''), common)),
      );
    }),
    { numRuns: share(500) },
  );
});

const words = ['None', 'All', 'Limit', 'AuthConfig'];
const directories = ['/', '/a', '/a/b', '/a/b/c', '/b', '/b/a', '/ab', '/a/*', '/*/b', '~'];
const asked = [
  ...directories.filter((entry) => !/[*~]/.test(entry)),
  '/c',
  '/a/c',
  '/a/b/c/d',
  '/b/a/c',
  '/b/b',
];

const section = fc.record({
  directory: fc.nat(directories.length - 1),
  override: fc.nat(words.length - 1),
  isUndecided: fc.nat(4),
});
const host = fc.record({
  root: fc.option(fc.constantFrom('/', '/a', '/a/b', '/b', '/c'), { nil: undefined }),
  alias: fc.option(fc.constantFrom('/b', '/a/c'), { nil: undefined }),
  sections: fc.array(section, { maxLength: 3 }),
});

function linesOf({ root, alias, sections }: typeof host extends fc.Arbitrary<infer T> ? T : never): string {
  return [
    root === undefined ? '' : `DocumentRoot ${root}\n`,
    alias === undefined ? '' : `Alias /x ${alias}\n`,
    ...sections.map(({ directory, override, isUndecided }) => {
      const body = `<Directory ${directory === directories.length - 1 ? '~ ^/z' : directories[directory]!}>\nAllowOverride ${words[override]!}\n</Directory>\n`;
      return isUndecided === 0 ? `<IfDefine X>\n${body}</IfDefine>\n` : body;
    }),
  ].join('');
}

test('AllowOverride of each directory is what each host has under each setting, asked section by section', () => {
  fc.assert(
    fc.property(host, fc.array(host, { maxLength: 3 }), fc.boolean(), (main, others, isMainLast) => {
      const mainLines = linesOf(main);
      const hosts = others.map((entry) => `<VirtualHost *:80>\n${linesOf(entry)}</VirtualHost>\n`).join('');
      const tree = treeOf(isMainLast ? hosts + mainLines : mainLines + hosts);
      const { scopes, mapping } = collect(tree);
      const files = asked.map(accessFileIn);
      const overrides = new AllowOverrideIndex([...scopes, ...files], mapping, tree);
      const governing = new Set<Scope['vhost']>(scopes.map(({ vhost }) => vhost)).add(undefined);
      for (const path of asked) {
        const all = [...governing];
        const serving = all.filter((vhost) => {
          const targets = mapping.statedTargets(
            vhost === undefined ? mapping.hostsExcept(governing) : [vhost],
          );
          return targets === undefined || targets.some((target) => reaches(target, path));
        });
        const expected = new Set(
          (serving.length > 0 ? serving : all).flatMap((vhost) =>
            [true, false].map((holds) => lineInForce(scopes, vhost, path, holds)),
          ),
        );
        const found = new Set(overrides.states(path).map(({ on22 }) => on22.line));
        expect([path, found]).toEqual([path, expected]);
        for (const { on22 } of overrides.states(path))
          expect(on22.isRead).toBe(on22.line?.words[0] !== 'none');
        // A host that never reads a file has no say in what it may hold, if another may read it.
        const answering = serving.length > 0 ? serving : all;
        const mayRead = (vhost: Scope['vhost']): boolean =>
          [true, false].some((holds) => lineInForce(scopes, vhost, path, holds)?.words[0] !== 'none');
        const readers = answering.filter(mayRead);
        const file = files[asked.indexOf(path)]!;
        expect([path, answering.filter((vhost) => !overrides.files.isRead(file, vhost))]).toEqual([
          path,
          readers.length === 0 ? [] : answering.filter((vhost) => !readers.includes(vhost)),
        ]);
        const said = new Set(overrides.statesFor(file).map(({ on22 }) => on22.line));
        const readHere = (readers.length === 0 ? answering : readers).flatMap((vhost) =>
          [true, false].map((holds) => lineInForce(scopes, vhost, path, holds)),
        );
        expect([path, said]).toEqual([path, new Set(readHere)]);
      }
    }),
    { numRuns: share(500) },
  );
});

/** The section of a `.htaccess`, as far as AllowOverride asks about it. */
function accessFileIn(path: string): Scope {
  const file: Partial<Scope> = { kind: 'htaccess', pattern: { kind: 'path', path }, overrides: [] };
  return file as Scope;
}

/** The line in force: of the sections that cover a directory the deepest and last, the main server's before those of the host. */
function lineInForce(
  scopes: readonly Scope[],
  vhost: Scope['vhost'],
  path: string,
  holds: boolean,
): Scope['overrides'][number] | undefined {
  const placed = scopes.flatMap(({ kind, pattern, overrides, order, ...scope }) => {
    if (kind !== 'directory' || (scope.vhost !== undefined && scope.vhost !== vhost)) return [];
    const [line] = overrides;
    if (line === undefined || (line.tests.length > 0 && !holds)) return [];
    const at = pattern.kind === 'path' ? pattern.path : pattern.kind === 'glob' ? pattern.glob : '/';
    const covers =
      pattern.kind === 'path'
        ? isWithin(path, at)
        : depthOf(at) <= depthOf(path) && globPrefixMatches(path, at);
    return covers ? [{ level: depthOf(at), host: scope.vhost === undefined ? 0 : 1, order, line }] : [];
  });
  placed.sort((a, b) => a.level - b.level || a.host - b.host || a.order - b.order);
  return placed.at(-1)?.line;
}

test.each([
  [['TLS'], false],
  [[], true],
])('with -D %j, whether a module is loaded by a block of that name is unsure: %j', (names, unsure) => {
  const text = `<IfDefine TLS>
LoadModule ssl_module modules/mod_ssl.so
</IfDefine>
<IfModule ssl_module>
<Directory /srv/www>
    AllowOverride All
</Directory>
</IfModule>
`;
  const tree = loadTree(memory(new Map([['/httpd.conf', `Listen 80\n${text}`]])), ['/httpd.conf'], {
    cwd: '/',
    defines: new Map(names.map((name) => [name, ''])),
    env: new Map(),
  });
  const [directory] = collect(tree).scopes;
  expect(directory!.overrides.map(({ tests }) => tests.length > 0)).toEqual([unsure]);
});

describe('homes of users', () => {
  const config = 'ServerRoot /etc/httpd\nListen 80\n<IfDefine HOMES>\nUserDir public_html\n</IfDefine>\n';
  const homesOf = (started: string): Collected['homes'] => {
    const files = new Map([
      ['/etc/httpd/conf/httpd.conf', config],
      ['/etc/sysconfig/httpd', `OPTIONS="${started}"\n`],
    ]);
    return collect(
      loadTree(memory(files), ['/etc/httpd/conf/httpd.conf'], {
        cwd: '/',
        defines: new Map(),
        env: new Map(),
      }),
    ).homes;
  };

  test('are led to where the server may be started so', () => {
    expect(homesOf('-D HOMES')).toBeDefined();
    expect(homesOf('-D OTHER')).toBeUndefined();
  });
});
