import { type ConfigTree, linesOf, serversOf } from '../config';
import type { Section } from '../syntax';
import { type LineFormat, STOCK_FORMATS, compileFormat } from './formats';

/** A log that a configuration names. */
interface NamedLog {
  /** The parts of its path, the last first. */
  readonly parts: readonly string[];
  readonly format: LineFormat | undefined;
  /** The servers that write it. */
  readonly hosts: readonly (Section | undefined)[];
}

/** The formats that lines of a log may have, and the servers that write it. */
export interface LogOrigin {
  /** The one that is meant, or those that are tried. */
  readonly formats: readonly LineFormat[];
  /** Undefined where nothing says. */
  readonly hosts: readonly (Section | undefined)[] | undefined;
}

/** The formats of a configuration, and the logs that it names. */
export class KnownFormats {
  readonly #byName = new Map<string, LineFormat>();
  readonly #logs: readonly NamedLog[];
  readonly #given: LineFormat | undefined;

  /**
   * @param given the nickname of a format, or a format itself; undefined for none
   * @throws Error with a line for a person, where that is neither
   */
  constructor(tree: ConfigTree, given: string | undefined) {
    const { all } = serversOf(tree);
    const named = new Map(STOCK_FORMATS);
    for (const { node } of all.flatMap((server) => linesOf(server, ['LogFormat']))) {
      const [format, name] = node.args;
      if (format !== undefined && name !== undefined) named.set(name.value, format.value);
    }
    for (const [name, format] of named) {
      const compiled = compileFormat(name, format);
      if (compiled !== undefined) this.#byName.set(name, compiled);
    }
    this.#given = given === undefined ? undefined : this.#formatOf(given);
    if (given !== undefined && this.#given === undefined)
      throw new Error(
        `'${given}' is no LogFormat that tells the request: give a nickname of the configuration (${[...this.#byName.keys()].join(', ')}) or a format such as '%h %l %u %t "%r" %>s'`,
      );
    const silent: (Section | undefined)[] = [];
    const logs: NamedLog[] = [];
    for (const server of all) {
      if (server.kind !== 'main' && server.kind !== 'vhost') continue;
      const lines = linesOf(server, ['CustomLog', 'TransferLog']);
      if (lines.length === 0 && server.kind === 'vhost') silent.push(server.section);
      for (const { node } of lines) {
        const [path, format] = node.args.map(({ value }) => value);
        if (path === undefined) continue;
        const log = { parts: partsOf(path), format: this.#formatOf(format ?? 'common') };
        logs.push({ ...log, hosts: server.kind === 'main' ? MAIN : [server.section] });
      }
    }
    // The log of the main server is that of the virtual hosts that have none of their own.
    this.#logs = logs.map((log) => (log.hosts === MAIN ? { ...log, hosts: [undefined, ...silent] } : log));
  }

  #formatOf(text: string): LineFormat | undefined {
    return this.#byName.get(text) ?? (text.includes('%') ? compileFormat(text, text) : undefined);
  }

  /** What is known of a log. @param path as it was given */
  originOf(path: string): LogOrigin {
    const parts = partsOf(path);
    let best: NamedLog[] = [];
    let most = 0;
    for (const log of this.#logs) {
      const common = inCommon(parts, log.parts);
      if (common > most) best = [];
      if (common >= Math.max(1, most)) best.push(log);
      most = Math.max(most, common);
    }
    const formats = [...new Set(best.flatMap(({ format }) => format ?? []))];
    const others = [...this.#byName.values()].sort((a, b) => b.fields.size - a.fields.size);
    const hosts = new Set(best.flatMap((log) => log.hosts));
    return {
      formats:
        this.#given === undefined
          ? [...formats, ...others.filter((format) => !formats.includes(format))]
          : [this.#given],
      hosts: hosts.size === 0 ? undefined : [...hosts],
    };
  }
}

const MAIN: readonly (Section | undefined)[] = [undefined];

/** The last path in a command, without what a program puts in place of the time. */
function partsOf(path: string): readonly string[] {
  const words = path.startsWith('|')
    ? path.split(/[ \t]+/).filter((word) => /.\/[^/]*[a-z]/.test(word))
    : [path];
  const last = (words.at(-1) ?? '').replace(/[-._]?%.*$/, '');
  return last
    .split('/')
    .filter((part) => part !== '')
    .reverse();
}

/** What logrotate and rotatelogs put behind the name of a log. */
const ROTATED = /^(?:[-._]?[0-9][-._0-9T]*)?(?:\.(?:gz|log|old))*$/;

/** How many parts of two paths are the same, from the name on; 0 where the names are not those of one log. */
function inCommon(given: readonly string[], named: readonly string[]): number {
  const [name, ...directories] = given;
  const [base, ...others] = named;
  if (
    name === undefined ||
    base === undefined ||
    !name.startsWith(base) ||
    !ROTATED.test(name.slice(base.length))
  )
    return 0;
  const differs = others.findIndex((part, i) => part !== directories[i]);
  return 1 + (differs < 0 ? others.length : differs);
}
