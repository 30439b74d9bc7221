import { type ConfigFile, type ConfigTree, type TemplateBeside, templateKind } from '../config';
import { DEFAULT_STYLE, type DualStyle } from '../edit';
import { type Document, type Node, type Section, isPlainElse, templateLine, walk } from '../syntax';

/** How templates choose between the versions: as the template itself does, else the first of its kind, else one beside. */
export class TemplateHabits {
  readonly #tree: ConfigTree;
  readonly #styles = new Map<Document, DualStyle | undefined>();
  #beside: readonly TemplateBeside[] | undefined;

  constructor(tree: ConfigTree) {
    this.#tree = tree;
  }

  styleOf({ path, document }: ConfigFile): DualStyle | undefined {
    const kind = templateKind(path);
    const ofKind = (others: readonly TemplateBeside[]): readonly Document[] =>
      others.filter((other) => templateKind(other.path) === kind).map((other) => other.document);
    const templates = this.#tree.files.filter(({ isTemplate }) => isTemplate === true);
    return (
      this.#firstOf([document, ...ofKind(templates)]) ??
      this.#firstOf(ofKind((this.#beside ??= this.#tree.templatesBeside?.() ?? [])))
    );
  }

  #firstOf(documents: readonly Document[]): DualStyle | undefined {
    for (const document of documents) {
      if (!this.#styles.has(document))
        this.#styles.set(document, document.flaws === 0 ? undefined : styleIn(document));
      const style = this.#styles.get(document);
      if (style !== undefined) return style;
    }
    return undefined;
  }
}

/** How a template writes its first choice between the versions. */
function styleIn(document: Document): DualStyle | undefined {
  const bodies = [document.body];
  for (const [node] of walk(document.body)) if (node.kind === 'section') bodies.push(node.body);
  for (const body of bodies)
    for (const [at, node] of body.entries()) {
      const style = node.kind === 'section' ? styleOfChoice(node, body, at, document) : undefined;
      if (style !== undefined) return style;
    }
  return undefined;
}

function styleOfChoice(
  section: Section,
  body: readonly Node[],
  at: number,
  document: Document,
): DualStyle | undefined {
  const { open } = section;
  const { reads } = open;
  if (reads === undefined || templateLine(open.text) !== 'opens') return undefined;
  let last = section;
  let divide: string | undefined;
  // A branch that another follows ends where that begins, in no line of its own.
  for (let i = at + 1; last.close!.end === last.close!.start; i++) {
    last = body[i] as Section;
    if (isPlainElse(last.open.text)) divide ??= last.open.text;
  }
  const close = last.close!.text;
  divide ??= elseBetween(open.text, close);
  // What else such a line does is no part of a choice, and nothing to write elsewhere.
  if (divide === undefined || !PLAIN_END.test(close)) return undefined;
  const around = indentAt(document, open.start);
  const line = section.body.find((node) => node.kind === 'directive');
  const inner = line === undefined ? around : indentAt(document, line.start);
  const atMargin = around === '' && inner !== '' && body !== document.body;
  return {
    ...DEFAULT_STYLE,
    first: reads.on24 ? '2.4' : '2.2',
    template: {
      open: open.text,
      divide,
      close,
      atMargin,
      inner: !atMargin && inner.startsWith(around) ? inner.slice(around.length) : '',
    },
  };
}

/** `<% end -%>`, `{% endif %}`, `<% } %>`, `{{/if}}`. */
const PLAIN_END = /^(?:<\?php)?[^a-z]*(?:end|endif|fi|if)?[^a-z]*$/i;

function indentAt({ text }: Document, start: number): string {
  return /^[ \t]*/.exec(text.slice(start, start + 200))![0];
}

/** The `else` that a template writes between two such lines. */
function elseBetween(open: string, close: string): string | undefined {
  const word = /\bif\b/i.exec(open)?.[0] === 'IF' ? 'ELSE' : 'else';
  if (/\bend[a-z]*\b/i.test(close)) return close.replace(/\bend[a-z]*\b(?:[ \t]+if\b)?/i, word);
  return close.includes('}') && open.includes('{') && !/^\{[{%]/.test(open)
    ? close.replace('}', `} ${word} {`)
    : undefined;
}
