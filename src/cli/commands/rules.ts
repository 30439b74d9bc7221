import type { Transform } from '../../engine/types';
import { encode } from '../../report';
import { suggest } from '../options/suggest';
import { UsageError } from '../trouble';

/** What `httpd-codemod rules [ID]` prints. @throws UsageError for an id that no rule has */
export function rulesText(transforms: readonly Transform[], id: string | undefined): string {
  if (id === undefined) return encode(list(transforms));
  checkRules([id], transforms);
  return encode(
    transforms
      .filter((one) => one.id === id)
      .map(explain)
      .join(''),
  );
}

/** @throws UsageError naming the first id that no rule has, and the nearest one that exists */
export function checkRules(ids: readonly string[], transforms: readonly Transform[]): void {
  const known = transforms.map(({ id }) => id);
  for (const id of ids) {
    if (!known.includes(id)) throw new UsageError(`unknown rule '${id}'${suggest(id, known)}`);
  }
}

/** @throws UsageError naming the first option that its rule does not take */
export function checkOptions(
  given: Readonly<Record<string, Readonly<Record<string, string>>>>,
  transforms: readonly Transform[],
): void {
  for (const { id, options = [] } of transforms) {
    for (const name of Object.keys(given[id] ?? {})) {
      if (options.includes(name)) continue;
      throw new UsageError(`rule ${id} has no option '${name}'${suggest(name, options)}`);
    }
  }
}

function list(transforms: readonly Transform[]): string {
  const width = (cells: readonly string[]): number => Math.max(0, ...cells.map((cell) => cell.length));
  const idWidth = width(transforms.map(({ id }) => id));
  const seeds = transforms.map(({ seed }) => seed.join(','));
  const seedWidth = width(seeds);
  return transforms
    .map(({ id, title }, i) => `${id.padEnd(idWidth)}  ${(seeds[i] ?? '').padEnd(seedWidth)}  ${title}\n`)
    .join('');
}

function explain({ id, seed, title, why, docs, directives }: Transform): string {
  const lines = [`${id} - ${title}`, '', why, ''];
  if (directives.length > 0) lines.push(`Directives: ${directives.join(', ')}`);
  if (seed.length > 0) lines.push(`Covers: ${seed.join(', ')}`);
  for (const doc of docs) lines.push(`See: ${doc}`);
  return `${lines.join('\n')}\n`;
}
