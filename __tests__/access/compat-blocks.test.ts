import type { RunOptions } from '../../src/engine';
import { convertFiles, textAfter } from '../../testing/run/convert';
import { ask } from '../../testing/httpd/ask';
import { serve } from '../../testing/httpd/server';
import { loadLines } from '../../testing/run/load-lines';

const CONF = '/etc/httpd.conf';
const FILES = ['x.html', 'b/x.html'];

/**
 * What 2.2 answers to /x.html and /b/x.html, from 127.0.0.1 and 127.0.0.2: it has no mod_access_compat (answers of a real
 * 2.2.34).
 */
interface Row {
  readonly conf: string;
  readonly was: string;
  /** Nothing is changed in it, and an error says why. */
  readonly isLeft?: true;
}

const INSIDE = (lines: string): string =>
  `<Directory "@DOCROOT@">\nOrder deny,allow\nDeny from all\nAllow from 127.0.0.1\n${lines}</Directory>\n`;
const OPEN = '<Directory "@DOCROOT@">\nOrder deny,allow\nAllow from all\n</Directory>\n';
const WITH = (lines: string): string => `<IfModule mod_access_compat.c>\n${lines}</IfModule>\n`;
const WITHOUT = (lines: string): string => `<IfModule !access_compat_module>\n${lines}</IfModule>\n`;
const BELOW = (lines: string): string => `<Directory "@DOCROOT@/b">\n${lines}</Directory>\n`;
const SHUT = 'Order deny,allow\nDeny from all\n';

const ROWS: Readonly<Record<string, Row>> = {
  'Require and Satisfy Any': { conf: INSIDE(WITH('Require all granted\nSatisfy any\n')), was: 'PFPF', isLeft: true },
  'Satisfy Any alone': { conf: INSIDE(WITH('Satisfy Any\n')), was: 'PFPF', isLeft: true },
  'Require alone': { conf: INSIDE(WITH('Require ip 127.0.0.2\n')), was: 'PFPF', isLeft: true },
  'in a block for 2.4': { conf: INSIDE(`<IfModule mod_authz_core.c>\n${WITH('Satisfy Any\n')}</IfModule>\n`), was: 'PFPF', isLeft: true },
  'a block with sections in it': { conf: INSIDE('') + WITH('<Location /b>\nRequire all granted\nSatisfy Any\n</Location>\n'), was: 'PFPF', isLeft: true },
  'below': { conf: INSIDE('') + BELOW(WITH('Satisfy Any\n')), was: 'PFPF', isLeft: true },
  'a further block in it': { conf: INSIDE(WITH('<IfModule mod_authz_core.c>\nSatisfy Any\n</IfModule>\n')), was: 'PFPF', isLeft: true },
  'the same block in it': { conf: INSIDE(WITH(WITH('Satisfy Any\n'))), was: 'PFPF', isLeft: true },
  'a name to start with in it': { conf: INSIDE(WITH('<IfDefine !X>\nSatisfy Any\n</IfDefine>\n')), was: 'PFPF', isLeft: true },
  'a block around a section and in it': { conf: INSIDE('') + WITH(`<Location /b>\n${WITH('Satisfy Any\n')}</Location>\n`), was: 'PFPF', isLeft: true },
  // The twins: what keeps out alone stays, and goes with nothing.
  'host lists alone': { conf: INSIDE(WITH('Order deny,allow\nDeny from 127.0.0.2\n')), was: 'PFPF' },
  'Satisfy All beside host lists': { conf: INSIDE(WITH('Allow from all\nSatisfy All\n')), was: 'PFPF' },
  'a block that neither version reads': { conf: INSIDE(`<IfVersion < 2.4>\n${WITH('Satisfy Any\n')}</IfVersion>\n`), was: 'PFPF' },
  'a block for 2.2 in it': { conf: INSIDE(WITH('<IfVersion < 2.4>\nSatisfy Any\n</IfVersion>\n')), was: 'PFPF' },
  'a block in it for the lack of what it asks for': { conf: INSIDE(WITH(WITHOUT('Satisfy Any\n'))), was: 'PFPF' },
  'host lists in a further block': { conf: INSIDE(WITH(WITH('Deny from 127.0.0.2\n'))), was: 'PFPF' },
  'host lists where the module is lacking': { conf: OPEN + BELOW(WITHOUT(SHUT)), was: 'PPFF' },
  'a section where the module is lacking': { conf: OPEN + WITHOUT(BELOW(SHUT)), was: 'PPFF' },
}; // prettier-ignore

const rows = Object.entries(ROWS);

const ROOT = '/srv/fixture';

function converted({ conf }: Row, options: RunOptions = {}): { text: string; errors: readonly string[] } {
  const given = conf.replaceAll('@DOCROOT@', ROOT);
  const result = convertFiles({ [CONF]: given }, undefined, { rules: ['order-allow-deny'], ...options });
  const errors = result.outcomes.flatMap(({ level, status, message }) =>
    level === 'error' && status !== 'applied' ? message : [],
  );
  return { text: textAfter(result, CONF)!.replaceAll(ROOT, '@DOCROOT@'), errors };
}

test.each(rows)('%s: what may let somebody in is left, with an error', (_, row) => {
  const { text, errors } = converted(row);
  expect(text === row.conf).toBe(row.isLeft === true);
  expect(errors.some((error) => error.includes('where mod_access_compat is loaded'))).toBe(
    row.isLeft === true,
  );
});

// Where the target is known to lack the module, nothing of that is read.
test.each(rows)('%s: converted where the target lacks the module', (_, row) => {
  const { text, errors } = converted(row, { targetModules: new Map([['authz_core_module', 'shared']]) });
  expect(text).not.toBe(row.conf);
  expect(errors).toEqual([]);
});

test('LoadModule lines show whether it is lacking', () => {
  const { conf } = ROWS['Satisfy Any alone']!;
  const modules = loadLines('authz_host authz_user auth_basic authn_file alias dir mime');
  const listen = 'ServerRoot /etc\nListen 80\n';
  expect(converted({ conf: listen + modules + conf, was: '' }).errors).toEqual([]);
  expect(
    converted({ conf: listen + modules + loadLines('access_compat') + conf, was: '' }).errors,
  ).not.toEqual([]);
});

test('a .htaccess with such lines lets nobody in', () => {
  const path = `${ROOT}/.htaccess`;
  const result = convertFiles({
    [CONF]: `<Directory ${ROOT}>\n${SHUT}</Directory>\n`,
    [path]: WITH('Satisfy Any\n'),
  });
  expect(textAfter(result, path)).toBe('Require all denied\n');
});

test.each([true, false])(
  '2.4 answers to what is converted as 2.2 did, or less; mod_access_compat: %s',
  async (compat) => {
    const done = rows.filter(([, { isLeft }]) => isLeft !== true);
    const server = await serve(
      done.map(([id, row]) => ({ id, conf: converted(row).text, files: FILES })),
      { compat },
    );
    const requests = done.flatMap(([id]) =>
      FILES.flatMap((file) => ['127.0.0.1', '127.0.0.2'].map((src) => ({ case: id, path: `/${file}`, src }))),
    );
    try {
      const answers = await ask(server, requests);
      const is = done.map(([id], i) => [id, answers.slice(4 * i, 4 * i + 4).join('')] as const);
      const opened = is.filter(([id, letters]) =>
        /P/.test(letters.replace(/./g, (letter, at: number) => (ROWS[id]!.was[at] === 'P' ? '' : letter))),
      );
      expect(opened).toEqual([]);
      expect(compat || is.every(([id, letters]) => letters === ROWS[id]!.was)).toBe(true);
    } finally {
      await server.stop();
    }
  },
);

describe('lines that no text is needed for, in a block that asks for the lack of mod_access_compat', () => {
  test.each([
    ['a section in it', WITHOUT(BELOW('Allow from 127.0.0.1\n'))],
    ['a block in a section', BELOW(WITHOUT('Order deny,allow\n'))],
    ['Satisfy alone', BELOW(WITHOUT('Satisfy all\n'))],
  ])('%s: a 2.4 without it does not start with them', (_, conf) => {
    const { text, errors } = converted({ conf, was: '' });
    expect(text).toBe(conf);
    expect(errors).toEqual([
      expect.stringMatching(/stands in a block .* has no mod_access_compat.* does not start/),
    ]);
  });

  test('the twin: those that a text takes the place of', () => {
    expect(converted({ conf: BELOW(WITHOUT(SHUT)), was: '' })).toEqual({
      text: BELOW('Require all denied\n'),
      errors: [],
    });
  });
});
