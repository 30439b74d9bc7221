import type { ConfigFile } from '../../config';
import { walk, type Document } from '../../syntax';
import type { Finding } from '../types';

/** One request of the user to leave a part of a file alone: bytes `[start, end)`. */
interface Ignore {
  readonly start: number;
  readonly end: number;
  /** Undefined: all rules. */
  readonly rules: readonly string[] | undefined;
  /** Byte offset of the comment. */
  readonly at: number;
  /** As the user wrote it: `ignore-next-line`. */
  readonly kind: string;
  used: boolean;
}

export interface IgnoreOptions {
  /** Every rule there is: a comment that names another one is reported. */
  readonly rules: ReadonlySet<string>;
  /** Why a file is left alone as a whole. */
  readonly leaveAlone: ((file: ConfigFile) => string | undefined) | undefined;
  /** False where not all rules have run: a comment that ignores nothing is not reported then. */
  readonly complete: boolean;
}

const PREFIX = 'httpd-codemod-ignore';
const COMMENT = /^#+[ \t]*httpd-codemod-(ignore-[a-z-]+)(?:[ \t]+(.*))?$/;

/**
 * Marks the findings that a comment, or a file that is ignored as a whole, asks to leave alone: those that stand in such a part, or would
 * change something there. `# httpd-codemod-ignore-next-line [rule…]`, `# httpd-codemod-ignore-begin [rule…]` to
 * `# httpd-codemod-ignore-end`, `# httpd-codemod-ignore-file [rule…]`; without a rule for all of them.
 * @returns the findings, marked, and those about the comments themselves
 */
export function markIgnored(
  files: readonly ConfigFile[],
  findings: readonly Finding[],
  { rules: ruleIds, leaveAlone, complete }: IgnoreOptions,
): readonly Finding[] {
  const ignores = new Map<ConfigFile, Ignore[]>();
  const complaints: Finding[] = [];
  const ignoredFiles = new Map<ConfigFile, string>();
  for (const file of files) {
    const why = leaveAlone?.(file);
    if (why !== undefined) ignoredFiles.set(file, why);
    if (!file.document.text.includes(PREFIX)) continue;
    const found = ignoresOf(file.document, (at, message) => complaints.push(complaint(file, at, message)));
    if (found.length > 0) ignores.set(file, found);
  }
  if (ignores.size === 0 && ignoredFiles.size === 0 && complaints.length === 0) return findings;
  const marked = findings.map((finding) => {
    const why = ignoredFiles.get(finding.file);
    if (why !== undefined) return { ...finding, ignored: why };
    const hits = (ignores.get(finding.file) ?? []).filter((ignore) => meets(ignore, finding));
    for (const ignore of hits) ignore.used = true;
    if (hits.length === 0) return finding;
    const { line } = finding.file.document.positionAt(hits[0]!.at);
    return { ...finding, ignored: `the comment in ${finding.file.name}:${line} asks to leave it alone` };
  });
  for (const [file, list] of ignores) {
    for (const { rules = [], at, kind, used } of list) {
      const unknown = rules.filter((rule) => !ruleIds.has(rule));
      if (unknown.length > 0)
        complaints.push(complaint(file, at, `${kind} names no rule: ${unknown.join(', ')}`));
      else if (!used && complete && !ignoredFiles.has(file))
        complaints.push(complaint(file, at, `${kind} has nothing to ignore`));
    }
  }
  return [...marked, ...complaints];
}

function meets({ start, end, rules }: Ignore, { rule, at, edits }: Finding): boolean {
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
    else complain(node.from, `httpd-codemod knows no comment ${kind}`);
  }
  if (open === undefined) return ignores;
  complain(open.at, 'ignore-begin without ignore-end: all that follows is left alone');
  return [...ignores, { ...open, end: Infinity }];
}

function complaint(file: ConfigFile, at: number, message: string): Finding {
  return { rule: 'ignore', file, at, level: 'warning', safety: 'manual', message, edits: [] };
}
