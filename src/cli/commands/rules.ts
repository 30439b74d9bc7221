import type { Transform } from '../../engine/types';
import { encode } from '../../report';
import { checkRules } from '../options';

/** What the findings of the run itself are about, which have one of these names where others have the id of a rule. */
export const CHECKS: Readonly<Record<string, Pick<Transform, 'title' | 'why'>>> = {
  __proto__: null!,
  include: {
    title: 'Files that the run lacks, cannot read or finds unused',
    why: 'What a missing file says is not known. The lines that it could change the meaning of stay as they are, or rest on an assumption that the report names.',
  },
  syntax: {
    title: 'Lines that httpd does not read as they stand',
    why: 'httpd does not start with them, or answers 500 where they stand in a .htaccess. They stay as they are, and so does what they could change the meaning of.',
  },
  ignore: {
    title: 'Comments that ask to leave lines alone, and are not understood',
    why: 'A comment with a wrong word or without its other half leaves alone too much or too little.',
  },
  write: {
    title: 'Files that --write would not change as the diff shows',
    why: 'A file that cannot be written stays as it is, with all that changes together with it. One with several names (hard links) becomes a file of its own.',
  },
};

/** What `httpd-codemod rules [ID]` prints. @throws UsageError for an id that no rule and no check of the run has */
export function rulesText(transforms: readonly Transform[], id: string | undefined): string {
  if (id === undefined) return encode(list(transforms));
  const check = CHECKS[id];
  if (check !== undefined)
    return encode(
      `${id} - ${check.title}\n\n${check.why}\n\nThis is no rule: the run itself reports it.\nPage: docs/messages.md\n`,
    );
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
