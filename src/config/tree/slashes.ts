import { holds } from '../../httpd/facts';
import type { Release } from '../../httpd/release';
import type { Directive } from '../../syntax';
import { type Server, type ServerLine, conditionIn } from './servers';

/** A MergeSlashes line. */
export type SlashesLine = ServerLine<Directive>;

/**
 * Whether a 2.4 takes several slashes of a URL for one: `may` where that hangs on a conditional, `unknown` where the run does not
 * know all of the server, and no line says it.
 */
export type SlashMerging = 'yes' | 'no' | 'may' | 'unknown';

export function isMerging({ node }: SlashesLine): boolean {
  return node.args[0]?.value.toLowerCase() !== 'off';
}

/**
 * The MergeSlashes lines that may be in force where a 2.4 reads a server: the last that it reads for sure, and those in
 * conditionals below it.
 */
export function slashesLines(server: Server): readonly SlashesLine[] {
  if (!server.mayHave('mergeslashes')) return [];
  const read = server.lines.filter(
    (line): line is SlashesLine =>
      line.node.kind === 'directive' && line.node.key === 'mergeslashes' && conditionIn(line).on24 !== false,
  );
  const last = read.findLastIndex((line) => conditionIn(line).on24 === true);
  return read.slice(Math.max(0, last));
}

/** What a release does on a server: a virtual host has what the main server says, wherever it does, if it says nothing itself. */
export function slashMergingIn(server: Server, release: Release): SlashMerging {
  if (!holds('merge-slashes', release)) return 'no';
  const lines = slashesLines(server);
  const [first] = lines;
  const isSure = first !== undefined && conditionIn(first).on24 === true;
  const values = new Set<SlashMerging>(lines.map((line) => (isMerging(line) ? 'yes' : 'no')));
  if (!isSure) values.add(inherited(server, release));
  if (values.has('unknown')) return 'unknown';
  return values.size > 1 ? 'may' : [...values][0]!;
}

/** What counts where the lines of a server itself say nothing for sure (2.4 server/core.c: merge_core_server_configs). */
function inherited({ parent, whole }: Server, release: Release): SlashMerging {
  if (parent !== undefined) return slashMergingIn(parent, release);
  return whole ? 'yes' : 'unknown';
}
