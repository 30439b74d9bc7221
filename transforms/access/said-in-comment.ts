import type { AccessFinding } from '../../src/access';
import type { Finding } from '../../src/engine';
import { isOldAccessLine, removeLines } from '../../src/edit';
import { memo } from '../../src/maps';
import { type Comment, type Document, type Node, firstWhere } from '../../src/syntax';

/** A finding whose edits go together with those of another. */
type Companion = Omit<Finding, 'rule' | 'group'> & { readonly group: string };

/**
 * The removal of a comment that is the very line which a rewrite puts beside it, as in `# for 2.4:` and `#Require all granted`:
 * whoever takes its sign away says twice what stands there. Undefined where there is none.
 */
export function saidInComment({ file, edits, group, at }: AccessFinding): Companion | undefined {
  const { body } = file.document;
  if (edits.length === 0 || !hasRequireInComment(file.document)) return undefined;
  for (const edit of edits) {
    const said = linesOf(edit.text);
    if (said.length === 0) continue;
    const siblings = bodyAt(body, edit.start);
    const found = findSaid(siblings, said);
    if (found === undefined) continue;
    const [first, last] = withHead(siblings, found);
    // Where they stood apart, one of the blank lines around them goes along.
    const next = siblings[last + 1];
    const isApart = siblings[first - 1]?.kind === 'blank' && next?.kind === 'blank';
    const { start } = siblings[first]!;
    const { end } = isApart ? next : siblings[last]!;
    if (edits.some((other) => other.start < end && start < other.end)) continue;
    return {
      file,
      at: (siblings[found.first] as Comment).from,
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

/** Whether a text has what looks like a Require line behind a `#`: most have none, and one text has many findings. */
const hasRequireInComment = memo(({ text }: Document) => /#[ \t]*require[ \t]/i.test(text));

/** The lines of an edit that is Require lines and containers of such, in lower case; none of another. */
function linesOf(text: string): readonly string[] {
  const lines = text
    .split(/\r?\n/)
    .map((line) => withoutBlanksBehind(line.replace(/^[ \t]+/, '')).toLowerCase())
    .filter((line) => line !== '');
  return lines.every((line) => /^(?:require |<\/?require)/.test(line)) ? lines : [];
}

/** Comments of a body, by their places in it. */
interface Found {
  readonly first: number;
  readonly last: number;
}

/** The comments that are a container with these lines, in any order, or one of them where there is no container. */
function findSaid(body: readonly Node[], said: readonly string[]): Found | undefined {
  const texts = body.map((node) =>
    node.kind === 'comment' && !node.joined ? uncommented(node).toLowerCase() : undefined,
  );
  if (said.every((line) => line.startsWith('require '))) {
    const at = texts.findIndex((text) => text !== undefined && said.includes(text));
    return at < 0 ? undefined : { first: at, last: at };
  }
  const [open, close] = [said[0]!, said.at(-1)!];
  const wanted = [...said].sort().join('\n');
  for (let first = texts.indexOf(open); first >= 0; first = texts.indexOf(open, first + 1)) {
    const last = first + said.length - 1;
    const run = texts.slice(first, last + 1);
    if (run.at(-1) === close && run.every((text) => text !== undefined) && run.sort().join('\n') === wanted)
      return { first, last };
  }
  return undefined;
}

function bodyAt(body: readonly Node[], offset: number): readonly Node[] {
  const node = body[firstWhere(body, ({ end }) => offset < end)];
  return node?.kind === 'section' && node.open.end <= offset ? bodyAt(node.body, offset) : body;
}

function uncommented({ logical }: Comment): string {
  return withoutBlanksBehind(logical.text.replace(/^[ \t]*#+[ \t]*/, ''));
}

/** No pattern: one for the end of a text tries each blank inside of it, too. */
function withoutBlanksBehind(text: string): string {
  let end = text.length;
  while (end > 0 && ' \t'.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}

/** The comments with those right above that say that they are for 2.4, if they are all that these can speak of. */
function withHead(body: readonly Node[], { first: at, last }: Found): readonly [first: number, last: number] {
  let first = at;
  for (let above = body[first - 1]; above?.kind === 'comment' && isProse(above); above = body[first - 1])
    first--;
  const head = (body.slice(first, at) as readonly Comment[]).map(uncommented).filter((text) => text !== '');
  const isAbout24 = head.length <= 2 && head.some((text) => /\b2\.4/.test(text));
  return isAbout24 && body[last + 1]?.kind !== 'comment' ? [first, last] : [at, last];
}

/** Whether a comment is a sentence and no line that is switched off, which often begins right behind its sign. */
function isProse(comment: Comment): boolean {
  return !/^[ \t]*#+[A-Z<]/.test(comment.logical.text) && !isOldAccessLine(uncommented(comment));
}
