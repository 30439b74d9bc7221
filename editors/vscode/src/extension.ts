import { commands, type ExtensionContext, Uri, window, workspace } from 'vscode';
import { LanguageClient } from 'vscode-languageclient/node';

const LANGUAGE = 'apacheconf';

let client: LanguageClient | undefined;

/** Starts the language server of the command that is installed, and what only this editor has. */
export async function activate({ subscriptions }: ExtensionContext): Promise<void> {
  subscriptions.push(
    commands.registerCommand('httpd-codemod.restart', restart),
    commands.registerCommand('httpd-codemod.explainRequest', explainRequest),
    workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration('httpdCodemod')) void restart();
    }),
  );
  await restart();
}

export function deactivate(): Promise<void> | undefined {
  return client?.stop();
}

async function restart(): Promise<void> {
  await client?.stop();
  const settings = workspace.getConfiguration('httpdCodemod');
  const command = settings.get<string>('command', 'httpd-codemod');
  const args = ['lsp', ...settings.get<string[]>('arguments', [])];
  const folder = workspace.workspaceFolders?.[0]?.uri;
  client = new LanguageClient(
    'httpd-codemod',
    'httpd-codemod',
    { command, args, options: folder?.scheme === 'file' ? { cwd: folder.fsPath } : {} },
    {
      documentSelector: [
        { scheme: 'file', language: LANGUAGE },
        { scheme: 'untitled', language: LANGUAGE },
      ],
      initializationOptions: { showsText: true },
      middleware: {
        // The command of a lens: what it answers is many lines, for which a message has no room.
        async executeCommand(name, given, next) {
          const text: unknown = await next(name, given);
          if (typeof text === 'string') await show(text);
          return text;
        },
      },
    },
  );
  try {
    await client.start();
  } catch (error) {
    const how = 'Install it (npm install -g httpd-codemod), or name it in the setting httpdCodemod.command.';
    void window.showErrorMessage(`${command} lsp does not start: ${String(error)} ${how}`);
  }
}

/** Asks for a request, and shows what both versions make of it. */
async function explainRequest(): Promise<void> {
  const uri = window.activeTextEditor?.document.uri;
  if (uri === undefined || client === undefined) return;
  const request = await window.showInputBox({
    prompt: 'A URL path with keys, a URL, or a line of an access log',
    placeHolder: '/private/?from=10.1.2.3&user=alice',
  });
  if (request !== undefined && request !== '')
    await commands.executeCommand('httpd-codemod.explain', Uri.parse(uri.toString()).toString(), request);
}

async function show(text: string): Promise<void> {
  const document = await workspace.openTextDocument({ content: text, language: 'plaintext' });
  await window.showTextDocument(document, { preview: true, preserveFocus: true });
}
