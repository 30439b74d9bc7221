import { loadTree, memory, overlay } from '../../src/config';
import { type Finding, type RunOptions, type RunResult, type Transform, run } from '../../src/engine';
import { insertAfter, rename } from '../../src/edit';
import { transforms } from '../../transforms';

const base = { changes: [], title: '', why: '', docs: [], directives: [] };

function convert(
  files: Readonly<Record<string, string>>,
  rules: readonly Transform[] = transforms,
  options: RunOptions = {},
): RunResult & { readonly texts: Readonly<Record<string, string>> } {
  const source = memory(new Map(Object.entries(files)));
  const load = { defines: new Map<string, string>(), env: new Map<string, string>(), cwd: '/' };
  const reread = (texts: ReadonlyMap<string, string>) => loadTree(overlay(source, texts), ['/'], load);
  const result = run({ tree: loadTree(source, ['/'], load), reread }, rules, options);
  const texts = { ...files, ...Object.fromEntries(result.plan.map(({ file, text }) => [file.path, text])) };
  return { ...result, texts };
}

/** Renames a directive, wherever it stands. */
const renames = (id: string, from: string, to: string): Transform => ({
  ...base,
  id,
  run: (context) =>
    context.directives([from], (node, { file }) =>
      context.report({
        file,
        at: node.from,
        level: 'info',
        safety: 'safe',
        message: from,
        edits: [rename(node, to)],
      }),
    ),
});

/** Changes its own result again and again. */
const restless: Transform = {
  ...base,
  id: 'restless',
  run: (context) =>
    context.directives(['Restless'], (node, { file }) => {
      const edits = [insertAfter(file.document, node, ['Restless more'])];
      context.report({ file, at: node.from, level: 'info', safety: 'safe', message: 'again', edits });
    }),
};

const statusOf = ({ outcomes }: RunResult, rule: string): readonly string[] =>
  outcomes.filter((outcome) => outcome.rule === rule).map(({ status }) => status);

describe('a result that a second run would change again', () => {
  test('goes without the one rule in the one file', () => {
    const files = { '/a/.htaccess': 'Old\nRestless\n', '/b/.htaccess': 'Old\n' };
    const result = convert(files, [renames('old', 'Old', 'New'), restless]);
    expect(result.texts).toEqual({ '/a/.htaccess': 'New\nRestless\n', '/b/.htaccess': 'New\n' });
    expect(statusOf(result, 'restless')).toEqual(['not-applied']);
    expect(result.failure).toBe('a/.htaccess: a second run would change line 2 again (restless)');
  });

  test('is run again until it is final', () => {
    const files = { '/a/.htaccess': '# a\nFirst\nOther\n', '/b/.htaccess': 'Other\n' };
    const result = convert(files, [
      renames('second', 'Second', 'Third'),
      renames('first', 'First', 'Second'),
      renames('other', 'Other', 'Else'),
    ]);
    expect(result.texts).toEqual({ '/a/.htaccess': '# a\nThird\nElse\n', '/b/.htaccess': 'Else\n' });
    expect(result.outcomes.map(({ rule, status, at }) => [rule, status, at])).toEqual(
      expect.arrayContaining([
        ['first', 'applied', 4],
        ['second', 'applied', 4],
      ]),
    );
    expect(result.failure).toBeUndefined();
  });

  test('is looked at as a whole, beside the tree as it was, by the rules about the result', () => {
    const looks: Transform = {
      ...base,
      id: 'looks',
      advisory: true,
      run() {},
      runOnResult({ tree, index, resultIndex, report }) {
        const message = `${[...index.names].join()} became ${[...resultIndex.names].join()}`;
        report({ file: tree.files[0]!, at: 0, level: 'error', safety: 'manual', message, edits: [] });
      },
    };
    const result = convert({ '/a/.htaccess': '# a\nFirst\n' }, [
      renames('second', 'Second', 'Third'),
      renames('first', 'First', 'Second'),
      looks,
    ]);
    expect(result.outcomes.filter(({ rule }) => rule === 'looks').map(({ message }) => message)).toEqual([
      'first became third',
    ]);
  });

  test('is run again where a block can be collapsed once its access lines have left it', () => {
    const block = '<IfModule !mod_authz_core.c>\nRequire user ann\nRewriteEngine on\n</IfModule>\n';
    const files = { '/a/.htaccess': block };
    const result = convert(files, transforms, { dual: false });
    expect(result.failure).toBeUndefined();
    expect(result.texts).toEqual({ '/a/.htaccess': 'Require user ann\n' });
    expect(statusOf(result, 'version-block')).toEqual(['applied']);
    expect(
      result.outcomes.filter(({ rule }) => rule === 'block-for-22').map(({ message }) => message),
    ).toEqual([expect.stringContaining('RewriteEngine (from line 3)')]);
    expect(convert(result.texts, transforms, { dual: false }).plan).toEqual([]);
  });

  test('leaves the whole file where no single rule is to blame', () => {
    const inserts = (id: string, from: string, more: string): Transform => ({
      ...base,
      id,
      run: (context) =>
        context.directives([from], (node, { file }) => {
          const edits = [insertAfter(file.document, node, [more])];
          context.report({ file, at: node.from, level: 'info', safety: 'safe', message: 'again', edits });
        }),
    });
    const files = { '/a/.htaccess': 'A\nB\n', '/b/.htaccess': 'C\n' };
    const result = convert(files, [inserts('a', 'A', 'B'), inserts('b', 'B', 'A'), renames('c', 'C', 'D')]);
    expect(result.texts).toEqual({ ...files, '/b/.htaccess': 'D\n' });
  });
});

describe('an exception', () => {
  const throwing = (name: string): Transform => ({
    ...base,
    id: 'throwing',
    run: (context) =>
      context.directives([name], () => {
        throw new Error('oh\nno');
      }),
  });

  test('at a line leaves its file, and what goes together with it, as they are', () => {
    const files = { '/a/.htaccess': 'Old\nBad\n', '/b/.htaccess': 'Old\n', '/c/.htaccess': 'Old\n' };
    const together: Transform = {
      ...base,
      id: 'together',
      run: (context) =>
        context.directives(['Old'], (node, { file }) => {
          const group = file.path.startsWith('/c') ? {} : { group: 'g' };
          const edits = [rename(node, 'New')];
          context.report({
            file,
            at: node.from,
            level: 'info',
            safety: 'safe',
            message: 'm',
            edits,
            ...group,
          });
        }),
    };
    const result = convert(files, [together, throwing('Bad')]);
    expect(result.texts).toEqual({ ...files, '/c/.htaccess': 'New\n' });
    const trouble = result.outcomes.find(({ rule }) => rule === 'throwing') as Finding;
    expect(trouble).toMatchObject({ at: 4, level: 'error', file: { path: '/a/.htaccess' } });
    expect(trouble.message).toBe(
      'a fault of the rule throwing itself: oh no: this file is left as it is; please report it to those who wrote the rule',
    );
  });

  test.each([
    [{ file: undefined }, 'a file of the tree'],
    [{ at: NaN }, 'a place'],
    [{ level: 'bad' }, 'one of the levels'],
    [{ message: undefined }, 'a message'],
    [{ edits: [{ start: 2, end: 900, text: '' }] }, 'edits in its file, in latin1'],
    [{ edits: [{ start: 0, end: 1, text: '\u20ac' }] }, 'edits in its file, in latin1'],
    [{ edits: [{ start: 0, end: 1, text: 7 }] }, 'edits in its file, in latin1'],
  ])('is what a rule without types gets that reports %j', (part, lacking) => {
    const rule: Transform = {
      ...base,
      id: 'untyped',
      run: ({
        tree: {
          files: [file],
        },
        report,
      }) => report({ file: file!, at: 0, level: 'info', safety: 'safe', message: 'm', ...(part as object) }),
    };
    const { outcomes, texts } = convert({ '/.htaccess': 'Old\n' }, [rule]);
    expect(texts).toEqual({ '/.htaccess': 'Old\n' });
    expect(outcomes.map(({ message }) => message)).toEqual([
      expect.stringContaining(
        `a fault of the rule untyped itself: it reports a finding without ${lacking}: `,
      ),
    ]);
  });

  test('elsewhere in a rule leaves what that rule would change', () => {
    const broken: Transform = {
      ...renames('old', 'Old', 'New'),
      run(context) {
        renames('old', 'Old', 'New').run(context);
        throw new TypeError('undefined is not a function');
      },
    };
    const result = convert({ '/a/.htaccess': 'Old\nOlder\n' }, [broken, renames('older', 'Older', 'Newer')]);
    expect(result.texts).toEqual({ '/a/.htaccess': 'Old\nNewer\n' });
    expect(result.failure).toContain('undefined is not a function');
  });

  test('in a check leaves what could not be checked', () => {
    const unchecked: Transform = {
      ...renames('old', 'Old', 'New'),
      check: () => {
        throw new Error('oh');
      },
    };
    const result = convert({ '/a/.htaccess': 'Old\nOlder\n' }, [
      unchecked,
      renames('older', 'Older', 'Newer'),
    ]);
    expect(result.texts).toEqual({ '/a/.htaccess': 'Old\nNewer\n' });
    expect(statusOf(result, 'old')).toEqual(['not-applied']);
  });
});

// Each was refused by the engine once, as a whole run.
test.each<[string, Readonly<Record<string, string>>, RunOptions]>([
  [
    'safeOnly, an Include of an absent directory and Satisfy Any',
    {
      '/etc/httpd.conf':
        'ServerRoot "/etc"\nInclude gone/*.conf\n<Directory /srv>\nOrder deny,allow\nDeny from all\nSatisfy Any\nRequire valid-user\nAuthType Basic\nAuthName x\n</Directory>\n',
    },
    { safeOnly: true },
  ],
  [
    'LimitExcept with RewriteLog and Allow',
    { '/a/.htaccess': '<LimitExcept GET>\nRewriteLog /var/log/x\nAllow from 10.1.2.3\n</LimitExcept>\n' },
    {},
  ],
  ['NameVirtualHost inside Limit', { '/a.conf': '<Limit GET>\nNameVirtualHost *:80\n</Limit>\n' }, {}],
  [
    'RequireNone around a guard',
    {
      '/a.conf':
        '<Directory /a>\n<RequireNone>\n<IfModule mod_access_compat.c>\nOrder allow,deny\nDeny from all\n</IfModule>\n</RequireNone>\n</Directory>\n',
    },
    {},
  ],
  [
    'a backslash at the end of a line in a block for 2.2',
    { '/a.conf': 'Timeout 10\n<IfVersion < 2.4>\nAlias /a C:\\www\\\\\n</IfVersion>\n' },
    { dual: false },
  ],
])('%s is settled', (_, files, options) => {
  const first = convert(files, transforms, options);
  expect(first.outcomes.filter(({ trouble }) => trouble !== undefined)).toEqual([]);
  const second = convert(first.texts, transforms, options);
  expect(second.texts).toEqual(first.texts);
});
