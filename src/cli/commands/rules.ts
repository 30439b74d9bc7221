import type { Transform } from '../../engine/types';
import { encode } from '../../report';
import { checkRules } from '../options';

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
