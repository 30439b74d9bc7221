import type { ConfigFile } from '../../config';
import type { Edit } from '../../edit';
import { type Governor, NOTHING, overrideLists } from '../override';
import type { Scope } from '../policy';

/** How a reason begins that is about a whole file: it is told once for all of its sections. */
export const NOT_INCLUDED = 'nothing includes this file';

/** What the access transform has to say about one section. */
export interface AccessFinding {
  readonly file: ConfigFile;
  readonly at: number;
  readonly level: 'error' | 'warning' | 'info';
  readonly safety: 'safe' | 'review' | 'manual';
  readonly message: string;
  readonly edits: readonly Edit[];
  readonly group?: string;
}

/** Findings without the copies that a file included twice would bring. */
export class Findings {
  list: AccessFinding[] = [];
  /** What was decided for each scope, by `order`: its edits, undefined where it was refused. */
  readonly decided = new Map<number, readonly Edit[] | undefined>();
  readonly rewritten: { scope: Scope; file: ConfigFile; edits: readonly Edit[]; group: string }[] = [];
  /** The message that was the first at its place, most often the only one, and all others with their places. */
  readonly #first = new Map<string, string>();
  readonly #seen = new Set<string>();
  /** What groups that were made one with others are called now. */
  readonly #joined = new Map<string, string>();

  add(finding: AccessFinding): void {
    const { message } = finding;
    const place = `${finding.file.path}\n${finding.at}`;
    const first = this.#first.get(place);
    if (first === message) return;
    if (first === undefined) this.#first.set(place, message);
    else {
      const key = `${place}\n${message}`;
      if (this.#seen.has(key)) return;
      this.#seen.add(key);
    }
    this.list.push(finding);
  }

  readonly #left = new Map<ConfigFile, { at: number; count: number }>();

  /** Says once for all sections of a file why they are left as they are. @param what the section, in the words of a message */
  leaveFile(file: ConfigFile, at: number, what: string, reason: string): void {
    const known = this.#left.get(file);
    if (known === undefined) {
      this.#left.set(file, { at: this.list.length, count: 1 });
      this.list.push({ file, at, level: 'error', safety: 'manual', message: `${what} is left as it is: ${reason}`, edits: [] }); // prettier-ignore
      return;
    }
    known.count++;
    const one = this.list[known.at]!;
    const more = known.count === 2 ? '1 more section' : `${known.count - 1} more sections`;
    const message = one.message.replace(/ (?:and \d+ more sections? are left as they are|is left as it is): /, () => ` and ${more} are left as they are: `); // prettier-ignore
    this.list[known.at] = { ...one, message };
  }

  /** Makes several groups one. @returns its name */
  join(names: ReadonlySet<string>): string {
    const groups = new Set([...names].map((name) => this.#joined.get(name) ?? name));
    const [group = ''] = groups;
    for (const name of [...names, ...groups]) this.#joined.set(name, group);
    for (const [name, now] of this.#joined) if (groups.has(now)) this.#joined.set(name, group);
    this.list = this.list.map((one) =>
      one.group !== undefined && groups.has(one.group) ? { ...one, group } : one,
    );
    for (const one of this.rewritten) if (groups.has(one.group)) one.group = group;
    return group;
  }

  /** Adds what AllowOverride must let in from now on; all that hangs on one such line becomes one group. */
  addOverrides(governor: Governor): void {
    for (const { file, at, words, edit, groups } of overrideLists(this.rewritten, governor)) {
      const group = this.join(groups);
      this.list.push({
        file,
        at,
        level: 'error',
        safety: words === NOTHING ? 'safe' : 'review',
        message:
          words === NOTHING
            ? 'the AllowOverrideList that a Directory above it gets would be handed down to this one: None keeps out what was kept out here'
            : `the rewritten .htaccess files below use ${words}, which AllowOverride does not let in: AllowOverrideList does; whoever writes such a file may then also lift a password asked for above it`,
        edits: [edit],
        group,
      });
    }
  }
}
