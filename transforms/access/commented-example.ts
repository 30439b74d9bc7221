import { translateAccess } from '../../src/access';
import { type ConfigFile, type ConfigTree, conditionOf, loadTree, memory } from '../../src/config';
import { applyEdits, dualEdits, type DualStyle, type Edit, isOldAccessLine, sortEdits } from '../../src/edit';
import { defineTransform, DualHabits } from '../../src/engine';
import { findDirective } from '../../src/httpd/directives';
import { appendAll, type Comment, type Node, parse } from '../../src/syntax';

export default defineTransform({
  id: 'commented-example',
  changes: ['A01'],
  title: 'Access lines of 2.2 in comments',
  why: 'Whoever takes the comment signs away gets lines that 2.4 refuses. With --comments an example is rewritten where it says the same on its own; it stays a comment.',
  docs: ['mod_access_compat', 'upgrading: Access control'],
  onlyWhenUpgrading: true,
  task: () => ({
    text: 'rewrite examples of 2.2 in comments before anybody uncomments them',
    option: '--comments',
  }),
  run({ tree, dual, comments, report }) {
    const habits = comments && dual === true ? new DualHabits(tree) : undefined;
    const hasUsers = tree.files.some(({ document: { body } }) => someDirective(body, REQUIRES));
    for (const file of tree.files) {
      if (!mayHaveExamples(file.document.text)) continue;
      const examples = examplesIn(file.document.body, { dual: dual === true, defines: tree.defines });
      const [first] = examples;
      if (first === undefined) continue;
      const left: Example[] = [];
      for (const example of examples) {
        const isSettled = !comments || (dual !== undefined && habits === undefined);
        const text = isSettled ? undefined : rewritten(example, hasUsers, habits?.styleOf(file));
        if (text === undefined) left.push(example);
        else
          report({
            file,
            at: example.comments[0]!.from,
            level: 'info',
            safety: 'safe',
            message: `an example of 2.2 in a comment becomes one ${habits === undefined ? 'of 2.4' : 'for both versions'}, and stays a comment`,
            edits: [edit(file, example, text)],
            ...(habits !== undefined && { forBoth: true }),
          });
      }
      if (left.length > 0)
        report({
          file,
          at: left[0]!.comments[0]!.from,
          level: 'info',
          message: comments
            ? `${countText(left)} of 2.2 in comments ${left.length === 1 ? 'stays' : 'stay'}: with the lines and passwords around, 2.4 needs another text`
            : `${countText(left)} of 2.2 in comments: 2.4 refuses the lines once somebody uncomments them (--comments rewrites what says the same on its own)`,
        });
    }
  },
});

/** Comments of one body, one below the other, that are lines of a configuration without their signs. */
interface Example {
  readonly comments: readonly Comment[];
  /** The text of the comments without their signs and margin, as lines. */
  readonly text: string;
  /** The blanks with which all lines begin behind their signs. */
  readonly margin: string;
  /** Whether other lines about access stand in the same body. */
  readonly isBesideAccess: boolean;
}

const ACCESS = /^(?:order|allow|deny|satisfy)$/;
const REQUIRES = /^(?:require|authtype|satisfy)$/;
/** In a section, a line of a module that is not known here, such as mod_perl. */
const UNKNOWN_LINE = /^[ \t]*(?:[A-Z][a-z\d]+){2,}[ \t]+[^ \t]/;
const SECTION_LINE =
  /^[ \t]*<\/?(?:directory|location|files|limit|ifmodule|ifversion)[a-z]*(?:[ \t]+[^<>]+)?>[ \t]*$/i;

/** Whether a comment of a text may begin as an access line: few texts have one, and the others need not be walked. */
function mayHaveExamples(text: string): boolean {
  // A line that goes on may have its word in two parts.
  return /#[ \t]*(?:order|satisfy|allow|deny)[ \t]/i.test(text) || /\\\r?\n/.test(text);
}

/** How examples are looked for. */
interface ExampleSearch {
  /** With --dual those right below old lines go with them into the block for 2.2, where they are right. */
  readonly dual: boolean;
  readonly defines: ConfigTree['defines'];
}

function examplesIn(body: readonly Node[], looking: ExampleSearch): Example[] {
  const examples: Example[] = [];
  let run: Comment[] = [];
  const isBesideAccess = body.some(
    (node) => node.kind === 'directive' && (ACCESS.test(node.key) || REQUIRES.test(node.key)),
  );
  const finish = (): void => {
    if (run.length === 0) return;
    const lines = run.map(uncommented);
    const margin = /^[ \t]*/.exec(lines.reduce(commonStart))?.[0] ?? '';
    const text = lines.map((line) => `${line.slice(margin.length)}\n`).join('');
    const goesAlong = looking.dual && isBesideOldLines(body, run);
    if (!goesAlong && lines.some(isOldAccessLine) && isWhole(text, looking))
      examples.push({ comments: run, text, margin, isBesideAccess });
    run = [];
  };
  let opened = 0;
  for (const node of body) {
    const line = node.kind === 'comment' && !node.joined ? uncommented(node) : undefined;
    if (line !== undefined && (isConfiguration(line) || (opened > 0 && UNKNOWN_LINE.test(line)))) {
      run.push(node as Comment);
      if (SECTION_LINE.test(line)) opened += /^[ \t]*<\//.test(line) ? -1 : 1;
    } else {
      finish();
      opened = 0;
    }
    // What 2.2 alone reads is to be as it is.
    if (node.kind === 'section' && conditionOf(node, looking.defines).on24 !== false)
      appendAll(examples, examplesIn(node.body, looking));
  }
  finish();
  return examples;
}

/** Whether comments stand below an access line, with nothing but others between, or right above one and are nothing but such. */
function isBesideOldLines(body: readonly Node[], run: readonly Comment[]): boolean {
  const isAccess = (node: Node | undefined): boolean => node?.kind === 'directive' && ACCESS.test(node.key);
  const [first, last] = [body.indexOf(run[0]!), body.indexOf(run.at(-1)!)];
  let above = first - 1;
  while (body[above]?.kind === 'comment') above--;
  return (
    isAccess(body[above]) ||
    (above === first - 1 &&
      isAccess(body[last + 1]) &&
      run.every((node) => isOldAccessLine(uncommented(node))))
  );
}

/** What two lines both begin with. */
function commonStart(first: string, other: string): string {
  let end = 0;
  while (end < first.length && first[end] === other[end]) end++;
  return first.slice(0, end);
}

function uncommented({ logical }: Comment): string {
  return logical.text.replace(/^[ \t]*#+/, '');
}

/** Whether a line is one of access, opens or closes a section, or is another directive in the usual spelling. */
function isConfiguration(line: string): boolean {
  if (isOldAccessLine(line) || SECTION_LINE.test(line)) return true;
  const name = /^[ \t]*([A-Z][A-Za-z\d]+)[ \t]+[^ \t]/.exec(line)?.[1];
  return (
    name !== undefined && !/[ \t](?:is|are|the|to|a)[ \t]/.test(line) && findDirective(name)?.name === name
  );
}

/** Whether a text is a configuration by itself, of which 2.4 would read lines of 2.2. */
function isWhole(text: string, { defines }: ExampleSearch): boolean {
  const { body, flaws } = parse(text, '2.2');
  const isClosed = (nodes: readonly Node[]): boolean =>
    nodes.every((node) =>
      node.kind === 'section' ? node.close !== undefined && isClosed(node.body) : node.kind === 'directive',
    );
  const isFor24 = (nodes: readonly Node[]): boolean =>
    nodes.some((node) =>
      node.kind === 'section'
        ? conditionOf(node, defines).on24 !== false && isFor24(node.body)
        : node.kind === 'directive' && ACCESS.test(node.key),
    );
  return flaws === 0 && isClosed(body) && isFor24(body);
}

function someDirective(body: readonly Node[], keys: RegExp): boolean {
  return body.some((node) =>
    node.kind === 'section'
      ? someDirective(node.body, keys)
      : node.kind === 'directive' && keys.test(node.key),
  );
}

/**
 * The text of an example for 2.4; undefined where it depends on what stands around it. Host lists replace those of the sections
 * above in both versions; a password above counts beside them in 2.2 alone, so that only what keeps everybody out goes with it.
 * @param style how blocks for one version each are written, where the example is to be for both
 */
function rewritten(
  { text, isBesideAccess }: Example,
  hasUsers: boolean,
  style: DualStyle | undefined,
): string | undefined {
  if (isBesideAccess) return undefined;
  const isSection = /^[ \t]*</.test(text);
  const path = isSection ? '/example.conf' : '/example/.htaccess';
  const options = { defines: new Map<string, string>(), env: new Map<string, string>(), cwd: '/' };
  const tree: ConfigTree = loadTree(memory(new Map([[path, text]])), [path], options);
  const findings = translateAccess(tree);
  if (findings.some(({ safety }) => safety === 'manual' || safety === 'strict')) return undefined;
  const edits: Edit[] = findings.flatMap((finding) => finding.edits);
  const after = applyEdits(text, sortEdits(edits));
  if (edits.length === 0 || someDirective(parse(after, '2.4').body, ACCESS)) return undefined;
  const requires = after.match(/^[ \t]*Require .*$/gim) ?? [];
  const isClosing = requires.length > 0 && requires.every((line) => /Require all denied$/i.test(line));
  if (hasUsers && !isClosing) return undefined;
  return style === undefined ? after : forBothVersions(text, edits, style);
}

/** An example with a block for each version; undefined where a template chooses between the versions, which reads no comments. */
function forBothVersions(text: string, edits: readonly Edit[], style: DualStyle): string | undefined {
  if (style.template !== undefined) return undefined;
  const owned = edits.map((made) => ({ ...made, owner: 0 }));
  const { edits: written, refused } = dualEdits(parse(text, '2.2'), owned, {
    style,
    isFor24: () => false,
    isSkippedBy22: () => false,
    sameFor22: (before, after) => before === after,
    mayMove: () => false,
    isSwitchedOff: () => false,
    refuse: () => undefined,
  });
  return refused.size > 0 ? undefined : applyEdits(text, sortEdits(written.map((both) => both.edit)));
}

/** The example with its signs: each new line begins as its first one does. */
function edit(file: ConfigFile, { comments, margin }: Example, after: string): Edit {
  const { text, eol } = file.document;
  const [first, last] = [comments[0]!, comments.at(-1)!];
  const sign = /^[ \t]*#+/.exec(text.slice(first.start, first.end))?.[0] ?? '#';
  // A line that stays keeps the blanks at its end, too.
  const asWritten = new Map(
    comments.map((comment) => [
      uncommented(comment).slice(margin.length),
      text.slice(comment.start, comment.end).replace(/\r?\n$/, ''),
    ]),
  );
  const written = after
    .split('\n')
    .slice(0, -1)
    .map((line) => asWritten.get(line) ?? sign + margin + line)
    .join(eol);
  const isEnded = text.charAt(last.end - 1) === '\n';
  return { start: first.start, end: last.end, text: isEnded ? written + eol : written };
}

function countText({ length }: readonly Example[]): string {
  return length === 1 ? 'an example' : `${length} examples`;
}
