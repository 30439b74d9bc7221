import type { ConfigFile, ConfigTree } from '../../config';
import {
  type Directive,
  type Document,
  type Node,
  type Stray,
  firstWhere,
  hasPlaceholder,
  isPlainElse,
  templateLine,
} from '../../syntax';
import { type ConditionalTest, type Scope, type ScopeLine, linesByReader } from '../policy';
import { EMPTY_LIST, addTo, lazy, shortened, memo } from '../primitives';
import type { ScopeBuilder } from './scope-builder';

/** True for a line that httpd has no name for and a template engine may: `{% if … %}`, `<%- else -%>`, `{{ rules }}`. */
export function isTemplate(node: Node): boolean {
  if (node.kind === 'stray') return true;
  if (node.kind !== 'directive') return false;
  // Every line of the run is asked about; the letters in lower case are `a` to `z`.
  const first = node.name.charCodeAt(0) | 32;
  return !(first >= 97 && first <= 122);
}

/** What stands from one line of a template to the next. */
interface Part {
  readonly start: number;
  /** Where the line of the template stands that it begins with. */
  readonly line: number;
  /** No line of the template decides whether it is there. */
  readonly sure: boolean;
  /** Two parts with the same are those of an `if` and of its `else`: one is there, and the other is not. */
  readonly choice: number;
  /** Whether the part is the one of the `else`. */
  readonly isElse: boolean;
}

const WHOLE: readonly Part[] = [{ start: 0, line: 0, sure: true, choice: 0, isElse: false }];

/** Which parts of a file a template may leave out: what stands in such a part is a conditional that nobody can ask about. */
export class TemplateParts {
  /** The Include lines that lead to each file; made when first asked for. */
  readonly #includes = lazy(() => this.#readIncludes());

  constructor(private readonly tree: ConfigTree) {}

  /** The test that decides whether the text at an offset is there; undefined where it surely is. */
  testAt(file: ConfigFile, at: number): ConditionalTest | undefined {
    const parts = partsOf(file.document);
    if (parts === WHOLE) return undefined;
    const next = firstWhere(parts, ({ start }) => start > at);
    const part = parts[next - 1];
    if (part === undefined || part.sure) return undefined;
    const asks = { kind: 'template', file, at: part.line } as const;
    return { name: `template ${file.path} ${part.choice}`, asks, is: !part.isElse };
  }

  /** The tests that decide whether a file is included at all. */
  testsOfIncludes(file: ConfigFile, seen: readonly ConfigFile[] = []): readonly ConditionalTest[] {
    if (file.role === 'server' || seen.includes(file) || this.tree.includes.size === 0) return [];
    return (this.#includes().get(file) ?? []).flatMap((line) => [
      ...[this.testAt(line.file, line.node.start)].filter((test) => test !== undefined),
      ...this.testsOfIncludes(line.file, [...seen, file]),
    ]);
  }

  #readIncludes(): Map<ConfigFile, { file: ConfigFile; node: Directive }[]> {
    const lines = new Map<ConfigFile, { file: ConfigFile; node: Directive }[]>();
    const { files, includes } = this.tree;
    const add = (file: ConfigFile, nodes: readonly Node[]): void => {
      for (const node of nodes)
        if (node.kind === 'section') add(file, node.body);
        else if (node.kind === 'directive')
          for (const target of includes.get(node) ?? []) addTo(lines, target, { file, node });
    };
    if (files.every(({ document }) => partsOf(document) === WHOLE)) return lines;
    for (const file of files) add(file, file.document.body);
    return lines;
  }
}

/** What every line of a template begins with. */
const MAY_HAVE_LINES = /^[ \t]*(?:[<{[]%|<[?!#]|<\/?[a-z]*[:_-]|\{\{|[%@])/im;

const partsOf = memo((document: Document): readonly Part[] => {
  if (!MAY_HAVE_LINES.test(document.text)) return WHOLE;
  const parts: Part[] = [...WHOLE];
  let depth = 0;
  let sound = true;
  /** For each block that is open, the choice that its first part is of; undefined once a line has divided it. */
  const open: (number | undefined)[] = [];
  const read = (nodes: readonly Node[]): void => {
    for (const node of nodes) {
      if (node.kind === 'section') read(node.body);
      if (!isTemplate(node) || (node.kind !== 'directive' && node.kind !== 'stray')) continue;
      if (node.kind === 'stray' && node.reason !== 'template') continue;
      const line = templateLine(node.text);
      if (line === 'value') continue;
      if (line === 'opens') depth++;
      if (line === 'closes') depth--;
      sound &&= depth >= 0 && (line !== 'divides' || depth > 0);
      let choice = parts.length;
      let isElse = false;
      if (line === 'opens') open.push(choice);
      else if (line === 'closes') open.pop();
      else {
        const first = open.at(-1);
        if (first !== undefined && isPlainElse(node.text)) [choice, isElse] = [first, true];
        if (open.length > 0) open[open.length - 1] = undefined;
      }
      parts.push({ start: node.end, line: node.from, sure: depth === 0, choice, isElse });
    }
  };
  read(document.body);
  if (parts.length === 1) return WHOLE;
  if (sound && depth === 0) return parts;
  // What opens and what closes do not pair off: all between the first of them and the last may be missing.
  const last = parts.length - 1;
  return parts.map((part, i) => ({ ...part, sure: i === 0 || i === last, choice: i, isElse: false }));
});

/**
 * Takes note of what a template decides of sections: whether one is there at all is a conditional around it. Sections in which it
 * chooses among the access lines are refused: the file does not say which of them stand together.
 * @param templates by scope, the template lines directly in it
 */
export function noteTemplates(
  scopes: readonly ScopeBuilder[],
  templates: ReadonlyMap<ScopeBuilder, readonly Node[]>,
  parts: TemplateParts,
): void {
  for (const builder of scopes) {
    const around = testsAround(builder.scope, parts);
    const lines = linesFor24(builder);
    const [first] = lines;
    if (first === undefined) {
      builder.addTests(around);
      continue;
    }
    const tests = new Map<string, readonly ConditionalTest[]>();
    for (const line of lines) {
      const found = testsIn(builder.scope, line, parts);
      tests.set(found.map(({ name, is }) => `${is} ${name}`).join('\n'), found);
    }
    let [from, to] = [first.node.start, first.node.start];
    for (const { node } of lines) [from, to] = [Math.min(from, node.start), Math.max(to, node.start)];
    const inside = templates.get(builder) ?? EMPTY_LIST;
    if (tests.size > 1 || inside.some(({ start }) => from < start && start < to))
      builder.addProblem(first.node, { kind: 'template' });
    else {
      const value = inside.find(isValue);
      if (value !== undefined)
        builder.addNote({ kind: 'template-line', node: value, text: shortened(value.text) });
    }
    builder.addTests([...around, ...[...tests.values()].flat()]);
  }
}

function isValue(node: Node): node is Directive | Stray {
  const isLine = node.kind === 'directive' || (node.kind === 'stray' && node.reason === 'template');
  return isLine && templateLine(node.text) === 'value' && hasPlaceholder(node.text);
}

function testsAround({ section, file, place }: Scope, parts: TemplateParts): ConditionalTest[] {
  const frames = section === undefined ? place.chain : [...place.chain, { file, section }];
  const found = frames.map((frame) => parts.testAt(frame.file, frame.section.start));
  return [...found.filter((test) => test !== undefined), ...parts.testsOfIncludes(file)];
}

/** The tests that decide whether a line of a section is there, where its section is. */
function testsIn(scope: Scope, { node, file }: ScopeLine, parts: TemplateParts): readonly ConditionalTest[] {
  const test = parts.testAt(file, node.start);
  const inSection = file === scope.file && scope.section !== undefined;
  const ofSection = inSection ? parts.testAt(file, scope.section.start) : undefined;
  const included = file === scope.file ? [] : parts.testsOfIncludes(file);
  if (test === undefined) return included;
  if (test.name !== ofSection?.name) return [test, ...included];
  // What begins with one choice and goes on with the other is not told apart.
  return test.is === ofSection.is
    ? included
    : [{ ...test, name: `${test.name} apart`, is: true }, ...included];
}

function linesFor24({ accessLines }: ScopeBuilder): readonly ScopeLine[] {
  if (accessLines === undefined) return EMPTY_LIST;
  const { old, requires, requires24, authTypesFor24 } = linesByReader(accessLines);
  return [...old, ...requires, ...requires24, ...authTypesFor24];
}
