import type { TreeIndex } from '../../../src/engine';
import type { Directive } from '../../../src/syntax';
import { isCarriedOver, isNotInUse } from '../lines';
import { flagsOf, rewriteWords } from '../words';
import { firstProgramLine } from './programs';

/** The lines that may send requests to backends. */
const BACKEND_LINES = ['ProxyPass', 'ProxyPassMatch', 'RewriteRule'];

/** Whether a line sends requests to backends: a ProxyPass that is no exception, or a rule with the flag P. */
export function isForBackend(node: Directive): boolean {
  return node.key === 'rewriterule'
    ? flagsOf(rewriteWords(node)[2]).some(({ key }) => key === 'p' || key === 'proxy')
    : !node.args.some(({ value }) => value === '!');
}

/** Whether a server of the run sends requests to a backend, by a line that both versions read and for which `isSo` holds. */
export function hasBackend(index: TreeIndex, isSo: (node: Directive) => boolean = () => true): boolean {
  return index.someDirective(
    BACKEND_LINES,
    (node, place) => !isNotInUse(place, index) && isCarriedOver(place) && isForBackend(node) && isSo(node),
  );
}

/** Whether requests may be answered by programs, backends or send-as-is files, which choose the status themselves. */
export function hasOtherAnswers(index: TreeIndex): boolean {
  return (
    firstProgramLine(index) !== undefined ||
    index.someDirective(BACKEND_LINES, isForBackend) ||
    index.someDirective(['AddHandler', 'AddType', 'ForceType', 'SetHandler'], ({ args }) =>
      /^(?:httpd\/)?send-as-is$/i.test(args[0]?.value ?? ''),
    )
  );
}
