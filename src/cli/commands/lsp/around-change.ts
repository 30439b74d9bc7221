import { EditorLines } from '../../../lsp/positions';
import type { EditorFinding } from '../../../lsp/types';
import type { Document, Section, Span } from '../../../syntax';
import { changeBetween, type FoundInFiles, type FoundIn, moveFindings } from './likely';

/** What a run has read and found. */
export interface LastRun {
  /** By path. */
  readonly documents: ReadonlyMap<string, Document>;
  readonly found: FoundInFiles;
}

/**
 * A large server without most of the virtual hosts that have not changed: a run over it takes a fraction of the time. Of the
 * hosts of an address one is kept, so that one that has changed is not alone there.
 */
interface AroundChange {
  /** The text of each file, with the line ends alone in the place of a host: all that is left keeps its line. */
  readonly texts: ReadonlyMap<string, string>;
  /**
   * What is likely to be found in the whole server: beside the change what a run over these texts has found, and elsewhere what
   * the last one had. Undefined where that run does not come to the change.
   */
  readonly withLast: (found: FoundInFiles) => FoundInFiles | undefined;
}

/** Lines of a text, the last one included. */
interface Lines {
  readonly first: number;
  readonly last: number;
}

/** Bytes that may be left of a server: a run over more takes too long to be made beside the one over all. */
const MOST_LEFT = 100_000;

/**
 * What to ask before a whole server is asked again.
 * @param textOf the text of a file as it is now
 * @returns undefined where that would be most of the server
 */
export function aroundChange(
  last: LastRun,
  textOf: (path: string) => string | undefined,
): AroundChange | undefined {
  const texts = new Map<string, string>();
  const changed = new Map<string, { readonly text: string; readonly lines: Lines }>();
  const addresses = new Set<string>();
  let left = 0;
  for (const [path, document] of last.documents) {
    const text = textOf(path);
    if (text === undefined) return undefined;
    const { hosts, lines } = partsOf(document, text, addresses);
    if (lines !== undefined) changed.set(path, { text, lines });
    left += hosts.reduce((length, { start, end }) => length - (end - start), text.length);
    if (left > MOST_LEFT) return undefined;
    texts.set(path, withoutHosts(text, hosts));
  }
  const withLast = (found: FoundInFiles): FoundInFiles | undefined => {
    const all = new Map<string, FoundIn>([...found, ...last.found]);
    for (const [path, { text, lines }] of changed) {
      const now = found.get(path);
      const before = last.found.get(path);
      if (now === undefined || before === undefined) return undefined;
      const elsewhere = moveFindings(before, text).filter((finding) => !isIn(lines, finding));
      const beside = now.findings.filter((finding) => isIn(lines, finding));
      all.set(path, { text, findings: [...elsewhere, ...beside] });
    }
    return all;
  };
  return { texts, withLast };
}

/**
 * The virtual hosts of a text that are left out, and the lines of what a change touches; none without a change.
 * @param addresses those of hosts that are kept already
 */
function partsOf(
  document: Document,
  text: string,
  addresses: Set<string>,
): { readonly hosts: readonly Span[]; readonly lines: Lines | undefined } {
  const { start, oldEnd, end } = changeBetween(document.text, text);
  const isSame = document.text === text;
  const isTouched = (node: Span): boolean => !isSame && node.start <= oldEnd && node.end >= start;
  const moved = (at: number): number => (at > oldEnd ? at + end - oldEnd : at);
  const hosts = document.body
    .filter((node): node is Section => node.kind === 'section' && node.key === 'virtualhost')
    .filter((host) => !isTouched(host) && !isFirst(addresses, host.open.rest))
    .map((host) => ({ start: moved(host.start), end: moved(host.end) }));
  if (isSame) return { hosts, lines: undefined };
  const touched = document.body.filter(isTouched);
  const places = new EditorLines(text);
  const from = Math.min(start, ...touched.map((node) => node.start));
  const to = Math.max(end, ...touched.map((node) => moved(node.end) - 1));
  return { hosts, lines: { first: places.positionAt(from).line, last: places.positionAt(to).line } };
}

function isFirst(known: Set<string>, name: string): boolean {
  const before = known.size;
  return known.add(name).size > before;
}

function withoutHosts(text: string, hosts: readonly Span[]): string {
  let [left, at] = ['', 0];
  for (const { start, end } of hosts) {
    left += text.slice(at, start) + text.slice(start, end).replace(/[^\r\n]+/g, '');
    at = end;
  }
  return left + text.slice(at);
}

function isIn({ first, last }: Lines, { range: { start } }: EditorFinding): boolean {
  return start.line >= first && start.line <= last;
}
