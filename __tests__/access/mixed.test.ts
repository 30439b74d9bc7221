import fc from 'fast-check';
import { SEED, share } from '../../testing/run/size';
import { collect, factsOf } from '../../src/access/collect';
import { answerCompat } from '../../testing/access/answers';
import { treeOf } from '../../testing/access/compare-24';
import { asModelRequest } from '../../testing/access/compare-model';
import { compareMixed } from '../../testing/access/compare-mixed';
import type { RandomTree } from '../../testing/access/random-trees';
import { randomTree24 } from '../../testing/access/random-trees-24';
import { AS_TODAY, convertFiles, textAfter } from '../../testing/run/convert';

test('random mixtures of old and new lines, converted, answer without mod_access_compat as they did with it', async () => {
  const trees = fc.sample(randomTree24({ old: true, merging: false }), {
    numRuns: share(40, 8),
    seed: SEED,
  });
  const { converted, differences, requests } = await compareMixed(trees);
  expect(differences).toEqual([]);
  expect(converted).toBeGreaterThan(share(10, 10));
  expect(requests).toBeGreaterThan(share(8_000, 12));
});

const AUTH = 'AuthType Basic\nAuthName "area"\nAuthUserFile conf/htpasswd\nAuthGroupFile conf/htgroup\n';

const byHand: Readonly<Record<string, RandomTree>> = {
  'old lines that refuse above new ones that let in': {
    conf: '<Directory "@DOCROOT@">\nOrder deny,allow\nDeny from all\n</Directory>\n<Location "/a">\nRequire ip 127.0.0.2\n</Location>\n',
    htaccess: {},
  },
  'new lines that refuse above old ones that let in': {
    conf: '<Directory "@DOCROOT@">\nRequire all denied\n</Directory>\n<Directory "@DOCROOT@/a">\nRequire all granted\n</Directory>\n<Location "/">\nOrder deny,allow\nDeny from all\nAllow from 127.0.0.1\n</Location>\n',
    htaccess: {},
  },
  'both kinds in one section, joined by Satisfy Any': {
    conf: `<Directory "@DOCROOT@/a">\n${AUTH}Require valid-user\nRequire ip 127.0.0.2\nOrder allow,deny\nAllow from 127.1\nSatisfy Any\n</Directory>\n`,
    htaccess: {},
  },
  'a Satisfy that drops the host lists above it': {
    conf: `<Directory "@DOCROOT@">\nOrder deny,allow\nDeny from all\n</Directory>\n<Directory "@DOCROOT@/a">\n${AUTH}<RequireAny>\nRequire user alice\nRequire ip 127.1\n</RequireAny>\nSatisfy Any\n</Directory>\n`,
    htaccess: {},
  },
  'host lists that drop the Satisfy Any above them': {
    conf: `<Directory "@DOCROOT@">\n${AUTH}Require user alice\nRequire method OPTIONS\nOrder allow,deny\nSatisfy Any\n</Directory>\n<Directory "@DOCROOT@/a">\nOrder deny,allow\nDeny from 127.1\n</Directory>\n`,
    htaccess: {},
  },
  'limits of both kinds': {
    conf: `<Directory "@DOCROOT@">\n<Limit POST>\nOrder deny,allow\nDeny from 127.1\n</Limit>\n${AUTH}<LimitExcept GET>\n<RequireAll>\nRequire valid-user\nRequire not user carol\n</RequireAll>\n</LimitExcept>\n</Directory>\n`,
    htaccess: {},
  },
  'a negation of addresses inside another': {
    conf: '<Directory "@DOCROOT@">\nOrder allow,deny\nAllow from all\n<RequireAll>\nRequire all granted\n<RequireNone>\n<RequireAll>\nRequire all granted\nRequire not ip 127.1\n</RequireAll>\n</RequireNone>\n</RequireAll>\n</Directory>\n<Directory "@DOCROOT@/a">\nOrder deny,allow\nDeny from 127.0.0.2\n</Directory>\n',
    htaccess: {},
  },
  'a negation of users inside another, which asks for none': {
    conf: `<Directory "@DOCROOT@">\nOrder allow,deny\nAllow from all\n${AUTH}<RequireAll>\nRequire all granted\n<RequireNone>\nRequire ip 127.1\n<RequireAll>\nRequire all granted\nRequire not user alice\n</RequireAll>\n</RequireNone>\n</RequireAll>\n</Directory>\n`,
    htaccess: {},
  },
  'a negation of users inside another, where something else asks for one': {
    conf: `<Directory "@DOCROOT@">\nOrder allow,deny\nAllow from all\n${AUTH}<RequireAll>\nRequire valid-user\n<RequireNone>\n<RequireAll>\nRequire ip 127.1\nRequire not user alice\n</RequireAll>\n</RequireNone>\n</RequireAll>\n</Directory>\n<Directory "@DOCROOT@/a">\nOrder deny,allow\nDeny from 127.0.0.2\nSatisfy Any\n</Directory>\n`,
    htaccess: {},
  },
  'a negation inside another, for some methods': {
    conf: `<Directory "@DOCROOT@">\nOrder allow,deny\nAllow from all\n${AUTH}<Limit POST>\n<RequireAll>\nRequire all granted\n<RequireNone>\n<RequireAll>\nRequire all granted\nRequire not user alice\n</RequireAll>\n</RequireNone>\n</RequireAll>\n</Limit>\n</Directory>\n<Directory "@DOCROOT@/a">\nOrder deny,allow\nDeny from 127.0.0.2\n</Directory>\n`,
    htaccess: {},
  },
  'an old .htaccess below new sections': {
    conf: '<Directory "@DOCROOT@">\nRequire ip 127.0.0\n</Directory>\n',
    htaccess: { a: 'Order allow,deny\nAllow from 127.0.0.2 127.1\n', d: 'Require env let_me_in\n' },
  },
};

test('mixtures by hand answer without mod_access_compat as they did with it', async () => {
  const { converted, differences } = await compareMixed(Object.values(byHand));
  expect(differences).toEqual([]);
  expect(converted).toBe(Object.keys(byHand).length);
});

const DENY = 'Order deny,allow\nDeny from all\n';
const ALLOW = 'Order allow,deny\nAllow from all\n';

// A 2.4 answers 500 where it would have to ask for a user and no line says which.
test.each([
  ['the addresses refuse', DENY, 'denied', false],
  ['the addresses let in, and a user would', `${ALLOW}Satisfy Any\n`, 'granted', false],
  ['the addresses let in', ALLOW, 'denied', true],
  ['the addresses refuse, and a user would be let in', `${DENY}Satisfy Any\n`, 'denied', true],
])('AuthType without a Require, beside lines of 2.4, where %s', (_, lines, who, isTold) => {
  const section = (body: string): string =>
    `<Directory /w>\nAuthType Basic\nAuthName a\nAuthUserFile /u\n${body}</Directory>\n`;
  const others = 'Listen 80\n<Directory /w/a>\nRequire ip 10.1\n</Directory>\n';
  const result = convertFiles({ '/httpd.conf': others + section(lines) }, undefined, { answers: AS_TODAY });
  expect(textAfter(result, '/httpd.conf')).toContain(section(`Require all ${who}\n`));
  const told = result.outcomes.filter(
    ({ rule, level }) => rule === 'order-allow-deny' && level === 'warning',
  );
  expect(told.length > 0).toBe(isTold);
});

test('a guard whose module no line loads is assumed to hold beside lines of 2.4', () => {
  const section = (path: string, body: string): string => `<Directory ${path}>\n${body}</Directory>\n`;
  const guarded = `<IfModule mod_authz_host.c>\n${DENY}</IfModule>\n`;
  const head = 'ServerRoot /w\nListen 80\nDocumentRoot /w/a\n';
  const open = section('/w/a', 'Require all denied\n');
  const told = (lines: string): readonly unknown[] => {
    const text = head + section('/', `AllowOverride None\n${lines}`) + open;
    const { outcomes } = convertFiles({ '/w/httpd.conf': text }, undefined, { answers: AS_TODAY });
    return outcomes.filter(({ message }) => message.startsWith('<Directory />'));
  };
  expect(told(guarded)).toEqual([
    expect.objectContaining({
      safety: 'review',
      message: expect.stringMatching(/assuming that the server has mod_authz_host loaded$/),
    }),
  ]);
  expect(told(DENY)).toEqual([
    expect.objectContaining({ safety: 'safe', message: expect.not.stringContaining('assuming') }),
  ]);
});

describe('a 2.4 with mod_access_compat, without TLS', () => {
  const answer = (top: string, lines: string, tls?: boolean): string => {
    const tree = treeOf({ conf: `${top}<Directory "@DOCROOT@">\n${lines}</Directory>\n`, htaccess: {} });
    const collected = collect(tree, 'compat');
    const request = { ...asModelRequest({ case: '', path: '/x.txt' }), ...(tls !== undefined && { tls }) };
    return answerCompat(collected.scopes, factsOf(collected, tree), request);
  };
  const ssl = `SSLRequireSSL\n${ALLOW}`;
  const orOthers = `${ssl}Satisfy Any\nRequire all granted\n`;

  test.each([
    ['no SSLRequireSSL', '', ALLOW, false, 'P'],
    ['SSLRequireSSL', '', ssl, false, 'F'],
    ['SSLRequireSSL, over TLS', '', ssl, true, 'P'],
    ['SSLRequireSSL, where nothing is known of TLS', '', ssl, undefined, 'P'],
    ['SSLRequireSSL, and a Satisfy Any that others get in by', '', orOthers, false, 'P'],
    ['SSLRequireSSL with StrictRequire, and such a Satisfy', 'SSLOptions +StrictRequire\n', orOthers, false, 'F'],
  ])('%s', (_, top, lines, tls, expected) => {
    expect(answer(top, lines, tls)).toBe(expected);
  }); // prettier-ignore
});

describe('a file that nothing includes, beside a server with lines of both kinds', () => {
  const SERVER =
    '<FilesMatch "^\\.ht">\nRequire all denied\n</FilesMatch>\n<Directory /srv/planted>\nDeny from all\nAllow from 10.0.0.1\n</Directory>\n';
  const asking = (path: string, require = 'Require user admin'): string =>
    `<Directory "${path}">\nOrder allow,deny\nAllow from all\nAuthType Basic\nAuthName x\n${require}\n</Directory>\n`;

  test.each(['*/up', '/up', '@@X@@/up', '${S}/up', '/srv/*/up'])('asks for the password in %s', (path) => {
    for (const require of ['Require user admin', '<Limit GET POST>\nRequire user admin\n</Limit>']) {
      const files = { '/etc/httpd/httpd.conf': SERVER, '/etc/httpd/dav.conf': asking(path, require) };
      const result = convertFiles(files, ['/etc/httpd'], {});
      expect(result.failure).toBeUndefined();
      const text = textAfter(result, '/etc/httpd/dav.conf');
      expect(text).toContain('Require user admin');
      expect(text).not.toContain('Require all granted');
    }
  });
});
