import fc from 'fast-check';
import { SEED, share } from '../../testing/run/size';
import { MODULES_OF_24, compareMixed } from '../../testing/access/compare-mixed';
import { FILES, PREFACE, ROOT, USERS, matrix } from '../../testing/access/compare-model';
import { type RandomTree, randomTree } from '../../testing/access/random-trees';
import { ask } from '../../testing/httpd/ask';
import { serve } from '../../testing/httpd/server';
import { convertFiles, textAfter } from '../../testing/run/convert';
import type { Answer, Outcome, RunResult } from '../../src/engine';

const answer = (key: string, choice: string, place?: string): Answer => ({
  key,
  value: true,
  choice,
  reason: 'as a test has it',
  ...(place !== undefined && { place }),
});
const AS_ON_22 = answer('old-lines', 'as-on-2.2');
const AS_TODAY = answer('old-lines', 'as-today');
const AS_24_LINES = answer('half-converted', 'as-2.4-lines');
const HALF_AS_TODAY = answer('half-converted', 'as-today');

const MAIN = '/etc/apache2/apache2.conf';
const SITE = '/etc/apache2/sites-enabled/shop.conf';
/** As a package of 2.4 installs it. */
const STOCK = (open = 'granted'): string =>
  `ServerRoot /etc/apache2\nListen 80\n<Directory />\nOptions FollowSymLinks\nAllowOverride None\nRequire all denied\n</Directory>\n<Directory /var/www>\nAllowOverride None\nRequire all ${open}\n</Directory>\n<FilesMatch "^\\.ht">\nRequire all denied\n</FilesMatch>\nIncludeOptional sites-enabled/*.conf\n`;
const site = (root: string, lines: string): string =>
  `<VirtualHost *:80>\nServerName shop.example.org\nDocumentRoot ${root}\n<Directory ${root}>\n${lines}</Directory>\n</VirtualHost>\n`;
const ALLOW = 'Order allow,deny\nAllow from all\n';
const OFFICE = 'Order deny,allow\nDeny from all\nAllow from 10.0.0.0/8\n';

const convert = (files: Record<string, string>, ...answers: Answer[]): RunResult =>
  convertFiles(files, undefined, { answers });
const asked = ({ outcomes }: RunResult): readonly Outcome[] =>
  outcomes.filter(({ question }) => question === 'old-lines' || question === 'half-converted');
const blockers = ({ outcomes }: RunResult): readonly Outcome[] =>
  outcomes.filter(
    ({ rule, level, status }) => rule === 'order-allow-deny' && level === 'error' && status !== 'applied',
  );

describe('a site of 2.2 below the configuration of a 2.4', () => {
  const files = { [MAIN]: STOCK(), [SITE]: site('/srv/www', ALLOW) };

  test('is a question with both texts, and stays until it is answered', () => {
    const result = convert(files);
    expect(textAfter(result, SITE)).toBe(files[SITE]);
    expect(asked(result)).toEqual([
      expect.objectContaining({
        level: 'error',
        question: 'old-lines',
        message: expect.stringMatching(
          /on 2\.2 its lines said "Require all granted".*2\.4 answers "Require all denied" today/,
        ),
        remedy: expect.stringMatching(/old-lines=as-on-2\.2 or --answer old-lines=as-today/),
      }),
    ]);
  });

  test.each([
    ['as on 2.2', AS_ON_22, 'granted'],
    ['as today', AS_TODAY, 'denied'],
    ['as on 2.2 for its file', { ...AS_ON_22, place: SITE }, 'granted'],
    ['as on 2.2 for its directory', { ...AS_ON_22, place: '/srv' }, 'granted'],
  ])('says what was answered: %s', (_, given, who) => {
    const result = convert(files, given);
    expect(textAfter(result, SITE)).toBe(site('/srv/www', `Require all ${who}\n`));
    expect(blockers(result)).toEqual([]);
    expect(result.unmet?.answers ?? []).toEqual([]);
  });

  test('is asked about still where the answer is for another file', () => {
    expect(asked(convert(files, { ...AS_ON_22, place: '/srv/other' }))).toHaveLength(1);
  });

  test('is no question given alone: it is then what it was on 2.2', () => {
    const result = convert({ [SITE]: files[SITE] });
    expect(textAfter(result, SITE)).toBe(site('/srv/www', 'Require all granted\n'));
    expect(blockers(result)).toEqual([]);
  });

  test.each([
    ['an opening where all is open', site('/var/www', ALLOW), 'granted'],
    ['a refusal where all is open', site('/var/www', 'Order allow,deny\nDeny from all\n'), 'denied'],
    ['a refusal where all is shut', site('/srv/www', 'Order allow,deny\nDeny from all\n'), 'denied'],
  ])('is no question where both are one text: %s', (_, text, who) => {
    const result = convert({ [MAIN]: STOCK(), [SITE]: text });
    expect(blockers(result)).toEqual([]);
    expect(textAfter(result, SITE)).toContain(`Require all ${who}\n`);
  });
});

describe('a half-converted server', () => {
  const CONF = '/srv/half/httpd.conf';
  const section = (path: string, lines: string): string => `<Directory ${path}>\n${lines}</Directory>\n`;
  const GRANTED = 'Require all granted\n';
  const head = 'ServerRoot /srv/half\nListen 80\n';
  const text =
    head +
    section('/', 'Order deny,allow\nDeny from all\n') +
    section('/srv/www', GRANTED) +
    section('/srv/www/admin', GRANTED + OFFICE);
  const result = (root: string, admin: string): string =>
    head +
    section('/', 'Require all denied\n') +
    section('/srv/www', root) +
    section('/srv/www/admin', admin);

  test('is a question, and nothing of it changes', () => {
    const left = convert({ [CONF]: text });
    expect(textAfter(left, CONF)).toBe(text);
    expect(asked(left).map(({ message }) => /^<[^>]*>/.exec(message)![0])).toEqual([
      '<Directory />',
      '<Directory /srv/www>',
      '<Directory /srv/www/admin>',
    ]);
  });

  test.each([
    ['as the lines for 2.4 say', [AS_24_LINES], result(GRANTED, GRANTED)],
    ['as today', [HALF_AS_TODAY], result('Require all denied\n', 'Require ip 10.0.0.0/8\n')],
    [
      'each directory otherwise',
      [AS_24_LINES, { ...HALF_AS_TODAY, place: '/srv/www/admin' }],
      result(GRANTED, 'Require ip 10.0.0.0/8\n'),
    ],
  ])('says what was answered: %s', (_, answers, expected) => {
    const converted = convert({ [CONF]: text }, ...answers);
    expect(textAfter(converted, CONF)).toBe(expected);
    expect(blockers(converted)).toEqual([]);
  });

  const DOTS = '<Files ~ "^\\.ht">\nOrder allow,deny\nDeny from all\n</Files>\n';
  const SAME = ALLOW + GRANTED;

  test('keeps only the section in question where that inherits nothing', () => {
    const above = section('/', 'Require all denied\n') + DOTS + section('/srv/www/a', SAME);
    const left = convert({ [CONF]: head + above + section('/srv/www/odd', GRANTED + OFFICE) });
    expect(textAfter(left, CONF)).toBe(
      head +
        section('/', 'Require all denied\n') +
        DOTS.replace(ALLOW, '').replace('Order allow,deny\nDeny from all', 'Require all denied') +
        section('/srv/www/a', GRANTED) +
        section('/srv/www/odd', GRANTED + OFFICE),
    );
    expect(blockers(left).map(({ message }) => /^<[^>]*>/.exec(message)![0])).toEqual([
      '<Directory /srv/www/odd>',
    ]);
  });

  test.each([
    ['host lists', section('/srv/www', 'Order deny,allow\nDeny from all\n'), GRANTED],
    ['Require lines', section('/srv/www', `${SAME}Satisfy any\n`), `AuthMerging And\n${GRANTED}${OFFICE}`],
  ])('keeps what it inherits %s from', (_, above, odd) => {
    const whole = head + above + section('/srv/www/odd', odd);
    expect(textAfter(convert({ [CONF]: whole }), CONF)).toBe(whole);
  });

  test.each([
    ['in all', 'Satisfy any\n'],
    ['in some', '<Limit POST>\nSatisfy any\n</Limit>\n'],
  ])(
    'keeps what comes after it where it has Satisfy Any %s requests: its host list would let in',
    (_, satisfy) => {
      const whole = head + section('/srv/www/odd', `Require ip 192.0.2.0/24\n${OFFICE}${satisfy}`) + DOTS;
      expect(textAfter(convert({ [CONF]: whole }), CONF)).toBe(whole);
    },
  );

  const SHOP = section('/srv/shop', ALLOW);
  test('keeps only the old section in question, too, where no Require is written above it', () => {
    const above = section('/', 'Require all denied\n') + section('/srv/www', 'Require all granted\n');
    const left = convert({ [CONF]: head + above + SHOP + section('/srv/www/b', OFFICE) + DOTS });
    expect(textAfter(left, CONF)).toMatch(
      /Allow from all[^]*www.b>\nRequire ip 10[^]*"\^\\.ht">\nRequire all denied/,
    );
    expect(blockers(left).map(({ message }) => /^<[^>]*>/.exec(message)![0])).toEqual([
      '<Directory /srv/shop>',
    ]);
  });

  test('keeps what stands above an old section that inherits its Require', () => {
    const whole = head + section('/', 'Require all denied\n') + section('/srv', OFFICE) + SHOP;
    expect(textAfter(convert({ [CONF]: whole }), CONF)).toBe(whole);
  });

  test('with lines of both kinds that say the same is no question', () => {
    const same =
      head +
      section('/srv/www', ALLOW + GRANTED) +
      section('/srv/www/a', 'Order allow,deny\nDeny from all\nRequire all denied\n');
    const converted = convert({ [CONF]: same });
    expect(textAfter(converted, CONF)).toBe(
      head + section('/srv/www', GRANTED) + section('/srv/www/a', 'Require all denied\n'),
    );
    expect(blockers(converted)).toEqual([]);
  });
});

describe('a 2.4 with mod_access_compat whose lines are all those of 2.2', () => {
  const HEAD = `ServerRoot /etc/apache2\nListen 80\n`;
  const AUTH = 'AuthType Basic\nAuthName x\nAuthUserFile /etc/apache2/users\n';
  const section = (path: string, lines: string): string => `<Directory ${path}>\n${lines}</Directory>\n`;
  const EITHER = `${OFFICE}${AUTH}Require valid-user\nSatisfy any\n`;
  const BELOW = section('/srv/www/a', 'Satisfy any\n') + section('/srv/www/b', ALLOW);
  const conf = (lines: string, modules = MODULES_OF_24): Record<string, string> => ({
    [MAIN]: HEAD + modules + lines,
  });
  const differing = section('/srv/www', EITHER) + BELOW;

  test('is a question with both texts where 2.4 joins them otherwise', () => {
    const result = convert(conf(differing));
    expect(textAfter(result, MAIN)).toBe(conf(differing)[MAIN]);
    expect(asked(result)).toEqual([
      expect.objectContaining({
        message: expect.stringMatching(/^<Directory .srv.www> is left .* a question is open/),
      }),
      expect.objectContaining({
        level: 'error',
        question: 'old-lines',
        message: expect.stringContaining(
          'on 2.2 its lines said what stands above it, and 2.4 answers "Require all granted" today, since 2.4 combines Order, Satisfy and Require differently',
        ),
      }),
      expect.objectContaining({
        question: 'old-lines',
        message: expect.stringContaining(
          'on 2.2 its lines said "Require all granted", and 2.4 answers "Require valid-user" today',
        ),
      }),
    ]);
  });

  const OPEN = 'Require ip 10.0.0.0/8\n';
  test.each([
    ['as on 2.2', AS_ON_22, '', 'Require all granted\n'],
    ['as today', AS_TODAY, 'Require all granted\n', 'Require valid-user\n'],
  ])('says what was answered: %s', (_, given, a, b) => {
    const result = convert(conf(differing), given);
    expect(blockers(result)).toEqual([]);
    const expected =
      section('/srv/www', `${OPEN}${AUTH}Require valid-user\n`) +
      section('/srv/www/a', a) +
      section('/srv/www/b', b);
    expect(textAfter(result, MAIN)).toBe(conf(expected)[MAIN]);
  });

  test('is a question where it fails today', () => {
    const lines = section('/srv/www', `${AUTH}Order allow,deny\nAllow from all\n`);
    expect(asked(convert(conf(lines)))).toHaveLength(1);
    expect(textAfter(convert(conf(lines), AS_TODAY), MAIN)).toContain('Require all denied\n');
  });

  const same = section('/srv/www', `${OFFICE}${AUTH}Require valid-user\n`) + section('/srv/www/a', EITHER);
  test.each([
    ['where both say the same', conf(same)],
    ['where no line loads the module', conf(differing, MODULES_OF_24.replace(/^.*compat.*\n/m, ''))],
    ['where no 2.4 starts with it', conf(`LockFile logs/lock\n${differing}`)],
    ['where a 2.2 runs it, too', conf(`<IfVersion >= 2.4>\n${MODULES_OF_24}</IfVersion>\n${differing}`, '')],
    ['without lines that load modules', conf(differing, '')],
  ])('is no question %s', (_, files) => {
    const result = convert(files);
    expect(asked(result)).toEqual([]);
    expect(textAfter(result, MAIN)).not.toMatch(/^(?:Order|Satisfy)/m);
  });

  test('random ones answer as they do where nothing is asked, or that was chosen', async () => {
    // With these words for Require, and with lines of modules that went, no 2.4 starts; conditionals have tests of their own.
    const started = randomTree.filter(
      (tree) => !/Authoritative|require Group|VALID-USER|IfModule/.test(JSON.stringify(tree)),
    );
    const trees = fc.sample(started, { numRuns: share(200, 8), seed: SEED });
    for (const answers of [[], [AS_TODAY, HALF_AS_TODAY]]) {
      const found = await compareMixed(trees, {
        answers,
        head: MODULES_OF_24 + section('/', 'AllowOverride All\n'),
      });
      expect(found.differences).toEqual([]);
      expect(found.converted).toBeGreaterThan(trees.length / 5);
    }
  });
});

describe('lines of both kinds in a .htaccess', () => {
  const CONF = '/etc/httpd/httpd.conf';
  const conf = `ServerRoot /etc/httpd\nListen 80\nDocumentRoot /srv/www\n<Directory />\nAllowOverride None\nRequire all denied\n</Directory>\n<Directory /srv/www>\nAllowOverride All\nRequire ip 10.0.0.0/8\n</Directory>\n`;
  const files = {
    [CONF]: conf,
    '/srv/www/a/.htaccess': ALLOW,
    '/srv/www/b/.htaccess': 'Order allow,deny\nDeny from all\n',
  };
  const run = (...answers: Answer[]): RunResult => convertFiles(files, [CONF, '/srv/www'], { answers });

  test('keep no other file from being converted', () => {
    const result = run();
    expect(textAfter(result, '/srv/www/b/.htaccess')).toBe('Require all denied\n');
    expect(textAfter(result, '/srv/www/a/.htaccess')).not.toContain('granted');
    expect(
      blockers(result).length + result.outcomes.filter(({ safety }) => safety === 'strict').length,
    ).toBeGreaterThan(0);
  });

  test('say what was answered', () => {
    expect(textAfter(run(AS_ON_22), '/srv/www/a/.htaccess')).toBe('Require all granted\n');
    expect(textAfter(run(AS_TODAY), '/srv/www/a/.htaccess')).toBe('Require ip 10.0.0.0/8\n');
  });

  describe('below a 2.4 without mod_access_compat', () => {
    const FILE = '/srv/www/c/.htaccess';
    const without = `LoadModule authz_core_module modules/mod_authz_core.so\n${conf}`;
    const runOne = (text: string, head = without, ...answers: Answer[]): RunResult =>
      convertFiles({ [CONF]: head, [FILE]: text }, [CONF, '/srv/www'], { answers });
    const both = `${OFFICE}Require ip 10.1.0.0/16\n`;

    test('are a question with both texts, as neither version lets anybody in by them', () => {
      const result = runOne(both);
      expect(textAfter(result, FILE)).toBe(both);
      expect(asked(result).map(({ message }) => message)).toEqual([
        expect.stringMatching(
          /its lines for 2\.4 say "Require ip 10\.1\.0\.0\/16", but 2\.2 does not know .* 500 to those for 2\.2; with that module it answers "<RequireAll>; Require ip 10\.0\.0\.0\/8; Require ip 10\.1\.0\.0\/16; <\/RequireAll>" \(as-today\): say which/,
        ),
      ]);
      expect(textAfter(runOne(both, without, AS_24_LINES), FILE)).toBe('Require ip 10.1.0.0/16\n');
    });

    const COMPAT = 'LoadModule access_compat_module modules/mod_access_compat.so\n';
    test.each([
      ['a question', '', 2],
      ['no question beside that module', COMPAT, 0],
    ])('are, where both texts are the same, %s', (_, head, count) => {
      const open = head + without.replace('Require ip 10.0.0.0/8', 'Require all granted');
      const said = asked(runOne(`${ALLOW}<Files a>\nRequire all granted\n</Files>\n`, open));
      expect(
        said.filter(({ message }) => message.endsWith('for 2.2: say whether it is to be so')),
      ).toHaveLength(count);
      expect(said).toHaveLength(count);
    });
  });
});

test('random sites of both kinds answer on a 2.4 with mod_access_compat as they did, while some of it is in question', async () => {
  const body = fc
    .tuple(
      fc.constantFrom(
        '',
        ALLOW,
        'Order allow,deny\nDeny from all\n',
        'Order deny,allow\nDeny from all\nAllow from 127.0.0.1\n',
      ),
      fc.constantFrom('', 'Satisfy any\n', 'Satisfy all\n'),
      fc.constantFrom('', 'Require all granted\n', 'Require all denied\n', 'Require ip 127.0.0.1\n'),
    )
    .map((parts) => parts.join(''));
  const whole = fc.tuple(
    ...['', '/a', '/a/b', '/d'].map((at) =>
      body.map((lines) => `<Directory "@DOCROOT@${at}">\n${lines}</Directory>\n`),
    ),
    body.map((lines) => `<Files "x.txt">\n${lines}</Files>\n`),
  );
  const sites = fc
    .sample(whole, { numRuns: share(320, 8), seed: SEED + 1 })
    .map((sections) => sections.join(''));
  const read = (conf: string): RunResult =>
    convertFiles(
      { '/etc/site.conf': `ServerRoot /etc\nListen 80\n${PREFACE}${conf.replaceAll('@DOCROOT@', ROOT)}` },
      ['/etc/site.conf'],
      { rules: ['order-allow-deny'] },
    );
  const both = sites
    .map((conf, i) => ({ id: `t${i}`, conf, result: read(conf) }))
    .filter(({ result }) => asked(result).length > 0 && result.plan.length > 0);
  expect(both.length).toBeGreaterThan(0);
  const after = (result: RunResult): string =>
    textAfter(result, '/etc/site.conf')!
      .replace('ServerRoot /etc\nListen 80\n', '')
      .replaceAll(ROOT, '@DOCROOT@');
  const options = { users: USERS, compat: true };
  const [first, second] = await Promise.all([
    serve(
      both.map(({ id, conf }) => ({ id, conf: PREFACE + conf, htaccess: {}, files: FILES })),
      options,
    ),
    serve(
      both.map(({ id, result }) => ({ id, conf: after(result), htaccess: {}, files: FILES })),
      options,
    ),
  ]);
  try {
    const opened: string[] = [];
    for (const { id, conf } of both.filter((pair) => first.hosts.has(pair.id) && second.hosts.has(pair.id))) {
      const requests = matrix(id);
      const [were, are] = [await ask(first, requests), await ask(second, requests)];
      const wrong = were.findIndex((status, i) => status !== 'P' && are[i] === 'P');
      if (wrong >= 0)
        opened.push(`${conf} ${JSON.stringify(requests[wrong])}: ${were[wrong]}, ${are[wrong]}`);
    }
    expect(opened).toEqual([]);
  } finally {
    await first.stop();
    await second.stop();
  }
});

/** What a 2.4 has above and beside the sites that its predecessor left. */
const ABOVE = '<Directory "/">\nRequire all denied\n</Directory>\n';

test('random sites of 2.2 below lines for 2.4 answer, where that was chosen, as they do alone', async () => {
  const trees = fc.sample(randomTree, { numRuns: share(30, 8), seed: SEED });
  const accessFile = (at: string): string => `${ROOT}/${at === '' ? '' : `${at}/`}.htaccess`;
  const read = (tree: RandomTree, above: string, answers: readonly Answer[]): RunResult => {
    const files: Record<string, string> = {
      '/etc/site.conf': PREFACE + above + tree.conf.replaceAll('@DOCROOT@', ROOT),
    };
    for (const [at, text] of Object.entries(tree.htaccess)) files[accessFile(at)] = text;
    const paths = Object.keys(tree.htaccess).length > 0 ? ['/etc/site.conf', ROOT] : ['/etc/site.conf'];
    return convertFiles(files, paths, { answers, rules: ['order-allow-deny'] });
  };
  const isDone = (result: RunResult): boolean =>
    blockers(result).length === 0 && result.outcomes.every(({ safety }) => safety !== 'strict');
  const both = trees
    .map((tree, i) => ({
      id: `t${i}`,
      tree,
      alone: read(tree, '', []),
      below: read(tree, ABOVE, [AS_ON_22, AS_24_LINES]),
    }))
    .filter(({ alone, below }) => isDone(alone) && isDone(below) && alone.plan.length > 0);
  expect(both.length).toBeGreaterThan(share(10, 8));
  const texts = (
    { htaccess }: RandomTree,
    result: RunResult,
  ): { conf: string; htaccess: Record<string, string> } => {
    const text = (path: string): string => textAfter(result, path)!.replaceAll(ROOT, '@DOCROOT@');
    return {
      conf: text('/etc/site.conf'),
      htaccess: Object.fromEntries(Object.keys(htaccess).map((at) => [at, text(accessFile(at))])),
    };
  };
  const open = (conf: string): string => `<Directory "/">\nRequire all granted\n</Directory>\n${conf}`;
  const [first, second] = await Promise.all([
    serve(
      both.map(({ id, tree, alone }) => ({ id, ...texts(tree, alone), files: FILES })),
      { users: USERS },
    ),
    // What no line of the site is for is refused below; whoever comes there comes to no section of the site.
    serve(
      both.map(({ id, tree, below }) => {
        const { conf, htaccess } = texts(tree, below);
        return { id, conf: open(conf.replace(ABOVE, '')), htaccess, files: FILES };
      }),
      { users: USERS },
    ),
  ]);
  try {
    const differing: string[] = [];
    for (const { id, tree } of both.filter((pair) => first.hosts.has(pair.id) && second.hosts.has(pair.id))) {
      const requests = matrix(id);
      const [were, are] = [await ask(first, requests), await ask(second, requests)];
      const wrong = were.findIndex((status, i) => status !== are[i]);
      if (wrong >= 0)
        differing.push(
          `${JSON.stringify(tree)} ${JSON.stringify(requests[wrong])}: ${were[wrong]}, ${are[wrong]}`,
        );
    }
    expect(differing).toEqual([]);
  } finally {
    await first.stop();
    await second.stop();
  }
});

test('lines without a final line end, a container that is not closed among them, are said with both texts', () => {
  const files = {
    '/srv/w/.htaccess': 'Satisfy Any',
    '/srv/w/a/.htaccess': 'Allow from .example.com\n<RequireAll>\nOrder allow,deny',
  };
  const { outcomes } = convert(files);
  expect(outcomes.map(({ message }) => message).join('\n')).toMatch(
    /lines for 2\.4 say "<RequireAll>", and 2\.4 answers "Require all denied" today/,
  );
});
