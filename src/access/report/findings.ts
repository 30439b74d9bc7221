import type { Answer, ConfigFile, Frame } from '../../config';
import { holds } from '../../httpd/facts';
import { type Release, nameOf } from '../../httpd/release';
import { type Edit, unwrap } from '../../edit';
import type { Section } from '../../syntax';
import { type AllowOverrideIndex, LIST_OF_NONE, type ListNeed, overrideLists } from '../override';
import { type Guard, STOCK_MODULES, type Scope, guardOf } from '../policy';
import { type RewriteEdit, type Written, isContainer } from '../rewrite';
import { type Refusal, leftText } from './refusals';

/** What the access transform has to say about one section. */
export interface AccessFinding {
  readonly file: ConfigFile;
  readonly at: number;
  readonly level: 'error' | 'warning' | 'info';
  readonly safety: 'safe' | 'review' | 'strict' | 'manual';
  readonly message: string;
  /** As in the engine. */
  readonly remedy?: string;
  readonly edits: readonly Edit[];
  readonly group?: string;
  /** As in the engine: not applied where a second run would change more. */
  readonly tentative?: boolean;
  /** As in the engine: told whatever is to be left alone there. */
  readonly besideIgnored?: true;
  /** As in the engine: the key of the answer that it asks for, and the answers that it follows. */
  readonly question?: string;
  readonly answers?: readonly Answer[];
  /** What it assumes, and its message without that. */
  readonly assuming?: { readonly assumptions: readonly AccessAssumption[]; readonly message: string };
}

/** What may be assumed of a run; the words of the messages may change, these do not. */
export const ASSUMPTION_KEYS = [
  'hosts-before-tls',
  'modules-loaded',
  'authentication-order',
  'nothing-elsewhere',
  'served-as',
  'directories-by-pattern',
  'no-htaccess-passwords',
  'all-files-given',
] as const;
export type AssumptionKey = (typeof ASSUMPTION_KEYS)[number];

/** What is taken for granted of the run, and what would show it. */
export interface AccessAssumption {
  readonly key: AssumptionKey;
  readonly text: string;
  /** The same behind the message of one finding, if not in these words. */
  readonly here?: string;
  readonly remedy: string | undefined;
}

/** A section that is left as it is. */
interface LeftScope {
  readonly scope: Scope;
  readonly refusal: Refusal;
}

/** A section with the edits that rewrite it. */
interface RewrittenScope {
  readonly scope: Scope;
  readonly file: ConfigFile;
  readonly edits: readonly RewriteEdit[];
  readonly group: string;
  /** Only its lines for 2.4 are rewritten, in the block that they stand in. */
  readonly isHalf: boolean;
}

/** Sections of which some are as they are today, and some as they were written, stand or fall together. */
const MIXED_GROUP = 'access:mixed';

/** Findings without the copies that a file included twice would bring. */
export class Findings {
  #list: AccessFinding[] = [];
  /** What was decided for each scope, by `order`: its edits, undefined where it was refused. */
  readonly decided = new Map<number, readonly Edit[] | undefined>();
  /** Files that no request gets past: both versions answer 500. */
  refused: ReadonlySet<ConfigFile> = new Set();
  readonly rewritten: RewrittenScope[] = [];
  /** Sections that no server reads, and that cannot be converted as what they would be if one did. */
  readonly notInContext: Scope[] = [];
  /** Sections of refused groups whose lines for 2.4 do not answer as those for 2.2, or may not. */
  readonly unlike: Scope[] = [];
  /** The message that was the first at its place, most often the only one, and all others with their places. */
  readonly #first = new Map<string, string>();
  readonly #seen = new Set<string>();
  /** What groups that were made one with others are called now; that may have been made one with others in its turn. */
  readonly #joined = new Map<string, string>();
  /** Groups have been made one since the findings in the list were given their names. */
  #isRenamed = false;

  /** The findings, each with the name that its group has now. */
  get list(): readonly AccessFinding[] {
    if (this.#isRenamed)
      this.#list = this.#list.map((finding) => {
        const group = finding.group === undefined ? undefined : this.groupOf(finding.group);
        return group === undefined || group === finding.group ? finding : { ...finding, group };
      });
    this.#isRenamed = false;
    return this.#list;
  }

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
    this.addBeside(finding);
  }

  /** The same, also where that has been said at its place. */
  addBeside(finding: AccessFinding): void {
    this.#list.push(finding);
  }

  /** Adds what has been decided apart from these, with the answers that it rests on. */
  addDecided(other: Findings, answers: readonly Answer[]): void {
    for (const finding of other.list)
      this.add(finding.edits.length === 0 || answers.length === 0 ? finding : { ...finding, answers });
    for (const rewritten of other.rewritten)
      this.rewritten.push({ ...rewritten, group: other.groupOf(rewritten.group) });
    for (const [order, edits] of other.decided) this.decided.set(order, edits);
    this.notInContext.push(...other.notInContext);
    this.unlike.push(...other.unlike);
  }

  /**
   * Of two decisions about the same sections, for each section that which is wanted: all its edits in one group.
   * @param wanted those of `then`, by `order`; all others are of `now`
   */
  static mixed(now: Findings, then: Findings, wanted: ReadonlySet<number>): Findings {
    const result = new Findings();
    for (const from of [now, then]) {
      const isOurs = (order: number): boolean => wanted.has(order) === (from === then);
      for (const [order, edits] of from.decided) if (isOurs(order)) result.decided.set(order, edits);
      const theirs = from.rewritten.filter(({ scope }) => !isOurs(scope.order));
      for (const rewritten of from.rewritten)
        if (isOurs(rewritten.scope.order)) result.rewritten.push({ ...rewritten, group: MIXED_GROUP });
      for (const finding of from.list) {
        const isTheirs = theirs.some(({ file, edits }) => file === finding.file && finding.edits.some(({ start }) => start === edits[0]?.start)); // prettier-ignore
        if (!isTheirs) result.add(finding.edits.length === 0 ? finding : { ...finding, group: MIXED_GROUP });
      }
    }
    return result;
  }

  /** Files of which all sections are left for one reason: where in the list that is said, and of how many. */
  readonly #left = new Map<
    ConfigFile,
    { readonly index: number; readonly first: LeftScope; count: number }
  >();

  /** Says once for all sections of a file why they are left as they are: in the words of the first. */
  leaveFile(file: ConfigFile, at: number, scope: LeftScope): void {
    let left = this.#left.get(file);
    if (left === undefined) {
      left = { index: this.#list.length, first: scope, count: 1 };
      this.#left.set(file, left);
      this.addBeside({ file, at, level: 'error', safety: 'manual', message: leftText(scope, 1), edits: [] });
      return;
    }
    left.count++;
    this.#list[left.index] = { ...this.#list[left.index]!, message: leftText(left.first, left.count) };
  }

  /** Makes several groups one. @returns its name */
  join(names: ReadonlySet<string>): string {
    const [group = '', ...others] = new Set([...names].map((name) => this.groupOf(name)));
    for (const other of others) this.#joined.set(other, group);
    this.#isRenamed ||= others.length > 0;
    return group;
  }

  /** What a group is called once all are joined. */
  groupOf(name: string): string {
    let group = name;
    for (let now = this.#joined.get(group); now !== undefined; now = this.#joined.get(group)) group = now;
    // The next look need not go that way again.
    if (group !== name) this.#joined.set(name, group);
    return group;
  }

  /**
   * Adds what AllowOverride must let in from now on; all that hangs on one such line becomes one group.
   * @param standing what stands in `.htaccess` files for 2.4 already
   */
  addOverrides(overrides: AllowOverrideIndex, standing: readonly ListNeed[], target: Release): void {
    const isUnread = holds('override-none-unread', target);
    const written = this.rewritten.map(({ scope, edits, group }) => ({
      scope,
      names: namesWritten(edits),
      group,
    }));
    for (const list of overrideLists([...written, ...standing], overrides)) {
      const { file, at, words, edit, groups, isForOthers } = list;
      // By its group a line can be taken back, also one that no rewrite needs.
      const group = groups.size === 0 ? `override-list ${file.path} ${at}` : this.join(groups);
      this.addBeside({
        file,
        at,
        level: 'error',
        safety: words === LIST_OF_NONE && isUnread ? 'safe' : 'review',
        message:
          words === LIST_OF_NONE
            ? `the AllowOverrideList that a Directory above it gets would be handed down to this one: None keeps out what was kept out here${isUnread ? '' : `, but ${nameOf(target)} opens a .htaccess there all the same, and answers 500 to what it may not say: this assumes that there is none`}`
            : `the ${usersOf(groups.size > 0, isForOthers)} below use ${words}, which AllowOverride does not let in: AllowOverrideList does; whoever writes such a file may then also lift a password asked for above it`,
        edits: [edit],
        group,
      });
    }
  }
}

/** What an AllowOverrideList must name for 2.4 to take these lines. */
function namesWritten(edits: readonly RewriteEdit[]): readonly string[] {
  const opened = edits.flatMap(({ written }) => written.sections.filter(isContainer));
  return ['Require', ...new Set(opened.map((name) => `<${name}`))];
}

function usersOf(isForRewrites: boolean, isForOthers: boolean): string {
  if (!isForOthers) return 'rewritten .htaccess files';
  return isForRewrites ? 'rewritten .htaccess files, and those with lines for 2.4,' : '.htaccess files with lines for 2.4'; // prettier-ignore
}

/**
 * Moves the guards of what has been rewritten to mod_authz_core, which answers the new lines and which every 2.4 has. A guard whose own
 * module answers all that stands in it stays as it is.
 * @param drop they go instead: where blocks for one version each are written or collapsed, one that asks for mod_authz_core would be such
 * a block, and nothing else
 */
export function moveGuards(findings: Findings, drop: boolean): void {
  const moved = new Map<Section, { file: ConfigFile; groups: Set<string> }>();
  for (const { scope, file, edits, group, isHalf } of findings.rewritten)
    for (const { section, file: guardFile } of isHalf ? [] : guardsAround(scope, file)) {
      const guard = guardOf(section)!;
      const inside =
        guardFile === file
          ? edits.filter((edit) => section.open.end <= edit.start && edit.end <= section.end)
          : edits;
      const gone = edits.some(
        (edit) => guardFile === file && edit.start <= section.open.start && section.open.end <= edit.end,
      );
      if (gone || !inside.some(({ written }) => needsMore(written, guard))) continue;
      const known = moved.get(section) ?? { file: guardFile, groups: new Set() };
      moved.set(section, known);
      known.groups.add(group);
    }
  for (const [section, { file, groups }] of moved) {
    const { start, end } = section.args[0]!;
    const group = findings.join(groups);
    const name = `<IfModule ${section.args[0]!.value}>`;
    const goes = drop && section.close !== undefined;
    findings.addBeside({
      file,
      at: section.open.from,
      level: 'error',
      safety: 'safe',
      message: goes
        ? `${name} guards lines that mod_authz_core answers in 2.4, which every 2.4 has: its lines stay, without the block`
        : `${name} guards lines that mod_authz_core answers in 2.4: it asks for mod_authz_core.c`,
      edits: goes ? unwrap(file.document, section) : [{ start, end, text: 'mod_authz_core.c' }],
      group,
    });
  }
}

/** Whether lines are written that the guard's module does not answer. */
function needsMore({ requires, sections }: Written, { identifier }: Guard): boolean {
  const answered = STOCK_MODULES[identifier]!;
  return sections.some(isContainer) || requires.some(({ provider }) => !answered.includes(provider));
}

/**
 * The guards around a scope, and those inside it around its lines.
 * @param written the file in which it is rewritten: where that is its own, lines that it includes leave the guards around them
 */
function guardsAround({ file, place, old, requires }: Scope, written: ConfigFile): readonly Frame[] {
  const found: Frame[] = [];
  const look = (frames: readonly Frame[]): void => {
    for (const frame of frames)
      if (
        guardOf(frame.section)?.negated === false &&
        (written !== file || frame.file === file || frames === place.chain) &&
        !found.some(({ section }) => section === frame.section)
      )
        found.push(frame);
  };
  look(place.chain);
  for (const { inner } of old) if (inner.length > 0) look(inner);
  for (const { inner } of requires) if (inner.length > 0) look(inner);
  return found;
}
