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
  const idWidth = Math.max(0, ...transforms.map(({ id }) => id.length));
  return transforms.map(({ id, title }) => `${id.padEnd(idWidth)}  ${title}\n`).join('');
}

function explain({ id, title, why, docs, directives }: Transform): string {
  const lines = [`${id} - ${title}`, '', why, ''];
  if (directives.length > 0) lines.push(`Directives: ${directives.join(', ')}`);
  for (const doc of docs) lines.push(`See: ${doc}`);
  lines.push(`Page: docs/rules/${id}.md`);
  return `${lines.join('\n')}\n`;
}
