import { findDirective } from '../../httpd/directives';
import { type Document, type Grammar, type Node, parse, sameLinesInBothVersions } from '../../syntax';
import { conditionOf, isConditional } from './conditions';

type DefineNames = Pick<ReadonlySet<string>, 'has'>;

/**
 * The lines that a version reads in a file, without comments and white space. Conditionals that it certainly enters are replaced
 * by their contents; those that it certainly skips, and empty ones, are left out. Two texts with the same reading are one
 * configuration to that version.
 */
export function readingOf(document: Document, version: Grammar, defines?: DefineNames): string[] {
  const { text, grammar } = document;
  const inGrammar = grammar === version || sameLinesInBothVersions(text) ? document : parse(text, version);
  const lines: string[] = [];
  const read = (nodes: readonly Node[]): void => {
    for (const node of nodes) {
      if (node.kind === 'directive') lines.push(`${node.key} ${argumentsOf(node)}`);
      else if (node.kind === 'raw') lines.push(text.slice(node.start, node.end));
      else if (node.kind === 'stray') {
        if (node.reason !== 'forgotten') lines.push(node.logical.text);
      } else if (node.kind === 'section') {
        const condition = conditionOf(node, defines);
        const entered = version === '2.2' ? condition.on22 : condition.on24;
        const sure = entered === true && node.close !== undefined && isConditional(node);
        if (entered === false) continue;
        if (!sure) lines.push(`<${node.key} ${node.open.rest}>${node.open.complete ? '' : '!'}`);
        const { length } = lines;
        read(node.body);
        const hasContent = lines.length > length || node.close === undefined || !node.open.complete;
        if (!hasContent && !sure && isConditional(node)) lines.pop();
        else if (!sure) lines.push(node.close === undefined ? '' : `</${node.key}>`);
      }
    }
  };
  read(inGrammar.body);
  return lines;
}

function argumentsOf(node: Extract<Node, { kind: 'directive' }>): string {
  const known = findDirective(node.key);
  // Quoted or not, an argument is the same to a directive that lets httpd split its line.
  return known === undefined || known.raw ? node.rest : node.args.map(({ value }) => value).join('\0');
}

/** Whether 2.2 takes two texts for the same configuration. */
export function readsTheSameIn22(before: string, after: string, defines: DefineNames | undefined): boolean {
  const [a, b] = [before, after].map((text) => readingOf(parse(text, '2.2'), '2.2', defines));
  return a!.length === b!.length && a!.every((line, i) => line === b![i]);
}
