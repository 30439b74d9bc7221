import type { ConfigFile, ConfigTree, Frame } from '../../config';
import type { Finding } from '../../engine/types';
import { holds } from '../../httpd/facts';
import { type Release, nameOf } from '../../httpd/release';
import { type Edit, unwrap } from '../../edit';
import type { Section } from '../../syntax';
import { type FilesLetIn, LIST_OF_NONE, type ListNeed, overrideLists } from '../override';
import { STOCK_MODULES, type Scope, guardOf } from '../policy';
import { getOrInsert } from '../primitives';
import { type RewriteEdit, type Written, isContainer } from '../rewrite';
import { type Refusal, unconvertedText } from './refusals';
import { ACCESS_RULE } from './run-context';

/** What the access transform has to say about one section. */
export type AccessFinding = Omit<Finding, 'rule'>;

/** Where a line begins, behind its blanks; 0 for none. */
export function offsetOf(
  node: { readonly start: number } | { readonly start: number; readonly from: number } | undefined,
): number {
  return node === undefined ? 0 : 'from' in node ? node.from : node.start;
}

export function manualFinding(
  file: ConfigFile,
  at: number,
  level: AccessFinding['level'],
  message: string,
): AccessFinding {
  return { file, at, level, safety: 'manual', message, edits: [] };
}

/** Says of a `.htaccess` without access lines that it lets nobody in, or stays; undefined where it does already. */
export function shutFile(
  file: ConfigFile,
  edits: readonly Edit[],
  why: string,
  keeps: ConfigTree['keeps'],
): AccessFinding | undefined {
  const [edit] = edits;
  if (edit === undefined) return undefined;
  const kept = keeps?.(file, ACCESS_RULE, edits);
  if (kept !== undefined)
    return manualFinding(file, edit.start, 'error', `${file.name} is left as it is: ${why}; ${kept}`);
  const message = `${file.name}: a Require all denied is added, which lets nobody in; there is no exact form: ${why}`;
  // Where the file begins with a section, what is said of that stands at the same place.
  return { file, at: edit.start, about: file.name, level: 'error', safety: 'strict', message, edits };
}

/** A section with the edits that rewrite it. */
export interface RewrittenScope {
  readonly scope: Scope;
  readonly file: ConfigFile;
  readonly edits: readonly RewriteEdit[];
  readonly group: string;
  /** Only its lines for 2.4 are rewritten, in the block that they stand in. */
  readonly isBranch: boolean;
}

/** The first section of a file that is left for a reason that all of them share. */
interface UnconvertedFile {
  /** Where in the list of findings that is said. */
  readonly index: number;
  readonly at: number;
  readonly scope: Scope;
  readonly refusal: Refusal;
  /** How many sections of the file are left. */
  count: number;
}

/** Findings without the copies that a file included twice would bring. */
export class Findings {
  #list: AccessFinding[] = [];
  /** The message that was the first at its place, most often the only one, and all others with their places. */
  readonly #first = new Map<string, Map<number, string>>();
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
    const { file, at, message } = finding;
    const inFile = getOrInsert(this.#first, file.path, () => new Map<number, string>());
    const first = inFile.get(at);
    if (first === message) return;
    if (first === undefined) inFile.set(at, message);
    else {
      const key = `${file.path}\n${at}\n${message}`;
      if (this.#seen.has(key)) return;
      this.#seen.add(key);
    }
    this.addBeside(finding);
  }

  /** Adds a finding also where the same has been said at its place. */
  addBeside(finding: AccessFinding): void {
    this.#list.push(finding);
  }

  /** Files of which all sections are left for one reason: where in the list that is said, and of how many. */
  readonly #unconverted = new Map<ConfigFile, UnconvertedFile>();

  /** Says once for all sections of a file why they are left as they are: in the words of the first. */
  leaveFile(file: ConfigFile, at: number, scope: Scope, refusal: Refusal): void {
    const make = (): UnconvertedFile => ({ index: this.#list.length, at, scope, refusal, count: 0 });
    const first = getOrInsert(this.#unconverted, file, make);
    first.count++;
    const message = unconvertedText(first.scope, first.refusal, first.count);
    this.#list[first.index] = manualFinding(file, first.at, 'error', message);
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
}

/**
 * Reports what AllowOverride must let in from now on; all that hangs on one such line becomes one group.
 * @param standing what stands in `.htaccess` files for 2.4 already
 */
export function reportOverrideLists(
  rewritten: readonly RewrittenScope[],
  standing: readonly ListNeed[],
  files: FilesLetIn,
  target: Release,
  findings: Findings,
): void {
  const isUnread = holds('override-none-unread', target);
  const written = rewritten.map(({ scope, edits, group }) => ({ scope, names: namesWritten(edits), group }));
  for (const list of overrideLists([...written, ...standing], files)) {
    const { file, at, words, edit, groups, isForOthers, keepsOut } = list;
    // By its group a line can be taken back, also one that no rewrite needs.
    const group = groups.size === 0 ? `override-list ${file.path} ${at}` : findings.join(groups);
    const users = !isForOthers
      ? 'rewritten .htaccess files'
      : groups.size > 0
        ? 'rewritten .htaccess files, and those with lines for 2.4,'
        : '.htaccess files with lines for 2.4';
    findings.addBeside({
      file,
      at,
      level: 'error',
      safety: words === LIST_OF_NONE && (isUnread || keepsOut !== undefined) ? 'safe' : 'review',
      message:
        keepsOut !== undefined
          ? keptOutText(keepsOut)
          : words === LIST_OF_NONE
            ? `the AllowOverrideList that a Directory above it gets would be handed down to this one: None keeps out what was kept out here${isUnread ? '' : `, but ${nameOf(target)} opens a .htaccess there all the same, and answers 500 to what it may not say: this assumes that there is none`}`
            : `the ${users} below use ${words}, which AllowOverride does not let in: AllowOverrideList does; whoever writes such a file may then also lift a password asked for above it`,
      edits: [edit],
      group,
    });
  }
}

/** Why directories are kept from a list. @param count how many files it would let Require into */
function keptOutText({ name, count }: { readonly name: string; readonly count: number }): string {
  const more = count === 1 ? '' : ` and ${count - 1} more`;
  const [files, them] =
    count === 1 ? ['to which', 'its directory'] : ['to each of which', 'their directories'];
  return `the AllowOverrideList in this section would let Require into ${name}${more}, ${files} 2.4 answers 500 without it: None in ${them} keeps that so`;
}

/** What an AllowOverrideList must name for 2.4 to take these lines. */
function namesWritten(edits: readonly RewriteEdit[]): readonly string[] {
  const opened = edits.flatMap(({ written }) => written.sections.filter(isContainer));
  return ['Require', ...new Set(opened.map((name) => `<${name}`))];
}

/**
 * Moves the guards of what has been rewritten to mod_authz_core, which answers the new lines and which every 2.4 has. A guard
 * whose own module answers all that stands in it stays as it is.
 * @param drop they go instead: where blocks for one version each are written or collapsed, one that asks for mod_authz_core would
 * be such a block, and nothing else
 */
export function moveGuards(rewritten: readonly RewrittenScope[], drop: boolean, findings: Findings): void {
  const moved = new Map<Section, { file: ConfigFile; groups: Set<string> }>();
  for (const { scope, file, edits, group, isBranch } of rewritten)
    for (const { section, file: guardFile } of isBranch ? [] : guardsAround(scope, file)) {
      const guard = guardOf(section)!;
      const inside =
        guardFile === file
          ? edits.filter((edit) => section.open.end <= edit.start && edit.end <= section.end)
          : edits;
      const gone = edits.some(
        (edit) => guardFile === file && edit.start <= section.open.start && section.open.end <= edit.end,
      );
      // Lines that the guard's module does not answer.
      const answered = STOCK_MODULES[guard.identifier]!;
      const needsMore = ({ requires, sections }: Written): boolean =>
        sections.some(isContainer) || requires.some(({ provider }) => !answered.includes(provider));
      if (gone || !inside.some(({ written }) => needsMore(written))) continue;
      getOrInsert(moved, section, () => ({ file: guardFile, groups: new Set<string>() })).groups.add(group);
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

/**
 * The guards around a scope, and those inside it around its lines.
 * @param written the file in which it is rewritten: where that is its own, lines that it includes leave the guards around them
 */
function guardsAround({ file, place, lines }: Scope, written: ConfigFile): readonly Frame[] {
  const found: Frame[] = [];
  const look = (frames: readonly Frame[], areAround = false): void => {
    for (const frame of frames)
      if (
        guardOf(frame.section)?.negated === false &&
        (written !== file || frame.file === file || areAround) &&
        !found.some(({ section }) => section === frame.section)
      )
        found.push(frame);
  };
  look(place.chain, true);
  for (const { inner } of [...lines.old, ...lines.requires]) look(inner);
  return found;
}
