import { type ConfigTree, insertionPointFor, serversOf } from '../../config';
import type { Section } from '../../syntax';
import type { Facts, ReachCondition, Scope, State } from '../policy';
import { getOrInsert } from '../primitives';
import type { RewriteOutput } from './emit';
import { writeSection } from './layout';
import type { HostCopy, RewrittenSection } from './placement';
import { type WrittenCases, replacedLines, placeWritten, writeStates } from './rewrite';
import type { AnyServer } from '../mapping';

/** Nobody could read a configuration in which a section stands more often. */
const MAX_COPIES = 6;
/** Nor a section in a host that has more lines than this, for what the main server's says. */
const MAX_LINES = 8;

/**
 * Restates a section of the main server that decides differently from one virtual host to another, where no expression tells
 * these apart: in its place for most servers, and once more in each other host. There it comes after all of the main server's of
 * its kind, and before the host's own.
 * @param routes the states before the section, each with the server that it is of
 * @returns undefined where the text of some server asks more, or too many hosts would need their own
 */
export function rewriteByHost(
  scope: Scope,
  routes: readonly State[],
  facts: Facts,
  tree: ConfigTree,
): RewrittenSection | undefined {
  const texts = textsByHost(scope, routes, facts);
  if (texts === undefined) return undefined;
  const shared = sharedText(texts);
  const other = [...texts].filter(([, text]) => keyOf(text) !== keyOf(shared));
  if (other.length === 0 || other.length > MAX_COPIES) return undefined;
  if (other.some(([, { output }]) => linesIn(output) > MAX_LINES)) return undefined;
  const copies: HostCopy[] = [];
  for (const [host, { output }] of other) {
    const copy = host && copyIn(host, scope, output, tree);
    if (copy === undefined) return undefined;
    copies.push(copy);
  }
  const placed = placeWritten(scope, replacedLines(scope), shared);
  return placed.problem === undefined ? { ...placed, copies } : undefined;
}

/** What the section decides in each server that comes to it. */
function textsByHost(
  scope: Scope,
  routes: readonly State[],
  facts: Facts,
): ReadonlyMap<AnyServer, WrittenCases> | undefined {
  const byServer = new Map<string, { readonly hosts: readonly AnyServer[]; readonly states: State[] }>();
  for (const state of routes) {
    const server = state.when.find((test) => test.kind === 'server');
    if (server === undefined) return undefined;
    const isOther = (test: ReachCondition): boolean => test !== server;
    const { states } = getOrInsert(byServer, server.name, () => ({ hosts: server.hosts, states: [] }));
    states.push({ ...state, when: state.when.filter(isOther) });
  }
  const texts = new Map<AnyServer, WrittenCases>();
  for (const { hosts, states } of byServer.values()) {
    const text = writeStates(scope, facts, states, false);
    if ('problem' in text || text.output.length === 0 || text.byName.length > 0) return undefined;
    for (const host of hosts) texts.set(host, text);
  }
  return texts;
}

/** The text for the section where it stands: the main server's, or else that of most hosts. */
function sharedText(texts: ReadonlyMap<AnyServer, WrittenCases>): WrittenCases {
  const ofMain = texts.get(undefined);
  if (ofMain !== undefined) return ofMain;
  const counts = new Map<string, number>();
  let most: WrittenCases | undefined;
  for (const text of texts.values()) {
    const count = (counts.get(keyOf(text)) ?? 0) + 1;
    counts.set(keyOf(text), count);
    if (most === undefined || count > counts.get(keyOf(most))!) most = text;
  }
  return most!;
}

const keyOf = ({ output }: WrittenCases): string => JSON.stringify(output.map(wordsOf));

function wordsOf(output: RewriteOutput): unknown {
  if (output.kind === 'require') return output.text;
  return output.kind === 'merging' ? output.merging : [output.name, output.args, output.body.map(wordsOf)];
}

function linesIn(output: readonly RewriteOutput[]): number {
  return output.reduce((sum, each) => sum + (each.kind === 'block' ? linesIn(each.body) + 2 : 1), 0);
}

/** The section in a host, before all that the host has itself; undefined where the host cannot be written in. */
function copyIn(
  host: Section,
  { section }: Scope,
  output: readonly RewriteOutput[],
  tree: ConfigTree,
): HostCopy | undefined {
  const servers = serversOf(tree);
  const server = servers.all.find((each) => each.section === host);
  if (server === undefined || section === undefined || host.close === undefined) return undefined;
  const { file } = server;
  if (file.outside !== undefined || !servers.isReachedOnce(file)) return undefined;
  const point = insertionPointFor(servers, server, []);
  // What a line includes, or a conditional holds, may be a section of the host.
  const isPlain = point.file === file && point.node?.kind === 'directive' && !tree.includes.has(point.node);
  const place = isPlain ? point : ({ node: host, side: 'inside' } as const);
  return { file, host, edit: writeSection(file.document, place, section.name, section.open.rest, output) };
}
