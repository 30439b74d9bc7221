import {
  type CodeAction,
  CodeActionKind,
  type CodeActionParams,
  type CodeLens,
  type Connection,
  createConnection,
  type Diagnostic,
  DidChangeWatchedFilesNotification,
  type InitializeParams,
  type InitializeResult,
  MarkupKind,
  MessageType,
  ShowMessageNotification,
  StreamMessageReader,
  StreamMessageWriter,
  TextDocumentSyncKind,
  type WorkspaceEdit,
} from 'vscode-languageserver/node';
import { Checks } from './checks';
import { completionsAt } from './completion';
import { bytesIn, isHtaccess, OpenDocuments, type OpenDocument, parsedOf } from './documents';
import { foldsOf, lensesOf, symbolsOf } from './outline';
import { EditorLines } from './positions';
import type { EditsInFile, Fix, FixScope, RemoteAnalyst } from './types';
import { textOfBytes } from './uris';

const COMMANDS = { audience: 'httpd-codemod.audience', explain: 'httpd-codemod.explain' } as const;
const FIX_FILE = 'source.fixAll.httpd-codemod';

/** What a code action carries until its edits are asked for. */
interface FixData {
  readonly uri: string;
  readonly scope: FixScope;
}

/** Path → the version of an open text that the analyst was told. */
type TextVersions = ReadonlyMap<string, number>;

/**
 * Serves an editor until it says goodbye or goes away. Only the protocol is written to `output`.
 * @returns the exit status: 0 after a goodbye
 */
export function serve(
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
  analyst: RemoteAnalyst,
  version: string,
): Promise<number> {
  const reader = new StreamMessageReader(input);
  const connection = createConnection(reader, new StreamMessageWriter(output));
  const server = new EditorServer(connection, analyst, version);
  return new Promise((resolve) => {
    reader.onClose(() => {
      server.end();
      resolve(server.isLeft ? 0 : 1);
    });
    connection.listen();
  });
}

class EditorServer {
  readonly #connection: Connection;
  readonly #analyst: RemoteAnalyst;
  readonly #documents = new OpenDocuments();
  readonly #checks: Checks;
  #client: InitializeParams['capabilities'] = {};
  /** The editor shows what a command returns by itself. */
  #showsText = false;
  /** Whether the editor has said that it will go. */
  isLeft = false;

  constructor(connection: Connection, analyst: RemoteAnalyst, version: string) {
    this.#connection = connection;
    this.#analyst = analyst;
    this.#checks = new Checks(analyst, this.#documents, {
      publish: (uri, textVersion, diagnostics) =>
        void connection.sendDiagnostics({
          uri,
          diagnostics,
          ...(textVersion !== null && { version: textVersion }),
        }),
      note: (line) => connection.console.info(line),
    });
    connection.onInitialize((params) => this.#initialize(params, version));
    connection.onInitialized(() => this.#watch());
    connection.onShutdown(() => {
      this.isLeft = true;
      this.end();
    });
    this.#listenToTexts();
    this.#answerFromText();
    this.#answerFromRuns();
  }

  end(): void {
    this.#checks.end();
  }

  #initialize({ capabilities, initializationOptions }: InitializeParams, version: string): InitializeResult {
    this.#client = capabilities;
    this.#showsText =
      (initializationOptions as { showsText?: unknown } | null | undefined)?.showsText === true;
    return {
      serverInfo: { name: 'httpd-codemod', version },
      capabilities: {
        textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental, save: true },
        hoverProvider: true,
        codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix, FIX_FILE], resolveProvider: true },
        codeLensProvider: { resolveProvider: true },
        documentSymbolProvider: true,
        foldingRangeProvider: true,
        completionProvider: { triggerCharacters: ['<', '/'] },
        executeCommandProvider: { commands: Object.values(COMMANDS) },
      },
    };
  }

  /** What a run reads may change without the editor. */
  #watch(): void {
    if (this.#client.workspace?.didChangeWatchedFiles?.dynamicRegistration !== true) return;
    const watchers = ['**/*.conf', '**/.ht*', '**/httpd-codemod.config.json', '**/.httpdcodemodignore'];
    this.#connection.client
      .register(DidChangeWatchedFilesNotification.type, {
        watchers: watchers.map((globPattern) => ({ globPattern })),
      })
      .catch((error: unknown) => this.#connection.console.warn(String(error)));
  }

  #listenToTexts(): void {
    const connection = this.#connection;
    connection.onDidOpenTextDocument(({ textDocument: { uri, version, text } }) => {
      const { path } = this.#documents.open(uri, version, text);
      this.#checks.ask([path], 0);
    });
    connection.onDidChangeTextDocument(({ textDocument: { uri, version }, contentChanges }) => {
      const changed = this.#documents.change(uri, version, contentChanges);
      if (changed !== undefined) this.#checks.ask([changed.path]);
    });
    connection.onDidCloseTextDocument(({ textDocument: { uri } }) => {
      this.#checks.close(this.#documents.close(uri));
    });
    const readAgain = (): void => {
      // A thread that ends meanwhile has forgotten everything.
      this.#analyst.forget().catch(() => undefined);
      this.#checks.ask(this.#documents.paths());
    };
    connection.onDidSaveTextDocument(readAgain);
    connection.onDidChangeWatchedFiles(readAgain);
  }

  /** What needs no run. */
  #answerFromText(): void {
    const connection = this.#connection;
    connection.onDocumentSymbol(({ textDocument }) =>
      this.#from(textDocument.uri, (document) => symbolsOf(parsedOf(document), textOfBytes), []),
    );
    connection.onFoldingRanges(({ textDocument }) =>
      this.#from(textDocument.uri, (document) => foldsOf(parsedOf(document)), []),
    );
    connection.onCodeLens(({ textDocument }) =>
      this.#from(
        textDocument.uri,
        (document) => lensesOf(parsedOf(document), document.path, isHtaccess(document.path)),
        [],
      ),
    );
    connection.onCompletion(({ textDocument, position }) =>
      this.#from(
        textDocument.uri,
        (document) => {
          const start = { line: position.line, character: 0 };
          const line = document.text.getText({ start, end: position });
          const { start: at } = new EditorLines(bytesIn(document)).lineAt(position.line);
          return [...completionsAt(parsedOf(document), line, at, isHtaccess(document.path))];
        },
        [],
      ),
    );
  }

  #answerFromRuns(): void {
    const connection = this.#connection;
    connection.onHover(({ textDocument, position }) =>
      this.#fromRun(textDocument.uri, null, async ({ path }) => {
        const value = await this.#analyst.hover(path, position.line);
        return value === undefined ? null : { contents: { kind: MarkupKind.Markdown, value } };
      }),
    );
    connection.onCodeAction((params) =>
      this.#fromRun(params.textDocument.uri, [], (document, told) => this.#actions(params, document, told)),
    );
    connection.onCodeActionResolve((action) => {
      const { uri, scope } = action.data as FixData;
      return this.#fromRun(uri, action, async ({ path }, told) => ({
        ...action,
        edit: await this.#edit(path, scope, told),
      }));
    });
    connection.onCodeLensResolve((lens) => this.#resolveLens(lens));
    connection.onExecuteCommand(async ({ command, arguments: args = [] }) => {
      const text = await this.#execute(command, args);
      if (text !== null && !this.#showsText)
        void connection.sendNotification(ShowMessageNotification.type, {
          type: MessageType.Info,
          message: text,
        });
      return text;
    });
  }

  async #actions(
    { range, context }: CodeActionParams,
    { path, uri }: OpenDocument,
    told: TextVersions,
  ): Promise<CodeAction[]> {
    const { start, end } = range;
    const fixes = await this.#analyst.fixes(path, start.line, Math.max(start.line, end.line));
    const wants = (kind: string): boolean =>
      context.only === undefined ||
      context.only.some((asked) => kind === asked || kind.startsWith(`${asked}.`));
    // A file can be converted from anywhere, but is offered only where there is something to convert.
    const isHere = context.only !== undefined || fixes.some(({ scope }) => scope.kind === 'section');
    const made = fixes
      .filter(() => isHere)
      .flatMap((fix) => [
        ...(wants(CodeActionKind.QuickFix) ? [quickFix(fix, uri, context.diagnostics)] : []),
        // Only who asks for it gets it twice.
        ...(fix.scope.kind === 'file' && context.only !== undefined && wants(FIX_FILE)
          ? [{ title: fix.title, kind: FIX_FILE, data: { uri, scope: fix.scope } }]
          : []),
      ]);
    const isLazy =
      this.#client.textDocument?.codeAction?.resolveSupport?.properties.includes('edit') === true;
    if (isLazy) return made;
    const whole: CodeAction[] = [];
    for (const { data, ...action } of made)
      whole.push({ ...action, edit: await this.#edit(path, data.scope, told) });
    return whole;
  }

  async #edit(path: string, scope: FixScope, told: TextVersions): Promise<WorkspaceEdit> {
    return this.#workspaceEdit(await this.#analyst.edits(path, scope), told);
  }

  /**
   * For the texts as they were when the analyst was told them: an editor refuses edits of another version.
   * @throws Error where a text has changed since, and the editor takes no versions
   */
  #workspaceEdit(files: readonly EditsInFile[], told: TextVersions): WorkspaceEdit {
    const named = files.map(({ path, edits }) => {
      const { uri, version: now } = this.#documents.named(path);
      return { uri, now, version: told.get(path) ?? null, edits: [...edits] };
    });
    if (this.#client.workspace?.workspaceEdit?.documentChanges !== true) {
      if (named.some(({ now, version }) => now !== version))
        throw new Error('the text has changed meanwhile');
      return { changes: Object.fromEntries(named.map(({ uri, edits }) => [uri, edits])) };
    }
    return {
      documentChanges: named.map(({ uri, version, edits }) => ({ textDocument: { uri, version }, edits })),
    };
  }

  async #resolveLens(lens: CodeLens): Promise<CodeLens> {
    const { path, line } = lens.data as { path: string; line: number };
    const { uri } = this.#documents.named(path);
    const audience = await this.#fromRun(uri, undefined, () => this.#analyst.audience(path, line));
    const title = audience?.title ?? 'Who gets in? Not known';
    return { ...lens, command: { title, command: COMMANDS.audience, arguments: [uri, line] } };
  }

  async #execute(command: string, args: readonly unknown[]): Promise<string | null> {
    const [uri, what] = args;
    if (typeof uri !== 'string') return null;
    return this.#fromRun<string | null>(uri, null, async ({ path }) => {
      if (command === COMMANDS.explain)
        return typeof what === 'string' ? this.#analyst.explain(path, what) : null;
      const audience = await this.#analyst.audience(path, Number(what));
      return audience?.text ?? 'Who gets in here is not known.';
    });
  }

  /** An answer out of an open text; `none` for any other. */
  #from<T>(uri: string, answer: (document: OpenDocument) => T, none: T): T {
    const document = this.#documents.at(uri);
    return document === undefined ? none : answer(document);
  }

  /** An answer of the analyst about an open text as it is now; `none` where there is none. */
  async #fromRun<T>(
    uri: string,
    none: T,
    answer: (document: OpenDocument, told: TextVersions) => Promise<T>,
  ): Promise<T> {
    const document = this.#documents.at(uri);
    if (document === undefined) return none;
    try {
      // Taken before the wait: what is typed from here on the analyst may not know.
      const told = this.#documents.versions();
      await this.#checks.bringUpToDate();
      return await answer(document, told);
    } catch (error) {
      this.#connection.console.warn((error as Error).message);
      return none;
    }
  }
}

function quickFix({ title, rules, scope }: Fix, uri: string, diagnostics: readonly Diagnostic[]) {
  const settled = diagnostics.filter(({ code }) => typeof code === 'string' && rules.includes(code));
  const isNearest = scope.kind === 'section';
  return {
    title,
    kind: CodeActionKind.QuickFix,
    ...(settled.length > 0 && { diagnostics: settled }),
    ...(isNearest && { isPreferred: true }),
    data: { uri, scope } satisfies FixData,
  };
}
