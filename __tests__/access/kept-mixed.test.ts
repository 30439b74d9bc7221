import fc from 'fast-check';
import { SEED, share } from '../../testing/run/size';
import { FILES, PREFACE, ROOT, USERS, matrix } from '../../testing/access/compare-model';
import { ask } from '../../testing/httpd/ask';
import { serve } from '../../testing/httpd/server';
import { convertFiles, textAfter } from '../../testing/run/convert';
import type { RunResult, Transform } from '../../src/engine';
import { textReport } from '../../src/report';
import { transforms } from '../../transforms';

const CONF = '/etc/httpd/httpd.conf';
/** A 2.2 runs it, as its modules show. */
const MODULES =
  'LoadModule authz_default_module modules/mod_authz_default.so\nLoadModule authz_host_module modules/mod_authz_host.so\nLoadModule authz_user_module modules/mod_authz_user.so\n';
const HEAD = `ServerRoot /etc/httpd\nListen 80\n${MODULES}DocumentRoot /w\n`;
const section = (path: string, lines: string): string => `<Directory ${path}>\n${lines}</Directory>\n`;
const ALLOW = 'Order allow,deny\nAllow from all\n';
const DENY = 'Order allow,deny\nDeny from all\n';
const MIXED = `${ALLOW}Require all granted\n`;
const DOTS = `<Files ~ "^\\.ht">\n${DENY}Satisfy All\n</Files>\n`;
const STATUS = '<Location /server-status>\nOrder deny,allow\nDeny from all\nAllow from 10.2\n</Location>\n';
const SITE = section('/w', 'AllowOverride All\nOrder allow,deny\nAllow from 10.1\n');
const USER = 'AuthType Basic\nAuthName x\nAuthUserFile conf/users\nRequire valid-user\n';

const convert = (conf: string, htaccess: Record<string, string> = {}): RunResult =>
  convertFiles({ [CONF]: HEAD + conf, '/w/index.html': '', ...htaccess }, [CONF, '/w']);
/** The sections that stay as they are. */
const left = ({ outcomes }: RunResult): readonly string[] =>
  outcomes
    .filter(
      ({ rule, level, safety, edits }) =>
        rule === 'order-allow-deny' && level === 'error' && safety === 'manual' && edits.length === 0,
    )
    .map(({ message }) => /^(.*?) is left as it is/.exec(message)?.[1] ?? message);

/** What there is to do, each item in one line. */
const BRIEF = {
  colour: false,
  width: undefined,
  isScreen: false,
  stage: 'planned',
  detail: 'quiet',
  next: undefined,
  isSummed: false,
  failOn: 'error',
} as const;

/** The items that block. */
const tasksIn = (conf: string, rules: readonly Transform[]): readonly string[] =>
  textReport(convertFiles({ [CONF]: HEAD + conf }, [CONF], { rules: rules.map(({ id }) => id) }), {
    ...BRIEF,
    transforms: rules,
  })
    .split('\n')
    .filter((line) => / \d ! /.test(line));

describe('a section that mixes lines of 2.2 and of 2.4 where a 2.2 runs it', () => {
  test.each([
    ['as it is', section('/srv/mixed', MIXED)],
    ['with Satisfy Any', section('/srv/mixed', `${MIXED}Satisfy Any\n`)],
    ['with AuthMerging', section('/srv/mixed', `AuthMerging Or\n${MIXED}`)],
    ['with a container', section('/srv/mixed', `${ALLOW}<RequireAny>\nRequire ip 10.1\nRequire host a.example\n</RequireAny>\n`)],
    ['in another virtual host', `<VirtualHost *:80>\nServerName v\nDocumentRoot /srv/v\n<Location /x>\n${MIXED}</Location>\n</VirtualHost>\n`],
  ])('keeps itself alone: %s', (_, mixed) => {
    const result = convert(DOTS + SITE + mixed + STATUS, { '/w/a/.htaccess': DENY });
    expect(left(result)).toHaveLength(1);
    const text = textAfter(result, CONF)!;
    expect(text).toContain(mixed);
    expect(text.replace(mixed, '')).not.toMatch(/^(?:Order|Allow|Deny|Satisfy) /m);
    expect(textAfter(result, '/w/a/.htaccess')).toBe('Require all denied\n');
  }); // prettier-ignore

  test.each([
    ['a placeholder', section('/srv/other', 'Order deny,allow\nDeny from all\nAllow from {{ x }}\n'), 'say what placeholders'],
    ['a line that 2.2 refuses', section('/srv/other', 'Order deny, allow\nDeny from all\n'), 'correct or remove these'],
  ])('what inherits from it is settled with it, whatever stands above, such as %s', (_, other, text) => {
    const conf = SITE + other + section('/srv/mixed', MIXED) + section('/srv/mixed/below', ALLOW);
    const items = tasksIn(conf, transforms);
    expect(items).toHaveLength(2);
    expect(items.find((item) => item.includes(text))).not.toMatch(/inherits/);
    expect(items.find((item) => item.includes('decide between'))).toMatch(/which settles what inherits from these/);
  }); // prettier-ignore

  test('is one thing to do with the line that shows the 2.2, which goes once it is settled', () => {
    const conf = SITE + section('/srv/mixed', MIXED) + section('/srv/mixed/below', ALLOW);
    expect(tasksIn(conf, transforms)).toEqual([
      expect.stringMatching(
        /^ 1 ! decide between the lines for 2\.2 and those for 2\.4 .*: \S+:12, which settles what inherits from these \(\S+:17\), then remove LoadModule authz_default_module \(\S+:3\)$/,
      ),
    ]);
    // Where nobody is asked about the section, the line is not hidden.
    expect(
      tasksIn(
        conf,
        transforms.filter(({ id }) => id === 'load-module'),
      ),
    ).toEqual([
      expect.stringMatching(
        /^ 1 ! \S+:3: 2\.4 has no authz_default_module: .*convert those, then remove it$/,
      ),
    ]);
  });

  test('keeps what inherits its Require, and not what sets its whole state', () => {
    const result = convert(
      DOTS +
        SITE +
        section('/w/mixed', MIXED) +
        section('/w/mixed/hosts', ALLOW) +
        section('/w/mixed/whole', `${ALLOW}${USER}Satisfy All\n`) +
        section('/w/mixed/shut', `${DENY}Satisfy All\n`),
      { '/w/other/.htaccess': DENY },
    );
    expect(left(result)).toEqual(['<Directory /w/mixed>', '<Directory /w/mixed/hosts>']);
    const text = textAfter(result, CONF)!;
    expect(text).toContain(section('/w/mixed/hosts', ALLOW));
    expect(text).toContain(section('/w/mixed/whole', USER));
    expect(text).toContain(section('/w/mixed/shut', 'Require all denied\n'));
    expect(text).toContain('<Files ~ "^\\.ht">\nRequire all denied\n</Files>');
    expect(textAfter(result, '/w/other/.htaccess')).toBe('Require all denied\n');
  });

  test('with Satisfy Any keeps what comes after it, too: a 2.4 with mod_access_compat would let in there', () => {
    const mixed = section('/w/mixed', `${MIXED}Satisfy Any\n`);
    const whole = section('/w/mixed/whole', `${DENY}${USER}Satisfy All\n`);
    const result = convert(DOTS + SITE + mixed + whole + section('/w/other', `${DENY}Satisfy All\n`));
    const text = textAfter(result, CONF)!;
    expect(left(result)).toEqual([
      '<Files ~ "^\\.ht">',
      '<Directory /w/mixed>',
      '<Directory /w/mixed/whole>',
    ]);
    expect(text).toContain(DOTS + section('/w', 'AllowOverride All\nRequire ip 10.1\n') + mixed + whole);
    expect(text).toContain(section('/w/other', 'Require all denied\n'));
  });

  test('keeps the others with it where one that inherits from it has Satisfy Any', () => {
    const conf =
      SITE +
      section('/w/mixed', MIXED) +
      section('/w/mixed/b', `${DENY}Satisfy Any\n`) +
      section('/w/mixed/b/c', `${DENY}Satisfy All\n`);
    expect(textAfter(convert(conf), CONF)).toContain(conf);
  });

  test('keeps the others with it where one that takes its Require would take that of a Satisfy Any, too', () => {
    const files =
      '<Files x.txt>\nOrder deny,allow\nDeny from all\nAllow from 127.0.0.1\nSatisfy All\n</Files>\n';
    const conf = SITE + section('/w/mixed', MIXED) + section('/w/d', `${ALLOW}${USER}Satisfy Any\n`) + files;
    expect(textAfter(convert(conf), CONF)).toContain(conf);
    expect(left(convert(conf.replace('Satisfy Any', 'Satisfy All')))).toEqual([
      '<Directory /w/mixed>',
      '<Files x.txt>',
    ]);
  });

  test('above one customer keeps what is met there, and not what another has', () => {
    const other = section('/w/b', `${DENY}${USER}Satisfy Any\n`);
    const anywhere = '<Location />\nOrder allow,deny\nAllow from 10.2\n</Location>\n';
    const result = convert(SITE + section('/w/a', MIXED) + section('/w/a/in', ALLOW) + other + anywhere);
    expect(left(result)).toEqual(['<Directory /w/a>', '<Directory /w/a/in>', '<Location />']);
    expect(textAfter(result, CONF)).toContain(section('/w/b', USER));
  });

  test('lets nobody in where it is a .htaccess, and keeps no other', () => {
    const result = convert(DOTS + SITE + STATUS, {
      '/w/a/.htaccess': MIXED,
      '/w/a/b/.htaccess': DENY,
      '/w/c/.htaccess': ALLOW,
    });
    expect(left(result)).toEqual([expect.stringContaining('1 section is written in the strictest form')]);
    expect(textAfter(result, '/w/a/.htaccess')).toBe('Require all denied\n');
    expect(textAfter(result, '/w/a/b/.htaccess')).toBe('Require all denied\n');
    expect(textAfter(result, '/w/c/.htaccess')).toBe('Require all granted\n');
    expect(textAfter(result, CONF)).not.toMatch(/^Order /m);
  });
});

const OPEN = 'AllowOverride All\nOrder allow,deny\nAllow from all\nSatisfy all\n';
const hosts = fc.constantFrom(
  ALLOW,
  DENY,
  'Order deny,allow\nDeny from all\nAllow from 127.0.0.1\n',
  'Order allow,deny\nAllow from 127.1\n',
);
const login = fc.constantFrom(
  '',
  'AuthType Basic\nAuthName x\nAuthUserFile conf/htpasswd\nRequire user alice\n',
);
/** A section that says all but its Require: such a section is the same to 2.2 and to a 2.4 with mod_access_compat. */
const plain = fc
  .tuple(hosts, fc.constantFrom('all', 'all', 'all', 'all', 'any'), login)
  .map(([list, satisfy, require]) => `${list}Satisfy ${satisfy}\n${require}`);
const mixed = fc
  .tuple(
    hosts,
    fc.constantFrom(
      '',
      'Satisfy any\n',
      'Satisfy any\n',
      'Satisfy all\n',
      '<Limit POST>\nSatisfy any\n</Limit>\n',
    ),
    fc.constantFrom('', '', 'AuthMerging And\n', 'AuthMerging Or\n'),
    fc.constantFrom('Require all granted\n', 'Require all denied\n', 'Require ip 127.0.0.1\n'),
  )
  .map((parts) => parts.join(''));
const PLACES = [
  ...['', '/a', '/a/b', '/d'].map((at) => `<Directory "@DOCROOT@${at}">`),
  '<Files "x.txt">',
  '<Location "/a/b">',
];
const site = fc
  .tuple(fc.constantFrom(0, 0, 0, 1, 1, 2, 3, 4, 5), mixed, ...PLACES.map(() => fc.option(plain)))
  .map(([at, odd, ...bodies]) =>
    PLACES.map((open, i) => {
      const body = i === at ? odd : bodies[i];
      return body === undefined || body === null ? '' : `${open}\n${body}</${/\w+/.exec(open)![0]}>\n`;
    }).join(''),
  );

test('random sites around one that stays let nobody in on a 2.4 with mod_access_compat who was kept out', async () => {
  const path = '/etc/site.conf';
  const head = `ServerRoot /etc\nListen 80\n${MODULES}DocumentRoot ${ROOT}\n<Directory />\n${OPEN}</Directory>\n${PREFACE}`;
  const all = fc
    .sample(site, { numRuns: share(400, 4), seed: SEED })
    .map((conf, i) => {
      const result = convertFiles({ [path]: head + conf.replaceAll('@DOCROOT@', ROOT) }, [path], {
        rules: ['order-allow-deny'],
      });
      const after = textAfter(result, path)!.split(PREFACE)[1]!.replaceAll(ROOT, '@DOCROOT@');
      return { id: `t${i}`, conf, after };
    })
    .filter(({ conf, after }) => conf !== after);
  expect(all.length).toBeGreaterThan(share(100, 4));
  const options = { users: USERS, compat: true };
  const [first, second] = await Promise.all([
    serve(
      all.map(({ id, conf }) => ({ id, conf: PREFACE + conf, htaccess: {}, files: FILES })),
      options,
    ),
    serve(
      all.map(({ id, after }) => ({ id, conf: PREFACE + after, htaccess: {}, files: FILES })),
      options,
    ),
  ]);
  try {
    const opened: string[] = [];
    for (const { id, conf, after } of all.filter(
      (each) => first.hosts.has(each.id) && second.hosts.has(each.id),
    )) {
      const requests = matrix(id);
      const [were, are] = [await ask(first, requests), await ask(second, requests)];
      const wrong = were.findIndex((status, i) => status !== 'P' && are[i] === 'P');
      if (wrong >= 0)
        opened.push(`${conf}\n${after} ${JSON.stringify(requests[wrong])}: ${were[wrong]}, ${are[wrong]}`);
    }
    expect(opened).toEqual([]);
  } finally {
    await first.stop();
    await second.stop();
  }
});
