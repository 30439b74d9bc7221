import {
  type AccessKind,
  type LoggedAccess,
  type OpenFact,
  AccessReplay,
  type ReplayedSection,
  type ServersReaching,
  serversReaching,
} from '../access/replay';
import { type ConfigTree, linesOf, serversOf } from '../config';
import type { Outcome } from '../engine/types';
import { ConcernedFindings, hostsOf } from './concerned';
import { detached, getOrInsert } from '../maps';
import type { LogEntry } from './entries';
import { shownExample } from './examples';
import { isStrict } from './excuses';
import { KnownFormats } from './known-formats';
import { notShownText } from './not-shown';
import { indexFilesAlone } from './led-on';
import { LogReader } from './reader';
import type {
  LogConcern,
  LogContradiction,
  LogDifference,
  LogExample,
  LogReport,
  ReadLog,
  LogFile,
  LogTally,
} from './types';

/** What logs are asked about. */
export interface LogQuestion {
  readonly tree: ConfigTree;
  /** The tree as it would be written. */
  readonly after: ConfigTree;
  readonly outcomes: readonly Outcome[];
  /** A nickname of the configuration, or a format; undefined: found out for each log. */
  readonly format?: string | undefined;
  /** Show lines as they stand, with addresses and users. */
  readonly isFull?: boolean;
  /** Ids of the rules that are about who gets in. */
  readonly accessRules: ReadonlySet<string>;
}

const MAX_EXAMPLES = 3;
/** One line of so many may be of no request in a log that excuses something. */
const MOST_UNREAD = 100;
/** Differences and contradictions that are told one by one, and keys that are held. */
const MOST_TOLD = 50;

/** Requests that count as one. */
interface Tally {
  count: number;
  readonly examples: LogExample[];
}

const newTally = (): Tally => ({ count: 0, examples: [] });

/** Adds requests of one kind to those of all that are told together. */
function addTally(all: Tally, { count, examples }: Tally): void {
  all.count += count;
  all.examples.push(...examples.slice(0, MAX_EXAMPLES - all.examples.length));
}

/**
 * Counts the requests of logs by what both versions make of them. It holds the counts and a few lines, however long the logs
 * are: `open` one, hand it over, and ask for the `report`.
 */
export class LogCounter implements LogTally {
  readonly #question: LogQuestion;
  readonly #replay: AccessReplay;
  readonly #formats: KnownFormats;
  readonly #reaching: ServersReaching;
  readonly #concerned: ConcernedFindings;
  readonly #kinds = new Map<AccessKind, Tally>();
  readonly #concerns = new Map<Outcome, Tally>();
  /** Index files that requests for directories are led to; undefined where they may be led to any file. */
  readonly #indexFiles: readonly string[] | undefined;
  /** Findings about files that requests for directories may have been led to. */
  readonly #ledTo = new Set<Outcome>();
  readonly #logs: ReadLog[] = [];
  #requests = 0;
  /** Requests that are about no path, which nobody is asked about. */
  #pathless = 0;
  readonly #malformed = newTally();
  #hasUsers = false;
  readonly #clients = new CommonClient();
  #from: string | undefined;
  #to: string | undefined;
  #hasUserField = false;
  #isPartial = false;

  /** @throws Error with a line for a person, where the format is none */
  constructor(question: LogQuestion) {
    this.#question = question;
    this.#formats = new KnownFormats(question.tree, question.format);
    this.#replay = new AccessReplay(question.tree, question.after);
    this.#reaching = serversReaching(question.tree);
    this.#concerned = new ConcernedFindings(question.outcomes, this.#reaching);
    const hasGuard = question.outcomes.some(
      (outcome) => isStrict(outcome) && !question.accessRules.has(outcome.rule),
    );
    this.#indexFiles = hasGuard ? indexFilesAlone(question.tree) : undefined;
  }

  get requests(): number {
    return this.#requests;
  }

  /** Begins a log. @param name as it was given: its base name may be that of a log of the configuration */
  open(name: string): LogFile {
    const reader = new LogReader(name, this.#formats, (entry, line) => this.#count(entry, line));
    return {
      add: (bytes) => reader.add(bytes),
      end: (problem) => {
        const log = reader.end(problem);
        const { from, to, hasUsers } = reader;
        if (from !== undefined && (this.#from === undefined || from < this.#from)) this.#from = from;
        if (to !== undefined && (this.#to === undefined || to > this.#to)) this.#to = to;
        this.#hasUserField ||= hasUsers;
        this.#logs.push(log);
      },
    };
  }

  #count(entry: LogEntry, line: () => LogExample): void {
    this.#requests++;
    if (entry.user !== undefined && entry.user !== '') this.#hasUsers = true;
    if (entry.client !== undefined) this.#clients.add(entry.client);
    let host: AccessKind['vhost'];
    if (entry.target === '') this.#pathless++;
    else {
      const kind = this.#replay.kindOf(entry);
      host = kind.vhost;
      const tally = getOrInsert(this.#kinds, kind, newTally);
      tally.count++;
      if (tally.examples.length < MAX_EXAMPLES && (kind.verdict !== 'same' || kind.contradicts !== undefined))
        this.#addExample(tally, entry, line());
    }
    if (entry.isMalformed && !isRefusedBy22(entry)) {
      this.#malformed.count++;
      if (this.#malformed.examples.length < MAX_EXAMPLES) this.#addExample(this.#malformed, entry, line());
    }
    if (entry.path.endsWith('/')) this.#noteIndexes(entry, host);
    for (const outcome of this.#concerned.of(entry, host)) {
      const tally = getOrInsert(this.#concerns, outcome, newTally);
      tally.count++;
      if (tally.examples.length < MAX_EXAMPLES) this.#addExample(tally, entry, line());
    }
  }

  /** Notes what a request for a directory may have been led to. */
  #noteIndexes(entry: LogEntry, host: AccessKind['vhost']): void {
    for (const name of this.#indexFiles ?? []) {
      const path = entry.path + name;
      for (const outcome of this.#concerned.of({ ...entry, path, target: path, query: '' }, host))
        this.#ledTo.add(outcome);
    }
  }

  #addExample(tally: Tally, entry: LoggedAccess, { log, line, text }: LogExample): void {
    const shown = shownExample(text, entry, this.#question.isFull === true);
    tally.examples.push({ log, line, text: detached(shown) });
  }

  /** Whether no request that was read is refused by a change, which lets nobody in. */
  isHarmless(outcome: Outcome): boolean {
    if (this.#requests === 0 || !this.#isWhole() || !isStrict(outcome)) return false;
    const seen = this.#hostsSeen();
    const hosts = hostsOf(outcome, this.#question.tree);
    if (hosts.some((host) => host !== undefined && !seen.has(host))) return false;
    const reaching = this.#reaching(outcome.file);
    if (reaching !== undefined && ![...reaching].some((host) => seen.has(host))) return false;
    if (!this.#question.accessRules.has(outcome.rule)) return this.#isNeverMet(outcome);
    return ![...this.#kinds.keys()].some((kind) => mayBeRefused(kind, outcome));
  }

  /** Whether nearly all lines of the logs were read: what is not there says nothing of the others. */
  #isWhole(): boolean {
    return (
      !this.#isPartial &&
      this.#logs.every(
        ({ problem, requests, unread }) =>
          problem === undefined && unread <= (requests + unread) / MOST_UNREAD,
      )
    );
  }

  /** The servers that may have answered one of the requests: of the others the logs say nothing. */
  #hostsSeen(): ReadonlySet<AccessKind['vhost']> {
    return new Set([...this.#kinds.keys()].flatMap(({ hosts }) => hosts));
  }

  /** Names of virtual hosts without a request, where it matters. */
  #hostsUnseen(): readonly string[] {
    const { tree, outcomes } = this.#question;
    if (!outcomes.some(isStrict)) return [];
    const seen = this.#hostsSeen();
    const unseen = serversOf(tree).all.filter(({ kind, section }) => kind === 'vhost' && !seen.has(section));
    return unseen.map(
      (server) =>
        linesOf(server, ['ServerName'])[0]?.node.args[0]?.value ?? server.section?.args[0]?.value ?? '',
    );
  }

  /**
   * Whether no request that was read can have come to the files that a change refuses: by its URL, as the index file of a
   * directory, or by a rule. A change that cannot tell its requests is never met for certain.
   */
  #isNeverMet(outcome: Outcome): boolean {
    if (outcome.concerns === undefined || this.#indexFiles === undefined) return false;
    if (this.#concerns.has(outcome) || this.#ledTo.has(outcome)) return false;
    return ![...this.#kinds.keys()].some(({ isRewritten }) => isRewritten);
  }

  /** What the requests say that were read so far. */
  report(isPartial = false): LogReport {
    this.#isPartial = isPartial;
    const counts = { same: this.#pathless, refused: 0, opened: 0, otherwise: 0, unknown: 0 };
    for (const [{ verdict }, { count }] of this.#kinds) counts[verdict] += count;
    const strict = this.#question.outcomes.filter(isStrict);
    // Where the text that is written keeps what 2.2 did, nobody will notice anything.
    const concerns = [...this.#concerns].flatMap(
      ([{ rule, file, at, status, safety }, { count, examples }]): readonly LogConcern[] =>
        status === 'applied' && safety === 'safe' ? [] : [{ rule, file, at, requests: count, examples }],
    );
    return {
      logs: this.#logs,
      requests: this.#requests,
      from: this.#from,
      to: this.#to,
      ...counts,
      differences: this.#differences(),
      contradictions: this.#contradictions(),
      concerns: concerns.sort((a, b) => b.requests - a.requests),
      malformed: { requests: this.#malformed.count, examples: this.#malformed.examples },
      notShown: this.#notShown(),
      strict: strict.length,
      harmless: strict.filter((outcome) => this.isHarmless(outcome)).length,
      isPartial,
    };
  }

  #differences(): readonly LogDifference[] {
    const found = new Map<string, LogDifference & Tally>();
    for (const [kind, tally] of this.#kinds) {
      const { verdict } = kind;
      if (verdict === 'same') continue;
      const section = sectionOf(kind.sections);
      const { before, after, open } = kind;
      const key = [verdict, before, after, section?.file.path, section?.at, open.join()].join('\n');
      addTally(
        getOrInsert(found, key, () => ({
          verdict,
          before: STATUSES[before],
          after: STATUSES[after],
          requests: 0,
          section,
          open,
          ...newTally(),
        })),
        tally,
      );
    }
    return [...found.values()]
      .map(({ count, ...difference }) => ({ ...difference, requests: count }))
      .sort((a, b) => RANK[a.verdict] - RANK[b.verdict] || b.requests - a.requests)
      .slice(0, MOST_TOLD);
  }

  #contradictions(): readonly LogContradiction[] {
    const found = new Map<string, LogContradiction & Tally>();
    for (const [{ contradicts, sections }, tally] of this.#kinds) {
      if (contradicts === undefined) continue;
      const section = sectionOf(sections);
      const key = [contradicts, section?.file.path, section?.at].join('\n');
      addTally(
        getOrInsert(found, key, () => ({ kind: contradicts, requests: 0, section, ...newTally() })),
        tally,
      );
    }
    return [...found.values()]
      .map(({ count, ...contradiction }) => ({ ...contradiction, requests: count }))
      .sort((a, b) => b.requests - a.requests)
      .slice(0, MOST_TOLD);
  }

  #notShown(): readonly string[] {
    const open = new Map<OpenFact, number>();
    let rewritten = 0;
    for (const [kind, { count }] of this.#kinds) {
      for (const fact of kind.open) open.set(fact, (open.get(fact) ?? 0) + count);
      if (kind.isLed && kind.verdict !== 'unknown') rewritten += count;
    }
    return notShownText({
      open,
      rewritten,
      requests: this.#requests,
      hasUsers: this.#hasUsers,
      hasUserField: this.#hasUserField,
      isWhole: this.#isWhole(),
      unseen: this.#hostsUnseen(),
      proxy: this.#clients.ofNearlyAll(this.#requests),
    });
  }
}

/** Whether 2.2 has answered that a request is none. */
function isRefusedBy22({ status }: LogEntry): boolean {
  return status === undefined || status === 400 || status === 408 || status === 414 || status >= 500;
}

const RANK = { opened: 0, refused: 1, unknown: 2, otherwise: 3 } as const;
const STATUSES = { P: 200, U: 401, F: 403, E: 500, '?': undefined } as const;

/** Whether a change may refuse requests of a kind. */
function mayBeRefused(
  { verdict, isRewritten, sections }: AccessKind,
  { file, at, safety }: Outcome,
): boolean {
  // Where a rule leads a request, it may meet any section.
  if (isRewritten) return true;
  // What rests on an assumption is not tried: a request that meets the section is enough.
  if (safety === 'strict' && (verdict === 'same' || verdict === 'otherwise')) return false;
  return sections.some(
    (section) => section.file.path === file.path && section.start <= at && at < section.end,
  );
}

/** The section that decides: the last. */
function sectionOf(sections: readonly ReplayedSection[]): LogDifference['section'] {
  const last = sections.at(-1);
  return last && { name: last.name, file: last.file, at: last.start };
}

/** Finds the client that has sent most requests, if one has: nearly all from one address come by way of a proxy. */
class CommonClient {
  #client = '';
  #lead = 0;
  #count = 0;

  add(client: string): void {
    if (client === this.#client) {
      this.#lead++;
      this.#count++;
    } else if (this.#lead === 0) {
      this.#client = detached(client);
      this.#lead = 1;
      this.#count = 1;
    } else this.#lead--;
  }

  /** The client of at least nine requests in ten, as far as that can be told; undefined where there is none. */
  ofNearlyAll(requests: number): string | undefined {
    return requests >= 1000 && this.#count >= requests * 0.9 ? this.#client : undefined;
  }
}
