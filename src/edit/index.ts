export { eolOf, indentOf, insertAfter, removeLine, rename, replaceLine } from './builders';
export { applyEdits, type Edit, overlaps, sortEdits } from './edit';
export { bodyIndent, insertAt, type InsertSpot } from './insertat';
