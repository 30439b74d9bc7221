import { parse } from '@babel/parser';

/** A text of a program with one small mistake in it: what stands at `[start, end)` is another text. */
export interface Mutant {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** What was changed, in a few words. */
  readonly what: string;
}

export interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

/** Each operator, and what a careless author writes in its place. */
const OTHER: Readonly<Record<string, string>> = {
  '&&': '||',
  '||': '&&',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '+': '-',
  '-': '+',
};

export function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}

function isText({ type }: SyntaxNode): boolean {
  return type === 'StringLiteral' || type === 'TemplateLiteral';
}

/** All mutants of a file of TypeScript, in the order of the text. */
export function mutantsOf(file: string, text: string): Mutant[] {
  const found: Mutant[] = [];
  const add = ({ start }: SyntaxNode, from: number, to: number, other: string, what: string): void => {
    found.push({
      file,
      line: text.slice(0, start).split('\n').length,
      column: from - text.lastIndexOf('\n', from - 1),
      start: from,
      end: to,
      text: other,
      what,
    });
  };
  const slice = ({ start, end }: SyntaxNode): string => text.slice(start, end);

  function mutate(node: SyntaxNode, isEarly: boolean): void {
    switch (node.type) {
      case 'BinaryExpression':
      case 'LogicalExpression': {
        const [left, right] = [node['left'] as SyntaxNode, node['right'] as SyntaxNode];
        const operator = String(node['operator']);
        const other = OTHER[operator];
        // What joins texts would be no number: every test sees that.
        if (other === undefined || (operator === '+' && [left, right].some(isText))) return;
        const at = text.indexOf(operator, left.end);
        if (at < right.start) add(node, at, at + operator.length, other, `${operator} → ${other}`);
        return;
      }
      case 'IfStatement':
      case 'ConditionalExpression': {
        const test = node['test'] as SyntaxNode;
        add(test, test.start, test.end, `!(${slice(test)})`, 'condition negated');
        return;
      }
      case 'BooleanLiteral':
        add(node, node.start, node.end, node['value'] === true ? 'false' : 'true', `${slice(node)} negated`);
        return;
      case 'NumericLiteral':
        add(node, node.start, node.end, String(Number(node['value']) + 1), `${slice(node)} + 1`);
        return;
      case 'ExpressionStatement':
      case 'ContinueStatement':
        add(node, node.start, node.end, ';', 'statement dropped');
        return;
      case 'ReturnStatement':
        if (node['argument'] === null || isEarly) add(node, node.start, node.end, ';', 'return dropped');
    }
  }

  function visit(node: SyntaxNode, isEarly = false): void {
    // Types leave no trace in the program.
    if (
      node.type.startsWith('TS') &&
      !/^TS(?:AsExpression|NonNullExpression|SatisfiesExpression)$/.test(node.type)
    )
      return;
    mutate(node, isEarly);
    for (const [field, value] of Object.entries(node)) {
      if (field === 'typeAnnotation' || field === 'typeParameters' || field === 'returnType') continue;
      for (const inner of Array.isArray(value) ? (value as unknown[]) : [value])
        if (isNode(inner)) visit(inner, inner.type === 'ReturnStatement' && node.type === 'IfStatement');
    }
  }

  visit(parse(text, { sourceType: 'module', plugins: ['typescript'] }).program as unknown as SyntaxNode);
  return found.sort((a, b) => a.start - b.start || a.end - b.end);
}
