import { type Audience, type AudienceRow, Audiences, type AudienceUser } from '../access/explain';
import { nameOfHost, serverNamesOf } from '../config';
import type { ConfigFile, Reread } from '../config/types';
import { treeAfter } from '../engine';
import type { Outcome, RunResult, Transform } from '../engine/types';
import type { AudienceAnswer, AudienceTable, HtmlOptions } from '../report';

/** Asking the models takes about a millisecond a section. */
const MAX_ASKED = 5000;

/**
 * What a page says of places: the server they belong to, and who gets in there.
 * @param reread reads the tree with new texts; undefined where nothing is known of the result
 */
export function placesOf(
  { tree, plan }: RunResult,
  reread: Reread | undefined,
  transforms: readonly Pick<Transform, 'id' | 'isAboutAccess'>[],
): Pick<HtmlOptions, 'serverAt' | 'audienceOf'> {
  const serverAt = serverNamesOf(tree);
  if (reread === undefined) return { serverAt, audienceOf: () => undefined };
  const audienceAt = audiencesOf({ tree, plan }, reread);
  const aboutAccess = new Set(transforms.filter(({ isAboutAccess }) => isAboutAccess).map(({ id }) => id));
  let asked = 0;
  const audienceOf = ({ rule, file, at, trouble }: Outcome): AudienceTable | undefined => {
    if (!aboutAccess.has(rule) || trouble !== undefined || ++asked > MAX_ASKED) return undefined;
    return audienceAt(file, at);
  };
  return { serverAt, audienceOf };
}

/** Who gets into the section that a place in a file belongs to, before and after; undefined where that is not known. */
export function audiencesOf(
  result: Pick<RunResult, 'tree' | 'plan'>,
  reread: Reread,
): (file: ConfigFile, at: number) => AudienceTable | undefined {
  const audiences = new Audiences(result.tree, treeAfter(result, reread));
  return (file, at) => {
    const audience = audiences.of(file, at);
    return audience && tableOf(audience);
  };
}

const ANSWERS: Readonly<Record<Audience['rows'][number]['answers'][number]['before'], AudienceAnswer>> = {
  P: 'yes',
  U: 'asks for a password',
  F: 'no',
  E: 'error 500',
  '?': 'not known',
};

function tableOf({ section, vhost, uri, filename, users, rows }: Audience): AudienceTable {
  const isNamed = users.some(({ kind }) => kind === 'named');
  return {
    section,
    request: requestText(vhost === undefined ? '' : nameOfHost(vhost), uri, filename),
    columns: users.map((user) => columnName(user, isNamed)),
    rows: rows.map((row) => ({
      client: clientName(row, rows.length === 1),
      cells: row.answers.map(({ before, after }) => ({ before: ANSWERS[before], after: ANSWERS[after] })),
    })),
  };
}

function requestText(host: string, uri: string | undefined, filename: string): string {
  if (uri !== undefined) return `GET ${host}${uri}, file ${filename}`;
  return `GET of the file ${filename}${host === '' ? '' : `, asked of ${host}`}`;
}

function columnName({ kind, name }: AudienceUser, isNamed: boolean): string {
  if (kind === 'none') return 'no password';
  if (kind === 'named') return name ?? 'a named user';
  return isNamed ? 'any other user' : 'any user';
}

function clientName({ kind, name, env }: AudienceRow, isAlone: boolean): string {
  if (kind === 'env') return `anywhere, with ${env.join(', ')} set`;
  if (kind === 'listed') return name;
  return isAlone ? 'anywhere' : 'anywhere else';
}

/** Who gets in, for a place without tables: lines. */
export function audienceText(table: AudienceTable): readonly string[] {
  const { section, request, columns, rows } = table;
  const lines = rows.map(({ client, cells }) => {
    const answers = cells.map(
      ({ before, after }, i) => `${columns[i]}: ${before === after ? before : `2.2 ${before}, 2.4 ${after}`}`,
    );
    return `${client}: ${answers.join('; ')}`;
  });
  return [`${section}: ${request}`, ...lines, agreement(table)];
}

/** Whether the versions answer the same, in a sentence. */
export function agreement({ rows }: AudienceTable): string {
  const cells = rows.flatMap((row) => row.cells);
  if (cells.some(({ before, after }) => before !== after && after !== 'not known' && before !== 'not known'))
    return '2.4 answers differently than 2.2.';
  return cells.some(({ before, after }) => before === 'not known' || after === 'not known')
    ? 'Not all of it is known.'
    : 'Both versions answer the same.';
}
