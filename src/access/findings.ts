import type { ConfigFile } from '../config';
import type { Edit } from '../edit';
import type { Governor } from './governor';
import { overrideLists } from './overridelist';
import type { Scope } from './scope';

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
  /** What was decided for each scope, by `order`: its edits as text, '' where it was refused. */
  readonly texts = new Map<number, string>();
  readonly rewritten: { scope: Scope; file: ConfigFile; edits: readonly Edit[]; group: string }[] = [];
  readonly #seen = new Set<string>();

  add(finding: AccessFinding): void {
    const key = `${finding.file.path}\n${finding.at}\n${finding.message}`;
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    this.list.push(finding);
  }

  /** Makes several groups one. @returns its name */
  join(groups: ReadonlySet<string>): string {
    const [group = ''] = groups;
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
        safety: 'review',
        message: `the rewritten .htaccess files below use ${words}, which AllowOverride does not let in: AllowOverrideList does; whoever writes such a file may then also lift a password asked for above it`,
        edits: [edit],
        group,
      });
    }
  }
}
