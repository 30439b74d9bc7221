import type { ConfigFile } from '../../config';
import { firstEndingAfter, type Node, type Section } from '../../syntax';
import type { Finding } from '../types';

/** The sections around a line from the outside in, and the line itself; undefined where there is none. */
interface LinePlace {
  readonly chain: readonly Section[];
  readonly node: Node | undefined;
}

/**
 * What a finding is about: its rule and file, the sections around its line, and the line as httpd reads it. It stays when other
 * lines come and go. Lines that are written twice in one place have the same.
 */
export function subjectIn(finding: Pick<Finding, 'rule' | 'file' | 'at'>): string {
  const { chain, node } = placeAt(finding.file, finding.at);
  const lines = [...chain.map(({ open }) => open.text), textOf(node)];
  return [finding.rule, finding.file.path, ...lines].join('\n');
}

/** Where an offset lies. */
export function placeAt({ document }: ConfigFile, at: number): LinePlace {
  const chain: Section[] = [];
  let { body } = document;
  for (;;) {
    const node = body[firstEndingAfter(body, at)];
    if (node === undefined || node.start > at) return { chain, node: undefined };
    if (node.kind !== 'section' || at < node.open.end) return { chain, node };
    chain.push(node);
    body = node.body;
  }
}

/** The line of a node; of a section the one that opens it. */
export function textOf(node: Node | undefined): string {
  if (node === undefined) return '';
  if (node.kind === 'section') return node.open.text;
  return node.kind === 'raw' ? '' : node.text;
}
