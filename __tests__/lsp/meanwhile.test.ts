import { PassThrough } from 'node:stream';
import {
  createProtocolConnection,
  type CodeAction,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver/node';
import { type RemoteAnalyst, serve } from '../../src/lsp';
import { Editor } from '../../testing/lsp/editor';

const FILE = '/etc/httpd/a.conf';
const EDIT = {
  range: { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } },
  newText: 'x',
};

/** An editor whose questions go to an analyst of the test; by default one that has found nothing. */
async function editorOf(analyst: Partial<RemoteAnalyst>, documentChanges = true) {
  const [there, back] = [new PassThrough(), new PassThrough()];
  const connection = createProtocolConnection(new StreamMessageReader(back), new StreamMessageWriter(there));
  const quiet = {
    update: () => Promise.resolve(),
    forget: () => Promise.resolve(),
    check: (path: string) => Promise.resolve({ files: [{ path, findings: [] }], notes: [] }),
    overtake: () => undefined,
  };
  const status = serve(there, back, { ...quiet, ...analyst } as RemoteAnalyst, '1.2.3');
  const editor = await new Editor(connection, status).begin({
    workspace: { workspaceEdit: { documentChanges } },
    textDocument: { codeAction: { resolveSupport: { properties: ['edit'] } } },
  });
  return { editor, end: () => editor.leave(() => there.end()) };
}

const ACTION: CodeAction = {
  title: 'fix',
  data: { uri: `file://${FILE}`, scope: { kind: 'file', path: FILE } },
};

describe('edits of a text that changes while they are made', () => {
  /** Resolves an action, and types before the analyst has answered. */
  const resolveWhileTyping = async (types: boolean, documentChanges: boolean) => {
    let answer!: () => void;
    const asked = new Promise<void>((resolve) => {
      answer = resolve;
    });
    let editing!: () => void;
    const begun = new Promise<void>((resolve) => {
      editing = resolve;
    });
    const edits: RemoteAnalyst['edits'] = async (path) => {
      editing();
      await asked;
      return [{ path, edits: [EDIT] }];
    };
    const { editor, end } = await editorOf({ edits }, documentChanges);
    editor.open(FILE, 'MaxClients 5\n');
    await editor.found(FILE);
    const resolved = editor.connection.sendRequest<CodeAction>('codeAction/resolve', ACTION);
    await begun;
    if (types) editor.change(FILE, 'Listen 80\nMaxClients 5\n');
    if (types) await editor.ask('foldingRange', FILE);
    answer();
    const { edit } = await resolved;
    await end();
    return edit;
  };
  const changes = { [`file://${FILE}`]: [EDIT] };
  const ofVersion = (version: number) => ({
    documentChanges: [{ textDocument: { uri: `file://${FILE}`, version }, edits: [EDIT] }],
  });

  test.each([
    ['carry the version they were made for', true, true, ofVersion(1)],
    ['and where nothing is typed, too', false, true, ofVersion(1)],
    ['are not given to an editor that takes no versions', true, false, undefined],
    ['but are where nothing is typed', false, false, { changes }],
  ])('%s', async (_, types, documentChanges, edit) => {
    expect(await resolveWhileTyping(types, documentChanges)).toEqual(edit);
  });
});

test('a check that is under way ends when somebody types', async () => {
  const begun: number[] = [];
  let end: ((turn: number) => void) | undefined;
  let begin!: () => void;
  const isUnderWay = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const check: RemoteAnalyst['check'] = async (path, turn) => {
    begun.push(turn);
    // The first one takes until it hears of a later turn.
    if (begun.length === 1)
      await new Promise<void>((resolve) => {
        end = (later) => later > turn && resolve();
        begin();
      });
    return { files: [{ path, findings: [] }], notes: [] };
  };
  const { editor, end: leave } = await editorOf({ check, overtake: (turn) => end?.(turn) });
  editor.open(FILE, 'MaxClients 5\n');
  await isUnderWay;
  editor.change(FILE, 'MaxClients 6\n');
  expect(await editor.found(FILE)).toEqual([]);
  expect(begun).toHaveLength(2);
  expect(await leave()).toBe(0);
});

test('a thread that ends while it is to forget the disk is no trouble', async () => {
  const gone = Promise.reject(new Error('gone'));
  const handled = jest.spyOn(gone, 'then');
  const { editor, end } = await editorOf({ forget: () => gone });
  editor.open(FILE, 'Listen 80\n');
  editor.save(FILE);
  await editor.found(FILE);
  await editor.ask('foldingRange', FILE);
  expect(handled).toHaveBeenCalledWith(undefined, expect.any(Function));
  expect(await end()).toBe(0);
});

describe('what is told before a check is through', () => {
  const found = (rule: string) => {
    const start = { line: 0, character: 0 };
    return { range: { start, end: { line: 0, character: 1 } }, level: 'info' as const, rule, message: rule };
  };
  const OTHER = '/etc/httpd/b.conf';

  test('is shown, and then what the check says', async () => {
    const check: RemoteAnalyst['check'] = async (path, _turn, early) => {
      early({ files: [{ path, findings: [found('likely')] }], notes: [] });
      await new Promise((resolve) => setTimeout(resolve, 20));
      return { files: [{ path, findings: [found('so')] }], notes: ['noted'] };
    };
    const { editor, end } = await editorOf({ check });
    editor.open(FILE, 'Listen 80\n');
    while (editor.told.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(editor.told.map(({ diagnostics }) => diagnostics.map(({ code }) => code))).toEqual([
      ['likely'],
      ['so'],
    ]);
    expect(editor.messages).toEqual(['noted']);
    expect(await end()).toBe(0);
  });

  test('is not shown once somebody has typed, and what is due then is still checked', async () => {
    const asked: string[] = [];
    let go!: () => void;
    const isOvertaken = new Promise<void>((resolve) => {
      go = resolve;
    });
    const check: RemoteAnalyst['check'] = async (path, turn, early) => {
      asked.push(`${path} ${turn}`);
      const both = [FILE, OTHER].map((name) => ({ path: name, findings: [found(`likely ${turn}`)] }));
      if (asked.length === 1) {
        early({ files: both, notes: [] });
        await isOvertaken;
        early({ files: [{ path, findings: [found('too late')] }], notes: [] });
        return undefined;
      }
      return { files: [{ path, findings: [found('so')] }], notes: [] };
    };
    const { editor, end } = await editorOf({ check, overtake: (turn) => turn > 2 && go() });
    editor.open(FILE, 'Listen 80\n');
    editor.open(OTHER, 'Listen 81\n');
    await editor.found(OTHER);
    editor.change(OTHER, 'Listen 82\n');
    while (editor.told.filter(({ diagnostics: [first] }) => first?.code === 'so').length < 2)
      await new Promise((resolve) => setTimeout(resolve, 5));
    // The first file was not typed in, but its own check had not been through.
    expect(new Set(asked.slice(1).map((line) => line.split(' ')[0]))).toEqual(new Set([FILE, OTHER]));
    expect(asked).toHaveLength(3);
    expect(editor.told.some(({ diagnostics: [first] }) => first?.code === 'too late')).toBe(false);
    expect(await end()).toBe(0);
  });
});
