export { appendArguments, removeArguments, replaceArgument } from './arguments';
export {
  eolOf,
  indentOf,
  indentUnit,
  insertAfter,
  removeLine,
  removeLines,
  rename,
  replaceLine,
} from './builders';
export { composeEdits } from './compose';
export { endBehindBackslash } from './doubled-backslash';
export { dualEdits, type DualEdits, type DualProblem, type DualRules, type OwnedEdit } from './dual';
export { applyEdits, type Edit, overlaps, sameEdits, sortEdits } from './edit';
export { bodyIndent, insertAt, type InsertionPoint } from './insert-at';
export { dropLineEnd, keepLineEnd } from './last-line-end';
export { extraIndent, outdentLine, resolveOutdents, unwrap } from './outdent';
