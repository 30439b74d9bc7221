export { WriteError } from './error';
export { type Host } from './place';
export { openStore, type Store, type StoreOptions, type WriteOptions } from './store';
export { type Stored } from './stored';
export { type Undone } from './undo';
