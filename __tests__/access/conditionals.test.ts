import fc from 'fast-check';
import { conditionUnder } from '../../src/access/policy';
import { type Section, parse } from '../../src/syntax';
import { SEED, share } from '../../testing/run/size';
import type { RunOptions } from '../../src/engine';
import { convertFiles, textAfter } from '../../testing/run/convert';
import { conditionals } from '../../testing/access/random-conditionals';
import { loadLines } from '../../testing/run/load-lines';

const SERVER = '/etc/httpd.conf';
const ACCESS_FILE = '/srv/a/.htaccess';

describe.each<RunOptions>([{}, { dual: true }])(
  'a block for a module that one version alone loads, %o',
  (options) => {
    const lines = ['Order deny,allow', 'Deny from all'];
    const loadsFor = (block: string): string =>
      `<${block}>\nLoadModule cache_module modules/mod_cache.so\n</${block.split(' ')[0]!}>`;

    describe.each(['IfVersion >= 2.4', 'IfVersion < 2.4', 'IfModule mod_authz_core.c'])(
      'in <%s>',
      (loaded) => {
        test.each(['mod_cache.c', '!mod_cache.c', '!cache_module'])('<IfModule %s>', (word) => {
          const block = [`<IfModule ${word}>`, ...lines, '</IfModule>'];
          const server = [loadsFor(loaded), '<Directory "/srv/a">', ...block, '</Directory>', ''].join('\n');
          const result = convertFiles({ [SERVER]: server }, [SERVER], options);
          expect(textAfter(result, SERVER) ?? server).toContain(block.join('\n'));
          expect(isRefused(result)).toBe(true);
        });

        test('around sections, and in a .htaccess', () => {
          const around = [
            '<IfModule !mod_cache.c>',
            '<Directory "/srv/a">',
            ...lines,
            '</Directory>',
            '</IfModule>',
          ];
          const server = [loadsFor(loaded), ...around, ''].join('\n');
          expect(isRefused(convertFiles({ [SERVER]: server }, [SERVER], options))).toBe(true);
          const htaccess = ['<IfModule !mod_cache.c>', ...lines, '</IfModule>', ''].join('\n');
          const files = {
            [SERVER]: `${loadsFor(loaded)}\n<Directory "/srv">\nAllowOverride All\n</Directory>\n`,
            [ACCESS_FILE]: htaccess,
          };
          expect(isRefused(convertFiles(files, [SERVER, '/srv'], options))).toBe(true);
        });
      },
    );

    test('which both versions load, each by a line of its own, is converted', () => {
      const block = [
        '<Directory "/srv/a">',
        '<IfModule mod_cache.c>',
        ...lines,
        '</IfModule>',
        '</Directory>',
      ];
      const server = [loadsFor('IfVersion < 2.4'), loadsFor('IfVersion >= 2.4'), ...block, ''].join('\n');
      expect(isRefused(convertFiles({ [SERVER]: server }, [SERVER], options))).toBe(false);
    });
  },
);

describe('a block for a module that every 2.4 has, and a LoadModule line brings into 2.2', () => {
  const modules = ['authz_host', 'auth_basic', 'authn_file', 'authz_user', 'authz_default'];
  const converted = (more: readonly string[], body: string): string => {
    const loads = loadLines([...modules, ...more]);
    const server = `ServerRoot /etc\nListen 80\nDocumentRoot /srv\n${loads}<Directory /srv/a>\nAuthType Basic\nAuthName x\nAuthUserFile /u\nRequire valid-user\n${body}</Directory>\n`;
    return textAfter(convertFiles({ [SERVER]: server }, [SERVER]), SERVER) ?? server;
  };
  const block = (asks: string, body: string): string => `<IfModule ${asks}>\n${body}</IfModule>\n`;
  const lines = 'Order deny,allow\nDeny from all\nAllow from 10\n';

  test.each(['mod_version.c', 'version_module'])('<IfModule %s> is read by both', (asks) => {
    expect(converted(['version'], block(asks, lines))).toContain(
      '<RequireAll>\n    Require ip 10\n    Require valid-user\n</RequireAll>\n',
    );
    expect(converted(['version'], block(asks, `${lines}Satisfy any\n`))).toMatch(
      /AuthUserFile \/u\nRequire ip 10\nRequire valid-user\n/,
    );
  });

  test('twins: where no line loads it, and where the block asks for its absence', () => {
    const asked = block('mod_version.c', `${lines}Satisfy any\n`);
    expect(converted([], asked)).toContain(asked);
    const absent = block('!mod_version.c', lines);
    expect(converted(['version'], absent)).toContain(absent);
  });
});

describe('a block for a server without a module that the target loads', () => {
  const loads = ['authz_host', 'authz_user', 'auth_basic', 'alias', 'dir', 'mime'];
  const server = [
    ...loads.map((name) => `LoadModule ${name}_module modules/mod_${name}.so`),
    '<Directory "/srv/a">',
    '<IfModule !mod_cache.c>',
    'Order deny,allow',
    'Deny from all',
    '</IfModule>',
    '</Directory>',
    '',
  ].join('\n');

  test.each([
    ['cache_module', 'static', 'error'],
    ['cache_module', 'shared', 'warning'],
    ['info_module', 'static', undefined],
  ] as const)('%s, %s', (loaded, how, level) => {
    const targetModules = new Map<string, 'static' | 'shared'>([[loaded, how]]);
    for (const name of loads) targetModules.set(`${name}_module`, 'shared');
    const { outcomes } = convertFiles({ [SERVER]: server }, [SERVER], { targetModules });
    expect(outcomes.find(({ rule }) => rule === 'if-module-lacked')?.level).toBe(level);
  });
});

test('sections for a module that is not loaded are found again behind a section that another rule adds', () => {
  const server = [
    'ServerRoot /etc',
    'Listen 80',
    ...['authz_host', 'authz_user', 'auth_basic', 'alias', 'dir', 'mime'].map(
      (name) => `LoadModule ${name}_module modules/mod_${name}.so`,
    ),
    '<VirtualHost *:80>',
    'DocumentRoot "/srv/a"',
    '<IfModule mod_dav_fs.c>',
    '<Directory "/srv/dav">',
    'Order allow,deny',
    'Deny from all',
    '</Directory>',
    '</IfModule>',
    '</VirtualHost>',
    '',
  ].join('\n');
  // No AllowOverride covers it: a section that has one is put before all others.
  const result = convertFiles({ [SERVER]: server, [ACCESS_FILE]: 'Deny from 192.0.2.1\n' }, [SERVER, '/srv']);
  expect(textAfter(result, SERVER)).toMatch(
    /AllowOverride All[^]*<Directory "\/srv\/dav">\nRequire all denied/,
  );
  const told = result.outcomes.filter(({ rule, status }) => rule === 'order-allow-deny' && status === 'none');
  expect(told).toEqual([]);
  const block = result.outcomes.find(({ rule }) => rule === 'if-module-lacked');
  expect(block?.message).toContain('its sections are converted as if it were read');
});

function isRefused(result: ReturnType<typeof convertFiles>): boolean {
  return result.outcomes.some(
    ({ rule, level, status }) => rule === 'order-allow-deny' && level === 'error' && status !== 'applied',
  );
}

describe.each<RunOptions>([{}, { dual: true }, { dual: false }])('lines in conditionals, %o', (options) => {
  test('the first run is final', () => {
    fc.assert(
      fc.property(conditionals, ({ server, htaccess }) => {
        const result = convertFiles({ [SERVER]: server, [ACCESS_FILE]: htaccess }, [SERVER, '/srv'], options);
        // run() reads its result again and reports a failure if that would change once more.
        expect(result.failure).toBeUndefined();
        const now = {
          [SERVER]: textAfter(result, SERVER) ?? server,
          [ACCESS_FILE]: textAfter(result, ACCESS_FILE) ?? htaccess,
        };
        // A block that is left until the lines in it are settled is collapsed by the next run, and the first one says so.
        const left = result.outcomes.some(
          ({ rule, status }) => rule === 'version-block' && status !== 'applied',
        );
        const again = convertFiles(now, [SERVER, '/srv'], options);
        if (!left) expect(again.plan.map(({ text }) => text)).toEqual([]);
      }),
      { numRuns: share(300, 16), seed: SEED },
    );
  });

  test('the first run over a lone file is final', () => {
    fc.assert(
      fc.property(conditionals, ({ htaccess }) => {
        const result = convertFiles({ [ACCESS_FILE]: htaccess }, [ACCESS_FILE], options);
        expect(result.failure).toBeUndefined();
      }),
      { numRuns: share(300, 16), seed: SEED },
    );
  });
});

// What is converted for a 2.4 that has the module becomes a text for one that need not.
test.each([
  ['IfModule mod_access_compat.c', true, false],
  ['IfModule !mod_access_compat.c', false, true],
  ['IfModule access_compat_module', true, false],
  ['IfModule !access_compat_module', false, true],
  ['IfModule mod_rewrite.c', undefined, undefined],
  ['IfModule !mod_rewrite.c', undefined, undefined],
  ['IfDefine mod_access_compat.c', undefined, undefined],
  ['IfVersion >= 2.4', true, true],
])('a 2.4 with mod_access_compat, and one without, read <%s>', (opening, before, after) => {
  expect(conditionUnder(sectionOf(opening), undefined, 'compat')).toEqual({ before, after });
});

// A 2.2 has them unless it is built without, and no 2.4 has.
test.each([
  ['IfModule mod_authz_default.c', true],
  ['IfModule !mod_authz_default.c', false],
  ['IfModule authn_default_module', true],
  ['IfModule mod_authz_default.c x', undefined],
  ['IfDefine mod_authz_default.c', undefined],
  ['IfModule mod_rewrite.c', undefined],
])('a 2.2 reads <%s>', (opening, before) => {
  expect(conditionUnder(sectionOf(opening), undefined, '2.2').before).toBe(before);
});

function sectionOf(opening: string): Section {
  const [section] = parse(`<${opening}>\n</${opening.split(' ')[0]}>\n`).body;
  if (section?.kind !== 'section') throw new Error(`${opening} opens no section`);
  return section;
}

test('a block that asks for the absence of a module that 2.2 lacked is converted beside what is written for its presence', () => {
  const loads = loadLines('authz_host mime dir env');
  const section = [
    '<Directory "/srv/a">',
    'Order allow,deny',
    'Allow from 192.0.2.1',
    'AuthType Basic',
    'AuthName a',
    'AuthUserFile /etc/users',
    'Require user bob',
    '<IfModule !mod_ssl.c>',
    'Satisfy any',
    '</IfModule>',
    '</Directory>',
    '',
  ].join('\n');
  const result = convertFiles({ [SERVER]: `${loads}DocumentRoot /srv\n${section}` });
  expect(isRefused(result)).toBe(false);
  expect(textAfter(result, SERVER)).toContain('<IfModule mod_ssl.c>');
  expect(textAfter(result, SERVER)).not.toMatch(/^(?:Order|Allow|Satisfy) /mu);
});
