import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PlainServer } from '../plain/server';
import { BASE, type ShapeTree, requestOf, requestText, sourceOf } from './tree';
import { loadLines } from '../run/load-lines';

export interface RecordedTree extends Omit<ShapeTree, 'files' | 'paths'> {
  readonly files: Readonly<Record<string, string | { readonly link: string } | { readonly base64: string }>>;
  readonly answers: readonly (number | readonly [number, ...string[]])[];
  readonly paths?: readonly string[];
  readonly httpd_args?: readonly string[];
  readonly hosts?: Readonly<Record<string, string>>;
}

/** The modules of the recorded server, in the order in which it loads them. */
export const MODULES_22 =
  `authn_file authn_dbm authn_anon authn_default authn_alias authz_host authz_groupfile authz_user authz_dbm
 authz_owner authz_default auth_basic auth_digest ext_filter include filter substitute deflate log_config logio env expires headers ident
 setenvif version mime dav status autoindex asis info cgi dav_fs vhost_alias negotiation dir imagemap actions speling userdir alias
 rewrite`
    .trim()
    .split(/[ \n]+/);

/** What became of holding the reading of 2.2 against answers that a real 2.2 gave. */
export interface Held {
  same: number;
  /** Requests that the reading leaves alone: other methods, rewrites, pages for errors. */
  unread: number;
  readonly differences: string[];
}

/** Holds the reading of 2.2 in testing/plain against the recorded answers of `trees.jsonl` in a folder. */
export function holdAgainstRecorded(folder: string): Held {
  const held: Held = { same: 0, unread: 0, differences: [] };
  for (const tree of readRecorded(folder)) hold(tree, held);
  return held;
}

/** The trees of a folder. */
export function readRecorded(folder: string): readonly RecordedTree[] {
  const lines = readFileSync(join(folder, 'trees.jsonl'), 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line) as RecordedTree);
}

/** The files of a tree, with those that each has that does not bring its own. */
export function filesOf({ files }: RecordedTree): ShapeTree['files'] {
  const asText = Object.entries(files).map(([path, content]) => [
    path,
    typeof content === 'object' && 'base64' in content
      ? Buffer.from(content.base64, 'base64').toString('latin1')
      : content,
  ]);
  return { 'conf/modules.conf': loadLines(MODULES_22), 'conf/mime.types': '', ...Object.fromEntries(asText) };
}

function hold(tree: RecordedTree, held: Held): void {
  const { name, files, requests, answers, httpd_args = [], hosts } = tree;
  const all = filesOf(tree);
  const defines = new Set(httpd_args.flatMap((word, i) => (word === '-D' ? [httpd_args[i + 1]!] : [])));
  const disk = sourceOf({ files: all });
  const server = new PlainServer(disk, `${BASE}/conf/httpd.conf`, { version: '2.2', defines });
  requests.forEach((request, i) => {
    const recorded = [answers[i]].flat()[0] as number;
    const isPlain =
      (request.method ?? 'GET') === 'GET' &&
      !request.user?.startsWith('digest:') &&
      (request.user === undefined || !('conf/htpasswd' in files)) &&
      hosts === undefined;
    const answer = isPlain ? server.answer(requestOf(request)) : '?';
    // A directory without an index, and a path below a file, are no question of access.
    if (answer === '?' || (answer === 'P' && request.path.endsWith('/'))) held.unread++;
    else if (answer === letterOf(recorded)) held.same++;
    else
      held.differences.push(
        `${name}: ${requestText(request)}: 2.2 ${recorded}, the reading ${answer}${server.why === undefined ? '' : ` (${server.why})`}`,
      );
  });
}

/** P gets in, or is told where to go or that nothing is there · U 401 · F 403 · E a failure. */
export function letterOf(status: number): string {
  if (status === 401) return 'U';
  if (status === 403) return 'F';
  return status >= 500 || status === 0 ? 'E' : 'P';
}
