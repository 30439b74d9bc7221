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
export { besideBackslashes } from './doubled-backslash';
export { dualEdits, type DualEdits, type OwnedEdit } from './dual';
export type { DualProblem, DualRules } from './dual-range';
export { type BlockStyle, DEFAULT_STYLE, type DualStyle, isVersionLabel } from './dual-style';
export { applyEdits, type Edit, overlaps, sameEdits, sortEdits } from './edit';
export { bodyIndent, insertAt, type InsertionPoint } from './insert-at';
export { dropLineEnd, keepLineEnd } from './last-line-end';
export { requireAllAt } from './require-all';
export { extraIndent, outdentLine, resolveOutdents, unwrap } from './outdent';
export { isOldAccessLine } from './access-lines';
