import type { Node } from '../../syntax';
import type { Scope, ScopeLine } from '../policy';
import { plus } from '../primitives';

/** True for a line or section that httpd has no name for and a template engine may: `{% if … %}`, `<%- else -%>`. */
export function isTemplate(node: Node): boolean {
  if (node.kind === 'stray') return true;
  if (node.kind !== 'directive' && node.kind !== 'section') return false;
  // Every line of the run is asked about; the letters in lower case are `a` to `z`.
  const first = node.name.charCodeAt(0) | 32;
  return !(first >= 97 && first <= 122);
}

/**
 * Refuses sections whose access lines a template tells apart: which of them stand together is not written in the file.
 * @param templates by scope, the template lines directly in it
 */
export function noteTemplates(
  scopes: readonly Scope[],
  templates: ReadonlyMap<Scope, readonly Node[]>,
): void {
  for (const scope of scopes) {
    if (!templates.has(scope) && !scope.old.some(isInside) && !scope.requires.some(isInside)) continue;
    const lines = [...scope.old, ...scope.requires];
    const [first] = lines;
    if (first === undefined) continue;
    const around = new Set(
      lines.map(({ inner }) => inner.findLast(({ section }) => isTemplate(section))?.section),
    );
    let [from, to] = [first.node.start, first.node.start];
    for (const { node } of lines) [from, to] = [Math.min(from, node.start), Math.max(to, node.start)];
    const between = templates.get(scope)?.some(({ start }) => from < start && start < to) === true;
    if (around.size > 1 || between)
      scope.problems = plus(scope.problems, {
        node: first.node,
        message:
          'lines of a template, or of something else that httpd does not read, stand among its access lines',
      });
  }
}

/** True for a line with sections between it and its scope. */
function isInside({ inner }: ScopeLine): boolean {
  return inner.length > 0;
}
