import { PassThrough } from 'node:stream';
import {
  type CodeAction,
  createProtocolConnection,
  type Diagnostic,
  type InitializeParams,
  type InitializeResult,
  type ProtocolConnection,
  type PublishDiagnosticsParams,
  type Range,
  StreamMessageReader,
  StreamMessageWriter,
  type TextEdit,
  type WorkspaceEdit,
} from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { Services } from '../../src/cli';
import type { FileSource } from '../../src/config';
import { localAnalyst, serve } from '../../src/lsp';
import { command } from '../run/command';

/** What an editor of today says that it can. */
const CAPABILITIES: InitializeParams['capabilities'] = {
  workspace: {
    workspaceEdit: { documentChanges: true },
    didChangeWatchedFiles: { dynamicRegistration: true },
  },
  textDocument: { codeAction: { resolveSupport: { properties: ['edit'] } } },
};

/** An editor that speaks the protocol: it has texts open, and shows what it is told. */
export class Editor {
  readonly connection: ProtocolConnection;
  readonly messages: string[] = [];
  /** All that it was told to show, in order. */
  readonly told: PublishDiagnosticsParams[] = [];
  /** The status of the server once it has gone. */
  readonly status: Promise<number>;
  initialized!: InitializeResult;
  readonly #texts = new Map<string, TextDocument>();
  readonly #shown = new Map<string, PublishDiagnosticsParams>();
  #wake: () => void = () => undefined;

  constructor(connection: ProtocolConnection, status: Promise<number>) {
    this.connection = connection;
    this.status = status;
    connection.onNotification('textDocument/publishDiagnostics', (shown: PublishDiagnosticsParams) => {
      this.told.push(shown);
      this.#shown.set(shown.uri, shown);
      this.#wake();
    });
    const keep = ({ message }: { message: string }): void => void this.messages.push(message);
    connection.onNotification('window/showMessage', keep);
    connection.onNotification('window/logMessage', keep);
    connection.onRequest('client/registerCapability', () => null);
    connection.listen();
  }

  async begin(capabilities = CAPABILITIES): Promise<this> {
    this.initialized = await this.connection.sendRequest('initialize', {
      processId: null,
      rootUri: null,
      capabilities,
    });
    await this.connection.sendNotification('initialized', {});
    return this;
  }

  /** An absolute path, as the editor writes it. */
  uriOf = (path: string): string => `file://${encodeURI(path)}`;

  open(path: string, text: string, uri = this.uriOf(path)): void {
    this.#texts.set(uri, TextDocument.create(uri, 'apacheconf', 1, text));
    void this.#say('didOpen', { textDocument: { uri, languageId: 'apacheconf', version: 1, text } });
  }

  /** Types over a range, or over the whole text. */
  change(path: string, text: string, range?: Range, uri = this.uriOf(path)): void {
    const document = this.#texts.get(uri)!;
    const version = document.version + 1;
    const contentChanges = [{ text, ...(range && { range }) }];
    this.#texts.set(uri, TextDocument.update(document, contentChanges, version));
    void this.#say('didChange', { textDocument: { uri, version }, contentChanges });
  }

  close(path: string): void {
    this.#texts.delete(this.uriOf(path));
    void this.#say('didClose', { textDocument: { uri: this.uriOf(path) } });
  }

  save(path: string): void {
    void this.#say('didSave', { textDocument: { uri: this.uriOf(path) } });
  }

  text(path: string, uri = this.uriOf(path)): string {
    return this.#texts.get(uri)!.getText();
  }

  /** What is shown in a file once its text has been checked as it is now. */
  async found(path: string, uri = this.uriOf(path)): Promise<readonly Diagnostic[]> {
    for (;;) {
      const shown = this.#shown.get(uri);
      if (shown !== undefined && shown.version === this.#texts.get(uri)?.version) return shown.diagnostics;
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  /** What is shown in a file now. */
  shown(path: string): readonly Diagnostic[] {
    return this.#shown.get(this.uriOf(path))?.diagnostics ?? [];
  }

  ask<T>(method: string, path: string, more: object = {}): Promise<T> {
    return this.connection.sendRequest(`textDocument/${method}`, {
      textDocument: { uri: this.uriOf(path) },
      ...more,
    });
  }

  actions(path: string, line: number, context: object = { diagnostics: [] }): Promise<CodeAction[]> {
    const at = { line, character: 0 };
    return this.ask('codeAction', path, { range: { start: at, end: at }, context });
  }

  /** Makes the change of an action in the open texts, as an editor does. @returns the paths of others */
  async apply(action: CodeAction): Promise<readonly string[]> {
    const whole =
      action.edit ?? (await this.connection.sendRequest<CodeAction>('codeAction/resolve', action)).edit;
    const others: string[] = [];
    for (const { uri, version, edits } of editsOf(whole ?? {})) {
      const document = this.#texts.get(uri);
      if (document === undefined) {
        others.push(uri);
        continue;
      }
      if (version !== document.version)
        throw new Error(`edits of version ${version} for ${document.version}`);
      const path = decodeURI(uri.slice('file://'.length));
      this.change(path, TextDocument.applyEdits(document, edits));
    }
    return others;
  }

  /** Says goodbye. @returns the status of the server */
  async leave(end: () => void): Promise<number> {
    await this.connection.sendRequest('shutdown');
    end();
    const status = await this.status;
    this.connection.dispose();
    return status;
  }

  #say(method: string, params: object): Promise<void> {
    return this.connection.sendNotification(`textDocument/${method}`, params);
  }
}

function editsOf({ documentChanges = [], changes = {} }: WorkspaceEdit): {
  readonly uri: string;
  readonly version: number | null;
  readonly edits: TextEdit[];
}[] {
  return [
    ...documentChanges.flatMap((change) =>
      'edits' in change ? [{ ...change.textDocument, edits: change.edits as TextEdit[] }] : [],
    ),
    ...Object.entries(changes).map(([uri, edits]) => ({ uri, version: null, edits })),
  ];
}

/** Starts the server in this process, over some files. */
export async function startEditor(
  source: FileSource,
  argv: readonly string[] = [],
  cwd = '/',
  over: Partial<Services> = {},
): Promise<Editor & { end(): Promise<number> }> {
  const [there, back] = [new PassThrough(), new PassThrough()];
  const connection = createProtocolConnection(new StreamMessageReader(back), new StreamMessageWriter(there));
  const status = command(
    ['lsp', ...argv],
    { cwd },
    { source, serveEditor: (analyst) => serve(there, back, localAnalyst(analyst), '1.2.3'), ...over },
  ).then((done) => done.status);
  const editor = await new Editor(connection, status).begin();
  return Object.assign(editor, { end: () => editor.leave(() => there.end()) });
}
