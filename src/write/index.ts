export { WriteError } from './error';
export type { IndexChange, IndexLeft, IndexOps } from './index-change';
export { type Host } from './place';
export type { PendingWrite } from './pending';
export {
  type FileReplacement,
  type JointChange,
  openStore,
  type Store,
  type StoreOptions,
  type WriteOptions,
} from './store';
export type { PutAside } from './recover';
export type { StoredWrite, UndoableWrite, UndoResult } from './undo';
export { damagedText } from './undo';
