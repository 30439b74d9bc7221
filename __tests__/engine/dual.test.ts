import fc from 'fast-check';
import { SEED, share } from '../../testing/run/size';
import { memory, readingOf, loadRereadable } from '../../src/config';
import { type Edit, insertAfter, removeLine, rename, replaceLine } from '../../src/edit';
import { type Finding, type RunResult, type Transform, run } from '../../src/engine';
import { type Directive, type Document, parse } from '../../src/syntax';
import { accessRows } from '../../testing/access/access-rows';
import { PREFACE, compareWithModel } from '../../testing/access/compare-model';
import { convertFiles, textAfter } from '../../testing/run/convert';
import { type HttpdRequest, ask } from '../../testing/httpd/ask';
import { type Case, type TestServer, serve } from '../../testing/httpd/server';
import { randomTree } from '../../testing/access/random-trees';

const PATH = '/etc/site.conf';

/** What the directives Old… stand for: each is edited in the way that its name tells. */
const EDITS: Readonly<Record<string, (document: Document, node: Directive) => Edit>> = {
  OldName: (_, node) => rename(node, 'NewName'),
  OldGone: (document, node) => removeLine(document, node),
  OldTwo: (document, node) => replaceLine(document, node, ['New one', 'New two']),
  OldMore: (document, node) => insertAfter(document, node, ['New more']),
  OldBlock: (document, node) => replaceLine(document, node, ['<NewBlock>', '    New inside', '</NewBlock>']),
  OldSame: (document, node) => replaceLine(document, node, [document.text.slice(node.from, node.to), 'New']),
  OldOpen: (document, node) => replaceLine(document, node, ['<NewBlock>']),
  OldClose: (document, node) => replaceLine(document, node, ['</NewBlock>']),
};

/** One finding a line, or one for all of them. */
const rule = (inOneGroup: boolean, over: Partial<Finding> = {}): Transform => ({
  id: 'old',
  changes: [],
  title: '',
  why: '',
  docs: [],
  directives: [],
  run(context) {
    const found: { node: Directive; edit: Edit }[] = [];
    const [file] = context.tree.files;
    if (file === undefined) return;
    context.directives(Object.keys(EDITS), (node) =>
      found.push({ node, edit: EDITS[node.name]!(file.document, node) }),
    );
    const report = (part: typeof found): void =>
      context.report({
        file,
        at: part[0]!.node.from,
        level: 'error',
        safety: 'safe',
        message: 'old',
        edits: part.map(({ edit }) => edit),
        ...over,
      });
    if (inOneGroup && found.length > 0) report(found);
    else for (const part of found) report([part]);
  },
});

function dual(text: string, transforms: readonly Transform[] = [rule(false)]): RunResult {
  const source = memory(new Map([[PATH, text]]));
  const options = { defines: new Map<string, string>(), env: new Map<string, string>(), cwd: '/' };
  return run(loadRereadable(source, [PATH], options), transforms, { dual: true });
}

const for24 = (...lines: string[]): string[] => [
  '<IfModule mod_authz_core.c>',
  ...lines.map((line) => `    ${line}`),
  '</IfModule>',
];
const for22 = (...lines: string[]): string[] => [
  '<IfModule !mod_authz_core.c>',
  ...lines.map((line) => (/^\s*$/.test(line) ? line : `    ${line}`)),
  '</IfModule>',
];

describe('a change for both versions', () => {
  test.each<[what: string, together: boolean, before: string[], after: string[]]>([
    ['another name', false, ['A', 'OldName x', 'B'], ['A', ...for24('NewName x'), ...for22('OldName x'), 'B']],
    ['a line that goes', false, ['A', 'OldGone x', 'B'], ['A', ...for22('OldGone x'), 'B']],
    ['a line that comes', false, ['OldMore', 'B'], ['OldMore', ...for24('New more'), 'B']],
    ['two lines for one', false, ['OldTwo', 'B'], [...for24('New one', 'New two'), ...for22('OldTwo'), 'B']],
    ['a line that stays stays outside', false, ['OldSame x', 'B'], ['OldSame x', ...for24('New'), 'B']],
    ['lines next to each other share the blocks', false, ['OldName x', 'OldGone', 'OldTwo'], [...for24('NewName x', 'New one', 'New two'), ...for22('OldName x', 'OldGone', 'OldTwo')]],
    ['comments between stay with the lines of one finding', true, ['OldName x', '# why', '', 'OldGone'], [...for24('NewName x', '# why'), ...for22('OldName x', '# why', '', 'OldGone')]],
    ['of two findings each has its own blocks', false, ['OldName x', '# why', 'OldGone'], [...for24('NewName x'), ...for22('OldName x'), '# why', ...for22('OldGone')]],
    ['a line in several parts', false, ['OldName x \\', '  y'], [...for24('NewName x \\', 'y').map((line) => line.replace(/^ {4}y/, '  y')), ...for22('OldName x \\', 'y').map((line) => line.replace(/^ {4}y/, '  y'))]],
    ['a container from one line to another takes in what is between', true, ['OldOpen', 'B', 'OldClose', 'C'], [...for24('<NewBlock>', 'B', '</NewBlock>'), ...for22('OldOpen', 'B', 'OldClose'), 'C']],
  ])('%s', (_, inOneGroup, before, after) => {
    for (const eol of ['\n', '\r\n'])
      for (const end of [eol, '']) {
        const result = dual(before.join(eol) + end, [rule(inOneGroup)]);
        expect(result.failure).toBeUndefined();
        expect(textAfter(result, PATH)).toBe(after.join(eol) + end);
      }
  }); // prettier-ignore

  test('a line that ends in two backslashes gets its quotes in both blocks', () => {
    const before = `Listen 80\n<Limit POST PUT>\nH2WindowSize *:80 C:\\www\\\\\n</Limit>\n`;
    const result = convertFiles({ [PATH]: before }, [PATH], { dual: true });
    const line = 'H2WindowSize *:80 "C:\\www\\\\"';
    expect(result.failure).toBeUndefined();
    expect(textAfter(result, PATH)).toBe(
      [before.split('\n')[0], ...for24(line), ...for22('<Limit POST PUT>', line, '</Limit>'), ''].join('\n'),
    );
    expect(
      result.outcomes.filter(({ rule: id }) => id === 'backslash-line-end').map(({ status }) => status),
    ).toEqual(['applied']);
  });

  test.each(['DefaultType'])('%s that ends in two backslashes leaves the end of its block alone', (name) => {
    const line = `${name} C:\\www\\\\`;
    for (const eol of ['\n', '\r\n'])
      for (const [before, after] of [
        [line + eol, for22(line, '', '').join(eol) + eol],
        [line, for22(`${line} `).join(eol)],
        [`A${eol}${line}`, ['A', ...for22(`${line} `)].join(eol)],
      ] as const) {
        // Without a line end to go by, blocks end in LF.
        const expected = before === line ? after.replaceAll('\r\n', '\n') : after;
        const files = { '/w/.htaccess': before };
        const result = convertFiles(files, ['/w'], { dual: true });
        expect(result.failure).toBeUndefined();
        expect(textAfter(result, '/w/.htaccess')).toBe(expected);
        expect(readingOf(parse(expected, '2.2'), '2.2')).toEqual(readingOf(parse(before, '2.2'), '2.2'));
        expect(parse(expected, '2.4').flaws).toBe(0);
        expect(convertFiles({ '/w/.htaccess': expected }, ['/w'], { dual: true }).plan).toEqual([]);
      }
  });

  test('a line whose end is mended for both versions stays outside the blocks of its neighbour', () => {
    const result = convertFiles({ '/w/.htaccess': 'SetEnv root C:\\www\\\\\nDeny from all\n' }, ['/w'], {
      dual: true,
    });
    expect(result.failure).toBeUndefined();
    expect(textAfter(result, '/w/.htaccess')?.split('\n')).toEqual(
      ['SetEnv root "C:\\www\\\\"', ...for24('Require all denied'), ...for22('Deny from all'), ''], // prettier-ignore
    );
  });

  test('in a section it is indented as the section is', () => {
    const text = '<Location />\n\tOldName x\n\t<Limit GET>\n\t\tOldGone\n\t</Limit>\n</Location>\n';
    expect(textAfter(dual(text), PATH)).toBe(
      '<Location />\n\t<IfModule mod_authz_core.c>\n\t\tNewName x\n\t</IfModule>\n\t<IfModule !mod_authz_core.c>\n\t\tOldName x\n\t</IfModule>\n' +
        '\t<Limit GET>\n\t\t<IfModule !mod_authz_core.c>\n\t\t\tOldGone\n\t\t</IfModule>\n\t</Limit>\n</Location>\n',
    );
  });

  test('where they are all that a flat section holds, they stand deeper than it; beside other flat lines they do not', () => {
    const inside = [...for24('NewName x'), ...for22('OldName x')];
    const alone = ['<Location />', ...inside.map((line) => `    ${line}`), '</Location>'];
    expect(textAfter(dual('<Location />\nOldName x\n</Location>\n'), PATH)).toBe(`${alone.join('\n')}\n`);
    const beside = ['<Location />', 'A', ...inside, '</Location>'];
    expect(textAfter(dual('<Location />\nA\nOldName x\n</Location>\n'), PATH)).toBe(`${beside.join('\n')}\n`);
  });

  test('what 2.4 reads as it is stays', () => {
    const { outcomes, plan } = dual('OldName x\n', [rule(false, { level: 'info' })]);
    expect(plan).toEqual([]);
    expect(outcomes.map(({ status }) => status)).toEqual(['none']);
  });

  test.each([
    ['a section that is not closed', '<Location />\nA\n', (document: Document) => rename(document.body[0] as never, 'Files')],
    ['a body that is no configuration', '<Perl>\nA\n</Perl>\n', () => ({ start: 7, end: 8, text: 'B' })],
    ['LoadModule', 'LoadModule a_module a.so\n', (document: Document) => rename(document.body[0] as never, 'LoadFile')],
    ['what stands above the modules', 'A\nLoadModule authz_host_module a.so\n', (document: Document) => rename(document.body[0] as never, 'B')],
    ['a line whose end 2.4 reads otherwise', 'A x\\\\\nB\n', (document: Document) => rename(document.body[0] as never, 'C')],
  ])('is not made of %s', (_, text, edit) => {
    const result = dual(text, [
      {
        ...rule(false),
        run({ tree, report }) {
          const [file] = tree.files;
          report({ file: file!, at: 0, level: 'error', safety: 'safe', message: '', edits: [edit(file!.document)] });
        },
      },
    ]);
    expect(result.failure).toBeUndefined();
    expect(result.plan).toEqual([]);
    expect(result.outcomes.filter(({ rule: id }) => id === 'old').map(({ status, why }) => [status, why?.slice(0, 6)])).toEqual([['not-applied', '--dual']]);
  }); // prettier-ignore

  test('is made in a part whatever another part loads, and not above what it loads itself', () => {
    const text = '<Directory /a>\nOrder allow,deny\n</Directory>\n';
    const load = 'LoadModule authz_host_module a.so\n';
    const parts = convertFiles({ '/p/a.conf': text, '/p/b.conf': load }, ['/p'], { dual: true });
    expect(textAfter(parts, '/p/a.conf')).toContain('<IfModule !mod_authz_core.c>');
    const whole = convertFiles({ '/p/a.conf': text + load }, ['/p'], { dual: true });
    expect(textAfter(whole, '/p/a.conf')).not.toContain('IfModule');
  });

  test('is not made above an Include of modules that are not here, and is below it', () => {
    for (const include of ['Include /none/mods-enabled/*.load', 'IncludeOptional "/none/conf.modules.d/"']) {
      const result = dual(`OldName x\n${include}\nOldName y\n`);
      const ofRule = result.outcomes.filter(({ rule: id }) => id === 'old');
      expect(ofRule.map(({ status }) => status)).toEqual(['not-applied', 'applied']);
      expect(ofRule[0]!.why).toMatch(/above the LoadModule lines/);
      expect(textAfter(result, PATH)).toContain(`OldName x\n${include}\n<IfModule mod_authz_core.c>`);
    }
    // Of other files nothing is known to load modules; and those of modules are at hand where a line was read.
    for (const include of [
      'Include /none/sites/*.conf',
      'LoadModule authz_host_module a.so\nOldTwo\nInclude /none/mods-enabled/*.load',
    ])
      expect(
        dual(`${include}\nOldName y\n`).outcomes.filter(({ status }) => status === 'not-applied'),
      ).toEqual([]);
    const above = dual('OldName x\nInclude /none/sites/*.conf\n').outcomes;
    expect(above.filter(({ rule: id }) => id === 'old').map(({ status }) => status)).toEqual(['applied']);
  });

  test('any lines in any sections: 2.2 reads what it read', () => {
    const line = fc.constantFrom(
      ...Object.keys(EDITS)
        .slice(0, 6)
        .map((name) => `${name} x`),
      '# c',
      '',
      'A',
      'A \\\n b',
      'OldGone x\\\\',
    );
    const body: fc.Arbitrary<string[]> = fc.letrec<{ body: string[] }>((tie) => ({
      body: fc
        .array(
          fc.oneof(
            { weight: 6, arbitrary: line.map((part) => [part]) },
            {
              weight: 1,
              arbitrary: fc
                .tuple(
                  fc.constantFrom('Location /', 'IfModule mod_x.c', 'IfVersion < 2.4', 'Limit GET'),
                  tie('body'),
                )
                .map(([name, lines]) => [
                  `<${name}>`,
                  ...lines.map((part) => `  ${part}`),
                  `</${name.split(' ')[0]}>`,
                ]),
            },
          ),
          { maxLength: 6 },
        )
        .map((parts) => parts.flat()),
    })).body;
    fc.assert(
      fc.property(
        body,
        fc.boolean(),
        fc.constantFrom('\n', '\r\n'),
        fc.boolean(),
        (lines, inOneGroup, eol, ended) => {
          const text = lines.join('\n').replaceAll('\n', eol) + (ended ? eol : '');
          const result = dual(text, [rule(inOneGroup)]);
          expect(result.failure).toBeUndefined();
          expect(result.outcomes.flatMap(({ status, why }) => (status === 'not-applied' ? why : []))).toEqual(
            [],
          );
          const after = parse(textAfter(result, PATH)!, '2.2');
          expect(readingOf(after, '2.2')).toEqual(readingOf(parse(text, '2.2'), '2.2'));
        },
      ),
    );
  });
});

test('random trees for both versions answer on a real 2.4 as the 2.2 model says', async () => {
  const trees = fc.sample(randomTree, { numRuns: share(20, 4), seed: SEED + 100 });
  const { converted, differences } = await compareWithModel(trees, { dual: true });
  expect(differences).toEqual([]);
  expect(converted).toBeGreaterThan(share(5, 5));
});

/** One `.htaccess` that may say Limit only, and what lets the rewrite in. */
const GOVERNED = {
  conf: '<Directory "@DOCROOT@/limited">\n    AllowOverride Limit\n</Directory>\n',
  htaccess: 'Order allow,deny\nAllow from all\nDeny from 127.0.0.2\n',
};

describe('on a real server', () => {
  const servers: TestServer[] = [];
  const start = async (cases: readonly Case[], compat = false): Promise<TestServer> => {
    const server = await serve(cases, { compat });
    servers.push(server);
    return server;
  };
  afterAll(async () => {
    for (const server of servers) await server.stop();
  });

  test('a .htaccess that may say Limit only', async () => {
    const home = '/srv/www';
    const files = {
      '/etc/site.conf': GOVERNED.conf.replace('@DOCROOT@', home),
      [`${home}/limited/.htaccess`]: GOVERNED.htaccess,
    };
    const result = convertFiles(files, ['/etc/site.conf', home], { dual: true });
    const conf = textAfter(result, '/etc/site.conf')!.replaceAll(home, '@DOCROOT@');
    expect(conf).toMatch(/<IfModule mod_authz_core\.c>\n +AllowOverrideList Require <RequireAll\n/);
    const htaccess = { limited: textAfter(result, `${home}/limited/.htaccess`)! };
    const server = await start([{ id: 'limited', conf, htaccess, files: ['limited/x.txt'] }]);
    expect([...server.refused]).toEqual([]);
    const from = (src: string): HttpdRequest => ({ case: 'limited', path: '/limited/x.txt', src });
    expect(await ask(server, [from('127.0.0.1'), from('127.0.0.2')])).toEqual(['P', 'F']);
  });

  test('a server that skips the blocks for 2.4, as 2.2 does, answers as it did', async () => {
    // What is skipped is read as 2.2 reads it (server/config.c: ap_soak_end_container); mod_access_compat takes the old lines.
    const in22 = (text: string): string => text.replaceAll('mod_authz_core.c', 'mod_not_there.c');
    const cases = accessRows.map(({ name, input }, i) => {
      const conf = `${PREFACE}<Directory "@DOCROOT@">\n${input.map((line) => `    ${line}\n`).join('')}</Directory>\n`;
      const path = '/etc/site.conf';
      const result = convertFiles({ [path]: conf.replace('@DOCROOT@', '/srv/www') }, [path], { dual: true });
      expect([name, result.failure]).toEqual([name, undefined]);
      return {
        before: { id: `before${i}`, conf, files: ['x.txt'] },
        after: {
          id: `after${i}`,
          conf: in22(textAfter(result, path)!.replace('/srv/www', '@DOCROOT@')),
          files: ['x.txt'],
        },
      };
    });
    const server = await start(
      cases.flatMap(({ before, after }) => [before, after]),
      true,
    );
    expect(
      [...server.refused.keys()].filter((id) => id.startsWith('after')).map((id) => id.slice(5)),
    ).toEqual([...server.refused.keys()].filter((id) => id.startsWith('before')).map((id) => id.slice(6)));
    const matrix = (id: string): HttpdRequest[] =>
      ['GET', 'POST'].flatMap((method) =>
        ['127.0.0.1', '127.0.0.2', '127.1.0.2'].flatMap((src) =>
          [undefined, 'alice', 'carol'].map((user) => ({
            case: id,
            method,
            path: '/x.txt',
            src,
            ...(user === undefined ? {} : { user }),
          })),
        ),
      );
    const served = cases.filter(({ before }) => server.hosts.has(before.id));
    const answersBefore = await ask(
      server,
      served.flatMap(({ before }) => matrix(before.id)),
    );
    const answersAfter = await ask(
      server,
      served.flatMap(({ after }) => matrix(after.id)),
    );
    expect(served.length).toBeGreaterThan(40);
    expect(answersAfter).toEqual(answersBefore);
  });
});
