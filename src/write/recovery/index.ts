/**
 * Puts back or finishes what a run has left, and takes back a write.
 *
 * - `recover`: what an interrupted run has left
 * - `roll-back`: puts back the files of one write
 * - `undo`: finds writes to take back, and lists or prunes them
 */
export {
  DAMAGED,
  finish,
  type PutAside,
  putAsideDamaged,
  notRemovedText,
  recover,
  type Recovered,
  STATES,
} from './recover';
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
