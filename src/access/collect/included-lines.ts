import type { ConfigFile, ConfigTree, Frame } from '../../config';
import type { Node } from '../../syntax';
import type { ScopeLine } from '../policy';

/**
 * The Include lines of a section that lead to lines of it, in reading order.
 * @param body of the section, or of its file where it is a whole file
 * @param file where the body stands
 * @param wanted the files in which lines of the section stand
 */
export function includesOf(
  body: readonly Node[],
  file: ConfigFile,
  wanted: ReadonlySet<ConfigFile>,
  { includes }: ConfigTree,
): readonly ScopeLine[] {
  const found: ScopeLine[] = [];
  const leadsThere = new Map<ConfigFile, boolean>();
  const leadsTo = (target: ConfigFile): boolean => {
    let result = leadsThere.get(target);
    if (result !== undefined) return result;
    // A file that includes itself is read no second time.
    leadsThere.set(target, false);
    result = wanted.has(target) || brings(target.document.body);
    leadsThere.set(target, result);
    return result;
  };
  const brings = (nodes: readonly Node[]): boolean =>
    nodes.some((node) =>
      node.kind === 'section'
        ? brings(node.body)
        : node.kind === 'directive' && includes.get(node)?.some(leadsTo) === true,
    );
  const look = (nodes: readonly Node[], inner: readonly Frame[]): void => {
    for (const node of nodes)
      if (node.kind === 'section') look(node.body, [...inner, { file, section: node }]);
      else if (node.kind === 'directive' && includes.get(node)?.some(leadsTo) === true)
        found.push({ file, node, inner });
  };
  look(body, []);
  return found;
}
