export { WriteError } from './error';
export { type Host } from './place';
export { openStore, type Store, type StoreOptions, type WriteOptions } from './store';
export type { StoredWrite, UndoResult } from './undo';
