import { type ConfigFile, type ConfigTree, expand, hasVariable, visitTree } from '../../config';
import { hasPlaceholder, readWords, withoutPlaceholders } from '../../syntax';
import { type HostSpec, mayBeFilledIn, parseHostSpec } from '../policy';
import { lazy } from '../primitives';

/** A name and a dot before a variable: whatever that stands for, 2.2 takes the word for the name of a host. */
const NAME_BEFORE = /^(?!env=)[\w-]*[A-Za-z][\w-]*\.(?:[\w.-]|\$\{[^}]*\})*$/i;

/** What is known of words of a host list that a variable or a template fills in. */
export class FilledIn {
  /** The variables of which it is known what they stand for wherever they are used. */
  readonly #variables = lazy((): ReadonlyMap<string, string> => {
    const ambiguous = namesWithSeveralValues(this.tree);
    return new Map([...this.tree.variables].filter(([name]) => !ambiguous.has(name)));
  });

  constructor(private readonly tree: ConfigTree) {}

  /**
   * What a person says that the placeholders of a file stand for; `assumed` where nobody has, and the file is a template.
   * They are then taken for addresses: 2.4 refuses a `Require ip` with anything else, so that nobody gets in by mistake.
   */
  choiceIn({ path, isTemplate }: ConfigFile): string {
    return this.tree.chosen?.('placeholder', [path])?.choice ?? (isTemplate === true ? 'assumed' : '');
  }

  /**
   * The words behind `from`, those that are filled in taken for what they surely stand for.
   * @param choice what a person says of placeholders, `ip` or `host`, or `assumed`
   * @param textOf some of the words as they are written
   * @returns undefined where it is not known of one
   */
  specsOf(
    words: readonly string[],
    choice: string,
    textOf: (first: number, last: number) => string,
  ): readonly HostSpec[] | undefined {
    const specs = words.map((word) => (mayBeFilledIn(word) ? this.#specOf(word) : parseHostSpec(word)));
    if (specs.every((spec) => spec !== undefined)) return specs;
    // What a variable is known to stand for, nobody answers differently.
    const kind = choice === 'assumed' ? 'ip' : choice;
    if ((kind !== 'ip' && kind !== 'host') || words.some((word) => this.#isKnown(word))) return undefined;
    // A placeholder may run over several words: `{{ office }}`.
    const [first, last] = [words.findIndex(mayBeFilledIn), words.findLastIndex(mayBeFilledIn)];
    const text = textOf(first, last);
    if (/[\r\n\\]|\benv=/i.test(text)) return undefined;
    if (choice === 'assumed' && !mayBeAddresses(text)) return undefined;
    const whole: HostSpec = { kind, text };
    return [...words.slice(0, first).map(parseHostSpec), whole, ...words.slice(last + 1).map(parseHostSpec)];
  }

  #isKnown(word: string): boolean {
    return hasVariable(word) && !mayBeFilledIn(expand(word, this.#variables()));
  }

  #specOf(word: string): HostSpec | undefined {
    if (!hasVariable(word)) return undefined;
    if (NAME_BEFORE.test(word)) return { kind: 'host', text: word };
    const text = expand(word, this.#variables());
    if (mayBeFilledIn(text)) return undefined;
    const kinds = new Set(readWords(text).map(({ value }) => parseHostSpec(value).kind));
    const [kind] = kinds;
    return kinds.size === 1 && (kind === 'ip' || kind === 'host') ? { kind, text: word } : undefined;
  }
}

/** Whether nothing but marks of a template and parts of addresses stands there: a name, or a variable of httpd, does not. */
export function mayBeAddresses(text: string): boolean {
  return hasPlaceholder(text) && /^[\d.:/ \t]*$/.test(withoutPlaceholders(text));
}

function namesWithSeveralValues(tree: ConfigTree): ReadonlySet<string> {
  const found = new Set<string>();
  visitTree(tree, (node, { chain }) => {
    if (node.kind !== 'directive' || (node.key !== 'define' && node.key !== 'undefine')) return;
    const [name, value] = node.args;
    // What a conditional decides may be otherwise.
    if (name !== undefined && (chain.length > 0 || tree.variables.get(name.value) !== value?.value))
      found.add(name.value);
  });
  return found;
}
