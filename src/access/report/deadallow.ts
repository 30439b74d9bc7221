import type { Directive } from '../../syntax';
import { type Facts, type HostLine, type Scope, orderFor } from '../policy';
import { covers } from '../primitives';

const MOST_SHOWN = 3;

function saysAll({ words }: HostLine): boolean {
  return words.some(({ kind }) => kind === 'all');
}

function isWall(line: HostLine): boolean {
  return !line.allow && saysAll(line);
}

/**
 * `Allow from` lines that never let anybody in, because `Order allow,deny` lets a `Deny from all` win over them. Read as if the last list
 * named had its way they do, and so the examples of 2.4's upgrade guide for a host list joined with a password read them
 * (access-semantics D5.2). Undefined where there are none.
 */
export function deadAllow(scope: Scope, facts: Facts): { node: Directive; message: string } | undefined {
  const { hosts } = scope.own;
  if (hosts === undefined || !hosts.orders.some(({ order }) => order === 'allow,deny')) return undefined;
  if (!hosts.lines.some(({ allow }) => allow) || !hosts.lines.some(isWall)) return undefined;
  const dead = new Set<string>();
  let node: Directive | undefined;
  for (const method of facts.classes) {
    if (orderFor(hosts, method).order !== 'allow,deny') continue;
    const lines = hosts.lines.filter((line) => covers(line.mask, method));
    const wall = lines.findIndex(isWall);
    if (wall < 0) continue;
    for (const [i, line] of lines.entries()) {
      const { allow, words, origin } = line;
      if (!allow || words.every(({ kind }) => kind === 'never' || kind === 'invalid')) continue;
      // Everybody first, then nobody for some methods: nobody reads that as an opening.
      if (i < wall && (saysAll(line) || line.mask !== lines[wall]!.mask)) continue;
      if (node === undefined || origin.start < node.start) node = origin;
      for (const { value } of origin.args.slice(1)) dead.add(value);
    }
  }
  if (node === undefined) return undefined;
  const shown = [...dead].slice(0, MOST_SHOWN).join(' ') + (dead.size > MOST_SHOWN ? ' ...' : '');
  return {
    node,
    message: `under Order allow,deny the Deny from all wins over Allow from ${shown}: 2.2 admitted nobody for its address, and neither does the rewrite; the upgrade guide of 2.4 reads this pattern as letting ${shown} in, so write a Require for it if that was the intention`,
  };
}
