import { createHash } from 'node:crypto';
import { AccessReplay } from '../../src/access/replay';
import { type ConfigTree, loadRereadable, loadTree, overlay } from '../../src/config';
import { run, treeAfter } from '../../src/engine';
import { KnownFormats, type LogEntry, LogReader } from '../../src/log';
import { transforms } from '../../transforms';
import { type Draw, drawFrom } from '../hosting/draw';
import { requireHttpd } from '../httpd/binary';
import { type RecordedTree, filesOf, letterOf } from '../shapes/recorded';
import { servedAnswers } from '../shapes/serve';
import { BASE, type TreeRequest, USERS, requestText, sourceOf } from '../shapes/tree';

/** What came of one tree. */
export interface Replayed {
  readonly name: string;
  readonly lines: number;
  /** Lines whose count is what 2.4 answers, by verdict; of the tree as it is converted, and with planted mistakes. */
  readonly counts: Readonly<Record<string, number>>;
  readonly faults: readonly string[];
}

/** `vhost_combined`, and which request it was. */
const FORMAT = '%v:%p %h %l %u %t "%r" %>s %O "%{Referer}i" "%{User-Agent}i" %{X-Id}i';
const METHODS = ['GET', 'GET', 'GET', 'HEAD', 'POST', 'OPTIONS'];
const CLIENTS = ['10.1.2.3', '10.9.8.7', '192.168.1.5', '127.0.0.1', '203.0.113.7', '2001:db8::5'];
const VISITORS = [undefined, undefined, 'alice', 'bob', 'carol', 'mallory:wrong', 'alice:wrong'];

/** A log that a server has written: the lines by the number of their request. */
type Written = ReadonlyMap<number, string>;

/**
 * Serves a tree as it is converted, which gives what 2.2 answered to the requests recorded with it, and takes its log for that of
 * 2.2; then holds what the models make of each line against what 2.4 answers: as it is converted, and with planted mistakes.
 */
export async function replayTree(recorded: RecordedTree, count: number): Promise<Replayed> {
  const tree = asBytes(recorded);
  // The folder is there in every tree.
  const files = { ...accounts(), 'htdocs/.keep': '', ...filesOf(tree) };
  const source = sourceOf({ files });
  const paths = (tree.paths ?? ['conf/httpd.conf', 'htdocs']).map((path) => `${BASE}/${path}`);
  const load = { defines: new Map<string, string>(), env: new Map<string, string>(), cwd: BASE };
  const loaded = loadRereadable(source, paths, load);
  const result = run(loaded, transforms);
  const after = treeAfter(result, loaded.reread);
  const plan = new Map(result.plan.map(({ file, text }) => [file.path, text]));
  const wrong = new Map([...plan].map(([path, text]) => [path, planted(text)]));
  const requests = drawRequests(tree, count, drawFrom(7));
  const as24 = await logOf(files, plan, requests);
  const faults: string[] = [];
  const old = new Map(as24);
  tree.requests.forEach((request, i) => {
    const line = old.get(i);
    const [status] = [tree.answers[i]].flat() as [number];
    if (line === undefined) return;
    if (letterOf(statusOf(line)) !== letterOf(status))
      faults.push(`2.4 does not answer as 2.2: ${requestText(request)}`);
    // The line as 2.2 has written it.
    old.set(
      i,
      line.replace(STATUS, (_, before: string) => `${before}${status}`),
    );
  });
  const counts: Record<string, number> = {};
  const ask = (served: Written, is: ConfigTree, what: string): void => {
    for (const [fault, requestsOf] of held({ old, served, before: result.tree, after: is, counts }))
      faults.push(`${what}: ${fault} (${requestsOf.length} of them): ${requestsOf[0]}`);
  };
  ask(as24, after, 'as it is');
  ask(await logOf(files, wrong, requests), loadTree(overlay(source, wrong), paths, load), 'with mistakes');
  return { name: tree.name, lines: old.size, counts, faults };
}

/**
 * The texts of a tree as byte strings, without requests that cannot be sent so: in letters that the sender would change, with a
 * nonce.
 */
function asBytes(tree: RecordedTree): RecordedTree {
  const bytes = JSON.parse(Buffer.from(JSON.stringify(tree)).toString('latin1')) as RecordedTree;
  // Whose directory is not there meets no Files section, which a log does not show.
  const isSent = ({ path, method = 'GET', user = '' }: TreeRequest): boolean =>
    method === method.toUpperCase() && !user.startsWith('digest:') && !path.includes('/nope/');
  const kept = bytes.requests.flatMap((request, i) => (isSent(request) ? [i] : []));
  return {
    ...bytes,
    requests: kept.map((i) => bytes.requests[i]!),
    answers: kept.map((i) => bytes.answers[i]!),
  };
}

/** Each password is its name. */
function accounts(): Readonly<Record<string, string>> {
  const sha = (name: string): string => createHash('sha1').update(name).digest('base64');
  return {
    'conf/htpasswd': Object.keys(USERS)
      .map((name) => `${name}:{SHA}${sha(name)}\n`)
      .join(''),
    'conf/htgroup': 'staff: alice bob\nadmins: carol\n',
  };
}

/** Every other line lets in whom it kept out, or the other way. */
function planted(text: string): string {
  let n = 0;
  return text.replace(/Require (?:all granted|all denied|valid-user|ip )/g, (line) => {
    if (n++ % 2 === 1) return line;
    if (line === 'Require ip ') return 'Require ip 10.9.8.7 ';
    return line === 'Require all denied' ? 'Require all granted' : 'Require all denied';
  });
}

/** The recorded requests first, and then what is drawn of their URLs, other clients, users and methods. */
function drawRequests({ requests }: RecordedTree, count: number, draw: Draw): readonly TreeRequest[] {
  const pick = <T>(list: readonly T[]): T => list[draw(list.length)]!;
  const clients = [...new Set([...CLIENTS, ...requests.map(({ src }) => src)])];
  const more = Array.from({ length: Math.max(0, count - requests.length) }, (): TreeRequest => {
    const { path, dst, headers } = pick(requests);
    const src = pick(clients);
    const isSameFamily = dst === undefined || dst.includes(':') === src.includes(':');
    return {
      path: draw(5) === 0 ? `${path.replace(/[^/]*$/, '')}${pick(['x.txt', 'none', '.htaccess', ''])}` : path,
      src,
      dst: isSameFamily ? dst : undefined,
      headers,
      method: pick(METHODS),
      user: pick(VISITORS),
    };
  });
  return [...requests, ...more];
}

/** What a real 2.4 logs of requests, with the texts of a plan in the place of the files. */
async function logOf(
  files: ReturnType<typeof filesOf>,
  plan: ReadonlyMap<string, string>,
  requests: readonly TreeRequest[],
): Promise<Written> {
  const { bin, moduleDir, modules, statics } = requireHttpd();
  // What the judging httpd has built in it does not load, and what it has no more goes with its package.
  const loadable = (text: string): string =>
    text.replace(/^[ \t]*LoadModule ([a-z0-9_]+)_module /gm, (line, name: string) =>
      statics.has(name) || !modules.has(name) ? `# ${line}` : line,
    );
  const texts = Object.fromEntries(
    [...plan].map(([path, text]) => [path.slice(BASE.length + 1), loadable(text)]),
  );
  const numbered = requests.map((request, i) => ({
    ...request,
    dst: request.dst ?? (request.src.includes(':') ? '::1' : '127.0.0.1'),
    headers: { ...request.headers, 'X-Id': String(i) },
  }));
  const more = [`CustomLog logs/access_log "${FORMAT.replaceAll('"', '\\"')}"`];
  const program = { bin, moduleDir, version: '2.4', more } as const;
  const { answers, log, accessLog } = await servedAnswers(
    program,
    { files: { ...files, ...texts } },
    numbered,
    [],
  );
  if (answers[0] === 'X') throw new Error(`2.4 does not start: ${log}`);
  const lines = accessLog.split('\n').slice(0, -1);
  return new Map(lines.map((line) => [Number(line.slice(line.lastIndexOf(' ') + 1)), line]));
}

const STATUS = /^((?:[^"]|"(?=[^"]*$))*"[^"]*" )([0-9]{3})/;
const statusOf = (line: string): number => Number(STATUS.exec(line)?.[2]);

interface Question {
  /** What 2.2 has logged, and what 2.4 logs of the same. */
  readonly old: Written;
  readonly served: Written;
  readonly before: ConfigTree;
  readonly after: ConfigTree;
  readonly counts: Record<string, number>;
}

/** What is wrong with the verdicts on the lines of a log: fault → lines. */
function held({ old, served, before, after, counts }: Question): ReadonlyMap<string, readonly string[]> {
  const replay = new AccessReplay(before, after);
  const entries: LogEntry[] = [];
  const reader = new LogReader('x.log', new KnownFormats(before, FORMAT), (entry) => entries.push(entry));
  const numbers = [...old.keys()].filter((number) => served.has(number));
  for (const number of numbers) reader.add(`${old.get(number)}\n`);
  const { unread } = reader.end(undefined);
  const faults = new Map<string, string[]>(unread === 0 ? [] : [[`${unread} lines are not read`, ['']]]);
  const add = (fault: string, line: string): void =>
    void faults.set(fault, [...(faults.get(fault) ?? []), line]);
  numbers.forEach((number, i) => {
    const [line, now] = [old.get(number)!, served.get(number)!];
    const entry = entries[i]!;
    const kind = entry.target === '' ? undefined : replay.kindOf(entry);
    const { verdict = 'same', contradicts, isLed = false } = kind ?? {};
    const expected = verdictOn(letterOf(statusOf(line)), letterOf(statusOf(now)));
    counts[verdict] = (counts[verdict] ?? 0) + 1;
    const where = kind?.sections.at(-1)?.name ?? 'no section';
    // What a rule or a pattern leads elsewhere is told to be compared at its own URL. A directory without its slash is taken for
    // the one that it is sent to, and what is let in may be refused a listing.
    if (isLed || [line, now].some((text) => statusOf(text) === 301)) return;
    const isListing = verdict === 'opened' && letterOf(statusOf(now)) === 'F' && entry.path.endsWith('/');
    if (verdict !== 'unknown' && verdict !== expected && !isListing)
      add(`${verdict} instead of ${expected} at ${where}`, `${line} | ${statusOf(now)}`);
    if (contradicts !== undefined) add(`contradicted: ${contradicts} at ${where}`, line);
  });
  return faults;
}

function verdictOn(before: string, after: string): string {
  if (before === after) return 'same';
  return before === 'P' ? 'refused' : after === 'P' ? 'opened' : 'otherwise';
}
