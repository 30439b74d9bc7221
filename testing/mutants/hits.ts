import { parse } from '@babel/parser';
import { isNode, type SyntaxNode } from './operators';

/** A part of a program that is run or passed over as a whole: the body of a function, a block, a branch. */
interface Branch {
  readonly start: number;
  readonly end: number;
  readonly kind: 'block' | 'statement' | 'expression';
}

/** The array in which a text made by `withHits` notes what of it has run. */
export const HITS = 'mutantHits';

/** The branches of a TypeScript text, outer ones before inner ones. */
export function branchesOf(text: string): Branch[] {
  const found: Branch[] = [];
  const add = (value: unknown): void => {
    if (!isNode(value)) return;
    const { type, start, end } = value;
    const kind =
      type === 'BlockStatement'
        ? 'block'
        : /(?:Statement|Declaration)$/.test(type)
          ? 'statement'
          : 'expression';
    found.push({ start, end, kind });
  };
  function visit(node: SyntaxNode): void {
    if (node.type === 'LogicalExpression') add(node['right']);
    else if (node.type === 'IfStatement' || node.type === 'ConditionalExpression') {
      add(node['consequent']);
      add(node['alternate']);
    } else if (/^(?:Function|ArrowFunction|For|While|DoWhile)|Method$/.test(node.type)) add(node['body']);
    for (const value of Object.values(node))
      for (const inner of Array.isArray(value) ? (value as unknown[]) : [value])
        if (isNode(inner)) visit(inner);
  }
  const { program } = parse(text, { sourceType: 'module', plugins: ['typescript'] });
  for (const statement of program.body) visit(statement as unknown as SyntaxNode);
  return found;
}

/** The text with a note at the start of each of its branches, numbered from `first` on. */
export function withHits(text: string, branches: readonly Branch[], first: number): string {
  const inserted = branches.flatMap(({ start, end, kind }, i) => {
    const note = `${HITS}[${first + i}]=1`;
    if (kind === 'block') return { at: start + 1, rank: i, text: `${note};` };
    const [open, close] = kind === 'statement' ? [`{${note};`, '}'] : [`(${note},`, ')'];
    return [
      { at: start, rank: i, text: open },
      { at: end, rank: -i, text: close },
    ];
  });
  let result = text;
  // From the end on; where several meet, outer ones open first and close last.
  for (const { at, text: note } of inserted.sort((a, b) => b.at - a.at || b.rank - a.rank))
    result = result.slice(0, at) + note + result.slice(at);
  return result;
}
