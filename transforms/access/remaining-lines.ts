import type { ConfigFile } from '../../src/config';
import type { ResultContext } from '../../src/engine';
import type { Directive } from '../../src/syntax';
import { isWrittenFor24 } from '../common/written-for';
import { isCarriedOver } from '../common/lines';

/**
 * Visits the lines that the result still has from the given files: those that both versions may read, in files that were not
 * written for 2.4.
 * @param restPattern what the text after the directive's name must match
 * @param visit gets the line of the result, and its file and offset in the tree as given
 */
export function eachRemainingLine(
  context: ResultContext,
  names: readonly string[],
  restPattern: RegExp,
  visit: (node: Directive, origin: { readonly file: ConfigFile; readonly at: number }) => void,
): void {
  const { tree, resultIndex, origin } = context;
  const givenFiles = new Map(tree.files.map((file) => [file.path, file]));
  resultIndex.visitDirectives(
    names.map((name) => name.toLowerCase()),
    (node, place) => {
      if (!restPattern.test(node.rest)) return;
      const root = givenFiles.get(place.root.path);
      if (root === undefined || !isCarriedOver(place)) return;
      const given = origin(place.file, node.from);
      if (!isWrittenFor24(context, { file: given.file, chain: [], root })) visit(node, given);
    },
  );
}
