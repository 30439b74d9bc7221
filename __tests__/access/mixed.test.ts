import fc from 'fast-check';
import { SEED, share } from '../../testing/run/size';
import { compareMixed } from '../../testing/access/compare-mixed';
import type { RandomTree } from '../../testing/access/random-trees';
import { randomTree24 } from '../../testing/access/random-trees-24';

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
