import { KnownFormats, type LogEntry, type LogFile, LogReader, type LogSink } from '../log';
import type { ConfigTree } from '../config';

/** A request that both servers are asked: byte strings. */
export interface AskedUrl {
  readonly method: 'GET' | 'HEAD';
  /** The path, and the query where that is allowed, as it was sent. */
  readonly target: string;
  /** What the log calls the server, without a port; undefined where it does not. */
  readonly host: string | undefined;
  readonly entry: LogEntry;
}

/** What may be asked. */
export interface ChoiceOptions {
  /** The configuration whose LogFormat lines count. */
  readonly tree: ConfigTree;
  readonly format: string | undefined;
  readonly withQueries: boolean;
  /** Requests that are asked at most. */
  readonly most: number;
}

/** URLs that are held, before some of each kind are taken. */
const MOST_HELD = 20_000;
const MAX_LENGTH = 2000;

/** Words of paths behind which a program may change something, whatever the method. */
const CHANGES =
  /(?:log|sign)-?_?(?:out|off)|delete|remove|unsubscribe|purge|destroy|wp-cron|cron\.php|\/(?:confirm|activate)\b/i;

/** Takes the requests of logs that are safe to ask, each once; of more than are wanted some of each kind. */
export class RequestChoice implements LogSink {
  readonly #options: ChoiceOptions;
  readonly #formats: KnownFormats;
  readonly #kinds = new Map<string, AskedUrl[]>();
  readonly #seen = new Set<string>();
  requests = 0;
  /** Requests that are not asked, by why. */
  readonly leftOut = { method: 0, query: 0, mayChange: 0, malformed: 0 };

  /** @throws Error with a line for a person, where the format is none */
  constructor(options: ChoiceOptions) {
    this.#options = options;
    this.#formats = new KnownFormats(options.tree, options.format);
  }

  open(name: string): LogFile {
    const reader = new LogReader(name, this.#formats, (entry) => this.#add(entry));
    return { add: (bytes) => reader.add(bytes), end: (problem) => void reader.end(problem) };
  }

  #add(entry: LogEntry): void {
    this.requests++;
    const { method, target, query, isMalformed, server, status } = entry;
    if (method !== 'GET' && method !== 'HEAD') return void this.leftOut.method++;
    if (isMalformed || target === '' || target.length > MAX_LENGTH || !/^[!-~]+$/.test(target))
      return void this.leftOut.malformed++;
    if (query !== '' && !this.#options.withQueries) return void this.leftOut.query++;
    if (CHANGES.test(target)) return void this.leftOut.mayChange++;
    const host =
      server === undefined || 'hosts' in server ? undefined : 'name' in server ? server.name : server.host;
    const key = ` ${method} ${host ?? ''} ${target}`.slice(1);
    if (this.#seen.has(key) || this.#seen.size >= MOST_HELD) return;
    this.#seen.add(key);
    const path = target.replace(/[?#].*$/s, '');
    const kind = `${method} ${host ?? ''} ${status ?? ''} ${path.slice(0, path.lastIndexOf('/') + 1)} ${/\.[A-Za-z0-9]+$/.exec(path)?.[0] ?? ''}`;
    const url: AskedUrl = {
      method,
      target: copied(target),
      host: host === undefined ? undefined : copied(host),
      entry: withoutLine(entry),
    };
    const known = this.#kinds.get(kind);
    if (known === undefined) this.#kinds.set(kind, [url]);
    else known.push(url);
  }

  /** The requests to ask: one of each kind, then another of each, as long as there is room. */
  get chosen(): readonly AskedUrl[] {
    const found: AskedUrl[] = [];
    const lists = [...this.#kinds.values()];
    for (let row = 0; found.length < this.#options.most; row++) {
      const next = lists.flatMap((urls) => urls[row] ?? []);
      if (next.length === 0) break;
      found.push(...next.slice(0, this.#options.most - found.length));
    }
    return found;
  }

  /** URLs that may be asked, chosen or not. */
  get urls(): number {
    return this.#seen.size;
  }
}

/** A text that does not keep in memory the one that it was cut from. */
const copied = (text: string): string => ` ${text}`.slice(1);

/** An entry whose texts are its own. */
function withoutLine(entry: LogEntry): LogEntry {
  const { method, target, path, query, protocol, client, user } = entry;
  return {
    ...entry,
    method: copied(method),
    target: copied(target),
    path: copied(path),
    query: copied(query),
    protocol: protocol === undefined ? undefined : copied(protocol),
    client: client === undefined ? undefined : copied(client),
    user: user === undefined ? undefined : copied(user),
    headers: new Map(),
  };
}
