import type { AccessFinding } from '../../src/access';
import type { Finding } from '../../src/engine';
import { isOldAccessLine, removeLines } from '../../src/edit';
import { type Comment, type Node, firstWhere } from '../../src/syntax';

/** A finding whose edits go together with those of another. */
type Companion = Omit<Finding, 'rule' | 'group'> & { readonly group: string };

/**
 * The removal of a comment that is the very line which a rewrite puts beside it, as in `# for 2.4:` and `#Require all granted`:
 * whoever takes its sign away says twice what stands there. Undefined where there is none.
 */
export function saidInComment({ file, edits, group, at }: AccessFinding): Companion | undefined {
  const { text, body } = file.document;
  if (edits.length === 0 || !/#[ \t]*require[ \t]/i.test(text)) return undefined;
  for (const edit of edits) {
    const said = new Set(linesOf(edit.text));
    if (said.size === 0) continue;
    const siblings = bodyAt(body, edit.start);
    const found = siblings.findIndex(
      (node) => node.kind === 'comment' && !node.joined && said.has(uncommented(node).toLowerCase()),
    );
    if (found < 0) continue;
    const [first, last] = withHead(siblings, found);
    const { start, end } = { start: siblings[first]!.start, end: siblings[last]!.end };
    if (edits.some((other) => other.start < end && start < other.end)) continue;
    return {
      file,
      at: (siblings[found] as Comment).from,
      level: 'info',
      safety: 'safe',
      message: 'a comment that says what 2.4 needs here goes: that stands here now',
      edits: [removeLines(file.document, { start, end })],
      forBoth: true,
      group: group ?? `said ${file.path} ${at}`,
    };
  }
  return undefined;
}

/** The Require lines of an edit that stand by themselves, in lower case. */
function linesOf(text: string): string[] {
  if (/^[ \t]*</m.test(text)) return [];
  return text
    .split(/\r?\n/)
    .map((line) => line.replace(/^[ \t]+|[ \t]+$/g, '').toLowerCase())
    .filter((line) => line.startsWith('require '));
}

function bodyAt(body: readonly Node[], offset: number): readonly Node[] {
  const node = body[firstWhere(body, ({ end }) => offset < end)];
  return node?.kind === 'section' && node.open.end <= offset ? bodyAt(node.body, offset) : body;
}

function uncommented({ logical }: Comment): string {
  return logical.text.replace(/^[ \t]*#+[ \t]*/, '').replace(/[ \t]+$/, '');
}

/** The comment with those right above it that say that it is for 2.4, if it is all that they can speak of. */
function withHead(body: readonly Node[], at: number): readonly [first: number, last: number] {
  let first = at;
  for (let above = body[first - 1]; above?.kind === 'comment' && isProse(above); above = body[first - 1])
    first--;
  const head = body.slice(first, at) as readonly Comment[];
  const isAbout24 = head.length <= 2 && head.some((node) => /\b2\.4/.test(uncommented(node)));
  return isAbout24 && body[at + 1]?.kind !== 'comment' ? [first, at] : [at, at];
}

/** Whether a comment is a sentence and no line that is switched off, which often begins right behind its sign. */
function isProse(comment: Comment): boolean {
  return !/^[ \t]*#+[A-Z<]/.test(comment.logical.text) && !isOldAccessLine(uncommented(comment));
}
