import type { Transform } from '../../engine/types';
import { encode } from '../../report';
import { checkRules } from '../options';

/** What `httpd-codemod rules [ID]` prints. @throws UsageError for an id that no rule has */
export function rulesText(transforms: readonly Transform[], id: string | undefined): string {
  if (id === undefined) return encode(list(transforms));
  checkRules([id], transforms);
  return encode(
    transforms
      .filter((transform) => transform.id === id)
      .map(explain)
      .join(''),
  );
}

function list(transforms: readonly Transform[]): string {
  const width = (cells: readonly string[]): number => Math.max(0, ...cells.map((cell) => cell.length));
  const idWidth = width(transforms.map(({ id }) => id));
  const changes = transforms.map((transform) => transform.changes.join(','));
  const changesWidth = width(changes);
  return transforms
    .map(
      ({ id, title }, i) => `${id.padEnd(idWidth)}  ${(changes[i] ?? '').padEnd(changesWidth)}  ${title}\n`,
    )
    .join('');
}

function explain({ id, changes, title, why, docs, directives }: Transform): string {
  const lines = [`${id} - ${title}`, '', why, ''];
  if (directives.length > 0) lines.push(`Directives: ${directives.join(', ')}`);
  if (changes.length > 0) lines.push(`Covers: ${changes.join(', ')}`);
  for (const doc of docs) lines.push(`See: ${doc}`);
  return `${lines.join('\n')}\n`;
}
