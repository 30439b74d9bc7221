import * as library from '../src';
import {
  type FileSource,
  type Transform,
  checkRegistry,
  loadRereadable,
  loadTree,
  memory,
  overlay,
  remember,
  run,
  transforms,
} from '../src';
import { linesOf, serversOf, visitTree } from '../src/config';
import { TreeIndex } from '../src/engine';

const options = { cwd: '/', defines: new Map<string, string>(), env: new Map<string, string>() };

test('the library converts in memory', () => {
  const source = memory(new Map([['/a.conf', 'MaxClients 5\n']]));
  const { plan } = run(loadRereadable(source, ['/a.conf'], options), transforms);
  expect(plan.map(({ text }) => text)).toEqual(['MaxRequestWorkers 5\n']);
  expect(library.unifiedDiff('a.conf', 'MaxClients 5\n', plan[0]!.edits)).toContain(
    '\n+MaxRequestWorkers 5\n',
  );
});

test('no two rules are called the same or own the same directive', () => {
  expect(checkRegistry(transforms)).toBe(transforms);
  const rule = transforms.find(({ directives }) => directives.length > 0);
  expect(() => checkRegistry([...transforms, rule!])).toThrow(`two transforms are called ${rule!.id}`);
  expect(() => checkRegistry([...transforms, { ...rule!, id: 'other' }])).toThrow(/ is owned by /);
});

test('a rule that only tells is not asked about the result, and may not edit', () => {
  const asked: string[] = [];
  const rule = (id: string, advisory: boolean, text?: string): Transform => ({
    ...transforms[0]!,
    id,
    advisory,
    directives: [],
    run: ({
      tree: {
        files: [file],
      },
      report,
    }) => {
      asked.push(`${id} ${file!.document.text.trim()}`);
      const edits = text === undefined ? [] : [{ start: 0, end: 0, text }];
      report({
        file: file!,
        at: 0,
        level: 'info',
        safety: text === undefined ? 'manual' : 'safe',
        message: id,
        edits,
      });
    },
  });
  const source = memory(new Map([['/a.conf', 'MaxClients 5\n']]));
  const tree = loadTree(source, ['/a.conf'], options);
  const reread = (texts: ReadonlyMap<string, string>) =>
    loadTree(overlay(source, texts), ['/a.conf'], options);
  const edit = transforms.find(({ id }) => id === 'max-clients')!;
  const { outcomes, plan } = run({ tree, reread }, [edit, rule('tells', true), rule('may-edit', false)]);
  expect(plan).toHaveLength(1);
  expect(outcomes.map((outcome) => outcome.rule).toSorted()).toEqual(['max-clients', 'may-edit', 'tells']);
  expect(asked).toEqual(['tells MaxClients 5', 'may-edit MaxClients 5', 'may-edit MaxRequestWorkers 5']);
  expect(run({ tree, reread }, [rule('tells', true, '# edited\n')])).toMatchObject({
    plan: [],
    failure: expect.stringContaining('tells is advisory, but reports edits') as string,
  });
  expect(run({ tree, reread }, [rule('may-edit', false, '# edited\n')]).failure).toContain('a second run');
});

test('a rule that only tells about the result is not asked about that of a second run', () => {
  const asked: string[] = [];
  const rule = (id: string, advisoryOnResult: boolean): Transform => ({
    ...transforms[0]!,
    id,
    advisoryOnResult,
    directives: [],
    run: () => undefined,
    runOnResult: ({
      tree: {
        files: [file],
      },
      report,
    }) => {
      asked.push(`${id} ${file!.document.text.trim()}`);
      report({ file: file!, at: 0, level: 'info', safety: 'manual', message: id, edits: [] });
    },
  });
  const source = memory(new Map([['/a.conf', 'MaxClients 5\n']]));
  const tree = loadTree(source, ['/a.conf'], options);
  const reread = (texts: ReadonlyMap<string, string>) =>
    loadTree(overlay(source, texts), ['/a.conf'], options);
  const edit = transforms.find(({ id }) => id === 'max-clients')!;
  const { outcomes } = run({ tree, reread }, [edit, rule('tells', true), rule('may-edit', false)]);
  expect(outcomes.map((outcome) => outcome.rule).toSorted()).toEqual(['max-clients', 'may-edit', 'tells']);
  expect(asked).toEqual(['may-edit MaxClients 5', 'tells MaxClients 5', 'may-edit MaxRequestWorkers 5']);
});

test('a rule that only tells about the result sees it with the edits of the others, wherever it stands among them', () => {
  const seen: string[] = [];
  const rule: Transform = {
    ...transforms[0]!,
    advisory: false,
    advisoryOnResult: false,
    directives: [],
    run: () => undefined,
  };
  const tells: Transform = {
    ...rule,
    id: 'tells',
    advisoryOnResult: true,
    runOnResult: ({
      tree: {
        files: [file],
      },
      result,
      report,
    }) => {
      seen.push(result.files[0]!.document.text);
      report({ file: file!, at: 0, level: 'info', safety: 'manual', message: 'told', edits: [] });
    },
  };
  const edits: Transform = {
    ...rule,
    id: 'edits',
    runOnResult: ({
      tree: {
        files: [file],
      },
      result,
      report,
    }) => {
      if (!result.files[0]!.document.text.startsWith('#'))
        report({
          file: file!,
          at: 0,
          level: 'info',
          safety: 'safe',
          message: 'added',
          edits: [{ start: 0, end: 0, text: '# added\n' }],
        });
    },
  };
  const source = memory(new Map([['/a.conf', 'MaxClients 5\n']]));
  const reread = (texts: ReadonlyMap<string, string>) =>
    loadTree(overlay(source, texts), ['/a.conf'], options);
  const edit = transforms.find(({ id }) => id === 'max-clients')!;
  const { outcomes, failure } = run({ tree: loadTree(source, ['/a.conf'], options), reread }, [
    edit,
    tells,
    edits,
  ]);
  expect(failure).toBeUndefined();
  expect(seen).toEqual(['# added\nMaxRequestWorkers 5\n']);
  expect(outcomes.map((outcome) => outcome.rule)).toEqual(['max-clients', 'tells', 'edits']);
});

test('reading again takes over what has not changed, and asks the disk no second time', () => {
  const texts = new Map([
    ['/w/a/.htaccess', 'MaxClients 5\n'],
    ['/w/b/.htaccess', 'Options None\n'],
  ]);
  const asked: string[] = [];
  const recorded = memory(texts);
  const disk: FileSource = {
    read: (path) => (asked.push(path), recorded.read(path)),
    list: (path) => (asked.push(path), recorded.list(path)),
    kind: (path) => recorded.kind(path),
    real: (path) => recorded.real(path),
  };
  const source = remember(disk);
  const before = loadTree(source, ['/w'], options);
  const count = asked.length;
  const after = loadTree(overlay(source, new Map([['/w/a/.htaccess', 'MaxClients 6\n']])), ['/w'], {
    ...options,
    before,
  });
  expect(asked).toHaveLength(count);
  expect(after.files.map(({ document }) => document.text)).toEqual(['MaxClients 6\n', 'Options None\n']);
  expect(after.files[1]?.document).toBe(before.files[1]?.document);
  expect(after.files[0]?.document).not.toBe(before.files[0]?.document);
});

test('lines of several names come as they are read, through Includes and sections', () => {
  const source = memory(
    new Map([
      [
        '/a.conf',
        'ServerRoot /\nServerName a\n<VirtualHost *>\nServerName b\nInclude x.conf\nListen 3\n</VirtualHost>\nListen 4\nInclude x.conf\n',
      ],
      ['/x.conf', 'Listen 1\n<VirtualHost x>\nListen 2\n</VirtualHost>\n'],
    ]),
  );
  const tree = loadTree(source, ['/a.conf'], options);
  const walked: unknown[] = [];
  visitTree(tree, (node) => {
    if (node.kind === 'section' || (node.kind === 'directive' && /^(?:servername|listen)$/.test(node.key)))
      walked.push(node);
  });
  const found: unknown[] = [];
  const index = new TreeIndex(tree);
  // Each walk over a tree asks for what its Includes lead to.
  const walks = jest.spyOn(tree.includes, 'get');
  index.visitInOrder(['Listen', 'ServerName', 'Port'], ['VirtualHost'], (node) => found.push(node));
  expect(walks).not.toHaveBeenCalled();
  expect(found).toHaveLength(11);
  expect(found.every((node, i) => node === walked[i])).toBe(true);
  const main = serversOf(tree).main!;
  expect([main.mayHave('listen'), main.mayHave('port')]).toEqual([true, false]);
  expect(linesOf(main, ['Listen']).map(({ node }) => node.rest)).toEqual(['4', '1']);
});
