import type { Node } from '../syntax';

const ACCESS = new Set(['order', 'allow', 'deny', 'satisfy', 'require', 'sslrequire', 'sslrequiressl']);

/** Whether a line, or one in a section, decides who gets in. */
export function saysAccess(node: Node): boolean {
  if (node.kind === 'directive') return ACCESS.has(node.key);
  return node.kind === 'section' && node.body.some(saysAccess);
}
