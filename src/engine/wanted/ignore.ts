import type { ConfigFile, ConfigTree } from '../../config';
import { walk, type Document } from '../../syntax';
import type { Finding, RunOptions, RunResult } from '../types';
import { memo } from '../../maps';

/** A comment that asks to leave a part of a file alone: bytes `[start, end)`. */
interface Ignore {
  readonly start: number;
  readonly end: number;
  /** Undefined: all rules. */
  readonly rules: readonly string[] | undefined;
  /** Byte offset of the comment. */
  readonly at: number;
  /** The kind of comment as the user wrote it: `ignore-next-line`. */
  readonly kind: string;
  used: boolean;
}

export interface IgnoreOptions {
  /** Every rule there is: a comment that names another one is reported. */
  readonly rules: ReadonlySet<string>;
  /** Why a file is left alone as a whole. */
  readonly leaveAlone: ((file: ConfigFile) => string | undefined) | undefined;
  /** Whether the comments of a file count. */
  readonly honours: ((file: ConfigFile) => boolean) | undefined;
  /** False where not all rules have run: a comment that ignores nothing is not reported then. */
  readonly complete: boolean;
}

const PASSED_OVER =
  'the comments here that ask to leave something alone are passed over: the file belongs neither to root nor to the owner of the configuration (--honour-ignores takes them)';

/** Characters of a comment that a message repeats. */
const MAX_NAMED = 100;

const PREFIX = 'httpd-codemod-ignore';
const COMMENT = /^#+[ \t]*httpd-codemod-(ignore-[a-z-]+)(?:[ \t]+(.*))?$/;

/**
 * Marks the findings that a comment, or a file that is ignored as a whole, asks to leave alone: those that stand in such a part,
 * or would change something there. `# httpd-codemod-ignore-next-line [rule…]`, `# httpd-codemod-ignore-begin [rule…]` to `#
 * httpd-codemod-ignore-end`, `# httpd-codemod-ignore-file [rule…]`; without a rule for all of them.
 * @returns the findings, marked, and those about the comments themselves
 */
export function markIgnored(
  files: readonly ConfigFile[],
  findings: readonly Finding[],
  { rules: ruleIds, leaveAlone, honours, complete }: IgnoreOptions,
): readonly Finding[] {
  const ignores = new Map<ConfigFile, Ignore[]>();
  const complaints: Finding[] = [];
  const ignoredFiles = new Map<ConfigFile, string>();
  for (const file of files) {
    const why = leaveAlone?.(file);
    if (why !== undefined) ignoredFiles.set(file, why);
    if (!file.document.text.includes(PREFIX)) continue;
    const isHonoured = honours?.(file) !== false;
    const found = ignoresOf(file.document, (at, message) => {
      if (isHonoured) complaints.push(complaint(file, at, message));
    });
    if (!isHonoured && found.length > 0) complaints.push(complaint(file, found[0]!.at, PASSED_OVER));
    else if (found.length > 0) ignores.set(file, found);
  }
  if (ignores.size === 0 && ignoredFiles.size === 0 && complaints.length === 0) return findings;
  const marked = findings.map((finding) => {
    const why = finding.besideIgnored === true ? undefined : ignoredFiles.get(finding.file);
    if (why !== undefined) return { ...finding, ignored: why };
    const hits = (ignores.get(finding.file) ?? []).filter((ignore) => meets(ignore, finding));
    for (const ignore of hits) ignore.used = true;
    if (hits.length === 0 || finding.besideIgnored === true) return finding;
    return { ...finding, ignored: sourceOf(finding.file, hits[0]!) };
  });
  for (const [file, list] of ignores) {
    for (const { rules = [], at, kind, used } of list) {
      const unknown = rules.filter((rule) => !ruleIds.has(rule));
      if (unknown.length > 0)
        complaints.push(complaint(file, at, `${kind} names no rule: ${shortList(unknown)}`));
      else if (!used && complete && !ignoredFiles.has(file))
        complaints.push(complaint(file, at, `${kind} has nothing to ignore`));
    }
  }
  return [...marked, ...complaints];
}

/** Some of the words that a comment has for rules. */
function shortList(words: readonly string[]): string {
  const text = words.join(', ');
  return text.length > MAX_NAMED ? `${text.slice(0, MAX_NAMED)}...` : text;
}

function meets(
  { start, end, rules }: Ignore,
  { rule, at, edits }: Pick<Finding, 'rule' | 'at' | 'edits'>,
): boolean {
  if (rules !== undefined && !rules.includes(rule)) return false;
  return (at >= start && at < end) || edits.some((edit) => edit.start < end && edit.end > start);
}

function ignoresOf(document: Document, complain: (at: number, message: string) => void): Ignore[] {
  const ignores: Ignore[] = [];
  const lineEnds = new Map<number, number>();
  let open: Omit<Ignore, 'end'> | undefined;
  for (const [node] of walk(document.body)) {
    if (node.kind === 'section') lineEnds.set(node.open.start, node.open.end);
    else lineEnds.set(node.start, node.end);
  }
  for (const [node] of walk(document.body)) {
    if (node.kind !== 'comment') continue;
    const match = COMMENT.exec(document.text.slice(node.from, node.to));
    if (match === null) continue;
    const [, kind = '', words = ''] = match;
    const named = words.split(/[ \t,]+/).filter((word) => word !== '');
    const base = { rules: named.length === 0 ? undefined : named, at: node.from, kind, used: false };
    if (kind === 'ignore-file') ignores.push({ ...base, start: 0, end: Infinity });
    else if (kind === 'ignore-next-line')
      ignores.push({ ...base, start: node.end, end: lineEnds.get(node.end) ?? node.end });
    else if (kind === 'ignore-begin' && open === undefined) open = { ...base, start: node.end };
    else if (kind === 'ignore-end' && open !== undefined) {
      ignores.push({ ...open, end: node.start });
      open = undefined;
    } else if (kind === 'ignore-begin') complain(node.from, 'ignore-begin inside another one is not read');
    else if (kind === 'ignore-end') complain(node.from, 'ignore-end without ignore-begin');
    else complain(node.from, `httpd-codemod knows no comment ${shortList([kind])}`);
  }
  if (open === undefined) return ignores;
  complain(open.at, 'ignore-begin without ignore-end: all that follows is left alone');
  return [...ignores, { ...open, end: Infinity }];
}

const NO_IGNORES: readonly Ignore[] = [];

/** Why edits will not be made: somebody asked to leave their place alone, or the file cannot be written. */
export function keeperOf({ leaveAlone, honours, unwritable }: KeepOptions): NonNullable<ConfigTree['keeps']> {
  const commentsIn = memo((file: ConfigFile): readonly Ignore[] =>
    file.document.text.includes(PREFIX) && honours?.(file) !== false
      ? ignoresOf(file.document, () => undefined)
      : NO_IGNORES,
  );
  return (file, rule, edits) => {
    if (unwritable?.has(file.path) === true) return `${file.name} cannot be written`;
    if (file.outside !== undefined) return file.outside;
    const ignored = leaveAlone?.(file);
    if (ignored !== undefined) return ignored;
    const met = commentsIn(file).find((ignore) =>
      edits.some(({ start, end }) => meets(ignore, { rule, at: start, edits: [{ start, end, text: '' }] })),
    );
    return (
      met && `the comment in ${file.name}:${file.document.positionAt(met.at).line} asks to leave it alone`
    );
  };
}

function sourceOf(file: ConfigFile, { at }: Ignore): string {
  return `the comment in ${file.name}:${file.document.positionAt(at).line} asks to leave it alone`;
}

type KeepOptions = Pick<RunOptions, 'leaveAlone' | 'honours' | 'unwritable'>;

/** The files that are left alone as a whole because somebody has asked for that, each with who. */
export function filesLeftAlone(
  files: readonly ConfigFile[],
  { leaveAlone, honours }: KeepOptions,
): NonNullable<RunResult['leftAlone']> {
  return files.flatMap((file) => {
    const why = leaveAlone?.(file);
    if (why !== undefined) return [{ file, why }];
    if (!file.document.text.includes(PREFIX) || honours?.(file) === false) return [];
    const whole = ignoresOf(file.document, () => undefined).find(
      ({ kind, rules }) => kind === 'ignore-file' && rules === undefined,
    );
    return whole === undefined ? [] : [{ file, why: sourceOf(file, whole) }];
  });
}

function complaint(file: ConfigFile, at: number, message: string): Finding {
  return { rule: 'ignore', file, at, level: 'warning', safety: 'manual', message, edits: [] };
}
