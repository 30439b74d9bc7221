export { DAMAGED, finish, type PutAside, putAsideDamaged, recover, type Recovered, STATES } from './recover';
export {
  damagedText,
  findUndoable,
  isTouched,
  listWrites,
  pruneWrites,
  type StoredWrite,
  type UndoableWrite,
  undoItems,
  type UndoOptions,
  type UndoResult,
  type WriteList,
} from './undo';
