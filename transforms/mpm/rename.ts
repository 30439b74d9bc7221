import { rename } from '../../src/edit';
import type { TransformContext } from '../../src/engine';

/** Reports every use of a directive that 2.4 knows by another name. */
export function reportRename(context: TransformContext, from: string, to: string): void {
  context.directives([from], (node, { file }) =>
    context.report({
      file,
      at: node.from,
      level: 'info',
      safety: 'safe',
      message: `${from} is called ${to} in 2.4`,
      edits: [rename(node, to)],
    }),
  );
}
