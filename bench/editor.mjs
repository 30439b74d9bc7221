// How long an editor waits after a change in a large file: the language server is told of it as an editor does.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const { createProtocolConnection, StreamMessageReader, StreamMessageWriter } = createRequire(import.meta.url)(
  'vscode-languageserver/node',
);

/** Edits are asked for one by one, as editors of today do. */
const CAPABILITIES = { textDocument: { codeAction: { resolveSupport: { properties: ['edit'] } } } };

/** Milliseconds between an answer and the next change, as of a person. */
const PAUSE_MS = 300;

/** Milliseconds of the processor that a process has taken with all of its threads. Linux counts hundredths of a second. */
function processorTime(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1')
    .replace(/^.*\) /s, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** The last character of a line with an address, in the middle of a text. */
function placeToType(whole) {
  const lines = whole.split('\n');
  const middle = lines.length >> 1;
  const line = middle + lines.slice(middle).findIndex((text) => /^ *Allow from [0-9]/.test(text));
  const end = lines[line].length;
  return { start: { line, character: end - 1 }, end: { line, character: end } };
}

/**
 * Types a digit over another in the middle of a file, again and again.
 * @param args of node: the tool as a language server
 * @returns of each change the milliseconds, by the clock and of the processor, until findings are shown, and until they are
 * checked
 */
export async function typeInto(args, path, changes) {
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const connection = createProtocolConnection(
    new StreamMessageReader(child.stdout),
    new StreamMessageWriter(child.stdin),
  );
  let onTold = () => undefined;
  connection.onNotification('textDocument/publishDiagnostics', () => onTold());
  connection.listen();
  await connection.sendRequest('initialize', { processId: null, rootUri: null, capabilities: CAPABILITIES });
  await connection.sendNotification('initialized', {});
  const uri = pathToFileURL(path).href;
  const text = readFileSync(path, 'latin1');
  const range = placeToType(text);

  const send = async (method, params) => {
    const begin = { clock: performance.now(), processor: processorTime(child.pid) };
    const since = () => ({
      clock: performance.now() - begin.clock,
      processor: processorTime(child.pid) - begin.processor,
    });
    const told = new Promise((resolve) => {
      onTold = resolve;
    });
    await connection.sendNotification(method, params);
    await told;
    const first = since();
    // It is shown again only where the checks have changed it: what the checked result alone can answer waits for that.
    await connection.sendRequest('textDocument/codeAction', {
      textDocument: { uri },
      range,
      context: { diagnostics: [] },
    });
    return { first, checked: since() };
  };

  await send('textDocument/didOpen', {
    textDocument: { uri, languageId: 'apacheconf', version: 1, text },
  });
  const measured = [];
  for (let change = 0; change < changes; change++) {
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    const typed = { range, text: String(change % 10) };
    measured.push(
      await send('textDocument/didChange', {
        textDocument: { uri, version: change + 2 },
        contentChanges: [typed],
      }),
    );
  }
  await connection.sendRequest('shutdown');
  await connection.sendNotification('exit');
  await new Promise((resolve) => child.once('exit', resolve));
  connection.dispose();
  return measured;
}
