import { collect } from '../../src/access/collect';
import { type ConfigTree, loadRereadable, loadTree, memory, overlay } from '../../src/config';
import { type RunResult, run } from '../../src/engine';
import { transforms } from '../../transforms';
import type { HostingServer } from './generate';

/** A server and what the tool makes of it. */
export interface ConvertedServer {
  readonly server: HostingServer;
  readonly result: RunResult;
  readonly after: ConfigTree;
}

/** Converts a server as `httpd-codemod MAIN DOCUMENT-ROOTS` does. */
export function convertServer(server: HostingServer): ConvertedServer {
  const { layout, places, files } = server;
  const source = memory(files);
  const load = { defines: new Map<string, string>(), env: new Map<string, string>(), cwd: '/' };
  const paths = [layout.main(places), ...layout.served(places)];
  const result = run(loadRereadable(source, paths, load), transforms);
  const texts = new Map(result.plan.map(({ file, text }) => [file.path, text]));
  return { server, result, after: loadTree(overlay(source, texts), paths, load) };
}

/** What is wrong with a conversion without a look at who gets in; none where nothing is. */
export function faultsOf({ result, after }: ConvertedServer): readonly string[] {
  if (result.failure !== undefined) return [result.failure];
  const access = result.outcomes.filter(({ rule }) => rule === 'order-allow-deny');
  const refused = access.filter(({ status, level }) => status !== 'applied' && level === 'error');
  const left = collect(after).scopes.filter(({ lines: { old } }) => old.length > 0);
  return [
    ...refused.map(({ message }) => message),
    ...left.map(
      ({ file, lines: { old } }) => `${file.path} still has ${old.length} lines in the words of 2.2`,
    ),
    ...access.flatMap(({ file, edits }) =>
      edits.flatMap(({ text }) =>
        clumsyLines(text).map((line) => `${file.path}: nobody would write "${line}"`),
      ),
    ),
  ];
}

/** More than this nobody writes into a line; an expression about one directory takes its path. */
const MAX_LENGTH = 200;

/** An expression over a list of directories, and lines that are too long to read. */
function clumsyLines(text: string): readonly string[] {
  return text
    .split('\n')
    .filter(
      (line) =>
        line.length > MAX_LENGTH ||
        (/^[ \t]*Require[ \t]+expr/i.test(line) && (line.match(/(?:#\^|\|)\//g) ?? []).length > 1),
    );
}
