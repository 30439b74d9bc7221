import { type AnsweredDifference, type ServerAnswer, differencesOf } from './answers';
import type { AskedUrl } from './choice';

/** Requests whose answers differ in the same way. */
export interface DifferenceGroup extends AnsweredDifference {
  readonly urls: number;
  /** Some of them. */
  readonly examples: readonly AskedUrl[];
  /** The rules that have told of it. */
  readonly rules: readonly string[];
}

/** What came of asking both servers. Texts are byte strings. */
export interface ComparisonReport {
  readonly asked: number;
  readonly same: number;
  /** What no rule has told stands first. */
  readonly differences: readonly DifferenceGroup[];
  /** Requests whose answers by the old server differ among themselves, in what is not compared then. */
  readonly noisy: number;
  /** Requests that one of the servers has not answered, with why. */
  readonly failed: readonly {
    readonly server: 'old' | 'new';
    readonly url: AskedUrl;
    readonly why: string;
  }[];
  /** Why not all were asked. */
  readonly stopped: string | undefined;
}

interface Asks {
  ask(url: AskedUrl): Promise<ServerAnswer>;
}

/** How the servers are asked. */
export interface ComparisonOptions {
  readonly old: Asks;
  readonly now: Asks;
  /** Names of the servers, lower case. */
  readonly hosts: ReadonlySet<string>;
  /** Requests to each server in a second, at most. */
  readonly rate: number;
  /** The rules that tell of a request. */
  readonly rulesFor: (url: AskedUrl, difference: AnsweredDifference) => readonly string[];
  readonly onProgress: (done: number, total: number) => void;
  readonly isStopped: () => boolean;
  readonly sleep: (ms: number) => Promise<void>;
  readonly clock: () => number;
}

/** Requests without an answer, one after the other, until nothing more is asked. */
const MOST_FAILURES = 5;
const MAX_EXAMPLES = 3;
const MOST_TOLD = 20;

/** Asks both servers each request, the old one twice: what differs between its own answers is left out. */
export async function compareServers(
  urls: readonly AskedUrl[],
  options: ComparisonOptions,
): Promise<ComparisonReport> {
  const { old, now, isStopped, onProgress } = options;
  const groups = new Map<string, DifferenceGroup & { urls: number; examples: AskedUrl[]; rules: string[] }>();
  const failed: ComparisonReport['failed'][number][] = [];
  let [asked, same, noisy, failures] = [0, 0, 0, 0];
  let stopped: string | undefined;
  const oldTurn = new Turns(options);
  const newTurn = new Turns(options);
  const askIn = async (turns: Turns, server: Asks, url: AskedUrl): Promise<ServerAnswer> => {
    await turns.next();
    return server.ask(url);
  };
  for (const url of urls) {
    if (isStopped()) stopped = 'somebody has stopped it';
    else if (failures >= MOST_FAILURES) stopped = `${MOST_FAILURES} requests in a row got no answer`;
    if (stopped !== undefined) break;
    const [first, answer] = await Promise.allSettled([askIn(oldTurn, old, url), askIn(newTurn, now, url)]);
    asked++;
    onProgress(asked, urls.length);
    if (first.status === 'rejected' || answer.status === 'rejected') {
      failures++;
      if (first.status === 'rejected') failed.push({ server: 'old', url, why: whyOf(first.reason) });
      if (answer.status === 'rejected') failed.push({ server: 'new', url, why: whyOf(answer.reason) });
      continue;
    }
    failures = 0;
    const hosts = url.host === undefined ? options.hosts : new Set([...options.hosts, url.host]);
    const found = differencesOf(first.value, answer.value, hosts);
    if (found.length === 0) {
      same++;
      continue;
    }
    const again = await Promise.allSettled([askIn(oldTurn, old, url)]);
    const second = again[0].status === 'fulfilled' ? again[0].value : first.value;
    const noise = new Set(differencesOf(first.value, second, hosts).map(({ what }) => what));
    const told = noise.has('status') ? [] : found.filter(({ what }) => !noise.has(what));
    if (noise.size > 0) noisy++;
    if (told.length === 0) same++;
    for (const difference of told) addTo(groups, difference, url, options.rulesFor(url, difference));
  }
  const differences = [...groups.values()].sort(
    (a, b) =>
      Number(a.rules.length > 0) - Number(b.rules.length > 0) || rankOf(a) - rankOf(b) || b.urls - a.urls,
  );
  return { asked, same, differences, noisy, failed: failed.slice(0, MOST_TOLD), stopped };
}

/** Who gets in first, then where one is led, then the rest. */
function rankOf({ what }: AnsweredDifference): number {
  return what === 'status' ? 0 : what === 'location' ? 1 : what === 'content-type' ? 2 : 3;
}

function addTo(
  groups: Map<string, DifferenceGroup & { urls: number; examples: AskedUrl[]; rules: string[] }>,
  difference: AnsweredDifference,
  url: AskedUrl,
  rules: readonly string[],
): void {
  const { what, old, now } = difference;
  // Each redirect and each length is a difference of its own, which would hide the others one by one.
  const values = what === 'length' ? [] : [old, now];
  const key = [what, ...values, ...rules].join('\n');
  const known = groups.get(key);
  if (known === undefined) groups.set(key, { ...difference, urls: 1, examples: [url], rules: [...rules] });
  else {
    known.urls++;
    if (known.examples.length < MAX_EXAMPLES) known.examples.push(url);
  }
}

function whyOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code === undefined ? message : `${message} (${code})`;
}

/** Lets so many pass in a second. */
class Turns {
  #due = 0;

  constructor(private readonly options: ComparisonOptions) {}

  async next(): Promise<void> {
    const { rate, clock, sleep } = this.options;
    const now = clock();
    const wait = this.#due - now;
    this.#due = Math.max(now, this.#due) + 1000 / rate;
    if (wait > 0) await sleep(wait);
  }
}
