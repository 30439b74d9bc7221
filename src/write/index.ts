export { WriteError } from './error';
export type { Host, IndexChange, UnrevertedEntry, IndexOps } from './journal';
export type { PendingWrite } from './pending';
export {
  damagedText,
  type PutAside,
  type StoredWrite,
  type UndoableWrite,
  type UndoResult,
} from './recovery';
export {
  type FileReplacement,
  type JointChange,
  openStore,
  type Store,
  type StoreOptions,
  type WriteOptions,
} from './store';
